/**
 * Reading the feed of the journal in memory, and recording removals. Loaded on use: runs do neither.
 *
 * MEMORY-1. Of removals, the feed keeps the newest. A cursor from before one that it has dropped is stale.
 * MEMORY-2. A cursor names the feed that it is of: that of another journal, such as one of a process that has ended, is stale (JOURNAL-16).
 */
import { type FeedEntry, type FeedPage, type FeedRange, type Summary, staleCursor } from '@loom-agent/kernel'
import { firstIndex } from './first-index.ts'
import { addToFeed, type FeedRow, type FeedThread, type MemoryFeed } from './memory-feed.ts'

/** The cursor before all entries. */
const startOfFeed = '0'
/** Entries that a page holds if no limit is given. */
const pageSize = 512
/** Above this many removals, the older half is dropped. */
const removalLimit = 10_000
/** How many entries more than after the last compaction are no reason for the next. */
const slack = 512

/** Records the removal of a thread. */
export function noteRemoval(feed: MemoryFeed, { row: { thread, incarnation }, seq }: FeedThread): void {
  addToFeed(feed, { thread, incarnation, isRemoval: true }, seq)
  // Each compaction looks at all entries, so it waits until there are twice as many: an entry is looked at twice on average.
  if (feed.positions.length > 2 * feed.compacted + slack) compact(feed)
}

/** Drops the commits of removed threads, and of too many removals the older half. */
function compact(feed: MemoryFeed): void {
  const { positions, rows, seqs } = feed
  const removals = positions.filter((_, index) => rows[index]?.isRemoval)
  const surplus = removals.length > removalLimit ? removals.slice(0, -removalLimit / 2) : []
  const dropped = surplus.at(-1) ?? feed.dropped
  const kept = rows.map((row, index) => (row.isRemoval ? (positions[index] ?? 0) > dropped : summaryOf(feed, row) !== undefined))
  const isKept = (_: unknown, index: number): boolean => kept[index] === true
  Object.assign(feed, { dropped, positions: positions.filter(isKept), rows: rows.filter(isKept), seqs: seqs.filter(isKept) })
  feed.compacted = feed.positions.length
}

/** A page of the feed. */
export function feedPage(feed: MemoryFeed, { from = startOfFeed, limit = pageSize }: FeedRange): FeedPage {
  const { positions, last, dropped } = feed
  const after = Number.parseInt(from, 10)
  if (from !== cursorOf(feed, after) || after > last || (after > 0 && after < dropped)) throw staleCursor(from)
  const begin = firstIndex(positions, (position) => position <= after)
  const looked = positions.slice(begin, begin + Math.max(1, limit))
  const cursor = cursorOf(feed, looked.at(-1) ?? after)
  return { entries: looked.flatMap((_, index) => shown(feed, begin + index)), cursor, isEnd: begin + looked.length === positions.length }
}

function cursorOf(feed: MemoryFeed, position: number): string {
  if (position === 0) return startOfFeed
  feed.id ??= crypto.randomUUID().slice(0, 8)
  return `${position}-${feed.id}`
}

function summaryOf({ find }: MemoryFeed, row: FeedRow): Summary | undefined {
  const found = find(row.thread)
  return found?.row === row ? found.summary : undefined
}

/** The entry as readers see it; none for a commit of a thread that was removed. */
function shown(feed: MemoryFeed, index: number): readonly FeedEntry[] {
  const row = feed.rows[index] as FeedRow
  const { thread, incarnation } = row
  const entry = { position: cursorOf(feed, feed.positions[index] as number), thread, incarnation, seq: feed.seqs[index] as number }
  if (row.isRemoval) return [{ ...entry, kind: 'removed' }]
  const summary = summaryOf(feed, row)
  return summary ? [{ ...(JSON.parse(JSON.stringify(summary)) as Summary), ...entry, kind: 'changed' }] : []
}
