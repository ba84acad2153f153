/** The end of the history that a compression shows as it is, with results cut where that is asked for or needed. */
import { at, type Entry, type Segment, type Trim } from '@loom-agent/kernel'
import type { ContextRequest } from './strategy.ts'
import { outputText, trimmed } from './trim.ts'

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
  /** The most tokens. */
  readonly room: number
  /** Of these tools only the latest results are shown whole. */
  readonly ephemeral: Readonly<Record<string, number>>
}

/** The characters that results are cut to, one after another, until they fit. */
const lengths = [8000, 4000, 2000, 1000, 500, 200] as const
/** Tokens of a result besides its text. */
const perResult = 10

/** The longest end of the history that fits, and at least the latest calls with their results. */
export function fitTail(request: ContextRequest, options: TailOptions): Tail {
  const { history } = request.frame
  const { after, room } = options
  const cut = ephemeralCuts(request, options)
  const trimsAt = (index: number): readonly Trim[] => cut.filter(({ to }) => index < to).map(({ trim }) => trim)
  const least = latestUnit(request)
  let from = history.length
  let size = 0
  while (from > after) {
    const next = size + sizeOf(request, from - 1, trimsAt(from - 1))
    if (next > room && from <= least) break
    size = next
    from -= 1
  }
  const oversize = size > room ? oversizeTrim(request, from, room) : undefined
  if (oversize) size = sum(request, from, () => [...oversize])
  const ends = [...new Set(cut.map(({ to }) => to).filter((to) => to > from))].sort((a, b) => a - b)
  const segments: Segment[] = oversize
    ? [{ to: history.length, as: 'kept', trims: oversize }]
    : ends.map((to): Segment => ({ to, as: 'kept', trims: trimsAt(to - 1) }))
  return { from, size, segments }
}

/** The index of the first entry of the latest calls and results. */
function latestUnit({ frame: { history } }: ContextRequest): number {
  let first = history.length - 1
  while (first > 0 && at(history, first)?.message.role === 'tool') first -= 1
  return Math.max(0, first)
}

interface EphemeralCut {
  /** The results before this entry are cut. */
  readonly to: number
  readonly trim: Trim
}

/** Where the results of tools that are shown only at the end begin to be cut. */
function ephemeralCuts({ frame: { history } }: ContextRequest, { ephemeral, after }: TailOptions): readonly EphemeralCut[] {
  const left = new Map(Object.entries(ephemeral))
  const cuts: EphemeralCut[] = []
  for (let index = history.length - 1; index >= after && left.size > 0; index -= 1) {
    const { message } = at(history, index) as Entry
    if (message.role !== 'tool') continue
    for (const { name } of message.results) {
      const keep = left.get(name)
      if (keep === undefined) continue
      left.set(name, keep - 1)
      if (keep > 0) continue
      cuts.push({ to: index + 1, trim: { rule: 'ephemeral', tools: [name], over: 0, head: 0, tail: 0 } })
      left.delete(name)
    }
  }
  return cuts
}

/** The longest cut of all results with which the entries fit; the shortest where none does. */
function oversizeTrim(request: ContextRequest, from: number, room: number): readonly Trim[] {
  const trims = lengths.map((length): readonly Trim[] => [
    { rule: 'oversize', over: length, head: Math.floor(length * 0.7), tail: Math.floor(length * 0.3) },
  ])
  return trims.find((one) => sum(request, from, () => one) <= room) ?? (trims.at(-1) as readonly Trim[])
}

function sum(request: ContextRequest, from: number, trimsAt: (index: number) => readonly Trim[]): number {
  let size = 0
  for (let index = from; index < request.frame.history.length; index += 1) size += sizeOf(request, index, trimsAt(index))
  return size
}

function sizeOf({ frame: { history }, tokens }: ContextRequest, index: number, trims: readonly Trim[]): number {
  const entry = at(history, index) as Entry
  const shown = trims.length > 0 ? trimmed(entry, trims) : entry
  if (shown === entry || shown.message.role !== 'tool') return tokens.entry(index)
  return shown.message.results.reduce((size, { output }) => size + perResult + tokens.text(outputText(output)), 0)
}
