/** A thread at a glance: a few hundred buckets of time, whatever its length. */
import type { Columns } from './columns.ts'
import { spanKinds, spanStatuses } from './columns.ts'

/** Figures for each bucket of time. */
export interface Overview {
  /** When the first bucket begins, in milliseconds since 1970. */
  readonly start: number
  /** How long a bucket is, in milliseconds. */
  readonly step: number
  /** Integer micro-units that were paid in the bucket, as far as they are known. */
  readonly cost: readonly number[]
  /** Tokens of the largest request that was answered in the bucket. */
  readonly tokens: readonly number[]
  /** Spans that ended in an error in the bucket. */
  readonly errors: readonly number[]
  /** The most calls that were open at once in the bucket. */
  readonly calls: readonly number[]
}

const model = spanKinds.indexOf('model')
const tool = spanKinds.indexOf('tool')
const failed = spanStatuses.indexOf('error')

/** Buckets of equal length from the start of the thread to its end. */
interface Buckets {
  readonly step: number
  readonly length: number
  /** The end of the last bucket, in milliseconds after the start: what is open is counted there. */
  readonly last: number
  /** The bucket of a time. */
  of(time: number): number
}

function bucketsOf({ start, end }: Columns, most: number, now: number): Buckets {
  let last = now
  for (let index = 0; index < start.length; index += 1) last = Math.max(last, start[index] ?? 0, end[index] ?? 0)
  const step = Math.max(1, Math.ceil((last + 1) / most))
  const length = Math.ceil((last + 1) / step)
  return { step, length, last, of: (time) => Math.min(length - 1, Math.floor(time / step)) }
}

/** The overview of a thread. `now` (milliseconds since 1970) is where what is open is cut off; without it, where the last span ends. */
export function overviewOf(columns: Columns, options: { readonly buckets?: number; readonly now?: number } = {}): Overview {
  const { base, start, end, kind, status } = columns
  const buckets = bucketsOf(columns, options.buckets ?? 600, (options.now ?? base) - base)
  const zeros = (): number[] => new Array<number>(buckets.length).fill(0)
  const add = (figures: number[], bucket: number, more: number): void => {
    figures[bucket] = (figures[bucket] ?? 0) + more
  }
  const figures = { cost: zeros(), tokens: zeros(), errors: zeros(), calls: zeros() }
  const ended = zeros()
  for (let index = 0; index < start.length; index += 1) {
    const close = end[index] ?? -1
    const bucket = buckets.of(close < 0 ? buckets.last : close)
    add(figures.cost, bucket, Math.max(0, columns.cost[index] ?? 0))
    if (status[index] === failed) add(figures.errors, bucket, 1)
    if (kind[index] === model) figures.tokens[bucket] = Math.max(figures.tokens[bucket] ?? 0, columns.input[index] ?? 0)
    if (kind[index] !== tool) continue
    add(figures.calls, buckets.of(start[index] ?? 0), 1)
    add(ended, bucket, 1)
  }
  let open = 0
  const calls = figures.calls.map((begun, bucket) => {
    const most = open + begun
    open = most - (ended[bucket] ?? 0)
    return most
  })
  return { start: base, step: buckets.step, ...figures, calls }
}
