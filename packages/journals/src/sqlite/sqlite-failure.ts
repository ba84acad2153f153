/** What errors of SQLite mean for the users of a journal. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isLoomError } from '@loom-agent/kernel'
import { type JournalFailure, journalError } from '../storage/failure.ts'

const nothing = 'Nothing was stored.'
const busy = [5, 6] as const
const cannotOpen = 14

/** What the primary result codes of SQLite mean. */
const meanings: Readonly<Record<number, readonly [failure: JournalFailure, what: string]>> = {
  5: ['unavailable', `is being written by others without pause. ${nothing} Find out which process holds it; then try again.`],
  6: ['unavailable', `is being written by others without pause. ${nothing} Find out which process holds it; then try again.`],
  8: ['unusable', 'cannot be written. Give this process the right to write the file and its folder.'],
  10: ['unavailable', 'could not be written or read: the disk reports an error. Nothing was acknowledged. Check the disk; then try again.'],
  11: ['damaged', 'is damaged. Stop writing to it, and restore it from a copy.'],
  13: ['unavailable', `cannot grow: the disk is full. ${nothing} Make room; then try again.`],
  [cannotOpen]: ['unusable', 'cannot be opened. Check that it is a file and that this process may read and write it and its folder.'],
  18: ['unusable', `cannot hold a value that big. ${nothing} Keep big values elsewhere and refer to them.`],
  26: ['unusable', 'is a file of another kind. Name another file, or a new one.'],
}

/** The primary result code of an error of SQLite. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Whether another connection has the database now. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return busy.some((each) => each === code)
}

/** An error of SQLite as one of Loom; every other error stays what it is. */
export function sqliteFailure(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === undefined || isLoomError(error)) return error
  const [failure, meaning] = meanings[code] ?? (['unavailable', `does not work: ${(error as Error).message}. ${nothing}`] as const)
  const folder = dirname(path)
  const what = code === cannotOpen && isMissing(folder) ? `cannot be opened: there is no folder ${folder}. Create it first.` : meaning
  return journalError(failure, `The journal ${path} ${what}`, { cause: error, context: { path, sqlite: code } })
}

function isMissing(folder: string): boolean {
  try {
    statSync(folder)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
