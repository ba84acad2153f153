/** Leases on threads, and the heartbeat of the journal object that holds them (LIVE-3). All times are those of the server. */
import { createHeldThreads, type HeldThreads } from '../storage/held-threads.ts'
import { type Claims, createClaims, rowOf } from './claims.ts'
import type { Database } from './database.ts'
import { arrayOf } from './sql-text.ts'

/** The threads that this journal object holds. */
export interface Leases extends Claims {
  /** Another object holds the thread now, or none. Nothing changes when this object holds another epoch. */
  lost: HeldThreads['drop']
  holds(thread: string): boolean
  /** Sends a heartbeat that says that this object watches threads of other drivers. */
  listen(): Promise<void>
  /** Releases everything, as far as the server can be reached. */
  end(): Promise<void>
}

/** Leases of this journal object. */
export function createLeases(database: Database): Leases {
  const { s, here } = database
  const claims = createClaims(database)
  /** Whether there may be a row of this object. */
  let isKnown = false
  const sign = async (listening: 0 | 1): Promise<void> => {
    isKnown = true
    await database.run(`select ${s}.sign($1, $2, $3, $4, $5)`, [...rowOf(here), listening])
  }
  const held = createHeldThreads(async () => {
    await sign(0)
    const own = held.all()
    const names = arrayOf(own.map(([name]) => name))
    const rows = await database.run(`select t.name, t.epoch from ${s}.threads t where t.name = any($1::text[])`, [names])
    const epochs = new Map(rows.map((row) => [row['name'], Number(row['epoch'])]))
    for (const [thread, epoch] of own) if (epochs.get(thread) !== epoch) held.drop(thread, epoch)
  })
  return {
    lost: held.drop,
    holds: held.has,
    listen: () => sign(1),
    async acquire(thread, claim) {
      const result = await claims.acquire(thread, claim)
      if (result.kind === 'acquired') {
        isKnown = true
        held.add(thread, result.epoch)
      }
      return result
    },
    async release(thread, epoch) {
      const head = await claims.release(thread, epoch)
      held.drop(thread, epoch)
      return head
    },
    async end() {
      for (const [thread] of held.all()) held.drop(thread)
      // Without its row this object holds nothing.
      if (isKnown) await database.run(`delete from ${s}.instances where id = $1`, [here.id]).catch(() => {})
    },
  }
}
