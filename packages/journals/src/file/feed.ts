/**
 * The positions of a folder's feed: one for every batch and every removal, over all threads.
 *
 * FILEFEED-1. No position is used twice, also after a crash: positions are durably reserved in blocks, before the first of a block is used.
 * FILEFEED-2. A removal is recorded before the thread is removed.
 *
 * The file of the feed also says that the folder has the present format. It is created when everything in the folder has been upgraded, or by the
 * first write to a new folder.
 */
import { journalError } from '../storage/failure.ts'
import { type Disk, readWhole, withFile, writeAll, writeWhole } from './disk.ts'
import type { Folder } from './folder.ts'
import { format } from './line.ts'

/** The feed of a folder. */
export interface Feed {
  /** Takes a number of positions; returns the first. */
  take(count: number): Promise<number>
  /** Records that a thread is removed. */
  recordRemoval(thread: string, incarnation: string): Promise<void>
}

type FeedLine = { readonly loom?: string; readonly format?: number; readonly reserved?: number; readonly position?: number }
/** The stored part of a feed: how many bytes of its file are good, and the last position that may be in use. */
export type StoredFeed = { readonly size: number; readonly reserved: number }

/** How many positions are reserved at a time. */
const block = 1024
const pathOf = ({ path }: Pick<Folder, 'path'>): string => `${path}/feed`
const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** The stored feed of a folder; undefined if it has none that can be read: it is new, has an older format, or the feed is damaged. */
export async function readFeed(folder: Folder): Promise<StoredFeed | undefined> {
  const bytes = await readWhole(folder.disk, pathOf(folder))
  if (!bytes) return undefined
  const size = bytes.lastIndexOf(10) + 1
  const lines = Buffer.from(bytes.subarray(0, size)).toString().trimEnd().split('\n').map(parsed)
  const [{ loom, format: found } = {}] = lines
  if (loom === 'feed' && found === format) {
    return { size, reserved: lines.reduce((most, { reserved = 0, position = 0 }) => Math.max(most, reserved, position), 0) }
  }
  if (loom === 'feed') {
    const message = `${pathOf(folder)} has format ${found}, and this version of Loom knows ${format}. Open the journal with a newer version.`
    throw journalError('unusable', message, { context: { format: found ?? null } })
  }
  folder.onDamage({ kind: 'damaged', file: 'feed', offset: 0, line: 1, seq: 0, reason: 'it is not a feed; it is created again from the threads' })
  return undefined
}

function parsed(line: string): FeedLine {
  try {
    return JSON.parse(line) as FeedLine
  } catch {
    return {}
  }
}

/** Creates the file of the feed; positions up to `reserved` are in use. */
export async function createFeedFile(folder: Folder, reserved: number): Promise<StoredFeed> {
  const bytes = Buffer.concat([lineOf({ loom: 'feed', format }), lineOf({ reserved })])
  await writeWhole(folder.disk, pathOf(folder), bytes)
  await folder.disk.syncFolder(folder.path)
  return { size: bytes.length, reserved }
}

/** The feed that continues after the stored part. In a folder without a feed, the first write creates it. */
export function createFeed(folder: Folder, stored: StoredFeed = { size: 0, reserved: 0 }): Feed {
  let { size, reserved } = stored
  let given = reserved
  let writing: Promise<unknown> = Promise.resolve()
  const write = (line: object): Promise<void> => {
    const written = writing.then(async () => {
      const bytes = lineOf(line)
      if (size === 0) ({ size } = await createFeedFile(folder, 0))
      await appendTo(folder.disk, pathOf(folder), { size, bytes })
      size += bytes.length
    })
    writing = written.catch(() => {})
    return written
  }
  const extend = async (): Promise<void> => {
    const next = reserved + block
    await write({ reserved: next })
    reserved = Math.max(reserved, next)
  }
  const take = async (count: number): Promise<number> => {
    while (reserved - given < count) await extend()
    given += count
    return given - count + 1
  }
  return {
    take,
    recordRemoval: async (thread, incarnation) => write({ position: await take(1), removed: thread, incarnation }),
  }
}

/** Writes durably after the good part of a file; what a failed write has left there is cut off. */
function appendTo(disk: Disk, path: string, { size, bytes }: { size: number; bytes: Uint8Array }): Promise<void> {
  return withFile(disk.open(path, 'change'), async (file) => {
    if ((await file.size()) > size) await file.truncate(size)
    await writeAll(file, size, bytes)
    await file.sync()
  })
}
