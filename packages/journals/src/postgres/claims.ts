/** Taking threads and leaving them, many in one statement. */

import type { AcquireResult, Claim, Head } from '@loom-agent/kernel'
import { type Instance, isGone } from '../storage/liveness.ts'
import { randomUUID } from '../storage/node-crypto.ts'
import type { Database } from './database.ts'
import type { Row, Value } from './driver.ts'
import { createGrouping } from './grouping.ts'
import { headIn, lives, textOf } from './heads.ts'
import { claimVerdicts } from './lease-functions.ts'
import { arrayOf } from './sql-text.ts'

/** Takes threads in the name of this journal object, and leaves them. */
export interface Claims {
  take(thread: string, claim: Claim): Promise<AcquireResult>
  leave(thread: string, epoch: number): Promise<Head | undefined>
}

/** A claim has an id of its own, so that it is known again after a lost reply; `gone` is an instance that is known to be gone. */
type Taking = Readonly<{ thread: string; id: string; gone: string }> & Required<Claim>
type Leaving = Readonly<{ thread: string; epoch: number }>

/** One statement at a time: two would wait for each other's row of this instance. */
const limits = { items: 512, atOnce: 1 }

/** Claims on the threads of a database. */
export function createClaims(database: Database): Claims {
  const { s, here } = database
  const statement = `select taken, at, holder, instance, host, pid, started, head from ${s}.acquire($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
  const acquire = createGrouping<Taking, Row>(limits, (claims) => {
    const column = (value: (claim: Taking) => Value): string => arrayOf(claims.map(value))
    const who = [column(({ thread }) => thread), column(({ worker }) => worker), column(({ incarnation }) => incarnation)]
    const how = [column(({ seen }) => seen), column(({ force }) => (force ? 1 : 0)), column(({ id }) => id), column(({ gone }) => gone)]
    return database.ask(statement, [...rowOf(here), ...who, ...how])
  })
  const release = createGrouping<Leaving, Row>(limits, (threads) => {
    const values = [arrayOf(threads.map(({ thread }) => thread)), arrayOf(threads.map(({ epoch }) => epoch))]
    return database.ask(`select head from ${s}.release($1, $2) head`, values)
  })
  return {
    async take(thread, { force = false, ...claim }) {
      const taking = { thread, ...claim, force, id: randomUUID(), gone: '' }
      const row = await acquire(taking)
      return resultOf(isHeldByTheDead(row, here) ? await acquire({ ...taking, gone: String(row['instance']) }) : row)
    },
    async leave(thread, epoch) {
      const row = (await release({ thread, epoch }))['head']
      return isRow(row) ? headIn(row, (holder) => lives(holder, here)) : undefined
    },
  }
}

/** An instance as the functions of the database want it. */
export function rowOf({ id, host, pid, started }: Instance): readonly Value[] {
  return [id, host, pid, started]
}

function isHeldByTheDead({ taken, host, pid, started }: Row, here: Instance): boolean {
  return taken === claimVerdicts.held && typeof host === 'string' && isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function resultOf({ taken, at, holder, head }: Row): AcquireResult {
  const epoch = Number(at)
  if (taken === claimVerdicts.fenced) return { kind: 'fenced', epoch }
  // The claimant lives: its row may be written after the head was read.
  return isRow(head) ? { kind: 'acquired', epoch, head: headIn(head, () => true) } : { kind: 'held', epoch, holder: textOf(holder) }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
