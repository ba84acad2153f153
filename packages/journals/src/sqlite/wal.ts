/**
 * The WAL: room in it before it is needed, and its way into the database, off the path of those who append.
 *
 * A flush of a file that grows also writes that it has grown, which costs as much as the data. So the WAL is made longer by many pages at once, and
 * what is committed overwrites zeros. SQLite takes no notice: what follows the last commit is none of its frames, whatever is there.
 */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import { pageSize } from './schema.ts'
import type { Tables } from './tables.ts'

/** Pages of WAL, as estimated, from which on it is moved when there is time, and from which on it is moved at once. */
const [enough, tooMuch] = [1000, 4000]
/** Pages by which it is made longer. */
const ahead = 128

/** Looks after the WAL. */
export interface WalUpkeep {
  /** Must be called in a transaction that writes, before it has written: only then nobody else makes the WAL longer. */
  makeRoom(): void
  /** Told of every transaction: how many changes, and how many bytes of values. */
  committed(changes: number, bytes: number): void
}

/** Keeps the WAL short, and its end ahead. A transaction writes a page of its own, and about one for each change. */
export function createWalUpkeep(tables: Tables, isIdle: () => boolean): WalUpkeep {
  const { db, get, mode } = tables
  let pages = 0
  let planned = false
  // Who does not flush does not wait for the length either.
  let room = mode === 'strict' ? 0 : Number.POSITIVE_INFINITY
  const move = (): void => {
    try {
      const row = get('pragma wal_checkpoint(passive)')
      // Whoever reads an older moment keeps its part of the WAL.
      pages = Math.max(0, Number(row?.['log']) - Number(row?.['checkpointed']))
    } catch {
      // Nothing is lost: the WAL has it all, and there will be another time.
      pages = 0
    }
  }
  const moveWhenIdle = (): void => {
    planned = false
    if (db.isOpen && isIdle()) move()
  }
  return {
    makeRoom() {
      if (room < enough && pages >= room) room = lengthened(`${db.location()}-wal`, pages + ahead)
    },
    committed(changes, bytes) {
      pages += 1 + changes + Math.ceil(bytes / pageSize)
      if (pages > tooMuch) move()
      else if (pages > enough && !planned) {
        planned = true
        setImmediate(moveWhenIdle)
      }
    },
  }
}

/** Makes a WAL as long as so many pages, and says how many it has room for; one that cannot be made longer grows as it is written. */
function lengthened(path: string, pages: number): number {
  try {
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
