/**
 * The parts of one request, each with its fate.
 *
 * EXPLAIN-2. Every message of the request belongs to exactly one part, the system text to its layers, and every entry of the history is a part: the tokens of the parts are those of the
 *     request, and nothing is left without a fate.
 */
import { at, type Entry, type Frame, items, type Segment } from '@loom-agent/kernel'
import { instructionsLayer, layersIn } from '../context/layers.ts'
import type { Source } from '../context/message-list.ts'
import type { RequestScale } from '../context/tokens.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { evened } from '../model/message-tokens.ts'
import { wireToolsOf } from '../model/request.ts'
import { tokensInText } from '../model/text-tokens.ts'
import type { Assembled, Attempted } from './context-fold.ts'
import { entryTurns } from './entry-turns.ts'
import type { ContextPart, Fate, RoomTaken } from './explanation.ts'
import { createFates, entriesOf, type PlacedEntry, removedBy } from './fates.ts'
import { beginning, previewOf } from './fragments.ts'
import type { Tracked } from './prompt-tracker.ts'
import { calibrateParts, tokensOfEntry, tokensOfMessage, tokensOfTool } from './tokens.ts'

/** How many of the largest parts are named. */
const largest = 5

/** What the parts of a request are told by. */
export interface PartsSource {
  readonly assembled: Assembled
  readonly attempt: Attempted | undefined
  readonly tracked: Tracked
  /** The thread as it is now, for what came later. */
  readonly latest: Frame
  /** How estimates become calibrated counts. */
  readonly scale: RequestScale
}

/** All parts of a request, in its order; then what came later. */
export function partsOf({ assembled, attempt, tracked, latest, scale }: PartsSource): readonly ContextPart[] {
  const { frame } = tracked
  const took: RoomTaken[] = []
  const hook = attempt?.hook
  const fateOf = createFates({ tracked, hook, budget: assembled.rebase?.budget, took })
  const turns = entryTurns(latest)
  const parts: ContextPart[] = [...systemParts(assembled, tracked, hook), ...toolParts(frame)]
  const others = otherParts(tracked, hook)
  let shown = 0
  /** Adds the summaries and gaps that stand before an entry. */
  const addOthers = (before: number): void => {
    while (shown < others.length && (others[shown]?.before ?? 0) <= before) parts.push((others[shown++] as OtherPart).part)
  }
  for (const placed of entriesOf(tracked)) {
    addOthers(placed.index)
    parts.push(entryPart(placed, { fate: fateOf(placed), turn: turns[placed.index], tracked }))
  }
  addOthers(Number.POSITIVE_INFINITY)
  parts.push(...insertedParts(tracked), ...unshownSummaries(tracked))
  for (let index = frame.context.covered; index < latest.history.length; index += 1) {
    const entry = at(latest.history, index) as Entry
    parts.push(entryPart({ index, entry }, { fate: { as: 'not yet', seq: entry.seq }, turn: turns[index], tracked }))
  }
  const counted = calibrateParts(parts, scale)
  took.push(...largestOf(counted))
  return counted
}

function largestOf(parts: readonly ContextPart[]): readonly RoomTaken[] {
  const sent = parts.filter(({ tokens }) => tokens > 0).sort((one, other) => other.tokens - one.tokens)
  return sent.slice(0, largest).map(({ kind, entry, text, tokens }) => ({ kind, ...(entry !== undefined && { entry }), text, tokens }))
}

const messageAt = ({ rendered }: Tracked, index: number): LanguageModelV4Message => rendered[index] as LanguageModelV4Message

/** The system text is one message, and each of its layers a part. */
function systemParts({ rebase }: Assembled, tracked: Tracked, hook: string | undefined): readonly ContextPart[] {
  if (tracked.sources[0]?.of !== 'system') return []
  const { context } = tracked.frame
  const place = tracked.placeOf(0)
  const layers = layersIn(context) ?? [{ name: instructionsLayer, origin: rebase?.systemBy ?? 'agent', text: context.system }]
  const sizes = sharesOf(tokensOfMessage(messageAt(tracked, 0)), layers)
  const fate: Fate = place < 0 ? removedBy(hook) : { as: 'verbatim', message: place }
  return layers.map(({ name, origin, text }, index) => {
    const size = sizes[index] ?? 0
    return { kind: 'system', name, origin, text: beginning(text), tokens: place < 0 ? 0 : size, size, fate }
  })
}

/** Splits the tokens of a message among its layers by their length, so that nothing is lost by rounding. */
function sharesOf(tokens: number, layers: readonly { readonly text: string }[]): readonly number[] {
  const whole = layers.reduce((sum, { text }) => sum + text.length, 0)
  let read = 0
  let given = 0
  return layers.map(({ text }) => {
    read += text.length
    const share = evened((tokens * read) / whole) - given
    given += share
    return share
  })
}

