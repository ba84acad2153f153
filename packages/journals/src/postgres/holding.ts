/**
 * Taking threads and leaving them, and the sign of life of whoever has one.
 *
 * P8. There is a timer only while this object holds a thread, and it keeps no process alive. All times are the server's.
 */
import { randomUUID } from 'node:crypto'
import type { AcquireResult } from '@loom-agent/kernel'
import { beat, isGone } from '../liveness.ts'
import { arrayOf } from './appending.ts'
import type { Database } from './database.ts'
import type { Row, Value } from './driver.ts'
import { createGrouping } from './grouping.ts'

/** The threads that this journal object holds. */
export interface Holding {
  acquire(thread: string, claim: { worker: string; seen: number; force?: boolean }): Promise<AcquireResult>
  release(thread: string, epoch: number): Promise<void>
  /** Somebody else has the thread, or nobody. */
  lost(thread: string, epoch?: number): void
  holds(thread: string): boolean
  /** Gives a sign of life, and says that this object watches threads of others. */
  listen(): Promise<void>
  /** Leaves everything, as well as it can. */
  end(): Promise<void>
}

/** A claim has an id of its own, so that it is known again after a lost answer; `gone` is an instance that is known to be gone. */
type Claim = Readonly<{ thread: string; worker: string; seen: number; force: boolean; id: string; gone: string }>
type Leaving = Readonly<{ thread: string; epoch: number }>

/** Holds threads in the name of this journal object. */
export function createHolding(database: Database): Holding {
  const { s, here } = database
  const me: readonly Value[] = [here.id, here.host, here.pid, here.started]
  const take = createGrouping<Claim, Row>((claims) => {
    const column = (value: (claim: Claim) => Value): string => arrayOf(claims.map(value))
    const who = [column(({ thread }) => thread), column(({ worker }) => worker), column(({ seen }) => seen), column(({ force }) => (force ? 1 : 0))]
    return database.ask(acquireStatement(s), [...me, ...who, column(({ id }) => id), column(({ gone }) => gone)])
  })
  const leave = createGrouping<Leaving, undefined>(async (threads) => {
    const values = [arrayOf(threads.map(({ thread }) => thread)), arrayOf(threads.map(({ epoch }) => epoch))]
    await database.ask(`select ${s}.release($1, $2)`, values)
    return []
  })
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
    await database.run(`select ${s}.sign($1, $2, $3, $4, $5)`, [...me, listening])
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
    async acquire(thread, { worker, seen, force = false }) {
      const claim = { thread, worker, seen, force, id: randomUUID(), gone: '' }
      let row = await take(claim)
      if (isHeldByTheDead(row, database)) row = await take({ ...claim, gone: String(row['instance']) })
      const result = resultOf(row)
      if (result.kind === 'acquired') hold(thread, result.epoch)
      return result
    },
    async release(thread, epoch) {
      await leave({ thread, epoch })
      lost(thread, epoch)
    },
    async end() {
      for (const [thread] of [...held]) lost(thread)
      // Without its row nobody holds anything.
      if (signed) await database.run(`delete from ${s}.instances where id = $1`, [here.id]).catch(() => {})
    },
  }
}

const acquireStatement = (s: string): string =>
  `select taken, at, holder, instance, host, pid, started from ${s}.acquire($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

function isHeldByTheDead({ taken, host, pid, started }: Row, { here }: Database): boolean {
  return taken === 0 && typeof host === 'string' && isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function resultOf({ taken, at, holder }: Row): AcquireResult {
  return { kind: taken === 1 ? 'acquired' : 'held', epoch: Number(at), holder: typeof holder === 'string' ? holder : undefined }
}
