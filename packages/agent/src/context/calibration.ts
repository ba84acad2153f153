/**
 * How a vendor's counts relate to estimated ones.
 *
 * CALIBRATE-1. What is learned is a fold over the entries of a history and the context in force, and over nothing else: a driver that resumes and a replay
 *     learn the same.
 * CALIBRATE-2. A usage that cannot be true (none, less than before, several times more than was added) is not learned from.
 *
 * Between two replies without a rebase in between a request only grows, so the difference of their usage is what the entries in between really have;
 * what a vendor adds to every request is no part of it.
 */
import type { Entry } from '@loom-agent/kernel'
import { sentTokens } from '../model/usage.ts'

/** A reply, and what its request had: by the vendor, and the entries before the reply. */
interface Asked {
  readonly index: number
  readonly rebases: number
  readonly input: number
}

/** What was learned from the replies so far. */
export interface Calibration {
  /** The last reply that had a usage. */
  asked: Asked | undefined
  /** The reply that the next difference is taken from. */
  since: Asked | undefined
  /** The sums of differences, by the vendor and by the estimate; older ones weigh less, because the model may have changed. */
  actual: number
  estimated: number
}

/** Nothing is learned yet. */
export function noCalibration(): Calibration {
  return { asked: undefined, since: undefined, actual: 0, estimated: 0 }
}

/** Differences of fewer tokens wait for more: rounding would count for too much. */
const fewest = 48
const decay = 0.8
/** A vendor's count within these factors of the estimate may be true. */
const [lowest, highest] = [0.25, 4]

const isLikely = (actual: number, estimated: number): boolean => actual >= estimated * lowest && actual <= estimated * highest

/** Takes in an entry; `estimated` is the sum of all entries between two indexes. */
export function learn(
  calibration: Calibration,
  { entry: { reply, rebases }, index }: { readonly entry: Entry; readonly index: number },
  estimated: (from: number, to: number) => number,
): void {
  const input = reply ? sentTokens(reply.usage) : 0
  if (input === 0 || rebases === undefined) return
  const { since } = calibration
  const asked = { index, rebases, input }
  calibration.asked = asked
  const added = since?.rebases === rebases ? estimated(since.index, index) : undefined
  if (since && added !== undefined) {
    if (added < fewest) return
    const actual = input - since.input
    if (isLikely(actual, added)) {
      calibration.actual = calibration.actual * decay + actual
      calibration.estimated = calibration.estimated * decay + added
    }
  }
  calibration.since = asked
}

/** What the last request under the context in force had: by the vendor, and estimated. */
export interface LastRequest {
  readonly actual: number
  readonly estimated: number
}

/** Until the differences have so many tokens, the whole request counts for the rest of them: it has what the vendor adds, too. */
const enough = 256

/** By how much estimates are to be multiplied. */
export function factorOf({ actual, estimated }: Calibration, last: LastRequest | undefined): number {
  const lacking = last && isLikely(last.actual, last.estimated) ? Math.max(0, Math.min(last.estimated, enough - estimated)) : 0
  const total = estimated + lacking
  return total === 0 || !last ? ratio(actual, estimated) : (actual + lacking * ratio(last.actual, last.estimated)) / total
}

const ratio = (actual: number, estimated: number): number => (estimated === 0 ? 1 : actual / estimated)

/** What a vendor may add to a request, in tokens and as a part of it. More means that another request was counted, as in a replay under another strategy. */
const [addedTokens, addedPart] = [600, 0.15]

/** The tokens of the last request beyond the estimate: what the vendor adds, and how far the estimate of what stands in front is off. */
export function restOf(factor: number, last: LastRequest | undefined): number {
  if (!last) return 0
  const estimated = factor * last.estimated
  const rest = last.actual - estimated
  return Math.abs(rest) <= addedTokens + addedPart * estimated ? rest : 0
}
