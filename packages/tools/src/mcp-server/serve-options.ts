/** The options of `serveMcp()`, and what they must be. */
import type { Agent, Policy, Tool } from '@loom-agent/agent'
import { type Expected, expected, type Shape } from '@loom-agent/agent/kit'
import type { Journal, Limits } from '@loom-agent/kernel'

/** Who is calling. */
export interface McpCaller {
  /** The id of the caller, as the program has checked it: its calls, threads and answers are its own. */
  readonly by: string
}

/** What `serveMcp()` takes. */
export interface ServeMcpOptions {
  /** The name of the server. */
  readonly name: string
  /** Its version; default `1.0.0`. */
  readonly version?: string
  /** Agents by name: each is a tool that takes a prompt. Their own permissions judge their calls. */
  readonly agents?: { readonly [name: string]: Agent }
  /** Tools by name. */
  readonly tools?: { readonly [name: string]: Tool }
  /** Which calls of the tools run, ask or are denied. Without it a tool is judged by its own verdict. */
  readonly permissions?: Policy
  /** Where the runs are kept. */
  readonly journal: Journal
  /** What a run may use at most. */
  readonly limits?: Limits
  /** The names of hosts under which it is reached over HTTP, and of origins that may call it; default: those of this machine. */
  readonly hosts?: readonly string[]
  /** Who makes a request over HTTP; `undefined` refuses it. Default: everybody who reaches the server is one caller. */
  readonly authorize?: (request: Request) => McpCaller | undefined | Promise<McpCaller | undefined>
  /** At least 32 characters with which the state that clients carry is signed, for servers of several processes; default: made for this process. */
  readonly secret?: string
  /** Calls that are worked on at once; default 32. */
  readonly concurrency?: number
}

/** What the options must be. */
export const serveShape: Shape & Record<keyof ServeMcpOptions, Expected> = {
  name: expected.required(expected.name),
  version: expected.name,
  agents: expected.object,
  tools: expected.object,
  permissions: expected.object,
  journal: expected.required(expected.journal),
  limits: expected.object,
  hosts: expected.list(expected.name, 'a list of names of hosts'),
  authorize: expected.function,
  secret: { words: 'a text of at least 32 characters', fits: (value) => typeof value === 'string' && value.length >= 32 },
  concurrency: expected.whole(1),
}
