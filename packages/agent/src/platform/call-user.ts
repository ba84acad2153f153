/**
 * Calling code of users: the one way in. Callbacks, hooks, rules, schemas, strategies, tools and models are called through one of these functions.
 *
 * USER-1. What comes back is a value or a promise of the platform. A thenable becomes such a promise, whatever it does: its `then` may throw when it is
 *     read or called, call both back, be asynchronous and fail, or resolve with another thenable.
 * USER-2. Nothing that code of a user throws or rejects with is an unhandled rejection, as long as the caller awaits what comes back. What was thrown can
 *     be read: what cannot is replaced by an error that says so.
 * USER-3. Who only listens is not waited for, and cannot break what it listens to.
 *     The same holds for promises inside of what comes back: where such a value is refused, or its fields are read at another time, nobody waits for them.
 * USER-4. Where a value is needed at once, a promise of one is a mistake of the code: it is ignored, and the call has thrown.
 */
import { isThenable, nothing, thenNatively } from './chain.ts'

/** Calls code of a user. Throws what it throws; a promise has to be awaited at once. */
export function callUser<T>(call: () => T): Awaited<T> | Promise<Awaited<T>> {
  try {
    const returned = enterUser(call)
    return returned instanceof Promise ? returned.then(withoutLost, throwReadable) : withoutLost(returned)
  } catch (error) {
    throw readable(error)
  }
}

/** A value whose promises need not be awaited: that one rejects is known where it is waited for. */
function withoutLost<T>(value: T): T {
  if (typeof value === 'object' && value !== null) ignoreWithin(value)
  return value
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

/** What was thrown, or an error in its place where reading it throws. */
export function readable(thrown: unknown): unknown {
  // A text has as many fields as characters, and bytes have as many as there are: neither has one that throws.
  if (typeof thrown !== 'object' && typeof thrown !== 'function') return thrown
  if (ArrayBuffer.isView(thrown)) return thrown
  try {
    const { name, message, stack, cause, code } = Object(thrown) as Error & { readonly code?: unknown }
    void [thrown instanceof Error, name, message, stack, cause, code, Object.values(Object(thrown))]
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
    ignoreWithin(listener?.(event))
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

/** How many parts of a structure are looked at for promises. */
const mostSearched = 1000

/** Ignores what the promises in a structure reject with, where nobody waits for them: it is refused, or a listener returned it. Calls no getter. */
export function ignoreWithin(unawaited: unknown): void {
  const seen = new Set([unawaited])
  for (const value of seen) {
    ignore(value)
    if (typeof value !== 'object' || value === null) continue
    try {
      for (const key of Reflect.ownKeys(value)) {
        if (seen.size >= mostSearched) break
        seen.add(Object.getOwnPropertyDescriptor(value, key)?.value)
      }
    } catch {
      // It cannot be read, and so nobody finds a promise in it.
    }
  }
}

/** What a promise with properties of its own may have in another form than it seems: waiting for it reads them. */
const ownMethods = ['then', 'catch', 'finally', 'constructor'] as const

/** Whether a promise is one of the platform, with its methods. */
function isPlatforms(given: PromiseLike<unknown>): given is Promise<unknown> {
  if (Object.getPrototypeOf(given) !== Promise.prototype) return false
  for (const name of ownMethods) if (Object.hasOwn(given, name)) return false
  return true
}

/** A promise of the platform as it is, and of anything else a promise of the platform. How that is made is loaded on use: few return anything else. */
function promiseOf(given: PromiseLike<unknown>): Promise<unknown> {
  if (isPlatforms(given)) return given
  thenNatively(given, nothing, nothing)
  return import('./adopt-thenable.ts').then(({ adopted }) => adopted(given))
}
