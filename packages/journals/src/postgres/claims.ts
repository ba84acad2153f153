/** Acquires and releases threads, many in one statement. */
import type { AcquireResult, Claim, Epoch, Head } from '@loom-agent/kernel'
import { type Instance, isGone } from '../storage/liveness.ts'
import { randomUUID } from '../storage/node-crypto.ts'
import type { Database } from './database.ts'
import type { Row, Value } from './driver.ts'
import { createGrouping } from './grouping.ts'
import { headIn, isHolderAlive, textOf } from './heads.ts'
import { claimVerdicts } from './lease-functions.ts'
import { arrayOf } from './sql-text.ts'

/** Acquires and releases threads for this journal object. */
export interface Claims {
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  release(thread: string, epoch: Epoch): Promise<Head | undefined>
}

/** A claim has its own id, so that the server recognizes it after a lost reply; `gone` is an instance that is known to be gone. */
type IdentifiedClaim = Readonly<{ thread: string; id: string; gone: string }> & Required<Claim>
type ThreadEpoch = Readonly<{ thread: string; epoch: Epoch }>

/** One statement at a time: two would wait for each other, because both write the row of this instance. */
const limits = { items: 512, atOnce: 1 }

/** Claims on the threads of a database. */
export function createClaims(database: Database): Claims {
  const { s, here } = database
  const statement = `select taken, at, holder, instance, host, pid, started, head from ${s}.acquire($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
  const acquire = createGrouping<IdentifiedClaim, Row>(limits, (claims) => {
    const column = (value: (claim: IdentifiedClaim) => Value): string => arrayOf(claims.map(value))
    const who = [column(({ thread }) => thread), column(({ worker }) => worker), column(({ incarnation }) => incarnation)]
    const how = [column(({ seen }) => seen), column(({ force }) => (force ? 1 : 0)), column(({ id }) => id), column(({ gone }) => gone)]
    return database.ask(statement, [...rowOf(here), ...who, ...how])
  })
  const release = createGrouping<ThreadEpoch, Row>(limits, (threads) => {
    const values = [arrayOf(threads.map(({ thread }) => thread)), arrayOf(threads.map(({ epoch }) => epoch))]
    return database.ask(`select head from ${s}.release($1, $2) head`, values)
  })
  return {
    async acquire(thread, { force = false, ...given }) {
      const claim = { thread, ...given, force, id: randomUUID(), gone: '' }
      const row = await acquire(claim)
      return resultOf(isHolderGone(row, here) ? await acquire({ ...claim, gone: String(row['instance']) }) : row)
    },
    async release(thread, epoch) {
      const row = (await release({ thread, epoch }))['head']
      return isRow(row) ? headIn(row, (holder) => isHolderAlive(holder, here)) : undefined
    },
  }
}

/** An instance as parameters for the functions of the database. */
export function rowOf({ id, host, pid, started }: Instance): readonly Value[] {
  return [id, host, pid, started]
}

function isHolderGone({ taken, host, pid, started }: Row, here: Instance): boolean {
  return taken === claimVerdicts.held && typeof host === 'string' && isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function resultOf({ taken, at, holder, head }: Row): AcquireResult {
  const epoch = Number(at)
  if (taken === claimVerdicts.fenced) return { kind: 'fenced', epoch }
  // The claimant is this object: its row may be written after the head was read.
  return isRow(head) ? { kind: 'acquired', epoch, head: headIn(head, () => true) } : { kind: 'held', epoch, holder: textOf(holder) }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
