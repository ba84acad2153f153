/** Moving the WAL into the database, off the path of those who append. */
import { pageSize } from './schema.ts'
import type { Tables } from './tables.ts'

/** Pages of WAL, as estimated, from which on it is moved when there is time, and from which on it is moved at once. */
const [enough, tooMuch] = [1000, 4000]

/** Told of every transaction: how many changes, and how many bytes of values. */
export type WalUpkeep = (changes: number, bytes: number) => void

/** Keeps the WAL short. A transaction writes a few pages of its own, and about one for each change. */
export function createWalUpkeep({ db, get }: Tables, isIdle: () => boolean): WalUpkeep {
  let pages = 0
  let planned = false
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
  return (changes, bytes) => {
    pages += 3 + changes + Math.ceil(bytes / pageSize)
    if (pages > tooMuch) move()
    else if (pages > enough && !planned) {
      planned = true
      setImmediate(moveWhenIdle)
    }
  }
}
