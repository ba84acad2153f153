/** Journals that write badly. */
import { acquiring, appending, epochOf, type Fault, knownBy, seqOf, tick } from './faults.ts'

/** Faults of `append`. */
export const appendFaults: readonly Fault[] = [
  appending('JOURNAL-1', 'loses every second batch', async (journal, thread, batch) => {
    const seq = batch.expected + batch.events.length
    return batch.expected > 0 && batch.expected === (await seqOf(journal, thread)) ? { kind: 'appended', seq } : journal.append(thread, batch)
  }),
  appending('JOURNAL-1', 'stores a batch twice', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    if (result.kind === 'appended') await journal.append(thread, { ...batch, id: `${batch.id} again`, expected: result.seq })
    return result
  }),
  appending('JOURNAL-1', 'stores only the first event of a batch', async (journal, thread, batch) => {
    const result = await journal.append(thread, { ...batch, events: batch.events.slice(0, 1) })
    return result.kind === 'appended' ? { ...result, seq: batch.expected + batch.events.length } : result
  }),
  appending('JOURNAL-1', 'takes a batch that is one behind', async (journal, thread, batch) => {
    const seq = await seqOf(journal, thread)
    return journal.append(thread, batch.expected === seq - 1 ? { ...batch, expected: seq } : batch)
  }),
  appending('JOURNAL-1', 'takes a batch that is ahead', async (journal, thread, batch) => {
    const seq = await seqOf(journal, thread)
    return journal.append(thread, batch.expected > seq ? { ...batch, expected: seq } : batch)
  }),
  appending('JOURNAL-1', 'returns a wrong head after a conflict', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    return result.kind === 'conflict' ? { ...result, seq: result.seq + 1 } : result
  }),
  appending('JOURNAL-1', 'stores the events of a conflict after all', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    if (result.kind === 'conflict') await journal.append(thread, { ...batch, expected: result.seq })
    return result
  }),
  appending('JOURNAL-1', 'looks at the head first and writes later', async (journal, thread, batch) => {
    const seq = await seqOf(journal, thread)
    if (seq !== batch.expected) return journal.append(thread, batch)
    await tick()
    return journal.append(thread, { ...batch, expected: await seqOf(journal, thread) })
  }),
  appending('JOURNAL-1', 'takes a batch without events wherever it is', async (journal, thread, batch) =>
    batch.events.length === 0 ? { kind: 'appended', seq: batch.expected } : journal.append(thread, batch),
  ),
  appending('JOURNAL-1', 'stores an event of its own for a batch without events', async (journal, thread, batch) => {
    if (batch.events.length > 0) return journal.append(thread, batch)
    const result = await journal.append(thread, { ...batch, events: [{ type: 'memory.recorded', data: { key: 'empty', value: null } }] })
    return result.kind === 'appended' ? { kind: 'appended', seq: batch.expected } : result
  }),
  appending('JOURNAL-1', 'starts a thread with a batch without events', async (journal, thread, batch) => {
    const { incarnation } = batch
    if (batch.events.length === 0 && batch.expected === 0) await journal.acquire(thread, { worker: 'w', incarnation, seen: 0 })
    return journal.append(thread, batch)
  }),
  appending('JOURNAL-2', 'knows no batch ids', (journal, thread, batch) => journal.append(thread, { ...batch, id: crypto.randomUUID() })),
  appending('JOURNAL-2', 'knows batch ids only at the head they expected', async (journal, thread, batch) => {
    const late = batch.expected > 0 && batch.expected === (await seqOf(journal, thread))
    return journal.append(thread, late ? { ...batch, id: crypto.randomUUID() } : batch)
  }),
  appending('JOURNAL-2', 'fences before it looks at batch ids', async (journal, thread, batch) => {
    const epoch = await epochOf(journal, thread)
    return batch.epoch !== undefined && batch.epoch !== epoch ? { kind: 'fenced', epoch } : journal.append(thread, batch)
  }),
  appending('JOURNAL-2', 'returns the current head for a repeated batch', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    return result.kind === 'appended' ? { ...result, seq: await seqOf(journal, thread) } : result
  }),
  {
    rule: 'JOURNAL-2',
    name: 'knows a batch by its id, whatever seq it expects',
    spoil: knownBy((thread, { id }) => `${thread} ${id}`),
  },
  {
    rule: 'JOURNAL-2',
    name: 'shares batch ids between threads',
    spoil: knownBy((_, { id }) => id),
  },
  {
    rule: 'JOURNAL-2',
    name: 'remembers the ids of batches that conflicted',
    spoil(journal) {
      const tried = new Set<string>()
      return {
        ...journal,
        async append(thread, batch) {
          if (tried.has(batch.id)) return { kind: 'appended', seq: batch.expected + batch.events.length }
          tried.add(batch.id)
          return journal.append(thread, batch)
        },
      }
    },
  },
  appending('JOURNAL-22', 'lets contributors write to a copy that is not whole', async (journal, thread, batch) => {
    return journal.append(thread, { ...batch, epoch: batch.epoch ?? (await epochOf(journal, thread)) })
  }),
  appending('JOURNAL-22', 'lets contributors write to a copy that stays what it is', async (journal, thread, batch) => {
    const isSame = batch.epoch === undefined && batch.summary.status === 'partial'
    return journal.append(thread, isSame ? { ...batch, epoch: await epochOf(journal, thread) } : batch)
  }),
  appending('JOURNAL-22', 'refuses the rest of a copy', async (journal, thread, batch) => {
    const status = (await journal.head(thread))?.summary.status
    return journal.append(thread, status === 'partial' ? { ...batch, epoch: undefined } : batch)
  }),
  appending('JOURNAL-22', 'fences a batch that a copy holds already', async (journal, thread, batch) => {
    const { epoch = 0, summary } = (await journal.head(thread)) ?? {}
    return summary?.status === 'partial' && batch.epoch === undefined ? { kind: 'fenced', epoch } : journal.append(thread, batch)
  }),
  appending('JOURNAL-22', 'takes a label for the status', async (journal, thread, batch) => {
    const { epoch = 0, summary } = (await journal.head(thread)) ?? {}
    return summary?.labels?.['status'] === 'partial' && batch.epoch === undefined ? { kind: 'fenced', epoch } : journal.append(thread, batch)
  }),
  appending('JOURNAL-3', 'looks at the name that a batch begins before it looks at the epoch', async (journal, thread, batch) => {
    const head = await journal.head(thread)
    const isBeginning = batch.expected === 0 || batch.forkOf !== undefined
    return isBeginning && head && head.incarnation !== batch.incarnation ? { kind: 'conflict', seq: head.seq } : journal.append(thread, batch)
  }),
  appending('JOURNAL-3', 'fences no driver', (journal, thread, batch) => journal.append(thread, { ...batch, epoch: undefined })),
  appending('JOURNAL-3', 'fences only at a wrong seq', async (journal, thread, batch) => {
    const right = batch.expected === (await seqOf(journal, thread))
    return journal.append(thread, right ? { ...batch, epoch: undefined } : batch)
  }),
  appending('JOURNAL-3', 'fences only older epochs', async (journal, thread, batch) => {
    const future = (batch.epoch ?? 0) > (await epochOf(journal, thread))
    return journal.append(thread, future ? { ...batch, epoch: undefined } : batch)
  }),
  appending('JOURNAL-3', 'refuses contributors of a driven thread', async (journal, thread, batch) => {
    const head = await journal.head(thread)
    return batch.epoch === undefined && head?.holder !== undefined ? { kind: 'fenced', epoch: head.epoch } : journal.append(thread, batch)
  }),
  appending('JOURNAL-3', 'calls a fenced driver a conflict', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    return result.kind === 'fenced' ? { kind: 'conflict', seq: await seqOf(journal, thread) } : result
  }),
  appending('JOURNAL-3', 'returns a fenced driver its own epoch', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    return result.kind === 'fenced' ? { ...result, epoch: batch.epoch ?? 0 } : result
  }),
]

