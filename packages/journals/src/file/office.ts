/** What the parts of an open journal share. */
import type { Watchers } from '../watchers.ts'
import { type Blobs, createBlobs } from './blobs.ts'
import { misnamed } from './damage.ts'
import { type DiskFile, withFile } from './disk.ts'
import { fileNameOf } from './file-name.ts'
import { scanFile } from './scan.ts'
import { createSlots, type Slots } from './slot.ts'
import { createTable, type Table } from './table.ts'
import { readHeader, readTail, type Tail } from './tail.ts'
import { ending, type Folder, pathOf } from './thread.ts'

/** An open journal. */
export interface Office {
  readonly folder: Folder
  readonly slots: Slots
  readonly blobs: Blobs
  /** Who drives a thread, in this process: the only one there is. */
  readonly holders: Map<string, { readonly worker: string; readonly epoch: number }>
  readonly table: Table
  readonly watchers: Watchers
  /** Gives the folder back. */
  readonly unlock: () => Promise<void>
}

/** Takes a folder and finds out nothing about it yet: threads, blobs and the table are looked at when they are asked for. */
export async function openOffice(folder: Folder, watchers: Watchers): Promise<Office> {
  await folder.disk.makeFolder(folder.path)
  const unlock = await folder.disk.lock(folder.path)
  try {
    // What a killed process has left may not have a durable name yet.
    await folder.disk.syncFolder(folder.path)
  } catch (error) {
    await unlock()
    throw error
  }
  const slots = createSlots(folder)
  const blobs = createBlobs({ ...folder, path: `${folder.path}/blobs` }, async () => (await filesOf(folder)).map(stemOf))
  const table = createTable(folder, (stem) => findTail(folder, slots, stem))
  return { folder, slots, blobs, table, watchers, holders: new Map(), unlock }
}

async function filesOf(folder: Folder): Promise<readonly string[]> {
  const files = await folder.disk.list(folder.path)
  return files.map(({ name }) => name).filter((name) => name.endsWith(ending))
}

const stemOf = (name: string): string => name.slice(0, -ending.length)

/** Where a thread stands by the end of its file, or, if that does not say it, by the whole of it. */
function findTail(folder: Folder, slots: Slots, stem: string): Promise<Tail | undefined> {
  return withFile(folder.disk.open(pathOf(folder, stem), 'change'), async (opened) => {
    const header = await readHeader(opened)
    if (header && fileNameOf(header.thread) === stem) return slots.look(header.thread, () => lookAt(opened, header.thread))
    const file = `${stem}${ending}`
    const found = header ? misnamed(file, header.thread) : (await scanFile(opened, { file })).damage
    if (found) folder.onDamage(found)
    return undefined
  })
}

async function lookAt(file: DiskFile, thread: string): Promise<Tail | undefined> {
  const tail = await readTail(file, thread)
  // As when a thread is opened: what nobody was told of yet is made durable before it is told.
  if (tail) await file.sync()
  return tail
}
