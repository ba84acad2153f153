/**
 * The files of journals: they are the memory of agents, and no tool reads or changes them, whatever the rules say.
 *
 * JOURNAL-FILE-1. A file is one of a journal by its place, which the program names, or by its first bytes: a database of SQLite, its log, a thread of a
 *                 file journal, and every file beside the index of a file journal. Files whose names SQLite takes for the log of a database are never made.
 */
import { type FileHandle, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Folder, openRegular } from './confinement.ts'
import { folded } from './guard.ts'
import { forbidden, hasCode } from './refusal.ts'

/** How the files of journals begin, in Latin-1: databases and logs of SQLite, threads of file journals. */
const heads: readonly string[] = [
  'SQLite format 3\0',
  '7\u007f\u0006\u0082',
  '7\u007f\u0006\u0083',
  '\u00d9\u00d5\u0005\u00f9 \u00a1c\u00d7',
  '{"loom":"thread"',
]
/** How the index of a file journal begins. */
const indexName = 'anchors'
const indexHead = '{"file":"'
const headBytes = 16
const databaseLog = /-(?:wal|shm|journal)$/iu

/** Whether the first bytes of a file are those of a journal. */
export function isJournalHead(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headBytes)).toString('latin1')
  return heads.some((each) => text.startsWith(each))
}

/** Finds the files of journals that a program names. */
export interface JournalPaths {
  /** Whether a path is that of a journal, of its log, or below its folder. */
  covers(path: string): Promise<boolean>
}

/** The journals at these paths, relative to the working directory. */
export function journalPaths(paths: readonly string[]): JournalPaths {
  const given = paths.map((path) => resolve(path))
  return {
    async covers(path) {
      if (given.length === 0) return false
      const [real = '', ...places] = await Promise.all([path, ...given].map(realPlace))
      return places.some((place) => isAtOrBelow(place, real) || (databaseLog.test(real) && isAtOrBelow(place, real.replace(databaseLog, ''))))
    },
  }
}

/** The real path of a place that need not be there yet. */
async function realPlace(path: string): Promise<string> {
  return realpath(path).catch(async () => (dirname(path) === path ? path : join(await realPlace(dirname(path)), basename(path))))
}

function isAtOrBelow(place: string, real: string): boolean {
  const inside = relative(foldedPath(place), foldedPath(real))
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

const foldedPath = (path: string): string => path.split(sep).map(folded).join(sep)

/** Throws when a name in a folder is a file of a journal (JOURNAL-FILE-1). */
export async function refuseJournal(folder: Folder, name: string, { path, journals }: { path: string; journals: JournalPaths }): Promise<void> {
  const database = name.replace(databaseLog, '')
  const isLog = database !== name && (/\.(?:db|sqlite3?)$/iu.test(database) || (await hasJournalHead(folder, database)))
  const isJournal =
    isLog || (await journals.covers(join(folder.real, name))) || (await hasJournalHead(folder, name)) || (await isJournalFolder(folder))
  if (isJournal) throw journalRefusal(path)
}

/** The refusal of a file of a journal. */
export const journalRefusal = (path: string): Error =>
  forbidden(path, `${path} belongs to a database or a journal of Loom. No tool reads or changes it; ask the user.`)

const hasJournalHead = async (folder: Folder, name: string): Promise<boolean> => isJournalHead(await headOf(folder, name))

const isJournalFolder = async (folder: Folder): Promise<boolean> =>
  Buffer.from(await headOf(folder, indexName))
    .toString('latin1')
    .startsWith(indexHead)

async function headOf(folder: Folder, name: string): Promise<Uint8Array> {
  let handle: FileHandle | undefined
  try {
    handle = await openRegular(folder, name, name)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    // A program that goes on to open it is refused for the same reason.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EACCES') || hasCode(error, 'LOOM_PERMISSION_DENIED') || hasCode(error, 'LOOM_TOOL_INPUT_INVALID'))
      return new Uint8Array()
    throw error
  } finally {
    await handle?.close()
  }
}
