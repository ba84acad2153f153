/**
 * The feed of the journal in memory: every commit and removal by its position.
 *
 * MEMORY-1. Of removals, the feed keeps the newest. A cursor from before one that it has dropped is stale.
 * MEMORY-2. A cursor names the feed that it is of: that of another journal, such as one of a process that has ended, is stale (JOURNAL-16).
 */
import { type FeedEntry, type FeedPage, type FeedRange, type Summary, staleCursor } from '@loom-agent/kernel'
import { firstIndex } from './first-index.ts'

/** What the feed needs to know of a thread. `row` distinguishes it from a removed thread of the same id. */
export type FeedThread = Readonly<{ thread: string; incarnation: string; seq: number; row: object; summary: Summary }>
type Positioned = Readonly<{ position: number; kind: FeedEntry['kind'] }> & Omit<FeedThread, 'summary'>

/** The feed of a journal. */
export interface MemoryFeed {
  /** Records a commit to a thread. */
  changed(thread: FeedThread): void
  /** Records the removal of a thread. */
  removed(thread: FeedThread): void
  /** A page of the feed. */
  page(range: FeedRange): FeedPage
}

/** The cursor before all entries. */
const startOfFeed = '0'
/** Entries that a page holds if no limit is given. */
const pageSize = 512
/** Above this many removals, the older half is dropped. */
const removalLimit = 10_000
/** How many entries more than after the last compaction are no reason for the next. */
const slack = 512

/** A feed without entries. `find` returns the thread that has an id now. */
export function createMemoryFeed(find: (thread: string) => FeedThread | undefined): MemoryFeed {
  let entries: Positioned[] = []
  let last = 0
  let compacted = 0
  let dropped = 0
  let id: string | undefined
  const cursorOf = (position: number): string => {
    if (position === 0) return startOfFeed
    // Made when the feed is read first: a journal that only runs use needs no randomness.
    id ??= crypto.randomUUID().slice(0, 8)
    return `${position}-${id}`
  }
  const add = (kind: FeedEntry['kind'], { thread, incarnation, seq, row }: FeedThread): void => {
    last += 1
    entries.push({ position: last, kind, thread, incarnation, seq, row })
  }
  const summaryOf = ({ thread, row }: Positioned): Summary | undefined => {
    const found = find(thread)
    return found?.row === row ? found.summary : undefined
  }
  /** Drops the commits of removed threads, and of too many removals the older half. */
  const compact = (): void => {
    const recorded = entries.filter(({ kind }) => kind === 'removed')
    const surplus = recorded.length > removalLimit ? recorded.slice(0, -removalLimit / 2) : []
    dropped = surplus.at(-1)?.position ?? dropped
    entries = entries.filter((entry) => (entry.kind === 'removed' ? entry.position > dropped : summaryOf(entry)))
    compacted = entries.length
  }
  return {
    changed: (thread) => add('changed', thread),
    removed(thread) {
      add('removed', thread)
      // Each compaction looks at all entries, so it waits until there are twice as many: an entry is looked at twice on average.
      if (entries.length > 2 * compacted + slack) compact()
    },
    page({ from = startOfFeed, limit = pageSize }) {
      const after = Number.parseInt(from, 10)
      if (from !== cursorOf(after) || after > last || (after > 0 && after < dropped)) throw staleCursor(from)
      const begin = firstIndex(entries, ({ position }) => position <= after)
      const looked = entries.slice(begin, begin + Math.max(1, limit))
      const cursor = cursorOf(looked.at(-1)?.position ?? after)
      const shown = looked.flatMap((entry) => entryOf(entry, { cursor: cursorOf(entry.position), summary: summaryOf(entry) }))
      return { entries: shown, cursor, isEnd: begin + looked.length === entries.length }
    },
  }
}

/** The entry as readers see it; none for a commit of a thread that was removed. */
function entryOf(
  { kind, thread, incarnation, seq }: Positioned,
  { cursor, summary }: { cursor: string; summary: Summary | undefined },
): readonly FeedEntry[] {
  const entry = { position: cursor, thread, incarnation, seq }
  if (kind === 'removed') return [{ ...entry, kind }]
  return summary ? [{ ...(JSON.parse(JSON.stringify(summary)) as Summary), ...entry, kind }] : []
}
