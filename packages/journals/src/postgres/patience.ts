/** Waiting for a server that was there before: longer each time, and not for ever. */

/** How long to wait before the next try, in milliseconds: longer each time, and not for two the same. */
export function delayOf(tries: number): number {
  return Math.min(1000, 10 * 2 ** tries) * (0.5 + Math.random() / 2)
}

/** Counts the time that somebody has waited. */
export interface Patience {
  /** Whether it has waited long enough. */
  isOver(): boolean
}

/** Patience for a number of milliseconds. */
export function patienceOf(ms: number): Patience {
  const since = performance.now()
  return { isOver: () => performance.now() - since >= ms }
}
