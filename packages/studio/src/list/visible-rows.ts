/** Which rows of a long list are built: those in view, and a few around them. */

/** A range of rows; `to` is the first that is not built. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** How a list is scrolled. */
export interface ListView {
  /** Rows of the whole list. */
  readonly count: number
  /** Pixels of a row. */
  readonly row: number
  /** Pixels above the view. */
  readonly top: number
  /** Pixels of the view. */
  readonly height: number
}

const around = 8

/** The rows to build. */
export function visibleRows({ count, row, top, height }: ListView): RowRange {
  const first = Math.floor(top / row)
  const last = Math.ceil((top + height) / row)
  return { from: Math.max(0, Math.min(first - around, count)), to: Math.max(0, Math.min(count, last + around)) }
}

/** Where to scroll so that a row is in view; `undefined` when it is. */
export function scrollFor(index: number, { row, top, height }: ListView): number | undefined {
  if (index * row < top) return index * row
  return (index + 1) * row > top + height ? (index + 1) * row - height : undefined
}
