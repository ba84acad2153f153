/** The journal in memory: the reference implementation of the contract. It keeps encoded batches, not live objects (JOURNAL-5). */

import type {
  AcquireResult,
  AppendResult,
  Batch,
  Claim,
  ForkOf,
  Journal,
  LeaseId,
  LoomEvent,
  OwnEvents,
  ReadRange,
  Store,
  Summary,
} from '@loom-agent/kernel'
import { canonicalJson, createJournal, decodeBatch, encodeBatch, missingParent, threadQuarantined } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from './expected.ts'
import { firstIndex } from './first-index.ts'
import { type KeepThread, keeping } from './keep-thread.ts'
import { addToFeed, createMemoryFeed, type MemoryFeed } from './memory-feed.ts'
import { loadChecks, loadQueries } from './memory-on-use.ts'
import { createRetention, type Retention } from './memory-retention.ts'
import { copyOf, type EncodedBatch, emptyThread, headOf, type MemoryThread, type Now, note, type Table } from './memory-thread.ts'
import { checkOptions } from './options.ts'

/** Events a page of `read` holds at most, give or take a batch. */
const pageSize = 512

/**
 * A journal that lasts as long as the object: the default of every agent. It keeps named threads and those that run or wait; of the others the last 1,000
 * that finished (`LOOM_THREAD_DROPPED`). `now` is its clock; default: that of the platform.
 */
export function memoryJournal(options: { readonly now?: () => number } = {}): Journal {
  checkOptions('memoryJournal', options, { now: expected.function })
  const { now = () => Date.now() } = options
  const { store, keep } = memoryStore(now)
  const journal: Journal & { readonly [keeping]: KeepThread } = { ...checked(createJournal(store), now), [keeping]: keep }
  return journal
}

/** Runs read, so that this is checked here; counts are checked by `createJournal` (JOURNAL-19). */
const readFields: Shape & Record<keyof ReadRange, Expected> = { from: expected.anything, limit: expected.anything, incarnation: expected.text }

function checked(journal: Journal, now: () => number): Journal {
  return {
    ...journal,
    async read(thread, range = {}) {
      checkOptions('journal.read', range, readFields)
      return journal.read(thread, range)
    },
    async threads(query = {}) {
      ;(await loadChecks()).checkThreadQuery(query, now())
      return journal.threads(query)
    },
    async feed(query = {}) {
      ;(await loadChecks()).checkFeedQuery(query)
      return journal.feed(query)
    },
    async remove(thread, options = {}) {
      ;(await loadChecks()).checkRemoveOptions(options)
      return journal.remove(thread, options)
    },
  }
}

/** What the journal has in memory. */
interface Memory {
  readonly table: Table
  readonly watchers: Watchers
  readonly feed: MemoryFeed
  readonly retention: Retention
  readonly now: Now
}

function memoryStore(now: Now): { readonly store: Store; readonly keep: KeepThread } {
  const table: Table = { threads: new Map(), children: new Map(), forks: new Map() }
  const { threads } = table
  const watchers = createWatchers()
  const feed = createMemoryFeed((thread) => threads.get(thread))
  const retention = createRetention(table, feed)
  const memory: Memory = { table, watchers, feed, retention, now }
  const store: Store = {
    traits: { name: 'memory', shared: false, durable: false, bytes: false, mode: 'memory' },
    async acquire(thread, claim) {
      retention.requireKept(thread)
      return acquire(threads, { thread, ...claim }, now)
    },
    async release(thread, lease) {
      const current = threads.get(thread)
      if (!current) return undefined
      if (isLeased(current, lease)) current.holder = undefined
      const dropping = dropSurplus(memory)
      if (dropping) await dropping
      return headOf(current, now)
    },
    leaseValid(thread, lease) {
      const current = threads.get(thread)
      return current?.holder !== undefined && isLeased(current, lease)
    },
    async append(thread, batch) {
      const result = append(memory, thread, batch)
      const dropping = dropSurplus(memory)
      if (dropping) await dropping
      return result
    },
    async head(thread) {
      retention.requireKept(thread)
      const current = threads.get(thread)
      return current && headOf(current, now)
    },
    read: async (thread, range = {}) => read(memory, thread, range),
    watch: watchers.add,
    feed: async (range = {}) => (await import('./read-memory-feed.ts')).feedPage(feed, range),
    threads: async (query = {}) => (await loadQueries()).listThreads(table, query, now),
    async blob(hash) {
      for (const { blobs } of threads.values()) if (blobs.has(hash)) return blobs.get(hash)?.slice()
      return undefined
    },
    blobNames: async (thread) => [...(threads.get(thread)?.blobs.keys() ?? [])],
    async remove(thread, options = {}) {
      const { removeThread } = await loadQueries()
      const { result, tree } = removeThread(table, thread, { feed, ...options })
      retention.removed(tree)
      notifyGone(watchers, tree)
      return result
    },
    close: async () => {},
  }
  return { store, keep: retention.keep }
}

