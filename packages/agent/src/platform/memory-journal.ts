/** The journal in memory: the reference implementation of the contract. It keeps encoded batches, not live objects (JOURNAL-5). */

import type {
  AcquireResult,
  AppendResult,
  Batch,
  Claim,
  ForkOf,
  Head,
  Journal,
  LeaseId,
  LoomEvent,
  Store,
  Summary,
  ThreadQuery,
} from '@loom-agent/kernel'
import { createJournal, decodeBatch, encodeBatch, matches, missingParent } from '@loom-agent/kernel'

type EncodedBatch = { readonly first: number; readonly line: string }
type Kept = { readonly batches: EncodedBatch[]; readonly ids: Map<string, number>; readonly blobs: Map<string, Uint8Array> }
type MemoryThread = Kept & { -readonly [K in keyof Head]: Head[K] }

/** Events a page of `read` holds at most, give or take a batch. */
const pageSize = 512

/** A journal that lasts as long as the object: the default of every agent. */
export function memoryJournal(): Journal {
  return createJournal(memoryStore())
}

function memoryStore(): Store {
  const threads = new Map<string, MemoryThread>()
  const watchers = new Map<string, Set<(seq: number) => void>>()
  return {
    traits: { name: 'memory', shared: false, durable: false, bytes: false, mode: 'memory' },
    acquire: async (thread, claim) => acquire(threads, thread, claim),
    async release(thread, lease) {
      const current = threads.get(thread)
      if (current && isLeased(current, lease)) current.holder = undefined
      return current && headOf(current)
    },
    leaseValid(thread, lease) {
      const current = threads.get(thread)
      return current?.holder !== undefined && isLeased(current, lease)
    },
    async append(thread, batch) {
      const current = threads.get(thread) ?? empty(thread, batch.incarnation)
      const refused = refusal(current, batch)
      if (refused) return refused
      if (batch.forkOf) requireParent(threads, thread, batch.forkOf)
      if (batch.events.length === 0) return { kind: 'appended', seq: batch.expected }
      threads.set(thread, current)
      store(current, batch)
      for (const hint of watchers.get(thread) ?? []) hint(current.seq)
      return { kind: 'appended', seq: current.seq }
    },
    async head(thread) {
      const current = threads.get(thread)
      return current && headOf(current)
    },
    async read(thread, { from = 1, limit = pageSize, incarnation } = {}) {
      const current = threads.get(thread)
      if (incarnation !== undefined && (!current?.seq || incarnation !== current.incarnation)) return undefined
      if (!current) return []
      if (current.forkOf && from <= current.forkOf.seq) return { forkOf: current.forkOf }
      return pageOf(thread, batchesFrom(current.batches, from), { from, limit })
    },
    watch(thread, hint) {
      const hints = watchers.get(thread) ?? new Set()
      watchers.set(thread, hints.add(hint))
      return () => void (hints.delete(hint) && hints.size === 0 && watchers.delete(thread))
    },
    threads: async (query = {}) => list(threads, query),
    async blob(hash) {
      for (const { blobs } of threads.values()) if (blobs.has(hash)) return blobs.get(hash)?.slice()
      return undefined
    },
    async remove(thread, { expected } = {}) {
      const current = threads.get(thread)
      if (expected && (expected.incarnation !== current?.incarnation || expected.seq !== current.seq)) return { kind: 'changed' }
      for (const [fork, { forkOf }] of threads) if (forkOf?.thread === thread) return { kind: 'forked', fork }
      if (threads.delete(thread)) for (const hint of watchers.get(thread) ?? []) hint(0)
      return { kind: 'removed' }
    },
    close: async () => {},
  }
}

function acquire(threads: Map<string, MemoryThread>, thread: string, { worker, incarnation, seen, force }: Claim): AcquireResult {
  const current = threads.get(thread) ?? empty(thread, incarnation)
  const { epoch, holder } = current
  if (current.seq > 0 && current.incarnation !== incarnation) return { kind: 'fenced', epoch }
  if ((holder !== undefined && !force) || epoch !== seen) return { kind: 'held', epoch, holder }
  threads.set(thread, current)
  current.incarnation = incarnation
  current.epoch += 1
  current.holder = worker
  return { kind: 'acquired', epoch: current.epoch, head: headOf(current) }
}

