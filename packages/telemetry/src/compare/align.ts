/**
 * Aligning two sequences: what they begin with together, then a longest common subsequence (E. Myers, "An O(ND) Difference Algorithm", 1986).
 *
 * ALIGN-1. Every item of both sequences is in the alignment once, and in order.
 * ALIGN-2. The work is bounded: sequences that differ in more than `mostEdits` places are aligned as far as that, and the rest of them side by side.
 */

/** Two places that belong together, or one that has no counterpart. */
export type Aligned = readonly [a: number | undefined, b: number | undefined]

/** An alignment, and whether it is the best one. */
export interface Alignment {
  /** How many items both begin with. */
  readonly common: number
  /** The places of both, behind that beginning. */
  readonly pairs: readonly Aligned[]
  /** Whether the differences were few enough to look at all of them. */
  readonly isBest: boolean
}

/** Two sequences by their lengths, whether an item of one begins as one of the other, and whether two items belong together. */
export interface Sequences {
  readonly lengths: readonly [a: number, b: number]
  isSame(a: number, b: number): boolean
  belongs(a: number, b: number): boolean
}

/** Differences that are looked for, at most: the memory that is taken is half the square of this, in numbers. */
const mostEdits = 2000

/** Aligns two sequences. */
export function align({ lengths, isSame, belongs }: Sequences, most: number = mostEdits): Alignment {
  const [lengthA, lengthB] = lengths
  let common = 0
  while (common < lengthA && common < lengthB && isSame(common, common)) common += 1
  let tail = 0
  while (tail < Math.min(lengthA, lengthB) - common && belongs(lengthA - tail - 1, lengthB - tail - 1)) tail += 1
  const middle = { from: common, a: lengthA - tail - common, b: lengthB - tail - common }
  const found = shortestEdit(middle, belongs, most)
  const pairs: Aligned[] = found ? found : sideBySide(middle)
  for (let index = tail; index > 0; index -= 1) pairs.push([lengthA - index, lengthB - index])
  return { common, pairs, isBest: found !== undefined }
}

/** What is left between a common beginning and a common end. */
interface Middle {
  readonly from: number
  readonly a: number
  readonly b: number
}

/** All items of the one, then all of the other. */
function sideBySide({ from, a, b }: Middle): Aligned[] {
  const left = Array.from({ length: a }, (_, index): Aligned => [from + index, undefined])
  const right = Array.from({ length: b }, (_, index): Aligned => [undefined, from + index])
  return [...left, ...right]
}

/** How far each diagonal has come after some edits: those from `-edits` to `edits`, every second one. A diagonal is the place in the one less the other. */
type Reached = Int32Array

const reachedAt = (reached: Reached, diagonal: number): number => reached[(diagonal + reached.length - 1) / 2] ?? -1

/** Whether the way to a diagonal adds an item of the other, rather than leaving out one of the one. */
const isAdding = (before: Reached, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && reachedAt(before, diagonal - 1) < reachedAt(before, diagonal + 1))

/** Where a diagonal begins after one more edit. */
const startOf = (before: Reached, diagonal: number, edits: number): number =>
  isAdding(before, diagonal, edits) ? reachedAt(before, diagonal + 1) : reachedAt(before, diagonal - 1) + 1

/** The shortest way from the one to the other by leaving out and adding; undefined where it has more than `most` edits. */
function shortestEdit(middle: Middle, belongs: Sequences['belongs'], most: number): Aligned[] | undefined {
  const { from, a, b } = middle
  const history: Reached[] = []
  for (let edits = 0; edits <= Math.min(most, a + b); edits += 1) {
    const reached = new Int32Array(edits + 1)
    const before = history.at(-1)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = before ? startOf(before, diagonal, edits) : 0
      while (x < a && x - diagonal < b && belongs(from + x, from + x - diagonal)) x += 1
      reached[(diagonal + edits) / 2] = x
      if (x >= a && x - diagonal >= b) return wayBack(history, middle)
    }
    history.push(reached)
  }
  return undefined
}

/** The way that was found, walked back from its end. */
function wayBack(history: readonly Reached[], { from, a, b }: Middle): Aligned[] {
  const pairs: Aligned[] = []
  let x = a
  let y = b
  for (let edits = history.length; edits >= 0; edits -= 1) {
    const before = history[edits - 1]
    const start = before ? startOf(before, x - y, edits) : 0
    while (x > start) {
      x -= 1
      y -= 1
      pairs.push([from + x, from + y])
    }
    if (!before) break
    if (isAdding(before, x - y, edits)) {
      y -= 1
      pairs.push([undefined, from + y])
    } else {
      x -= 1
      pairs.push([from + x, undefined])
    }
  }
  return pairs.reverse()
}
