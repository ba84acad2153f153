/** Writes spans into columns: opening, closing, and lanes for what runs at the same time. */
import { type Columns, type SpanKind, type SpanStatus, spanKinds, spanStatuses } from './columns.ts'

/** A moment: the seq and the time of an event. */
export interface At {
  readonly seq: number
  readonly time: number
}

/** What a new span is. */
export interface Opening {
  readonly kind: SpanKind
  readonly name: string
  readonly parent: number
  readonly lane?: number
  readonly link?: string
}

/** Tokens and money that a span has used. */
export interface Used {
  readonly usage?: { readonly input: number; readonly output: number } | undefined
  readonly cost?: number | undefined
}

/** Where a word is; a word that is new is added. The places are found again from the words when a state was restored. */
const placesOf = new WeakMap<readonly string[], Map<string, number>>()

function placeOf(words: string[], word: string): number {
  let places = placesOf.get(words)
  if (!places) {
    places = new Map(words.map((known, place) => [known, place]))
    placesOf.set(words, places)
  }
  const known = places.get(word)
  if (known !== undefined) return known
  places.set(word, words.length)
  return words.push(word) - 1
}

/** Opens a span and returns its index. */
export function open(columns: Columns, { seq, time }: At, { kind, name, parent, lane = 0, link }: Opening): number {
  if (columns.kind.length === 0) columns.base = time
  columns.kind.push(spanKinds.indexOf(kind))
  columns.name.push(placeOf(columns.words, name))
  columns.parent.push(parent)
  columns.lane.push(lane)
  // Clocks of two machines may differ: a span never begins before the thread does.
  columns.start.push(Math.max(0, time - columns.base))
  columns.end.push(-1)
  columns.status.push(0)
  columns.input.push(0)
  columns.output.push(0)
  columns.cost.push(0)
  columns.from.push(seq)
  columns.to.push(seq)
  columns.link.push(link === undefined ? -1 : placeOf(columns.words, link))
  return columns.kind.length - 1
}

/** When a span ended, and how. */
export interface Ending {
  readonly at: At
  readonly status: SpanStatus
}

/** Closes a span; one that is closed already stays as it is. */
export function close(columns: Columns, index: number, { at: { seq, time }, status }: Ending): void {
  if (index < 0 || columns.end[index] !== -1) return
  columns.end[index] = Math.max(columns.start[index] ?? 0, time - columns.base)
  columns.status[index] = spanStatuses.indexOf(status)
  columns.to[index] = seq
}

/** Opens a closed span again: what has ended goes on. */
export function reopen(columns: Columns, index: number, { seq }: At): void {
  if (index < 0) return
  columns.end[index] = -1
  columns.status[index] = 0
  columns.to[index] = seq
}

/** Adds what a span has used. Where the price of something is not known, the cost of the span is not known. */
export function charge(columns: Columns, index: number, { usage, cost }: Used): void {
  if (index < 0 || (!usage && cost === undefined)) return
  columns.input[index] = (columns.input[index] ?? 0) + (usage?.input ?? 0)
  columns.output[index] = (columns.output[index] ?? 0) + (usage?.output ?? 0)
  const before = columns.cost[index] ?? 0
  columns.cost[index] = before < 0 || cost === undefined ? -1 : before + cost
}