function toolParts({ context }: Frame): readonly ContextPart[] {
  return wireToolsOf(context.tools).map((tool) => {
    const tokens = tokensOfTool(tool)
    return { kind: 'tool', name: tool.name, text: beginning(tool.description ?? tool.name), tokens, size: tokens, fate: { as: 'verbatim' } }
  })
}

interface OtherPart {
  /** The entry that it stands before. */
  readonly before: number
  readonly part: ContextPart
}

/** Summaries and words for what is not shown. */
function otherParts(tracked: Tracked, hook: string | undefined): readonly OtherPart[] {
  const { sources, frame } = tracked
  const { segments } = frame.context
  const others: OtherPart[] = []
  let before = 0
  sources.forEach((source, message) => {
    if (source.of === 'entry') before = source.index + 1
    if (source.of === 'summary') before = startOf(segments, source.segment)
    if (source.of !== 'summary' && source.of !== 'gap') return
    const place = tracked.placeOf(message)
    if (place < 0 && source.of === 'gap') return
    const size = tokensOfMessage(messageAt(tracked, message))
    const fate: Fate = place < 0 ? removedBy(hook) : { as: 'verbatim', message: place }
    const named = { kind: source.of, ...nameOf(segments, source), text: beginning(wordsOf(messageAt(tracked, message))) } as const
    others.push({ before, part: { ...named, tokens: place < 0 ? 0 : size, size, fate } })
  })
  return others
}

function nameOf(segments: readonly Segment[], source: Source): { readonly name?: string } {
  const segment = source.of === 'summary' ? segments[source.segment] : undefined
  return segment?.as === 'summary' && 'summary' in segment ? { name: String(segment.summary) } : {}
}

const startOf = (segments: readonly Segment[], number: number): number => segments.slice(0, number).reduce((from, { to }) => Math.max(from, to), 0)

/** The text of a message that has one part. */
function wordsOf({ content }: LanguageModelV4Message): string {
  if (typeof content === 'string') return content
  const [first] = content
  return first && 'text' in first ? first.text : JSON.stringify(content)
}

function entryPart(
  { index, entry }: Pick<PlacedEntry, 'index' | 'entry'>,
  { fate, turn, tracked }: { readonly fate: Fate; readonly turn: number | undefined; readonly tracked: Tracked },
): ContextPart {
  const message = fate.as === 'verbatim' || fate.as === 'trimmed' ? tokensAt(tracked, fate.message) : undefined
  const size = fate.as === 'verbatim' && message !== undefined ? message : tokensOfEntry(entry)
  return {
    kind: entry.origin,
    entry: index,
    seq: entry.seq,
    ...(turn !== undefined && { turn }),
    ...(entry.item && { name: entry.item.id, origin: entry.item.origin, ...(entry.item.trust && { trust: entry.item.trust }) }),
    text: previewOf(entry),
    tokens: message ?? 0,
    size,
    fate,
  }
}

/** The tokens of the message at a place of the request. What a hook moved is as it was rendered. */
function tokensAt(tracked: Tracked, place = 0): number {
  return tokensOfMessage(tracked.messageAt(place))
}

function insertedParts({ inserted }: Tracked): readonly ContextPart[] {
  return inserted.map(({ place, message }) => {
    const tokens = tokensOfMessage(message)
    return { kind: 'inserted', text: beginning(wordsOf(message)), tokens, size: tokens, fate: { as: 'verbatim', message: place } }
  })
}

/** Summaries that were made and are not in this request: a later one stands in their place, or none does. */
function unshownSummaries({ frame, sources }: Tracked): readonly ContextPart[] {
  const { segments } = frame.context
  const numbers = sources.flatMap((source) => Number(nameOf(segments, source).name ?? Number.NaN)).filter((number) => !Number.isNaN(number))
  const shown = new Set(numbers)
  return [...items(frame.summaries)].flatMap(({ summary, from, to }, number): readonly ContextPart[] => {
    if (shown.has(number)) return []
    const later = numbers.find((other) => {
      const covering = at(frame.summaries, other)
      return other > number && covering !== undefined && covering.from <= from && covering.to >= to
    })
    const by = later === undefined ? 'nothing: no segment of the context shows it' : `summary ${later}, which covers the same events`
    const size = tokensInText(summary)
    return [{ kind: 'summary', name: String(number), text: beginning(summary), tokens: 0, size, fate: { as: 'replaced', by } }]
  })
}
