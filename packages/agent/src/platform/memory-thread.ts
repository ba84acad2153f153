/** A thread of the journal in memory, and its head as readers see it. */
import type { Head, Summary } from '@loom-agent/kernel'
import type { FeedRow } from './memory-feed.ts'

/** A batch as it is kept, and the seqs of its first and last event. */
export type EncodedBatch = { readonly id: string; readonly first: number; readonly last: number; readonly line: string }

type Kept = { readonly batches: EncodedBatch[]; readonly blobs: Map<string, Uint8Array> }

/**
 * The threads by id; for each id those that have named it as their parent, which are looked at before they count; and for each id the forks that read it.
 */
export type Table = { readonly threads: Map<string, MemoryThread>; readonly children: Index; readonly forks: Index }

/** Ids by the id that they belong to. */
type Index = Map<string, Set<string>>

/** Adds an id to those that belong to another. */
export function note(index: Index, to: string, id: string): void {
  const known = index.get(to)
  if (known) known.add(id)
  else index.set(to, new Set([id]))
}

/** Takes an id from those that belong to another. */
export function forget(index: Index, to: string, id: string): void {
  const known = index.get(to)
  if (known?.delete(id) && known.size === 0) index.delete(to)
}

/** A thread as it is kept. `row` distinguishes it from a removed thread of the same id. */
export type MemoryThread = Kept & { -readonly [K in keyof Omit<Head, 'times'>]: Head[K] } & {
  readonly row: FeedRow
  /** No caller gave its name. */
  isAnonymous?: true
  readonly began: number
  changed: number
}

/** Whether a thread that no caller named is at its end. One that failed may be resumed as long as it is kept. */
export function isFinished({ isAnonymous, summary: { status } }: MemoryThread): boolean {
  return isAnonymous === true && (status === 'done' || status === 'stopped' || status === 'failed')
}

/** The clock of a journal in memory: milliseconds since 1970. */
export type Now = () => number

/** A thread without events. */
export function emptyThread(thread: string, incarnation: string, now: Now): MemoryThread {
  const began = now()
  const kept: Kept = { batches: [], blobs: new Map() }
  return { thread, incarnation, row: { thread, incarnation }, began, changed: began, seq: 0, epoch: 0, summary: { status: 'idle' }, ...kept }
}

/** The head of a thread with the summary that is kept: not for callers. */
export function liveHeadOf(current: MemoryThread, now: Now): Head {
  const { thread, incarnation, seq, epoch, holder, summary, forkOf, began, changed } = current
  return { thread, incarnation, seq, epoch, holder, summary, forkOf, times: { now: now(), began, changed } }
}

/** The head of a thread. */
export function headOf(current: MemoryThread, now: Now): Head {
  return { ...liveHeadOf(current, now), summary: copyOf(current.summary) }
}

/** A summary that its reader may change. */
export const copyOf = (summary: Summary): Summary => (summary.labels ? (JSON.parse(JSON.stringify(summary)) as Summary) : { ...summary })
