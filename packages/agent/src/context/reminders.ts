/**
 * Reminders: short items at the end of the context when something needs attention. What they look at is in the frame, so a replay gives the same ones.
 *
 * REMIND-1. A reminder is given again only after some turns: the model has the earlier one before it.
 */
import { at, type ContextItem, type Entry, type Frame, type Run } from '@loom-agent/kernel'
import { callUserNow } from '../platform/call-user.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ContextPlan, ContextRequest, ContextStrategy } from './strategy.ts'
import { type Reminder, type ReminderFacts, reminderTexts } from './texts.ts'
import { outputText } from './trim.ts'

/** When reminders are given, and what they say. */
export interface ReminderOptions {
  /** Which ones; default: all. */
  readonly only?: readonly Reminder[]
  /** Other texts. */
  readonly texts?: Partial<Record<Reminder, (facts: ReminderFacts) => string>>
  /** The name of the tool that keeps the list of tasks; default `todo`. */
  readonly todo?: string
  /** The least number of turns between two reminders of a kind; default 10. */
  readonly every?: number
}

const kinds: readonly Reminder[] = ['todos', 'errors', 'compression', 'budget']
/** The latest results by which the share of failures is judged. */
const judgedResults = 6
/** Compressions in as many turns as this are many. */
const manyCompressions = 3
const compressionTurns = 30
/** The share of a limit from which it is nearly used. */
const nearlyUsed = 0.8

/**
 * Appends reminders to the context; combine it with another strategy by `pipeline`.
 *
 * @example
 * agent({ context: pipeline(compress(), reminders()) })
 */
export function reminders(options: ReminderOptions = {}): ContextStrategy {
  checkOptions('reminders()', options, {
    only: expected.list(expected.oneOf(...kinds), `a list of ${kinds.join(', ')}`),
    texts: expected.options(Object.fromEntries(kinds.map((kind) => [kind, expected.function]))),
    todo: expected.name,
    every: expected.whole(1),
  })
  return { name: 'reminders', assemble: (request) => assembleReminders(request, options) }
}

const extend: ContextPlan = {}

function assembleReminders({ frame }: ContextRequest, { only = kinds, texts, todo = 'todo', every = 10 }: ReminderOptions): ContextPlan {
  const recent = recentEntries(frame, every)
  const given = new Set(recent.map(({ item }) => item?.id))
  const items = only.flatMap((kind): readonly ContextItem[] => {
    if (given.has(kind)) return []
    const facts = findings[kind](frame, recent, todo)
    const textFor = texts?.[kind] ?? reminderTexts[kind]
    return facts ? [{ kind: 'reminder', id: kind, origin: 'loom', text: callUserNow(() => textFor(facts)) }] : []
  })
  return items.length > 0 ? { items } : extend
}

/** The entries of the last turns, the latest first. */
function recentEntries({ history, turn }: Frame, turns: number): readonly Entry[] {
  const entries: Entry[] = []
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = at(history, index) as Entry
    if (entry.turn <= turn - turns) break
    entries.push(entry)
  }
  return entries
}

type Finding = (frame: Frame, recent: readonly Entry[], todo: string) => ReminderFacts | undefined

const findings: Readonly<Record<Reminder, Finding>> = {
  todos: openTodos,
  errors: (_frame, recent) => {
    const latest = recent.flatMap(({ message }) => (message.role === 'tool' ? message.results : [])).slice(0, judgedResults)
    const failed = latest.filter(({ output }) => output.type === 'error' || output.type === 'denied').length
    return latest.length === judgedResults && failed > judgedResults / 2 ? { count: failed, of: judgedResults } : undefined
  },
  compression: ({ summaries, turn }) => {
    const last = at(summaries, summaries.length - manyCompressions)
    const isClose = last?.turn !== undefined && turn - last.turn <= compressionTurns
    return isClose ? { count: manyCompressions, of: turn - (last.turn as number) } : undefined
  },
  budget: ({ run, turn }) => (run ? nearestLimit(run, turn) : undefined),
}

/** A list of tasks that the tool has not been called for in the recent turns, and that has open ones. */
function openTodos({ history }: Frame, recent: readonly Entry[], todo: string): ReminderFacts | undefined {
  const isOf = ({ message }: Entry): boolean => message.role === 'tool' && message.results.some(({ name }) => name === todo)
  if (recent.some(isOf)) return undefined
  for (let index = history.length - 1 - recent.length; index >= 0; index -= 1) {
    const entry = at(history, index) as Entry
    if (isOf(entry)) return openIn(entry, todo)
  }
  return undefined
}

function openIn({ message }: Entry, todo: string): ReminderFacts | undefined {
  if (message.role !== 'tool') return undefined
  const text = message.results.map((result) => (result.name === todo ? outputText(result.output) : '')).join('\n')
  // Not \s: blank lines before a task would be tried from each of them.
  const count = text.match(/"status":"(?:pending|in_progress)"|^[ \t]*[-*] \[ \]/gmu)?.length ?? 0
  return count > 0 ? { count, of: count } : undefined
}

/** The limit of the run that is used most, where it is nearly used. */
function nearestLimit({ limits, usage, cost, firstTurn }: Run, turn: number): ReminderFacts | undefined {
  const used: Readonly<Record<string, number>> = { turns: turn - firstTurn + 1, tokens: usage.input + usage.output, cost }
  const shares = (['turns', 'tokens', 'cost'] as const).flatMap((limit) => {
    const most = limits[limit]
    return most ? [{ limit, share: (used[limit] ?? 0) / most }] : []
  })
  const [nearest] = shares.filter(({ share }) => share >= nearlyUsed).sort((a, b) => b.share - a.share)
  return nearest && { count: Math.floor(nearest.share * 100), of: 100, limit: nearest.limit }
}
