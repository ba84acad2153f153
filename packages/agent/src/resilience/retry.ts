/** Retrying: calling a function again after a while. */
import type { Clock } from '@loom-agent/kernel'
import { notify } from '../platform/call-user.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { type Random, systemClock } from '../platform/ports.ts'
import { mayRecover } from './recoverable.ts'
import { retryAfterOf } from './retry-after.ts'
import { abortedBy, sleepUntil } from './sleep.ts'

/** What happens while something is retried. */
export type RetryEvent =
  | {
      readonly type: 'attempt' | 'success'
      /** The number of the attempt, from 1. */
      readonly attempt: number
    }
  | {
      readonly type: 'failed'
      /** The number of the attempt, from 1. */
      readonly attempt: number
      /** What it threw. */
      readonly error: unknown
      /** Milliseconds before the next attempt; without it this was the last. */
      readonly retryIn?: number
    }

/** How something is retried. */
export interface RetryOptions {
  /** Attempts in all; default 3. */
  readonly attempts?: number
  /** Milliseconds before the second attempt; default 1,000. */
  readonly delay?: number
  /** What each further delay is multiplied by; default 2. */
  readonly factor?: number
  /** The longest wait in milliseconds; default 60,000. An error that asks for a longer one is final: an earlier attempt would fail. */
  readonly cap?: number
  /** The part of a delay that is left to chance, from 0 (default: none) to 1 (all of it). A wait that was asked for is kept. */
  readonly jitter?: number
  /** Milliseconds that an error asks to wait; default: what its Retry-After says. */
  readonly retryAfter?: (error: unknown) => number | null | undefined
  /** Whether to try again; default: unless the error is final (an abort, a refusal, a code that says never). */
  readonly shouldRetry?: (error: unknown, attempt: number) => boolean | Promise<boolean>
  /** Called before each wait. */
  readonly onRetry?: (error: unknown, next: { readonly attempt: number; readonly delay: number }) => void
  /** Notified of each attempt and its outcome. */
  readonly onEvent?: (event: RetryEvent) => void
  /** Ends a wait at once. */
  readonly signal?: AbortSignal
  /** Replaces the platform's clock. */
  readonly clock?: Clock
  /** Replaces `Math.random` for `jitter`. */
  readonly random?: Random
}

const shape: Shape & Record<keyof RetryOptions, Expected> = {
  attempts: expected.number(1),
  delay: expected.number(0),
  factor: expected.number(1),
  cap: expected.number(0),
  jitter: expected.number(0, 1),
  retryAfter: expected.function,
  shouldRetry: expected.function,
  onRetry: expected.function,
  onEvent: expected.function,
  signal: expected.signal,
  clock: expected.clock,
  random: expected.function,
}

/**
 * Calls a function until it succeeds: three times, after one second and after two, or when the error says to. The last error is thrown as it is.
 *
 * @example
 * const page = await retry(() => fetchPage(url), { attempts: 5, signal })
 */
export async function retry<T>(fn: (attempt: number) => T | PromiseLike<T>, options: RetryOptions = {}): Promise<T> {
  checkOptions('retry', { fn }, { fn: expected.required(expected.function) })
  checkOptions('retry', options, shape)
  const { clock = systemClock, signal, onEvent, onRetry } = options
  for (let attempt = 1; ; attempt += 1) {
    if (signal?.aborted) throw abortedBy(signal)
    notify(onEvent, { type: 'attempt', attempt })
    try {
      const value = await fn(attempt)
      notify(onEvent, { type: 'success', attempt })
      return value
    } catch (error) {
      const wait = await waitAfter(error, attempt, { ...options, clock })
      notify(onEvent, { type: 'failed', attempt, error, ...(wait !== undefined && { retryIn: wait }) })
      if (wait === undefined) throw error
      notify((next: { attempt: number; delay: number }) => onRetry?.(error, next), { attempt: attempt + 1, delay: wait })
      await sleepUntil(clock.now() + wait, { clock, signal })
    }
  }
}

/** Milliseconds until the next attempt; undefined when there is none. */
async function waitAfter(error: unknown, attempt: number, options: RetryOptions & { clock: Clock }): Promise<number | undefined> {
  const { attempts = 3, cap = 60_000, signal, shouldRetry = mayRecover, clock } = options
  if (attempt >= attempts || signal?.aborted || !(await shouldRetry(error, attempt))) return undefined
  const { retryAfter = (thrown: unknown) => retryAfterOf(thrown, clock.now()) } = options
  const asked = retryAfter(error)
  if (typeof asked !== 'number' || !(asked >= 0)) return backOff(attempt, options)
  return asked <= cap ? asked : undefined
}

function backOff(attempt: number, { delay = 1000, factor = 2, cap = 60_000, jitter = 0, random = Math.random }: RetryOptions): number {
  const growth = Math.min(factor ** (attempt - 1), Number.MAX_VALUE)
  return Math.round(Math.min(cap, delay * growth) * (1 - jitter * random()))
}
