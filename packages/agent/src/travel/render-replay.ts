/**
 * The report of a replay for people: as plain text, or as Markdown.
 *
 * RENDER-1. Words that are not Loom's own (ids of threads, names of tools, prompts) are code in Markdown: none of them is read as markup. The signs for what
 *     would be left out and added stand in the code too: at the start of an item they would be a list.
 */

import { LoomError } from '@loom-agent/kernel'
import { isThenable } from '../platform/chain.ts'
import { counted, inWords } from '../platform/counted.ts'
import { expected } from '../platform/expected.ts'
import { shown } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import type { Divergence, EntryChanges, ReplayReport, Saved, Sent, ToolDifference, ToolNames, TurnReplay } from './replay-types.ts'

/** How a report is rendered. */
export interface RenderReplayOptions {
  /** Default `text`. */
  readonly format?: 'text' | 'markdown'
  /** Turns that differ and are shown with their messages, at most; default 20. */
  readonly turns?: number
}

/** The marks of a format. */
export interface Format {
  heading(text: string): string
  /** A line that belongs to what is above it. */
  item(text: string): string
  /** Words that are not Loom's own, as one line (RENDER-1). */
  quote(text: string): string
}

/** The formats of reports. */
export const formats: Readonly<Record<'text' | 'markdown', Format>> = {
  text: { heading: (text) => text, item: (text) => `  ${text}`, quote: oneLine },
  markdown: { heading: (text) => `## ${text}`, item: (text) => `- ${text}`, quote: (text) => fenced(oneLine(text)) },
}

/**
 * Renders a report: what differs first, how the tools differ, and the turns that differ, with what would be left out (-) and added (+).
 *
 * @example
 * console.log(renderReplay(await worker.replay('user-123', { with: { instructions } })))
 */
export function renderReplay(report: ReplayReport, options: RenderReplayOptions = {}): string {
  checkOptions('renderReplay', options, { format: expected.oneOf('text', 'markdown'), turns: expected.whole(0) })
  requireReport(report)
  const format = formats[options.format ?? 'text']
  const { divergence, tools } = report
  const sections = [
    [format.heading(`Replay of ${format.quote(report.thread)}`), ...headOf(report).map(format.item)],
    divergence ? [format.heading('First difference'), ...divergenceOf(divergence, format).map(format.item)] : [],
    tools.length > 0 ? [format.heading('Tools'), ...toolsOf(report, format).map(format.item)] : [],
    entriesOf('Would be kept', report.kept, format),
    entriesOf('Would be lost', report.lost, format),
    turnsOf(report, format, options.turns ?? 20),
  ]
  return joined(sections, options.format)
}

/** Sections, each with its heading first, as one text; those without lines are left out. */
export function joined(sections: readonly (readonly string[])[], format: RenderReplayOptions['format']): string {
  const between = format === 'markdown' ? '\n\n' : '\n'
  const rendered = sections.filter(({ length }) => length > 0).map(([heading = '', ...lines]) => `${heading}${between}${lines.join('\n')}`)
  return `${rendered.join('\n\n')}\n`
}

function requireReport(report: ReplayReport): void {
  if (expected.object.fits(report) && report.totals && Array.isArray(report.turns) && Array.isArray(report.tools) && report.omitted) return
  const advice = isThenable(report) ? 'Await it first: renderReplay(await agent.replay(thread)).' : 'Give what agent.replay(thread) returned.'
  throw new LoomError('LOOM_OPTION_INVALID', `renderReplay needs the report of a replay, and got ${shown(report)}. ${advice}`, {
    context: { option: 'report' },
  })
}

/** A cost, as people read it. */
export const costOf = (cost: number | undefined): string => (cost === undefined ? 'unknown' : inWords(cost))

const savedOf = ({ tokens, cost }: Saved): string =>
  `saved, estimated: ${counted(tokens, 'token')}, ${cost === undefined ? 'cost unknown' : `${inWords(cost)} micro-units`}`

function headOf({ totals, omitted, mode }: ReplayReport): readonly string[] {
  const { turns, differing, tokens, cost, saved, summaries } = totals
  const unlisted = [
    ...(omitted.turns > 0 ? [counted(omitted.turns, 'turn')] : []),
    ...(omitted.messages > 0 ? [counted(omitted.messages, 'message')] : []),
    ...(omitted.tools > 0 ? [`${counted(omitted.tools, 'difference')} of tools`] : []),
  ]
  return [
    `${counted(turns, 'turn')} replayed (${mode}), ${inWords(differing)} of them ${differing === 1 ? 'differs' : 'differ'}`,
    `tokens sent, estimated: ${inWords(tokens.recorded)} recorded, ${inWords(tokens.replayed)} replayed`,
    `cost of the recorded calls: ${cost === undefined ? 'unknown, because a price is not known' : `${inWords(cost)} micro-units`}`,
    ...(differing > 0 ? [savedOf(saved)] : []),
    ...(summaries.estimated > 0
      ? [
          `${counted(summaries.estimated, 'summary', 'summaries')} of ${inWords(summaries.replayed)} estimated: a model would have written another text`,
        ]
      : []),
    ...(unlisted.length > 0 ? [`not in this report: ${unlisted.join(', ')}`] : []),
  ]
}

