/** Making the summary of a range: as recorded, by a model, or by extraction. */
import { at, type CallResult, type ContextSummary, type Entry, type Failure } from '@loom-agent/kernel'
import { textOf } from '../types/text-of.ts'
import type { Former, Summarizing } from './compress-options.ts'
import { extract } from './extract.ts'
import { findResult } from './find-result.ts'
import { readSummary, writeSummary } from './sections.ts'
import type { ContextRequest } from './strategy.ts'
import { zoneOf } from './zones.ts'

/** A summary, and why the model did not make it, where it was to. */
export interface MadeSummary {
  readonly summary: ContextSummary
  readonly failure?: Failure
  /** Whether it stands in for one that a model would have written. */
  readonly isEstimated: boolean
}

/** How many points of the former summary are listed as left out, and how long each of them is. */
const dropsListed = 20
const dropLength = 120

/** Makes the summary of the entries after the former one, and takes in what that one says. */
export async function summarize(request: ContextRequest, summarizing: Summarizing): Promise<MadeSummary> {
  const { options, former, to, target } = summarizing
  const entries = entriesOf(request, former.to, to)
  const range = { from: former.summary?.from ?? seqAt(request, 0), to: seqAt(request, to - 1) }
  const facts = { ...range, turn: request.frame.turn, target, tokensBefore: tokensOfRange(request, former, to) }
  const isAsked = options.model !== undefined
  // What a model wrote cannot be made again; what is extracted can.
  const recorded = isAsked ? request.recorded?.(range.from, range.to) : undefined
  if (recorded) return { summary: recorded, isEstimated: recorded.by !== 'model' }
  const byModel = isAsked && !request.recorded ? await askModel(request, summarizing, entries) : undefined
  if (byModel && 'points' in byModel) {
    const { points, paid } = byModel
    const text = writeSummary(points, { ...range, time: request.frame.time, by: 'model' })
    return { summary: { ...facts, summary: text, tokensAfter: request.tokens.text(text), by: 'model', ...paid }, isEstimated: false }
  }
  const extracted = extracting(request, summarizing, entries)
  const text = writeSummary(extracted.points, { ...range, time: request.frame.time, by: 'extract' })
  const drops = extracted.drops.slice(0, dropsListed).map((point) => point.slice(0, dropLength).toWellFormed())
  const summary: ContextSummary = {
    ...facts,
    summary: text,
    tokensAfter: request.tokens.text(text),
    by: 'extract',
    // A model was asked before, and wrote nothing that can be used.
    ...byModel?.paid,
    ...(drops.length > 0 && { drops }),
  }
  return { summary, isEstimated: isAsked && byModel === undefined, ...(byModel && { failure: byModel.failure }) }
}

/** The entries that are summarized. What is shown in any case is not, nor what holds for a moment only, or can be opened again. */
function entriesOf({ frame: { history }, essentials }: ContextRequest, from: number, to: number): readonly Entry[] {
  const shown = new Set(essentials())
  const entries: Entry[] = []
  for (let index = from; index < to; index += 1) {
    const entry = at(history, index) as Entry
    const zone = zoneOf(entry)
    if (!shown.has(index) && (zone === 'history' || zone === 'memory')) entries.push(entry)
  }
  return entries
}

const seqAt = ({ frame }: ContextRequest, index: number): number => at(frame.history, index)?.seq ?? 1

/** Tokens of a summary and of what follows it, without what is shown in any case: what the next summary stands for. */
export function tokensOfRange({ tokens, essentials }: ContextRequest, former: Former, to: number): number {
  const shown = new Set(essentials())
  let sum = former.tokens
  for (let index = former.to; index < to; index += 1) if (!shown.has(index)) sum += tokens.entry(index)
  return sum
}

function extracting(request: ContextRequest, { former, perSection }: Summarizing, entries: readonly Entry[]): ReturnType<typeof extract> {
  const points = former.summary && readSummary(former.summary.summary)
  const asked = [
    ...(points?.key_decisions ?? []),
    ...(points?.user_intent_evolution ?? []),
    ...askedIn(entries),
    ...askedIn(essentialEntries(request)),
  ]
  const resultOf = (call: string): CallResult | undefined => findResult(request.frame.history, call)?.result
  return extract(entries, { asked, former: points, tokens: (text) => request.tokens.text(text), perSection, resultOf })
}

const essentialEntries = ({ essentials, frame: { history } }: ContextRequest): readonly Entry[] =>
  essentials().flatMap((index) => at(history, index) ?? [])

/** What people asked for in some entries. */
function askedIn(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ origin, message }) =>
    (origin === 'input' || origin === 'steered') && message.role === 'user' ? [textOf(message.parts)] : [],
  )
}

/** Loaded where a model makes summaries. */
async function askModel(
  request: ContextRequest,
  summarizing: Summarizing,
  entries: readonly Entry[],
): Promise<Awaited<ReturnType<typeof import('./summarize-by-model.ts').summarizeByModel>>> {
  const { summarizeByModel } = await import('./summarize-by-model.ts')
  return summarizeByModel(request, summarizing, entries)
}
