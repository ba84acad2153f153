/** Leases on threads, and the heartbeats of the journal object that holds them. */
import type { AcquireResult, Claim, Epoch, Head, LeaseId } from '@loom-agent/kernel'
import { createHeartbeat, type HeartbeatWork } from '../storage/heartbeat.ts'
import { createHeldThreads, type HeldThreads } from '../storage/held-threads.ts'
import { epochAfter, judgeClaim } from '../storage/judge-write.ts'
import type { Change, Committer } from './committer.ts'
import { findHead, grownHeads, headOf, madeHead, publicHead, putDriver, startThread } from './heads.ts'
import type { HeadRow, Tables } from './tables.ts'

/** The threads that this journal object holds. */
export interface Leases {
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  release(thread: string, lease: LeaseId): Promise<Head | undefined>
  /** Whether this object certainly holds the thread under this lease (JOURNAL-21). */
  isValid: HeldThreads['isValid']
  /** Another object holds the thread now, or none. Nothing changes when this object holds another lease on it. */
  lost: HeldThreads['drop']
  /** The change of a driver. It is a heartbeat too if the next one is overdue: then the lease is valid when the change is acknowledged. */
  renewing<T>(thread: string, change: Change<T>): Change<T>
  /** Releases everything. An object that only read leaves no trace. */
  end(): Promise<void>
}

/** How heartbeats are sent, apart from what a lease writes. */
export type LeaseOptions = Pick<HeartbeatWork, 'every' | 'stall' | 'standby' | 'now'>

/** The events name the driver too, so a power cut may take its row. */
const unflushed = { flush: false, bytes: 0 } as const

/** Leases of this journal object. */
export function createLeases(tables: Tables, committer: Committer, options: LeaseOptions): Leases {
  /** Whether there may be a row of this object. */
  let isKnown = false
  const send = (): Promise<unknown> => {
    const done = (gone: readonly string[]): void => {
      for (const thread of gone) held.drop(thread)
    }
    return committer.submit({ ...unflushed, apply: () => renew(tables, held), done })
  }
  // No other process can take a thread of a database that is not shared.
  const heartbeat = createHeartbeat({ ...options, send, timeout: tables.shared ? tables.leaseTimeout : Number.POSITIVE_INFINITY })
  const held = createHeldThreads(heartbeat)
  return {
    lost: held.drop,
    isValid: held.isValid,
    acquire(thread, claim) {
      isKnown = true
      let sent = 0
      const apply = (): AcquireResult => {
        sent = heartbeat.now()
        return acquire(tables, thread, claim)
      }
      const done = (result: AcquireResult): void => {
        if (result.kind !== 'acquired') return
        heartbeat.acknowledged(sent)
        held.add(thread, { epoch: result.epoch, incarnation: claim.incarnation })
      }
      return committer.submit({ ...unflushed, apply, done })
    },
    release(thread, lease) {
      const change = { ...unflushed, apply: () => release(tables, thread, lease), done: () => held.drop(thread, lease) }
      return held.release(thread, lease, () => committer.submit(change))
    },
    renewing(thread, change) {
      if (!held.has(thread) || !heartbeat.isOverdue()) return change
      let sent = 0
      const apply = (): ReturnType<typeof change.apply> => {
        sent = heartbeat.now()
        const result = change.apply()
        putHeartbeat(tables)
        return result
      }
      const done: typeof change.done = (result) => {
        heartbeat.acknowledged(sent)
        change.done?.(result)
      }
      return { ...change, apply, done }
    },
    async end() {
      await heartbeat.end()
      const last = held.all()
      if (!isKnown && grownHeads(tables).length === 0) return
      // What cannot be released now counts as released when the heartbeats stop.
      await committer.submit({ ...unflushed, apply: () => releaseAll(tables, last) }).catch(() => {})
      for (const [thread] of last) held.drop(thread)
    },
  }
}

function acquire(tables: Tables, thread: string, claim: Claim): AcquireResult {
  const { worker, incarnation } = claim
  const known = findHead(tables, thread)
  const refused = judgeClaim(known && { ...known, isQuarantined: known.summary.quarantined === true }, { ...claim, thread })
  if (refused) return refused
  const epoch = epochAfter(claim)
  const head = madeHead(tables, thread, incarnation)
  if (head.end.seq === 0) startThread(tables, head, { incarnation, forkOf: undefined })
  putDriver(tables, head, { epoch, worker, instance: tables.here.id })
  putHeartbeat(tables)
  return { kind: 'acquired', epoch, head: publicHead(tables, head) }
}

function release(tables: Tables, thread: string, { epoch, incarnation }: LeaseId): Head | undefined {
  const head = leased(tables, thread, epoch)
  if (head?.incarnation === incarnation) putDriver(tables, head, { epoch, worker: null, instance: null })
  return findHead(tables, thread)
}

/** The row of a thread that this object holds. Another object may hold a later thread of the same name under the same epoch. */
function leased(tables: Tables, thread: string, epoch: Epoch): HeadRow | undefined {
  const head = headOf(tables, thread)
  return head?.epoch === epoch && head.instance === tables.here.id ? head : undefined
}

/** Writes a heartbeat, and renews the anchors of threads that have grown; returns the threads that other objects have acquired. */
function renew(tables: Tables, held: HeldThreads): readonly string[] {
  putHeartbeat(tables)
  for (const head of grownHeads(tables)) putDriver(tables, head, head)
  return held.all().flatMap(([thread, { epoch }]) => (leased(tables, thread, epoch) ? [] : [thread]))
}

function releaseAll(tables: Tables, held: ReturnType<HeldThreads['all']>): void {
  for (const [thread, lease] of held) release(tables, thread, lease)
  for (const head of grownHeads(tables)) putDriver(tables, head, head)
  tables.run('delete from instances where id = ?', tables.here.id)
}

/** Writes a heartbeat, and deletes rows whose holders have counted as gone for long. */
function putHeartbeat({ here, now, uptime, leaseTimeout, run }: Tables): void {
  const { id, host, pid, started } = here
  const [time, up, sweep] = [now(), uptime(), 20 * leaseTimeout]
  run('delete from instances where beat < ? and (host <> ? or uptime is null or uptime < ?)', time - sweep, host, up - sweep)
  const columns = '(id, host, pid, started, beat, uptime) values (?, ?, ?, ?, ?, ?)'
  const sql = `insert into instances ${columns} on conflict (id) do update set beat = excluded.beat, uptime = excluded.uptime`
  run(sql, id, host, pid, started, time, up)
}
