/** What SQLite's errors mean for whoever uses a journal. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isLoomError, type LoomError } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'

/** SQLite's primary result codes that have an answer of their own. */
const codes = { busy: 5, locked: 6, readonly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, tooBig: 18, noDatabase: 26 } as const

/** The primary result code of an error of SQLite. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Whether somebody else has the database just now. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === codes.busy || code === codes.locked
}

/** An error of SQLite as one of Loom; every other error stays what it is. */
export function sqliteFailure(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === undefined || isLoomError(error)) return error
  const told = (failure: 'unusable' | 'unavailable' | 'damaged', what: string): LoomError =>
    journalError(failure, `The journal ${path} ${what}`, { cause: error, context: { path, sqlite: code } })
  switch (code) {
    case codes.busy:
    case codes.locked:
      return told('unavailable', 'is being written by others without pause. Nothing was stored. Find out what holds it; then try again.')
    case codes.full:
      return told('unavailable', 'cannot grow: the disk is full. Nothing was stored. Make room; then try again.')
    case codes.io:
      return told(
        'unavailable',
        'could not be written or read: the disk reports an error. Nothing was acknowledged. Look at the disk; then try again.',
      )
    case codes.readonly:
      return told('unusable', 'cannot be written. Give this process the right to write the file and its folder.')
    case codes.cannotOpen:
      return told('unusable', cannotOpen(path))
    case codes.noDatabase:
      return told('unusable', 'is a file of another kind. Name another file, or a new one.')
    case codes.corrupt:
      return told('damaged', 'is damaged. Stop writing to it, and bring it back from a copy.')
    case codes.tooBig:
      return told('unusable', 'cannot hold a value that big. Nothing was stored. Keep big values elsewhere and refer to them.')
    default:
      return told('unavailable', `does not work: ${(error as Error).message}. Nothing was stored.`)
  }
}

function cannotOpen(path: string): string {
  const folder = dirname(path)
  if (isMissing(folder)) return `cannot be opened: there is no folder ${folder}. Make it first.`
  return 'cannot be opened. See that it is a file and that this process may read and write it and its folder.'
}

function isMissing(folder: string): boolean {
  try {
    statSync(folder)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
