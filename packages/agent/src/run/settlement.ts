/** The result of a run, once it has one; reopened when a waiting run is answered. */
import type { Result } from './result.ts'

/** A result that may be given, taken back by an answer, and given again. */
export interface Settlement {
  result(): Promise<Result<unknown>>
  /** Claims the right to give the result; false when somebody has it. */
  take(): boolean
  give(result: Result<unknown>): void
  fail(error: unknown): void
  isSettled(): boolean
  /** Resolves when the current result is given. */
  settled(): Promise<void>
  /** Takes a `waiting` result back; false when there is none to take back. */
  reopen(): boolean
}

/** A settlement without a result. */
export function createSettlement(): Settlement {
  let taken = false
  let final = false
  let current = Promise.withResolvers<Result<unknown>>()
  current.promise.catch(() => {})
  return {
    result: () => current.promise,
    take() {
      if (taken) return false
      taken = true
      return true
    },
    give(result) {
      final = result.status !== 'waiting'
      current.resolve(result)
    },
    fail(error) {
      taken = true
      final = true
      current.reject(error)
    },
    isSettled: () => taken,
    settled: () =>
      current.promise.then(
        () => {},
        () => {},
      ),
    reopen() {
      if (!taken || final) return false
      taken = false
      current = Promise.withResolvers()
      current.promise.catch(() => {})
      return true
    },
  }
}
