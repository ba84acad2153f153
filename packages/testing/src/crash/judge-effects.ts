/** What the effect classes promise of each call and step, whatever the world looks like. */
import type { LoomEvent } from '@loom-agent/kernel'
import { type EffectPlace, type Execution, placeText } from './effect-log.ts'
import type { Finding } from './finding.ts'
import type { TrialRecord } from './record.ts'
import { processOf } from './simulated-process.ts'

/** Effects that happened too often, too early, or not at all. */
export function effectFindings(record: TrialRecord): readonly Finding[] {
  const places = Map.groupBy(record.executions, placeText)
  const intents = intentsIn(record.threads)
  return [
    ...[...places.values()].flatMap((executions) => [...repeated(record, executions), ...early(executions, intents, record.isConcurrent)]),
    ...[...record.threads].flatMap(([thread, events]) => [...claimed(thread, events, places), ...unended(thread, events)]),
  ]
}

/** The moment at which the effect of a place last began, as `thread@seq`. */
export function momentOf({ threads }: TrialRecord, { thread, call, step }: EffectPlace): string {
  const began = (threads.get(thread) ?? []).findLast(({ type, data }) =>
    step === undefined ? type === 'tool.started' && data.call === call : type === 'tool.step-started' && data.call === call && data.key === step,
  )
  return began ? `${thread}@${began.seq}` : thread
}

function repeated(record: TrialRecord, executions: readonly Execution[]): readonly Finding[] {
  const [first] = executions
  if (!first || isFree(first)) return []
  const { tool, effect, input, key } = first
  const at = momentOf(record, first)
  const keys = new Set(executions.map((execution) => execution.key))
  if (keys.size > 1) return [{ kind: 'duplicate', at, message: `${tool} (${effect}) ran with ${keys.size} keys: ${[...keys].join(', ')}` }]
  const done = executions.filter(({ end }) => end === 'returned').length
  if (effect === 'idempotent' || (effect === 'reconcilable' && record.isConcurrent) || done < 2) return []
  return [{ kind: 'duplicate', at, message: `${tool}(${input}) (${effect}, key ${key}) was done ${done} times` }]
}

const isFree = ({ effect }: Execution): boolean => effect === 'pure' || effect === 'read'

/** The process that wrote the first intent of each place. */
type Intents = ReadonlyMap<string, number>

function intentsIn(threads: TrialRecord['threads']): Intents {
  const intents = new Map<string, number>()
  for (const [thread, events] of threads) {
    let process = 0
    for (const { type, data } of events) {
      if (type === 'driver.acquired') process = processOf(data.worker)
      const place =
        type === 'tool.started'
          ? placeText({ thread, call: data.call })
          : type === 'tool.step-started'
            ? placeText({ thread, call: data.call, step: data.key })
            : undefined
      if (place !== undefined && !intents.has(place)) intents.set(place, process)
    }
  }
  return intents
}

function early(executions: readonly Execution[], intents: Intents, isConcurrent = false): readonly Finding[] {
  const [first] = executions
  if (!first || isFree(first)) return []
  const place = placeText(first)
  const intended = intents.get(place)
  if (intended === undefined) return [{ kind: 'early', at: first.thread, message: `${place} was performed, and the journal has no intent of it` }]
  if (isConcurrent || executions.every(({ process }) => process >= intended)) return []
  return [{ kind: 'early', at: first.thread, message: `${place} was performed before its intent was durable` }]
}

/** Results that claim an effect which never happened. */
function claimed(thread: string, events: readonly LoomEvent[], places: ReadonlyMap<string, readonly Execution[]>): readonly Finding[] {
  const tools = new Set([...places.values()].flatMap((executions) => executions.flatMap(({ tool, step }) => (step === undefined ? [tool] : []))))
  const names = new Map<string, string>()
  const doubts = new Map<string, EffectPlace>()
  const missing = (place: EffectPlace, { seq }: LoomEvent, name: string): readonly Finding[] =>
    places.has(placeText(place))
      ? []
      : [{ kind: 'missing', at: `${thread}@${seq}`, message: `${name} ${place.call} is said to have succeeded, and it never ran` }]
  return events.flatMap((event): readonly Finding[] => {
    const { type, data } = event
    switch (type) {
      case 'model.replied':
        for (const [index, { name }] of data.parts.filter((part) => part.type === 'call').entries()) names.set(`${event.turn}.${index}`, name)
        return []
      case 'question.asked':
        if (data.kind === 'in-doubt' && data.call !== undefined)
          doubts.set(data.id, { thread, call: data.call, ...(data.key !== undefined && { step: data.key }) })
        return []
      case 'question.answered': {
        const place = doubts.get(data.id)
        return place && data.answer.kind === 'respond' ? missing(place, event, names.get(place.call) ?? '') : []
      }
      case 'tool.finished': {
        const name = names.get(data.call) ?? ''
        if (data.status !== 'success' || data.meta?.['answered'] === true || !tools.has(name)) return []
        return missing({ thread, call: data.call }, event, name)
      }
      default:
        return []
    }
  })
}

/** Steps that have begun and have no end though their call succeeded. */
function unended(thread: string, events: readonly LoomEvent[]): readonly Finding[] {
  const open = new Map<string, EffectPlace>()
  const doubts = new Map<string, string>()
  for (const { type, data } of events) {
    if (type === 'tool.step-started' && data.until === undefined && data.signal === undefined)
      open.set(`${data.call}/${data.key}`, { thread, call: data.call, step: data.key })
    if (type === 'tool.step-finished') open.delete(`${data.call}/${data.key}`)
    if (type === 'question.asked' && data.kind === 'in-doubt') doubts.set(data.id, `${data.call}/${data.key}`)
    // A reported result ends a step in doubt: no other event does.
    if (type === 'question.answered' && data.answer.kind === 'respond') open.delete(doubts.get(data.id) ?? '')
    if (type === 'tool.finished' && data.status !== 'success') for (const [key, { call }] of open) if (call === data.call) open.delete(key)
  }
  return [...open.values()].map((place) => ({ kind: 'missing', at: thread, message: `${placeText(place)} has begun and has no end` }))
}
