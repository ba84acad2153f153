/**
 * The journal contract. Adapters implement `Store`; everything above them uses the `Journal` that `createJournal` makes of it.
 *
 * JOURNAL-1. Compare-and-append: a batch is stored whole, and only when `expected` is the head; otherwise it conflicts and nothing changes.
 * JOURNAL-2. A batch that is stored already (its id, after the seq it expects) returns `appended`, whatever has happened since: after a lost reply
 *            the writer appends the same batch again.
 * JOURNAL-3. A batch with an epoch that is not the current one is fenced, even at the right seq. A batch without one is a contributor's.
 * JOURNAL-4. `acquire` raises the epoch, by compare-and-set on the epoch that the claimant has seen; it returns `held` while the holder is alive, and
 *            `held` without a holder when the epoch has moved on.
 * JOURNAL-5. What is read was appended: gap-free, in order, and never the writer's own objects.
 * JOURNAL-6. A batch or a claim that names another incarnation than the thread's is fenced. A batch that begins a thread conflicts instead: its
 *            writer has not seen the thread that is there.
 * JOURNAL-7. A thread is not removed while a fork reads it, and a fork does not start without its parent: the store decides both in one step.
 * JOURNAL-13. A read that names an incarnation returns events of that one only; when it is gone, the read says so. A thread without events has none:
 *             a claim that came after a removal does not bring the thread back.
 * JOURNAL-14. A removal that names a head removes the thread only where that is still its head; the store decides it in one step.
 * JOURNAL-15. The feed has one entry for every commit and every removal, each after those that were visible before it. What a reader continues from
 *             never skips an entry that becomes visible later. A removal stands for the commits of its thread, which are gone.
 * JOURNAL-16. A cursor whose entry is not in the store, and was not removed since, throws `LOOM_CURSOR_STALE`: an older copy was restored.
 * JOURNAL-17. A thread is removed with its children, theirs, and so on; a store that cannot do it in one step removes the thread first. It is not removed
 *             while one of them is driven (it is running and has a living holder), or read by a fork outside of them. The holder of a thread at rest is
 *             about to release it, and is fenced.
 * JOURNAL-19. A page begins at a whole number from 1 on and has room for at least one: any other `from` or `limit` is refused. A page of nothing would
 *             look like the end.
 * JOURNAL-20. A release ends the lease that it names, and no other: not one of a later epoch, and not one on another thread of the same id.
 * JOURNAL-21. `leaseValid` returns true only while no other process can have acquired the thread: it is held under this lease, and less time has
 *             passed on the monotonic clock of this process since the last acknowledged heartbeat than a lease lasts without one.
 * JOURNAL-22. A thread with the status `partial` is a copy that is not whole. A contributor's batch is fenced there: what is appended is the rest of the
 *             copy, which names the epoch.
 * JOURNAL-23. A thread whose summary says `quarantined` came from outside, and nobody has adopted it. A claim and a batch throw
 *             `LOOM_THREAD_QUARANTINED` there, unless they are of a copy, or the batch has a `thread.adopted`; that one's summary ends the quarantine. A
 *             fork of such a thread begins only as quarantined, unless it is a copy. Reading, listing and removing are not affected.
 * JOURNAL-24. The claim of a copy raises the epoch to the one that it names, in one step.
 * JOURNAL-25. A thread has the blobs that its batches brought, and no others: what looks like the name of a blob in an event is data.
 *
 * In which order a batch is checked: whether it is stored already (JOURNAL-2), the quarantine (JOURNAL-23), its epoch (JOURNAL-3, JOURNAL-22), its
 * incarnation (JOURNAL-6), the seq it expects (JOURNAL-1), the parent of a fork (JOURNAL-7). A batch without events is checked like any other, and stores nothing.
 */

import type { Blobs, Draft, Epoch, LoomEvent, Seq } from './event.ts'
import { canonicalJson, type Json, type JsonObject, own } from './json.ts'

