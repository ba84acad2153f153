/** The feed of the journal in memory: every commit and removal by its position. What runs need of it; `read-memory-feed.ts` has the rest. */
import type { Summary } from '@loom-agent/kernel'

/** A thread, as entries of the feed name it: another one than a removed thread of the same id. */
export interface FeedRow {
  readonly thread: string
  incarnation: string
  /** Set in entries of removals. */
  readonly isRemoval?: true
}

/** What the feed needs to know of a thread. */
export type FeedThread = Readonly<{ incarnation: string; seq: number; row: FeedRow; summary: Summary }>

/** The feed of a journal. Its entries are kept in columns: every commit adds one, and columns take no object for each. */
export interface MemoryFeed {
  /** Returns the thread that has an id now. */
  readonly find: (thread: string) => FeedThread | undefined
  /** The positions of the entries. */
  positions: number[]
  /** Their threads. */
  rows: FeedRow[]
  /** The seqs that their threads had then. */
  seqs: number[]
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
export const createMemoryFeed = (find: MemoryFeed['find']): MemoryFeed => {
  return { find, positions: [], rows: [], seqs: [], last: 0, compacted: 0, dropped: 0, id: undefined }
}

/** Records a commit to a thread, or its removal. */
export function addToFeed(feed: MemoryFeed, row: FeedRow, seq: number): void {
  feed.last += 1
  feed.positions.push(feed.last)
  feed.rows.push(row)
  feed.seqs.push(seq)
}
