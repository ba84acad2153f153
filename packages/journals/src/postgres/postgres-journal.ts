/** The journal in a PostgreSQL database: for several processes, on one machine or many. */
import { setTimeout as pause } from 'node:timers/promises'
import { type AppendResult, createJournal, type Journal, type RemoveOptions, type RemoveResult, type Store } from '@loom-agent/kernel'
import { checkQueries } from '../storage/check-queries.ts'
import { mustFlush } from '../storage/flush.ts'
import type { Inspected } from '../storage/journal-finding.ts'
import { listThreads } from '../storage/list-threads.ts'
import { isGone } from '../storage/liveness.ts'
import { type StorableBatch, storable } from '../storage/storable-batch.ts'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import { type CommitCounts, type Committer, createCommitter } from './committer.ts'
import { createDatabase, type Database } from './database.ts'
import { createReadFeed } from './feed.ts'
import { findHead, listHeads } from './heads.ts'
import { inspect } from './inspect.ts'
import { createLeases, type Leases } from './leases.ts'
import { checkText, checkThread, configOf, type PostgresAddress, type PostgresOptions } from './options.ts'
import { closedError } from './postgres-failure.ts'
import { blobNamesOf, blobOf, createReadPage, refuseDamage } from './reading.ts'
import { arrayOf } from './sql-text.ts'

/** A journal in a PostgreSQL database. */
export interface PostgresJournal extends Journal, Inspected {
  /** How much this object has committed. */
  stats(): CommitCounts
}

/**
 * Opens a journal. The first use connects, and creates the tables in their own schema.
 *
 * @example
 * const journal = postgres('postgres://user@host/database')
 */
export function postgres(address: string | PostgresAddress, options: PostgresOptions = {}): PostgresJournal {
  const database = createDatabase(configOf(address, options))
  const leases = createLeases(database)
  const feed = createChangeFeed(database, leases)
  const committer = createCommitter(database, ({ thread, incarnation, epoch }, result, hasAudience) => {
    if (result.kind === 'fenced') leases.lost(thread, { incarnation, epoch: epoch ?? undefined })
    if (result.kind !== 'appended') return
    feed.notify(thread, result.seq)
    if (hasAudience) feed.announce(thread, result.seq)
  })
  let closing: Promise<void> | undefined
  const check = (thread?: string): void => {
    if (closing) throw closedError(database.config.name)
    if (thread !== undefined) checkThread(thread)
  }
  const end = async (): Promise<void> => {
    await committer.end()
    await feed.end()
    await leases.end()
  }
  const shut = async (): Promise<void> => {
    feed.clear()
    // A server that does not reply in this time is not waited for: the outcome of open statements is unknown then.
    const waiting = new AbortController()
    await Promise.race([end(), pause(database.config.answerTimeout, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
    await database.end()
  }
  const close = (): Promise<void> => {
    closing ??= shut()
    return closing
  }
  return {
    ...checkQueries(createJournal(createStore({ database, leases, feed, committer, check, close }))),
    async inspect() {
      check()
      return inspect(database)
    },
    stats: () => ({ ...committer.counts(), statements: database.sent() }),
  }
}

/** The parts of an open journal. */
interface Parts {
  readonly database: Database
  readonly leases: Leases
  readonly feed: ChangeFeed
  readonly committer: Committer
  /** Throws when the journal is closed, or when the id of a thread cannot be stored. */
  check(thread?: string): void
  close(): Promise<void>
}

function createStore({ database, leases, feed, committer, check, close }: Parts): Store {
  const { mode } = database.config
  const readPage = createReadPage(database)
  return {
    traits: { name: 'postgres', shared: true, durable: true, bytes: true, mode },
    ...leasing({ leases, check }),
    append(thread, batch) {
      try {
        check(thread)
        const stored = storable(thread, batch)
        checkTexts(stored)
        const submit = (): Promise<AppendResult> => committer.submit(stored, mode === 'relaxed' && mustFlush(batch.events))
        const first = database.damaged.has(thread) ? refuseDamage(database, thread) : batch.epoch === undefined ? undefined : leases.renew(thread)
        return first ? first.then(submit) : submit()
      } catch (error) {
        return Promise.reject(error)
      }
    },
    async remove(thread, { expected } = {}) {
      check(thread)
      const { result, removed } = await removeTree(database, thread, expected)
      for (const name of removed) {
        leases.lost(name)
        feed.removed(name)
      }
      return result
    },
    async head(thread) {
      check(thread)
      return findHead(database, thread)
    },
    async read(thread, range = {}) {
      check(thread)
      return readPage(thread, range)
    },
    watch(thread, hint) {
      check(thread)
      return feed.add(thread, hint)
    },
    feed: createReadFeed(database, check),
    threads: (query) =>
      listThreads(query, async (page) => {
        check()
        return listHeads(database, page)
      }),
    async blob(hash) {
      check()
      checkText('name of a blob', hash)
      return blobOf(database, hash)
    },
    async blobNames(thread) {
      check(thread)
      return blobNamesOf(database, thread)
    },
    close,
  }
}

function leasing({ leases, check }: Pick<Parts, 'leases' | 'check'>): Pick<Store, 'acquire' | 'release' | 'leaseValid'> {
  return {
    async acquire(thread, claim) {
      check(thread)
      checkText('worker', claim.worker)
      checkText('incarnation', claim.incarnation)
      return leases.acquire(thread, claim)
    },
    async release(thread, lease) {
      check(thread)
      checkText('incarnation', lease.incarnation)
      return leases.release(thread, lease)
    },
    leaseValid: (thread, lease) => leases.isValid(thread, lease),
  }
}

function checkTexts({ incarnation, summary: [, agent, parent], forkOf, blobs }: StorableBatch): void {
  const texts = { incarnation, agent, parent, 'parent of a fork': forkOf?.thread, 'incarnation of the parent': forkOf?.incarnation }
  for (const [what, text] of Object.entries(texts)) if (typeof text === 'string') checkText(what, text)
  for (const name of blobs.keys()) checkText('name of a blob', name)
}

/** The end of a removal, and the threads that were removed. */
interface Removal {
  readonly result: RemoveResult
  readonly removed: readonly string[]
}

/** The number says which thread is meant if the reply is lost and the statement is sent again. */
async function removeTree({ ask, s, here }: Database, thread: string, expected: RemoveOptions['expected']): Promise<Removal> {
  const [known] = await ask(`select id from ${s}.threads where name = $1`, [thread])
  if (!known && expected) return { result: { kind: 'changed' }, removed: [] }
  const values = [known ? String(known['id']) : null, thread, expected?.incarnation ?? null, expected?.seq ?? null]
  for (const gone: string[] = []; ; ) {
    const [row = {}] = await ask(`select * from ${s}.remove($1, $2, $3, $4, $5)`, [...values, arrayOf(gone)])
    const { kind, host, pid, started } = row
    const isHeld = kind === 'held'
    if (isHeld && isGone({ host: String(host), pid: Number(pid), started: String(started) }, here)) gone.push(String(row['instance']))
    else if (isHeld) return { result: { kind, thread: String(row['thread']), holder: String(row['holder']) }, removed: [] }
    else if (kind === 'forked') return { result: { kind, fork: String(row['fork']) }, removed: [] }
    else if (kind === 'awaited') return { result: { kind, parent: String(row['parent']) }, removed: [] }
    else if (kind === 'changed') return { result: { kind }, removed: [] }
    // Without names the thread was not there: the reply to the first statement may have been lost.
    else return { result: { kind: 'removed' }, removed: (row['removed'] as readonly string[] | null) ?? [thread] }
  }
}
