/** Effects: what `decide` may ask of the world. */
import type { Draft } from './event.ts'
import type { HookPoint } from './hooks.ts'

/** A moment, and the event to record when it has come. */
export interface Until {
  readonly at: number
  readonly due: Draft
}

/** Wait: what is open is being performed by this driver. */
export interface Wait {
  readonly kind: 'wait'
  readonly until?: Until | undefined
}

/** Suspend: only others (a human, a time, a child) can move the thread on. The driver lets go of it. */
export interface Suspend {
  readonly kind: 'suspend'
  readonly reason: 'question' | 'paused' | 'waiting'
  readonly until?: Until | undefined
}

/** The calls that must be seen to. Those already in hand stay as they are; with nothing left to begin, `otherwise` holds. */
export interface CallTools {
  readonly kind: 'call-tools'
  readonly hooks: readonly HookPoint[]
  /** Calls to take through the stages before execution, in call order. */
  readonly authorize: readonly string[]
  /** Those of them, and of the ones that were cleared, lost or woken, that may execute now. */
  readonly execute: readonly string[]
  readonly otherwise: Wait | Suspend
}

/** The next thing to do. `hooks` are the points to pass before it is done. */
export type Effect =
  | { readonly kind: 'record'; readonly hooks: readonly HookPoint[]; readonly events: readonly Draft[] }
  | { readonly kind: 'assemble'; readonly hooks: readonly HookPoint[] }
  | { readonly kind: 'call-model'; readonly hooks: readonly HookPoint[]; readonly attempt: number; readonly notBefore?: number | undefined }
  | CallTools
  | { readonly kind: 'abort'; readonly reason: string }
  | Wait
  | Suspend
  | { readonly kind: 'rest' }
