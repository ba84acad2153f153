/** Journals that break one promise each. */
import { feedFaults, threadQueryFaults } from './broken-feeds.ts'
import { leaseFaults, removalHintFaults } from './broken-leases.ts'
import { namedReadFaults, namedRemovalFaults } from './broken-named-threads.ts'
import { pageFaults } from './broken-pages.ts'
import { quarantineFaults } from './broken-quarantines.ts'
import { hintFaults, readFaults } from './broken-reads.ts'
import { blobFaults, removeFaults, reopenFaults, tableFaults } from './broken-tables.ts'
import { forkFaults, incarnationFaults } from './broken-threads.ts'
import { treeFaults } from './broken-trees.ts'
import { acquireFaults, appendFaults } from './broken-writes.ts'
import type { Fault } from './faults.ts'

/** Every fault. */
export const faults: readonly Fault[] = [
  ...appendFaults,
  ...acquireFaults,
  ...readFaults,
  ...pageFaults,
  ...hintFaults,
  ...tableFaults,
  ...blobFaults,
  ...removeFaults,
  ...reopenFaults,
  ...incarnationFaults,
  ...forkFaults,
  ...namedReadFaults,
  ...namedRemovalFaults,
  ...treeFaults,
  ...feedFaults,
  ...threadQueryFaults,
  ...leaseFaults,
  ...removalHintFaults,
  ...quarantineFaults,
]
