/**
 * Notifies watchers: at once of what this object appends, by NOTIFY of what others append, and by a poll once a second of what NOTIFY has missed.
 *
 * NOTIFY is sent after the commit, in a statement that no writer waits for, and only when another process listens: inside the commit it would make all
 * commits wait for each other.
 *
 * PG-9. There is a timer only while a thread is watched. It keeps the process alive, because a process that waits for another one may have nothing
 *       else to do.
 */
import type { Seq } from '@loom-agent/kernel'
import { heartbeatInterval } from '../storage/liveness.ts'
import { createWatchers, type Watchers } from '../storage/watchers.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Database } from './database.ts'
import type { Leases } from './leases.ts'
import { arrayOf } from './sql-text.ts'

/** Watchers that are notified of the appends of other processes, too. */
export interface ChangeFeed extends Watchers {
  /** Notifies other processes, soon. */
  announce(thread: string, seq: Seq): void
  /** Resolves when everything is announced. */
  end(): Promise<void>
}

/** The time between two polls, in milliseconds. */
const period = 1000
/** A payload has less than 8,000 bytes; a thread with a longer name is found by the next poll. */
const payloadLimit = 7900

/** Watchers of the threads of a database. */
export function createChangeFeed(database: Database, leases: Leases): ChangeFeed {
  const channel = `loom_${database.config.schema}`
  const notified = new Map<string, Seq>()
  let timer: NodeJS.Timeout | undefined
  const notify = (thread: string, seq: Seq): void => {
    if (!watchers.isWatched(thread) || notified.get(thread) === seq) return
    notified.set(thread, seq)
    watchers.notify(thread, seq)
  }
  const watched = (): readonly string[] => {
    for (const thread of notified.keys()) if (!watchers.isWatched(thread)) notified.delete(thread)
    return watchers.watched()
  }
  const poll = createPoll({ database, leases, watched, notify, listen: createListener(database, channel, notify) })
  const watchers = createWatchers((any) => {
    clearInterval(timer)
    notified.clear()
    if (!any) return
    timer = setInterval(poll, period)
    poll()
  })
  return { ...watchers, notify, ...createAnnouncer(database, channel) }
}

/** Ensures that a connection listens. It stays open when no thread is watched any more, and costs nothing then. */
function createListener(database: Database, channel: string, notify: (thread: string, seq: Seq) => void): () => Promise<void> {
  let pool: Promise<ConnectionPool> | undefined
  let isListening = false
  const onnotify = (_channel: string, text: string): void => {
    const [, seq, thread] = /^(\d+) (.*)$/s.exec(text) ?? []
    if (thread !== undefined) notify(thread, Number(seq))
  }
  const onclose = (): void => {
    isListening = false
  }
  return async () => {
    if (isListening) return
    pool ??= database.extraPool({ size: 1, onnotify, onclose })
    await (await pool).run(`listen "${channel}"`)
    isListening = true
  }
}

interface Polling {
  readonly database: Database
  readonly leases: Leases
  readonly watched: () => readonly string[]
  readonly notify: (thread: string, seq: Seq) => void
  readonly listen: () => Promise<void>
}

/** Reads the heads of the watched threads; one poll at a time. */
function createPoll({ database, leases, watched, notify, listen }: Polling): () => void {
  let isPolling = false
  let signed = Number.NEGATIVE_INFINITY
  const poll = async (): Promise<void> => {
    await listen()
    // Writers find the driver of a thread by its row. An object that watches the threads of other drivers has to sign up.
    if (performance.now() - signed >= heartbeatInterval && watched().some((thread) => !leases.holds(thread))) {
      await leases.listen()
      signed = performance.now()
    }
    const rows = await database.run(`select name, seq from ${database.s}.threads where seq > 0 and name = any($1::text[])`, [arrayOf(watched())])
    for (const row of rows) notify(String(row['name']), Number(row['seq']))
  }
  return () => {
    if (isPolling) return
    isPolling = true
    const done = (): void => {
      isPolling = false
    }
    // The next poll tries again.
    poll().then(done, done)
  }
}

/** Sends announcements in groups: what comes while a statement is under way is the next statement. */
function createAnnouncer(database: Database, channel: string): Pick<ChangeFeed, 'announce' | 'end'> {
  const news = new Map<string, Seq>()
  let sending: Promise<void> | undefined
  const send = async (): Promise<void> => {
    while (news.size > 0) {
      const texts = [...news].map(([thread, seq]) => `${seq} ${thread}`)
      news.clear()
      // What is lost here is found by the next poll.
      await database.run(`select pg_notify('${channel}', x) from unnest($1::text[]) x`, [arrayOf(texts)]).catch(() => {})
    }
    sending = undefined
  }
  return {
    announce(thread, seq) {
      if (Buffer.byteLength(thread) > payloadLimit) return
      news.set(thread, seq)
      sending ??= send()
    },
    async end() {
      await sending
    },
  }
}