/** Fields that may be left out, or be undefined. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }
type Status = 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial'
/** What the thread table knows of a thread: enough to list it, to wake it and to refuse it (JOURNAL-23). Absent fields are undefined. */
export type Summary = Readonly<{ status: Status }> &
  Optional<{ agent: string; parent: string; wakeAt: number; labels: JsonObject; quarantined: true }>

/** Distinguishes a thread from a removed one of the same id. A thread of format 1 has none of its own: there it is the id. */
export type Incarnation = string

/** The moment of another thread at which a fork was cut. The fork's own events follow from `seq + 1` on. */
export type ForkOf = Readonly<{ thread: string; incarnation: Incarnation; seq: Seq }>

/**
 * What one append stores. `run` and `turn` are those in force before the first event; only the batch that begins a fork has `forkOf`. `isAnonymous` begins a
 * thread whose name the caller did not give: it is not stored, and a journal that keeps only some of those goes by it. `isCopy` is not stored either: the
 * batch is part of a copy, which a quarantined thread takes too.
 */
export type Batch = Readonly<{ id: string; incarnation: Incarnation; expected: Seq; time: number; summary: Summary; events: readonly Draft[] }> &
  Optional<{ epoch: Epoch; run: string; turn: number; blobs: Blobs; forkOf: ForkOf; isAnonymous: true; isCopy: true }>

/**
 * The store's clock, in milliseconds since 1970: when the head was read, when the thread began, and when its summary changed last; 0 if that was before
 * times were stored.
 */
export type HeadTimes = Readonly<{ now: number; began: number; changed: number }>

/** The end of a thread, and the worker that drives it. */
export type Head = Readonly<{ thread: string; incarnation: Incarnation; seq: Seq; epoch: Epoch; summary: Summary; times: HeadTimes }> &
  Readonly<{ holder?: string | undefined; forkOf?: ForkOf | undefined }>

/** Names a lease on a thread. */
export type LeaseId = Pick<Head, 'incarnation' | 'epoch'>

/**
 * A claim to drive a thread: by which worker, and after which epoch. `force` takes the thread from a holder that is alive; `copied` is the epoch of the
 * thread of which this one is made a copy (JOURNAL-24).
 */
export type Claim = Readonly<{ worker: string; incarnation: Incarnation; seen: Epoch; force?: boolean; copied?: Epoch | undefined }>

/** How an append ended: with the last seq of the batch, in a conflict with that of the thread, or fenced with the current epoch. */
export type AppendResult = { readonly kind: 'appended' | 'conflict'; readonly seq: Seq } | { readonly kind: 'fenced'; readonly epoch: Epoch }
/** How a claim ended. The head shows whether anything was appended since the claimant looked. */
export type AcquireResult =
  | { readonly kind: 'acquired'; readonly epoch: Epoch; readonly head: Head }
  | { readonly kind: 'held'; readonly epoch: Epoch; readonly holder?: string | undefined }
  | { readonly kind: 'fenced'; readonly epoch: Epoch }
/** Removes only the thread whose head this is. */
export type RemoveOptions = Readonly<{ expected?: Pick<Head, 'incarnation' | 'seq'> | undefined }>
/**
 * How a removal ended. A thread stays when its head is another than expected, when its parent may go on with it, or when it or a child of it is read by a
 * fork or driven.
 */
export type RemoveResult =
  | { readonly kind: 'removed' | 'changed' }
  | { readonly kind: 'awaited'; readonly parent: string }
  | { readonly kind: 'forked'; readonly fork: string }
  | { readonly kind: 'held'; readonly thread: string; readonly holder: string }
/**
 * A page of a thread's own events; a range that begins before the first of them returns the moment at which the thread was forked. `undefined` when the
 * range names an incarnation, and the store has no thread of this id and that incarnation.
 */
export type OwnEvents = readonly LoomEvent[] | { readonly forkOf: ForkOf } | undefined

