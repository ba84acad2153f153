/** What errors of SQLite mean for the users of a journal. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isLoomError, type LoomError } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'

/** The primary result codes of SQLite that have their own message. */
const codes = { busy: 5, locked: 6, readonly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, tooBig: 18, noDatabase: 26 } as const

/** The primary result code of an error of SQLite. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Whether another connection has the database now. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === codes.busy || code === codes.locked
}

/** An error of SQLite as one of Loom; every other error stays what it is. */
export function sqliteFailure(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === undefined || isLoomError(error)) return error
  const failed = (failure: 'unusable' | 'unavailable' | 'damaged', what: string): LoomError =>
    journalError(failure, `The journal ${path} ${what}`, { cause: error, context: { path, sqlite: code } })
  switch (code) {
    case codes.busy:
    case codes.locked:
      return failed('unavailable', 'is being written by others without pause. Nothing was stored. Find out which process holds it; then try again.')
    case codes.full:
      return failed('unavailable', 'cannot grow: the disk is full. Nothing was stored. Make room; then try again.')
    case codes.io:
      return failed(
        'unavailable',
        'could not be written or read: the disk reports an error. Nothing was acknowledged. Check the disk; then try again.',
      )
    case codes.readonly:
      return failed('unusable', 'cannot be written. Give this process the right to write the file and its folder.')
    case codes.cannotOpen:
      return failed('unusable', cannotOpen(path))
    case codes.noDatabase:
      return failed('unusable', 'is a file of another kind. Name another file, or a new one.')
    case codes.corrupt:
      return failed('damaged', 'is damaged. Stop writing to it, and restore it from a copy.')
    case codes.tooBig:
      return failed('unusable', 'cannot hold a value that big. Nothing was stored. Keep big values elsewhere and refer to them.')
    default:
      return failed('unavailable', `does not work: ${(error as Error).message}. Nothing was stored.`)
  }
}

function cannotOpen(path: string): string {
  const folder = dirname(path)
  if (isMissing(folder)) return `cannot be opened: there is no folder ${folder}. Create it first.`
  return 'cannot be opened. Check that it is a file and that this process may read and write it and its folder.'
}

function isMissing(folder: string): boolean {
  try {
    statSync(folder)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
