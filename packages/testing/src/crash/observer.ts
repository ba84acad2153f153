/** What observes simulated processes: one virtual time, one effect log, one audit of the journal. A crash does not erase what it has seen. */
import { createEffectLog, type EffectLog, textOf } from './effect-log.ts'
import type { Finding } from './finding.ts'
import { createJournalAudit, type JournalAudit } from './journal-audit.ts'
import { createRecord, type Evidence, type TrialRecord, threadsOf } from './record.ts'
import type { CrashStorage } from './storage.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

/** How processes are observed. */
export interface ObserverOptions {
  /** Milliseconds of real time that tools may need; default 0. */
  readonly patience?: number
  /** After every commit the live frame is compared with the fold of the journal, and replaced by it. */
  readonly replay?: boolean
}

/** An observer. */
export interface TrialObserver {
  /** The clock of all processes. */
  readonly time: VirtualTime
  /** What bodies and the external world did. */
  readonly log: EffectLog
  /** What the journal acknowledged. */
  readonly audit: JournalAudit
  /** What was found while processes ran. */
  readonly found: Finding[]
  /** Whether the live frame is compared with the fold of the journal after every commit. */
  readonly replay: boolean
}

/** An observer of processes that have not started. */
export function createObserver({ patience = 0, replay = false }: ObserverOptions): TrialObserver {
  return { time: createVirtualTime(patience), log: createEffectLog(), audit: createJournalAudit(), found: [], replay }
}

/** The record of what was observed, and of what the storage holds. */
export async function observedRecord(
  { log, audit, found }: TrialObserver,
  storage: CrashStorage,
  left: Pick<Evidence, 'resolved' | 'asked' | 'isConcurrent'> & { readonly world: unknown },
): Promise<TrialRecord> {
  const journal = await storage.open()
  const threads = await threadsOf(journal)
  await storage.abandon(journal)
  const { executions, worldCalls } = log
  const { acknowledged } = audit
  return createRecord({ ...left, threads, executions, worldCalls, world: textOf(left.world), acknowledged, found: [...found, ...audit.found] })
}
