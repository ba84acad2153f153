/**
 * What a rebase shows of the history.
 *
 * SEGMENT-1. Segments cover the history from its first entry on, in order and without a gap.
 * SEGMENT-2. The last input, what was steered after it, pinned entries and the latest calls with their results are always shown, whatever was asked for.
 * SEGMENT-3. A call and its results are shown together, or not at all.
 */
import { at, type Entry, type Frame, type List, type Segment } from '@loom-agent/kernel'

/** The entries that must stay, as indexes of the history; each entry is looked at once. */
export interface Essentials {
  /** How many entries were looked at. */
  read: number
  /** The index of the last input; -1 before the first. */
  input: number
  /** The index of the last message that was steered. */
  steered: number
  /** The indexes of pinned entries, in order. */
  readonly pins: number[]
}

/** Essentials before the first entry. */
export function noEssentials(): Essentials {
  return { read: 0, input: -1, steered: -1, pins: [] }
}

/** Takes in the entries that are new. */
export function readEssentials(essentials: Essentials, { history }: Frame): void {
  for (; essentials.read < history.length; essentials.read += 1) {
    const { origin, pin, item } = at(history, essentials.read) as Entry
    if (origin === 'input') essentials.input = essentials.read
    if (origin === 'steered') essentials.steered = essentials.read
    if (pin || item?.pin) essentials.pins.push(essentials.read)
  }
}

/** A segment with the entry that it starts at. */
interface Placed {
  readonly from: number
  readonly segment: Segment
}

/** The wanted segments, changed as little as the rules above ask for. What they do not reach is kept. */
export function coverHistory({ history }: Frame, wanted: readonly Segment[], essentials: Essentials): readonly Segment[] {
  const placed = wholeUnits(history, placeSegments(history, wanted))
  const kept = essentialIndexes(history, essentials)
  // What must be shown may be cut to its head and tail.
  return compact(placed.flatMap((one) => (isShown(one.segment) ? [one.segment] : withKept(one, kept))))
}

/** Gives each segment its start; ends outside of the history are moved into it, and ends that go back are moved on. */
function placeSegments({ length }: List<Entry>, wanted: readonly Segment[]): readonly Placed[] {
  let from = 0
  return wanted.map((segment) => {
    const to = Math.max(from, Math.min(segment.to, length))
    const placed = { from, segment: { ...segment, to } }
    from = to
    return placed
  })
}

const isShown = ({ as }: Segment): boolean => as === 'kept'
const isResult = (history: List<Entry>, index: number): boolean => at(history, index)?.message.role === 'tool'

/** Moves ends that would part a call from its results: what is shown gets both. */
function wholeUnits(history: List<Entry>, placed: readonly Placed[]): readonly Placed[] {
  let from = 0
  return placed.map(({ segment }, index) => {
    let { to } = segment
    const next = placed[index + 1]?.segment
    const step = isShown(segment) && next !== undefined && !isShown(next) ? 1 : -1
    while (to > 0 && to < history.length && isResult(history, to)) to += step
    const start = from
    from = Math.max(from, to)
    return { from: start, segment: { ...segment, to: from } }
  })
}

/** The index of the results that no reply has followed; what was said after them, by people or by Loom, is no reply. */
function latestResults(history: List<Entry>): number | undefined {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const { message, origin } = at(history, index) as Entry
    if (message.role === 'tool') return index
    if (origin === 'reply' || origin === 'input') return undefined
  }
  return undefined
}

/** The entries that belong together (SEGMENT-3): a message with calls, and the results of those. */
export function unitOf(history: List<Entry>, index: number): readonly number[] {
  let first = index
  while (first > 0 && isResult(history, first)) first -= 1
  const unit = [first]
  for (let next = first + 1; isResult(history, next); next += 1) unit.push(next)
  return unit
}

/** The entries that must be shown, each with the calls and results that it belongs to. */
export function essentialIndexes(history: List<Entry>, { input, steered, pins }: Essentials): readonly number[] {
  const kept = new Set<number>()
  const keep = (index: number): void => unitOf(history, index).forEach((one) => void kept.add(one))
  if (input >= 0) keep(input)
  if (steered > input) keep(steered)
  for (const pin of pins) keep(pin)
  const latest = latestResults(history)
  if (latest !== undefined) keep(latest)
  return [...kept].sort((a, b) => a - b)
}

/** The segment with the entries that are to be shown whole taken out of it. */
export function withKept({ from, segment }: Placed, kept: readonly number[]): readonly Segment[] {
  if (isPlain(segment)) return [segment]
  const parts: Segment[] = []
  let rest: Segment = segment
  for (const index of kept) {
    if (index < from || index >= segment.to) continue
    // The text of a summary comes before what is kept of its range, and comes once.
    parts.push({ ...rest, to: index }, { to: index + 1, as: 'kept' })
    if (rest.as === 'summary' && 'text' in rest) rest = { ...rest, text: '' }
  }
  return [...parts, { ...rest, to: segment.to }]
}

/** Without segments of nothing, neighbours that say the same, and an end that is kept whole in any case. */
function compact(segments: readonly Segment[]): readonly Segment[] {
  const result: Segment[] = []
  const shown = new Set<number>()
  let from = 0
  for (const segment of segments) {
    const last = result.at(-1)
    const isNews = segment.as === 'summary' && ('text' in segment ? segment.text !== '' : !shown.has(segment.summary))
    if (segment.to === from && !isNews) continue
    if (segment.as === 'summary' && 'summary' in segment) shown.add(segment.summary)
    if (last && isPlain(last) && isPlain(segment)) result[result.length - 1] = segment
    else result.push(segment)
    from = segment.to
  }
  while (result.length > 0 && isPlain(result.at(-1) as Segment)) result.pop()
  return result
}

const isPlain = (segment: Segment): boolean => segment.as === 'kept' && segment.trims === undefined
