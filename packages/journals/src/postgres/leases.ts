/** Leases on threads, and the heartbeats of the journal object that holds them. All times that others judge are those of the server. */
import { type AcquireResult, type Claim, type Head, type LeaseId, threadQuarantined } from '@loom-agent/kernel'
import { createHeartbeat } from '../storage/heartbeat.ts'
import { createHeldThreads, type HeldThreads } from '../storage/held-threads.ts'
import { heartbeatTimeout, isGone } from '../storage/liveness.ts'
import { randomUUID } from '../storage/node-crypto.ts'
import type { Database } from './database.ts'
import { isRow, type Row, type Value } from './driver.ts'
import { createGrouping } from './grouping.ts'
import { headIn, isHolderAlive } from './heads.ts'
import { claimVerdicts, recentHeartbeat } from './lease-functions.ts'
import { arrayOf } from './sql-text.ts'
import { standbyFor } from './standby.ts'

/** The threads that this journal object holds. */
export interface Leases {
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  release(thread: string, lease: LeaseId): Promise<Head | undefined>
  /** Whether this object certainly holds the thread under this lease (JOURNAL-21). */
  isValid: HeldThreads['isValid']
  /** Sends a heartbeat if the next one is overdue: a driver that appends has a valid lease afterwards. Undefined if none is needed. */
  renew(thread: string): Promise<unknown> | undefined
  /** Another object holds the thread now, or none. Nothing changes when this object holds another lease on it. */
  lost: HeldThreads['drop']
  holds(thread: string): boolean
  /** Sends a heartbeat that says that this object watches threads of other drivers. */
  listen(): Promise<void>
  /** Releases everything, as far as the server can be reached. */
  end(): Promise<void>
}

/** A claim has its own id, so that the server recognizes it after a lost reply; `gone` is an instance that is known to be gone, `copied` is -1 for a claim that is not of a copy. */
type IdentifiedClaim = Readonly<{ thread: string; id: string; gone: string; copied: number }> & Required<Omit<Claim, 'copied'>>

/** A lease, and the thread that it is on. */
type NamedLease = LeaseId & { readonly thread: string }

/** One statement at a time: two would wait for each other, because both write the row of this instance. */
const limits = { items: 512, atOnce: 1 }

/** Leases of this journal object on threads of a database. */
export function createLeases(database: Database): Leases {
  const { s, here, ask, run, config } = database
  const self: readonly Value[] = [here.id, here.host, here.pid, here.started]
  /** Whether there may be a row of this object. */
  let isKnown = false
  const sign = async (listening: 0 | 1): Promise<void> => {
    isKnown = true
    await run(`select ${s}.sign($1, $2, $3, $4, $5)`, [...self, listening])
  }
  const send = async (): Promise<void> => {
    await sign(0)
    const own = held.all()
    const names = arrayOf(own.map(([name]) => name))
    const rows = await run(`select t.name, t.epoch from ${s}.threads t where t.name = any($1::text[]) and t.instance = $2`, [names, here.id])
    const epochs = new Map(rows.map((row) => [row['name'], Number(row['epoch'])]))
    for (const [thread, lease] of own) if (epochs.get(thread) !== lease.epoch) held.drop(thread, lease)
  }
  const heartbeat = createHeartbeat({ ...config.heartbeat, send, timeout: heartbeatTimeout, standby: standbyFor(database) })
  const held = createHeldThreads(heartbeat)
  const claimAll = createGrouping<IdentifiedClaim, Row>(limits, (claims) => {
    const column = (value: (claim: IdentifiedClaim) => Value): string => arrayOf(claims.map(value))
    const who = [column(({ thread }) => thread), column(({ worker }) => worker), column(({ incarnation }) => incarnation)]
    const how = [column(({ seen }) => seen), column(({ force }) => (force ? 1 : 0)), column(({ id }) => id), column(({ gone }) => gone)]
    const copied = column((claim) => claim.copied)
    return ask(`select * from ${s}.acquire($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, [...self, ...who, ...how, copied])
  })
  const releaseAll = createReleases(database)
  return {
    lost: held.drop,
    holds: held.has,
    isValid: held.isValid,
    // A heartbeat that fails is no reason not to append: the epoch decides.
    renew: (thread) => (held.has(thread) && heartbeat.isOverdue() ? heartbeat.beat().catch(() => {}) : undefined),
    listen: () => sign(1),
    async acquire(thread, { force = false, copied = -1, ...given }) {
      const claim = { thread, ...given, force, copied, id: randomUUID(), gone: '' }
      // The server sends no heartbeat if the last one is recent.
      const sent = heartbeat.now() - recentHeartbeat
      const row = await claimAll(claim)
      const result = resultOf(thread, isHolderGone(row, database) ? await claimAll({ ...claim, gone: String(row['instance']) }) : row)
      if (result.kind === 'acquired') {
        isKnown = true
        heartbeat.acknowledged(sent)
        held.add(thread, { epoch: result.epoch, incarnation: claim.incarnation })
      }
      return result
    },
    async release(thread, lease) {
      const { head } = await held.release(thread, lease, async () => {
        const row = await releaseAll({ thread, epoch: lease.epoch, incarnation: lease.incarnation })
        held.drop(thread, lease)
        return row
      })
      return isRow(head) ? headIn(head, (holder) => isHolderAlive(holder, here)) : undefined
    },
    async end() {
      for (const [thread] of held.all()) held.drop(thread)
      await heartbeat.end()
      // Without its row this object holds nothing.
      if (isKnown) await run(`delete from ${s}.instances where id = $1`, [here.id]).catch(() => {})
    },
  }
}

/** Releases threads in groups; returns the row of each. */
function createReleases({ s, here, ask }: Database): (lease: NamedLease) => Promise<Row> {
  return createGrouping<NamedLease, Row>(limits, (leases) => {
    const column = (value: (lease: NamedLease) => Value): string => arrayOf(leases.map(value))
    const columns = [column(({ thread }) => thread), column(({ epoch }) => epoch), column(({ incarnation }) => incarnation)]
    return ask(`select head from ${s}.release($1, $2, $3, $4) head`, [here.id, ...columns])
  })
}

function isHolderGone({ taken, host, pid, started }: Row, { here }: Database): boolean {
  return taken === claimVerdicts.held && typeof host === 'string' && isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function resultOf(thread: string, { taken, at, holder, head }: Row): AcquireResult {
  const epoch = Number(at)
  if (taken === claimVerdicts.quarantined) throw threadQuarantined(thread)
  if (taken === claimVerdicts.fenced) return { kind: 'fenced', epoch }
  // The claimant is this object: its row may be written after the head was read.
  if (isRow(head)) return { kind: 'acquired', epoch, head: headIn(head, () => true) }
  return { kind: 'held', epoch, holder: typeof holder === 'string' ? holder : undefined }
}
