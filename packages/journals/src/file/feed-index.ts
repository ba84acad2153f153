/** The index of the feed in memory: where the commits of all threads and the removals are, by their positions. */
import type { Seq } from '@loom-agent/kernel'
import type { Removal } from './feed.ts'
import type { ThreadFile } from './thread-file.ts'

/** A commit: its position, and the seq of its last event. */
export type Commit = Readonly<{ position: number; seq: Seq }>
/** An entry of the index. */
export type Indexed = Readonly<{ position: number; seq: Seq; file?: ThreadFile; removal?: Removal }>

/** The commits and removals of a folder in the order of their positions. */
export interface FeedIndex {
  /** Adds commits of a thread that were acknowledged now. */
  add(file: ThreadFile, commits: readonly Commit[]): void
  /** Adds what the folder held before. */
  load(entries: readonly Indexed[]): void
  /** Replaces the commits of a thread by its removal. */
  remove(file: ThreadFile, removal: Removal): void
  /** The first entries after a position, and the one at it. */
  from(position: number, limit: number): { readonly at: Indexed | undefined; readonly after: readonly Indexed[] }
  /** Whether there was a removal after a position. */
  removedSince(position: number): boolean
}

/** An index without entries. */
export function createIndex(): FeedIndex {
  let entries: Indexed[] = []
  let lastRemoval = 0
  const insert = (entry: Indexed): void => {
    // Commits of different threads are acknowledged out of order, but close to each other.
    let place = entries.length
    while (place > 0 && (entries[place - 1]?.position ?? 0) > entry.position) place -= 1
    entries.splice(place, 0, entry)
    if (entry.removal) lastRemoval = Math.max(lastRemoval, entry.position)
  }
  return {
    add(file, commits) {
      for (const commit of commits) insert({ ...commit, file })
    },
    load(loaded) {
      const live = entries
      entries = [...loaded].sort((a, b) => a.position - b.position)
      for (const { removal, position } of entries) if (removal) lastRemoval = position
      for (const entry of live) insert(entry)
    },
    remove(file, removal) {
      entries = entries.filter((entry) => entry.file !== file)
      insert({ position: removal.position, seq: removal.seq ?? 0, removal })
    },
    from(position, limit) {
      let low = 0
      let high = entries.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((entries[middle]?.position ?? 0) < position) low = middle + 1
        else high = middle
      }
      const at = entries[low]?.position === position ? entries[low] : undefined
      const begin = at ? low + 1 : low
      return { at, after: entries.slice(begin, begin + limit) }
    },
    removedSince: (position) => lastRemoval > position,
  }
}
