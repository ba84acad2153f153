/** The journal in a PostgreSQL database: for several processes, on one machine or many. */
import { setTimeout as pause } from 'node:timers/promises'
import { createJournal, type Journal, type Store } from '@loom-agent/kernel'
import { mustFlush } from '../storage/flush.ts'
import type { Inspected } from '../storage/journal-finding.ts'
import { listThreads } from '../storage/list-threads.ts'
import { storable } from './appending.ts'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import { type CommitCounts, type Committer, createCommitter } from './committer.ts'
import { createDatabase, type Database } from './database.ts'
import { findHead, listHeads } from './heads.ts'
import { inspect } from './inspect.ts'
import { createLeases, type Leases } from './leases.ts'
import { checkText, checkThread, configOf, type PostgresAddress, type PostgresOptions } from './options.ts'
import { closedError } from './postgres-failure.ts'
import { blobOf, createReadPage, pageLimit } from './reading.ts'

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
  const parts = partsOf(createDatabase(configOf(address, options)))
  const { database, committer, check } = parts
  return {
    ...createJournal(storeOf(parts)),
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

function partsOf(database: Database): Parts {
  const leases = createLeases(database)
  const feed = createChangeFeed(database, leases)
  const committer = createCommitter(database, ({ thread, epoch }, result, hasAudience) => {
    if (result.kind === 'fenced') leases.lost(thread, epoch ?? undefined)
    if (result.kind !== 'appended') return
    feed.notify(thread, result.seq)
    if (hasAudience) feed.announce(thread, result.seq)
  })
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await committer.end()
    await feed.end()
    await leases.end()
  }
  const close = async (): Promise<void> => {
    feed.clear()
    // A server that does not reply in this time is not waited for: the outcome of open statements is unknown then.
    const waiting = new AbortController()
    await Promise.race([end(), pause(database.config.answerTimeout, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
    await database.end()
  }
  return {
    database,
    leases,
    feed,
    committer,
    check(thread) {
      if (closing) throw closedError(database.config.name)
      if (thread !== undefined) checkThread(thread)
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

function storeOf(parts: Parts): Store {
  return {
    traits: { name: 'postgres', shared: true, durable: true, bytes: true, mode: parts.database.config.mode },
    ...writesOf(parts),
    ...readsOf(parts),
    close: () => parts.close(),
  }
}

function writesOf({ database, leases, committer, check }: Parts): Pick<Store, 'acquire' | 'release' | 'append' | 'remove'> {
  const { config, damaged, s, ask } = database
  return {
    async acquire(thread, claim) {
      check(thread)
      checkText('worker', claim.worker)
      checkText('incarnation', claim.incarnation)
      return leases.acquire(thread, claim)
    },
    async release(thread, epoch) {
      check(thread)
      return leases.release(thread, epoch)
    },
    append(thread, batch) {
      try {
        check(thread)
        const broken = damaged.get(thread)
        if (broken) throw broken
        return committer.submit(storable(thread, batch), config.mode === 'relaxed' && mustFlush(batch.events))
      } catch (error) {
        return Promise.reject(error)
      }
    },
    async remove(thread) {
      check(thread)
      // The number says which incarnation is meant if the reply is lost and the statement is sent again.
      const [row] = await ask(`select id from ${s}.threads where name = $1`, [thread])
      const [result] = row ? await ask(`select ${s}.remove($1) as fork`, [String(row['id'])]) : []
      if (typeof result?.['fork'] === 'string') return { kind: 'forked', fork: result['fork'] }
      leases.lost(thread)
      damaged.delete(thread)
      return { kind: 'removed' }
    },
  }
}

function readsOf({ database, feed, check }: Parts): Pick<Store, 'head' | 'read' | 'watch' | 'threads' | 'blob'> {
  const readPage = createReadPage(database)
  return {
    async head(thread) {
      check(thread)
      return findHead(database, thread)
    },
    async read(thread, { from = 1, limit = pageLimit } = {}) {
      check(thread)
      return readPage(thread, { from: Math.max(1, from), limit })
    },
    watch(thread, hint) {
      check(thread)
      return feed.add(thread, hint)
    },
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
  }
}
