/**
 * Which process has the write lock of a database.
 *
 * A writer locks the byte 120 of the file `-shm` beside the database. Linux lists the locks of files in /proc/locks, with the number of the process and the
 * number of the file; other systems do not.
 */
import { isStopped } from '../storage/liveness.ts'
import { fs } from '../storage/node-fs.ts'
import { orUndefined } from '../storage/or-undefined.ts'

/** The process that has the write lock, and whether it was stopped. */
export interface LockHolder {
  readonly pid: number
  readonly isStopped: boolean
}

/** The byte that a writer locks. */
const writeLock = 120

/** The process that has the write lock of a database; undefined where none has it, or the system does not say. */
export function lockHolderOf(path: string): LockHolder | undefined {
  const file = orUndefined(() => fs().statSync(`${path}-shm`).ino)
  const locks = orUndefined(() => fs().readFileSync('/proc/locks', 'utf8')) ?? ''
  // For example: "3: POSIX  ADVISORY  WRITE 4711 fd:01:262626 120 120". A process of another namespace has no number here.
  for (const [, pid, inode, first, last] of locks.matchAll(/ WRITE (\d+) [^ ]*:(\d+) (\d+) (\d+|EOF)$/gm)) {
    const isLocked = Number(first) <= writeLock && (last === 'EOF' || Number(last) >= writeLock)
    if (Number(inode) === file && isLocked && Number(pid) > 0) return { pid: Number(pid), isStopped: isStopped(Number(pid)) }
  }
  return undefined
}
