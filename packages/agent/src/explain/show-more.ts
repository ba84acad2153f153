/** Changing what a rebase shows, so that it shows more. Loaded on use. */
import { at, type Entry, type Frame, type List, type Segment } from '@loom-agent/kernel'
import { coverHistory, noEssentials, readEssentials, unitOf, withKept } from '../context/segments.ts'
import type { ContextPlan } from '../context/strategy.ts'
import { trimmed } from '../context/trim.ts'
import { wantedSegments } from '../context/wanted-segments.ts'
import { entryTurns } from './entry-turns.ts'
import type { ContextChange, EntryName } from './explanation.ts'
import { tokensOfEntry } from './tokens.ts'

/** The plan, with what a change asks for shown whole. */
export function showMore(plan: ContextPlan, frame: Frame, change: ContextChange): ContextPlan {
  const { rebase } = plan
  const wanted = rebase && wantedSegments(rebase, frame)
  if (!rebase || !wanted) return plan
  const essentials = noEssentials()
  readEssentials(essentials, frame)
  const segments = coverHistory(frame, wanted, essentials)
  const { reason, budget } = rebase
  const whole = wholeEntries(frame, segments, change)
  return { ...plan, rebase: { reason, segments: showWhole(segments, whole), ...(budget && { budget }) } }
}

/** What segments do not show whole. */
export interface Hidden {
  /** For each entry, whether it is not shown, or only in part. */
  readonly marks: readonly boolean[]
  /** How many more tokens some entries would take whole, estimated: without calibration a count means the same at every moment of a thread. */
  cost(indexes: readonly number[]): number
}

/** What segments do not show whole. */
export function hiddenBy({ history }: Frame, segments: readonly Segment[]): Hidden {
  const marks: boolean[] = new Array<boolean>(history.length).fill(false)
  const cutEntries = new Map<number, Entry>()
  let from = 0
  for (const segment of segments) {
    if (segment.as !== 'kept') marks.fill(true, from, segment.to)
    for (let index = from; segment.as === 'kept' && segment.trims && index < segment.to; index += 1) {
      const entry = at(history, index) as Entry
      const shown = trimmed(entry, segment.trims)
      if (shown === entry) continue
      marks[index] = true
      cutEntries.set(index, shown)
    }
    from = Math.max(from, segment.to)
  }
  const missing = (index: number): number => {
    if (!marks[index]) return 0
    const shown = cutEntries.get(index)
    const whole = tokensOfEntry(at(history, index) as Entry)
    // The words for what is left out may be longer than that: it costs nothing to show it, and it pays for nothing else.
    return shown ? Math.max(0, whole - tokensOfEntry(shown)) : whole
  }
  return { marks, cost: (indexes) => indexes.reduce((sum, index) => sum + missing(index), 0) }
}

/** The entries that a change shows whole. */
export function wholeEntries(frame: Frame, segments: readonly Segment[], change: ContextChange): ReadonlySet<number> {
  const { history } = frame
  const { marks, cost } = hiddenBy(frame, segments)
  const whole = new Set<number>()
  const keep = (index: number): void => unitOf(history, index).forEach((one) => void whole.add(one))
  if (change.kind === 'pin') for (const index of indexesOf(history, change.entries)) keep(index)
  if (change.kind === 'results') for (let index = 0; index < history.length; index += 1) if (hasResult(history, index, change.tool)) keep(index)
  if (change.kind === 'turns') {
    const turns = entryTurns(frame)
    const last = turns[marks.lastIndexOf(true)] ?? 0
    turns.forEach((turn, index) => {
      if (marks[index] && turn > last - change.more) keep(index)
    })
  }
  let left = change.kind === 'tokens' ? change.more : 0
  for (let index = history.length - 1; index >= 0 && left > 0; index -= 1) {
    if (!marks[index] || whole.has(index)) continue
    left -= cost(unitOf(history, index))
    if (left >= 0) keep(index)
  }
  return whole
}

/** Whether an entry has a result of a tool. */
export function hasResult(history: List<Entry>, index: number, tool: string): boolean {
  const message = at(history, index)?.message
  return message?.role === 'tool' && message.results.some(({ name }) => name === tool)
}

/** The entries that names mean; names that no entry has mean none. */
function indexesOf(history: List<Entry>, names: readonly EntryName[]): readonly number[] {
  const counts = new Map<string, number>()
  const found: number[] = []
  for (let index = 0; index < history.length; index += 1) {
    const { origin, item } = at(history, index) as Entry
    const number = counts.get(origin) ?? 0
    counts.set(origin, number + 1)
    if (names.some((name) => ('item' in name ? name.item === item?.id : name.origin === origin && name.number === number))) found.push(index)
  }
  return found
}

/** The name of an entry, for changes. */
export function nameOfEntry(history: List<Entry>, index: number): EntryName {
  const { origin, item } = at(history, index) as Entry
  if (item) return { item: item.id }
  let number = 0
  for (let before = 0; before < index; before += 1) if (at(history, before)?.origin === origin) number += 1
  return { origin, number }
}

/** The segments with some entries shown whole. */
function showWhole(segments: readonly Segment[], whole: ReadonlySet<number>): readonly Segment[] {
  const indexes = [...whole].sort((one, other) => one - other)
  let from = 0
  return segments.flatMap((segment): readonly Segment[] => {
    const placed = { from, segment }
    from = Math.max(from, segment.to)
    return withKept(placed, indexes)
  })
}
