/** Sleeping that an abort ends at once. */
import { type Clock, LoomError } from '@loom-agent/kernel'

/** What ends a sleep: the clock, or a signal before. */
export interface SleepOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

/** Sleeps until a moment. Rejects with `LOOM_ABORTED` as soon as the signal aborts; leaves no timer and no listener behind. */
export function sleepUntil(time: number, { clock, signal }: SleepOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortedBy(signal))
    const onAbort = (): void => {
      cancel()
      reject(abortedBy(signal))
    }
    const cancel = clock.at(time, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** The error of an aborted wait. */
export function abortedBy(signal: AbortSignal | undefined): LoomError {
  return new LoomError('LOOM_ABORTED', 'It was aborted while it waited. Nothing more is tried.', { cause: signal?.reason })
}
