/**
 * What the chart draws: of the spans in view the rectangles, in pixels.
 *
 * FLAME-2. What is outside of the view costs nothing: each row is searched for its first span in view.
 * FLAME-3. Spans that are narrower than a pixel and stand beside each other are one rectangle: there are never more than fit on the screen.
 */
import { type Columns, spanKinds, spanStatuses } from '@loom-agent/telemetry'
import type { TimeAxis } from '../../axis/compressed-axis.ts'
import { type Category, categoryOfSpan } from '../../design/category.ts'
import type { PlacedSpans } from './place-spans.ts'

/** The part of the axis that is shown. */
export interface ChartView {
  /** Where it begins, in units of the axis. */
  readonly from: number
  /** Where it ends. */
  readonly to: number
}

/** One rectangle. */
export interface Rectangle {
  readonly x: number
  readonly width: number
  readonly row: number
  readonly category: Category
  /** The span; of several that are one rectangle, the first. */
  readonly index: number
  /** How many spans it stands for. */
  readonly count: number
  /** Whether one of them failed, or was denied. */
  readonly isFault: boolean
  /** Whether one of them is open. */
  readonly isOpen: boolean
}

/** What rectangles are made of. */
export interface Chart {
  readonly columns: Columns
  readonly placed: PlacedSpans
  readonly axis: TimeAxis
  /** Where what is open ends, in milliseconds after the base. */
  readonly now: number
}

const categoryOfKind: readonly Category[] = spanKinds.map(categoryOfSpan)
const open = spanStatuses.indexOf('open')
const faults = new Set([spanStatuses.indexOf('error'), spanStatuses.indexOf('denied')])

/** The end of a span, in milliseconds after the base. */
export const endOf = ({ columns, now }: Pick<Chart, 'columns' | 'now'>, index: number): number => {
  const end = columns.end[index] ?? -1
  return end < 0 ? Math.max(now, columns.start[index] ?? 0) : end
}

/** The place in a row of its first span that ends at or after a time. */
function firstInView(chart: Chart, row: readonly number[], time: number): number {
  let low = 0
  let high = row.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(chart, row[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** The rectangles of a view that is `width` pixels wide. */
export function rectanglesOf(chart: Chart, view: ChartView, width: number): readonly Rectangle[] {
  const { columns, placed, axis } = chart
  const scale = width / Math.max(Number.EPSILON, view.to - view.from)
  const first = axis.time(view.from)
  const last = axis.time(view.to)
  const found: Rectangle[] = []
  for (const [row, spans] of placed.rows.entries()) {
    let before: { -readonly [K in keyof Rectangle]: Rectangle[K] } | undefined
    for (let at = firstInView(chart, spans, first); at < spans.length; at += 1) {
      const index = spans[at] ?? 0
      const start = columns.start[index] ?? 0
      if (start > last) break
      const x = Math.max(-1, (axis.place(start) - view.from) * scale)
      const right = Math.min(width + 1, (axis.place(endOf(chart, index)) - view.from) * scale)
      const isFault = faults.has(columns.status[index] ?? -1)
      const isOpen = columns.status[index] === open
      const isNarrow = right - x < 1
      if (before && isNarrow && before.width <= 2 && x - (before.x + before.width) < 1 && right - before.x <= 2) {
        before.width = Math.max(before.width, right - before.x)
        before.count += 1
        before.isFault ||= isFault
        before.isOpen ||= isOpen
        continue
      }
      const category = categoryOfKind[columns.kind[index] ?? 0] ?? 'frame'
      before = { x, width: Math.max(1, right - x), row, category, index, count: 1, isFault, isOpen }
      found.push(before)
    }
  }
  return found
}

/** The span at a pixel; `undefined` where there is none. Of spans that are narrower than a pixel the nearest is found within two. */
export function spanAtPixel(rectangles: readonly Rectangle[], x: number, row: number): Rectangle | undefined {
  let nearest: Rectangle | undefined
  let distance = 3
  for (const one of rectangles) {
    if (one.row !== row) continue
    const away = x < one.x ? one.x - x : Math.max(0, x - one.x - one.width)
    if (away < distance) {
      nearest = one
      distance = away
    }
  }
  return nearest
}

/** A view that is zoomed around a place, and stays on the axis. */
export function zoomed(view: ChartView, axis: Pick<TimeAxis, 'length'>, { around, by }: { readonly around: number; readonly by: number }): ChartView {
  const least = Math.max(1e-3, axis.length / 1e7)
  const length = Math.min(axis.length, Math.max(least, (view.to - view.from) * by))
  const part = (around - view.from) / Math.max(Number.EPSILON, view.to - view.from)
  return kept({ from: around - part * length, to: around + (1 - part) * length }, axis)
}

/** A view that is moved by a part of its length, and stays on the axis. */
export const panned = (view: ChartView, axis: Pick<TimeAxis, 'length'>, by: number): ChartView =>
  kept({ from: view.from + by * (view.to - view.from), to: view.to + by * (view.to - view.from) }, axis)

function kept({ from, to }: ChartView, { length }: Pick<TimeAxis, 'length'>): ChartView {
  const shown = Math.min(to - from, length)
  const begin = Math.min(Math.max(0, from), length - shown)
  return { from: begin, to: begin + shown }
}
