/**
 * Notifies watchers: at once of what this object appends, after a moment of what other connections append.
 *
 * SQLITE-4. There is a timer only while a thread is watched. It keeps the process alive, because a process that waits for another one may have
 *           nothing else to do.
 */
import { orUndefined } from '../storage/or-undefined.ts'
import { createWatchers, type Watchers } from '../storage/watchers.ts'
import { headOf } from './heads.ts'
import type { HeadRow, Tables } from './tables.ts'

/** Watchers that are notified of the appends of other connections, too. */
export interface ChangeFeed extends Pick<Watchers, 'add' | 'clear'> {
  /** Notifies the watchers of a thread that this object has appended to. */
  appended(head: HeadRow | undefined): void
  /** Notifies the watchers of a thread that this object has removed. */
  removed(thread: string): void
}

/** The time between two polls for commits of other connections, in milliseconds. */
const period = 25

/** Whether a thread has events. */
const isThere = (head: HeadRow | undefined): head is HeadRow => head !== undefined && head.end.seq > 0

/** The head of a thread, where it can be read at once. */
const found = (tables: Tables, thread: string): HeadRow | undefined => orUndefined(() => tables.reading(() => headOf(tables, thread)))

/** Makes a change feed without watchers. */
export function createChangeFeed(tables: Tables): ChangeFeed {
  /** The head that the watchers of a thread know, with its incarnation: a new thread of the same name may be as long. */
  const known = new Map<string, string>()
  /** The watched threads that were there when they were last looked at: when they are gone, their watchers are notified. */
  const present = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let seen = -1
  const notify = (head: HeadRow | undefined): void => {
    if (!isThere(head) || !watchers.isWatched(head.name)) return
    const { name, incarnation, end } = head
    present.add(name)
    const mark = `${end.seq} ${incarnation}`
    if (known.get(name) === mark) return
    known.set(name, mark)
    watchers.notify(name, end.seq)
  }
  const removed = (thread: string): void => {
    known.delete(thread)
    if (present.delete(thread)) watchers.notify(thread, 0)
  }
  const look = (thread: string): void => {
    const head = headOf(tables, thread)
    if (isThere(head)) notify(head)
    else removed(thread)
  }
  const poll = (): void => {
    try {
      const current = tables.version()
      if (current === seen) return
      tables.reading(() => {
        for (const thread of watchers.watched()) look(thread)
      })
      seen = current
    } catch {
      // What cannot be read now is read by the next poll.
    }
  }
  const watchers = createWatchers((any) => {
    clearInterval(timer)
    known.clear()
    present.clear()
    if (!any) return
    // A new watcher is notified of where the thread is.
    seen = -1
    timer = setInterval(poll, period)
  })
  return {
    add(thread, hint) {
      const stop = watchers.add(thread, hint)
      if (isThere(tables.heads.get(thread) ?? found(tables, thread))) present.add(thread)
      return () => {
        stop()
        if (watchers.isWatched(thread)) return
        known.delete(thread)
        present.delete(thread)
      }
    },
    appended: notify,
    removed,
    clear: watchers.clear,
  }
}
