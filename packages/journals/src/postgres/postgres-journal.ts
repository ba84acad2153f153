/** The journal in a PostgreSQL database: for several processes, on one machine or many. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Head, Journal } from '@loom-agent/kernel'
import { mustFlush } from '../flush.ts'
import type { Inspected } from '../verify.ts'
import { storable } from './appending.ts'
import { type CommitCounts, type Committer, createCommitter } from './committer.ts'
import { createDatabase, type Database } from './database.ts'
import { createHolding, type Holding } from './holding.ts'
import { inspect } from './inspect.ts'
import { headOf, listHeads, listLimit } from './listing.ts'
import { createLookout, type Lookout } from './lookout.ts'
import { checkText, checkThread, configOf, type PostgresAddress, type PostgresOptions } from './options.ts'
import { closedError } from './postgres-failure.ts'
import { blobOf, createReadPage, pageLimit } from './reading.ts'

/** A journal in a PostgreSQL database. */
export interface PostgresJournal extends Journal, Inspected {
  /** How much this object has committed. */
  stats(): CommitCounts
}

/**
 * Opens a journal; the tables are made at the first use, in a schema of their own. Nothing is connected before that.
 *
 * @example
 * const journal = postgres('postgres://user@host/database')
 */
export function postgres(address: string | PostgresAddress, options: PostgresOptions = {}): PostgresJournal {
  return journalIn(createDatabase(configOf(address, options)))
}

/** The parts of an open journal. */
interface Parts {
  readonly database: Database
  readonly holding: Holding
  readonly lookout: Lookout
  readonly committer: Committer
  /** Sees that the journal is open, and that the id of a thread can be stored. */
  check(thread?: string): void
}

function journalIn(database: Database): PostgresJournal {
  const { name, mode } = database.config
  const holding = createHolding(database)
  const lookout = createLookout(database, holding)
  const committer = createCommitter(database, ({ thread, epoch }, result, tell) => {
    if (result.kind === 'fenced') holding.lost(thread, epoch ?? undefined)
    if (result.kind !== 'appended') return
    lookout.tell(thread, result.seq)
    if (tell) lookout.announce(thread, result.seq)
  })
  let closing: Promise<void> | undefined
  const check = (thread?: string): void => {
    if (closing) throw closedError(name)
    if (thread !== undefined) checkThread(thread)
  }
  const leave = async (): Promise<void> => {
    await committer.end()
    await lookout.end()
    await holding.end()
  }
  const close = async (): Promise<void> => {
    lookout.clear()
    // Whoever gives no answer for so long is not taken leave of: what is under way then has an outcome that nobody knows.
    const waiting = new AbortController()
    await Promise.race([leave(), pause(database.config.answerTimeout, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
    await database.end()
  }
  const parts = { database, holding, lookout, committer, check }
  return {
    traits: { name: 'postgres', shared: true, durable: true, bytes: true, mode },
    ...changing(parts),
    ...looking(parts),
    stats: () => ({ ...committer.counts(), statements: database.sent() }),
    async close() {
      closing ??= close()
      await closing
    },
  }
}

function changing({ database, holding, committer, check }: Parts): Pick<Journal, 'acquire' | 'release' | 'append' | 'remove'> {
  const { config, damaged, s, ask } = database
  return {
    async acquire(thread, claim) {
      check(thread)
      checkText('worker', claim.worker)
      return holding.acquire(thread, claim)
    },
    async release(thread, epoch) {
      check(thread)
      await holding.release(thread, epoch)
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
      const [row] = await ask(`select id from ${s}.threads where name = $1`, [thread])
      if (row) await ask(`select ${s}.remove($1)`, [String(row['id'])])
      holding.lost(thread)
      damaged.delete(thread)
    },
  }
}

function looking({ database, lookout, check }: Parts): Pick<PostgresJournal, 'head' | 'read' | 'watch' | 'threads' | 'blob' | 'inspect'> {
  const readPage = createReadPage(database)
  return {
    async head(thread) {
      check(thread)
      return headOf(database, thread)
    },
    async read(thread, { from = 1, limit = pageLimit } = {}) {
      check(thread)
      return readPage(thread, { from: Math.max(1, from), limit })
    },
    watch(thread, hint) {
      check(thread)
      return lookout.add(thread, hint)
    },
    async threads({ limit = Number.POSITIVE_INFINITY, ...query } = {}) {
      const found: Head[] = []
      for (let after = query.after; ; ) {
        check()
        const size = Math.min(listLimit, limit - found.length)
        const page = await listHeads(database, { ...query, ...(after !== undefined && { after }), limit: size })
        found.push(...page)
        after = page.at(-1)?.thread
        if (page.length < listLimit || after === undefined) return found
      }
    },
    async blob(hash) {
      check()
      checkText('name of a blob', hash)
      return blobOf(database, hash)
    },
    async inspect() {
      check()
      return inspect(database)
    },
  }
}
