/** The threads of a journal, and the clock that what they record is compared with. */
import type { Journal } from '@loom-agent/kernel'
import type { Ports } from '../platform/ports.ts'
import { createStoreClock } from '../platform/store-clock.ts'
import { createThreadCache, type ThreadCache } from './thread-cache.ts'

/** What readers and contributors need of a journal. */
export interface ThreadAccess {
  readonly journal: Journal
  /** The ports, with the clock of the journal's store (CLOCK-4). */
  readonly ports: Ports
  readonly threads: ThreadCache
}

/** Access to the threads of a journal, none of which is in memory. */
export function createThreadAccess(journal: Journal, given: Ports): ThreadAccess {
  const ports = { ...given, clock: createStoreClock(given.clock) }
  return { journal, ports, threads: createThreadCache(journal, ports.clock) }
}
