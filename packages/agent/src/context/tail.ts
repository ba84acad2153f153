/** The end of the history that a compression shows as it is, with results cut where that is asked for or needed. */
import { at, type Entry, type Segment, type Trim } from '@loom-agent/kernel'
import type { ContextRequest } from './strategy.ts'
import { outputText, trimmed } from './trim.ts'
import { type Cut, zoneOf, zoneSegments } from './zones.ts'

/** What is shown of the end of the history. */
export interface Tail {
  /** The index of its first entry. */
  readonly from: number
  /** Its tokens. */
  readonly size: number
  /** Its segments, where results are cut. */
  readonly segments: readonly Segment[]
}

/** What a tail must fit. */
export interface TailOptions {
  /** The index of the first entry that it may have. */
  readonly after: number
  /** The most tokens, together with what is shown in any case and comes before it. */
  readonly room: number
  /** Of these tools only the latest results are shown whole. */
  readonly ephemeral: Readonly<Record<string, number>>
  /** Entries that are left out. */
  readonly cut: Cut
  /** The most tokens of the conversation itself. */
  readonly history: number
}

/** The characters that results are cut to, one after another, until they fit. */
const lengths = [8000, 4000, 2000, 1000, 500, 200] as const
/** Tokens of a result besides its text. */
const perResult = 10

/** The longest end of the history that fits, and at least the latest calls with their results. */
export function fitTail(request: ContextRequest, options: TailOptions): Tail {
  const { history } = request.frame
  const { after, cut } = options
  const least = latestUnit(request)
  const known = new Set(request.essentials().filter((index) => index < least))
  const room = options.room - [...known].reduce((size, index) => size + request.tokens.entry(index), 0)
  const ephemeral = ephemeralCuts(request, options, Math.min(least, request.frame.context.covered))
  const trimsAt = (index: number): readonly Trim[] => ephemeral.filter(({ to }) => index < to).map(({ trim }) => trim)
  const shownSize = (index: number, trims: readonly Trim[]): number => (cut.has(index) ? 0 : sizeOf(request, index, trims))
  // What is shown in any case takes no more room where the tail reaches it.
  const addedSize = (index: number, trims: readonly Trim[]): number => (known.has(index) ? 0 : shownSize(index, trims))
  let from = history.length
  let added = 0
  let said = 0
  while (from > after) {
    const next = addedSize(from - 1, trimsAt(from - 1))
    const isSaid = zoneOf(at(history, from - 1) as Entry) === 'history'
    if ((added + next > room || (isSaid && said + next > options.history)) && from <= least) break
    added += next
    said += isSaid ? next : 0
    from -= 1
  }
  const range = [from, history.length] as const
  const oversize = added > room ? oversizeTrims((trims) => sum(range, (index) => addedSize(index, [...trimsAt(index), ...trims])), room) : []
  const size = sum(range, (index) => shownSize(index, [...trimsAt(index), ...oversize]))
  const ends = [...new Set([...ephemeral.map(({ to }) => to), history.length])].sort((a, b) => a - b)
  const keptIn = (start: number, end: number): readonly Segment[] =>
    [...ends.filter((to) => to > start && to < end), end].map((to) => keptUntil(to, [...trimsAt(to - 1), ...oversize]))
  const isWhole = cut.size === 0 && oversize.length === 0 && ephemeral.every(({ to }) => to <= from)
  return { from, size, segments: isWhole ? [] : zoneSegments(cut, range, keptIn) }
}

const keptUntil = (to: number, trims: readonly Trim[]): Segment => ({ to, as: 'kept', ...(trims.length > 0 && { trims }) })

/** The index of the first entry that is shown in any case: the latest reply or input, with what followed it. */
function latestUnit({ frame: { history } }: ContextRequest): number {
  let first = history.length - 1
  while (first > 0 && !['reply', 'input'].includes((at(history, first) as Entry).origin)) first -= 1
  return Math.max(0, first)
}

interface EphemeralCut {
  /** The results before this entry are cut. */
  readonly to: number
  readonly trim: Trim
}

/**
 * Where the results of tools that are shown only at the end begin to be cut. Results of one turn are cut together or not at all, and those that the model
 * has not read yet are never cut.
 */
function ephemeralCuts({ frame: { history } }: ContextRequest, { ephemeral, after }: TailOptions, unread: number): readonly EphemeralCut[] {
  const left = new Map(Object.entries(ephemeral))
  const cuts: EphemeralCut[] = []
  for (let index = history.length - 1; index >= after && left.size > 0; index -= 1) {
    const { message } = at(history, index) as Entry
    if (message.role !== 'tool') continue
    for (const [name, count] of Map.groupBy(message.results, (result) => result.name)) {
      const keep = left.get(name)
      if (keep === undefined) continue
      if (keep > 0 || index >= unread) left.set(name, keep - count.length)
      else {
        cuts.push({ to: index + 1, trim: { rule: 'ephemeral', tools: [name], over: 0, head: 0, tail: 0 } })
        left.delete(name)
      }
    }
  }
  return cuts
}

/** The longest cut of all results with which the entries fit; the shortest where none does. */
function oversizeTrims(sizeWith: (trims: readonly Trim[]) => number, room: number): readonly Trim[] {
  const trims = lengths.map((length): readonly Trim[] => [
    { rule: 'oversize', over: length, head: Math.floor(length * 0.7), tail: Math.floor(length * 0.3) },
  ])
  return trims.find((one) => sizeWith(one) <= room) ?? (trims.at(-1) as readonly Trim[])
}

function sum([from, to]: readonly [number, number], size: (index: number) => number): number {
  let total = 0
  for (let index = from; index < to; index += 1) total += size(index)
  return total
}

function sizeOf({ frame: { history }, tokens }: ContextRequest, index: number, trims: readonly Trim[]): number {
  const entry = at(history, index) as Entry
  const shown = trims.length > 0 ? trimmed(entry, trims) : entry
  if (shown === entry || shown.message.role !== 'tool') return tokens.entry(index)
  return shown.message.results.reduce((size, { output }) => size + perResult + tokens.text(outputText(output)), 0)
}
