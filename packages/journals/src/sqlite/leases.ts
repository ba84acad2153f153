/**
 * Leases on threads, and the heartbeat of the journal object that holds them.
 *
 * SQLITE-4. There is a timer only while this object holds a thread, and it keeps no process alive.
 */
import type { AcquireResult, Claim, Head } from '@loom-agent/kernel'
import { beat, expiry } from '../storage/liveness.ts'
import type { Committer } from './committer.ts'
import { grownHeads, headOf, madeHead, putDriver } from './heads.ts'
import { findHead, publicHead } from './public-heads.ts'
import type { Tables } from './tables.ts'

/** The threads that this journal object holds. */
export interface Leases {
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  release(thread: string, epoch: number): Promise<Head | undefined>
  /** The thread went to another holder, or to none. Nothing changes when another epoch is held. */
  lost(thread: string, epoch?: number): void
  /** Releases everything. An object that only read leaves no trace. */
  end(): Promise<void>
}

/** After how long a row without a heartbeat is deleted, in milliseconds: its holder has counted as gone long since. */
const swept = 20 * expiry

/** Who drives is known from the events too: a power cut may take it. */
const quiet = { flush: false, bytes: 0 } as const

/** Holds threads in the name of this journal object. */
export function createLeases(tables: Tables, committer: Committer): Leases {
  const held = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  /** Whether there may be a row of this object. */
  let isKnown = false
  const lost = (thread: string, epoch?: number): void => {
    if (epoch !== undefined && held.get(thread) !== epoch) return
    held.delete(thread)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const heartbeat = (): void => {
    const done = (gone: readonly string[]): void => {
      for (const thread of gone) lost(thread)
    }
    // One that fails is made up for by the next. If that is too late, the epoch keeps this driver from writing.
    committer.submit({ ...quiet, apply: () => renew(tables, held), done }).catch(() => {})
  }
  return {
    lost,
    acquire(thread, claim) {
      isKnown = true
      const done = ({ kind, epoch }: AcquireResult): void => {
        if (kind !== 'acquired') return
        held.set(thread, epoch)
        timer ??= setInterval(heartbeat, beat).unref()
      }
      return committer.submit({ ...quiet, apply: () => take(tables, thread, claim), done })
    },
    release: (thread, epoch) => committer.submit({ ...quiet, apply: () => leave(tables, thread, epoch), done: () => lost(thread, epoch) }),
    async end() {
      const leaving = new Map(held)
      if (!isKnown && grownHeads(tables).length === 0) return
      // What cannot be released now counts as released when the heartbeats stop.
      await committer.submit({ ...quiet, apply: () => leaveAll(tables, leaving) }).catch(() => {})
      for (const thread of leaving.keys()) lost(thread)
    },
  }
}

function take(tables: Tables, thread: string, { worker, incarnation, seen, force = false }: Claim): AcquireResult {
  const known = headOf(tables, thread)
  const { epoch, holder } = known ? publicHead(tables, known) : { epoch: 0, holder: undefined }
  if (known && known.end.seq > 0 && known.incarnation !== incarnation) return { kind: 'fenced', epoch }
  if (epoch !== seen || (holder !== undefined && !force)) return { kind: 'held', epoch, holder }
  const head = madeHead(tables, thread, incarnation)
  putDriver(tables, head, { epoch: epoch + 1, worker, instance: tables.here.id })
  beatHeart(tables)
  return { kind: 'acquired', epoch: epoch + 1, head: publicHead(tables, head) }
}

function leave(tables: Tables, thread: string, epoch: number): Head | undefined {
  const head = headOf(tables, thread)
  if (head?.epoch === epoch && head.instance !== null) putDriver(tables, head, { epoch, worker: null, instance: null })
  return findHead(tables, thread)
}

/** Beats, and renews the anchors of what was appended since; returns the threads that have gone to others. */
function renew(tables: Tables, held: ReadonlyMap<string, number>): readonly string[] {
  beatHeart(tables)
  for (const head of grownHeads(tables)) putDriver(tables, head, head)
  return [...held].filter(([thread, epoch]) => headOf(tables, thread)?.epoch !== epoch).map(([thread]) => thread)
}

function leaveAll(tables: Tables, held: ReadonlyMap<string, number>): void {
  for (const [thread, epoch] of held) leave(tables, thread, epoch)
  for (const head of grownHeads(tables)) putDriver(tables, head, head)
  tables.run('delete from instances where id = ?', tables.here.id)
}

function beatHeart({ here, now, run }: Tables): void {
  const { id, host, pid, started } = here
  run('delete from instances where beat < ?', now() - swept)
  const sql = 'insert into instances (id, host, pid, started, beat) values (?, ?, ?, ?, ?) on conflict (id) do update set beat = excluded.beat'
  run(sql, id, host, pid, started, now())
}
