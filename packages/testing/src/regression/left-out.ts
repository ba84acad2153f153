/** What a fixture does not hold, found in the thread it was made of. */
import { fold, isOver, type LoomEvent } from '@loom-agent/kernel'
import type { Collected } from './collect.ts'
import { modelsIn } from './recorded-models.ts'

/** What the writer knows besides the threads. */
export interface Leaving {
  /** Texts that were redacted. */
  readonly redacted: number
  /** Whether it is known what runs were given and what is the agent's own. */
  readonly knowsAgent: boolean
}

type Finder = (events: readonly LoomEvent[], collected: Collected) => string | undefined

/** A number of things, in words. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

const ofType = <T extends LoomEvent['type']>(events: readonly LoomEvent[], type: T): readonly Extract<LoomEvent, { type: T }>[] =>
  events.filter((event): event is Extract<LoomEvent, { type: T }> => event.type === type)
const unique = (items: readonly string[]): string => [...new Set(items)].sort().join(', ')

/** What was really called, with names: each of these is replaced by its record. */
const finders: readonly Finder[] = [
  (events) => {
    const replies = ofType(events, 'model.replied')
    const ids = unique([...modelsIn(events).values()].filter(Boolean))
    return replies.length === 0
      ? undefined
      : `the model (${ids || 'unnamed'}): ${count(replies.length, 'reply', 'replies')} from the record, without the words as they came`
  },
  (events) => {
    const names = toolNames(events)
    const plain = ofType(events, 'tool.started').filter(({ data }) => !data.durable)
    return plain.length === 0
      ? undefined
      : `what ${unique(plain.map(({ data, thread }) => names.get(`${thread}/${data.call}`) ?? data.call))} did to the world: results are from the record`
  },
  (events) => {
    const names = toolNames(events)
    const durable = ofType(events, 'tool.started').filter(({ data }) => data.durable)
    return durable.length === 0
      ? undefined
      : `the steps of ${unique(durable.map(({ data, thread }) => names.get(`${thread}/${data.call}`) ?? data.call))}: the bodies run, their steps are from the record`
  },
  (events) => {
    const runs = events.filter((event) => 'request' in event.data && event.data.request.needsDeps === true).map(({ run }) => run ?? '')
    return runs.length === 0
      ? undefined
      : `the dependencies of ${unique(runs)}: give them with { given: { deps } } where hooks, rules or durable bodies use them`
  },
  (events) => {
    const hooks = ofType(events, 'hook.applied').map(({ data }) => data.hook ?? data.point)
    return hooks.length === 0 ? undefined : `what the hooks ${unique(hooks)} look at outside the thread: they run again`
  },
  (events) => {
    const found = ofType(events, 'retrieval.finished').length + ofType(events, 'context.compressed').length
    return found === 0 ? undefined : `where the context strategy gets its documents and summaries: it is asked again (${count(found, 'time')})`
  },
  (events) => {
    const sleeps = ofType(events, 'tool.step-started').filter(({ data }) => data.until !== undefined).length
    const retries = ofType(events, 'model.failed').filter(({ data }) => data.retryAt !== undefined).length
    const expired = ofType(events, 'question.expired').length
    const waits = [
      sleeps && count(sleeps, 'sleep'),
      retries && count(retries, 'retry', 'retries'),
      expired && count(expired, 'expiry', 'expiries'),
    ].filter(Boolean)
    return waits.length === 0 ? undefined : `the time that passed: the clock follows the record (${waits.join(', ')})`
  },
  (events) => {
    const upgrades = ofType(events, 'agent.upgraded').length
    return upgrades === 0 ? undefined : `the earlier code of the agent: it was changed ${count(upgrades, 'time')} while the thread ran`
  },
  (_events, { leftBlobs }) => {
    const bytes = leftBlobs.reduce((sum, blob) => sum + blob.bytes, 0)
    return leftBlobs.length === 0 ? undefined : `${count(leftBlobs.length, 'blob')} of ${bytes} bytes together`
  },
  (events, { thread }) => {
    const own = events.filter((event) => event.thread === thread)
    const { run, seq } = fold(thread, own)
    return run && !isOver(run) ? `how it ended: the thread was still open at ${seq} (${run.status})` : undefined
  },
]

/** What is not in the fixture, a line for each. */
export function leftOut(collected: Collected, { redacted, knowsAgent }: Leaving): readonly string[] {
  const events = collected.threads.flatMap((recorded) => recorded.events)
  const found = finders.map((find) => find(events, collected)).filter((line) => line !== undefined)
  const given = events.some(
    (event) => 'request' in event.data && (event.data.request.settings !== undefined || event.data.request.limits !== undefined),
  )
  return [
    ...found,
    ...(given && !knowsAgent ? ["whether settings and limits were the run's or the agent's: they are taken for the agent's"] : []),
    ...(redacted > 0 ? [`${count(redacted, 'text')} with secrets: placeholders are in their places`] : []),
  ]
}

function toolNames(events: readonly LoomEvent[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const event of events) {
    if (event.type !== 'model.replied') continue
    const calls = event.data.parts.filter((part) => part.type === 'call')
    for (const [index, { name }] of calls.entries()) names.set(`${event.thread}/${event.turn ?? 0}.${index}`, name)
  }
  return names
}
