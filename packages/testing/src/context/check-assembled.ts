/** What a recorded rebase must say, whatever the model received. */
import type { ExplainedRequest } from '@loom-agent/agent/kit'
import { at, type ContextItem, type ContextSummary, type Entry, type Frame, items, type Rebase, type Segment, type Trim } from '@loom-agent/kernel'
import type { ContextRule } from './context-rules.ts'

/** Reports that a rule is broken. */
export type Blame = (rule: ContextRule, message: string) => void

/** Checks the facts of one context. */
export function checkAssembled({ assembled, frame }: ExplainedRequest, blame: Blame): void {
  const { rebase, items: added = [] } = assembled.event.data
  for (const item of added) checkItem(item, blame)
  if (!rebase) return
  const entries = [...items(frame.history)].slice(0, assembled.after.context.covered - added.length)
  checkEnds(rebase, entries.length, blame)
  checkNames(rebase, frame, blame)
  checkLayers(rebase, blame)
  checkEssentials(rebase, entries, blame)
  checkRanges(rebase, { entries, frame }, blame)
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function checkItem(item: ContextItem, blame: Blame): void {
  for (const key of ['kind', 'id', 'origin', 'text'] as const)
    if (!isText(item[key])) blame('CONTEXT-3', `An item has no ${key}: ${JSON.stringify(item)}.`)
}

/** Segments with the entry that they start at. */
function placed({ segments = [] }: Rebase): readonly (readonly [segment: Segment, from: number])[] {
  let from = 0
  return segments.map((segment) => {
    const start = from
    from = Math.max(from, segment.to)
    return [segment, start] as const
  })
}

function checkEnds(rebase: Rebase, length: number, blame: Blame): void {
  const shown = new Set<number>()
  for (const [segment, from] of placed(rebase)) {
    const { to } = segment
    if (!isCount(to) || to < from) blame('CONTEXT-1', `A segment ends at ${to}, and it starts at ${from}.`)
    if (to > length) blame('CONTEXT-1', `A segment ends at ${to}, and the history has ${length} entries.`)
    const tells = segment.as === 'summary' && ('text' in segment ? segment.text !== '' : !shown.has(segment.summary))
    if (to === from && !tells) blame('CONTEXT-1', `A segment that ends at ${to} is of nothing.`)
    if (segment.as === 'summary' && 'summary' in segment) shown.add(segment.summary)
  }
}

function checkNames(rebase: Rebase, { summaries }: Frame, blame: Blame): void {
  if (!isText(rebase.reason)) blame('CONTEXT-3', 'The rebase has no reason.')
  for (const [segment] of placed(rebase)) {
    if (segment.as === 'dropped' && !(isText(segment.rule) && isText(segment.reason)))
      blame('CONTEXT-3', `What is dropped up to ${segment.to} has no rule or no reason.`)
    if (segment.as === 'summary' && 'summary' in segment && !(isCount(segment.summary) && segment.summary < summaries.length))
      blame('CONTEXT-3', `The summary ${segment.summary} is shown, and ${summaries.length} were made.`)
    if (segment.as === 'kept') for (const trim of segment.trims ?? []) checkTrim(trim, blame)
    if (!['kept', 'dropped', 'summary'].includes(segment.as)) blame('CONTEXT-3', `A segment is "${String(segment.as)}", which is no kind of segment.`)
  }
}

/** The layers are the system text, from its first character to its last. */
function checkLayers({ system, layers }: Rebase, blame: Blame): void {
  if (!layers) return
  let from = 0
  for (const { to, name, origin } of layers) {
    if (!isText(name) || !isText(origin)) blame('CONTEXT-10', `A layer of the system text has no name or no origin: it ends at ${to}.`)
    if (!isCount(to) || to <= from) blame('CONTEXT-10', `A layer of the system text ends at ${to}, and it starts at ${from}.`)
    else if (from > 0 && !system.slice(from, to).startsWith('\n\n')) blame('CONTEXT-10', `The layer ${name} does not start with an empty line.`)
    from = to
  }
  if (from !== system.length) blame('CONTEXT-10', `The layers end at ${from}, and the system text has ${system.length} characters.`)
  const names = layers.map(({ name }) => name)
  if (new Set(names).size < names.length) blame('CONTEXT-10', `Two layers of the system text have one name: ${names.join(', ')}.`)
}

function checkTrim(trim: Trim, blame: Blame): void {
  const { rule, over, head, tail } = trim
  if (!isText(rule) || ![over, head, tail].every(isCount)) blame('CONTEXT-3', `A trim is not complete: ${JSON.stringify(trim)}.`)
}

/** What must stay is found without the code that keeps it. */
function checkEssentials(rebase: Rebase, entries: readonly Entry[], blame: Blame): void {
  const isShown = (index: number): boolean => (placed(rebase).find(([{ to }]) => index < to)?.[0].as ?? 'kept') === 'kept'
  const ends = new Set(placed(rebase).map(([{ to }]) => to))
  const must = (index: number, name: string): void => {
    if (index >= 0 && !isShown(index)) blame('CONTEXT-2', `${name} is not shown: entry ${index}.`)
  }
  const input = entries.findLastIndex(({ origin }) => origin === 'input')
  const steered = entries.findLastIndex(({ origin }) => origin === 'steered')
  must(input, 'The last input')
  if (steered > input) must(steered, 'What was steered last')
  entries.forEach(({ pin, item, message }, index) => {
    if (pin || item?.pin) must(index, 'A pinned entry')
    if (message.role === 'tool' && index > 0 && ends.has(index))
      blame('CONTEXT-2', `A segment ends between a call and its results: at entry ${index}.`)
  })
  const replied = entries.findLastIndex(({ origin }) => origin === 'reply' || origin === 'input')
  must(
    entries.findIndex(({ message }, index) => index > replied && message.role === 'tool'),
    'The results of the latest calls',
  )
}

interface Covered {
  readonly entries: readonly Entry[]
  readonly frame: Frame
}

function checkRanges(rebase: Rebase, { entries, frame }: Covered, blame: Blame): void {
  for (const [segment, from] of placed(rebase)) {
    const summary: ContextSummary | undefined = segment.as === 'summary' && 'summary' in segment ? at(frame.summaries, segment.summary) : undefined
    const outside = summary && entries.slice(from, segment.to).find(({ seq }) => seq < summary.from || seq > summary.to)
    if (outside) blame('CONTEXT-4', `A summary of the events ${summary.from} to ${summary.to} stands for an entry of event ${outside.seq}.`)
  }
}
