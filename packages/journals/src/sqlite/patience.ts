/** Waiting for others who have the database: never with the process standing still, and not for ever. */
import { setTimeout as pause } from 'node:timers/promises'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'

/** How long somebody waits for others before it is an error, in milliseconds. */
export const patience = 30_000

/** How long to wait before the next try, in milliseconds: longer each time, and not for two the same. */
export function delayOf(tries: number): number {
  return Math.min(50, 2 ** tries) * (0.5 + Math.random())
}

/** Whether somebody who began to wait then has waited long enough. */
export function isTooLate(since: number): boolean {
  return performance.now() - since >= patience
}

/** Does its work; waits while others have the database. */
export async function patiently<T>(path: string, work: () => T): Promise<T> {
  const since = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || isTooLate(since)) throw sqliteFailure(error, path)
    }
    await pause(delayOf(tries))
  }
}
