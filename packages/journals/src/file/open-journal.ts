/** Opens and closes a journal, and holds what its parts share. */
import { compareHeads, matches, type ThreadQuery } from '@loom-agent/kernel'
import type { Watchers } from '../storage/watchers.ts'
import { openAnchors } from './anchors.ts'
import { diskError } from './disk-error.ts'
import { type Feed, openFeed } from './feed.ts'
import type { FeedIndex } from './feed-index.ts'
import { fileNameOf } from './file-name.ts'
import { type Folder, type FolderOptions, stemsIn } from './folder.ts'
import { dropState, freshFile, learnFile, repair, type ThreadFile } from './thread-file.ts'
import { upgradeFolder } from './upgrade.ts'

/** An open journal. */
export interface OpenJournal {
  readonly folder: Folder
  /** The files by their stems: those that were used, and all of them once the threads were listed. */
  readonly files: Map<string, ThreadFile>
  listing: Promise<void> | undefined
  /** The threads in the order of their names; undefined when it has to be made anew. */
  order: readonly ThreadFile[] | undefined
  /** The files whose state is in memory, the least recently used first. */
  readonly recent: Set<ThreadFile>
  readonly feed: Feed
  /** The index of the feed: while it is made, and from then on. */
  indexing: Promise<FeedIndex> | undefined
  index: FeedIndex | undefined
  readonly watchers: Watchers
  /** Runs the starts of forks and the removals of threads one after the other: each sees the result of the other (JOURNAL-7). */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs removals of many threads one after the other: each waits for all of its threads, and two could wait for each other. */
  readonly removing: <T>(work: () => Promise<T>) => Promise<T>
  /** Unlocks the folder. */
  readonly unlock: () => Promise<void>
}

/** How many states are kept in memory, with an open file each, beyond those in use. */
const kept = 128
/** How many files are read at the same time when threads are listed. */
const atOnce = 16

/** Locks a folder and upgrades it to the present format. Threads are read at their first use. */
export async function openJournal(options: FolderOptions, watchers: Watchers): Promise<OpenJournal> {
  const { disk, path } = options
  await disk.makeFolder(path)
  const unlock = await disk.lock(path)
  try {
    // Files of a killed process may not have a durable name yet.
    await disk.syncFolder(path)
    const folder = { ...options, anchors: await openAnchors(disk, path) }
    const feed = await openFeed(folder, () => upgradeFolder(folder))
    const empty = { files: new Map(), listing: undefined, order: undefined, recent: new Set<ThreadFile>(), indexing: undefined, index: undefined }
    return { folder, ...empty, feed, watchers, exclusive: createQueue(), removing: createQueue(), unlock }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Learns the heads of all threads, at the first call. */
export function learnAll(journal: OpenJournal): Promise<void> {
  journal.listing ??= learnFiles(journal).catch((error: unknown) => {
    journal.listing = undefined
    throw error
  })
  return journal.listing
}

async function learnFiles(journal: OpenJournal): Promise<void> {
  const stems = await stemsIn(journal.folder)
  for (let begin = 0; begin < stems.length; begin += atOnce) {
    const files = stems.slice(begin, begin + atOnce).map((stem) => fileOf(journal, stem))
    await Promise.all(files.map((file) => useFile(journal, file, () => learnFile(journal.folder, file))))
  }
  journal.order = undefined
}

function createQueue(): OpenJournal['exclusive'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** The file with this stem; a new one if there is none. */
export function fileOf({ files }: OpenJournal, stem: string): ThreadFile {
  const file = files.get(stem) ?? freshFile(stem)
  files.set(stem, file)
  return file
}

/** Uses the file of a thread, which need not exist. */
export function useThread<T>(journal: OpenJournal, thread: string, work: (file: ThreadFile) => Promise<T>): Promise<T> {
  const file = fileOf(journal, fileNameOf(thread))
  return useFile(journal, file, () => work(file))
}

/** Uses a file: its state is not dropped from memory meanwhile. */
export async function useFile<T>(journal: OpenJournal, file: ThreadFile, work: () => Promise<T>): Promise<T> {
  file.users += 1
  try {
    return await work()
  } finally {
    file.users -= 1
    trim(journal, file)
  }
}

function trim({ files, recent }: OpenJournal, used: ThreadFile): void {
  recent.delete(used)
  if (used.state) recent.add(used)
  const isIdle = ({ users, state }: ThreadFile): boolean => users === 0 && !state?.isSuspect
  for (const file of recent.size > kept ? [...recent] : []) {
    // Only the state of a suspect file says what the file should hold.
    if (recent.size <= kept || !isIdle(file)) continue
    void dropState(file)
    recent.delete(file)
  }
  if (!isIdle(used) || used.head || used.damage) return
  // There is no such thread.
  void dropState(used)
  recent.delete(used)
  files.delete(used.stem)
}

const inOrderOf =
  (query: ThreadQuery) =>
  (one: ThreadFile, other: ThreadFile): number =>
    one.head && other.head ? compareHeads(one.head, other.head, query) : 0

/** The threads that a query asks for. */
export async function listThreads(journal: OpenJournal, query: ThreadQuery): Promise<readonly ThreadFile[]> {
  await learnAll(journal)
  const byId = (): readonly ThreadFile[] => [...journal.files.values()].filter(({ head }) => head).sort(inOrderOf({}))
  journal.order ??= byId()
  const all = query.sort === undefined || query.sort === 'id' ? journal.order : journal.order.toSorted(inOrderOf(query))
  const found: ThreadFile[] = []
  for (const file of all) {
    if (found.length >= (query.limit ?? Number.POSITIVE_INFINITY)) break
    if (file.head && file.head.seq > 0 && matches(file.head, query)) found.push(file)
  }
  return found
}

/** Finishes all operations and unlocks the folder, even if something fails. */
export async function closeJournal({ folder, files, unlock }: OpenJournal): Promise<void> {
  const endings = await Promise.allSettled([...files.values()].map((file) => closeFile(folder, file)))
  await folder.anchors.close()
  const unlocked = await Promise.allSettled([unlock()])
  for (const ended of [...endings, ...unlocked]) {
    if (ended.status === 'rejected') throw diskError(ended.reason, 'The journal could not be closed properly')
  }
}

async function closeFile(folder: Folder, file: ThreadFile): Promise<void> {
  while (file.flushing ?? file.working) await (file.flushing ?? file.working)
  const { state } = file
  if (state) await repair(folder, file, state).finally(() => dropState(file))
}
