/**
 * The threads that this journal object holds, and its heartbeat.
 *
 * PG-8. There is a timer only while this object holds a thread, and it keeps no process alive. All times are the server's.
 */
import { beat } from '../storage/liveness.ts'
import { type Claims, createClaims, rowOf } from './claims.ts'
import type { Database } from './database.ts'
import { arrayOf } from './sql-text.ts'

/** The threads that this journal object holds. */
export interface Leases {
  acquire: Claims['take']
  release: Claims['leave']
  /** Another object has the thread, or none. */
  lost(thread: string, epoch?: number): void
  holds(thread: string): boolean
  /** Beats, and says that this object watches threads of others. */
  listen(): Promise<void>
  /** Leaves everything, as well as it can. */
  end(): Promise<void>
}

/** Holds threads in the name of this journal object. */
export function createLeases(database: Database): Leases {
  const { s, here } = database
  const claims = createClaims(database)
  const held = new Map<string, number>()
  /** Whether there may be a row of this object. */
  let isKnown = false
  let timer: NodeJS.Timeout | undefined
  const hold = (thread: string, epoch: number): void => {
    held.set(thread, epoch)
    isKnown = true
    // A heartbeat that fails is made up for by the next. If that is too late, the epoch keeps this driver from writing.
    timer ??= setInterval(() => void heartbeat().catch(() => {}), beat).unref()
  }
  const lost = (thread: string, epoch?: number): void => {
    if (epoch !== undefined && held.get(thread) !== epoch) return
    held.delete(thread)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const sign = async (listening: 0 | 1): Promise<void> => {
    isKnown = true
    await database.run(`select ${s}.sign($1, $2, $3, $4, $5)`, [...rowOf(here), listening])
  }
  const heartbeat = async (): Promise<void> => {
    await sign(0)
    const mine = [...held]
    const names = arrayOf(mine.map(([name]) => name))
    const rows = await database.run(`select t.name, t.epoch from ${s}.threads t where t.name = any($1::text[])`, [names])
    const epochs = new Map(rows.map((row) => [row['name'], Number(row['epoch'])]))
    for (const [thread, epoch] of mine) if (epochs.get(thread) !== epoch) lost(thread, epoch)
  }
  return {
    lost,
    holds: (thread) => held.has(thread),
    listen: () => sign(1),
    async acquire(thread, claim) {
      const result = await claims.take(thread, claim)
      if (result.kind === 'acquired') hold(thread, result.epoch)
      return result
    },
    async release(thread, epoch) {
      const head = await claims.leave(thread, epoch)
      lost(thread, epoch)
      return head
    },
    async end() {
      for (const [thread] of [...held]) lost(thread)
      // Without its row this object holds nothing.
      if (isKnown) await database.run(`delete from ${s}.instances where id = $1`, [here.id]).catch(() => {})
    },
  }
}
