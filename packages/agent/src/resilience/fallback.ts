/** Falling back: a second function when the first fails. */

import { notify } from '../platform/call-user.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { mayRecover } from './recoverable.ts'

/** What `fallback` notifies its listener of. */
export type FallbackEvent =
  | {
      readonly type: 'attempt' | 'success'
      /** Which of the two ways. */
      readonly of: 'primary' | 'secondary'
    }
  | {
      readonly type: 'failed'
      /** Which of the two ways. */
      readonly of: 'primary' | 'secondary'
      /** What it threw. */
      readonly error: unknown
    }

/** When the second way is taken. */
export interface FallbackOptions {
  /** Only after errors that are not final (default). With `false`, after any error. */
  readonly recoverableOnly?: boolean
  /** Notified of each attempt and its outcome. */
  readonly onEvent?: (event: FallbackEvent) => void
}

/**
 * Calls the first function and, when it fails, the second, which gets the error. If both fail, the second error is thrown.
 *
 * @example
 * const answer = await fallback(() => ask(bigModel), () => ask(smallModel))
 */
export async function fallback<T, U = T>(
  primary: () => T | PromiseLike<T>,
  secondary: (error: unknown) => U | PromiseLike<U>,
  options: FallbackOptions = {},
): Promise<T | U> {
  const way = expected.required(expected.function)
  checkOptions('fallback', { primary, secondary }, { primary: way, secondary: way })
  checkOptions('fallback', options, { recoverableOnly: expected.flag, onEvent: expected.function })
  const { recoverableOnly = true, onEvent } = options
  const attempt = async <V>(of: 'primary' | 'secondary', way: () => V | PromiseLike<V>): Promise<V> => {
    notify(onEvent, { type: 'attempt', of })
    try {
      const value = await way()
      notify(onEvent, { type: 'success', of })
      return value
    } catch (error) {
      notify(onEvent, { type: 'failed', of, error })
      throw error
    }
  }
  try {
    return await attempt('primary', primary)
  } catch (error) {
    if (recoverableOnly && !mayRecover(error)) throw error
    return attempt('secondary', () => secondary(error))
  }
}
