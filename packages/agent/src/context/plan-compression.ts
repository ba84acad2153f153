/**
 * Planning a compression: what is shown, what becomes a summary, and how far it goes. Loaded when a context is compressed.
 *
 * COMPRESS-2. A summary that was made is recorded, shown or not: what it has cost counts, and a replay finds it.
 * COMPRESS-3. No summary is made where it cannot save enough, and after one that did not, none before there is twice as much to summarize.
 */
import { at, type Segment } from '@loom-agent/kernel'
import type { CompleteCompressOptions, Former } from './compress-options.ts'
import type { ContextPlan, ContextRequest } from './strategy.ts'
import { type MadeSummary, summarize, tokensOfRange } from './summarize.ts'
import { fitTail, type Tail } from './tail.ts'
import { frameworkTexts } from './texts.ts'
import { cutZones } from './zones.ts'

/** The shares that compressions go down to while they follow each other closely. */
const lower = [0.5, 0.35] as const
/** A compression fewer turns after the one before goes further down. */
const closeTurns = 10
/** One that comes later than this may leave more again. */
const farTurns = 30
/** What a context is compressed to after a model has refused it: its own count is not known, and must be smaller. */
const overflowTarget = 0.35
/** The share of what is left after a compression that its summary takes at most. */
const summaryShare = 0.4
/** Tokens by which a summary is expected to grow when it is made again. */
const summaryGrowth = 512
/** What a compression must save to be worth a rebase. */
const leastSaving = 0.05

/** What is shown beside a summary. */
interface Shown {
  readonly former: Former
  /** The share of the budget that is aimed at. */
  readonly target: number
  readonly tail: Tail
  /** Tokens of what is shown now, and of what is shown then without a summary. */
  readonly before: number
  readonly others: number
  /** The most tokens of a summary. */
  readonly summaryRoom: number
}

/** Compresses the context to its target; the context only grows where nothing can be saved. */
export async function planCompression(request: ContextRequest, options: CompleteCompressOptions, max: number): Promise<ContextPlan> {
  const { frame, rebase, model } = request
  const shown = planShown(request, options, max)
  const { former, target, tail, before, others, summaryRoom } = shown
  const least = before * leastSaving
  const isNew = tail.from > former.to
  if (isNew && rebase !== 'overflow' && !mayHelp(request, shown, least)) return {}
  const perSection = Math.max(16, Math.floor(summaryRoom / 8))
  const made = isNew ? await summarize(request, { options, former, to: tail.from, target, perSection }) : undefined
  const after = others + (made?.summary.tokensAfter ?? former.tokens)
  if (after > before - least) return recordOf(made)
  const summary: Segment | undefined = made ? { to: tail.from, as: 'summary', summary: frame.summaries.length } : formerSegment(former)
  const budget = { max, before, after, ...(model.window !== undefined && { window: model.window }) }
  const segments = [...(summary ? [summary] : []), ...tail.segments]
  return { rebase: { reason: rebase ?? (frame.compact ? 'compact' : 'compress'), segments, budget }, ...recordOf(made) }
}

/** What a plan says of a summary (COMPRESS-2). */
function recordOf(made: MadeSummary | undefined): ContextPlan {
  if (!made) return {}
  const { summary, failure, isEstimated } = made
  return { compressed: summary, ...(failure && { compressionFailed: failure }), ...(isEstimated && { estimated: true }) }
}

function planShown(request: ContextRequest, options: CompleteCompressOptions, max: number): Shown {
  const { frame, tokens, rebase } = request
  const former = formerOf(request)
  const target = targetOf(request, options, former)
  const before = tokens.shown()
  // Who asks for room wants less than there is, whatever the budget allows.
  const isAsked = rebase === 'overflow' || frame.compact
  const goal = Math.floor(target * (isAsked ? Math.min(max, before) : max))
  const summaryRoom = Math.min(8 * options.perSection, Math.floor(goal * summaryShare))
  const room = goal - tokens.fixed() - expectedSize(former, summaryRoom) - todoTokens(request)
  const { shares = {}, ephemeral = {} } = options
  const cut = cutZones(request, { after: former.to, shares, max })
  const history = Math.floor((shares.history ?? 1) * max)
  const tail = fitTail(request, { after: former.to, room, ephemeral, cut, history })
  return { former, target, tail, before, others: tokens.fixed() + essentialTokens(request, tail.from) + tail.size, summaryRoom }
}

/** Whether a summary may save enough: it is expected to be half as long as what it stands for, where there is room for that (COMPRESS-3). */
function mayHelp(request: ContextRequest, { former, tail, before, others, summaryRoom }: Shown, least: number): boolean {
  const news = before - others - former.tokens
  const growth = Math.min(former.summary ? summaryGrowth : summaryRoom, Math.ceil(news / 2))
  const expected = Math.min(summaryRoom, former.tokens + growth)
  return before - others - expected >= least && !savedTooLittle(request, { former, to: tail.from, least })
}

/** Whether the summary before saved too little to be shown, and there is not yet twice as much to summarize (COMPRESS-3). */
function savedTooLittle(
  request: ContextRequest,
  { former, to, least }: { readonly former: Former; readonly to: number; readonly least: number },
): boolean {
  const { summaries } = request.frame
  const last = at(summaries, summaries.length - 1)
  if (last === undefined || former.number === summaries.length - 1) return false
  const { tokensBefore = 0, tokensAfter = 0 } = last
  return tokensBefore - tokensAfter < least && tokensOfRange(request, former, to) < 2 * tokensBefore
}

/** Tokens of the list of tasks, which is shown again when the call that set it is left out. */
function todoTokens({ todos, tokens }: ContextRequest): number {
  const list = todos()
  return list && list.todos.length > 0 ? tokens.text(frameworkTexts.todos(list.todos)) : 0
}

/** About how many tokens the next summary has: a little more than the one before, which it takes in. */
function expectedSize({ summary, tokens }: Former, most: number): number {
  return summary ? Math.min(most, tokens + summaryGrowth) : most
}

/** The share that the context is compressed to: less while compressions follow each other closely, more again when they do not. */
function targetOf({ frame, rebase }: ContextRequest, { target }: CompleteCompressOptions, { summary: last }: Former): number {
  if (rebase === 'overflow') return overflowTarget
  if (last?.turn === undefined || last.target === undefined) return target
  const steps = [target, ...lower.filter((step) => step < target)]
  const level = Math.max(0, steps.indexOf(last.target))
  const gap = frame.turn - last.turn
  const next = gap < closeTurns ? level + 1 : gap > farTurns ? level - 1 : level
  return steps[Math.max(0, Math.min(next, steps.length - 1))] ?? target
}

/** The summary that is shown now, and the entries that it stands for. */
function formerOf({ frame, tokens }: ContextRequest): Former {
  const { segments } = frame.context
  const last = segments.findLast((segment) => segment.as === 'summary' && 'summary' in segment)
  const number = last?.as === 'summary' && 'summary' in last ? last.summary : undefined
  const summary = number === undefined ? undefined : at(frame.summaries, number)
  if (!summary || !last) return { to: 0, number: undefined, summary: undefined, tokens: 0 }
  return { to: last.to, number, summary, tokens: tokens.text(summary.summary) }
}

/** The segment of the summary that stays. */
function formerSegment({ to, number }: Former): Segment | undefined {
  return number === undefined ? undefined : { to, as: 'summary', summary: number }
}

/** Tokens of what is shown in any case and comes before the tail. */
function essentialTokens({ essentials, tokens }: ContextRequest, before: number): number {
  return essentials().reduce((size, index) => (index < before ? size + tokens.entry(index) : size), 0)
}
