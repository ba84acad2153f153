/** What a fixture does not hold, found in the thread it was made of. */
import { fold, isOver, type LoomEvent } from '@loom-agent/kernel'
import type { Collected } from './collect.ts'
import { modelsIn } from './recorded-models.ts'

/** What the writer knows besides the threads. */
export interface WriterKnowledge {
  /** Texts that were redacted. */
  readonly redacted: number
  /** Whether it is known what runs were given and what is the agent's own. */
  readonly knowsAgent: boolean
}

/** A number of things, in words. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

type Found = string | undefined
type Of<T extends LoomEvent['type']> = Extract<LoomEvent, { type: T }>

const ofType = <T extends LoomEvent['type']>(events: readonly LoomEvent[], type: T): readonly Of<T>[] =>
  events.filter((event): event is Of<T> => event.type === type)
const listed = (items: readonly string[]): string => [...new Set(items)].sort().join(', ')

/** What is not in the fixture, a line for each. */
export function leftOut(collected: Collected, { redacted, knowsAgent }: WriterKnowledge): readonly string[] {
  const events = collected.threads.flatMap((recorded) => recorded.events)
  const found: readonly Found[] = [
    modelIn(events),
    toolsIn(events),
    stepsIn(events),
    depsIn(events),
    hooksIn(events),
    strategyIn(events),
    timeIn(events),
    upgradesIn(collected),
    blobsIn(collected),
    openEnd(collected),
    knowsAgent ? undefined : givenIn(events),
    redacted > 0 ? `${count(redacted, 'text')} with secrets: placeholders are in their places` : undefined,
  ]
  return found.filter((line) => line !== undefined)
}

function modelIn(events: readonly LoomEvent[]): Found {
  const replies = ofType(events, 'model.replied').length
  const ids = listed([...modelsIn(events).values()].filter(Boolean)) || 'unnamed'
  return replies > 0 ? `the model (${ids}): ${count(replies, 'reply', 'replies')} from the record, without its deltas` : undefined
}

function toolsIn(events: readonly LoomEvent[]): Found {
  const names = namesOf(events, ({ data }) => !data.durable)
  return names === '' ? undefined : `what ${names} did to the world: results are from the record`
}

function stepsIn(events: readonly LoomEvent[]): Found {
  const names = namesOf(events, ({ data }) => data.durable === true)
  return names === '' ? undefined : `the steps of ${names}: the bodies run, their steps are from the record`
}

/** The tools of the calls that were started. */
function namesOf(events: readonly LoomEvent[], which: (started: Of<'tool.started'>) => boolean): string {
  const names = new Map<string, string>()
  for (const { thread, turn = 0, data } of ofType(events, 'model.replied')) {
    const calls = data.parts.filter((part) => part.type === 'call')
    for (const [index, { name }] of calls.entries()) names.set(`${thread}/${turn}.${index}`, name)
  }
  const started = ofType(events, 'tool.started').filter(which)
  return listed(started.map(({ thread, data }) => names.get(`${thread}/${data.call}`) ?? data.call))
}

function depsIn(events: readonly LoomEvent[]): Found {
  const runs = listed(events.filter(({ data }) => 'request' in data && data.request.needsDeps === true).map(({ run = '' }) => run))
  const advice = 'give them with { given: { deps } } where hooks, rules or durable bodies use them'
  return runs === '' ? undefined : `the dependencies of ${runs}: ${advice}`
}

function hooksIn(events: readonly LoomEvent[]): Found {
  const hooks = listed(ofType(events, 'hook.applied').map(({ data }) => data.hook ?? data.point))
  return hooks === '' ? undefined : `what the hooks ${hooks} look at outside the thread: they run again`
}

function strategyIn(events: readonly LoomEvent[]): Found {
  const times = ofType(events, 'retrieval.finished').length + ofType(events, 'context.compressed').length
  return times === 0 ? undefined : `where the context strategy gets its documents and summaries: it is asked again (${count(times, 'time')})`
}

function timeIn(events: readonly LoomEvent[]): Found {
  const sleeps = ofType(events, 'tool.step-started').filter(({ data }) => data.until !== undefined).length
  const retries = ofType(events, 'model.failed').filter(({ data }) => data.retryAt !== undefined).length
  const expired = ofType(events, 'question.expired').length
  const waits = [
    ...(sleeps > 0 ? [count(sleeps, 'sleep')] : []),
    ...(retries > 0 ? [count(retries, 'retry', 'retries')] : []),
    ...(expired > 0 ? [count(expired, 'expiry', 'expiries')] : []),
  ]
  return waits.length === 0 ? undefined : `the time that passed: the clock follows the record (${waits.join(', ')})`
}

function upgradesIn({ threads }: Collected): Found {
  const upgrades = ofType(threads[0]?.events ?? [], 'agent.upgraded').length
  return upgrades === 0 ? undefined : `the earlier code of the agent: it was changed ${count(upgrades, 'time')} while the thread ran`
}

function blobsIn({ leftBlobs }: Collected): Found {
  const bytes = leftBlobs.reduce((sum, blob) => sum + blob.bytes, 0)
  return leftBlobs.length === 0 ? undefined : `${count(leftBlobs.length, 'blob')} of ${bytes} bytes`
}

function openEnd({ thread, threads }: Collected): Found {
  const { run, seq } = fold(thread, threads[0]?.events ?? [])
  return run && !isOver(run) ? `how it ended: the thread was still open at ${seq} (${run.status})` : undefined
}

function givenIn(events: readonly LoomEvent[]): Found {
  const isBounded = events.some(({ data }) => 'request' in data && (data.request.settings ?? data.request.limits) !== undefined)
  return isBounded ? "whether settings and limits were the run's or the agent's: they are taken for the agent's" : undefined
}
