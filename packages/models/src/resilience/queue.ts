/** Waiting in line: whoever came first goes first, and whoever gives up leaves no gap. */
import { abortedBy } from '@loom-agent/agent/kit'

/** A line of those who wait. */
export interface Line {
  /** Waits for its turn. Rejects with `LOOM_ABORTED` as soon as the signal aborts. */
  wait(signal: AbortSignal | undefined): Promise<void>
  /** Lets the first one go on. */
  call(): void
  readonly length: number
}

interface Waiting {
  readonly go: () => void
}

/** An empty line. */
export function createLine(): Line {
  const line = new Set<Waiting>()
  return {
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortedBy(signal))
        const leave = (): void => {
          line.delete(waiting)
          signal?.removeEventListener('abort', giveUp)
        }
        const giveUp = (): void => {
          leave()
          reject(abortedBy(signal))
        }
        const waiting: Waiting = {
          go: () => {
            leave()
            resolve()
          },
        }
        line.add(waiting)
        signal?.addEventListener('abort', giveUp, { once: true })
      }),
    call() {
      for (const waiting of line) return waiting.go()
    },
    get length() {
      return line.size
    },
  }
}
