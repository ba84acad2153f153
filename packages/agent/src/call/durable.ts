/**
 * A durable body: entered again from its first line after an answer, a child's end, a wake-up or a crash.
 *
 * DURABLE-1. Each of step, ask, run, sleep and waitFor has a key (kind, name, occurrence); a recorded key gives its record and does nothing.
 * DURABLE-2. A step that is not pure or read has its intent durable before it runs.
 * DURABLE-3. When only waits are outstanding the entry is dead: nothing that it does afterwards has an effect.
 * DURABLE-4. A recorded key, or one that is open, that an entry no longer reaches is a divergence, and a divergence is always reported.
 * DURABLE-7. A body may go on after its call was settled without it, by a stop that did not wait for it: nothing of it is recorded any more.
 */

import {
  type Answer,
  type Call,
  callOf,
  type Draft,
  type EffectClass,
  items,
  type Json,
  LoomError,
  type OpenStep,
  type StepRecord,
  stepName,
} from '@loom-agent/kernel'
import { signalOf } from '../platform/cancellation.ts'
import { expected, type Shape } from '../platform/expected.ts'
import { never } from '../platform/never.ts'
import { messageOf, toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { type AskOptions, askShape } from '../types/answer.ts'
import { effectClass, isHarmless } from '../types/effect-class.ts'
import { jsonSchemaOf, type Schema, validate } from '../types/schema.ts'
import { type CallJob, intend, isUnattended, recordFacts } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { parked } from './child-runner.ts'
import { allReached, type Divergence, reach, unreachedIn } from './divergence.ts'
import { mayEnter } from './may-enter.ts'

/** An earlier entry: the keys it reached, and those that gave it a value. */
export interface Rehearsal {
  readonly reached: ReadonlySet<string>
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
export interface BodyEntry extends EntryOptions, Divergence {
  readonly work: CallWork
  readonly job: CallJob
  /** Ends the entry after every step, so that the body is entered again. */
  readonly reenter: boolean
  readonly records: ReadonlyMap<string, StepRecord>
  readonly counts: Map<string, number>
  /** Keys that this entry has reached, and those of them that gave it a value. */
  readonly reached: Set<string>
  readonly given: Set<string>
  /** Resolves when only waits are outstanding. */
  readonly suspended: Promise<void>
  readonly suspend: () => void
  /** A dead entry's awaits never settle. */
  dead: boolean
  /** The body has ended: what goes on beside it does nothing more. */
  hasEnded: boolean
  /** The body is to be entered again at once. */
  again: boolean
  working: number
  /** Children that are working. */
  children: number
}

/** Runs a child, or goes on with the existing one; returns `parked` when the child waits. */
export type RunChild = (key: string, existing: string | undefined) => Promise<StepRecord>

/** Starts an entry. */
export function createBodyEntry(work: CallWork, job: CallJob, options: EntryOptions): BodyEntry {
  const { promise: suspended, resolve: suspend } = Promise.withResolvers<void>()
  const { call, rehearsal } = options
  const known = [...items(call.done)].filter(({ key }) => !rehearsal || rehearsal.given.has(key))
  return {
    ...options,
    work,
    job,
    reenter: work.definition.ports.reenter === true && !rehearsal,
    records: new Map(known.map((record) => [record.key, record])),
    unreached: unreachedIn(call),
    onReached: [],
    counts: new Map(),
    reached: new Set(),
    given: new Set(),
    suspended,
    suspend,
    dead: false,
    hasEnded: false,
    again: false,
    working: 0,
    waits: 0,
    children: 0,
  }
}

/** Names the next occurrence; a rehearsal refuses what the first entry did not reach. */
export function keyOf(entry: BodyEntry, kind: string, name: string): string {
  const { call, counts, reached, rehearsal } = entry
  const counter = `${kind}:${name}`
  const occurrence = (counts.get(counter) ?? 0) + 1
  counts.set(counter, occurrence)
  const key = `${counter}:${occurrence}`
  if (rehearsal && !rehearsal.reached.has(key)) {
    const reason = `Entered again, the body reached ${stepName(key)}, which it had not reached before. Put what changes between entries into steps.`
    throw new LoomError('LOOM_STEP_DIVERGED', reason, { context: { call: call.id, key } })
  }
  reached.add(key)
  reach(entry, key)
  return key
}

/** The record of a key, where the entry has one. */
export function recordOf({ records, given }: BodyEntry, key: string): StepRecord | undefined {
  const record = records.get(key)
  if (record) given.add(key)
  return record
}

/** What is open under a key. */
export function openStep({ call, work }: BodyEntry, key: string): OpenStep | undefined {
  const { run } = work.outbox.frame
  return ((run && callOf(run, call.id)) ?? call).open.find((step) => step.key === key)
}

/** Suspends the entry when only waits are outstanding. Bodies go on in microtasks, so this is known when the platform is idle again. */
function suspendIfWaiting(entry: BodyEntry): void {
  if (entry.waits === 0) return
  const { clock } = entry.work.definition.ports
  clock.at(clock.now(), () => {
    if (entry.working === 0 && entry.waits > 0 && !entry.dead) entry.suspend()
  })
}

/** Does work during which the entry is not suspended. */
export async function working<T>(entry: BodyEntry, work: () => Promise<T>): Promise<T> {
  if (entry.hasEnded) return never()
  entry.working += 1
  try {
    const value = await work()
    return entry.dead ? await never() : value
  } finally {
    entry.working -= 1
    suspendIfWaiting(entry)
  }
}

/** Waits for what another entry gets: never settles. */
export function waiting(entry: BodyEntry): Promise<never> {
  entry.waits += 1
  suspendIfWaiting(entry)
  return never()
}

/** What a step runs. */
export type StepBody = (step: { readonly key: string; readonly signal: AbortSignal }) => unknown

/** What `ctx.step` is given. */
interface GivenStep {
  readonly run: StepBody
  readonly options: { readonly effect?: EffectClass }
}

const stepShape: Shape = { name: expected.required(expected.text), run: expected.required(expected.function) }

/** `ctx.step` */
export async function step(entry: BodyEntry, name: string, { run, options }: GivenStep): Promise<unknown> {
  if (entry.dead) return never()
  checkOptions('ctx.step', { name, run }, stepShape)
  checkOptions('ctx.step', options, { effect: effectClass })
  const { call, work, job } = entry
  const { outbox, definition } = work
  const { effect = job.tool.effect } = options
  const key = keyOf(entry, 'step', name)
  const record = recordOf(entry, key)
  if (record) return recordedValue(record)
  if (entry.rehearsal || openStep(entry, key)?.question !== undefined) return waiting(entry)
  const isFree = isHarmless(effect)
  if (!isFree) await allReached(entry, suspendIfWaiting)
  return working(entry, async () => {
    const intent: Draft = { type: 'tool.step-started', data: { call: call.id, key, effect } }
    if (isFree ? job.cancellation.isAborted : !(await intend(outbox, intent, job.cancellation))) return never()
    if (!mayEnter(work)) return never()
    const stepKey = definition.ports.hash(`${outbox.frame.incarnation}/${call.id}/${key}`)
    const finished = await perform(() => run({ key: stepKey, signal: signalOf(job.cancellation) }))
    if (!(await recordFacts(outbox, call.id, [{ type: 'tool.step-finished', data: { call: call.id, key, ...finished } }]))) return never()
    entry.given.add(key)
    if (!entry.reenter || entry.working > 1) return recordedValue({ key, ...finished })
    entry.again = true
    entry.suspend()
    return never()
  })
}

/** `ctx.ask` */
export async function ask(entry: BodyEntry, prompt: string, options: AskOptions = {}): Promise<Answer> {
  if (entry.dead) return never()
  checkOptions('ctx.ask', { prompt }, { prompt: expected.required(expected.name) })
  checkOptions('ctx.ask', options, askShape)
  const { call, work } = entry
  const { outbox } = work
  const { name = '', show, schema, expires, approvers } = options
  const key = keyOf(entry, 'ask', name)
  const record = recordOf(entry, key)
  if (record) return recheck(entry, record.value as Answer, { prompt, schema })
  if (!entry.rehearsal && !openStep(entry, key)) {
    const form = {
      ...(show !== undefined && { show: toJson(show) }),
      ...(schema && { schema: jsonSchemaOf(schema, `the question ${name === '' ? prompt : name}`) }),
      ...(expires !== undefined && { expires: now(entry) + expires }),
      ...(approvers !== undefined && { approvers }),
    }
    await allReached(entry, suspendIfWaiting)
    const id = `${call.id}/${key}#${outbox.frame.asked + 1}`
    if (isUnattended(outbox.frame)) return refuseQuestion(entry, key, { id, prompt })
    await working(entry, () =>
      recordFacts(outbox, call.id, [{ type: 'question.asked', data: { id, kind: 'choice', prompt, call: call.id, key, ...form } }]),
    )
  }
  return waiting(entry)
}

/** The JSON Schema of a question cannot say all that a schema checks: the body, which has the schema, checks the answer itself. */
async function recheck(entry: BodyEntry, answer: Answer, { prompt, schema }: { prompt: string; schema: Schema | undefined }): Promise<Answer> {
  if (answer.kind !== 'respond' || !schema) return answer
  const verdict = await working(entry, async () => validate(schema, answer.value))
  if (verdict.kind === 'valid') return answer
  const message = `The answer to "${prompt}" does not fit its schema: ${verdict.problem}. Catch this, and ask again under another name.`
  throw new LoomError('LOOM_ANSWER_INVALID', message, { context: { call: entry.call.id, problem: verdict.problem } })
}

/** Where questions are denied, one is asked and expires at once, so that the journal shows why the body was refused. */
async function refuseQuestion(entry: BodyEntry, key: string, { id, prompt }: { id: string; prompt: string }): Promise<Answer> {
  const { call, work, given } = entry
  const asked: Draft = { type: 'question.asked', data: { id, kind: 'choice', prompt, call: call.id, key, expires: now(entry) } }
  const isDurable = await working(entry, () => recordFacts(work.outbox, call.id, [asked, { type: 'question.expired', data: { id } }]))
  if (!isDurable) return never()
  given.add(key)
  return { kind: 'reject', reason: 'nobody answered in time' }
}

/** `ctx.sleep` */
export async function sleep(entry: BodyEntry, ms: number): Promise<void> {
  if (entry.dead) return never()
  checkOptions('ctx.sleep', { ms }, { ms: expected.required({ ...expected.finite(0), words: 'milliseconds, not negative' }) })
  const { call, work } = entry
  const key = keyOf(entry, 'sleep', '')
  if (recordOf(entry, key)) return
  if (!entry.rehearsal && !openStep(entry, key)) {
    const slept: Draft = { type: 'tool.step-started', data: { call: call.id, key, effect: 'pure', until: now(entry) + ms } }
    await working(entry, () => recordFacts(work.outbox, call.id, [slept]))
  }
  return waiting(entry)
}

/** `ctx.run`: a child is work while it runs and a wait once it waits. */
export async function child(entry: BodyEntry, name: string, run: RunChild): Promise<Json | undefined> {
  if (entry.dead) return never()
  const key = keyOf(entry, 'run', name)
  const record = recordOf(entry, key)
  if (record) return recordedValue(record)
  if (entry.rehearsal) return waiting(entry)
  const existing = openStep(entry, key)?.child
  if (existing === undefined) await allReached(entry, suspendIfWaiting)
  entry.children += 1
  const ended = await working(entry, () => run(key, existing)).finally(() => {
    entry.children -= 1
  })
  if (ended === parked) return waiting(entry)
  entry.given.add(key)
  return recordedValue(ended)
}

const now = ({ work }: BodyEntry): number => work.definition.ports.clock.now()

async function perform(run: () => unknown): Promise<Omit<StepRecord, 'key'>> {
  try {
    return { value: toJson(await run()) }
  } catch (error) {
    return { error: { code: 'LOOM_STEP_FAILED', message: messageOf(error), recoverable: true } }
  }
}

function recordedValue(record: StepRecord): Json | undefined {
  if (record.error) throw new LoomError('LOOM_STEP_FAILED', record.error.message, { context: { key: record.key } })
  return record.value
}
