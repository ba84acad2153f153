/** Promises of what is none: a thenable, or a promise of another class or with methods of its own (USER-1). Loaded on use. */
import { isThenable, nothing, thenNatively } from './chain.ts'

/** How often a thenable may resolve with another one. */
const deepest = 100

/** A promise that settles as a thenable does. */
export function adopted(given: PromiseLike<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => adopt(given, { resolve, reject, depth: 0 }))
}

interface Adopting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly depth: number
}

/** Only the first call of either function counts, as for any promise. */
function adopt(given: PromiseLike<unknown>, { resolve, reject, depth }: Adopting): void {
  const settle = (value: unknown): void => {
    try {
      if (!isThenable(value)) resolve(value)
      else if (depth < deepest) adopt(value, { resolve, reject, depth: depth + 1 })
      else throw new Error(`it resolved with a thenable ${deepest} times`)
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
