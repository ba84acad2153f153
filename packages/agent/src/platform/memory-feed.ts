/** The feed of the journal in memory: every commit and removal by its position. What runs need of it; `read-memory-feed.ts` has the rest. */
import type { FeedEntry, Summary } from '@loom-agent/kernel'

/** What the feed needs to know of a thread. `row` distinguishes it from a removed thread of the same id. */
export type FeedThread = Readonly<{ thread: string; incarnation: string; seq: number; row: object; summary: Summary }>
/** An entry as it is kept. */
export type Positioned = Readonly<{ position: number; kind: FeedEntry['kind'] }> & Omit<FeedThread, 'summary'>

/** The feed of a journal. */
export interface MemoryFeed {
  /** Returns the thread that has an id now. */
  readonly find: (thread: string) => FeedThread | undefined
  entries: Positioned[]
  /** The position of the last entry. */
  last: number
  /** How many entries the last compaction left. */
  compacted: number
  /** The position of the last removal that is no longer kept. */
  dropped: number
  /** Made when the feed is read first: a journal that only runs use needs no randomness. */
  id: string | undefined
}

/** A feed without entries. */
export const createMemoryFeed = (find: MemoryFeed['find']): MemoryFeed => ({ find, entries: [], last: 0, compacted: 0, dropped: 0, id: undefined })

/** Records a commit to a thread, or its removal. */
export function addToFeed(feed: MemoryFeed, kind: FeedEntry['kind'], { thread, incarnation, seq, row }: FeedThread): void {
  feed.last += 1
  feed.entries.push({ position: feed.last, kind, thread, incarnation, seq, row })
}
