/** Effects: what `decide` may ask of the world. */
import type { Draft } from './event.ts'

/** A moment in milliseconds since 1970, and the event to record when it has come. */
export type Until = { readonly at: number; readonly due: Draft }
/** Wait: what is open is being performed by this driver. */
export type Wait = { readonly kind: 'wait'; readonly until?: Until | undefined }
/** Suspend: only a human, a time or a child can move the thread on. The driver releases it. */
export type Suspend = { readonly kind: 'suspend'; readonly reason: 'question' | 'paused' | 'waiting'; readonly until?: Until | undefined }
/** What a run has used of a limit that it has reached. */
export type Reached = Readonly<{ limit: 'turns' | 'calls' | 'tokens' | 'cost' | 'time'; used: number; max: number }>
/** Why a run stops that nobody asked to stop: a limit, a call that repeats, or a last reply that is not whole. */
export type StopCause = (Reached & { readonly kind: 'limit' | 'budget' }) | Readonly<{ kind: 'loop'; used: number } | { kind: 'length' | 'filtered' }>

/** The calls that need work. Those in flight stay as they are. */
export type CallTools = {
  readonly kind: 'call-tools'
  /** Calls to take through the stages before execution, in call order. */
  readonly authorize: readonly string[]
  /** Those of them, and of the ones that were cleared, lost or woken, that may execute now. */
  readonly execute: readonly string[]
  /** The effect when none of the calls can be started. */
  readonly otherwise: Wait | Suspend
}

/**
 * The next thing to do. Attempts are counted from 1 in a turn; `notBefore` is in milliseconds since 1970. What is asked, and
 * why the run stops, the performer records in words.
 */
export type Effect =
  | { readonly kind: 'record'; readonly events: readonly Draft[] }
  | { readonly kind: 'assemble' }
  | { readonly kind: 'call-model'; readonly attempt: number; readonly notBefore?: number | undefined }
  | CallTools
  | { readonly kind: 'ask'; readonly about: Reached | 'parked' }
  | { readonly kind: 'stop'; readonly cause: StopCause }
  | { readonly kind: 'abort'; readonly reason: string }
  | Wait
  | Suspend
  | { readonly kind: 'rest' }
