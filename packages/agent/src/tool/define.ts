/** Tools, as users define them. */

import { type EffectClass, LoomError } from '@loom-agent/kernel'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type CallMatcher, type CallPart, type ErasedMatcher, isMatcher } from '../permission/matcher.ts'
import { type AdmittedCall, isVerdict, type LeastVerdict, type Verdict } from '../permission/policy.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { shown } from '../platform/normalize.ts'
import { checkToolOptions } from '../platform/options.ts'
import type { AnswerTo, AskOptions } from '../types/answer.ts'
import type { AnyAgent } from '../types/any-agent.ts'
import { effectClass, isChecked } from '../types/effect-class.ts'
import type { ChildResult } from '../types/result.ts'
import { type Infer, isSchema, type Recorded, type Schema } from '../types/schema.ts'
import type { Received, WaitOptions } from '../types/wait.ts'
import { type ToolTaint, taintShape } from './taint.ts'

/** What a tool's body is given besides its input. */
export interface ToolContext<Deps = unknown> {
  /** The id of the thread. */
  readonly thread: string
  /** Loom's own id of the call: turn.index. */
  readonly call: string
  /** Stable over retries and restarts of this call, and of no other: give it to a service that can recognise a repeated request. */
  readonly key: string
  /** Aborts when the call is to end. */
  readonly signal: AbortSignal
  /** The dependencies of the run. */
  readonly deps: Deps
  /** Emits progress to viewers; nothing of it is kept. */
  progress(data: unknown): void
}

/** Says of a value what guards leave of it; throws where they withhold it. */
type LookAtRecord = <V>(value: V) => Promise<V>

/** What the body of a durable tool is given besides: work that may outlast the process. */
export interface DurableContext<Deps = unknown> extends ToolContext<Deps> {
  /**
   * Runs a function once and remembers its result under the name; the body gets the record, at once and when it is entered again. The guards of the agent
   * look at it before it is stored: with `guarded: false` at nothing, for data that must come back as it was, such as ids; a function hands what they look
   * at to `look`, and returns the record.
   */
  step<T>(
    name: string,
    run: (step: { readonly key: string; readonly signal: AbortSignal }) => T | Promise<T>,
    options?: { effect?: EffectClass; guarded?: false | ((value: Recorded<T>, look: LookAtRecord) => Recorded<T> | Promise<Recorded<T>>) },
  ): Promise<Recorded<T>>
  /** Asks a human. Neither throws nor settles before there is an answer. */
  ask<S extends Schema = Schema>(prompt: string, options?: AskOptions<S>): Promise<AnswerTo<S>>
  /** Runs an agent as a child of this call. It gets the metadata of this run, and its dependencies unless it has its own. */
  run<Output>(agent: AnyAgent<Output, Deps>, input: string, options?: { name?: string }): Promise<ChildResult<Output>>
  /** Sleeps for milliseconds, without needing a process. */
  sleep(ms: number): Promise<void>
  /** Waits for a signal of this name, without needing a process: `signal(journal, thread, name, value)` sends it. */
  waitFor<S extends Schema = Schema>(name: string, options?: WaitOptions<S>): Promise<Received<S>>
}

/** When and beside what a call may run. */
export interface Schedule<Input> {
  /** May run beside other calls; default: only `pure` and `read` tools do. */
  readonly parallel?: boolean
  /** Calls with the same key never run at once. */
  readonly lock?: string | ((input: Input) => string)
  /** Milliseconds; default 120,000. */
  readonly timeout?: number
  /** Higher goes first among calls that wait for a place; default 0. */
  readonly priority?: number
}

/** What a check found out about a call whose performer was lost. */
export type Checked =
  | {
      readonly status: 'done'
      /** What the call would have returned. */
      readonly result: unknown
    }
  | { readonly status: 'not-done' }
  | { readonly status: 'unknown' }

/** What a tool's own verdict may look at. */
export interface PermissionContext<Deps = unknown> {
  /** The id of the thread. */
  readonly thread: string
  /** The dependencies of the run. */
  readonly deps: Deps
  /** The calls that the run and its children have made so far, without this one. */
  readonly calls: Iterable<AdmittedCall>
}

/** What `tool()` takes. */
export interface ToolDefinition<S extends Schema, Deps, D extends boolean> {
  /** The name that the model calls it by; default: its key in a record of tools. */
  readonly name?: string
  /** Another name by which rules may name it, such as `mcp:server/tool`: any text without `*`, brackets and spaces. */
  readonly ruleName?: string
  /** What approvals are bound to besides its name, its schema and its effect, where what it does is decided elsewhere. */
  readonly version?: string
  /** What the model reads about it. */
  readonly description?: string
  /** The schema of its arguments; default: any object. */
  readonly input?: S
  /** What may be done when the outcome is not known; default `unsafe`: never run twice. A function says it of one call, by its arguments. */
  readonly effect?: EffectClass | ((input: Infer<S>) => EffectClass)
  /** The body may wait and is entered again from its first line; code outside steps must have no effects. */
  readonly durable?: D
  /** Its own verdict, where no rule of the policy matches, or the least that a call meets; default `allow`. */
  readonly permission?: Verdict | ((input: Infer<S>, context: PermissionContext<Deps>) => Verdict | LeastVerdict | Promise<Verdict | LeastVerdict>)
  /** How rules such as `bash(git log *)` name what its calls ask for; default: they can match its arguments only. */
  readonly matcher?: CallMatcher<Infer<S>, CallPart>
  /** What its calls bring into their thread, and whether they send something out of it; default: neither. */
  readonly taint?: ToolTaint<Infer<S>>
  /** Whether it can be used now; default `true`. With `false` the model is not shown it. A function is asked at each call: one that returns `false` refuses that call. */
  readonly available?: boolean | ((context: { readonly thread: string; readonly deps: Deps }) => boolean)
  /** For `reconcilable` tools: whether the call with this key happened. */
  check?(key: string, context: ToolContext<Deps>): Checked | Promise<Checked>
  /** When and beside what it may run. */
  readonly schedule?: Schedule<Infer<S>>
  /** Does the work. A generator's yields are progress, its return value is the result. */
  run(input: Infer<S>, context: D extends true ? DurableContext<Deps> : ToolContext<Deps>): unknown
}

