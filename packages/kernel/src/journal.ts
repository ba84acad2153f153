/**
 * The journal contract. Adapters store batches; everything above them reads events.
 *
 * J1. Compare-and-append: a batch is stored whole, and only when `expected` is the head; otherwise it conflicts and nothing changes.
 * J2. A batch id that is stored already answers `appended`, whatever has happened since: after a lost reply the writer appends again.
 * J3. A batch with an epoch that is not the current one is fenced, even at the right seq. A batch without one is a visitor's.
 * J4. `acquire` raises the epoch, by compare-and-set on the epoch the claimant has seen; it answers `held` while the holder lives, and `held`
 *     without a holder when the epoch has moved on.
 * J5. What is read was appended: gap-free, in order, and never the writer's own objects.
 */
import type { Draft, Epoch, LoomEvent, Seq } from './event.ts'
import type { JsonObject } from './json.ts'

/** What the thread table knows of a thread: enough to list it and to wake it. */
export interface Summary {
  readonly status: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped'
  readonly agent?: string | undefined
  readonly parent?: string | undefined
  readonly wakeAt?: number | undefined
  readonly labels?: JsonObject | undefined
}

/** What one append stores. `run` and `turn` are those in force before the first event. */
export interface Batch {
  readonly id: string
  readonly expected: Seq
  readonly time: number
  readonly run?: string | undefined
  readonly turn?: number | undefined
  readonly epoch?: Epoch | undefined
  readonly events: readonly Draft[]
  readonly blobs?: ReadonlyMap<string, Uint8Array> | undefined
  readonly summary: Summary
}

/** The end of a thread, and who drives it. */
export interface Head {
  readonly thread: string
  readonly seq: Seq
  readonly epoch: Epoch
  readonly holder?: string | undefined
  readonly summary: Summary
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly seq: Seq }
  | { readonly kind: 'conflict'; readonly seq: Seq }
  | { readonly kind: 'fenced'; readonly epoch: Epoch }

export type AcquireResult =
  | { readonly kind: 'acquired'; readonly epoch: Epoch }
  | { readonly kind: 'held'; readonly epoch: Epoch; readonly holder?: string | undefined }

export interface ThreadQuery {
  readonly status?: Summary['status']
  readonly parent?: string
  /** Threads that sleep until this moment or earlier. */
  readonly dueBy?: number
  readonly after?: string
  readonly limit?: number
}

/** What an adapter promises; the contract suite has a part for each. */
export interface JournalTraits {
  readonly name: string
  /** Several processes may use it at once. */
  readonly shared: boolean
  /** What is acknowledged survives the process. */
  readonly durable: boolean
  /** It keeps its own bytes and must notice when they are damaged. */
  readonly bytes: boolean
  readonly mode: 'strict' | 'relaxed' | 'memory'
}

/** Where events live. */
export interface Journal {
  readonly traits: JournalTraits
  acquire(thread: string, claim: { worker: string; seen: Epoch; force?: boolean }): Promise<AcquireResult>
  release(thread: string, epoch: Epoch): Promise<void>
  append(thread: string, batch: Batch): Promise<AppendResult>
  head(thread: string): Promise<Head | undefined>
  /** A page of events from `from` on; an empty page is the end. */
  read(thread: string, range?: { from?: Seq; limit?: number }): Promise<readonly LoomEvent[]>
  /** Calls back with the head's seq after appends: a hint, never the data, and it may be missed or late. */
  watch(thread: string, hint: (seq: Seq) => void): () => void
  threads(query?: ThreadQuery): Promise<readonly Head[]>
  blob(hash: string): Promise<Uint8Array | undefined>
  remove(thread: string): Promise<void>
  close(): Promise<void>
}

/** Every event of a thread from `from` on, page by page. */
export async function* readEvents(journal: Journal, thread: string, from: Seq = 1): AsyncGenerator<LoomEvent, void> {
  for (let next = from; ; ) {
    const page = await journal.read(thread, { from: next })
    if (page.length === 0) return
    yield* page
    next = (page.at(-1) as LoomEvent).seq + 1
  }
}
