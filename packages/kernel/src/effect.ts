/** Effects: what `decide` may ask of the world. */
import type { Draft } from './event.ts'

/**
 * The name of a lifecycle point of a turn.
 *
 * EFFECT-1. Replay calls no hooks: the patch that `hook.applied` stores is the fact. A patch holds what changes, never the whole.
 */
export type HookPoint =
  | `before${'IterationStart' | 'ContextAssembly' | 'ModelCall' | 'ToolExecution' | 'Recursion'}`
  | `after${'ContextAssembly' | 'ModelReply' | 'ToolExecution' | 'IterationEnd'}`

/** A moment in milliseconds since 1970, and the event to record when it has come. */
export type Until = { readonly at: number; readonly due: Draft }
/** Wait: what is open is being performed by this driver. */
export type Wait = { readonly kind: 'wait'; readonly until?: Until | undefined }
/** Suspend: only a human, a time or a child can move the thread on. The driver releases it. */
export type Suspend = { readonly kind: 'suspend'; readonly reason: 'question' | 'paused' | 'waiting'; readonly until?: Until | undefined }
/** The points to pass before an effect is performed. */
type Hooked = { readonly hooks: readonly HookPoint[] }

/** The calls that need work. Those in flight stay as they are. */
export type CallTools = Hooked & {
  readonly kind: 'call-tools'
  /** Calls to take through the stages before execution, in call order. */
  readonly authorize: readonly string[]
  /** Those of them, and of the ones that were cleared, lost or woken, that may execute now. */
  readonly execute: readonly string[]
  /** The effect when none of the calls can be started. */
  readonly otherwise: Wait | Suspend
}

/** The next thing to do. Attempts are counted from 1 in a turn; `notBefore` is in milliseconds since 1970. */
export type Effect =
  | (Hooked & { readonly kind: 'record'; readonly events: readonly Draft[] })
  | (Hooked & { readonly kind: 'assemble' })
  | (Hooked & { readonly kind: 'call-model'; readonly attempt: number; readonly notBefore?: number | undefined })
  | CallTools
  | { readonly kind: 'abort'; readonly reason: string }
  | Wait
  | Suspend
  | { readonly kind: 'rest' }
