/** Reads the feed of a journal, for tests. */
import type { FeedEntry, Journal } from '@loom-agent/kernel'

/** An entry in short. */
export const shortOf = ({ kind, thread, seq }: FeedEntry): string => `${kind === 'removed' ? '-' : ''}${thread}@${seq}`

/** A reader that remembers where it was. */
export interface FeedReader {
  readonly seen: FeedEntry[]
  cursor: string | undefined
  /** Reads to the end, and returns what was new. */
  read(journal: Journal): Promise<readonly string[]>
}

/** A reader at the start, or after a cursor. */
export function feedReader(from?: string): FeedReader {
  const reader: FeedReader = {
    seen: [],
    cursor: from,
    async read(journal) {
      const before = reader.seen.length
      for (let isEnd = false; !isEnd; ) {
        const page = await journal.feed({ from: reader.cursor, limit: 7 })
        reader.seen.push(...page.entries)
        reader.cursor = page.cursor
        isEnd = page.isEnd
      }
      return reader.seen.slice(before).map(shortOf)
    },
  }
  return reader
}

/** Reads again and again while a work is under way, and once after it. */
export async function readDuring(journal: Journal, work: Promise<unknown>): Promise<FeedReader> {
  const reader = feedReader()
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  for (let isLast = false; !isLast; ) {
    isLast = isOver
    await reader.read(journal)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await over
  return reader
}

/** The seqs of a thread in the order in which they were read. */
export const seqsOf = ({ seen }: FeedReader, thread: string): readonly number[] =>
  seen.filter((entry) => entry.thread === thread).map(({ seq }) => seq)