/** Where a page of events begins, how many it holds at most, and which thread of this id to read; without an incarnation, the one that is there. */
export type ReadRange = Readonly<{ from?: Seq | undefined; limit?: number | undefined; incarnation?: Incarnation | undefined }>
/** Whether the run of a thread may go on, and then with its children: one that has failed can be resumed. */
export const mayGoOn = (summary: Summary | undefined): boolean => summary !== undefined && /running|waiting|failed/.test(summary.status)
/** Threads of an agent, or with these labels; a label that is null is one that the thread does not have. */
type Described = Readonly<{ agent?: string | undefined; labels?: JsonObject | undefined }>
/**
 * Which threads to list. `dueBy` are those that sleep until this moment or earlier; `since` and `before` are about when the summary changed. Sorted by id,
 * or by that time: `changed` from the oldest on, `latest` from the newest on. `after` is the last head of the page before, or its id if sorted by id.
 */
export type ThreadQuery = Described &
  Optional<{ status: Status; parent: string; dueBy: number; since: number; before: number; limit: number }> &
  Optional<{ sort: 'id' | 'changed' | 'latest'; after: string | Pick<Head, 'thread' | 'times'> }>

/** Where a page of the feed begins: after a cursor, or at the first entry. `limit` is how many entries are looked at. */
export type FeedRange = Readonly<{ from?: string | undefined; limit?: number | undefined }>
/** A page of the feed, of all threads or some. Removals are in every page: what a removed thread was is not known any more. */
export type FeedQuery = FeedRange & Described
/**
 * A commit, whose last event is `seq`, with the summary that the thread has when the feed is read; or a removal of a thread that ended at `seq`.
 * `position` is a cursor: the feed continues after it.
 */
export type FeedEntry = Readonly<{ position: string; thread: string; incarnation: Incarnation; seq: Seq }> &
  ((Summary & { readonly kind: 'changed' }) | ({ readonly [K in keyof Summary]?: undefined } & { readonly kind: 'removed' }))
/** A page of the feed, the cursor to continue from, and whether nothing more can be read for now. */
export type FeedPage = Readonly<{ entries: readonly FeedEntry[]; cursor: string; isEnd: boolean }>

/** What an adapter promises: several processes may use it; what is acknowledged survives; it notices when its own bytes are damaged. */
export type JournalTraits = Readonly<{ name: string; shared: boolean; durable: boolean; bytes: boolean; mode: 'strict' | 'relaxed' | 'memory' }>

/** What journals and stores have in common. */
interface Threads {
  /** What the adapter promises. */
  readonly traits: JournalTraits
  /** Claims a thread for a worker (JOURNAL-4). */
  acquire(thread: string, claim: Claim): Promise<AcquireResult>
  /** Ends a lease, if it is the current one (JOURNAL-20); returns the head. */
  release(thread: string, lease: LeaseId): Promise<Head | undefined>
  /** Whether this object certainly has the lease, at this moment (JOURNAL-21). It asks no one. */
  leaseValid(thread: string, lease: LeaseId): boolean
  /** Appends a batch, whole or not at all (JOURNAL-1). */
  append(thread: string, batch: Batch): Promise<AppendResult>
  /** The head of a thread; `undefined` when there is no such thread. */
  head(thread: string): Promise<Head | undefined>
  /**
   * Calls back with the head's seq after appends, and with 0 when the thread was removed or is not there: a hint, never the data; it may be missed or
   * late. What the function throws is an uncaught error of the process, and no writer gets it.
   */
  watch(thread: string, hint: (seq: Seq) => void): () => void
  /** The heads of threads, page by page. */
  threads(query?: ThreadQuery): Promise<readonly Head[]>
  /** The bytes that have this digest. */
  blob(hash: string): Promise<Uint8Array | undefined>
  /** The names of the blobs that batches of a thread brought, in any order: no other value of its events refers to a blob (JOURNAL-23). */
  blobNames(thread: string): Promise<readonly string[]>
  /** Frees what the adapter uses. */
  close(): Promise<void>
}

