/** The record of a trial: what is left when all of its processes are gone, in a form that two trials can be compared in. */
import type { Question } from '@loom-agent/agent'
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { type Execution, placeText, textOf, type WorldCall } from './effect-log.ts'
import type { Finding } from './finding.ts'
import { type Transcript, transcriptOf } from './transcript.ts'

/** An event that the journal, or Loom, has acknowledged to a process or a client. */
export interface Acknowledged {
  /** The thread of the event. */
  readonly thread: string
  /** Its place in the thread, from 1. */
  readonly seq: number
  /** Its type. */
  readonly type: LoomEvent['type']
  /** Its data, as it was acknowledged. */
  readonly data: unknown
  /** Its time in milliseconds, where it was acknowledged as well. */
  readonly time?: number
}

/** What a trial has left behind. */
export interface Evidence {
  /** The events of every thread that the journal holds. */
  readonly threads: ReadonlyMap<string, readonly LoomEvent[]>
  /** Every execution of a body. */
  readonly executions: readonly Execution[]
  /** Every call of the external world. */
  readonly worldCalls: readonly WorldCall[]
  /** What of the external world is compared, as text. */
  readonly world: string
  /** Every event that was acknowledged. */
  readonly acknowledged: readonly Acknowledged[]
  /** Whether processes ran at the same time: a frozen one may complete what another has repeated, and numbers say nothing about the order. */
  readonly isConcurrent?: boolean
  /** Places in doubt whose outcome was known and reported. */
  readonly resolved: ReadonlySet<string>
  /** The questions that were asked, by id. */
  readonly asked: ReadonlyMap<string, Question>
  /** What was found on the way; the judge adds to it. */
  readonly found: readonly Finding[]
}

/** The evidence with its transcripts. */
export interface TrialRecord extends Evidence {
  /** A transcript for each thread. */
  readonly transcripts: readonly Transcript[]
}

/**
 * The record of a trial.
 *
 * Ids of children and idempotency keys may differ from trial to trial. In what is compared they are replaced by where they come from.
 */
export function createRecord(evidence: Evidence): TrialRecord {
  const { threads, executions, worldCalls, world } = evidence
  const paths = pathsOf(threads)
  const named = namesOf(paths, executions)
  return {
    ...evidence,
    worldCalls: worldCalls.map(({ text, by }) => ({ text: named(text), by })),
    world: sorted(named(world)),
    transcripts: [...threads].map(([thread, events]) => transcriptOf({ thread, path: paths.get(thread) ?? thread, events })),
  }
}

/** Where each thread comes from: a root has its own name, a child the call that started it. */
function pathsOf(threads: Evidence['threads']): ReadonlyMap<string, string> {
  const origins = new Map<string, { readonly parent: string; readonly call: string }>()
  for (const [parent, events] of threads) {
    for (const { type, data } of events) if (type === 'child.started') origins.set(data.child, { parent, call: `${data.call}/${data.key}` })
  }
  const pathOf = (thread: string): string => {
    const origin = origins.get(thread)
    return origin ? `${pathOf(origin.parent)}/${origin.call}` : thread
  }
  return new Map([...threads.keys()].map((thread) => [thread, pathOf(thread)]))
}

function namesOf(paths: ReadonlyMap<string, string>, executions: readonly Execution[]): (text: string) => string {
  const keys = executions.map((one) => [one.key, `key of ${placeText({ ...one, thread: paths.get(one.thread) ?? one.thread })}`] as const)
  const names = [...new Map([...paths, ...keys])].filter(([from, to]) => from !== to && from !== '')
  return (text) => names.reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text)
}

/** Fields may have another order under other names. */
const sorted = (text: string): string => (/^[{[]/.test(text) ? textOf(JSON.parse(text)) : text)

/** All events of a thread. */
export async function eventsOf(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events
}

/** The events of all threads of a journal. */
export async function threadsOf(journal: Journal): Promise<ReadonlyMap<string, readonly LoomEvent[]>> {
  const threads = new Map<string, readonly LoomEvent[]>()
  for (const { thread } of await journal.threads()) threads.set(thread, await eventsOf(journal, thread))
  return threads
}

/** Resolves when a thread has come so far. */
export async function untilThread(journal: Journal, thread: string, isThere: () => Promise<boolean>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    if (await isThere()) resolve()
  }
  const unwatch = journal.watch(thread, () => void look())
  await look()
  await promise
  unwatch()
}
