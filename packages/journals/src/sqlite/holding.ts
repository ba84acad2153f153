/**
 * Taking threads and leaving them, and the sign of life of whoever has one.
 *
 * SQLITE-4. There is a timer only while this object holds a thread, and it keeps no process alive.
 */
import type { AcquireResult } from '@loom-agent/kernel'
import { beat, expiry } from '../liveness.ts'
import type { Committer } from './committer.ts'
import { grownHeads, headOf, madeHead, putDriver } from './heads.ts'
import { toldHead } from './listing.ts'
import type { Tables } from './tables.ts'

/** Who wants a thread, and the epoch it has seen. */
export type Claim = { readonly worker: string; readonly seen: number; readonly force?: boolean }

/** The threads that this journal object holds. */
export interface Holding {
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  release(thread: string, epoch: number): Promise<void>
  /** Somebody else has the thread, or nobody; of another epoch than the one that is held, it is no news. */
  lost(thread: string, epoch?: number): void
  /** Leaves everything; who only looked leaves no trace. */
  end(): Promise<void>
}

/** After how long a row without a sign of life is swept away, in milliseconds: whoever it was has counted as gone long since. */
const swept = 20 * expiry

/** Who drives is known from the events too: a power cut may take it. */
const quiet = { flush: false, bytes: 0 } as const

/** Holds threads in the name of this journal object. */
export function createHolding(tables: Tables, committer: Committer): Holding {
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
  const live = (): void => {
    const done = (gone: readonly string[]): void => {
      for (const thread of gone) lost(thread)
    }
    // One that cannot be given is given at the next beat. Too late, and the epoch keeps this driver from writing.
    committer.submit({ ...quiet, apply: () => stay(tables, held), done }).catch(() => {})
  }
  return {
    lost,
    acquire(thread, claim) {
      isKnown = true
      const done = ({ kind, epoch }: AcquireResult): void => {
        if (kind === 'held') return
        held.set(thread, epoch)
        timer ??= setInterval(live, beat).unref()
      }
      return committer.submit({ ...quiet, apply: () => take(tables, thread, claim), done })
    },
    release: (thread, epoch) => committer.submit({ ...quiet, apply: () => leave(tables, thread, epoch), done: () => lost(thread, epoch) }),
    async end() {
      const leaving = new Map(held)
      if (!isKnown && grownHeads(tables).length === 0) return
      // What cannot be left now counts as left when there are no more signs of life.
      await committer.submit({ ...quiet, apply: () => go(tables, leaving) }).catch(() => {})
      for (const thread of leaving.keys()) lost(thread)
    },
  }
}

function take(tables: Tables, thread: string, { worker, seen, force = false }: Claim): AcquireResult {
  const known = headOf(tables, thread)
  const { epoch, holder } = known ? toldHead(tables, known) : { epoch: 0, holder: undefined }
  if (epoch !== seen || (holder !== undefined && !force)) return { kind: 'held', epoch, holder }
  putDriver(tables, madeHead(tables, thread), { epoch: epoch + 1, worker, instance: tables.here.id })
  giveSign(tables)
  return { kind: 'acquired', epoch: epoch + 1, holder: worker }
}

function leave(tables: Tables, thread: string, epoch: number): void {
  const head = headOf(tables, thread)
  if (head?.epoch === epoch && head.instance !== null) putDriver(tables, head, { epoch, worker: null, instance: null })
}

/** Gives a sign of life; answers the threads that have gone to others meanwhile. */
function stay(tables: Tables, held: ReadonlyMap<string, number>): readonly string[] {
  giveSign(tables)
  for (const head of grownHeads(tables)) putDriver(tables, head, head)
  return [...held].filter(([thread, epoch]) => headOf(tables, thread)?.epoch !== epoch).map(([thread]) => thread)
}

function go(tables: Tables, held: ReadonlyMap<string, number>): void {
  for (const [thread, epoch] of held) leave(tables, thread, epoch)
  for (const head of grownHeads(tables)) putDriver(tables, head, head)
  tables.run('delete from instances where id = ?', tables.here.id)
}

function giveSign({ here, now, run }: Tables): void {
  const { id, host, pid, started } = here
  run('delete from instances where beat < ?', now() - swept)
  const sql = 'insert into instances (id, host, pid, started, beat) values (?, ?, ?, ?, ?) on conflict (id) do update set beat = excluded.beat'
  run(sql, id, host, pid, started, now())
}
