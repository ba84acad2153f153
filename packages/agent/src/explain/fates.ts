/** What became of the entries of the history in one request. */
import { at, type ContextSummary, type Entry, type List, type Segment } from '@loom-agent/kernel'
import { outputText } from '../context/trim.ts'
import type { CutResult, Fate, RoomTaken } from './explanation.ts'
import { fragmentsOf } from './fragments.ts'
import type { Tracked } from './prompt-tracker.ts'
import { indexSummary, type SummaryIndex, sharing } from './sections.ts'

/** What the fates of entries are told by. */
export interface FateSource {
  readonly tracked: Tracked
  /** The hook that changed the messages of the request. */
  readonly hook: string | undefined
  readonly budget: Extract<Fate, { as: 'dropped' }>['budget']
  /** Filled with the largest parts once they are known: all that is dropped shares it. */
  readonly took: readonly RoomTaken[]
}

/** An entry of the context. */
export interface PlacedEntry {
  readonly index: number
  readonly entry: Entry
  /** The segment that covers it; undefined after the last one. */
  readonly segment: Segment | undefined
  /** Which segment that is. */
  readonly number: number
}

/** The entries that a context covers, with their segments. */
export function* entriesOf({ frame }: Tracked): Generator<PlacedEntry, void> {
  const { history, context } = frame
  let number = 0
  for (let index = 0; index < context.covered; index += 1) {
    while (number < context.segments.length && index >= (context.segments[number] as Segment).to) number += 1
    yield { index, entry: at(history, index) as Entry, segment: context.segments[number], number }
  }
}

/** A function that tells the fate of an entry. */
export function createFates({ tracked, hook, budget, took }: FateSource): (placed: PlacedEntry) => Fate {
  const { sources } = tracked
  const messages = new Map<number, { readonly message: number; readonly entry: Entry }>()
  sources.forEach((source, message) => {
    if (source.of === 'entry') messages.set(source.index, { message, entry: source.entry })
  })
  const summaries = createSummaries(tracked)
  const dropped = (rule: string, reason: string): Fate => ({ as: 'dropped', rule, reason, ...(budget && { budget }), took })
  return ({ index, entry, segment, number }) => {
    if (segment?.as === 'dropped') return dropped(segment.rule, segment.reason)
    if (segment?.as === 'summary') {
      const told = summaries(segment, number)
      return told?.fateOf(entry) ?? dropped('summary', 'The summary that stands for it has no words.')
    }
    const shown = messages.get(index)
    if (!shown) return { as: 'never eligible', because: whyUnsent(entry) }
    const message = tracked.placeOf(shown.message)
    if (message < 0) return removedBy(hook)
    const cuts = shown.entry === entry || segment?.as !== 'kept' ? [] : cutsOf(entry, shown.entry, segment)
    return cuts.length > 0 ? { as: 'trimmed', message, cuts } : { as: 'verbatim', message }
  }
}

/** The fate of what a hook took out of the request. */
export function removedBy(hook = 'a hook'): Fate {
  return { as: 'never eligible', because: `The hook "${hook}" took it out of this request, or changed it, before the model was called.`, hook }
}

/** Why an entry that is kept has no message. */
function whyUnsent(entry: Entry): string {
  const fragments = fragmentsOf(entry)
  if (fragments.every(({ text }) => text.trim() === '')) return 'It is blank, and vendors refuse blank texts.'
  if (fragments.some(({ where }) => where === 'reasoning')) return 'It has only reasoning, which the vendor of this model does not take without more.'
  return 'It has only parts that are not sent back to a model.'
}

/** The results of an entry that its trims have cut. */
function cutsOf({ message }: Entry, { message: shown }: Entry, { trims = [] }: Segment & { readonly as: 'kept' }): readonly CutResult[] {
  if (message.role !== 'tool' || shown.role !== 'tool') return []
  return message.results.flatMap((result, index): readonly CutResult[] => {
    const trim = trims.find(({ tools }) => !tools || tools.includes(result.name))
    if (!trim || shown.results[index] === result) return []
    return [{ call: result.call || result.id, tool: result.name, rule: trim.rule, left: trim.head + trim.tail, of: outputText(result.output).length }]
  })
}

type SummarySegment = Segment & { readonly as: 'summary' }

interface ToldSummary {
  fateOf(entry: Entry): Fate
}

/** Summaries by segment; undefined where one has no words. The text of one may stand before an entry that was kept out of its range: it is for the rest of the range too. */
export function createSummaries({ sources, frame, placeOf }: Tracked): (segment: SummarySegment, number: number) => ToldSummary | undefined {
  const messages = new Map<number, number>()
  sources.forEach((source, message) => {
    if (source.of === 'summary') messages.set(source.segment, placeOf(message))
  })
  const { segments } = frame.context
  const indexes = new Map<string, SummaryIndex>()
  const indexOf = (text: string): SummaryIndex => {
    const index = indexes.get(text) ?? indexSummary(text)
    indexes.set(text, index)
    return index
  }
  const told = new Map<number, ToldSummary | undefined>()
  return (segment, number) => {
    if (!told.has(number)) told.set(number, tell(segment, number))
    return told.get(number)
  }

  function tell(segment: SummarySegment, number: number): ToldSummary | undefined {
    const teller = tellerOf(segments, segment, number)
    const text = textOf(segments[teller], frame.summaries)
    const message = messages.get(teller)
    if (text === '' || message === undefined) return undefined
    const summary = 'summary' in segment ? segment.summary : undefined
    const drops = summary === undefined ? [] : (at(frame.summaries, summary)?.drops ?? [])
    return {
      fateOf(entry) {
        const words = fragmentsOf(entry)
          .map(({ text: own }) => own.slice(0, 1000))
          .join(' ')
        const leftOut = sharing(drops, words)
        return {
          as: 'summarised',
          ...(message >= 0 && { message }),
          ...(summary !== undefined && { summary }),
          ...indexOf(text).find(words),
          ...(leftOut !== undefined && { leftOut }),
        }
      },
    }
  }
}

/** The segment whose text stands for a segment: the first with the same summary, or the last with a text before it. */
function tellerOf(segments: readonly Segment[], segment: SummarySegment, number: number): number {
  if ('summary' in segment) return segments.findIndex((other) => other.as === 'summary' && 'summary' in other && other.summary === segment.summary)
  let teller = number
  while (teller > 0 && textOf(segments[teller]) === '') teller -= 1
  return teller
}

function textOf(segment: Segment | undefined, summaries?: List<ContextSummary>): string {
  if (segment?.as !== 'summary') return ''
  if ('text' in segment) return segment.text
  return (summaries && at(summaries, segment.summary)?.summary) ?? ''
}
