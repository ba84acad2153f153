/** What a thread had come to at a moment: its figures, from its spans. */
import { type Columns, spanKinds, spanStatuses } from '@loom-agent/telemetry'

/** Figures of a thread up to an event. */
export interface FiguresAt {
  /** Runs that had started. */
  readonly runs: number
  /** Turns that had been entered. */
  readonly turns: number
  /** Tokens that had been sent. */
  readonly input: number
  /** Tokens that had come back. */
  readonly output: number
  /** Integer micro-units that are known. */
  readonly cost: number
  /** How many times something was used whose price is not known. */
  readonly unpriced: number
  /** Calls of tools that had begun. */
  readonly calls: number
  /** Spans that had ended in an error. */
  readonly errors: number
  /** The spans that were open, the outermost first. */
  readonly open: readonly number[]
}

const kindOf = (name: (typeof spanKinds)[number]): number => spanKinds.indexOf(name)
const [run, turn, tool] = [kindOf('run'), kindOf('turn'), kindOf('tool')]
const failed = spanStatuses.indexOf('error')

/** The figures up to an event. What a span has used counts from the event on that ended it. */
export function figuresAt(columns: Columns, seq: number): FiguresAt {
  const figures = { runs: 0, turns: 0, input: 0, output: 0, cost: 0, unpriced: 0, calls: 0, errors: 0 }
  const open: number[] = []
  const { kind, from, to, end, status } = columns
  for (let index = 0; index < kind.length && (from[index] ?? 0) <= seq; index += 1) {
    if (kind[index] === run) figures.runs += 1
    if (kind[index] === turn) figures.turns += 1
    if (kind[index] === tool) figures.calls += 1
    if ((to[index] ?? 0) > seq || (end[index] ?? -1) < 0) {
      open.push(index)
      continue
    }
    const cost = columns.cost[index] ?? 0
    figures.input += columns.input[index] ?? 0
    figures.output += columns.output[index] ?? 0
    figures.cost += Math.max(0, cost)
    if (cost < 0) figures.unpriced += 1
    if (status[index] === failed && kind[index] !== run && kind[index] !== turn) figures.errors += 1
  }
  return { ...figures, open }
}

/** Seqs in the order of time, with the time of each: where the moment stands on the axis. */
export interface SeqTimes {
  readonly seqs: readonly number[]
  readonly times: readonly number[]
}

/** The times of the events that opened or ended spans, by seq. */
export function seqTimes({ from, to, start, end }: Columns): SeqTimes {
  const known = new Map<number, number>()
  for (let index = 0; index < from.length; index += 1) {
    known.set(from[index] ?? 0, start[index] ?? 0)
    if ((end[index] ?? -1) >= 0) known.set(to[index] ?? 0, end[index] ?? 0)
  }
  const sorted = [...known].sort((a, b) => a[0] - b[0])
  return { seqs: sorted.map(([seq]) => seq), times: sorted.map(([, time]) => time) }
}

/** The time of an event: its own, or that of the last one before it that is known. */
export function timeOfSeq({ seqs, times }: SeqTimes, seq: number): number {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return times[low - 1] ?? 0
}

/**
 * The span that an event is about: of those that it opened or ended the innermost, or else the innermost one that was open. -1 without any.
 * An event that ends a span and opens others, such as a new turn, is about what it opens.
 */
export function spanOfSeq({ kind, from, to, parent }: Columns, seq: number): number {
  let opened = -1
  let ended = -1
  let around = -1
  for (let index = 0; index < kind.length && (from[index] ?? 0) <= seq; index += 1) {
    if (from[index] === seq) opened = index
    else if (to[index] === seq) ended = deeper(parent, ended, index)
    else if ((to[index] ?? 0) > seq) around = index
  }
  return ended >= 0 && kind[ended] !== turn && kind[ended] !== run ? ended : opened >= 0 ? opened : ended >= 0 ? ended : around
}

function depthOf(parent: readonly number[], index: number): number {
  let depth = 0
  for (let at = index; at >= 0; at = parent[at] ?? -1) depth += 1
  return depth
}

const deeper = (parent: readonly number[], a: number, b: number): number => (a >= 0 && depthOf(parent, a) >= depthOf(parent, b) ? a : b)

/** The event that shows a span best: what holds others by its beginning, everything else by its end. */
export function seqOfSpan({ kind, from, to, end }: Columns, index: number): number {
  const holds = kind[index] === run || kind[index] === turn
  return (holds || (end[index] ?? -1) < 0 ? from[index] : to[index]) ?? 1
}
