/** loom show: what was said on a thread, or its events. */
import { watch } from '@loom-agent/agent'
import { type Journal, readEvents } from '@loom-agent/kernel'
import { type ChatItem, chat, createProjector, type EventHeader, headerOf, type ShownText } from '@loom-agent/telemetry'
import { type Style, statusLook, styleOf } from '../output/style.ts'
import { tableLines } from '../output/table.ts'
import { visible, visibleLine } from '../output/visible.ts'
import { counted, durationWords } from '../output/words.ts'
import { parseCount } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { threadAt } from '../thread/moment.ts'
import { headOf, inJournal, type LookOptions, writeJson, writeLines } from './look.ts'

/** The options of `loom show`. */
export interface ShowOptions extends LookOptions {
  readonly events?: true
  readonly from?: string
  readonly limit: string
  readonly follow?: true
}

/** Shows a thread, at its end or at the moment that is named. */
export async function show(terminal: Terminal, at: string, options: ShowOptions): Promise<void> {
  const { thread, seq } = threadAt(at)
  await inJournal(terminal, options, async ({ journal }) => {
    const head = await headOf(journal, thread)
    if (options.follow) return followEvents(terminal, { journal, thread, from: options.from ? parseCount('--from', options.from) : head.seq + 1 })
    if (options.events) return showEvents(terminal, { journal, thread, last: seq ?? head.seq, options })
    const { view: items } = await createProjector(journal).view(chat, thread, seq === undefined ? {} : { at: seq })
    if (options.json) return writeJson(terminal, { thread, seq: seq ?? head.seq, ...head.summary, items })
    const style = styleOf(terminal)
    const { status, agent = '' } = head.summary
    terminal.err(`${visibleLine(thread)}  ${style(statusLook(status), status)}  ${visibleLine(agent)}  ${counted(head.seq, 'event')}\n\n`)
    for (const item of items) writeLines(terminal, itemLines(item, style))
  })
}

interface Range {
  readonly journal: Journal
  readonly thread: string
}

async function showEvents(terminal: Terminal, { journal, thread, last, options }: Range & { last: number; options: ShowOptions }): Promise<void> {
  const limit = parseCount('--limit', options.limit)
  const from = options.from === undefined ? Math.max(1, last - limit + 1) : parseCount('--from', options.from)
  const headers: EventHeader[] = []
  for await (const event of readEvents(journal, thread, { from, limit: Math.min(limit, 1_000) })) {
    if (event.seq > last || headers.length >= limit) break
    headers.push(headerOf(event))
  }
  if (options.json) return writeJson(terminal, headers)
  writeLines(terminal, eventLines(headers, terminal))
}

/** Writes events as they are stored, until somebody stops the command. */
async function followEvents(terminal: Terminal, { journal, thread, from }: Range & { from: number }): Promise<void> {
  for await (const event of watch(journal, thread, { from })) {
    const { seq, type, label } = headerOf(event)
    terminal.out(`${seq}  ${type}  ${visibleLine(label)}\n`)
  }
}

function eventLines(headers: readonly EventHeader[], terminal: Terminal): readonly string[] {
  const first = headers[0]?.time ?? 0
  return tableLines(
    headers,
    [
      { title: 'seq', text: ({ seq }) => String(seq), align: 'end' },
      { title: 'after', text: ({ time }) => durationWords(Math.max(0, time - first)), align: 'end' },
      { title: 'turn', text: ({ turn }) => (turn === undefined ? '' : String(turn)), align: 'end' },
      { title: 'event', text: ({ type }) => type },
      { title: 'about', text: ({ label }) => label, isFlexible: true },
    ],
    terminal,
  )
}

const titles: { readonly [K in ChatItem['kind']]: string } = {
  user: 'user',
  steered: 'user, meanwhile',
  note: 'note of Loom',
  item: 'added to the context',
  assistant: 'model',
  question: 'question',
  compressed: 'summary',
  failed: 'failed',
  stopped: 'stopped',
  retried: 'failed attempt',
  forked: 'fork',
}

function itemLines(item: ChatItem, style: Style): readonly string[] {
  return [`${style('bold', titles[item.kind])} ${style('faint', `@${item.seq}`)}`, ...bodyOf(item, style).flatMap(indented), '']
}

const indented = (text: string): readonly string[] =>
  visible(text)
    .split('\n')
    .map((line) => `  ${line}`)

const whole = ({ text, more }: ShownText): string => (more === undefined ? text : `${text}\n[${counted(more, 'more character')}; --json has them]`)

function bodyOf(item: ChatItem, style: Style): readonly string[] {
  switch (item.kind) {
    case 'forked':
      return [`from ${item.from}`]
    case 'question':
      return [
        whole(item.prompt),
        ...item.answers.map(({ answer, by }) => `${answer}${by === undefined ? '' : ` by ${by}`}`),
        ...(item.isOpen ? [`open: loom answer ${item.id}`] : []),
      ]
    case 'assistant':
      return [
        ...(item.text.text === '' ? [] : [whole(item.text)]),
        ...item.calls.flatMap(({ call, tool, input, status, output, ms }) => [
          `${style('blue', `call ${call}`)} ${tool} ${whole(input)}: ${status}${ms === undefined ? '' : `, ${durationWords(ms)}`}`,
          ...(output ? indented(whole(output)) : []),
        ]),
      ]
    default:
      return [whole(item.text)]
  }
}
