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

type Of<T extends LoomEvent['type']> = Extract<LoomEvent, { type: T }>

const listed = (items: readonly string[]): string => [...new Set(items)].sort().join(', ')

/** What is not in the fixture, a line for each. */
export function leftOut({ thread, threads, leftBlobs }: Collected, { redacted, knowsAgent }: WriterKnowledge): readonly string[] {
  const events = threads.flatMap((recorded) => recorded.events)
  const root = threads[0]?.events ?? []
  const ofType = <T extends LoomEvent['type']>(type: T, among: readonly LoomEvent[] = events): readonly Of<T>[] =>
    among.filter((event): event is Of<T> => event.type === type)
  const requests = events.flatMap(({ data, run = '' }) => ('request' in data ? [{ run, ...data.request }] : []))
  const replies = ofType('model.replied').length
  const models = listed([...modelsIn(events).values()].filter(Boolean)) || 'unnamed'
  const tools = toolsOf(events, false)
  const durable = toolsOf(events, true)
  const deps = listed(requests.filter(({ needsDeps }) => needsDeps === true).map(({ run }) => run))
  const hooks = listed(ofType('hook.applied').map(({ data }) => data.hook ?? data.point))
  const asked = ofType('retrieval.finished').length + ofType('context.compressed').length
  const waits = waitsOf(events)
  const upgrades = ofType('agent.upgraded', root).length
  const bytes = leftBlobs.reduce((sum, blob) => sum + blob.bytes, 0)
  const { run, seq } = fold(thread, root)
  const isBounded = requests.some(({ settings, limits }) => (settings ?? limits) !== undefined)
  const found: readonly (readonly [isFound: boolean, line: string])[] = [
    [replies > 0, `the model (${models}): ${count(replies, 'reply', 'replies')} from the record, without its deltas`],
    [tools !== '', `what ${tools} did to the world: results are from the record`],
    [durable !== '', `the steps of ${durable}: the bodies run, their steps are from the record`],
    [deps !== '', `the dependencies of ${deps}: give them with { given: { deps } } where hooks, rules or durable bodies use them`],
    [hooks !== '', `what the hooks ${hooks} look at outside the thread: they run again`],
    [asked > 0, `where the context strategy gets its documents and summaries: it is asked again (${count(asked, 'time')})`],
    [waits !== '', `the time that passed: the clock follows the record (${waits})`],
    [upgrades > 0, `the earlier code of the agent: it was changed ${count(upgrades, 'time')} while the thread ran`],
    [leftBlobs.length > 0, `${count(leftBlobs.length, 'blob')} of ${bytes} bytes`],
    [run !== undefined && !isOver(run), `how it ended: the thread was still open at ${seq} (${run?.status})`],
    [!knowsAgent && isBounded, "whether settings and limits were the run's or the agent's: they are taken for the agent's"],
    [redacted > 0, `${count(redacted, 'text')} with secrets: placeholders are in their places`],
  ]
  return found.flatMap(([isFound, line]) => (isFound ? [line] : []))
}

/** The tools of the calls that were started; of the durable ones those that took steps. */
function toolsOf(events: readonly LoomEvent[], isDurable: boolean): string {
  const names = new Map<string, string>()
  const started = new Set<string>()
  for (const { type, data, thread, turn = 0 } of events) {
    if (type === 'model.replied') {
      const calls = data.parts.filter((part) => part.type === 'call')
      for (const [index, { name }] of calls.entries()) names.set(`${thread}/${turn}.${index}`, name)
    }
    // An agent as a tool is durable and takes no steps: its thread is replayed.
    const isStep = type === 'tool.step-started' || type === 'tool.step-finished'
    if (isDurable ? isStep : type === 'tool.started' && data.durable !== true) {
      const { call } = data as { readonly call: string }
      started.add(names.get(`${thread}/${call}`) ?? call)
    }
  }
  return listed([...started])
}

function waitsOf(events: readonly LoomEvent[]): string {
  const counts = { sleep: 0, signal: 0, retry: 0, expiry: 0 }
  for (const { type, data } of events) {
    if (type === 'tool.step-started' && data.signal !== undefined) counts.signal += 1
    else if (type === 'tool.step-started' && data.until !== undefined) counts.sleep += 1
    if (type === 'model.failed' && data.retryAt !== undefined) counts.retry += 1
    if (type === 'question.expired') counts.expiry += 1
  }
  const waited = [count(counts.sleep, 'sleep'), count(counts.signal, 'wait for a signal', 'waits for signals')]
  const named = [...waited, count(counts.retry, 'retry', 'retries'), count(counts.expiry, 'expiry', 'expiries')]
  return named.filter((text) => !text.startsWith('0 ')).join(', ')
}
