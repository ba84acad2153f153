/** Taking threads and leaving them, many in one statement. */
import type { AcquireResult } from '@loom-agent/kernel'
import { type Instance, isGone } from '../liveness.ts'
import { randomUUID } from '../node-crypto.ts'
import { arrayOf } from './appending.ts'
import type { Database } from './database.ts'
import type { Row, Value } from './driver.ts'
import { createGrouping } from './grouping.ts'

/** Takes threads in the name of this journal object, and leaves them. */
export interface Claims {
  take(thread: string, claim: { worker: string; seen: number; force?: boolean }): Promise<AcquireResult>
  leave(thread: string, epoch: number): Promise<void>
}

/** A claim has an id of its own, so that it is known again after a lost answer; `gone` is an instance that is known to be gone. */
type Claim = Readonly<{ thread: string; worker: string; seen: number; force: boolean; id: string; gone: string }>
type Leaving = Readonly<{ thread: string; epoch: number }>

/** One statement at a time: two would wait for each other's row of this instance. */
const limits = { items: 512, atOnce: 1 }

/** Claims on the threads of a database. */
export function createClaims(database: Database): Claims {
  const { s, here } = database
  const statement = `select taken, at, holder, instance, host, pid, started from ${s}.acquire($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
  const ask = createGrouping<Claim, Row>(limits, (claims) => {
    const column = (value: (claim: Claim) => Value): string => arrayOf(claims.map(value))
    const who = [column(({ thread }) => thread), column(({ worker }) => worker), column(({ seen }) => seen), column(({ force }) => (force ? 1 : 0))]
    return database.ask(statement, [...rowOf(here), ...who, column(({ id }) => id), column(({ gone }) => gone)])
  })
  const release = createGrouping<Leaving, undefined>(limits, async (threads) => {
    const values = [arrayOf(threads.map(({ thread }) => thread)), arrayOf(threads.map(({ epoch }) => epoch))]
    await database.ask(`select ${s}.release($1, $2)`, values)
    return []
  })
  return {
    async take(thread, { worker, seen, force = false }) {
      const claim = { thread, worker, seen, force, id: randomUUID(), gone: '' }
      const row = await ask(claim)
      return resultOf(isHeldByTheDead(row, here) ? await ask({ ...claim, gone: String(row['instance']) }) : row)
    },
    leave: (thread, epoch) => release({ thread, epoch }),
  }
}

/** An instance as the functions of the database want it. */
export function rowOf({ id, host, pid, started }: Instance): readonly Value[] {
  return [id, host, pid, started]
}

function isHeldByTheDead({ taken, host, pid, started }: Row, here: Instance): boolean {
  return taken === 0 && typeof host === 'string' && isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function resultOf({ taken, at, holder }: Row): AcquireResult {
  return { kind: taken === 1 ? 'acquired' : 'held', epoch: Number(at), holder: typeof holder === 'string' ? holder : undefined }
}
