/**
 * Group commit without a timer: the first change is committed at once, and what follows in the same pass of the event loop is the next group.
 *
 * No change waits for a group to fill. The first change of a pass is its own transaction, and everything else that is submitted in that pass is one
 * more, at its end. A change that is refused, or fails, fails alone.
 */
import { isLoomError } from '@loom-agent/kernel'
import { retryDelay } from './retry.ts'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'
import type { Tables } from './tables.ts'
import { createWalUpkeep, type WalUpkeep } from './wal.ts'

/** A change of the tables. */
export interface Change<T> {
  /** Whether it must survive a power cut once it is acknowledged, also in relaxed mode. */
  readonly flush: boolean
  /** About how many bytes of values it holds. */
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
  /** Changes in them: appends, removals, and leases that were acquired or released. */
  readonly changes: number
  /** How often another connection held the write lock, so that a transaction was tried again. */
  readonly waits: number
}

/** Commits changes. */
export interface Committer {
  submit<T>(change: Change<T>): Promise<T>
  /** Resolves when nothing is left to be committed. */
  drained(): Promise<void>
  counts(): CommitCounts
}

/** A change that was submitted, and how its caller is notified. */
interface Submitted {
  readonly change: Change<unknown>
  readonly since: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** It was in a group that failed: it is tried alone, so that the others succeed. */
  alone: boolean
  /** The result of applying it, in the current transaction. */
  outcome: { readonly result: unknown } | { readonly error: unknown }
}

/** The most changes in one transaction: no other process can write meanwhile. */
const groupLimit = 512
const unapplied = { result: undefined } as const

/** The state of a committer. */
interface Work {
  readonly tables: Tables
  readonly queue: Submitted[]
  readonly counts: { commits: number; changes: number; waits: number }
  /** Callers that wait for the queue to be empty. */
  readonly drained: (() => void)[]
  readonly upkeep: WalUpkeep
  scheduled: boolean
  /** Something was committed in this pass of the event loop. */
  busy: boolean
  /** How often in a row another connection held the write lock. */
  tries: number
}

/** A committer. */
export function createCommitter(tables: Tables): Committer {
  const queue: Submitted[] = []
  const upkeep = createWalUpkeep(tables, () => queue.length === 0)
  const work: Work = { tables, queue, counts: { commits: 0, changes: 0, waits: 0 }, drained: [], upkeep, scheduled: false, busy: false, tries: 0 }
  return {
    submit<T>(change: Change<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queue.push({
          change: change as Change<unknown>,
          since: performance.now(),
          resolve: resolve as (result: unknown) => void,
          reject,
          alone: false,
          outcome: unapplied,
        })
        if (work.scheduled || work.busy || work.tries > 0) return schedule(work)
        work.busy = true
        setImmediate(endPass, work)
        commitNext(work)
      })
    },
    drained: () => (isIdle(work) ? Promise.resolve() : new Promise((resolve) => work.drained.push(resolve))),
    counts: () => ({ ...work.counts }),
  }
}

function schedule(work: Work): void {
  if (work.scheduled) return
  work.scheduled = true
  if (work.tries > 0) setTimeout(commitNext, retryDelay(work.tries), work)
  else setImmediate(commitNext, work)
}

function endPass(work: Work): void {
  work.busy = false
  notifyDrained(work)
}

const isIdle = ({ queue, busy }: Work): boolean => queue.length === 0 && !busy

function notifyDrained(work: Work): void {
  if (isIdle(work)) for (const resolve of work.drained.splice(0)) resolve()
}

/** Commits the next group in one transaction, and schedules the one after it. */
function commitNext(work: Work): void {
  const { queue, tables } = work
  work.scheduled = false
  const alone = queue.findIndex((submitted) => submitted.alone)
  const group = queue.splice(0, alone < 0 ? groupLimit : Math.max(1, alone))
  try {
    tables.begin(group.some(({ change }) => change.flush))
    work.upkeep.makeRoom()
    for (const submitted of group) {
      try {
        submitted.outcome = { result: submitted.change.apply() }
      } catch (error) {
        if (!isLoomError(error)) throw error
        submitted.outcome = { error }
      }
    }
    tables.commit()
    settle(work, group)
  } catch (error) {
    tables.rollback()
    retry(work, group, error)
  }
  if (queue.length > 0) return schedule(work)
  notifyDrained(work)
}

/** Notifies the callers of a group that is committed. */
function settle(work: Work, group: readonly Submitted[]): void {
  work.tries = 0
  work.counts.commits += 1
  work.counts.changes += group.length
  let bytes = 0
  for (const { change, outcome, resolve, reject } of group) {
    bytes += change.bytes
    if ('error' in outcome) {
      reject(outcome.error)
      continue
    }
    change.done?.(outcome.result)
    resolve(outcome.result)
  }
  work.upkeep.committed(group.length, bytes)
}

/** A change that has waited too long, or failed alone, is rejected; the others are tried again. */
function retry(work: Work, group: readonly Submitted[], error: unknown): void {
  const busy = isBusy(error)
  const { path, lockTimeout } = work.tables
  const isLost = ({ since }: Submitted): boolean => (busy ? performance.now() - since >= lockTimeout : group.length === 1)
  const again = group.filter((submitted) => !isLost(submitted))
  for (const submitted of again) submitted.alone ||= !busy
  work.queue.unshift(...again)
  if (busy) {
    work.tries += 1
    work.counts.waits += 1
  }
  const lost = group.filter((submitted) => !again.includes(submitted))
  const failure = lost.length > 0 ? sqliteFailure(error, path) : undefined
  for (const submitted of lost) submitted.reject(failure)
}
