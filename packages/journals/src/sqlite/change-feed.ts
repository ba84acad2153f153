/**
 * Notifies watchers: at once of what this object appends, after a moment of what other connections append.
 *
 * SQLITE-4. There is a timer only while a thread is watched. It keeps the process alive, because a process that waits for another one may have
 *           nothing else to do.
 */
import { createWatchers, type Watchers } from '../storage/watchers.ts'
import type { Tables } from './tables.ts'

/** The time between two polls for commits of other connections, in milliseconds. */
const period = 25

/** Watchers that are notified of the appends of other connections, too. */
export function createChangeFeed({ get, version }: Tables): Watchers {
  const notified = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let seen = -1
  const notifyOnce = (thread: string, seq: number): void => {
    notified.set(thread, seq)
    watchers.notify(thread, seq)
  }
  const poll = (): void => {
    try {
      const current = version()
      if (current === seen) return
      for (const thread of watchers.watched()) {
        const sql = 'select max(last) as seq from batches where thread = (select id from threads where name = ?)'
        const seq = get(sql, thread)?.['seq']
        if (typeof seq === 'number' && seq !== notified.get(thread)) notifyOnce(thread, seq)
      }
      seen = current
    } catch {
      // What cannot be read now is read by the next poll.
    }
  }
  const watchers = createWatchers((any) => {
    clearInterval(timer)
    notified.clear()
    if (!any) return
    // A new watcher is notified of where the thread is.
    seen = -1
    timer = setInterval(poll, period)
  })
  return {
    ...watchers,
    add(thread, hint) {
      const stop = watchers.add(thread, hint)
      return () => {
        stop()
        if (!watchers.isWatched(thread)) notified.delete(thread)
      }
    },
    notify(thread, seq) {
      if (watchers.isWatched(thread)) notifyOnce(thread, seq)
    },
  }
}
