/** Values that are there, or promised. */

/** Calls `next` with a value: at once when it is there, later when it is promised. */
export function chain<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then((settled) => next(settled)) : next(value)
}
