/** loom schedules: what starts by itself, and when. */
import type { DueRun, Timing } from '@loom-agent/kernel'
import {
  getSchedule,
  listSchedules,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  type Schedule,
  type ScheduleOptions,
  setSchedule,
} from '@loom-agent/server'
import { tableLines } from '../output/table.ts'
import { visible, visibleLine } from '../output/visible.ts'
import { parseCount, wrongOption } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { inJournal, type LookOptions, writeJson, writeLines } from './look.ts'

const timeOf = (time: number): string => new Date(time).toISOString()

/** When a schedule is due, as people write it. */
function timingWords(timing: Timing): string {
  if ('at' in timing) return `at ${timeOf(timing.at)}`
  if ('cron' in timing) return `${timing.cron} ${timing.zone}`
  return `every ${timing.interval / 1000} s`
}

const lastWords = (runs: readonly DueRun[]): string => {
  const run = runs.at(-1)
  if (!run) return '-'
  return 'run' in run ? run.thread : run.error.code
}

/** Lists the schedules with their next due times. */
export async function list(terminal: Terminal, options: LookOptions): Promise<void> {
  await inJournal(terminal, options, async ({ journal }) => {
    const schedules: Schedule[] = []
    for await (const schedule of listSchedules(journal)) schedules.push(schedule)
    if (options.json) return writeJson(terminal, schedules)
    if (schedules.length === 0) return terminal.err('There are no schedules. loom schedules set makes one.\n')
    const columns = [
      { title: 'NAME', text: ({ name }: Schedule) => name },
      { title: 'AGENT', text: ({ agent }: Schedule) => agent },
      { title: 'WHEN', text: ({ timing }: Schedule) => timingWords(timing), isFlexible: true as const },
      { title: 'NEXT', text: ({ paused, next }: Schedule) => (paused ? 'paused' : next[0] === undefined ? 'never' : timeOf(next[0])) },
      { title: 'LAST', text: ({ last }: Schedule) => lastWords(last) },
    ]
    writeLines(terminal, tableLines(schedules, columns, terminal))
  })
}

/** The options of `loom schedules show`. */
export interface ShowOptions extends LookOptions {
  readonly next: string
}

/** Shows a schedule: what it starts, its next due times, and what became of the last ones. */
export async function show(terminal: Terminal, name: string, options: ShowOptions): Promise<void> {
  const count = parseCount('--next', options.next)
  await inJournal(terminal, options, async ({ journal }) => {
    const schedule = await getSchedule(journal, name, { count: Math.min(count, 100) })
    if (options.json) return writeJson(terminal, schedule)
    const { agent, timing, start, missed, paused, next, last } = schedule
    writeLines(terminal, [
      `${visibleLine(name)}: ${visibleLine(agent)}, ${timingWords(timing)}${paused ? ', paused' : ''}`,
      `  input: ${visible(typeof start.input === 'string' ? start.input : JSON.stringify(start.input))}`,
      ...(start.thread === undefined ? [] : [`  thread: ${visibleLine(start.thread)}`]),
      `  missed: ${missed}`,
      ...next.map((time) => `  due: ${timeOf(time)}`),
      ...last.map(
        (run) => `  last: ${timeOf(run.time)} ${'run' in run ? visibleLine(run.thread) : visibleLine(`${run.error.code} ${run.error.message}`)}`,
      ),
    ])
  })
}

/** The options of `loom schedules set`. */
export interface SetOptions extends LookOptions {
  readonly agent: string
  readonly at?: string
  readonly every?: string
  readonly zone?: string
  readonly until?: string
  readonly thread?: string
  readonly missed?: string
  readonly most?: string
  readonly by?: string
}

/** Reads a moment such as `2026-12-24T08:00:00Z`. */
function parseTime(option: string, text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw wrongOption(option, text, 'Write a moment with its zone, such as 2026-12-24T08:00:00Z.')
  return time
}

/** Sets a schedule. A server that has the agent starts its runs. */
export async function set(terminal: Terminal, asked: { readonly name: string; readonly input: string }, options: SetOptions): Promise<void> {
  const { agent, at, every, zone, until, thread, missed, most } = options
  const given = {
    agent,
    input: asked.input,
    ...(at !== undefined && { at: parseTime('--at', at) }),
    ...(every !== undefined && { every }),
    ...(zone !== undefined && { zone }),
    ...(until !== undefined && { until: parseTime('--until', until) }),
    ...(thread !== undefined && { thread }),
    ...(missed !== undefined && { missed: missed as NonNullable<ScheduleOptions['missed']> }),
    ...(most !== undefined && { most: parseCount('--most', most) }),
    ...authorOf(terminal, options),
  }
  await inJournal(terminal, options, async ({ journal }) => {
    const schedule = await setSchedule(journal, asked.name, given)
    said(terminal, schedule, options)
  })
}

/** The options of what changes a schedule. */
export interface ChangeOptions extends LookOptions {
  readonly by?: string
}

function authorOf(terminal: Terminal, { by = terminal.env['USER'] ?? terminal.env['USERNAME'] }: ChangeOptions): { readonly by?: string } {
  return by === undefined ? {} : { by }
}

function said(terminal: Terminal, schedule: Schedule, { json }: LookOptions): void {
  if (json) return writeJson(terminal, schedule)
  const { name, paused, next } = schedule
  const when = paused ? 'is paused' : next[0] === undefined ? 'is not due any more' : `is due next at ${timeOf(next[0])}`
  terminal.err(`${visibleLine(name)} ${when}. A server or a program that has its agent starts its runs.\n`)
}

/** Pauses a schedule, lets it go on, or removes it. */
export async function change(
  terminal: Terminal,
  asked: { readonly what: 'pause' | 'resume' | 'remove'; readonly name: string },
  options: ChangeOptions,
): Promise<void> {
  const { what, name } = asked
  await inJournal(terminal, options, async ({ journal }) => {
    if (what === 'pause') return said(terminal, await pauseSchedule(journal, name, authorOf(terminal, options)), options)
    if (what === 'resume') return said(terminal, await resumeSchedule(journal, name, authorOf(terminal, options)), options)
    await removeSchedule(journal, name)
    if (options.json) return writeJson(terminal, { name, removed: true })
    terminal.err(`${visibleLine(name)} is removed. The runs that it has started stay.\n`)
  })
}