function divergenceOf({ turn, at, message, excerpt, tools }: Divergence, { quote }: Format): readonly string[] {
  return [
    `turn ${turn}, at ${quote(at)}${message === undefined ? '' : `, message ${message}`}`,
    ...(excerpt ? [`recorded: ${quoted(excerpt.recorded, quote)}`, `replayed: ${quoted(excerpt.replayed, quote)}`] : []),
    ...(tools ? [namesOf(tools, quote)] : []),
  ]
}

const quoted = (text: string, quote: Format['quote']): string => (text === '' ? '(no message)' : quote(text))

function namesOf({ added, removed, changed, isReordered, more }: ToolNames, quote: Format['quote']): string {
  const named = Object.entries({ added, removed, changed }).filter(([, names]) => names.length > 0)
  const parts = named.map(([kind, names]) => `${kind} ${names.map(quote).join(', ')}`)
  return `tools: ${[...parts, ...(isReordered ? ['in another order'] : []), ...(more > 0 ? [`${more} more`] : [])].join('; ')}`
}

/** Entries that are treated otherwise: by rule, and the first of them. */
function entriesOf(title: string, changes: EntryChanges, format: Format): readonly string[] {
  const { listed, entries } = changes
  const { item, quote } = format
  const lines = listed
    .slice(0, shownEntries)
    .map(({ origin, seq, text, as, rule, turn, turns }) =>
      item(`turn ${turn}, ${counted(turns, 'turn')}: ${origin} of event ${seq}, ${as} by ${quote(rule)}: ${quote(text)}`),
    )
  const more = entries - lines.length
  const [heading, ...rules] = ruleLines(title, changes, format)
  return heading === undefined ? [] : [heading, ...rules, ...lines, ...(more > 0 ? [item(`and ${counted(more, 'entry', 'entries')} more`)] : [])]
}

/** Entries of one report that are shown, at most. */
const shownEntries = 10

/** A heading, and how many entries each rule is about. */
export function ruleLines(title: string, { by }: Omit<EntryChanges, 'listed'>, { heading, item, quote }: Format): readonly string[] {
  const lines = by.map(({ as, rule, entries, tokens }) =>
    item(`${counted(entries, 'entry', 'entries')}, ${counted(tokens, 'token')}, ${as} by ${quote(rule)}`),
  )
  return lines.length > 0 ? [heading(title), ...lines] : []
}

function toolsOf({ tools, omitted }: ReplayReport, { quote }: Format): readonly string[] {
  const lines = tools.flatMap((tool) => toolOf(tool, quote))
  return omitted.tools > 0 ? [...lines, `and ${counted(omitted.tools, 'difference')} more`] : lines
}

function toolOf({ kind, name: tool, description, schema = [] }: ToolDifference, quote: Format['quote']): readonly string[] {
  const name = quote(tool)
  if (kind !== 'changed') return [kind === 'reordered' ? `in another order: ${name}` : `${name} ${kind}`]
  const inCode = (value: unknown): string => (value === undefined ? 'nothing' : quote(JSON.stringify(value)))
  return [
    ...(description ? [`${name} changed: description ${inCode(description.recorded)} became ${inCode(description.replayed)}`] : []),
    ...schema.map(({ path, before, after }) => `${name} changed: ${quote(path)} ${inCode(before)} became ${inCode(after)}`),
  ]
}

function turnsOf({ turns, totals }: ReplayReport, format: Format, most: number): readonly string[] {
  const differing = turns.filter(({ differs }) => differs)
  if (differing.length === 0) return []
  const listed = differing.slice(0, most)
  const more = totals.differing - listed.length
  return [
    format.heading('Turns that differ'),
    ...listed.flatMap((turn) => turnOf(turn, format)),
    ...(more > 0 ? [format.item(`and ${counted(more, 'turn')} more`)] : []),
  ]
}

function turnOf(turn: TurnReplay, { item, quote }: Format): readonly string[] {
  const { recorded, replayed, left, added, omitted, tools } = turn
  const nested = (text: string): string => `  ${item(text)}`
  return [
    item(
      `turn ${turn.turn}, at ${quote(turn.at)}: ${sentOf(recorded, quote)}; now ${sentOf(replayed, quote)}${tools ? `; ${namesOf(tools, quote)}` : ''}`,
    ),
    ...left.map((text) => nested(quote(`- ${text}`))),
    ...(omitted && omitted.left > 0 ? [nested(quote(`- ${counted(omitted.left, 'message')} more`))] : []),
    ...added.map((text) => nested(quote(`+ ${text}`))),
    ...(omitted && omitted.added > 0 ? [nested(quote(`+ ${counted(omitted.added, 'message')} more`))] : []),
  ]
}

const sentOf = ({ messages, tokens, rebase }: Sent, quote: Format['quote']): string =>
  `${counted(messages, 'message')}, ${counted(tokens, 'token')}${rebase === undefined ? '' : ` (rebase: ${quote(rebase)})`}`

function oneLine(text: string): string {
  return text.replace(/\s*[\n\r]\s*/g, ' ⏎ ')
}

/** Code of one line. Its fence is longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  // A reader of Markdown takes one space from either side of code.
  const space = /^[ `]|[ `]$/.test(text) ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}