function append(memory: Memory, thread: string, batch: Batch): AppendResult {
  const { table, watchers, feed, retention, now } = memory
  const { threads } = table
  retention.requireKept(thread)
  const current = threads.get(thread) ?? emptyThread(thread, batch.incarnation, now)
  const refused = refusal(current, batch)
  if (refused) return refused
  if (batch.forkOf) requireParent(threads, thread, { ...batch, forkOf: batch.forkOf })
  if (batch.events.length === 0) return { kind: 'appended', seq: batch.expected }
  threads.set(thread, current)
  store(current, batch, now)
  noteRelations(table, current)
  addToFeed(feed, current.row, current.seq)
  retention.appended(current)
  watchers.notify(thread, current.seq)
  return { kind: 'appended', seq: current.seq }
}

/** Drops threads of which there are too many; returns what is to be waited for, which is most often nothing. */
function dropSurplus({ retention, watchers }: Memory): Promise<void> | undefined {
  const gone = retention.dropSurplus()
  if (gone instanceof Promise) return gone.then((threads) => notifyGone(watchers, threads))
  notifyGone(watchers, gone)
  return undefined
}

function notifyGone(watchers: Watchers, threads: Iterable<string>): void {
  for (const thread of threads) watchers.notify(thread, 0)
}

function read({ table, retention }: Memory, thread: string, { from = 1, limit = pageSize, incarnation }: ReadRange): OwnEvents {
  retention.requireKept(thread)
  const current = table.threads.get(thread)
  if (incarnation !== undefined && (!current?.seq || incarnation !== current.incarnation)) return undefined
  if (!current) return []
  if (current.forkOf && from <= current.forkOf.seq) return { forkOf: current.forkOf }
  return pageOf(thread, current.batches, { from, limit })
}

/** Those who are notified of the heads of threads. */
interface Watchers {
  readonly add: Store['watch']
  notify(thread: string, seq: number): void
}

/** One that is notified, until it ends its watch. */
interface Watch {
  readonly hint: (seq: number) => void
  isOver: boolean
}

function createWatchers(): Watchers {
  // A list never changes: a watcher that is notified may watch again, or end other watches.
  const watchers = new Map<string, readonly Watch[]>()
  return {
    add(thread, hint) {
      checkOptions('journal.watch', { hint }, { hint: expected.required(expected.function) })
      // One function may watch a thread twice: each watch ends separately.
      const own: Watch = { hint, isOver: false }
      watchers.set(thread, [...(watchers.get(thread) ?? []), own])
      return () => {
        if (own.isOver) return
        own.isOver = true
        const others = watchers.get(thread)?.filter((other) => other !== own) ?? []
        if (others.length > 0) watchers.set(thread, others)
        else watchers.delete(thread)
      }
    },
    notify(thread, seq) {
      const watches = watchers.get(thread)
      if (watches) for (const watch of watches) if (!watch.isOver) hintSafely(watch.hint, seq)
    },
  }
}

/** What a watcher throws reaches neither the writer nor the other watchers (JOURNAL-8): it is reported as a rejection that nobody handles. */
function hintSafely(hint: (seq: number) => void, seq: number): void {
  try {
    hint(seq)
  } catch (error) {
    void Promise.reject(error)
  }
}

function acquire(threads: Map<string, MemoryThread>, claim: Claim & { readonly thread: string }, now: Now): AcquireResult {
  const { thread, worker, incarnation, seen, force, copied } = claim
  const current = threads.get(thread) ?? emptyThread(thread, incarnation, now)
  const { epoch, holder } = current
  if (current.seq > 0 && current.incarnation !== incarnation) return { kind: 'fenced', epoch }
  if ((holder !== undefined && !force) || epoch !== seen) return { kind: 'held', epoch, holder }
  if (current.summary.quarantined && copied === undefined) throw threadQuarantined(thread)
  threads.set(thread, current)
  current.incarnation = incarnation
  current.epoch = Math.max(epoch + 1, copied ?? 0)
  current.holder = worker
  return { kind: 'acquired', epoch: current.epoch, head: headOf(current, now) }
}

