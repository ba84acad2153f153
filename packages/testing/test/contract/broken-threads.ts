/** Journals that confuse the incarnations of a name, or that fork badly. */
import type { AppendResult, Batch, Head, Journal } from '@loom-agent/kernel'
import { appending, type Fault, seqOf } from './faults.ts'

type Claim = Parameters<Journal['acquire']>[1]

/** The incarnation of a thread that is there; otherwise the given one. */
const incarnationOf = async (journal: Journal, thread: string, given: string): Promise<string> => (await journal.head(thread))?.incarnation ?? given

/** A fault of claims: what a claim is changed to before it is judged. */
const claiming = (name: string, change: (journal: Journal, thread: string, claim: Claim) => Promise<Claim>): Fault => ({
  rule: 'JOURNAL-6',
  name,
  spoil: (journal) => ({ ...journal, acquire: async (thread, claim) => journal.acquire(thread, await change(journal, thread, claim)) }),
})

/** A fault of heads, wherever they are shown. */
const showing = (rule: Fault['rule'], name: string, show: (head: Head) => Head): Fault => ({
  rule,
  name,
  spoil: (journal) => ({
    ...journal,
    async head(thread) {
      const head = await journal.head(thread)
      return head && show(head)
    },
    threads: async (query) => (await journal.threads(query)).map(show),
  }),
})

/** Faults of incarnations. */
export const incarnationFaults: readonly Fault[] = [
  appending('JOURNAL-6', 'stores a batch of any incarnation', async (journal, thread, batch) =>
    journal.append(thread, batch.expected === 0 ? batch : { ...batch, incarnation: await incarnationOf(journal, thread, batch.incarnation) }),
  ),
  appending('JOURNAL-6', 'stores the batch of a contributor of another incarnation', async (journal, thread, batch) => {
    const isContributor = batch.epoch === undefined && batch.expected > 0
    return journal.append(thread, isContributor ? { ...batch, incarnation: await incarnationOf(journal, thread, batch.incarnation) } : batch)
  }),
  appending('JOURNAL-6', 'fences another incarnation at a wrong seq only', async (journal, thread, batch) => {
    const fits = batch.expected > 0 && batch.expected === (await seqOf(journal, thread))
    return journal.append(thread, fits ? { ...batch, incarnation: await incarnationOf(journal, thread, batch.incarnation) } : batch)
  }),
  appending('JOURNAL-6', 'calls a batch of another incarnation a conflict', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    const isOther = (await incarnationOf(journal, thread, batch.incarnation)) !== batch.incarnation
    return result.kind === 'fenced' && isOther ? { kind: 'conflict', seq: await seqOf(journal, thread) } : result
  }),
  appending('JOURNAL-6', 'fences a batch that begins a thread that is there', async (journal, thread, batch) => {
    const head = await journal.head(thread)
    const isOther = head !== undefined && head.seq > 0 && head.incarnation !== batch.incarnation
    return batch.expected === 0 && isOther ? { kind: 'fenced', epoch: head.epoch } : journal.append(thread, batch)
  }),
  appending('JOURNAL-6', 'begins a thread again that is there', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    if (result.kind !== 'conflict' || batch.expected !== 0) return result
    await journal.remove(thread)
    return journal.append(thread, { ...batch, epoch: undefined })
  }),
  {
    rule: 'JOURNAL-6',
    name: 'recognises the batches of an earlier incarnation',
    spoil(journal) {
      const known = new Map<string, AppendResult>()
      return {
        ...journal,
        async append(thread, batch) {
          const key = JSON.stringify([thread, batch.incarnation, batch.id])
          const result = known.get(key) ?? (await journal.append(thread, batch))
          if (result.kind === 'appended') known.set(key, result)
          return result
        },
      }
    },
  },
  claiming('gives a thread to a claim of any incarnation', async (journal, thread, claim) => ({
    ...claim,
    incarnation: await incarnationOf(journal, thread, claim.incarnation),
  })),
  claiming('gives a thread to another incarnation by force', async (journal, thread, claim) =>
    claim.force ? { ...claim, incarnation: await incarnationOf(journal, thread, claim.incarnation) } : claim,
  ),
  {
    rule: 'JOURNAL-6',
    name: 'calls a claim of another incarnation held',
    spoil: (journal) => ({
      ...journal,
      async acquire(thread, claim) {
        const result = await journal.acquire(thread, claim)
        return result.kind === 'fenced' ? { kind: 'held', epoch: result.epoch } : result
      },
    }),
  },
  {
    rule: 'JOURNAL-6',
    name: 'fences a claim on a thread without events that another incarnation has claimed',
    spoil: (journal) => ({
      ...journal,
      async acquire(thread, claim) {
        const head = await journal.head(thread)
        const isOther = head !== undefined && head.incarnation !== claim.incarnation
        return isOther ? { kind: 'fenced', epoch: head.epoch } : journal.acquire(thread, claim)
      },
    }),
  },
  showing('JOURNAL-6', 'shows the name for the incarnation', (head) => ({ ...head, incarnation: head.thread })),
  {
    rule: 'JOURNAL-6',
    name: 'keeps the incarnation of the claim that came before the first batch',
    spoil(journal) {
      const claimed = new Map<string, string>()
      return {
        ...journal,
        acquire(thread, claim) {
          if (!claimed.has(thread)) claimed.set(thread, claim.incarnation)
          return journal.acquire(thread, claim)
        },
        async head(thread) {
          const head = await journal.head(thread)
          return head && { ...head, incarnation: claimed.get(thread) ?? head.incarnation }
        },
      }
    },
  },
]

