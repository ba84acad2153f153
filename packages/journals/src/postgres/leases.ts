/** Leases on threads, and the heartbeat of the journal object that holds them (LIVE-3). All times are those of the server. */
import type { AcquireResult, Claim, Epoch, Head } from '@loom-agent/kernel'
import { createHeldThreads, type HeldThreads } from '../storage/held-threads.ts'
import { isGone } from '../storage/liveness.ts'
import { randomUUID } from '../storage/node-crypto.ts'
import type { Database } from './database.ts'
import type { Row, Value } from './driver.ts'
import { createGrouping } from './grouping.ts'
import { headIn, isHolderAlive } from './heads.ts'
import { claimVerdicts } from './lease-functions.ts'
import { arrayOf } from './sql-text.ts'

/** The threads that this journal object holds. */
export interface Leases {
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  release(thread: string, epoch: Epoch): Promise<Head | undefined>
  /** Another object holds the thread now, or none. Nothing changes when this object holds another epoch. */
  lost: HeldThreads['drop']
  holds(thread: string): boolean
  /** Sends a heartbeat that says that this object watches threads of other drivers. */
  listen(): Promise<void>
  /** Releases everything, as far as the server can be reached. */
  end(): Promise<void>
}

/** A claim has its own id, so that the server recognizes it after a lost reply; `gone` is an instance that is known to be gone. */
type IdentifiedClaim = Readonly<{ thread: string; id: string; gone: string }> & Required<Claim>

/** One statement at a time: two would wait for each other, because both write the row of this instance. */
const limits = { items: 512, atOnce: 1 }

/** Leases of this journal object on threads of a database. */
export function createLeases(database: Database): Leases {
  const { s, here, ask, run } = database
  const self: readonly Value[] = [here.id, here.host, here.pid, here.started]
  /** Whether there may be a row of this object. */
  let isKnown = false
  const sign = async (listening: 0 | 1): Promise<void> => {
    isKnown = true
    await run(`select ${s}.sign($1, $2, $3, $4, $5)`, [...self, listening])
  }
  const held = createHeldThreads(async () => {
    await sign(0)
    const own = held.all()
    const names = arrayOf(own.map(([name]) => name))
    const rows = await run(`select t.name, t.epoch from ${s}.threads t where t.name = any($1::text[]) and t.instance = $2`, [names, here.id])
    const epochs = new Map(rows.map((row) => [row['name'], Number(row['epoch'])]))
    for (const [thread, epoch] of own) if (epochs.get(thread) !== epoch) held.drop(thread, epoch)
  })
  const claimAll = createGrouping<IdentifiedClaim, Row>(limits, (claims) => {
    const column = (value: (claim: IdentifiedClaim) => Value): string => arrayOf(claims.map(value))
    const who = [column(({ thread }) => thread), column(({ worker }) => worker), column(({ incarnation }) => incarnation)]
    const how = [column(({ seen }) => seen), column(({ force }) => (force ? 1 : 0)), column(({ id }) => id), column(({ gone }) => gone)]
    return ask(`select * from ${s}.acquire($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, [...self, ...who, ...how])
  })
  const releaseAll = createGrouping<{ readonly thread: string; readonly epoch: Epoch }, Row>(limits, (threads) => {
    const columns = [arrayOf(threads.map(({ thread }) => thread)), arrayOf(threads.map(({ epoch }) => epoch))]
    return ask(`select head from ${s}.release($1, $2, $3) head`, [here.id, ...columns])
  })
  return {
    lost: held.drop,
    holds: held.has,
    listen: () => sign(1),
    async acquire(thread, { force = false, ...given }) {
      const claim = { thread, ...given, force, id: randomUUID(), gone: '' }
      const row = await claimAll(claim)
      const result = resultOf(isHolderGone(row, database) ? await claimAll({ ...claim, gone: String(row['instance']) }) : row)
      if (result.kind === 'acquired') {
        isKnown = true
        held.add(thread, result.epoch)
      }
      return result
    },
    async release(thread, epoch) {
      const { head } = await held.release(thread, async () => {
        const row = await releaseAll({ thread, epoch })
        held.drop(thread, epoch)
        return row
      })
      return isRow(head) ? headIn(head, (holder) => isHolderAlive(holder, here)) : undefined
    },
    async end() {
      for (const [thread] of held.all()) held.drop(thread)
      // Without its row this object holds nothing.
      if (isKnown) await run(`delete from ${s}.instances where id = $1`, [here.id]).catch(() => {})
    },
  }
}

function isHolderGone({ taken, host, pid, started }: Row, { here }: Database): boolean {
  return taken === claimVerdicts.held && typeof host === 'string' && isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function resultOf({ taken, at, holder, head }: Row): AcquireResult {
  const epoch = Number(at)
  if (taken === claimVerdicts.fenced) return { kind: 'fenced', epoch }
  // The claimant is this object: its row may be written after the head was read.
  if (isRow(head)) return { kind: 'acquired', epoch, head: headIn(head, () => true) }
  return { kind: 'held', epoch, holder: typeof holder === 'string' ? holder : undefined }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
