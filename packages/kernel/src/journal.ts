/**
 * The journal contract. Adapters store batches; everything above them reads events.
 *
 * JOURNAL-1. Compare-and-append: a batch is stored whole, and only when `expected` is the head; otherwise it conflicts and nothing changes.
 * JOURNAL-2. A batch that is stored already (its id, after the seq it expects) answers `appended`, whatever has happened since: after a lost reply the
 *     writer appends the same batch again.
 * JOURNAL-3. A batch with an epoch that is not the current one is fenced, even at the right seq. A batch without one is a visitor's.
 * JOURNAL-4. `acquire` raises the epoch, by compare-and-set on the epoch the claimant has seen; it answers `held` while the holder lives, and `held`
 *     without a holder when the epoch has moved on.
 * JOURNAL-5. What is read was appended: gap-free, in order, and never the writer's own objects.
 */
import type { Draft, Epoch, LoomEvent, Seq } from './event.ts'
import type { JsonObject } from './json.ts'

type Status = 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped'
/** What the thread table knows of a thread: enough to list it and to wake it. Absent fields are undefined. */
export type Summary = Readonly<{ status: Status; agent?: string | undefined; parent?: string | undefined }> &
  Readonly<{ wakeAt?: number | undefined; labels?: JsonObject | undefined }>

/** What one append stores. `run` and `turn` are those in force before the first event. */
export type Batch = Readonly<{ id: string; expected: Seq; time: number; epoch?: Epoch | undefined; summary: Summary; events: readonly Draft[] }> &
  Readonly<{ run?: string | undefined; turn?: number | undefined; blobs?: ReadonlyMap<string, Uint8Array> | undefined }>

/** The end of a thread, and who drives it. */
export type Head = Readonly<{ thread: string; seq: Seq; epoch: Epoch; holder?: string | undefined; summary: Summary }>
/** How an append ended; a conflict names the head's seq, a fence the current epoch. */
export type AppendResult = { readonly kind: 'appended' | 'conflict'; readonly seq: Seq } | { readonly kind: 'fenced'; readonly epoch: Epoch }
/** How an attempt to take a thread ended. */
export type AcquireResult = { readonly kind: 'acquired' | 'held'; readonly epoch: Epoch; readonly holder?: string | undefined }
/** Which threads to list, in the order of their ids; `dueBy` are those that sleep until this moment or earlier. */
export type ThreadQuery = Readonly<{ status?: Status; parent?: string; dueBy?: number; after?: string; limit?: number }>

/** What an adapter promises: several processes may use it; what is acknowledged survives; it notices when its own bytes are damaged. */
export type JournalTraits = Readonly<{ name: string; shared: boolean; durable: boolean; bytes: boolean; mode: 'strict' | 'relaxed' | 'memory' }>

/** Where events live. */
export interface Journal {
  /** What the journal promises: shared, durable, bytes. */
  readonly traits: JournalTraits
  /** Takes a thread in order to drive it, if nobody who lives holds it. */
  acquire(thread: string, claim: { worker: string; seen: Epoch; force?: boolean }): Promise<AcquireResult>
  /** Lets go of a thread that was taken with this epoch. */
  release(thread: string, epoch: Epoch): Promise<void>
  /** Stores a batch whole, or not at all. */
  append(thread: string, batch: Batch): Promise<AppendResult>
  /** The head of a thread; `undefined` when there is no such thread. */
  head(thread: string): Promise<Head | undefined>
  /** A page of events from `from` on; an empty page is the end. */
  read(thread: string, range?: { from?: Seq; limit?: number }): Promise<readonly LoomEvent[]>
  /** Calls back with the head's seq after appends: a hint, never the data, and it may be missed or late. */
  watch(thread: string, hint: (seq: Seq) => void): () => void
  /** The heads of threads, page by page. */
  threads(query?: ThreadQuery): Promise<readonly Head[]>
  /** The bytes that have this digest. */
  blob(hash: string): Promise<Uint8Array | undefined>
  /** Removes a thread with everything of it. */
  remove(thread: string): Promise<void>
  /** Lets go of everything that the journal holds open. */
  close(): Promise<void>
}

/** Every event of a thread from `from` on, page by page. */
export async function* readEvents(journal: Journal, thread: string, from: Seq = 1): AsyncGenerator<LoomEvent, void> {
  for (let next = from; ; ) {
    const page = await journal.read(thread, { from: next })
    const last = page.at(-1)
    if (!last) return
    yield* page
    next = last.seq + 1
  }
}