const isCode = (error: unknown, code: string): boolean => (error as { code?: unknown }).code === code

/** A fault of the batch that begins a fork. */
const forking = (name: string, append: (journal: Journal, thread: string, batch: Batch) => Promise<AppendResult>): Fault =>
  appending('JOURNAL-7', name, (journal, thread, batch) => (batch.forkOf ? append(journal, thread, batch) : journal.append(thread, batch)))

/** A fault of a fork whose moment is not there. */
const orphaning = (name: string, change: (journal: Journal, batch: Batch) => Promise<Batch>): Fault =>
  forking(name, async (journal, thread, batch) => journal.append(thread, await change(journal, batch)))

/** A fault of the removal that a fork must prevent. */
const removingParent = (name: string, remove: (journal: Journal, thread: string) => ReturnType<Journal['remove']>): Fault => ({
  rule: 'JOURNAL-7',
  name,
  spoil: (journal) => ({
    ...journal,
    remove: (thread) =>
      journal.remove(thread).catch((error: unknown) => {
        if (!isCode(error, 'LOOM_THREAD_BUSY')) throw error
        return remove(journal, thread)
      }),
  }),
})

/** A fault of what a fork reads of its parent. */
const sharing = (
  name: string,
  read: (journal: Journal, head: Head, range: { from: number; limit?: number | undefined }) => ReturnType<Journal['read']>,
): Fault => ({
  rule: 'JOURNAL-7',
  name,
  spoil: (journal) => ({
    ...journal,
    async read(thread, { from = 1, ...range } = {}) {
      const head = await journal.head(thread)
      return head?.forkOf && from <= head.forkOf.seq ? read(journal, head, { from, ...range }) : journal.read(thread, { from, ...range })
    },
  }),
})

