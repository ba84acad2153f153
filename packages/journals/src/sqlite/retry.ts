/** Waits while another connection has the database: without blocking the process, and not forever. */
import { setTimeout as pause } from 'node:timers/promises'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'
import type { Tables } from './tables.ts'

/** How long to wait before the next try, in milliseconds: longer each time, and not the same for two callers. */
export function retryDelay(tries: number): number {
  return Math.min(50, 2 ** tries) * (0.5 + Math.random())
}

/** Does the work; tries again while another connection has the database, for so many milliseconds. */
export async function retryWhileBusy<T>({ path, lockTimeout }: Pick<Tables, 'path' | 'lockTimeout'>, work: () => T): Promise<T> {
  const since = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() - since >= lockTimeout) throw sqliteFailure(error, path)
    }
    await pause(retryDelay(tries))
  }
}
