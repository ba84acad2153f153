/** What replays of many threads found: thread by thread, and in all. */
import type { EntryChanges, ReplayReport, ReplayTotals } from './replay-types.ts'

/** What became of one thread, as `replayAll` yields it. */
export type AnyReplayed =
  | {
      /** It could be replayed. */
      readonly status: 'replayed'
      /** The id of the thread. */
      readonly thread: string
      /** What its replay found. */
      readonly report: ReplayReport
    }
  | {
      /** It could not. */
      readonly status: 'failed'
      /** The id of the thread. */
      readonly thread: string
      /** Why not. */
      readonly error: Error
    }

/** One thread of a summary: what its replay found, or why there was none. */
export type ThreadReplay =
  | (Pick<ReplayReport, 'thread' | 'totals' | 'kept' | 'lost' | 'essentials'> & {
      /** Whether it could be replayed. */
      readonly status: 'replayed'
    })
  | {
      readonly status: 'failed'
      /** The id of the thread. */
      readonly thread: string
      /** Why it could not be replayed. */
      readonly error: string
    }

/** What replays of many threads found. */
export interface ReplaySummary {
  /** The threads, by their ids. */
  readonly threads: readonly ThreadReplay[]
  /** Sums over all threads that could be replayed. A cost that one thread does not know is not known in all. */
  readonly totals: ReplayTotals
  /** Entries that the record did not show, or not whole, and the replay would have: those of all threads, by way and rule. */
  readonly kept: Omit<EntryChanges, 'listed'>
  /** Entries that the record showed and the replay would not have, or not whole. */
  readonly lost: Omit<EntryChanges, 'listed'>
  /** How many threads could not be replayed. */
  readonly failed: number
}

/**
 * Collects what replays found. Texts of messages are left out: a summary stays small, however many threads there are.
 *
 * @example
 * const summary = await summarizeReplays(worker.replayAll({}, { with: { context: compress() } }))
 * console.log(renderReplays(summary))
 */
export async function summarizeReplays(replays: AsyncIterable<AnyReplayed> | Iterable<AnyReplayed>): Promise<ReplaySummary> {
  const { sumReplays } = await import('./sum-replays.ts')
  return sumReplays(replays)
}