/** Faults of `acquire` and `release`. */
export const acquireFaults: readonly Fault[] = [
  acquiring('acquires whatever epoch was seen', async (journal, thread, claim) =>
    journal.acquire(thread, { ...claim, seen: await epochOf(journal, thread) }),
  ),
  acquiring('gives away a thread whose holder lives', (journal, thread, claim) => journal.acquire(thread, { ...claim, force: true })),
  acquiring('ignores force', (journal, thread, { worker, incarnation, seen }) => journal.acquire(thread, { worker, incarnation, seen })),
  acquiring('gives the same epoch again', async (journal, thread, claim) => {
    const result = await journal.acquire(thread, claim)
    return result.kind === 'acquired' ? { ...result, epoch: 1 } : result
  }),
  acquiring('does not say who holds a thread', async (journal, thread, claim) => {
    const result = await journal.acquire(thread, claim)
    return result.kind === 'held' ? { kind: 'held', epoch: result.epoch } : result
  }),
  acquiring('looks at the holder first and claims later', async (journal, thread, claim) => {
    const holder = (await journal.head(thread))?.holder
    if (holder !== undefined) return journal.acquire(thread, claim)
    await tick()
    return journal.acquire(thread, { ...claim, seen: await epochOf(journal, thread), force: true })
  }),
  { rule: 'JOURNAL-4', name: 'never releases', spoil: (journal) => ({ ...journal, release: async (thread) => journal.head(thread) }) },
  {
    rule: 'JOURNAL-4',
    name: 'lets any epoch release',
    spoil: (journal) => ({
      ...journal,
      release: async (thread, lease) => journal.release(thread, { ...lease, epoch: await epochOf(journal, thread) }),
    }),
  },
]