/** A tool that an agent can be given. */
export interface Tool<Deps = unknown> {
  readonly kind: 'tool'
  /** The name that the model calls it by. */
  readonly name: string
  /** Only a type: what the tool needs of the agent's dependencies. */
  readonly needs?: (deps: Deps) => void
}

/** A definition without its type parameters. */
export interface ErasedDefinition
  extends Omit<ToolDefinition<Schema, unknown, boolean>, 'run' | 'effect' | 'permission' | 'matcher' | 'taint' | 'schedule' | 'check' | 'available'> {
  /** What may be done when the outcome is not known. */
  readonly effect?: EffectClass | ((input: unknown) => EffectClass)
  /** Its own verdict, where no rule of the policy matches, or the least that a call meets; default `allow`. */
  readonly permission?: Verdict | ((input: unknown, context: PermissionContext<unknown>) => Verdict | LeastVerdict | Promise<Verdict | LeastVerdict>)
  /** How rules name what its calls ask for. */
  readonly matcher?: ErasedMatcher
  /** What its calls bring into their thread, and whether they send something out of it; default: neither. */
  readonly taint?: ToolTaint<unknown>
  /** Whether it can be used now; default `true`. */
  readonly available?: boolean | ((context: { readonly thread: string; readonly deps: unknown }) => boolean)
  /** When and beside what it may run. */
  readonly schedule?: Schedule<unknown>
  /** For `reconcilable` tools: whether the call with this key happened. */
  readonly check?: (key: string, context: ToolContext) => Checked | Promise<Checked>
  /** Does the work. */
  readonly run: (input: unknown, context: DurableContext) => unknown
}

/** The schema of a tool without input. */
export type NoInput = StandardSchemaV1<unknown, Record<string, never>>

const definitionShape: Shape & Record<keyof ErasedDefinition, Expected> = {
  name: expected.anything,
  ruleName: { words: 'a name without *, brackets and spaces', fits: (value) => typeof value === 'string' && /^[^\s*()]{1,256}$/.test(value) },
  version: expected.name,
  description: expected.text,
  input: { words: 'a Standard Schema (zod, valibot, ...) or jsonSchema(...)', fits: isSchema },
  effect: expected.either(effectClass, expected.function),
  durable: expected.flag,
  permission: expected.either({ words: 'allow, ask, deny', fits: isVerdict }, expected.function),
  matcher: { words: 'a matcher: { parts(input), compile(pattern), kinds? }', fits: isMatcher },
  taint: taintShape,
  available: expected.either(expected.flag, expected.function),
  check: expected.function,
  schedule: expected.options({
    parallel: expected.flag,
    lock: expected.either(expected.text, expected.function),
    timeout: expected.number(1),
    priority: expected.number(),
  }),
  run: expected.required(expected.function),
}

/** A function that defines tools for the given dependencies. */
export type DefineTool<Deps> = <S extends Schema = NoInput, const D extends boolean = false>(definition: ToolDefinition<S, Deps, D>) => Tool<Deps>

/**
 * Defines a tool. Without an argument it returns a `tool` whose `ctx.deps` has the given type.
 *
 * @example
 * const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
 */
export function tool<Deps>(): DefineTool<Deps>
export function tool<S extends Schema = NoInput, const D extends boolean = false, Deps = unknown>(definition: ToolDefinition<S, Deps, D>): Tool<Deps>
export function tool(definition?: object): unknown {
  return definition === undefined ? tool : defineTool(definition as ErasedDefinition)
}

function defineTool(definition: ErasedDefinition): Tool {
  const what = typeof definition?.name === 'string' ? `tool ${definition.name}` : 'tool()'
  checkToolOptions(what, definition, definitionShape)
  if (definition.name !== undefined) checkToolName(definition.name)
  if (isChecked(definition.effect) && !definition.check)
    throw new LoomError('LOOM_TOOL_INVALID', `${what}: a reconcilable tool needs check(key).`, { context: { what } })
  return redefineTool({ kind: 'tool', name: definition.name ?? '' }, definition)
}

/** Providers accept these names and no others. */
export function checkToolName(name: string): void {
  if (typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name)) return
  const rule = 'Use letters, digits, _ and -, at most 64, beginning with a letter or _.'
  throw new LoomError('LOOM_TOOL_NAME_INVALID', `${shown(name)} cannot be the name of a tool. ${rule}`, { context: { name: shown(name) } })
}

/** A tool as Loom itself sees it: with its definition, which is no part of the public type. */
interface DefinedTool<Deps> extends Tool<Deps> {
  readonly definition: ErasedDefinition
}

/** The definition of a tool. */
export function toolDefinitionOf(given: Tool<never>): ErasedDefinition {
  return (given as DefinedTool<never>).definition
}

/** The tool with another definition. */
export function redefineTool<Deps>(given: Tool<Deps>, definition: ErasedDefinition): Tool<Deps> {
  return { ...given, definition } as DefinedTool<Deps>
}

/** Whether a value is a tool: it has a body, which no JSON can carry (BAND-1). */
export function isTool(value: unknown): value is Tool {
  return typeof (value as Partial<DefinedTool<unknown>> | undefined)?.definition?.run === 'function'
}
