/** Journals whose table, blobs, removal or reopening are bad. */
import type { Summary } from '@loom-agent/kernel'
import { blobbing, type Fault, keepAll, knownBy, listing, removing, reopening, seqOf, summarising } from './faults.ts'

/** Faults of the thread table. */
export const tableFaults: readonly Fault[] = [
  summarising('keeps the first summary', (given) => given[0] ?? { status: 'idle' }),
  summarising('keeps what a later summary leaves out', (given) => Object.assign({}, ...given) as Summary),
  summarising('knows no labels', (given) => ({ ...(given.at(-1) ?? { status: 'idle' }), labels: undefined })),
  {
    rule: 'JOURNAL-9',
    name: 'returns the summary it keeps',
    spoil(journal) {
      const kept = new Map<string, Summary>()
      return {
        ...journal,
        append(thread, batch) {
          kept.set(thread, batch.summary)
          return journal.append(thread, batch)
        },
        async head(thread) {
          const head = await journal.head(thread)
          return head && { ...head, summary: kept.get(thread) ?? head.summary }
        },
      }
    },
  },
  listing('lists by any status', (journal, { status: _status, ...query }) => journal.threads(query)),
  listing('lists by any parent', (journal, { parent: _parent, ...query }) => journal.threads(query)),
  listing('lists what is not due yet', (journal, { dueBy: _dueBy, ...query }) => journal.threads(query)),
  listing('lists what is due a moment late', (journal, query) =>
    journal.threads(query.dueBy === undefined ? query : { ...query, dueBy: query.dueBy - 1 }),
  ),
  listing('knows no pages', (journal, { limit: _limit, ...query }) => journal.threads(query)),
  listing('starts every page from the first thread', (journal, { after: _after, ...query }) => journal.threads(query)),
  listing('skips a thread between pages', async (journal, query) => (await journal.threads(query)).slice(query.after === undefined ? 0 : 1)),
  {
    rule: 'JOURNAL-9',
    name: 'lists in another order every time',
    spoil(journal) {
      let backwards = false
      return {
        ...journal,
        async threads(query) {
          backwards = !backwards
          const heads = await journal.threads(query)
          return backwards ? heads.toReversed() : heads
        },
      }
    },
  },
]

/** Faults of blobs. */
export const blobFaults: readonly Fault[] = [
  blobbing('loses blobs', { keep: () => {} }),
  blobbing('stores the blobs of a conflict', { keep: keepAll }),
  blobbing('loses empty blobs', {
    keep(blobs, batch, { kind }) {
      for (const [hash, bytes] of batch.blobs ?? []) if (kind === 'appended' && bytes.length > 0) blobs.set(hash, bytes.slice())
    },
  }),
  blobbing('keeps the bytes of the writer', {
    keep(blobs, batch, { kind }) {
      for (const [hash, bytes] of batch.blobs ?? []) if (kind === 'appended') blobs.set(hash, bytes)
    },
  }),
  blobbing('returns the bytes it keeps', {
    keep: (blobs, batch, { kind }) => (kind === 'appended' ? keepAll(blobs, batch) : undefined),
    give: (bytes) => bytes,
  }),
]

/** Faults of `remove`. */
export const removeFaults: readonly Fault[] = [
  removing('removes nothing', (journal) => ({ ...journal, remove: async () => 'removed' })),
  removing('forgets to remove blobs', (journal) => {
    const blobs = new Map<string, Uint8Array>()
    return {
      ...journal,
      append(thread, batch) {
        keepAll(blobs, batch)
        return journal.append(thread, batch)
      },
      blob: async (hash) => blobs.get(hash),
    }
  }),
  removing('removes blobs that others still have', (journal) => {
    const gone = new Set<string>()
    const had = new Map<string, string[]>()
    return {
      ...journal,
      append(thread, batch) {
        had.set(thread, [...(had.get(thread) ?? []), ...(batch.blobs?.keys() ?? [])])
        return journal.append(thread, batch)
      },
      async remove(thread) {
        for (const hash of had.get(thread) ?? []) gone.add(hash)
        return journal.remove(thread)
      },
      blob: async (hash) => (gone.has(hash) ? undefined : journal.blob(hash)),
    }
  }),
  removing(
    'forgets to remove batch ids',
    knownBy((thread, { id }) => `${thread} ${id}`),
  ),
  removing('removes all threads', (journal) => ({
    ...journal,
    async remove(thread) {
      for (const head of await journal.threads()) await journal.remove(head.thread)
      return journal.remove(thread)
    },
  })),
  removing('throws on a thread it does not know', (journal) => ({
    ...journal,
    async remove(thread) {
      if ((await seqOf(journal, thread)) === 0) throw new Error('no such thread')
      return journal.remove(thread)
    },
  })),
  removing('lets the driver of a removed thread continue', (journal) => ({
    ...journal,
    async append(thread, batch) {
      const removed = batch.epoch !== undefined && batch.expected > 0 && (await seqOf(journal, thread)) === 0
      return journal.append(thread, removed ? { ...batch, expected: 0, epoch: undefined } : batch)
    },
  })),
]

/** Faults of opening again. */
export const reopenFaults: readonly Fault[] = [
  reopening('says that threads changed when they were written last', async (journal) => ({
    ...journal,
    async threads(query) {
      const heads = await journal.threads(query)
      return heads.map((head) => ({ ...head, times: head.times && { ...head.times, changed: head.times.changed + 1 } }))
    },
  })),
  reopening('forgets batch ids', async (journal) => ({
    ...journal,
    append: (thread, batch) => journal.append(thread, { ...batch, id: `${batch.id} again` }),
  })),
  reopening('counts epochs from 1 again', async (journal) => ({
    ...journal,
    acquire: async (thread, claim) => ({ ...(await journal.acquire(thread, claim)), epoch: 1 }),
  })),
  reopening('loses blobs', async (journal) => ({ ...journal, blob: async () => undefined })),
  reopening('loses the thread table', async (journal) => ({ ...journal, threads: async () => [] })),
  reopening('loses the last event', async (journal) => ({
    ...journal,
    read: async (thread, range) => (await journal.read(thread, range)).slice(0, -1),
  })),
]
