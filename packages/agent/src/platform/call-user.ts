/**
 * Calling code of users: the one way in. Callbacks, hooks, rules, schemas, strategies, tools and models are called through one of these functions.
 *
 * USER-1. What comes back is a value or a promise of the platform. A thenable becomes such a promise, whatever it does: its `then` may throw when it is
 *     read or called, call both back, be asynchronous and fail, or resolve with another thenable.
 * USER-2. Nothing that code of a user throws or rejects with is an unhandled rejection, as long as the caller awaits what comes back. What was thrown can
 *     be read: what cannot is replaced by an error that says so.
 * USER-3. Who only listens is not waited for, and cannot break what it listens to.
 * USER-4. Where a value is needed at once, a promise of one is a mistake of the code: it is ignored, and the call has thrown.
 */

/** How often a thenable may resolve with another one. */
const deepestThenable = 100

/** Calls code of a user. Throws what it throws; a promise has to be awaited at once. */
export function callUser<T>(call: () => T): Awaited<T> | Promise<Awaited<T>> {
  try {
    const returned = enterUser(call)
    return returned instanceof Promise ? returned.catch(throwReadable) : returned
  } catch (error) {
    throw readable(error)
  }
}

/** The same for what every turn does, such as tools and models: no promise is added, and the caller makes what it catches `readable`. */
export function enterUser<T>(call: () => T): Awaited<T> | Promise<Awaited<T>> {
  const returned: unknown = call()
  return (isThenable(returned) ? promiseOf(returned) : returned) as Awaited<T> | Promise<Awaited<T>>
}

/** Calls code of a user whose value is needed at once (USER-4). */
export function callUserNow<T>(call: () => T): T {
  const returned = callUser(call)
  if (!(returned instanceof Promise)) return returned
  ignore(returned)
  throw new Error('it returned a promise, and its value is needed at once')
}

/** What errors are judged by, whatever they are. */
const readOfErrors = ['name', 'message', 'stack', 'cause', 'code', 'context', 'status', 'statusCode', 'isRetryable', 'responseHeaders'] as const

/** What was thrown, or an error in its place where reading it throws. */
export function readable(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return thrown
  try {
    void (thrown instanceof Error)
    for (const key of [...readOfErrors, ...Object.keys(thrown)]) void (thrown as { readonly [key: string]: unknown })[key]
    return thrown
  } catch {
    return new Error('an error that cannot be read')
  }
}

const throwReadable = (error: unknown): never => {
  throw readable(error)
}

/** Calls a listener, and ignores what it throws or rejects with (USER-3). */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    ignore(listener?.(event))
  } catch {
    // A listener that fails must not turn a success into a failure.
  }
}

/** A promise that code of a user need not await: that it rejects is known otherwise. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(nothing)
  return promise
}

/** Ignores what a value that may be a promise rejects with. */
export function ignore(value: unknown): void {
  try {
    if (isThenable(value)) promiseOf(value).catch(nothing)
  } catch {
    // Its `then` cannot even be read.
  }
}

/** Whether a value is something to wait for. Throws when that cannot be read. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && 'then' in value && typeof value.then === 'function'
}

const nothing = (): void => {}

/** A promise of the platform as it is, and of anything else a promise of the platform. */
function promiseOf(given: PromiseLike<unknown>): Promise<unknown> {
  // A promise with properties of its own may have other methods than it seems.
  if (Object.getPrototypeOf(given) === Promise.prototype && Object.getOwnPropertyNames(given).length === 0) return given as Promise<unknown>
  return new Promise((resolve, reject) => adopt(given, { resolve, reject, depth: 0 }))
}

interface Adopting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly depth: number
}

/** Settles as a thenable does. Only the first call of either function counts, as for any promise. */
function adopt(given: PromiseLike<unknown>, { resolve, reject, depth }: Adopting): void {
  const settle = (value: unknown): void => {
    try {
      if (!isThenable(value)) resolve(value)
      else if (depth < deepestThenable) adopt(value, { resolve, reject, depth: depth + 1 })
      else throw new Error(`it resolved with a thenable ${deepestThenable} times`)
    } catch (error) {
      reject(error)
    }
  }
  // A promise of the platform settles as it does, whatever methods it was given.
  if (thenNatively(given, settle, reject)) return
  try {
    // An asynchronous `then` fails in the promise that it returns.
    thenNatively(given.then(settle, reject), nothing, reject)
  } catch (error) {
    reject(error)
  }
}

/** Waits for a promise of the platform, also for one of another class or realm; false when it is none. */
function thenNatively(value: unknown, onValue: (value: unknown) => void, onError: (error: unknown) => void): boolean {
  try {
    void Promise.prototype.then.call(value as Promise<unknown>, onValue, onError)
    return true
  } catch {
    return false
  }
}
