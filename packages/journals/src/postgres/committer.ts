/**
 * Group commit without a timer: what is submitted while statements are under way is one statement, and one commit.
 *
 * No batch waits for a group to fill: a group is sent as soon as the writers of the last one have their results. At most two groups are under way, so
 * that one is prepared while the server works on the other. A batch that is refused, or fails, fails alone.
 *
 * PG-6. The batches of a thread are sent in the order in which they came, each after the verdict on the one before.
 * PG-7. A batch whose outcome is not known is sent again, under the same id (JOURNAL-2), until there is a verdict or its deadline has passed. It is
 *       never reported as stored, or as not stored, before the server has said so.
 */
import { type AppendResult, missingParent, threadQuarantined } from '@loom-agent/kernel'
import type { StorableBatch } from '../storage/storable-batch.ts'
import { audiences } from './append-functions.ts'
import { appendStatement, type Verdict, verdictsIn } from './appending.ts'
import { type Database, isWorthRetrying, retryDelay } from './database.ts'
import { postgresFailure, type Trouble, troubleOf, unknownOutcome } from './postgres-failure.ts'
import { createTails, type NextAppend, type Tails } from './tail.ts'

/** How much was committed. */
export interface CommitCounts {
  /** Statements that appended, each one commit. */
  readonly commits: number
  /** Batches in them. */
  readonly batches: number
  /** How often something was sent again. */
  readonly retries: number
  /** Statements of all kinds that were sent. */
  readonly statements: number
}

/** Commits batches. */
export interface Committer {
  submit(batch: StorableBatch, flush: boolean): Promise<AppendResult>
  /** Stops waiting for a server that is gone; resolves when nothing is left to be committed. */
  end(): Promise<void>
  counts(): Omit<CommitCounts, 'statements'>
}

/** Called with every result, before its writer has it; `hasAudience` says whether other processes are to be notified. */
export type OnResult = (batch: StorableBatch, result: AppendResult, hasAudience: boolean) => void

interface Submitted {
  readonly batch: StorableBatch
  readonly flush: boolean
  /** When it was submitted. */
  readonly since: number
  /** It was in a group that failed: it is sent alone, so that the others succeed. */
  alone: boolean
  /** The server may have stored it: a reply was lost. */
  doubt: boolean
  resolve(result: AppendResult): void
  reject(error: unknown): void
}

interface Committing {
  readonly database: Database
  readonly onResult: OnResult
  readonly queue: Submitted[]
  /** The threads that have a batch under way. */
  readonly underWay: Set<string>
  readonly tails: Tails
  readonly counts: { commits: number; batches: number; retries: number }
  readonly idle: (() => void)[]
  /** Whether another object watched the threads of others when the server was asked last, and when that was. */
  watched: { readonly is: boolean; readonly at: number }
  groups: number
  /** Tries since the last verdict. */
  tries: number
  scheduled: boolean
  ending: boolean
}

/** The most batches and characters in one statement: no other writer of this process gets a turn meanwhile. */
const [groupLimit, groupSize] = [512, 4_000_000]
const groupsAtOnce = 2
/** The time between two questions for watchers, in milliseconds: a new watcher polls as often. */
const askEvery = 1000

/** A committer. */
export function createCommitter(database: Database, onResult: OnResult): Committer {
  const committing: Committing = {
    database,
    onResult,
    queue: [],
    underWay: new Set(),
    tails: createTails(database.s, database.here.id),
    counts: { commits: 0, batches: 0, retries: 0 },
    idle: [],
    watched: { is: false, at: Number.NEGATIVE_INFINITY },
    groups: 0,
    tries: 0,
    scheduled: false,
    ending: false,
  }
  return {
    submit: (batch, flush) =>
      new Promise((resolve, reject) => {
        committing.queue.push({ batch, flush, since: performance.now(), alone: false, doubt: false, resolve, reject })
        schedule(committing)
      }),
    end() {
      committing.ending = true
      return committing.groups === 0 && committing.queue.length === 0 ? Promise.resolve() : new Promise((resolve) => committing.idle.push(resolve))
    },
    counts: () => ({ ...committing.counts }),
  }
}

function schedule(committing: Committing): void {
  if (committing.scheduled || committing.groups >= groupsAtOnce || committing.queue.length === 0) return
  committing.scheduled = true
  const send = (): void => void commitNext(committing)
  if (committing.tries > 0) setTimeout(send, retryDelay(committing.tries))
  else queueMicrotask(send)
}

/** Takes the next group out of the queue, in the order that every transaction uses (PG-1). */
function nextGroup({ queue, underWay }: Committing): readonly Submitted[] {
  if (queue.length === 1 && underWay.size === 0) return queue.splice(0)
  const group: Submitted[] = []
  const rest: Submitted[] = []
  const threads = new Set(underWay)
  let size = 0
  for (const entry of queue) {
    const { thread, bytes } = entry.batch
    const joins = group.length === 0 || !(entry.alone || group[0]?.alone || group.length >= groupLimit || size + bytes > groupSize)
    if (joins && !threads.has(thread)) {
      group.push(entry)
      size += bytes
    } else rest.push(entry)
    threads.add(thread)
  }
  refill(queue, rest)
  return group.sort((a, b) => (a.batch.thread < b.batch.thread ? -1 : 1))
}

