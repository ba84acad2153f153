/**
 * Upkeep of the WAL: extends it before it is full, and moves it into the database when no writer waits.
 *
 * A flush of a file that grows also writes that it has grown, which costs as much as the data. So the WAL is extended by many pages at once, and
 * commits overwrite zeros. SQLite ignores what follows the last commit.
 */
import { fs } from '../storage/node-fs.ts'
import { pageSize } from './schema.ts'
import type { Tables } from './tables.ts'

/** Estimated pages of WAL from which on it is moved when the process is idle, and from which on it is moved at once. */
const [idleLimit, hardLimit] = [1000, 4000]
/** Pages by which it is extended. */
const extension = 128

/** Upkeep of a WAL. */
export interface WalUpkeep {
  /** Extends the WAL. Must be called in a transaction that writes, before it has written: only then no other connection changes the length. */
  makeRoom(): void
  /** Called after every transaction: how many changes it had, and how many bytes of values. */
  committed(changes: number, bytes: number): void
}

/** Keeps the WAL short, and extended beyond its last commit. A transaction writes about one page, and one for each change. */
export function createWalUpkeep(tables: Tables, isIdle: () => boolean): WalUpkeep {
  const { db, get, mode } = tables
  let pages = 0
  let planned = false
  // Without a flush there is no wait for the length either.
  let room = mode === 'strict' ? 0 : Number.POSITIVE_INFINITY
  const move = (): void => {
    try {
      const row = get('pragma wal_checkpoint(passive)')
      // A reader of an older snapshot keeps its part of the WAL.
      pages = Math.max(0, Number(row?.['log']) - Number(row?.['checkpointed']))
    } catch {
      // Nothing is lost: the WAL still has it all, and a later call moves it.
      pages = 0
    }
  }
  const moveWhenIdle = (): void => {
    planned = false
    if (db.isOpen && isIdle()) move()
  }
  return {
    makeRoom() {
      if (room < idleLimit && pages >= room) room = extended(`${db.location()}-wal`, pages + extension)
    },
    committed(changes, bytes) {
      pages += 1 + changes + Math.ceil(bytes / pageSize)
      if (pages > hardLimit) move()
      else if (pages > idleLimit && !planned) {
        planned = true
        setImmediate(moveWhenIdle)
      }
    },
  }
}

/** Extends a WAL to a number of pages, and returns how many it has room for. One that cannot be extended grows as it is written. */
function extended(path: string, pages: number): number {
  try {
    const { closeSync, fstatSync, openSync, writeSync } = fs()
    const file = openSync(path, 'r+')
    try {
      const { size } = fstatSync(file)
      const missing = pages * pageSize - size
      if (missing > 0) writeSync(file, Buffer.alloc(missing), 0, missing, size)
    } finally {
      closeSync(file)
    }
    return pages
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
