/** loom flame: when what happened on a thread, as bars over time. */
import { createProjector, type Span, skeleton, spansOf } from '@loom-agent/telemetry'
import { type Look, styleOf } from '../output/style.ts'
import { visibleLine } from '../output/visible.ts'
import { cutTo, widthOf } from '../output/width.ts'
import { durationWords, tokenWords } from '../output/words.ts'
import { parseCount } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { headOf, inJournal, type LookOptions, writeJson, writeLines } from './look.ts'

/** The options of `loom flame`. */
export interface FlameOptions extends LookOptions {
  readonly rows: string
}

/** Waiting longer than this share of the whole is shown as a gap, so that work can be seen beside it. */
const longWait = 0.05
/** Waiting less than this is no gap, in milliseconds. */
const leastGap = 1_000
const gapWidth = 3

const looks: Readonly<Partial<Record<Span['kind'], Look>>> = {
  model: 'blue',
  tool: 'green',
  question: 'yellow',
  wait: 'yellow',
  compression: 'faint',
  context: 'faint',
}
const idle = new Set<Span['kind']>(['run', 'turn', 'question', 'wait'])

/** Shows the spans of a thread over time. */
export async function flame(terminal: Terminal, thread: string, options: FlameOptions): Promise<void> {
  const rows = parseCount('--rows', options.rows)
  await inJournal(terminal, options, async ({ journal }) => {
    await headOf(journal, thread)
    const { view } = await createProjector(journal).view(skeleton, thread)
    const spans = [...spansOf(view)]
    if (options.json) return writeJson(terminal, spans)
    writeLines(terminal, flameLines(spans, { terminal, rows }))
  })
}

function flameLines(spans: readonly Span[], { terminal, rows }: { readonly terminal: Terminal; readonly rows: number }): readonly string[] {
  if (spans.length === 0) return ['Nothing has run on this thread.']
  const style = styleOf(terminal)
  const depths = depthsOf(spans)
  const shown = spans.slice(0, rows)
  const labels = shown.map((span) => `${'  '.repeat(depths[span.index] ?? 0)}${labelOf(span)}`)
  const labelWidth = Math.min(32, Math.max(...labels.map(widthOf)))
  const width = Math.max(20, terminal.columns - labelWidth - 23)
  const scale = scaleOf(spans, { width, now: terminal.now() })
  const lines = shown.map((span, index) => {
    const [from, to] = [scale.at(span.start), Math.max(scale.at(span.start) + 1, scale.at(span.end ?? terminal.now()))]
    const bar = `${' '.repeat(from)}${style(looks[span.kind] ?? 'faint', (span.end === undefined ? '▒' : '█').repeat(to - from))}${' '.repeat(Math.max(0, width - to))}`
    const label = cutTo(labels[index] ?? '', labelWidth)
    const tokens = span.input + span.output
    const figures = `${durationWords((span.end ?? terminal.now()) - span.start).padStart(9)}${tokens > 0 ? ` ${tokenWords(tokens).padStart(7)} tok` : ''}`
    return `${label}${' '.repeat(labelWidth - widthOf(label))} ${bar} ${figures}`.trimEnd()
  })
  const left = spans.length - shown.length
  return [
    ...lines,
    ...(scale.gaps > 0
      ? [`${scale.gaps} long ${scale.gaps === 1 ? 'wait is' : 'waits are'} shown shorter than ${scale.gaps === 1 ? 'it was' : 'they were'}.`]
      : []),
    ...(left > 0 ? [`${left.toLocaleString('en-US')} more; --rows shows more of them.`] : []),
  ]
}

/** What a row is called: tools, models and steps by their names, all else by what it is. */
function labelOf({ kind, name }: Span): string {
  if (kind === name) return kind
  return kind === 'run' || kind === 'child' ? `${kind} ${visibleLine(name)}` : visibleLine(name)
}

function depthsOf(spans: readonly Span[]): readonly number[] {
  const depths: number[] = []
  for (const { index, parent } of spans) depths[index] = parent < 0 ? 0 : (depths[parent] ?? 0) + 1
  return depths
}

/** Where a time is on a line. */
interface Scale {
  at(time: number): number
  readonly gaps: number
}

/** A scale over the times in which something ran; long waits between them are a few characters each. */
function scaleOf(spans: readonly Span[], { width, now }: { readonly width: number; readonly now: number }): Scale {
  const busy = joined(spans.filter(({ kind }) => !idle.has(kind)).map(({ start, end }) => [start, end ?? now] as const))
  const first = spans[0]?.start ?? 0
  const last = Math.max(first + 1, ...spans.map(({ end }) => end ?? now))
  const cuts = [[first, first] as const, ...busy, [last, last] as const]
  const gaps = cuts.slice(1).flatMap(([start], index) => {
    const before = cuts[index]?.[1] ?? first
    return start - before > Math.max(leastGap, (last - first) * longWait) ? [[before, start] as const] : []
  })
  const waited = gaps.reduce((sum, [from, to]) => sum + to - from, 0)
  const room = Math.max(1, width - gaps.length * gapWidth)
  const each = room / Math.max(1, last - first - waited)
  const at = (time: number): number => {
    let position = (time - first) * each
    for (const [from, to] of gaps) {
      if (time <= from) break
      const share = Math.min(1, (time - from) / (to - from))
      position += share * (gapWidth - (to - from) * each)
    }
    return Math.max(0, Math.min(width - 1, Math.round(position)))
  }
  return { at, gaps: gaps.length }
}

/** Times that overlap or touch, as one. */
function joined(times: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const made: [number, number][] = []
  for (const [from, to] of times.toSorted(([one], [other]) => one - other)) {
    const last = made.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else made.push([from, to])
  }
  return made
}
