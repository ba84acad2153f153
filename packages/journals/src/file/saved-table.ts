/** The thread table as a file: a line with the digest of the rest, and a line for each thread. */
import { sha256 } from '../node-crypto.ts'
import { readWhole, unlessGone, writeWhole } from './disk.ts'
import { fileNameOf } from './file-name.ts'
import type { Tail } from './tail.ts'
import { ending, type Folder } from './thread.ts'

/** What the table said of each file, and of which size the file was then; by the file's name without its ending. */
export type Saved = ReadonlyMap<string, Readonly<{ size: number; tail: Tail }>>

const name = 'threads.table'
const pathOf = ({ path }: Folder): string => `${path}/${name}`

/** The written table; empty if there is none that can be believed. */
export async function readSaved(folder: Folder): Promise<Saved> {
  const bytes = await readWhole(folder.disk, pathOf(folder))
  const text = Buffer.from(bytes ?? []).toString()
  const begin = text.indexOf('\n') + 1
  if (text.slice(0, begin) !== `${digestOf(text.slice(begin))}\n`) return new Map()
  const lines = text.slice(begin).split('\n').filter(Boolean)
  return new Map(lines.map((line) => rowOf(JSON.parse(line) as Tail & { size: number })))
}

function rowOf({ size, ...tail }: Tail & { size: number }): [string, { size: number; tail: Tail }] {
  return [fileNameOf(tail.thread), { size, tail }]
}

/** Writes the table; it must be true of the files as they are now. */
export async function writeSaved(folder: Folder, rows: ReadonlyMap<string, Tail>): Promise<void> {
  const files = await folder.disk.list(folder.path)
  const sizes = new Map(files.map((file) => [file.name, file.size]))
  let text = ''
  for (const tail of rows.values()) text += `${JSON.stringify({ ...tail, size: sizes.get(`${fileNameOf(tail.thread)}${ending}`) ?? -1 })}\n`
  await writeWhole(folder.disk, pathOf(folder), Buffer.from(`${digestOf(text)}\n${text}`))
  await folder.disk.syncFolder(folder.path)
}

/** Removes the written table, durably. */
export async function removeSaved(folder: Folder): Promise<void> {
  await unlessGone(folder.disk.remove(pathOf(folder)))
  // Also when it is gone already: a process that was killed may have removed it without making that durable.
  await folder.disk.syncFolder(folder.path)
}

const digestOf = (text: string): string => sha256(text)
