/** Damage that reading the threads does not show: in the tables themselves. */
import type { JournalFinding } from '../storage/journal-finding.ts'
import { removals } from './schema.ts'
import type { Tables } from './tables.ts'

/** The most findings of a kind that are reported. */
const findingLimit = 100

/** Checks the structure of the database, and finds batches and blobs that belong to no thread. */
export function inspect({ all, path }: Tables): readonly JournalFinding[] {
  const finding = (problem: string): JournalFinding => ({ problem: `${path}: ${problem}` })
  const structure = all(`pragma quick_check(${findingLimit})`).map((row) => String(Object.values(row)[0]))
  const orphans = all(`select position from batches where thread <> ${removals} and thread not in (select id from threads) limit ${findingLimit}`)
  const unused = all(`select hash from blobs where hash not in (select hash from thread_blobs) limit ${findingLimit}`)
  return [
    ...structure.filter((text) => text !== 'ok').map(finding),
    ...orphans.map((row) => finding(`the batch ${row['position']} belongs to no thread`)),
    ...unused.map((row) => finding(`the blob ${row['hash']} belongs to no thread`)),
  ]
}