const isLeased = (current: MemoryThread, { epoch, incarnation }: LeaseId): boolean => current.epoch === epoch && current.incarnation === incarnation

function noteRelations({ children, forks }: Table, { thread, forkOf, summary: { parent } }: MemoryThread): void {
  if (parent !== undefined) note(children, parent, thread)
  if (forkOf) note(forks, forkOf.thread, thread)
}

/** Whether two summaries say the same. Labels are compared last, as text: few threads have any. */
function isSame(one: Summary, other: Summary): boolean {
  const isAlike = one.status === other.status && one.agent === other.agent && one.parent === other.parent && one.wakeAt === other.wakeAt
  if (one.quarantined !== other.quarantined) return false
  return isAlike && (one.labels === other.labels || canonicalJson(one.labels ?? {}) === canonicalJson(other.labels ?? {}))
}

function refusal({ thread, incarnation, seq, epoch, batches, summary }: MemoryThread, batch: Batch): AppendResult | undefined {
  // What comes after the last event cannot be there already.
  const known = batch.expected < seq ? storedAs(batches, batch) : undefined
  if (known && batch.incarnation === incarnation) return { kind: 'appended', seq: known.last }
  if (summary.quarantined && !batch.isCopy && !batch.events.some(({ type }) => type === 'thread.adopted')) throw threadQuarantined(thread)
  const isFenced = batch.epoch === undefined ? summary.status === 'partial' : batch.epoch !== epoch
  if (isFenced) return { kind: 'fenced', epoch }
  const begins = batch.expected === 0 || batch.forkOf !== undefined
  if (seq > 0 && batch.incarnation !== incarnation) return begins ? { kind: 'conflict', seq } : { kind: 'fenced', epoch }
  // A fork begins on a name that has no events.
  const isNext = batch.forkOf ? seq === 0 && batch.expected === batch.forkOf.seq : batch.expected === seq
  return isNext ? undefined : { kind: 'conflict', seq }
}

/** A fork starts after a moment that its parent has (JOURNAL-7), and is quarantined where that is (JOURNAL-23). */
function requireParent(threads: ReadonlyMap<string, MemoryThread>, fork: string, batch: Batch & { readonly forkOf: ForkOf }): void {
  const { forkOf, summary, isCopy } = batch
  const parent = threads.get(forkOf.thread)
  if (!parent || forkOf.seq < 1 || parent.incarnation !== forkOf.incarnation || parent.seq < forkOf.seq) throw missingParent(fork, forkOf)
  if (parent.summary.quarantined && !summary.quarantined && !isCopy) throw threadQuarantined(forkOf.thread)
}

/** The batch as it is stored already: an id counts together with the seq that its batch expects (JOURNAL-2). */
function storedAs(batches: readonly EncodedBatch[], { id, expected }: Batch): EncodedBatch | undefined {
  const there = batches[indexOf(batches, expected + 1)]
  return there?.first === expected + 1 && there.id === id ? there : undefined
}

function store(current: MemoryThread, batch: Batch, now: Now): void {
  current.incarnation = batch.incarnation
  current.row.incarnation = batch.incarnation
  if (batch.forkOf) current.forkOf = { ...batch.forkOf }
  if (batch.isAnonymous && current.seq === 0) current.isAnonymous = true
  current.seq = batch.expected + batch.events.length
  current.batches.push({ id: batch.id, first: batch.expected + 1, last: current.seq, line: encodeBatch(batch) })
  if (!isSame(current.summary, batch.summary)) {
    current.changed = now()
    current.summary = copyOf(batch.summary)
  }
  for (const [hash, bytes] of batch.blobs ?? []) current.blobs.set(hash, bytes.slice())
}

function pageOf(thread: string, batches: readonly EncodedBatch[], { from, limit }: { from: number; limit: number }): readonly LoomEvent[] {
  const page: LoomEvent[] = []
  for (let index = indexOf(batches, from); index < batches.length && page.length < limit; index += 1) {
    const { first, line } = batches[index] as EncodedBatch
    page.push(...decodeBatch(thread, first, line).filter((event) => event.seq >= from))
  }
  return page.slice(0, limit)
}

/** Which batch holds the event `seq`; after the last event, the number of batches. */
const indexOf = (batches: readonly EncodedBatch[], seq: number): number => firstIndex(batches, ({ last }) => last < seq)
