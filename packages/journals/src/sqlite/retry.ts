/** Waits while another connection has the database: without blocking the process, and not forever. */
import { setTimeout as pause } from 'node:timers/promises'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'

/** How long a caller waits for other connections before it gets an error, in milliseconds. */
const retryTimeout = 30_000

/** How long to wait before the next try, in milliseconds: longer each time, and not the same for two callers. */
export function retryDelay(tries: number): number {
  return Math.min(50, 2 ** tries) * (0.5 + Math.random())
}

/** Whether a caller that has waited since then gives up. */
export function isTimedOut(since: number): boolean {
  return performance.now() - since >= retryTimeout
}

/** Does the work; tries again while another connection has the database. */
export async function retryWhileBusy<T>(path: string, work: () => T): Promise<T> {
  const since = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || isTimedOut(since)) throw sqliteFailure(error, path)
    }
    await pause(retryDelay(tries))
  }
}
