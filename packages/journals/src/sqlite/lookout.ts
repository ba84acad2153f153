/**
 * Hints: at once of what this object appends, after a moment of what others do.
 *
 * SQLITE-5. There is a timer only while somebody watches. It keeps the process alive: whoever waits for another process has nothing else to wait for.
 */
import { createWatchers, type Watchers } from '../watchers.ts'
import type { Tables } from './tables.ts'

/** How often others are looked out for, in milliseconds. */
const period = 25

/** Watchers who are also told of what other connections append. */
export function createLookout({ get, version }: Tables): Watchers {
  const told = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let seen = -1
  const tell = (thread: string, seq: number): void => {
    told.set(thread, seq)
    watchers.tell(thread, seq)
  }
  const look = (): void => {
    try {
      const current = version()
      if (current === seen) return
      for (const thread of watchers.watched()) {
        const sql = 'select max(last) as seq from batches where thread = (select id from threads where name = ?)'
        const seq = get(sql, thread)?.['seq']
        if (typeof seq === 'number' && seq !== told.get(thread)) tell(thread, seq)
      }
      seen = current
    } catch {
      // What cannot be read now is looked at again.
    }
  }
  const watchers = createWatchers((any) => {
    clearInterval(timer)
    told.clear()
    if (!any) return
    // Whoever begins to watch is told where the thread is.
    seen = -1
    timer = setInterval(look, period)
  })
  return {
    ...watchers,
    add(thread, hint) {
      const stop = watchers.add(thread, hint)
      return () => {
        stop()
        if (!watchers.isWatched(thread)) told.delete(thread)
      }
    },
    tell(thread, seq) {
      if (watchers.isWatched(thread)) tell(thread, seq)
    },
  }
}
