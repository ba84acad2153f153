/** Retries while a server is gone that was there before: with a longer pause each time, and not for ever. */

/** How long to wait before the next try, in milliseconds: longer each time, and not the same for two writers. */
export function retryDelay(tries: number): number {
  return Math.min(1000, 10 * 2 ** tries) * (0.5 + Math.random() / 2)
}

/** A time after which nothing is tried again. */
export interface Deadline {
  hasPassed(): boolean
}

/** The deadline in this many milliseconds. */
export function deadlineIn(ms: number): Deadline {
  const since = performance.now()
  return { hasPassed: () => performance.now() - since >= ms }
}
