/**
 * Spans as they must be drawn on one stack: each inside of the one around it, none across another.
 *
 * EXPORT-1. On one track spans nest: a child begins and ends within its parent, and two children of one parent do not overlap. What overlaps is on another track.
 */
import { type Columns, type Span, spansOf } from '../span/columns.ts'

/** A span on a track, with whole numbers of microseconds after the start of the thread. */
export interface TrackSpan {
  /** The span. */
  readonly span: Span
  /** When it begins. */
  readonly from: number
  /** When it ends; what is open ends with the thread. */
  readonly to: number
}

/** A track: spans in the order in which they begin, parents before their children. */
export interface Track {
  /** The number of the track; 0 has runs, turns and what turns do one after another. */
  readonly lane: number
  /** What is drawn on it. */
  readonly spans: readonly TrackSpan[]
}

interface Placed extends TrackSpan {
  readonly track: number
  /** Those on the same track that are inside of it. */
  readonly inside: Placed[]
}

/** The spans of a thread on tracks. Lane 0 is the thread's own; each further lane has calls that ran beside others, with what is inside of them. */
export function tracksOf(columns: Columns): readonly Track[] {
  const spans = [...spansOf(columns)]
  const last = spans.reduce((found, { start, end = start }) => Math.max(found, start, end), columns.base)
  const placed: Placed[] = []
  const outermost = new Map<number, Placed[]>()
  for (const span of spans) {
    const parent = placed[span.parent]
    const isBeside = parent?.track === 0 && (span.kind === 'tool' || span.kind === 'question')
    const track = isBeside ? span.lane + 1 : (parent?.track ?? 0)
    const around = isBeside ? undefined : parent
    const siblings = around?.inside ?? outermost.get(track) ?? []
    if (!around) outermost.set(track, siblings)
    const ms = { from: span.start - columns.base, to: (span.end ?? last) - columns.base }
    const one: Placed = { span, ...fitted(ms, around, siblings.at(-1)), track, inside: [] }
    siblings.push(one)
    placed.push(one)
  }
  return [...outermost].sort(([a], [b]) => a - b).map(([lane, all]) => ({ lane, spans: inOrder(all) }))
}

/** Parallel steps of one call overlap, and clocks may go back: a span begins where the one before it has ended, and stays within the one around it. */
function fitted(ms: { from: number; to: number }, around: Placed | undefined, before: Placed | undefined): { from: number; to: number } {
  const least = Math.max(around?.from ?? 0, before?.to ?? 0)
  const most = around?.to ?? Number.POSITIVE_INFINITY
  const from = Math.min(Math.max(ms.from * 1000, least), most)
  return { from, to: Math.min(Math.max(ms.to * 1000, from), most) }
}

const inOrder = (all: readonly Placed[]): readonly TrackSpan[] =>
  all.flatMap(({ span, from, to, inside }) => [{ span, from, to }, ...inOrder(inside)])
