/**
 * Hooks: the nine points of a turn at which code may look and change.
 *
 * A return value replaces, `undefined` leaves. Hooks chain in list order, each seeing what the one before made. What they changed is
 * journaled as a patch, so replay calls no hook. Until a later event is durable a hook may be called again: it must have no effects of its own.
 */
import type { Answer, Frame, Json, Limits, LoomEvent, Output, Part, ToolOutcome } from '@loom-agent/kernel'
import type { ModelSettings } from '../model/model.ts'
import type { ModelRequest } from '../model/request-patch.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { HookPoint } from './points.ts'

/** What every hook is given. */
export interface HookContext<Deps = unknown> {
  /** The id of the thread. */
  readonly thread: string
  /** The number of the turn. */
  readonly turn: number
  /** The thread as it is now. */
  readonly frame: Frame
  /** The dependencies of the run. */
  readonly deps: Deps
  /** What the run was given as `metadata`. */
  readonly metadata: { readonly [key: string]: unknown }
  /** Aborts when the run is to stop. */
  readonly signal: AbortSignal
  /** The answer, when this hook had suspended the run. */
  readonly answer: Answer | undefined
}

/** What may change between the parts of a turn: a message of the user's side, settings, limits. */
export interface RunPatch {
  /** A message that is added for the model. */
  readonly say?: string
  /** Settings of the next model calls. */
  readonly settings?: ModelSettings
  /** Limits of the run. */
  readonly limits?: Limits
}

/** What may change about the assembled context. Other instructions make a rebase. */
export interface ContextPatch extends RunPatch {
  /** The system text from now on. */
  readonly instructions?: string
}

/** A call about to be executed. */
export interface ProposedCall {
  /** Loom's own id of the call: `turn.index`. */
  readonly id: string
  /** The name of the tool. */
  readonly tool: string
  /** The arguments. */
  readonly input: Json
}

/** A call that has ended. */
export interface EndedCall extends ProposedCall {
  /** How it ended. */
  readonly status: ToolOutcome['status']
  /** What the model reads. */
  readonly output: Output
  /** The kind of error, where it is one. */
  readonly errorType?: string | undefined
  /** Milliseconds that it ran. */
  readonly ms?: number | undefined
}

/** Stops the run until there is an answer; the hook is then called once more, with the answer. Only `suspend()` makes one. */
export interface Suspended {
  readonly kind: 'suspend'
  readonly reason: string
}

/** Leaves a call out; the model sees why. Only `skip()` makes one. */
export interface Skipped {
  readonly kind: 'skip'
  readonly reason: string
}

/** Gives a call its result without running it. Only `answerWith()` makes one. */
export interface Answered {
  readonly kind: 'answer'
  readonly output: Output
}

const decision = Symbol.for('loom.decision')

/** Marks a decision of a hook. */
export function markDecision<D extends Suspended | Skipped | Answered>(made: D): D {
  return Object.assign(made, { [decision]: true })
}

/** Whether `suspend()`, `skip()` or `answerWith()` made a value (BAND-1). */
export function isDecision(value: unknown): value is Suspended | Skipped | Answered {
  return Object.hasOwn(Object(value) as object, decision)
}

/** Answers a call instead of running it, from `beforeToolExecution`: a cached result, a stand-in. */
export function answerWith(output: Output): Answered {
  return markDecision({ kind: 'answer', output })
}

/** Asks a human, from any hook, before the run goes on. */
export function suspend(reason: string): Suspended {
  return markDecision({ kind: 'suspend', reason })
}

/** Skips a call, from `beforeToolExecution`. */
export function skip(reason: string): Skipped {
  return markDecision({ kind: 'skip', reason })
}

/** What a hook may return. */
export type HookReturn<T> = T | Suspended | undefined | void | Promise<T | Suspended | undefined | void>

/** A hook: any of the nine methods, and `observe` for hooks that change nothing. */
export interface Hook<Deps = unknown> {
  /** Its name in events and errors. */
  readonly name?: string
  /** Before a turn is entered; may change the limits. */
  readonly beforeIterationStart?: (context: HookContext<Deps>) => HookReturn<RunPatch>
  /** Before the context is assembled. */
  readonly beforeContextAssembly?: (context: HookContext<Deps>) => HookReturn<RunPatch>
  /** After it; may change the instructions. */
  readonly afterContextAssembly?: (
    context: HookContext<Deps>,
    assembled: { readonly instructions: string; readonly tools: readonly string[] },
  ) => HookReturn<ContextPatch>
  /** Before a request is sent; may change it. */
  readonly beforeModelCall?: (context: HookContext<Deps>, request: ModelRequest) => HookReturn<Partial<ModelRequest>>
  /** After the reply; may replace its parts. */
  readonly afterModelReply?: (
    context: HookContext<Deps>,
    reply: { readonly parts: readonly Part[] },
  ) => HookReturn<{ readonly parts: readonly Part[] }>
  /** Before a call runs; may change its input, skip it, or answer in its place. */
  readonly beforeToolExecution?: (context: HookContext<Deps>, call: ProposedCall) => HookReturn<{ readonly input: Json } | Skipped | Answered>
  /** After a call ended; may replace its output. */
  readonly afterToolExecution?: (
    context: HookContext<Deps>,
    call: EndedCall,
  ) => HookReturn<{ readonly output: Output; readonly status?: ToolOutcome['status'] }>
  /** Before the next turn. */
  readonly beforeRecursion?: (context: HookContext<Deps>, next: { readonly turn: number }) => HookReturn<RunPatch>
  /** After a turn has ended. */
  readonly afterIterationEnd?: (context: HookContext<Deps>) => HookReturn<RunPatch>
  /** Called with the durable events of threads that the agent object has loaded, and the frame after their batch; cannot change anything. */
  readonly observe?: (event: LoomEvent, frame: Frame) => void
}

type HookMethod = (context: HookContext, subject?: unknown) => HookReturn<object>

/** For each point its hooks, in list order. */
export type HookTable = { readonly [P in HookPoint]?: readonly { readonly name: string; readonly index: number; readonly call: HookMethod }[] }

/** Refuses a method that looks like a point and is none, and a point that is no function: a guard that is never called guards nothing. */
function checkPoints(what: string, hook: Hook<never>, points: readonly HookPoint[]): void {
  const shape = Object.fromEntries([...points, 'observe'].map((point) => [point, expected.function]))
  const looksLikePoint = (key: string): boolean => /^(?:before|after)[A-Z_]/.test(key) || Object.hasOwn(shape, key)
  checkOptions(what, Object.fromEntries(Object.entries(hook).filter(([key]) => looksLikePoint(key))), shape)
}

/** Sorts hooks by point, so that a point without hooks costs one lookup. */
export function hookTable(hooks: readonly Hook<never>[], points: readonly HookPoint[]): HookTable {
  const table: { [P in HookPoint]?: { name: string; index: number; call: HookMethod }[] } = {}
  hooks.forEach((hook, index) => {
    checkPoints(`hooks[${index}]`, hook, points)
    for (const point of points) {
      const method = hook[point] as HookMethod | undefined
      if (method) table[point] = [...(table[point] ?? []), { name: hook.name ?? `hook ${index + 1}`, index, call: method.bind(hook) }]
    }
  })
  return table
}
