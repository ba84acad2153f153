/** Journals that break one promise each. */
import { leaseFaults, removalHintFaults } from './broken-leases.ts'
import { namedReadFaults, namedRemovalFaults } from './broken-named-threads.ts'
import { hintFaults, readFaults } from './broken-reads.ts'
import { blobFaults, removeFaults, reopenFaults, tableFaults } from './broken-tables.ts'
import { forkFaults, incarnationFaults } from './broken-threads.ts'
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
  ...namedReadFaults,
  ...namedRemovalFaults,
  ...leaseFaults,
  ...removalHintFaults,
]
