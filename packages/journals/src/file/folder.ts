/** The folder of a journal, and the names of the files in it. */
import type { Anchors } from './anchors.ts'
import type { Damage } from './damage.ts'
import type { Disk } from './disk.ts'
import type { FileMode } from './line.ts'

/** Where a folder is, and how it is used. */
export interface FolderOptions {
  readonly path: string
  readonly disk: Disk
  readonly mode: FileMode
  readonly now: () => number
  readonly onDamage: (damage: Damage) => void
}

/** The folder of an open journal. */
export interface Folder extends FolderOptions {
  readonly anchors: Anchors
}

/** The ending of the files of threads. */
export const ending = '.jsonl'

/** Where the file of a thread is; a stem is the name of the file without its ending. */
export function pathOf({ path }: Pick<Folder, 'path'>, stem: string): string {
  return `${path}/${stem}${ending}`
}

/** The names of all files. */
export async function namesIn({ disk, path }: Pick<Folder, 'disk' | 'path'>): Promise<readonly string[]> {
  return (await disk.list(path)).map(({ name }) => name).sort()
}

/** The stems of all files that may be threads, in order. */
export async function stemsIn(folder: Pick<Folder, 'disk' | 'path'>): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
}

/** A name with this start that no file has. */
export async function freeName(folder: Folder, start: string): Promise<string> {
  const taken = new Set(await namesIn(folder))
  for (let number = 1; ; number += 1) if (!taken.has(`${start}${number}`)) return `${start}${number}`
}
