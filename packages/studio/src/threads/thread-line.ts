/** One thread as a small line: how much was under way when, and where something failed. */
import type { Overview } from '@loom-agent/telemetry'

/** A small line, in a box of one unit by one. */
export interface ThreadLine {
  /** The outline of what was under way, as the path of an SVG of the given size. */
  readonly path: string
  /** Where something failed, as parts of the width. */
  readonly faults: readonly number[]
  /** Integer micro-units that are known. */
  readonly cost: number
}

/** The line of a thread. Requests and calls are work; the highest bucket has the full height. */
export function threadLine(
  { cost, tokens, errors, calls }: Overview,
  { width, height }: { readonly width: number; readonly height: number },
): ThreadLine {
  const work = calls.map((count, bucket) => count + ((tokens[bucket] ?? 0) > 0 ? 1 : 0))
  const most = Math.max(1, ...work)
  const step = width / Math.max(1, work.length)
  const bars = work.map((count, bucket) => (count === 0 ? '' : `M${(bucket + 0.5) * step} ${height}v${-(height * count) / most}`))
  const faults = errors.flatMap((count, bucket) => (count > 0 ? [(bucket + 0.5) / errors.length] : []))
  return { path: bars.join(''), faults, cost: cost.reduce((sum, one) => sum + one, 0) }
}
