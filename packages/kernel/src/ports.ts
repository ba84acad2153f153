/** Ports: everything impure that the kernel needs, as interfaces. */
import type { Effect } from './effect.ts'
import type { Draft } from './event.ts'
import type { Frame } from './frame.ts'

/** Time. */
export interface Clock {
  now(): number
  /** Calls back at or after a moment; the answer cancels it. */
  at(time: number, ring: () => void): () => void
}

/** Makes ids that are never made twice. */
export type Ids = () => string
/** A number in [0, 1). */
export type Random = () => number
/** A digest of a text that nobody can forge. */
export type Hash = (text: string) => string

/** Where performers put what they did and what they are about to do. */
export interface Desk {
  /** The frame with everything that was put on the desk, durable or not. */
  readonly frame: Frame
  /**
   * Puts events on the desk. Resolves true when they are durable, false when they were dropped.
   *
   * What has happened is kept when a visitor wrote in between; what was only intended is dropped, because `decide` may now say otherwise.
   */
  append(drafts: readonly Draft[], how: 'happened' | 'intended'): Promise<boolean>
  /** Puts events on the desk whose fate nobody waits for. */
  put(drafts: readonly Draft[], how: 'happened' | 'intended'): void
  /** Whether nothing can be put on the desk any more: the driver was fenced, has failed or has let go. */
  isClosed(): boolean
  /** Ends the driver: something that it stands on has failed, and no event can tell. */
  fail(error: unknown): void
  /** Says that a performer has something new to say of an effect, though no event tells. */
  ring(): void
}

/**
 * Performs effects. Must not throw: what goes wrong is an event. Must not begin an effect that waits for its intent before `append` resolved true.
 */
export interface Performer {
  /** Sees to an effect: `begun` (something is new), `busy` (it is in hand already), `settled` (there is nothing to do about it). */
  perform(effect: Effect, desk: Desk): 'begun' | 'busy' | 'settled'
  /** Gives up what is in hand; what it did must still be put on the desk. */
  abort(reason: string): void
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>
}
