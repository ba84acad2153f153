/** The journal as one process of a trial has it. */
import type { Journal } from '@loom-agent/kernel'
import { wrapJournal } from '../double/wrap-journal.ts'
import { auditedJournal } from './journal-audit.ts'
import type { TrialObserver } from './observer.ts'
import { processOf, type SimulatedProcess } from './simulated-process.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What surrounds the journal of a process. */
export interface JournalSetup {
  readonly process: SimulatedProcess
  readonly observer: TrialObserver
  /** Whether the process of this number is gone, so that its threads count as released. */
  readonly isGone: (process: number) => boolean
  /** A connection that may fail, between the process and the storage. */
  readonly connection?: (journal: Journal) => Journal
}

/** Appends, acquisitions and releases are operations with two crash points; reads only stop when the process does. */
export function processJournal(opened: Journal, { process, observer, isGone, connection }: JournalSetup): Journal {
  const audited = auditedJournal(trackedJournal(opened, observer.time), observer.audit)
  const journal = connection ? connection(audited) : audited
  const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
    const held = process.gate()
    if (held) await held
    const value = await work()
    const late = process.gate()
    if (late) await late
    return value
  }
  const around = <T>(operation: 'append' | 'acquire' | 'release', subject: string, work: () => Promise<T>): Promise<T> =>
    process.around(operation, subject, work) as Promise<T>
  return {
    ...wrapJournal(journal, whileAlive),
    acquire: (thread, claim) =>
      around('acquire', thread, async () => {
        const first = await journal.acquire(thread, claim)
        const holder = first.kind === 'held' ? first.holder : undefined
        if (holder === undefined || holder === claim.worker || !isGone(processOf(holder))) return first
        // A process that is gone holds nothing: a claim that has seen too little reads again.
        const forced = await journal.acquire(thread, { ...claim, force: true })
        return forced.kind === 'held' ? { kind: 'held', epoch: forced.epoch } : forced
      }),
    release: (thread, lease) => around('release', thread, () => journal.release(thread, lease)),
    append: (thread, batch) =>
      around('append', `${thread}@${batch.expected + 1} ${batch.events.map(({ type }) => type).join(', ')}`, () => journal.append(thread, batch)),
    watch: (thread, hint) =>
      journal.watch(thread, (seq) => {
        const held = process.gate()
        if (held) void held.then(() => hint(seq))
        else hint(seq)
      }),
  }
}

/** Reports every operation to the virtual time; an operation of a caller that spins without end never returns. */
function trackedJournal(journal: Journal, time: VirtualTime): Journal {
  return wrapJournal(journal, async (work) => {
    const finished = time.operationStarted()
    if (!finished) return new Promise(() => {})
    try {
      return await work()
    } finally {
      finished()
    }
  })
}
