/** Values that are there, or promised. */

/** Whether a value is something to wait for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Calls `next` with a value: at once when it is there, later when it is promised. */
export function chain<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then((settled) => next(settled)) : next(value)
}
