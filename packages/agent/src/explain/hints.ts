/** What would have kept something in the request: changes of the strategy, the cheapest first. */

import { at, type Entry, type Frame } from '@loom-agent/kernel'
import { unitOf } from '../context/segments.ts'
import { counted } from '../platform/counted.ts'
import { entryTurns } from './entry-turns.ts'
import type { ContextChange, ContextHint, ContextPart, FoundPart } from './explanation.ts'
import type { Wanted } from './search.ts'
import { type Hidden, hasResult, hiddenBy, nameOfEntry, wholeEntries } from './show-more.ts'
import { sizeOf, tokensOfEntry } from './tokens.ts'

/** Whether another strategy can show a part. */
const canBeShown = ({ fate }: ContextPart): boolean => fate.as === 'dropped' || fate.as === 'summarised' || fate.as === 'trimmed'

/** The request that hints are for: what it was made of, and by how much its estimates are multiplied. */
export interface HintedRequest {
  readonly frame: Frame
  readonly factor: number
}

/** The hints for what was found and is not shown. Of a text one place is enough, the one that costs least; of an id all of them are meant. */
export function hintsFor(wanted: Wanted, found: readonly FoundPart[], { frame, factor }: HintedRequest): readonly ContextHint[] {
  const hidden = found.flatMap(({ part, isShown }) => (!isShown && canBeShown(part) && part.entry !== undefined ? [part.entry] : []))
  if (hidden.length === 0 || ('text' in wanted && found.some(({ isShown }) => isShown))) return []
  const { history, context } = frame
  const missing = hiddenBy(frame, context.segments)
  const indexes = 'text' in wanted ? [cheapest(hidden, (index) => missing.cost(unitOf(history, index)))] : hidden
  const source: HintSource = { frame, factor, indexes, marks: missing.marks, cost: (places) => sizeOf(missing.cost(places), factor) }
  const hints = [pinHint(source), ...resultsHint(source), tokensHint(source), ...turnsHint(source)]
  return hints.sort((one, other) => one.tokens - other.tokens)
}

/** The entry that costs least; of those that cost the same, the latest. */
function cheapest(indexes: readonly number[], cost: (index: number) => number): number {
  const costs = indexes.map((index) => ({ index, tokens: cost(index) }))
  return costs.reduce((best, one) => (one.tokens <= best.tokens ? one : best)).index
}

interface HintSource extends Hidden, HintedRequest {
  /** The entries that are to be shown whole. */
  readonly indexes: readonly number[]
}

const unitsOf = ({ frame }: HintSource, indexes: readonly number[]): readonly number[] => [
  ...new Set(indexes.flatMap((index) => unitOf(frame.history, index))),
]

function pinHint(source: HintSource): ContextHint {
  const { frame, cost, indexes } = source
  const tokens = cost(unitsOf(source, indexes))
  const entries = indexes.map((index) => nameOfEntry(frame.history, index))
  const seqs = indexes.map((index) => (at(frame.history, index) as Entry).seq)
  const which = seqs.length === 1 ? `the entry of event ${seqs[0]}` : `the entries of the events ${[...new Set(seqs)].join(', ')}`
  return { change: { kind: 'pin', entries }, tokens, words: `Pin ${which}: ${counted(tokens, 'token')} more.` }
}

/** Where all of it is results of tools: keep what one of those tools returns. */
function resultsHint(source: HintSource): readonly ContextHint[] {
  const { frame, marks, cost, indexes } = source
  const { history } = frame
  const units = unitsOf(source, indexes)
  const names = units.flatMap((index) => {
    const { message } = at(history, index) as Entry
    return message.role === 'tool' ? message.results.map(({ name }) => name) : []
  })
  const tool = names.find((name) => indexes.every((index) => unitOf(history, index).some((one) => hasResult(history, one, name))))
  if (tool === undefined) return []
  const all: number[] = []
  for (let index = 0; index < history.length; index += 1) if (marks[index] && hasResult(history, index, tool)) all.push(index)
  const tokens = cost(unitsOf(source, all))
  return [{ change: { kind: 'results', tool }, tokens, words: `Keep all results of the tool "${tool}" whole: ${counted(tokens, 'token')} more.` }]
}

/**
 * A larger budget shows the latest of what is left out first. When a strategy cuts again in a replay, it may leave out more than it had in the record: all
 * that comes after is counted, shown or not.
 */
function tokensHint(source: HintSource): ContextHint {
  const { frame, indexes, factor } = source
  const { history } = frame
  let more = 0
  for (let index = Math.min(...unitsOf(source, indexes)); index < history.length; index += 1) more += tokensOfEntry(at(history, index) as Entry)
  const change = { kind: 'tokens', more } as const
  const tokens = costOf(source, change)
  return { change, tokens, words: `Raise the budget of the context by ${counted(sizeOf(more, factor), 'token')}: ${counted(tokens, 'token')} more.` }
}

/** So many turns more, counted as tokens are: up to the last turn. */
function turnsHint(source: HintSource): readonly ContextHint[] {
  const { frame, indexes } = source
  const turns = entryTurns(frame)
  const more = Math.max(0, ...turns) - Math.min(...indexes.map((index) => turns[index] ?? 0)) + 1
  if (more < 1) return []
  const change = { kind: 'turns', more } as const
  const tokens = costOf(source, change)
  return [{ change, tokens, words: `Keep ${counted(more, 'more turn')}: ${counted(tokens, 'token')} more.` }]
}

/** What a change adds to the request that is asked about. */
function costOf({ frame, cost }: HintSource, change: ContextChange): number {
  return cost([...wholeEntries(frame, frame.context.segments, change)])
}
