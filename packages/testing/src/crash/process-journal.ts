/** The journal as one process of a life has it. */
import type { Journal } from '@loom-agent/kernel'
import type { MortalProcess } from './mortal-process.ts'

/** What is around the journal of a process. */
export interface JournalScene {
  readonly process: MortalProcess
  /** Whether whoever had this name is gone, so that what it held counts as released. */
  readonly isGone: (worker: string) => boolean
  /** Under this name the process holds threads. */
  readonly named: (worker: string) => void
}

/** Appends, claims and releases are deeds with two boundaries; reads only stop when the process does. */
export function processJournal(journal: Journal, scene: JournalScene): Journal {
  const { process, isGone, named } = scene
  const come = async <T>(work: () => Promise<T>): Promise<T> => {
    const held = process.gate()
    if (held) await held
    const value = await work()
    const late = process.gate()
    if (late) await late
    return value
  }
  const deed = <T>(name: 'append' | 'acquire' | 'release', what: string, work: () => Promise<T>): Promise<T> =>
    process.around(name, what, work) as Promise<T>
  return {
    traits: journal.traits,
    acquire: (thread, claim) =>
      deed('acquire', thread, async () => {
        named(claim.worker)
        const first = await journal.acquire(thread, claim)
        const holder = first.kind === 'held' ? first.holder : undefined
        if (holder === undefined || holder === claim.worker || !isGone(holder)) return first
        const result = await journal.acquire(thread, { ...claim, force: true })
        // A process that is gone holds nothing: a claimant that has seen too little looks again.
        return result.kind === 'held' ? { kind: 'held', epoch: result.epoch } : result
      }),
    release: (thread, epoch) => deed('release', thread, () => journal.release(thread, epoch)),
    append: (thread, batch) =>
      deed('append', `${thread}@${batch.expected + 1} ${batch.events.map(({ type }) => type).join(', ')}`, () => journal.append(thread, batch)),
    head: (thread) => come(() => journal.head(thread)),
    read: (thread, range) => come(() => journal.read(thread, range)),
    watch: (thread, hint) =>
      journal.watch(thread, (seq) => {
        const held = process.gate()
        if (held) void held.then(() => hint(seq))
        else hint(seq)
      }),
    threads: (query) => come(() => journal.threads(query)),
    blob: (hash) => come(() => journal.blob(hash)),
    remove: (thread) => come(() => journal.remove(thread)),
    close: () => come(() => journal.close()),
  }
}