/** What an adapter implements: threads with their own events. A store knows where a fork was cut, and reads no other thread for it. */
export interface Store extends Threads {
  /** A page of the feed (JOURNAL-15). */
  feed(range?: FeedRange): Promise<FeedPage>
  /** A page of own events from `from` on; an empty page is the end. */
  read(thread: string, range?: ReadRange): Promise<OwnEvents>
  /** Removes a thread and its children (JOURNAL-17), unless its head is another than expected (JOURNAL-14) or a fork reads it (JOURNAL-7). */
  remove(thread: string, options?: RemoveOptions): Promise<RemoveResult>
}

/** Where events live. A fork is read like any other thread, with the past that it shares. */
export interface Journal extends Threads {
  /** A page of all commits and removals, in an order that every reader sees (JOURNAL-15). */
  feed(query?: FeedQuery): Promise<FeedPage>
  /** A page of events from `from` on; an empty page is the end. Throws `LOOM_THREAD_NOT_FOUND` when the named incarnation is gone (JOURNAL-13). */
  read(thread: string, range?: ReadRange): Promise<readonly LoomEvent[]>
  /**
   * Removes a thread and its children, or returns `changed` when its head is another than expected. Throws `LOOM_THREAD_BUSY` while one of them is driven
   * or read by a fork.
   */
  remove(thread: string, options?: RemoveOptions): Promise<'removed' | 'changed'>
}

/**
 * Every event of a thread from `from` on, in pages of at most `limit`. All are of one incarnation: when that is removed meanwhile, the next page throws
 * `LOOM_THREAD_NOT_FOUND`.
 */
export async function* readEvents(journal: Pick<Journal, 'head' | 'read'>, thread: string, range: ReadRange = {}): AsyncGenerator<LoomEvent, void> {
  let { from = 1, incarnation } = range
  if (incarnation === undefined) {
    const head = await journal.head(thread)
    // Before its first event a thread has no incarnation.
    if (!head?.seq) return
    incarnation = head.incarnation
  }
  for (;;) {
    const page = await journal.read(thread, { ...range, from, incarnation })
    const last = page.at(-1)
    if (!last) return
    yield* page
    from = last.seq + 1
  }
}

/** Whether a summary is of this agent and has these labels. */
export function isDescribed({ agent, labels = {} }: Partial<Summary>, wanted: Described): boolean {
  const isLabelled = ([name, value]: [string, Json | undefined]): boolean => canonicalJson(own(labels, name) ?? null) === canonicalJson(value ?? null)
  return (wanted.agent ?? agent) === agent && Object.entries(wanted.labels ?? {}).every(isLabelled)
}

/** What the place of a head in an order follows from. */
type Placed = Pick<Head, 'thread'> & { readonly times: Pick<HeadTimes, 'changed'> }

/** Whether a thread is one that the query asks for. */
export function matches(head: Placed & Pick<Head, 'summary'>, query: ThreadQuery): boolean {
  const { summary, times } = head
  const { status, parent, dueBy, since = 0, before = Number.POSITIVE_INFINITY, after } = query
  const isAsked = (status ?? summary.status) === summary.status && (parent ?? summary.parent) === summary.parent
  const isDue = dueBy === undefined || (summary.wakeAt !== undefined && summary.wakeAt <= dueBy)
  const { changed } = times
  // An id stands for a head where heads are sorted by id.
  const isAfter = after === undefined || compareHeads(head, typeof after === 'string' ? { thread: after, times } : after, query) > 0
  return isAsked && isDue && changed >= since && changed < before && isAfter && isDescribed(summary, query)
}

/** Compares the places of two heads in the order of a query. */
export function compareHeads(one: Placed, other: Placed, { sort = 'id' }: ThreadQuery): number {
  const later = sort === 'id' ? 0 : one.times.changed - other.times.changed
  return (sort === 'latest' ? -later : later) || (one.thread < other.thread ? -1 : Number(one.thread > other.thread))
}
