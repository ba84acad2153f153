/** A queue of waiting calls: first come first served, and an abort leaves no gap. */
import { abortedBy } from '@loom-agent/agent/kit'

/** A queue of waiting calls. */
export interface WaitQueue {
  /** Resolves when it is the caller's turn. Rejects with `LOOM_ABORTED` as soon as the signal aborts. */
  wait(signal: AbortSignal | undefined): Promise<void>
  /** Resolves the first waiting call, if there is one. */
  next(): void
  readonly length: number
}

interface Waiting {
  readonly resolve: () => void
}

/** An empty queue. */
export function createWaitQueue(): WaitQueue {
  const queue = new Set<Waiting>()
  return {
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortedBy(signal))
        const remove = (): void => {
          queue.delete(waiting)
          signal?.removeEventListener('abort', abort)
        }
        const abort = (): void => {
          remove()
          reject(abortedBy(signal))
        }
        const waiting: Waiting = {
          resolve: () => {
            remove()
            resolve()
          },
        }
        queue.add(waiting)
        signal?.addEventListener('abort', abort, { once: true })
      }),
    next() {
      for (const waiting of queue) return waiting.resolve()
    },
    get length() {
      return queue.size
    },
  }
}
