/** loom runs: the threads of a journal, the latest first. */
import { threads } from '@loom-agent/agent'
import type { Head, Journal, ThreadQuery } from '@loom-agent/kernel'
import { createProjector, type RunMetrics, runMetrics } from '@loom-agent/telemetry'
import { statusLook } from '../output/style.ts'
import { type Column, tableLines } from '../output/table.ts'
import { ago, costWords, tokenWords } from '../output/words.ts'
import { parseCount, parseDuration, wrongOption } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { inJournal, type LookOptions, writeJson, writeLines } from './look.ts'

/** The options of `loom runs`. */
export interface RunsOptions extends LookOptions {
  readonly agent?: string
  readonly status?: string
  readonly label?: readonly string[]
  readonly since?: string
  readonly limit: string
  readonly children?: true
  readonly usage?: true
}

/** A thread, with what it has used where that is asked for. */
export interface Row {
  readonly head: Head
  readonly used?: { readonly turns: number; readonly tokens: number; readonly cost: number; readonly unpriced: number }
}

const statuses = ['idle', 'running', 'waiting', 'done', 'failed', 'stopped', 'partial'] as const

/** Lists threads. Pages are read until enough rows are found, and never the whole journal for a short list. */
export async function runs(terminal: Terminal, options: RunsOptions): Promise<void> {
  const query = queryOf(options, terminal.now())
  const limit = parseCount('--limit', options.limit)
  await inJournal(terminal, options, async ({ journal }) => {
    const rows = await rowsOf(journal, query, { ...options, limit })
    if (options.json) return writeJson(terminal, rows.map(asJson))
    if (rows.length === 0) return terminal.err('No thread fits.\n')
    writeLines(terminal, tableLines(rows, columnsFor(terminal, options.usage === true), terminal))
  })
}

/** The rows of a list, out of as few pages as have them. */
export async function rowsOf(
  journal: Journal,
  query: ThreadQuery,
  { limit, children, usage }: Pick<RunsOptions, 'children' | 'usage'> & { readonly limit: number },
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const head of threads(journal, { ...query, sort: 'latest' })) {
    if (head.summary.parent !== undefined && !children) continue
    rows.push(usage ? { head, used: await usedBy(journal, head.thread) } : { head })
    if (rows.length >= limit) break
  }
  return rows
}

function queryOf(options: RunsOptions, now: number): ThreadQuery {
  const status = statuses.find((one) => one === options.status)
  if (options.status !== undefined && status === undefined) {
    throw wrongOption('--status', options.status, `It is one of ${statuses.join(', ')}.`)
  }
  const labels = Object.fromEntries((options.label ?? []).map(labelOf))
  return {
    ...(options.agent !== undefined && { agent: options.agent }),
    ...(status !== undefined && { status }),
    ...(options.label && { labels }),
    ...(options.since !== undefined && { since: now - parseDuration('--since', options.since) }),
  }
}

function labelOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw wrongOption('--label', text, 'Write name=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

async function usedBy(journal: Journal, thread: string): Promise<NonNullable<Row['used']>> {
  const { view } = await createProjector(journal).view(runMetrics, thread)
  const sum = (of: (run: RunMetrics) => number): number => view.reduce((total, run) => total + of(run), 0)
  return {
    turns: sum(({ turns }) => turns),
    tokens: sum(({ input, output }) => input + output),
    cost: sum(({ cost }) => cost),
    unpriced: sum(({ unpriced }) => unpriced),
  }
}

function columnsFor({ now }: Terminal, hasUsage: boolean): readonly Column<Row>[] {
  const used: readonly Column<Row>[] = [
    { title: 'turns', text: (row) => String(row.used?.turns ?? ''), align: 'end' },
    { title: 'tokens', text: (row) => (row.used ? tokenWords(row.used.tokens) : ''), align: 'end' },
    { title: 'cost', text: (row) => (row.used ? costWords(row.used.cost, row.used.unpriced) : ''), align: 'end' },
  ]
  return [
    { title: 'thread', text: ({ head }) => head.thread, isFlexible: true },
    { title: 'status', text: ({ head }) => head.summary.status, look: ({ head }) => statusLook(head.summary.status) },
    { title: 'agent', text: ({ head }) => head.summary.agent ?? '' },
    { title: 'events', text: ({ head }) => head.seq.toLocaleString('en-US'), align: 'end' },
    ...(hasUsage ? used : []),
    { title: 'changed', text: ({ head }) => ago(head.times.changed, now()), align: 'end' },
  ]
}

function asJson({ head, used }: Row): object {
  const { thread, incarnation, seq, summary, times, forkOf } = head
  return { thread, incarnation, seq, ...summary, began: times.began, changed: times.changed, ...(forkOf && { forkOf }), ...used }
}
