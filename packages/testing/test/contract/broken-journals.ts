/** Journals that break one promise each. */
import { forkFaults, incarnationFaults } from './broken-lives.ts'
import { hintFaults, readFaults } from './broken-reads.ts'
import { blobFaults, removeFaults, reopenFaults, tableFaults } from './broken-tables.ts'
import { acquireFaults, appendFaults } from './broken-writes.ts'
import type { Fault } from './faults.ts'

/** Every fault. */
export const faults: readonly Fault[] = [
  ...appendFaults,
  ...acquireFaults,
  ...readFaults,
  ...hintFaults,
  ...tableFaults,
  ...blobFaults,
  ...removeFaults,
  ...reopenFaults,
  ...incarnationFaults,
  ...forkFaults,
]
