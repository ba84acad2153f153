/** The turns of a run, as its result shows them: a projection of the history, which holds everything that it needs. */
import { at, type Call, type Entry, type FilePart, items, type Json, type List, type Part, type ToolOutcome } from '@loom-agent/kernel'
import { toText } from '../platform/normalize.ts'
import { thrownFor } from '../platform/thrown.ts'
import type { Finish, Source, Step, StepCall } from '../types/result.ts'
import { textOf } from '../types/text-of.ts'

/** The part of a thread in which the turns of a run are. */
export interface StepFacts {
  readonly history: List<Entry>
  /** The number of the run's first turn. */
  readonly firstTurn: number
  /** The calls of the turn that is not closed. */
  readonly calls: List<Call>
}

type Reply = Entry & { readonly message: { readonly parts: readonly Part[] } }

const isReply = (entry: Entry): entry is Reply => entry.origin === 'reply' && entry.message.role !== 'tool'

/** The last reply of the run; undefined before the first. */
export function lastReply({ history, firstTurn }: Omit<StepFacts, 'calls'>): Reply | undefined {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = at(history, index)
    if (!entry || entry.turn < firstTurn) return undefined
    if (isReply(entry)) return entry
  }
  return undefined
}

/** The turns of the run, in order. */
export function stepsOf(facts: StepFacts): readonly Step[] {
  const steps: Step[] = []
  const entries = entriesOf(facts)
  for (const [index, entry] of entries.entries()) {
    if (!isReply(entry)) continue
    // The results of a reply come next to it. Those of the last one may not be there yet.
    const next = entries[index + 1]
    steps.push(stepOf(entry, next?.origin === 'results' ? closedCalls(next) : next ? [] : openCalls(facts.calls)))
  }
  return steps
}

/** The entries of the run, from its first reply on. */
function entriesOf({ history, firstTurn }: StepFacts): readonly Entry[] {
  let first = history.length
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = at(history, index)
    if (entry?.origin !== 'reply') continue
    if (entry.turn < firstTurn) break
    first = index
  }
  return [...items(history, first)]
}

function stepOf({ turn, message: { parts }, reply }: Reply, calls: readonly StepCall[]): Step {
  const { usage = { input: 0, output: 0 }, cost, model, warnings = [] } = reply ?? {}
  return {
    turn,
    text: textOf(parts),
    reasoning: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    finish: finishOf(reply?.finish),
    calls,
    usage,
    cost,
    ...(model !== undefined && { model }),
    warnings,
    sources: parts.flatMap(sourceIn),
    files: parts.filter((part): part is FilePart => part.type === 'file'),
  }
}

/** How a reply ended, by what the provider's package says. */
export function finishOf(said: string | undefined): Finish {
  if (said === 'tool-calls') return 'calls'
  if (said === 'content-filter') return 'filtered'
  return said === 'stop' || said === 'length' ? said : 'other'
}

/** The calls of a turn whose results are in the history. */
function closedCalls({ message, calls = [] }: Entry): readonly StepCall[] {
  const results = message.role === 'tool' ? message.results : []
  return results.flatMap(({ call: id, name: tool }, index) => {
    const ended = calls[index]
    return ended ? [endedCall({ id, tool, input: ended.input }, ended.outcome)] : []
  })
}

const openCalls = (calls: List<Call>): readonly StepCall[] =>
  Array.from(items(calls), ({ id, part, input, outcome }) => {
    const call = { id, tool: part.name, input }
    return outcome ? endedCall(call, outcome) : { ...call, status: 'open' }
  })

function endedCall(call: Pick<StepCall, 'id' | 'tool' | 'input'>, { status, output, errorType = 'failed', ms }: ToolOutcome): StepCall {
  const ended = { ...call, ...(ms !== undefined && { ms }) }
  // What a tool gave as parts is JSON, as everything is that an event holds.
  const value = output.value as Json
  if (status !== 'error') return { ...ended, status, output: value }
  return withCause({ ...ended, status, output: toText(value), errorType }, thrownFor(output))
}

/** A value with what was thrown, where that is known. It is not enumerable: results compare and print alike in every process. */
export function withCause<T extends object>(value: T, cause: unknown): T {
  return cause === undefined ? value : Object.defineProperty(value, 'cause', { value: cause })
}

type SourcePart = { readonly [K in 'type' | 'sourceType' | 'id' | 'url' | 'title' | 'mediaType' | 'filename']?: unknown }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The source that a part of a reply names: it is kept as the provider sent it. */
function sourceIn(part: Part): readonly Source[] {
  if (part.type !== 'provider' || typeof part.part !== 'object' || part.part === null) return []
  const { type, sourceType, id, url, title, mediaType, filename } = part.part as SourcePart
  if (type !== 'source') return []
  if (sourceType === 'url') return [{ type: 'url', id: text(id), url: text(url), ...(title !== undefined && { title: text(title) }) }]
  const document = { id: text(id), title: text(title), mediaType: text(mediaType) }
  return [{ type: 'document', ...document, ...(filename !== undefined && { filename: text(filename) }) }]
}
