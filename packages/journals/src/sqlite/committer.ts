/**
 * Group commit without a timer: committed at once when idle; what comes in the same pass of the event loop is the next group.
 *
 * Nobody waits for a group to fill. The first change of a pass is a transaction of its own, and everything else that is asked for in that pass is one
 * more, at its end. A change that is refused, or fails, is only its own problem.
 */
import { isLoomError } from '@loom-agent/kernel'
import { delayOf, isTooLate } from './patience.ts'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'
import type { Tables } from './tables.ts'
import { createWalUpkeep, type WalUpkeep } from './wal.ts'

/** A change of the tables. */
export interface Change<T> {
  /** Whether it must survive a power cut once it is acknowledged, also in relaxed mode. */
  readonly flush: boolean
  /** How many bytes of values it holds, about. */
  readonly bytes: number
  /** Changes the tables, nothing else: it may be called again. An error of Loom must be thrown before anything is changed. */
  apply(): T
  /** Called once the change is durable, before its caller knows. */
  done?(result: T): void
}

/** How much was committed. */
export interface CommitCounts {
  /** Transactions. */
  readonly commits: number
  /** Changes in them: appends, and taking and leaving threads. */
  readonly changes: number
  /** How often others had the database just then. */
  readonly waits: number
}

/** Takes changes and commits them. */
export interface Committer {
  submit<T>(change: Change<T>): Promise<T>
  /** Resolves when nothing is left to be committed. */
  drained(): Promise<void>
  counts(): CommitCounts
}

interface Entry {
  readonly flush: boolean
  readonly bytes: number
  readonly since: number
  /** It was in a group that failed: it is tried alone, so that it fails alone. */
  alone: boolean
  apply(): void
  settle(): void
  fail(error: unknown): void
}

/** Changes in one transaction at most: nobody else gets a turn meanwhile. */
const groupLimit = 512

/** A committer at work. */
interface Work {
  readonly tables: Tables
  readonly queue: Entry[]
  readonly counts: { commits: number; changes: number; waits: number }
  /** Those who wait for the queue to be empty. */
  readonly drained: (() => void)[]
  readonly upkeep: WalUpkeep
  scheduled: boolean
  /** Something was committed in this pass of the event loop. */
  busy: boolean
  /** How often in a row others had the database. */
  tries: number
}

/** A committer. */
export function createCommitter(tables: Tables): Committer {
  const queue: Entry[] = []
  const upkeep = createWalUpkeep(tables, () => queue.length === 0)
  const work: Work = { tables, queue, counts: { commits: 0, changes: 0, waits: 0 }, drained: [], upkeep, scheduled: false, busy: false, tries: 0 }
  return {
    submit: (change) =>
      new Promise((resolve, reject) => {
        queue.push(entryOf(change, resolve, reject))
        if (work.scheduled || work.busy || work.tries > 0) schedule(work)
        else commitNow(work)
      }),
    drained: () => (isStill(work) ? Promise.resolve() : new Promise((resolve) => work.drained.push(resolve))),
    counts: () => ({ ...work.counts }),
  }
}

function schedule(work: Work): void {
  if (work.scheduled) return
  work.scheduled = true
  if (work.tries > 0) setTimeout(commitNext, delayOf(work.tries), work)
  else setImmediate(commitNext, work)
}

function commitNow(work: Work): void {
  work.busy = true
  setImmediate(passOver, work)
  commitNext(work)
}

function passOver(work: Work): void {
  work.busy = false
  tellDrained(work)
}

const isStill = ({ queue, busy }: Work): boolean => queue.length === 0 && !busy

function tellDrained(work: Work): void {
  if (isStill(work)) for (const resolve of work.drained.splice(0)) resolve()
}

/** Commits the next group, and sees to it that the one after it comes. */
function commitNext(work: Work): void {
  const { queue } = work
  work.scheduled = false
  const alone = queue.findIndex((entry) => entry.alone)
  const group = queue.splice(0, alone < 0 ? groupLimit : Math.max(1, alone))
  try {
    commit(work, group)
  } catch (error) {
    recover(work, group, error)
  }
  if (queue.length > 0) return schedule(work)
  tellDrained(work)
}

function commit(work: Work, group: readonly Entry[]): void {
  const flush = group.some((entry) => entry.flush)
  work.tables.writing(flush, () => {
    work.upkeep.makeRoom()
    for (const entry of group) entry.apply()
  })
  work.tries = 0
  work.counts.commits += 1
  work.counts.changes += group.length
  let bytes = 0
  for (const entry of group) {
    entry.settle()
    bytes += entry.bytes
  }
  work.upkeep.committed(group.length, bytes)
}

/** Whoever has waited too long, or failed alone, is told; the others try again. */
function recover(work: Work, group: readonly Entry[], error: unknown): void {
  const busy = isBusy(error)
  const isLost = (entry: Entry): boolean => (busy ? isTooLate(entry.since) : group.length === 1)
  const again = group.filter((entry) => !isLost(entry))
  for (const entry of again) entry.alone ||= !busy
  work.queue.unshift(...again)
  if (busy) {
    work.tries += 1
    work.counts.waits += 1
  }
  for (const entry of group) if (isLost(entry)) entry.fail(sqliteFailure(error, work.tables.path))
}

function entryOf<T>(change: Change<T>, resolve: (result: T) => void, reject: (error: unknown) => void): Entry {
  let outcome: () => void
  return {
    flush: change.flush,
    bytes: change.bytes,
    since: performance.now(),
    alone: false,
    apply() {
      try {
        const result = change.apply()
        outcome = () => {
          change.done?.(result)
          resolve(result)
        }
      } catch (error) {
        if (!isLoomError(error)) throw error
        outcome = () => reject(error)
      }
    },
    settle: () => outcome(),
    fail: reject,
  }
}
