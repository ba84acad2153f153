/** The index of the feed in memory: where the commits of all threads and the removals are, by their positions. */
import type { Seq } from '@loom-agent/kernel'
import type { Removal } from './feed.ts'
import type { ThreadFile } from './thread-file.ts'

/** A commit: its position, the seq of its last event, and the part of the hash of its line that its cursor holds. */
export type Commit = Readonly<{ position: number; seq: Seq; check: string }>
/** An entry of the index. */
export type Indexed = Readonly<{ position: number; seq: Seq; check?: string; file?: ThreadFile; removal?: Removal }>

/** The commits and removals of a folder in the order of their positions. */
export interface FeedIndex {
  /** Adds commits of a thread that were acknowledged now. */
  add(file: ThreadFile, commits: readonly Commit[]): void
  /** Adds what the folder held before. */
  load(entries: readonly Indexed[]): void
  /** Replaces the commits of threads by their removals. */
  remove(files: readonly ThreadFile[], removals: readonly Removal[]): void
  /** The first entries after a position, and the one at it. */
  from(position: number, limit: number): { readonly at: Indexed | undefined; readonly after: readonly Indexed[] }
  /** The removals after a position. */
  removalsAfter(position: number): readonly Removal[]
}

/** An index without entries. */
export function createIndex(): FeedIndex {
  let entries: Indexed[] = []
  const insert = (entry: Indexed): void => {
    // Commits of different threads are acknowledged out of order, but close to each other.
    let place = entries.length
    while (place > 0 && (entries[place - 1]?.position ?? 0) > entry.position) place -= 1
    entries.splice(place, 0, entry)
  }
  return {
    add(file, commits) {
      for (const commit of commits) insert({ ...commit, file })
    },
    load(loaded) {
      const live = entries
      entries = [...loaded].sort((a, b) => a.position - b.position)
      for (const entry of live) insert(entry)
    },
    remove(files, removals) {
      const removed = new Set(files)
      entries = entries.filter(({ file }) => !file || !removed.has(file))
      for (const removal of removals) insert({ position: removal.position, seq: removal.seq ?? 0, removal })
    },
    from(position, limit) {
      const first = placeOf(entries, position)
      const at = entries[first]?.position === position ? entries[first] : undefined
      const begin = at ? first + 1 : first
      return { at, after: entries.slice(begin, begin + limit) }
    },
    removalsAfter: (position) => entries.slice(placeOf(entries, position + 1)).flatMap(({ removal }) => removal ?? []),
  }
}

/** Where the first entry at a position or after it is, found by bisection. */
function placeOf(entries: readonly Indexed[], position: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.position ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}
