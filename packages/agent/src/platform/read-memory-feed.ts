/**
 * Reading the feed of the journal in memory, and recording removals. Loaded on use: runs do neither.
 *
 * MEMORY-1. Of removals, the feed keeps the newest. A cursor from before one that it has dropped is stale.
 * MEMORY-2. A cursor names the feed that it is of: that of another journal, such as one of a process that has ended, is stale (JOURNAL-16).
 */
import { type FeedEntry, type FeedPage, type FeedRange, type Summary, staleCursor } from '@loom-agent/kernel'
import { firstIndex } from './first-index.ts'
import { addToFeed, type FeedThread, type MemoryFeed, type Positioned } from './memory-feed.ts'

/** The cursor before all entries. */
const startOfFeed = '0'
/** Entries that a page holds if no limit is given. */
const pageSize = 512
/** Above this many removals, the older half is dropped. */
const removalLimit = 10_000
/** How many entries more than after the last compaction are no reason for the next. */
const slack = 512

/** Records the removal of a thread. */
export function noteRemoval(feed: MemoryFeed, thread: FeedThread): void {
  addToFeed(feed, 'removed', thread)
  // Each compaction looks at all entries, so it waits until there are twice as many: an entry is looked at twice on average.
  if (feed.entries.length > 2 * feed.compacted + slack) compact(feed)
}

/** Drops the commits of removed threads, and of too many removals the older half. */
function compact(feed: MemoryFeed): void {
  const recorded = feed.entries.filter(({ kind }) => kind === 'removed')
  const surplus = recorded.length > removalLimit ? recorded.slice(0, -removalLimit / 2) : []
  feed.dropped = surplus.at(-1)?.position ?? feed.dropped
  feed.entries = feed.entries.filter((entry) => (entry.kind === 'removed' ? entry.position > feed.dropped : summaryOf(feed, entry)))
  feed.compacted = feed.entries.length
}

/** A page of the feed. */
export function feedPage(feed: MemoryFeed, { from = startOfFeed, limit = pageSize }: FeedRange): FeedPage {
  const { entries, last, dropped } = feed
  const after = Number.parseInt(from, 10)
  if (from !== cursorOf(feed, after) || after > last || (after > 0 && after < dropped)) throw staleCursor(from)
  const begin = firstIndex(entries, ({ position }) => position <= after)
  const looked = entries.slice(begin, begin + Math.max(1, limit))
  const cursor = cursorOf(feed, looked.at(-1)?.position ?? after)
  return { entries: looked.flatMap((entry) => shown(feed, entry)), cursor, isEnd: begin + looked.length === entries.length }
}

function cursorOf(feed: MemoryFeed, position: number): string {
  if (position === 0) return startOfFeed
  feed.id ??= crypto.randomUUID().slice(0, 8)
  return `${position}-${feed.id}`
}

function summaryOf({ find }: MemoryFeed, { thread, row }: Positioned): Summary | undefined {
  const found = find(thread)
  return found?.row === row ? found.summary : undefined
}

/** The entry as readers see it; none for a commit of a thread that was removed. */
function shown(feed: MemoryFeed, kept: Positioned): readonly FeedEntry[] {
  const { kind, thread, incarnation, seq } = kept
  const entry = { position: cursorOf(feed, kept.position), thread, incarnation, seq }
  if (kind === 'removed') return [{ ...entry, kind }]
  const summary = summaryOf(feed, kept)
  return summary ? [{ ...(JSON.parse(JSON.stringify(summary)) as Summary), ...entry, kind }] : []
}
