/**
 * Taking threads and leaving them, and the sign of life of whoever has one.
 *
 * PG-8. There is a timer only while this object holds a thread, and it keeps no process alive. All times are the server's.
 */
import { beat } from '../liveness.ts'
import { arrayOf } from './appending.ts'
import { type Claims, createClaims, rowOf } from './claims.ts'
import type { Database } from './database.ts'

/** The threads that this journal object holds. */
export interface Holding {
  acquire: Claims['take']
  release(thread: string, epoch: number): Promise<void>
  /** Somebody else has the thread, or nobody. */
  lost(thread: string, epoch?: number): void
  holds(thread: string): boolean
  /** Gives a sign of life, and says that this object watches threads of others. */
  listen(): Promise<void>
  /** Leaves everything, as well as it can. */
  end(): Promise<void>
}

/** Holds threads in the name of this journal object. */
export function createHolding(database: Database): Holding {
  const { s, here } = database
  const claims = createClaims(database)
  const held = new Map<string, number>()
  let signed = false
  let timer: NodeJS.Timeout | undefined
  const hold = (thread: string, epoch: number): void => {
    held.set(thread, epoch)
    signed = true
    // A sign of life that cannot be given is given at the next beat; too late, and the epoch keeps this driver from writing.
    timer ??= setInterval(() => void live().catch(() => {}), beat).unref()
  }
  const lost = (thread: string, epoch?: number): void => {
    if (epoch !== undefined && held.get(thread) !== epoch) return
    held.delete(thread)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const sign = async (listening: 0 | 1): Promise<void> => {
    signed = true
    await database.run(`select ${s}.sign($1, $2, $3, $4, $5)`, [...rowOf(here), listening])
  }
  const live = async (): Promise<void> => {
    await sign(0)
    const mine = [...held]
    const rows = await database.run(`select t.name, t.epoch from ${s}.threads t where t.name = any($1::text[])`, [
      arrayOf(mine.map(([name]) => name)),
    ])
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
      await claims.leave(thread, epoch)
      lost(thread, epoch)
    },
    async end() {
      for (const [thread] of [...held]) lost(thread)
      // Without its row nobody holds anything.
      if (signed) await database.run(`delete from ${s}.instances where id = $1`, [here.id]).catch(() => {})
    },
  }
}
