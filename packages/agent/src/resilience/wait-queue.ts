/** A queue of waiting calls: first come first served, and an abort leaves no gap. */
import { abortedBy } from './sleep.ts'

/** A queue of calls that wait for a `Value`; each says with a `Request` what it waits for. */
export interface WaitQueue<Request, Value> {
  /** Resolves when it is the caller's turn. Rejects with `LOOM_ABORTED` as soon as the signal aborts. */
  wait(request: Request, signal: AbortSignal | undefined): Promise<Value>
  /** What the first waiting call waits for; undefined when no call waits. */
  first(): Request | undefined
  /** What all waiting calls wait for, in their order. */
  requests(): readonly Request[]
  /** Resolves the first waiting call, if there is one. */
  next(value: Value): void
}

interface WaitingCall<Request, Value> {
  readonly request: Request
  readonly resolve: (value: Value) => void
}

/** An empty queue. */
export function createWaitQueue<Request, Value>(): WaitQueue<Request, Value> {
  const queue = new Set<WaitingCall<Request, Value>>()
  return {
    wait: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortedBy(signal))
        const remove = (): void => {
          queue.delete(call)
          signal?.removeEventListener('abort', abort)
        }
        const abort = (): void => {
          remove()
          reject(abortedBy(signal))
        }
        const call: WaitingCall<Request, Value> = {
          request,
          resolve: (value) => {
            remove()
            resolve(value)
          },
        }
        queue.add(call)
        signal?.addEventListener('abort', abort, { once: true })
      }),
    first: () => queue.values().next().value?.request,
    requests: () => [...queue].map(({ request }) => request),
    next(value) {
      queue.values().next().value?.resolve(value)
    },
  }
}
