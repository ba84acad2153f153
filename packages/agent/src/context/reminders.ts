/**
 * Reminders: short items at the end of the context when something needs attention. What they look at is in the frame, so a replay gives the same ones.
 *
 * REMIND-1. A reminder is given again only after some turns: the model has the earlier one before it.
 */
import { at, type ContextItem, type Entry, type Frame, type Run } from '@loom-agent/kernel'
import { callUserNow } from '../platform/call-user.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { type ContextPlan, type ContextRequest, type ContextStrategy, extend } from './strategy.ts'
import { type Reminder, type ReminderFacts, reminderTexts } from './texts.ts'
import { isOpen } from './todos.ts'

/** When reminders are given, and what they say. */
export interface ReminderOptions {
  /** Which ones; default: all. */
  readonly only?: readonly Reminder[]
  /** Other texts. */
  readonly texts?: Partial<Record<Reminder, (facts: ReminderFacts) => string>>
  /** The least number of turns between two reminders of a kind; default 10. */
  readonly every?: number
}

const kinds: readonly Reminder[] = ['todos', 'errors', 'compression', 'budget']
/** The latest results by which the share of failures is judged. */
const judgedResults = 6
/** How far back they are looked for. */
const errorTurns = 10
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
    every: expected.whole(1),
  })
  return { name: 'reminders', assemble: (request) => assembleReminders(request, options) }
}

function assembleReminders(request: ContextRequest, { only = kinds, texts, every = 10 }: ReminderOptions): ContextPlan {
  const recent = recentEntries(request.frame, every)
  const given = new Set(recent.map(({ item }) => (item?.kind === 'reminder' ? item.id : undefined)))
  const items = only.flatMap((kind): readonly ContextItem[] => {
    if (given.has(kind)) return []
    const facts = findings[kind](request, every)
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

type Finding = (request: ContextRequest, every: number) => ReminderFacts | undefined

const findings: Readonly<Record<Reminder, Finding>> = {
  todos: openTodos,
  errors: failedCalls,
  compression: manySummaries,
  budget: ({ frame: { run, turn } }) => (run ? nearestLimit(run, turn) : undefined),
}

/** A list that was not set for some turns, and that has open tasks. */
function openTodos({ frame, todos }: ContextRequest, every: number): ReminderFacts | undefined {
  const list = todos()
  if (!list || frame.turn - list.turn < every) return undefined
  const count = list.todos.filter(isOpen).length
  return count > 0 ? { count, of: list.todos.length } : undefined
}

/** Whether most of the latest calls have failed. */
function failedCalls({ frame }: ContextRequest): ReminderFacts | undefined {
  const latest = recentEntries(frame, errorTurns)
    .flatMap(({ message }) => (message.role === 'tool' ? message.results.toReversed() : []))
    .slice(0, judgedResults)
  const failed = latest.filter(({ output }) => output.type === 'error' || output.type === 'denied').length
  return latest.length === judgedResults && failed > judgedResults / 2 ? { count: failed, of: judgedResults } : undefined
}

function manySummaries({ frame: { summaries, turn } }: ContextRequest): ReminderFacts | undefined {
  const first = at(summaries, summaries.length - manyCompressions)
  if (first?.turn === undefined || turn - first.turn > compressionTurns) return undefined
  return { count: manyCompressions, of: turn - first.turn }
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
