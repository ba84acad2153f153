/** One entry of a durable body: what it has of earlier ones, and the keys that it reaches. */
import { type Call, LoomError, type OpenStep, stepName } from '@loom-agent/kernel'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { currentCall } from './current-call.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import { type Divergence, divergenceOf, reach } from './divergence.ts'

/** An earlier entry: the keys it reached, with what they stood for, and those that gave it a value. */
export interface Rehearsal {
  readonly reached: ReadonlyMap<string, string | undefined>
  readonly given: ReadonlySet<string>
}

/** What distinguishes one entry from another. */
export interface EntryOptions {
  /** The call as it was recorded when the body is entered. */
  readonly call: Call
  /** The body is entered only to see whether it reaches the same keys again. */
  readonly rehearsal?: Rehearsal
}

/** One entry of a durable body. */
export interface BodyEntry extends EntryOptions, Divergence, Delivery {
  readonly work: CallWork
  readonly job: CallJob
  /** Ends the entry after every step, so that the body is entered again. */
  readonly reenter: boolean
  readonly counts: Map<string, number>
  /** Keys that this entry has reached, with what they stand for. */
  readonly reached: Map<string, string | undefined>
  /** Steps that may not run twice, and children, that are at work; each resolves when it has ended. */
  readonly atWork: Map<string, Promise<unknown>>
  /** What steps of this entry threw: a record has only its message. */
  readonly thrown: Map<string, unknown>
  /** Called when the body has ended: children that it no longer waits for are asked to stop. */
  readonly onEnded: (() => void)[]
  /** The body is to be entered again at once. */
  again: boolean
  /** Children that are working. */
  children: number
}

/** Starts an entry. */
export function createBodyEntry(work: CallWork, job: CallJob, options: EntryOptions): BodyEntry {
  const { call, rehearsal } = options
  return {
    ...options,
    ...divergenceOf(call),
    ...deliveryOf(call, rehearsal?.given),
    work,
    job,
    reenter: work.definition.ports.reenter === true && !rehearsal,
    counts: new Map(),
    reached: new Map(),
    atWork: new Map(),
    thrown: new Map(),
    onEnded: [],
    again: false,
    children: 0,
  }
}

/** Names the next occurrence, which stands for `about`. A rehearsal refuses what the first entry did not reach, or reached for something else. */
export function keyOf(entry: BodyEntry, name: { readonly kind: string; readonly name: string; readonly about?: string }): string {
  const { call, counts, reached, rehearsal } = entry
  const { about } = name
  const counter = `${name.kind}:${name.name}`
  const occurrence = (counts.get(counter) ?? 0) + 1
  counts.set(counter, occurrence)
  const key = `${counter}:${occurrence}`
  const isNew = rehearsal && !rehearsal.reached.has(key)
  if (isNew || (rehearsal && rehearsal.reached.get(key) !== about)) {
    const before = isNew ? 'which it had not reached before' : 'which stood for something else before'
    const reason = `Entered again, the body reached ${stepName(key)}, ${before}. Put what changes between entries into steps.`
    throw new LoomError('LOOM_STEP_DIVERGED', reason, { context: { call: call.id, key } })
  }
  reached.set(key, about)
  reach(entry, key, about)
  return key
}

/** What is open under a key. */
export function openStep({ call, work }: BodyEntry, key: string): OpenStep | undefined {
  return currentCall(work.outbox, call).open.find((step) => step.key === key)
}

/** Does work that may not be done twice: the call does not end before it has, or says that it is in doubt. */
export async function atWork<T>({ atWork: all }: BodyEntry, key: string, work: () => Promise<T>): Promise<T> {
  const working = work()
  const ended = working.then(
    () => all.delete(key),
    () => all.delete(key),
  )
  all.set(key, ended)
  return working
}