/** Faults of forks. */
export const forkFaults: readonly Fault[] = [
  forking('numbers the own events of a fork from 1', (journal, thread, { forkOf: _forkOf, ...batch }) =>
    journal.append(thread, { ...batch, expected: 0 }),
  ),
  forking('cuts a fork one event too early', (journal, thread, { forkOf, ...batch }) =>
    journal.append(thread, forkOf ? { ...batch, expected: forkOf.seq - 1, forkOf: { ...forkOf, seq: forkOf.seq - 1 } } : batch),
  ),
  forking('writes into the parent that it was forked', async (journal, thread, batch) => {
    const result = await journal.append(thread, batch)
    const parent = await journal.head(batch.forkOf?.thread ?? '')
    if (result.kind === 'appended' && parent) {
      const note = { id: crypto.randomUUID(), incarnation: parent.incarnation, expected: parent.seq, forkOf: undefined }
      await journal.append(parent.thread, { ...batch, ...note })
    }
    return result
  }),
  forking('begins a fork again when it is appended again', async (journal, thread, batch) => {
    const seq = await seqOf(journal, thread)
    return journal.append(thread, seq > batch.expected ? { ...batch, id: crypto.randomUUID(), expected: seq, forkOf: undefined } : batch)
  }),
  forking('says that a fork without a parent was begun', async (journal, thread, batch) => {
    const failed = (error: unknown): AppendResult => {
      if (!isCode(error, 'LOOM_THREAD_NOT_FOUND')) throw error
      return { kind: 'appended', seq: batch.expected + batch.events.length }
    }
    return journal.append(thread, batch).catch(failed)
  }),
  forking('calls a fork without a parent a conflict', async (journal, thread, batch) =>
    journal.append(thread, batch).catch((): AppendResult => ({ kind: 'conflict', seq: 0 })),
  ),
  orphaning('begins a fork of another incarnation of its parent', async (journal, { forkOf, ...batch }) =>
    forkOf ? { ...batch, forkOf: { ...forkOf, incarnation: await incarnationOf(journal, forkOf.thread, forkOf.incarnation) } } : batch,
  ),
  orphaning('begins a fork behind the end of its parent', async (journal, { forkOf, ...batch }) => {
    const seq = Math.min(forkOf?.seq ?? 0, (await seqOf(journal, forkOf?.thread ?? '')) || Number.POSITIVE_INFINITY)
    return forkOf ? { ...batch, expected: seq, forkOf: { ...forkOf, seq } } : batch
  }),
  orphaning('begins a fork of the moment before the first event', async (_journal, { forkOf, ...batch }) =>
    forkOf && forkOf.seq === 0 ? batch : { ...batch, forkOf },
  ),
  forking('begins a fork of itself as a thread', (journal, thread, { forkOf, ...batch }) =>
    journal.append(thread, forkOf?.thread === thread ? { ...batch, expected: 0 } : { ...batch, forkOf }),
  ),
  removingParent('says that a thread was removed that a fork reads', async () => 'removed'),
  removingParent('removes the forks with the thread', async (journal, thread) => {
    for (const head of await journal.threads()) if (head.forkOf?.thread === thread) await journal.remove(head.thread)
    return await journal.remove(thread)
  }),
  showing('JOURNAL-7', 'does not say where a fork was cut', ({ forkOf: _forkOf, ...head }) => head),
  showing('JOURNAL-7', 'counts the own events of a fork from 1', (head) => ({ ...head, seq: head.seq - (head.forkOf?.seq ?? 0) })),
  sharing('reads what is shared under the name of the parent', (journal, { forkOf }, range) =>
    journal.read(forkOf?.thread ?? '', { ...range, limit: 1 }),
  ),
  sharing('shows a fork what its parent appended after the cut', async (journal, { thread, forkOf }, range) =>
    (await journal.read(forkOf?.thread ?? '', range)).map((event) => ({ ...event, thread })),
  ),
  sharing('shows a fork its own events alone', (journal, { thread, forkOf }) => journal.read(thread, { from: (forkOf?.seq ?? 0) + 1 })),
  {
    rule: 'JOURNAL-7',
    name: 'returns the head from before when a thread is acquired',
    spoil: (journal) => ({
      ...journal,
      async acquire(thread, claim) {
        const before = await journal.head(thread)
        const result = await journal.acquire(thread, claim)
        return result.kind === 'acquired' && before ? { ...result, head: before } : result
      },
    }),
  },
  {
    rule: 'JOURNAL-7',
    name: 'returns the head from before when a thread is released',
    spoil: (journal) => ({
      ...journal,
      async release(thread, lease) {
        const before = await journal.head(thread)
        await journal.release(thread, lease)
        return before
      },
    }),
  },
  {
    rule: 'JOURNAL-7',
    name: 'returns no head when a thread is released',
    spoil: (journal) => ({
      ...journal,
      async release(thread, lease) {
        await journal.release(thread, lease)
        return undefined
      },
    }),
  },
]
