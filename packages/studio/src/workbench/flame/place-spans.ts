/**
 * Where spans stand in the chart: which row each is in.
 *
 * FLAME-1. Spans of one row do not overlap, and a span stands below the one around it.
 */
import type { Columns } from '@loom-agent/telemetry'

/** Rows of spans. */
export interface PlacedSpans {
  /** The row of each span, by its index. */
  readonly rowOf: Int32Array
  /** The spans of each row, by their indexes, in the order of time. */
  readonly rows: readonly (readonly number[])[]
}

/** Rows at most: what would be deeper stands in the last row, where spans may overlap. */
const most = 64

/** Places each span in the first free row below its parent. `now`: where what is open ends, in milliseconds after the base. */
export function placeSpans(columns: Columns, now: number): PlacedSpans {
  const { start, end, parent } = columns
  const rowOf = new Int32Array(start.length)
  const rows: number[][] = []
  const until: number[] = []
  for (let index = 0; index < start.length; index += 1) {
    const begin = start[index] ?? 0
    const close = end[index] ?? -1
    const above = parent[index] ?? -1
    let row = above < 0 ? 0 : (rowOf[above] ?? 0) + 1
    while (row < most - 1 && (until[row] ?? Number.NEGATIVE_INFINITY) > begin) row += 1
    row = Math.min(row, most - 1)
    rowOf[index] = row
    for (let each = rows.length; each <= row; each += 1) rows.push([])
    rows[row]?.push(index)
    until[row] = Math.max(until[row] ?? Number.NEGATIVE_INFINITY, close < 0 ? Math.max(now, begin) : close)
  }
  return { rowOf, rows }
}
