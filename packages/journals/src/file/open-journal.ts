/** Opens and closes a journal, and holds what its parts share. */
import type { Watchers } from '../storage/watchers.ts'
import { misnamed } from './damage.ts'
import { type DiskFile, withFile } from './disk.ts'
import { diskError } from './disk-error.ts'
import { createFeed, type Feed, readFeed } from './feed.ts'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder, pathOf } from './folder.ts'
import { format, type Header } from './line.ts'
import { repair } from './repair.ts'
import { type StoredHead, scanFile } from './scan.ts'
import { createTable, type Table } from './table.ts'
import { readHeader, readTail } from './tail.ts'
import { createThreadFiles, type ThreadFile, type ThreadFiles } from './thread-files.ts'
import { upgradeFolder } from './upgrade.ts'

/** An open journal. */
export interface OpenJournal {
  readonly folder: Folder
  readonly files: ThreadFiles
  /** The holder of each thread. There is no holder outside of this process. */
  readonly holders: Map<string, { readonly worker: string; readonly epoch: number }>
  readonly table: Table
  readonly feed: Feed
  readonly watchers: Watchers
  /** Runs the starts of forks and the removals of threads one after the other: each sees the result of the other (JOURNAL-7). */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>
  /** Unlocks the folder. */
  readonly unlock: () => Promise<void>
}

/** Locks a folder and upgrades it to the present format. Threads and the table are read at their first use. */
export async function openJournal(folder: Folder, watchers: Watchers): Promise<OpenJournal> {
  await folder.disk.makeFolder(folder.path)
  const unlock = await folder.disk.lock(folder.path)
  try {
    // Files of a killed process may not have a durable name yet.
    await folder.disk.syncFolder(folder.path)
    const feed = createFeed(folder, (await readFeed(folder)) ?? (await upgradeFolder(folder)))
    const files = createThreadFiles(folder)
    const table = createTable(folder, (stem) => findHead(folder, files, stem))
    return { folder, files, table, watchers, feed, exclusive: createQueue(), holders: new Map(), unlock }
  } catch (error) {
    await unlock()
    throw error
  }
}

function createQueue(): OpenJournal['exclusive'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** The head of a thread, from the end of its file or, if that is not enough, from the whole file. */
function findHead(folder: Folder, files: ThreadFiles, stem: string): Promise<StoredHead | undefined> {
  return withFile(folder.disk.open(pathOf(folder, stem), 'change'), async (opened) => {
    const file = `${stem}${ending}`
    const first = await readHeader(opened)
    const scan = first?.format === format ? undefined : await scanFile(opened, { file })
    const header = scan ? scan.header : first
    if (header && fileNameOf(header.thread) === stem) return files.peek(header.thread, () => readHead(opened, header))
    const damage = header ? misnamed(file, header.thread) : scan?.damage
    if (damage) folder.onDamage(damage)
    return undefined
  })
}

async function readHead(file: DiskFile, header: Header): Promise<StoredHead | undefined> {
  const head = await readTail(file, header)
  // As when a thread is opened: what was not acknowledged yet is made durable before a caller sees it.
  if (head) await file.sync()
  return head
}

/** Finishes all operations and unlocks the folder, even if something fails. */
export async function closeJournal({ folder, files, unlock }: OpenJournal): Promise<void> {
  const endings = await Promise.allSettled(files.all().map((file) => closeFile(folder, file)))
  const unlocked = await Promise.allSettled([unlock()])
  for (const ended of [...endings, ...unlocked]) {
    if (ended.status === 'rejected') throw diskError(ended.reason, 'The journal could not be closed properly')
  }
}

async function closeFile(folder: Folder, file: ThreadFile): Promise<void> {
  while (file.flushing ?? file.working) await (file.flushing ?? file.working)
  const { opened } = file
  if (opened) await repair(folder, opened).finally(() => opened.handle.drop())
}