async function commitNext(committing: Committing): Promise<void> {
  committing.scheduled = false
  const group = nextGroup(committing)
  if (group.length === 0) return
  const { underWay, idle } = committing
  committing.groups += 1
  for (const { batch } of group) underWay.add(batch.thread)
  try {
    const [entry] = group
    const next = entry && group.length === 1 ? fromTail(committing, entry) : undefined
    if (entry && next && (await committing.database.write(next.statement, next.values)).count === 1) {
      settle(committing, entry, { result: { kind: 'appended', seq: next.tail.seq }, tail: next.tail })
    } else {
      const verdicts = await store(committing, group)
      for (const [index, one] of group.entries()) settle(committing, one, verdicts[index])
    }
    committing.counts.commits += 1
    committing.tries = 0
  } catch (error) {
    recover(committing, group, error)
  }
  for (const { batch } of group) underWay.delete(batch.thread)
  committing.groups -= 1
  schedule(committing)
  if (committing.groups > 0 || committing.queue.length > 0) return
  // The next batch has not waited yet.
  committing.tries = 0
  for (const resolve of idle.splice(0)) resolve()
}

const isAsking = ({ watched }: Committing): boolean => performance.now() - watched.at >= askEvery

/** The short statement, for a batch of the driver that appended the last one. */
function fromTail(committing: Committing, { batch, flush }: Submitted): NextAppend | undefined {
  const isLazy = committing.database.config.mode === 'relaxed' && !flush
  return isLazy || isAsking(committing) ? undefined : committing.tails.next(batch)
}

/** Has the server decide on a group. */
async function store(committing: Committing, group: readonly Submitted[]): Promise<readonly Verdict[]> {
  const { s, here, config, write } = committing.database
  const lazy = config.mode === 'relaxed' && !group.some(({ flush }) => flush)
  const ask = isAsking(committing)
  const batches = group.map(({ batch }) => batch)
  const { statement, values } = appendStatement(batches, { s, here: here.id, lazy, ask })
  const verdicts = verdictsIn(await write(statement, values))
  const heard = verdicts.flatMap(({ audience }) => audience ?? [])
  if (ask && heard.length > 0) committing.watched = { is: heard.includes(audiences.watchers), at: performance.now() }
  return verdicts
}

/** Gives the writer its result. */
function settle(committing: Committing, { batch, resolve, reject }: Submitted, verdict: Verdict = {}): void {
  const { result, audience = audiences.none, tail, quarantined } = verdict
  if (!result) {
    if (quarantined) reject(threadQuarantined(quarantined === 'parent' ? (batch.forkOf?.thread ?? '') : batch.thread))
    else if (batch.forkOf) reject(missingParent(batch.thread, batch.forkOf))
    return
  }
  const { counts, onResult, tails, watched } = committing
  counts.batches += 1
  if (tail) tails.remember(batch, tail)
  onResult(batch, result, watched.is || audience > audiences.none)
  resolve(result)
}

function recover(committing: Committing, group: readonly Submitted[], error: unknown): void {
  const { database, counts, queue, ending } = committing
  const { retryTimeout, name } = database.config
  const trouble = troubleOf(error)
  const isPassing = isWorthRetrying(error, database)
  const isPart = group.length > 1 && trouble === 'value'
  const again: Submitted[] = []
  for (const entry of group) {
    entry.doubt ||= trouble === 'lost' && database.wasReady()
    entry.alone ||= isPart || (trouble === 'busy' && group.length > 1)
    if (isPart || (isPassing && !ending && performance.now() - entry.since < retryTimeout)) again.push(entry)
    else entry.reject(entry.doubt ? unknownOutcome(error, name, entry.batch) : postgresFailure(error, name))
  }
  if (trouble === 'replica') database.renew()
  if (isPassing) committing.tries += 1
  if (again.length > 0) counts.retries += 1
  requeue(queue, again, trouble)
}

/** Puts batches back into the queue. Batches that wait for a lock go behind those of other threads, never behind later ones of their own (PG-6). */
function requeue(queue: Submitted[], again: readonly Submitted[], trouble: Trouble): void {
  if (trouble !== 'busy') return void queue.unshift(...again)
  const threads = new Set(again.map(({ batch }) => batch.thread))
  const [behind, before] = [queue.filter(({ batch }) => threads.has(batch.thread)), queue.filter(({ batch }) => !threads.has(batch.thread))]
  refill(queue, [...before, ...again, ...behind])
}

function refill(queue: Submitted[], entries: readonly Submitted[]): void {
  queue.length = 0
  for (const entry of entries) queue.push(entry)
}
