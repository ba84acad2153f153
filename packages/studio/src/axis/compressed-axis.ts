/**
 * A time axis on which stretches in which nothing happens are short, however long they were.
 *
 * AXIS-1. The axis is monotonic: what was later is not further left. A moment that was placed is found again, to the millisecond where something happens.
 */

/** A stretch of time, and where it stands: `at` and `length` are in units of the axis, which are milliseconds outside of gaps. */
export interface AxisPiece {
  readonly from: number
  readonly to: number
  readonly at: number
  readonly length: number
  readonly isGap: boolean
}

/** A time axis. */
export interface TimeAxis {
  readonly pieces: readonly AxisPiece[]
  /** How long the axis is, in its units. */
  readonly length: number
  /** Where a time stands; times are in milliseconds after the beginning. */
  place(time: number): number
  /** The time at a place. */
  time(place: number): number
}

/** A stretch of time in which something happens; a moment is one whose ends are the same. */
export type Stretch = readonly [from: number, to: number]

/** How much of the busy time a gap must be to become short, at least this long in milliseconds, and how long it is then, as a part of the busy time. */
const gaps = { least: 0.05, shortest: 2_000, shown: 0.03 }

/** The stretches in order, none touching the next. */
function merged(busy: readonly Stretch[]): readonly Stretch[] {
  const found: [number, number][] = []
  for (const [from, to] of busy.toSorted((a, b) => a[0] - b[0])) {
    const before = found.at(-1)
    if (before && from <= before[1]) before[1] = Math.max(before[1], to)
    else found.push([from, to])
  }
  return found
}

/** The pieces between the start and `last`: gaps that are long enough are shortened. */
function piecesOf(busy: readonly Stretch[], last: number): readonly AxisPiece[] {
  const isShort = (gap: number, total: number): boolean => gap < Math.max(gaps.shortest, gaps.least * total)
  let total = busy.reduce((sum, [from, to]) => sum + to - from, 0)
  // Gaps that stay as they are count as busy time, so that a thread of many small pauses has none of them marked.
  const lengths = busy.slice(1).map(([from], index) => from - (busy[index]?.[1] ?? 0))
  for (const gap of lengths.toSorted((a, b) => a - b)) if (isShort(gap, total)) total += gap
  const shown = Math.max(1, gaps.shown * total)
  const pieces: AxisPiece[] = []
  const add = (from: number, to: number, isGap: boolean): void => {
    const before = pieces.at(-1)
    const at = before ? before.at + before.length : 0
    if (before && !before.isGap && !isGap) pieces[pieces.length - 1] = { ...before, to, length: before.length + to - from }
    else pieces.push({ from, to, at, length: isGap ? shown : to - from, isGap })
  }
  let reached = 0
  for (const [from, to] of busy) {
    if (from > reached) add(reached, from, !isShort(from - reached, total))
    if (to >= reached) add(Math.max(from, reached), to, false)
    reached = Math.max(reached, to)
  }
  if (last > reached) add(reached, last, !isShort(last - reached, total))
  return pieces
}

/** The last piece that begins at or before a value of a column of the pieces. */
function find(pieces: readonly AxisPiece[], of: 'from' | 'at', value: number): AxisPiece | undefined {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle]?.[of] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return pieces[low]
}

/** Makes an axis from 0 to `last`. Of stretches that are not in order, or overlap, what they cover together counts. */
export function compressedAxis(busy: readonly Stretch[], last: number): TimeAxis {
  const pieces = piecesOf(merged(busy), last)
  const final = pieces.at(-1)
  const length = final ? final.at + final.length : 0
  return {
    pieces,
    length,
    place(time) {
      const piece = find(pieces, 'from', time)
      if (!piece) return 0
      const part = piece.to === piece.from ? 0 : (time - piece.from) / (piece.to - piece.from)
      return piece.at + piece.length * Math.min(1, Math.max(0, part))
    },
    time(place) {
      const piece = find(pieces, 'at', place)
      if (!piece) return 0
      const part = piece.length === 0 ? 0 : (place - piece.at) / piece.length
      return piece.from + (piece.to - piece.from) * Math.min(1, Math.max(0, part))
    },
  }
}
