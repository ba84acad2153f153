/** The tools that an agent is given. */
import type { AnyAgent } from '../types/any-agent.ts'
import type { Tool } from './define.ts'

/** What `tools` may hold: a tool or an agent that needs no other dependencies, or a plain function. */
export type ToolLike<Deps> = Tool<Deps> | AnyAgent<unknown, Deps> | ((input: never) => unknown)
/** Tools as a list, or keyed by name. */
export type ToolSet<Deps> = readonly ToolLike<Deps>[] | { readonly [name: string]: ToolLike<Deps> }
