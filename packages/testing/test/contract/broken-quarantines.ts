/** Journals that let something into threads that are quarantined, or out of them. */
import { type Batch, type Journal, type Summary, threadQuarantined } from '@loom-agent/kernel'
import { appending, type Fault } from './faults.ts'

const isShut = async (journal: Journal, thread: string): Promise<boolean> => (await journal.head(thread))?.summary.quarantined === true
const passing = (batch: Batch): Batch => ({ ...batch, isCopy: true })
const opened = ({ quarantined: _quarantined, ...summary }: Summary): Summary => summary
const adopts = ({ events }: Batch): boolean => events.some(({ type }) => type === 'thread.adopted')

/** A fault of claims. */
const claiming = (
  rule: Fault['rule'],
  name: string,
  claimOf: (claim: Parameters<Journal['acquire']>[1]) => Parameters<Journal['acquire']>[1],
): Fault => ({
  rule,
  name,
  spoil: (journal) => ({ ...journal, acquire: (thread, claim) => journal.acquire(thread, claimOf(claim)) }),
})

/** Faults of the quarantine. */
export const quarantineFaults: readonly Fault[] = [
  appending('JOURNAL-23', 'takes contributors into a quarantined thread', (journal, thread, batch) =>
    journal.append(thread, batch.epoch === undefined && !batch.forkOf && !adopts(batch) ? passing(batch) : batch),
  ),
  appending('JOURNAL-23', 'takes drivers into a quarantined thread', (journal, thread, batch) =>
    journal.append(thread, batch.epoch === undefined ? batch : passing(batch)),
  ),
  appending('JOURNAL-23', 'takes batches into a quarantined thread that leave it quarantined', (journal, thread, batch) =>
    journal.append(thread, batch.summary.quarantined ? passing(batch) : batch),
  ),
  appending('JOURNAL-23', 'ends no quarantine', async (journal, thread, batch) => {
    const stays = adopts(batch) && (await isShut(journal, thread))
    return journal.append(thread, stays ? { ...batch, summary: { ...batch.summary, quarantined: true } } : batch)
  }),
  appending('JOURNAL-23', 'ends the quarantine with any copy', (journal, thread, batch) =>
    journal.append(thread, batch.isCopy && batch.expected > 0 ? { ...batch, summary: opened(batch.summary) } : batch),
  ),
  appending('JOURNAL-23', 'begins forks of quarantined threads as if they were not', (journal, thread, batch) =>
    journal.append(thread, batch.forkOf ? passing(batch) : batch),
  ),
  appending('JOURNAL-23', 'takes an adoption for a pass of a fork', (journal, thread, batch) =>
    journal.append(thread, batch.forkOf && adopts(batch) ? passing(batch) : batch),
  ),
  appending('JOURNAL-23', 'looks at the quarantine before batch ids', async (journal, thread, batch) => {
    if ((await isShut(journal, thread)) && !batch.isCopy && !adopts(batch)) throw threadQuarantined(thread)
    return journal.append(thread, batch)
  }),
  claiming('JOURNAL-23', 'gives quarantined threads to drivers', ({ seen, copied = seen + 1, ...claim }) => ({ ...claim, seen, copied })),
  claiming('JOURNAL-23', 'gives quarantined threads to drivers that force it', ({ seen, copied, ...claim }) => ({
    ...claim,
    seen,
    copied: copied ?? (claim.force ? seen + 1 : undefined),
  })),
  {
    rule: 'JOURNAL-23',
    name: 'lists quarantined threads as if they were not',
    spoil: (journal) => ({
      ...journal,
      threads: async (query) => (await journal.threads(query)).map((head) => ({ ...head, summary: opened(head.summary) })),
    }),
  },
  claiming('JOURNAL-24', 'raises the epoch of a copy by one', ({ copied, seen, ...claim }) => ({
    ...claim,
    seen,
    ...(copied !== undefined && { copied: seen + 1 }),
  })),
]
