/** Ports: everything impure that the kernel needs, as interfaces. */
import type { Effect } from './effect.ts'
import type { Draft } from './event.ts'
import type { Frame } from './frame.ts'

/** Time. */
export interface Clock {
  /** Milliseconds since 1970. Within a process it does not go back. */
  now(): number
  /** Calls back at or after a moment; the returned function cancels it. */
  at(time: number, callback: () => void): () => void
}

/** What performers did and are about to do, until it is durable. */
export interface Outbox {
  /** The frame with everything in the outbox, durable or not. */
  readonly frame: Frame
  /**
   * Adds events. Resolves true when they are durable, false when they were dropped.
   *
   * What has happened is kept when a contributor wrote in between; what was only intended is dropped, because `decide` may now return something else.
   */
  append(drafts: readonly Draft[], how: 'happened' | 'intended'): Promise<boolean>
  /** The same without a promise: `notify` is called with the outcome, and must not throw. */
  put(drafts: readonly Draft[], how: 'happened' | 'intended', notify?: (durable: boolean) => void): void
  /** Whether nothing can be added any more: the driver was fenced, has failed or has released the thread. */
  isClosed(): boolean
  /** Ends the driver as if it had been fenced: its lease may have expired, and another driver may have the thread. */
  fence(): void
  /** Ends the driver: something it depends on has failed, and no event can record it. */
  fail(error: unknown): void
  /** Makes the driver ask `decide` and the performer again, though there is no new event. */
  wake(): void
}

/**
 * Performs effects. Must not throw: what goes wrong is an event. Must not start an effect that waits for its intent before `append` resolved true.
 */
export interface Performer {
  /** Performs an effect: `begun` (something is new), `busy` (it is in flight already), `settled` (there is nothing to do). */
  perform(effect: Effect): 'begun' | 'busy' | 'settled'
  /** Aborts what is in flight; its results must still be added to the outbox. */
  abort(reason: string): void
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>
}
