/** Presence, collected request by request: rows of entries that have shared every value so far. */
import { at, type Segment } from '@loom-agent/kernel'
import { firstIndex } from '../platform/first-index.ts'
import { createSummaries } from './fates.ts'
import type { Tracked } from './prompt-tracker.ts'

/** Whether an entry is in a request: whole, with a result cut, as part of a summary, left out by a segment, or not sent for another reason. */
export type PresenceKind = 'in' | 'trimmed' | 'summary' | 'dropped' | 'absent'

/** Turns that follow each other in which an entry has one value, the last one included. */
export interface PresenceRange {
  /** The first of the turns. */
  readonly from: number
  /** The last of the turns. */
  readonly to: number
  /** The value. */
  readonly as: PresenceKind
}

/** Entries from `from` up to, and without, `to`. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly as: PresenceKind
}

/** Entries with the same values in all turns. */
export interface MatrixRow {
  readonly from: number
  readonly to: number
  readonly turns: PresenceRange[]
}

/** Collects values request by request. */
export interface PresenceMatrix {
  /** Adds the next request. */
  add(tracked: Tracked): void
  /** All rows, in the order of the history. */
  rows(): readonly MatrixRow[]
}

/** A matrix before the first request. */
export function createMatrix(): PresenceMatrix {
  const rows: MatrixRow[] = []
  /** The values of the last request, without what a hook changed about it. */
  let stretches: Stretch[] = []
  let removed: readonly Stretch[] = []
  let read = { renderings: -1, sources: 0 }
  let last = 0
  const covered = (): number => rows.at(-1)?.to ?? 0

  /** Splits the row that an entry is inside of, and returns the place of the row that begins with it. */
  const splitAt = (index: number): number => {
    const place = firstIndex(rows, ({ to }) => to <= index)
    const row = rows[place]
    if (!row || row.from === index) return place
    rows.splice(place, 1, { ...row, to: index }, { from: index, to: row.to, turns: [...row.turns] })
    return place + 1
  }
  const set = ({ from, to, as }: Stretch, turn: number): void => {
    const first = splitAt(from)
    const end = splitAt(to)
    for (let place = first; place < end; place += 1) change((rows[place] as MatrixRow).turns, turn, as)
  }
  const grow = (added: readonly Stretch[], turn: number): void => {
    for (const { from, to, as } of added) rows.push({ from, to, turns: [{ from: turn, to: turn, as }] })
  }

  return {
    add(tracked) {
      const { renderings, sources, frame } = tracked
      last = frame.turn
      // What a hook took out of the request before is there again, unless it is taken out again.
      for (const one of removed) set(one, last)
      if (renderings === read.renderings) {
        const added = keptStretches(tracked, { from: covered(), to: frame.context.covered }, read.sources)
        grow(added, last)
        for (const one of added) join(stretches, one)
      } else {
        const next = stretchesOf(tracked)
        const before = covered()
        for (const one of difference(stretches, next)) set(one, last)
        grow(partFrom(next, before), last)
        stretches = next
      }
      read = { renderings, sources: sources.length }
      removed = removedIn(tracked)
      for (const one of removed) set({ ...one, as: 'absent' }, last)
    },
    rows: () =>
      rows.map(({ turns, ...row }) => ({
        ...row,
        turns: turns.map((range, place) => (place === turns.length - 1 ? { ...range, to: last } : range)),
      })),
  }
}

/** From a turn on the value is another one. */
function change(turns: PresenceRange[], turn: number, as: PresenceKind): void {
  const current = turns.at(-1) as PresenceRange
  if (current.as === as) return
  turns.pop()
  if (current.from < turn) turns.push({ ...current, to: turn - 1 })
  if (turns.at(-1)?.as === as) return
  turns.push({ from: turn, to: turn, as })
}

/** Adds a stretch at the end, to the last one where that has the same value. */
function join(stretches: Stretch[], { from, to, as }: Stretch): void {
  if (from >= to) return
  const end = stretches.at(-1)
  if (end?.as === as && end.to === from) stretches[stretches.length - 1] = { ...end, to }
  else stretches.push({ from, to, as })
}

/** The values of all entries in a request. */
function stretchesOf(tracked: Tracked): Stretch[] {
  const { context } = tracked.frame
  const summaries = createSummaries(tracked)
  const stretches: Stretch[] = []
  let from = 0
  let source = 0
  const keep = (to: number): void => {
    for (const one of keptStretches(tracked, { from, to }, source)) join(stretches, one)
    while (source < tracked.sources.length && entryOf(tracked, source) < to) source += 1
  }
  context.segments.forEach((segment: Segment, number) => {
    const to = Math.max(from, Math.min(segment.to, context.covered))
    if (segment.as === 'kept') keep(to)
    else join(stretches, { from, to, as: segment.as === 'summary' && summaries(segment, number) ? 'summary' : 'dropped' })
    from = to
  })
  keep(context.covered)
  return stretches
}

/** The entry that a message is of; -1 when it is of none. */
function entryOf({ sources }: Tracked, message: number): number {
  const source = sources[message]
  return source?.of === 'entry' ? source.index : -1
}

/** The values of entries that are kept, told by the messages from `source` on: one without a message could not be sent. */
function keptStretches({ sources, frame }: Tracked, { from, to }: Omit<Stretch, 'as'>, source: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let next = from
  for (let message = source; message < sources.length; message += 1) {
    const shown = sources[message]
    if (shown?.of !== 'entry' || shown.index < from) continue
    const { index } = shown
    if (index >= to) break
    join(stretches, { from: next, to: index, as: 'absent' })
    join(stretches, { from: index, to: index + 1, as: shown.entry === at(frame.history, index) ? 'in' : 'trimmed' })
    next = index + 1
  }
  join(stretches, { from: next, to, as: 'absent' })
  return stretches
}

/** Where values are others than before, as far as there were some. */
function difference(before: readonly Stretch[], after: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = []
  let old = 0
  let next = 0
  let from = 0
  while (old < before.length && next < after.length) {
    const was = before[old] as Stretch
    const is = after[next] as Stretch
    const to = Math.min(was.to, is.to)
    if (was.as !== is.as) join(found, { from, to, as: is.as })
    from = to
    if (was.to === to) old += 1
    if (is.to === to) next += 1
  }
  return found
}

function partFrom(stretches: readonly Stretch[], start: number): readonly Stretch[] {
  return stretches.filter(({ to }) => to > start).map(({ from, to, as }) => ({ from: Math.max(from, start), to, as }))
}

/** The entries that a hook took out of the request, with the values that they have otherwise. */
function removedIn({ sources, keep, placeOf, frame }: Tracked): readonly Stretch[] {
  const removed: Stretch[] = []
  for (let message = keep; message < sources.length; message += 1) {
    const source = sources[message]
    if (source?.of !== 'entry' || placeOf(message) >= 0) continue
    const { index, entry } = source
    removed.push({ from: index, to: index + 1, as: entry === at(frame.history, index) ? 'in' : 'trimmed' })
  }
  return removed
}
