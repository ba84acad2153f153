/** What errors of SQLite mean for the users of a journal. */
import { dirname } from 'node:path'
import { isLoomError, type LoomError } from '@loom-agent/kernel'
import { type JournalFailure, journalError } from '../storage/failure.ts'
import { fs } from '../storage/node-fs.ts'
import { type LockHolder, lockHolderOf } from './lock-holder.ts'

const nothing = 'Nothing was stored.'
const busy = [5, 6] as const
const cannotOpen = 14

/** What the primary result codes of SQLite mean. */
const meanings: Readonly<Record<number, readonly [failure: JournalFailure, what: string]>> = {
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
  if (isBusy(error)) return locked(error, path, code)
  const [failure, meaning] = meanings[code] ?? (['unavailable', `does not work: ${(error as Error).message}. ${nothing}`] as const)
  const folder = dirname(path)
  const what = code === cannotOpen && isMissing(folder) ? `cannot be opened: there is no folder ${folder}. Create it first.` : meaning
  return journalError(failure, `The journal ${path} ${what}`, { cause: error, context: { path, sqlite: code } })
}

/** Another process has the write lock. The message names it, where the system says which one it is. */
function locked(cause: unknown, path: string, code: number): LoomError {
  const holder = lockHolderOf(path)
  const context = { path, sqlite: code, ...(holder && { pid: holder.pid, stopped: holder.isStopped }) }
  return journalError('unavailable', `The journal ${path} is locked. ${nothing} ${adviceOn(holder)}`, { cause, context })
}

function adviceOn(holder: LockHolder | undefined): string {
  if (!holder)
    return 'Other processes write without pause, or one was stopped in the middle of a commit. Find out which process has it; then try again.'
  const { pid, isStopped } = holder
  if (!isStopped) return `The process ${pid} writes without pause. Find out what it does; then try again.`
  const what = `The process ${pid} was stopped in the middle of a commit, and keeps every other writer out.`
  return `${what} Let it continue (kill -CONT ${pid}), or end it (kill -KILL ${pid}): then what it had not committed is undone.`
}

function isMissing(folder: string): boolean {
  try {
    fs().statSync(folder)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
