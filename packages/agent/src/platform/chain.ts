/** Values that are there, or promised. */

/** Does nothing. */
export const nothing = (): void => {}

/** Whether a value is something to wait for. Throws when that cannot be read. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && 'then' in value && typeof value.then === 'function'
}

/** Waits for a promise of the platform, also for one of another class or realm; false when it is none. */
export function thenNatively(value: unknown, onValue: (value: unknown) => void, onError: (error: unknown) => void): boolean {
  try {
    void Promise.prototype.then.call(value as Promise<unknown>, onValue, onError)
    return true
  } catch {
    return false
  }
}

/** Calls `next` with a value: at once when it is there, later when it is promised. */
export function chain<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then((settled) => next(settled)) : next(value)
}
