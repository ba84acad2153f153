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
import type { Database } from './database.ts'
import { createGrouping } from './grouping.ts'
import type { Leases } from './leases.ts'
import { arrayOf } from './sql-text.ts'

/** Watchers that are notified of the appends of other processes, too. */
export interface ChangeFeed extends Pick<Watchers, 'add' | 'clear' | 'notify'> {
  /** Notifies other processes, soon. */
  announce(thread: string, seq: Seq): void
  /** Notifies all watchers of a thread that it was removed: here, and soon elsewhere. */
  removed(thread: string): void
  /** Resolves when everything is announced. */
  end(): Promise<void>
}

/** The time between two polls, in milliseconds. */
const period = 1000
/** A payload has less than 8,000 bytes; a thread with a longer name is found by the next poll. */
const payloadLimit = 7900

/** Watchers of the threads of a database. */
export function createChangeFeed(database: Database, leases: Leases): ChangeFeed {
  const { s, run, config } = database
  const channel = `loom_${config.schema}`
  /** The seq that the watchers of a thread know, and the number of its row at the last poll: a new thread of the same name may be as long. */
  const notified = new Map<string, { readonly seq: Seq; readonly number: unknown }>()
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let signed = Number.NEGATIVE_INFINITY
  const notify = (thread: string, seq: Seq, number: unknown = notified.get(thread)?.number): void => {
    if (!watchers.isWatched(thread)) return
    const known = notified.get(thread)
    notified.set(thread, { seq, number })
    if (known?.seq !== seq || (known.number ?? number) !== number) watchers.notify(thread, seq)
  }
  const receive = (text: string): void => {
    const [, seq, thread] = /^(\d+) (.*)$/s.exec(text) ?? []
    if (thread !== undefined) notify(thread, Number(seq))
  }
  const read = async (): Promise<void> => {
    await database.listen(channel, receive)
    const watched = watchers.watched()
    for (const thread of notified.keys()) if (!watchers.isWatched(thread)) notified.delete(thread)
    // Writers find the driver of a thread by its row. An object that watches the threads of other drivers has to sign up.
    if (performance.now() - signed >= heartbeatInterval && watched.some((thread) => !leases.holds(thread))) {
      await leases.listen()
      signed = performance.now()
    }
    const rows = await run(`select id, name, seq from ${s}.threads where seq > 0 and name = any($1::text[])`, [arrayOf(watched)])
    const gone = new Set(watched)
    for (const { name } of rows) gone.delete(String(name))
    for (const { id, name, seq } of rows) notify(String(name), Number(seq), id)
    // A thread that is not there was removed, before this poll or since the last one, or has not begun.
    for (const thread of gone) notify(thread, 0)
  }
  /** Reads the heads of the watched threads; one poll at a time. The next poll makes up for one that fails. */
  const poll = (): void => {
    if (isPolling) return
    isPolling = true
    const done = (): void => {
      isPolling = false
    }
    read().then(done, done)
  }
  const watchers = createWatchers((any) => {
    clearInterval(timer)
    notified.clear()
    if (!any) return
    timer = setInterval(poll, period)
    poll()
  })
  const { announce, end } = createAnnouncer(database, channel)
  const removed = (thread: string): void => {
    notify(thread, 0)
    announce(thread, 0)
  }
  return { add: watchers.add, clear: watchers.clear, notify, announce, removed, end }
}

/** Sends announcements in groups: what comes while a statement is under way is the next statement. */
function createAnnouncer({ run }: Database, channel: string): Pick<ChangeFeed, 'announce' | 'end'> {
  const send = createGrouping<{ readonly thread: string; readonly seq: Seq }, unknown>({ items: 512, atOnce: 1 }, (items) => {
    const texts = items.map(({ thread, seq }) => `${seq} ${thread}`)
    return run(`select pg_notify('${channel}', x) from unnest($1::text[]) x`, [arrayOf(texts)])
  })
  let announced: Promise<unknown> = Promise.resolve()
  return {
    announce(thread, seq) {
      if (Buffer.byteLength(thread) > payloadLimit) return
      // What is lost here is found by the next poll.
      announced = send({ thread, seq }).catch(() => {})
    },
    async end() {
      await announced
    },
  }
}
