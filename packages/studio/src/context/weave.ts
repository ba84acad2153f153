/**
 * The weave: a row of entries across, turns along. What a request showed of an entry is how the thread runs there: a whole band, half a band, a line, or
 * a loose thread.
 *
 * WEAVE-1. A row is drawn from ranges of turns: its size does not grow with the number of turns.
 * WEAVE-2. Every state has a shape of its own; the hue only says that it is context.
 */
import type { Presence } from './facts.ts'

type Row = Presence['rows'][number]

/** How a request shows an entry; `later`: it was not there yet. */
export type State = Row['turns'][number]['as'] | 'later'

/** The states, in the order of the legend. */
export const states = ['in', 'trimmed', 'summary', 'dropped', 'absent', 'later'] as const satisfies readonly State[]

/** How a row was shown in a turn. */
export const stateIn = ({ turns }: Pick<Row, 'turns'>, turn: number): State => turns.find(({ from, to }) => from <= turn && turn <= to)?.as ?? 'later'

/** The height of a row, in units of the drawing. */
export const rowHeight = 24

const bands: { readonly [S in Exclude<State, 'later'>]: readonly [top: number, height: number] } = {
  in: [5, 14],
  trimmed: [12, 7],
  summary: [11, 2],
  dropped: [11.5, 1],
  absent: [11.5, 1],
}

/** A part of a row that is drawn as one: along from the turn `from`, for `turns` turns. */
export interface Strand {
  readonly as: Exclude<State, 'later'>
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The strands of a row. A turn is one unit wide. */
export function strandsOf({ turns }: Pick<Row, 'turns'>): readonly Strand[] {
  return turns.map(({ from, to, as }) => {
    const [y, height] = bands[as]
    return { as, x: from - 1, y, width: to - from + 1, height }
  })
}

/** Lines of the warp that are drawn: at most this many, however many turns there are. */
const mostWarps = 60

/** How many turns one line of the warp stands for. */
export const turnsPerWarp = (turns: number): number => Math.max(1, Math.ceil(turns / mostWarps))

/** The lines of the warp, as a path: those that pass under a row, or with `over` those that pass over it. They take turns from row to row. */
export function warpPath(turns: number, { row, over }: { readonly row: number; readonly over: boolean }): string {
  const step = turnsPerWarp(turns)
  let path = ''
  for (let line = 0; line * step < turns; line += 1) {
    if (over === ((line + row) % 2 === 0)) path += `M${Math.min(turns, line * step + step / 2)} 0V${rowHeight}`
  }
  return path
}

/** The turn at a share of the width. */
export const turnAt = (share: number, turns: number): number => Math.min(turns, Math.max(1, Math.floor(share * turns) + 1))

/** Rows that have a state in a turn; all of them without one. */
export const rowsIn = (rows: readonly Row[], turn: number, state: State | undefined): readonly Row[] =>
  state === undefined ? rows : rows.filter((row) => stateIn(row, turn) === state)

/** How many entries have each state in a turn. */
export function countsIn(rows: readonly Row[], turn: number): { readonly [S in State]: number } {
  const counts = { in: 0, trimmed: 0, summary: 0, dropped: 0, absent: 0, later: 0 }
  for (const row of rows) counts[stateIn(row, turn)] += row.to - row.from + 1
  return counts
}
