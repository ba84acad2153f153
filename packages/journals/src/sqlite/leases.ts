/** Leases on threads, and the heartbeat of the journal object that holds them (LIVE-3). */
import type { AcquireResult, Claim, Epoch, Head } from '@loom-agent/kernel'
import { createHeldThreads, type HeldThreads } from '../storage/held-threads.ts'
import { judgeClaim } from '../storage/judge-write.ts'
import { heartbeatTimeout } from '../storage/liveness.ts'
import type { Committer } from './committer.ts'
import { findHead, grownHeads, headOf, madeHead, publicHead, putDriver, startThread } from './heads.ts'
import type { HeadRow, Tables } from './tables.ts'

/** The threads that this journal object holds. */
export interface Leases {
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  release(thread: string, epoch: Epoch): Promise<Head | undefined>
  /** Another object holds the thread now, or none. Nothing changes when this object holds another epoch. */
  lost: HeldThreads['drop']
  /** Releases everything. An object that only read leaves no trace. */
  end(): Promise<void>
}

/** After how long a row without a heartbeat is deleted, in milliseconds: its holder has counted as gone for long. */
const sweepTimeout = 20 * heartbeatTimeout

/** The events name the driver too, so a power cut may take its row. */
const unflushed = { flush: false, bytes: 0 } as const

/** Leases of this journal object. */
export function createLeases(tables: Tables, committer: Committer): Leases {
  /** Whether there may be a row of this object. */
  let isKnown = false
  const held = createHeldThreads(() => {
    const done = (gone: readonly string[]): void => {
      for (const thread of gone) held.drop(thread)
    }
    return committer.submit({ ...unflushed, apply: () => renew(tables, held), done })
  })
  return {
    lost: held.drop,
    acquire(thread, claim) {
      isKnown = true
      const done = (result: AcquireResult): void => {
        if (result.kind === 'acquired') held.add(thread, result.epoch)
      }
      return committer.submit({ ...unflushed, apply: () => acquire(tables, thread, claim), done })
    },
    release(thread, epoch) {
      const change = { ...unflushed, apply: () => release(tables, thread, epoch), done: () => held.drop(thread, epoch) }
      return held.release(thread, () => committer.submit(change))
    },
    async end() {
      const last = held.all()
      if (!isKnown && grownHeads(tables).length === 0) return
      // What cannot be released now counts as released when the heartbeats stop.
      await committer.submit({ ...unflushed, apply: () => releaseAll(tables, last) }).catch(() => {})
      for (const [thread] of last) held.drop(thread)
    },
  }
}

function acquire(tables: Tables, thread: string, claim: Claim): AcquireResult {
  const { worker, incarnation, seen: epoch } = claim
  const refused = judgeClaim(findHead(tables, thread), claim)
  if (refused) return refused
  const head = madeHead(tables, thread, incarnation)
  if (head.end.seq === 0) startThread(tables, head, { incarnation, forkOf: undefined })
  putDriver(tables, head, { epoch: epoch + 1, worker, instance: tables.here.id })
  putHeartbeat(tables)
  return { kind: 'acquired', epoch: epoch + 1, head: publicHead(tables, head) }
}

function release(tables: Tables, thread: string, epoch: Epoch): Head | undefined {
  const head = leased(tables, thread, epoch)
  if (head) putDriver(tables, head, { epoch, worker: null, instance: null })
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
  return held.all().flatMap(([thread, epoch]) => (leased(tables, thread, epoch) ? [] : [thread]))
}

function releaseAll(tables: Tables, held: ReturnType<HeldThreads['all']>): void {
  for (const [thread, epoch] of held) release(tables, thread, epoch)
  for (const head of grownHeads(tables)) putDriver(tables, head, head)
  tables.run('delete from instances where id = ?', tables.here.id)
}

function putHeartbeat({ here, now, run }: Tables): void {
  const { id, host, pid, started } = here
  run('delete from instances where beat < ?', now() - sweepTimeout)
  const sql = 'insert into instances (id, host, pid, started, beat) values (?, ?, ?, ?, ?) on conflict (id) do update set beat = excluded.beat'
  run(sql, id, host, pid, started, now())
}
