/** The result of a run, once it has one; reopened when a waiting run is answered. */
import type { Result } from '../types/result.ts'

/** A result that may be given, taken back by an answer, and given again. */
export interface Settlement {
  /** Resolves with the current result. */
  result(): Promise<Result<unknown>>
  /** Claims the right to give the result; undefined when it is claimed already. */
  take(): object | undefined
  /** Gives the result; false when the claim has lapsed because the run was moved on meanwhile. */
  give(claim: object, result: Result<unknown>): boolean
  /** Rejects the result for good. */
  fail(error: unknown): void
  /** Whether the result that is given is that of a run that waits: others may move it on. */
  isWaiting(): boolean
  /** Whether the result is given or claimed. */
  isSettled(): boolean
  /** Calls the listener when a result is given. Returns the function that removes it: what waits in a loop must leave nothing at a lasting promise. */
  onSettled(listener: () => void): () => void
  /** Takes a `waiting` result back, given or claimed; false when there is none to take back. */
  reopen(): boolean
}

/** A settlement without a result. */
export function createSettlement(): Settlement {
  let taken: object | undefined
  let given = false
  let final = false
  let current = Promise.withResolvers<Result<unknown>>()
  const listeners = new Set<() => void>()
  current.promise.catch(() => {})
  return {
    result: () => current.promise,
    take() {
      if (taken) return undefined
      taken = {}
      return taken
    },
    give(claim, result) {
      if (claim !== taken || given) return false
      given = true
      final = result.status !== 'waiting'
      current.resolve(result)
      for (const listener of listeners) listener()
      return true
    },
    fail(error) {
      taken = {}
      given = true
      final = true
      current.reject(error)
      for (const listener of listeners) listener()
    },
    isWaiting: () => given && !final,
    isSettled: () => taken !== undefined,
    onSettled(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reopen() {
      if (!taken || final) return false
      taken = undefined
      // A caller that waits for a result that was only claimed waits for the next one.
      if (given) current = Promise.withResolvers()
      given = false
      current.promise.catch(() => {})
      return true
    },
  }
}
