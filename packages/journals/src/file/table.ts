/** The thread table: the heads of all threads. It is built from the ends of the files at its first use. */
import { matches, type ThreadQuery } from '@loom-agent/kernel'
import { type Folder, stemsIn } from './folder.ts'
import type { StoredHead } from './scan.ts'

/** The thread table of a folder. */
export interface Table {
  list(query: ThreadQuery): Promise<readonly StoredHead[]>
  /** The head of a thread, and one of its forks, if there are any. */
  find(thread: string): Promise<{ readonly head: StoredHead | undefined; readonly fork: string | undefined }>
  /** Sets the head of a thread that has changed, or undefined for one that is removed. */
  set(thread: string, head: StoredHead | undefined): void
  /** Forgets the head of a thread, and whether it exists. */
  forget(thread: string): void
}

/** Returns the head of the thread with this file; undefined if it is the file of no thread, which it has reported. */
export type FindHead = (stem: string) => Promise<StoredHead | undefined>

/** The table of a folder. */
export function createTable(folder: Folder, findHead: FindHead): Table {
  /** What has changed since the journal was opened: newer than what is read from the files. */
  const changes = new Map<string, StoredHead | undefined>()
  let loading: Promise<Map<string, StoredHead>> | undefined
  let rows: Map<string, StoredHead> | undefined
  let order: readonly string[] | undefined
  const put = (thread: string, head: StoredHead | undefined): void => {
    if (rows?.has(thread) !== (head !== undefined)) order = undefined
    if (head) rows?.set(thread, head)
    else rows?.delete(thread)
  }
  const load = async (): Promise<Map<string, StoredHead>> => {
    const read = await readRows(folder, findHead)
    rows = read
    for (const [thread, head] of changes) put(thread, head)
    return read
  }
  const loaded = (): Promise<Map<string, StoredHead>> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    async list(query) {
      const known = await loaded()
      order ??= [...known.keys()].sort((a, b) => (a < b ? -1 : 1))
      const found: StoredHead[] = []
      for (const thread of order) {
        if (found.length >= (query.limit ?? Number.POSITIVE_INFINITY)) break
        const head = known.get(thread)
        if (head && head.seq > 0 && matches(head, query)) found.push(head)
      }
      return found
    },
    async find(thread) {
      const known = await loaded()
      let fork: string | undefined
      for (const head of known.values()) if (head.forkOf?.thread === thread) fork ??= head.thread
      return { head: known.get(thread), fork }
    },
    set(thread, head) {
      changes.set(thread, head)
      put(thread, head)
    },
    forget(thread) {
      changes.delete(thread)
      loading = undefined
      rows = undefined
      order = undefined
    },
  }
}

/** How many files are read at the same time. */
const atOnce = 16

async function readRows(folder: Folder, findHead: FindHead): Promise<Map<string, StoredHead>> {
  const stems = await stemsIn(folder)
  const rows = new Map<string, StoredHead>()
  for (let begin = 0; begin < stems.length; begin += atOnce) {
    const heads = await Promise.all(stems.slice(begin, begin + atOnce).map(findHead))
    for (const head of heads) if (head) rows.set(head.thread, head)
  }
  return rows
}
