/** Values that are there, or promised. */

/** Does nothing. */
export const nothing = (): void => {}

/** Whether a value is something to wait for. Throws when that cannot be read. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && 'then' in value && typeof value.then === 'function'
}

/**
 * Waits for a promise of the platform, also for one of another class or realm; false when it is none. The platform makes the promise that follows by the
 * `constructor` of the given one, which may throw, lie or fail later: meanwhile it has one of the platform (USER-1). One that is frozen cannot get it.
 */
export function thenNatively(value: unknown, onValue: (value: unknown) => void, onError: (error: unknown) => void): boolean {
  const restore = value instanceof Promise ? shadowConstructor(value) : nothing
  try {
    void Promise.prototype.then.call(value as Promise<unknown>, onValue, onError)
    return true
  } catch {
    return false
  } finally {
    restore()
  }
}

/** Gives a promise the constructor of the platform, and returns what takes it away again. */
function shadowConstructor(promise: Promise<unknown>): () => void {
  const own = Object.getOwnPropertyDescriptor(promise, 'constructor')
  if (!Reflect.defineProperty(promise, 'constructor', { value: Promise, configurable: true })) return nothing
  return () => void (own ? Reflect.defineProperty(promise, 'constructor', own) : Reflect.deleteProperty(promise, 'constructor'))
}

/** Calls `next` with a value: at once when it is there, later when it is promised. */
export function chain<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then((settled) => next(settled)) : next(value)
}