const isLeased = (current: MemoryThread, { epoch, incarnation }: LeaseId): boolean => current.epoch === epoch && current.incarnation === incarnation

function list(threads: ReadonlyMap<string, MemoryThread>, query: ThreadQuery): readonly Head[] {
  const heads = [...threads.values()].filter(({ seq }) => seq > 0).map(headOf)
  const found = heads.filter((head) => matches(head, query)).sort((a, b) => (a.thread < b.thread ? -1 : 1))
  return found.slice(0, query.limit)
}

function empty(thread: string, incarnation: string): MemoryThread {
  return { thread, incarnation, seq: 0, epoch: 0, summary: { status: 'idle' }, batches: [], ids: new Map(), blobs: new Map() }
}

function headOf({ thread, incarnation, seq, epoch, holder, summary, forkOf }: MemoryThread): Head {
  return { thread, incarnation, seq, epoch, holder, summary: copyOf(summary), forkOf }
}

const copyOf = (summary: Summary): Summary => (summary.labels ? (JSON.parse(JSON.stringify(summary)) as Summary) : { ...summary })

function refusal({ incarnation, seq, epoch, ids }: MemoryThread, batch: Batch): AppendResult | undefined {
  const known = ids.get(idOf(batch))
  if (known !== undefined && batch.incarnation === incarnation) return { kind: 'appended', seq: known }
  if (batch.epoch !== undefined && batch.epoch !== epoch) return { kind: 'fenced', epoch }
  const begins = batch.expected === 0 || batch.forkOf !== undefined
  if (seq > 0 && batch.incarnation !== incarnation) return begins ? { kind: 'conflict', seq } : { kind: 'fenced', epoch }
  // A fork begins on a name that has no events.
  const isNext = batch.forkOf ? seq === 0 && batch.expected === batch.forkOf.seq : batch.expected === seq
  return isNext ? undefined : { kind: 'conflict', seq }
}

/** A fork starts after a moment that its parent has (JOURNAL-7). */
function requireParent(threads: ReadonlyMap<string, MemoryThread>, fork: string, forkOf: ForkOf): void {
  const parent = threads.get(forkOf.thread)
  if (!parent || forkOf.seq < 1 || parent.incarnation !== forkOf.incarnation || parent.seq < forkOf.seq) throw missingParent(fork, forkOf)
}

/** An id counts together with the seq that its batch expects (JOURNAL-2). */
const idOf = ({ id, expected }: Batch): string => `${expected} ${id}`

function store(current: MemoryThread, batch: Batch): void {
  current.incarnation = batch.incarnation
  if (batch.forkOf) current.forkOf = { ...batch.forkOf }
  current.batches.push({ first: batch.expected + 1, line: encodeBatch(batch) })
  current.seq = batch.expected + batch.events.length
  current.ids.set(idOf(batch), current.seq)
  current.summary = copyOf(batch.summary)
  for (const [hash, bytes] of batch.blobs ?? []) current.blobs.set(hash, bytes.slice())
}

function pageOf(thread: string, batches: readonly EncodedBatch[], { from, limit }: { from: number; limit: number }): readonly LoomEvent[] {
  const page: LoomEvent[] = []
  for (const { first, line } of batches) {
    if (page.length >= limit) break
    page.push(...decodeBatch(thread, first, line).filter((event) => event.seq >= from))
  }
  return page.slice(0, limit)
}

/** The batches from the one that holds `from`, found by bisection: a reader that comes back does not scan the past. */
function batchesFrom(batches: readonly EncodedBatch[], from: number): readonly EncodedBatch[] {
  let low = 0
  let high = batches.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((batches[middle]?.first ?? 0) <= from) low = middle + 1
    else high = middle
  }
  return batches.slice(Math.max(0, low - 1))
}
