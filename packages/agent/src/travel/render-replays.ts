/** Replays of many threads for people: one table, as plain text or as Markdown. */
import { LoomError } from '@loom-agent/kernel'
import { isThenable } from '../platform/chain.ts'
import { counted, inWords } from '../platform/counted.ts'
import { expected } from '../platform/expected.ts'
import { shown } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { costOf, type Format, formats, joined, type RenderReplayOptions, ruleLines } from './render-replay.ts'
import type { ReplaySummary, ThreadReplay } from './sum-replays.ts'

const columns = ['thread', 'turns', 'differ', 'recorded', 'replayed', 'saved', 'saved cost', 'kept', 'lost', 'estimated'] as const

/**
 * Renders what replays of many threads found: a row for each thread with tokens, what would be saved, and how many entries would be kept and lost; then the
 * sums, and what was lost by which rule.
 *
 * @example
 * console.log(renderReplays(await summarizeReplays(worker.replayAll({}, { with: { context: window({ turns: 20 }) } }))))
 */
export function renderReplays(summary: ReplaySummary, options: Pick<RenderReplayOptions, 'format'> = {}): string {
  checkOptions('renderReplays', options, { format: expected.oneOf('text', 'markdown') })
  requireSummary(summary)
  const format = formats[options.format ?? 'text']
  const { threads, totals, kept, lost, failed } = summary
  const rows = threads.flatMap((thread) => (thread.status === 'replayed' ? [cellsOf(thread, format)] : []))
  const all = cellsOf(
    { status: 'replayed', thread: '', totals, kept: { ...kept, listed: [] }, lost: { ...lost, listed: [] }, essentials: [] },
    format,
  )
  const table = [columns, ...rows, ['in all', ...all.slice(1)]]
  const head = `Replays of ${counted(threads.length, 'thread')}${failed > 0 ? `, ${inWords(failed)} failed` : ''}`
  const sections = [
    [format.heading(head), ...(options.format === 'markdown' ? markdownTable(table) : textTable(table).map(format.item))],
    ruleLines('Would be kept', kept, format),
    ruleLines('Would be lost', lost, format),
    essentialLines(threads, format),
    failureLines(threads, format),
  ]
  return joined(sections, options.format)
}

function requireSummary(summary: ReplaySummary): void {
  if (expected.object.fits(summary) && Array.isArray(summary.threads) && summary.totals && summary.kept && summary.lost) return
  const given = isThenable(summary)
    ? 'Await it first: renderReplays(await summarizeReplays(replays)).'
    : 'Give what summarizeReplays(replays) returned.'
  throw new LoomError('LOOM_OPTION_INVALID', `renderReplays needs the summary of replays, and got ${shown(summary)}. ${given}`, {
    context: { option: 'summary' },
  })
}

function cellsOf({ thread, totals, kept, lost }: ThreadReplay & { readonly status: 'replayed' }, { quote }: Format): readonly string[] {
  const { turns, differing, tokens, saved, summaries } = totals
  const counts = [turns, differing, tokens.recorded, tokens.replayed, saved.tokens].map(inWords)
  return [quote(thread), ...counts, costOf(saved.cost), ...[kept.entries, lost.entries, summaries.estimated].map(inWords)]
}

/** A bar would end a cell, also inside of code. */
const cell = (text: string): string => text.replaceAll('|', '\\|')

function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  const [head = [], ...rest] = rows
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rest.map(line)]
}

function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) => row.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))).join('  '))
}

function essentialLines(threads: readonly ThreadReplay[], { heading, item, quote }: Format): readonly string[] {
  const found = threads.flatMap((thread) => (thread.status === 'replayed' ? thread.essentials.map((one) => ({ thread: thread.thread, ...one })) : []))
  const lines = found.map(({ thread, kind, turn, text, as, rule }) =>
    item(`${quote(thread)}, turn ${turn}: ${kind === 'pin' ? 'a pinned entry' : 'the last question'} ${as} by ${quote(rule)}: ${quote(text)}`),
  )
  return lines.length > 0 ? [heading('Must be shown, and would not be'), ...lines] : []
}

function failureLines(threads: readonly ThreadReplay[], { heading, item, quote }: Format): readonly string[] {
  const lines = threads.flatMap((thread) => (thread.status === 'failed' ? [item(`${quote(thread.thread)}: ${quote(thread.error)}`)] : []))
  return lines.length > 0 ? [heading('Failed'), ...lines] : []
}
