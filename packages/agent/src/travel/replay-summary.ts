/** What replays of many threads found: thread by thread, and in all. */
import type { AnyReplayed, ReplaySummary } from './sum-replays.ts'

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
