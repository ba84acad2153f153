/**
 * A durable body: entered again from its first line after an answer, a child's end, a wake-up or a crash.
 *
 * DURABLE-1. Each of step, ask, run, sleep and waitFor has a key (kind, name, occurrence); a recorded key gives its record and does nothing.
 * DURABLE-2. A step that is not pure or read has its intent durable before it runs.
 * DURABLE-3. When only waits are outstanding the entry is dead: nothing that it does afterwards has an effect.
 * DURABLE-4. A recorded key, or one that is open, that an entry no longer reaches is a divergence, and a divergence is always reported.
 * DURABLE-7. A body may go on after its call has its result, by a stop or a time-out: nothing of it is recorded any more, in no later turn and no later run.
 * DURABLE-12. What a stop prevents a body from beginning is one more wait: the entry is dead once nothing of it is at work, and no grace period passes.
 */

import { type Answer, type Draft, type EffectClass, type Failure, type Json, LoomError, type StepRecord } from '@loom-agent/kernel'
import { callUser, ignoreWithin } from '../platform/call-user.ts'
import { signalOf } from '../platform/cancellation.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { never } from '../platform/never.ts'
import { messageOf, toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { type AskOptions, askShape } from '../types/answer.ts'
import { fileFacts, plannedChanges } from '../types/changed-files.ts'
import { effectClass, isHarmless } from '../types/effect-class.ts'
import { jsonSchemaOf, type Schema, validate } from '../types/schema.ts'
import { atWork, type BodyEntry, keyOf, openStep } from './body-entry.ts'
import { intend, isUnattended } from './call-job.ts'
import { parked } from './child-runner.ts'
import { checking, delivered, isRecorded, noteDurable, proceedAtRest, working } from './delivery.ts'
import { allReached } from './divergence.ts'
import { type Guarded, guardStep, type Look, looking } from './guard-result.ts'
import { mayEnter } from './may-enter.ts'
import { recordFacts } from './record-facts.ts'

/** Runs a child, or goes on with the existing one; returns `parked` when the child waits. */
export type RunChild = (key: string, existing: string | undefined) => Promise<StepRecord>

/** What a step runs. */
export type StepBody = (step: { readonly key: string; readonly signal: AbortSignal }) => unknown

/** What `ctx.step` is given. */
export interface GivenStep {
  readonly run: StepBody
  readonly options: { readonly effect?: EffectClass; readonly guarded?: Guarded }
}

/** A step that has begun. */
interface BegunStep {
  readonly name: string
  readonly run: StepBody
  readonly effect: EffectClass
  readonly guarded: Guarded
}

/** What becomes of what a step comes to before it is recorded: who asks the guards, about what of it, and how many characters it may have. */
interface Recording {
  readonly look: Look | undefined
  readonly guarded: Guarded
  readonly limit: number
}

const guardedShape: Expected = { words: 'false or a function', fits: (value) => value === false || typeof value === 'function' }
const stepShape: Shape = { name: expected.required(expected.text), run: expected.required(expected.function) }

/** `ctx.step` */
export async function step(entry: BodyEntry, name: string, { run, options }: GivenStep): Promise<unknown> {
  if (entry.dead) return never()
  ignoreWithin(options)
  checkOptions('ctx.step', { name, run }, stepShape)
  checkOptions('ctx.step', options, { effect: effectClass, guarded: guardedShape })
  const { effect = entry.job.tool.effect, guarded } = options
  const key = keyOf(entry, { kind: 'step', name })
  if (!entry.rehearsal && !isRecorded(entry, key) && openStep(entry, key)?.question === undefined) {
    entry.work.standIns?.checkStep({ name, effect }, entry.job.tool)
    const isFree = isHarmless(effect)
    if (!isFree) await allReached(entry, proceedAtRest)
    const perform = (): Promise<boolean> => performStep(entry, key, { ...{ name, run, effect }, guarded })
    const isDurable = await working(entry, isFree ? perform : () => atWork(entry, key, perform))
    if (!isDurable) return never()
  }
  return recordedValue(await delivered(entry, key), entry.thrown.get(key))
}

const notBegun: Failure = { code: 'LOOM_ABORTED', message: 'The body ended before the step began: it was not run.', recoverable: true }

/** Performs a step and records how it ended; false where nothing more comes of this entry. A step that a stop prevents is waited for (DURABLE-12). */
async function performStep(entry: BodyEntry, key: string, step: BegunStep): Promise<boolean> {
  const { run, effect } = step
  const { call, work, job } = entry
  const { outbox, definition } = work
  if (isHarmless(effect) ? job.cancellation.isAborted : !(await intendStep(entry, { key, effect, run }))) return true
  if (!mayEnter(work)) return false
  const stepKey = definition.ports.hash(`${outbox.frame.incarnation}/${call.id}/${key}`)
  const { finished, thrown } = entry.hasEnded
    ? { finished: { error: notBegun } }
    : await perform(() => run({ key: stepKey, signal: signalOf(job.cancellation) }), {
        ...{ look: lookOf(entry, step), guarded: step.guarded },
        limit: definition.behaviour.stepLimit,
      })
  entry.thrown.set(key, thrown)
  if (!(await recordFacts(entry, [{ type: 'tool.step-finished', data: { call: call.id, key, ...finished } }]))) return false
  noteDurable(entry, key)
  if (!entry.reenter || entry.working > 1) return true
  entry.again = true
  entry.suspend()
  return false
}

/** What asks the guards of the agent about what a step comes to; undefined where it has none. */
function lookOf({ work, job }: BodyEntry, { name }: BegunStep): Look | undefined {
  const isGuarded = work.definition.guards.length > 0
  return isGuarded ? looking(work, { thread: work.outbox.frame.thread, tool: job.tool.name, step: name }) : undefined
}

/** Makes the intent of a step durable, with the files that it says it is about to change. */
async function intendStep(
  { call, work, job }: BodyEntry,
  { key, effect, run }: { key: string; effect: EffectClass; run: StepBody },
): Promise<boolean> {
  const plan = plannedChanges(run)
  const changed = plan && fileFacts(await callUser(plan))
  const intent: Draft = { type: 'tool.step-started', data: { call: call.id, key, effect, ...changed?.facts }, blobs: changed?.blobs }
  return (await intend(work.outbox, () => intent, job.cancellation)) === true
}

/** `ctx.ask` */
export async function ask(entry: BodyEntry, prompt: string, options: AskOptions = {}): Promise<Answer> {
  if (entry.dead) return never()
  checkOptions('ctx.ask', { prompt }, { prompt: expected.required(expected.name) })
  checkOptions('ctx.ask', options, askShape)
  const { name = '', show, schema, expires, approvers } = options
  // What was shown is not looked at again when the body is entered again.
  ignoreWithin(show)
  const key = keyOf(entry, { kind: 'ask', name, about: prompt })
  if (!entry.rehearsal && !isRecorded(entry, key) && !openStep(entry, key)) {
    const form = {
      ...(show !== undefined && { show: toJson(show) }),
      ...(schema && { schema: jsonSchemaOf(schema, `the question ${name === '' ? prompt : name}`) }),
      ...(expires !== undefined && { expires: now(entry) + expires }),
      ...(approvers !== undefined && { approvers }),
    }
    await allReached(entry, proceedAtRest)
    if (!(await working(entry, () => askQuestion(entry, key, { prompt, form })))) return never()
  }
  const { value } = await delivered(entry, key)
  return recheck(entry, value as Answer, { prompt, schema })
}

/** Records the question. Where questions are denied, it expires at once, so that the journal shows why the body was refused. */
async function askQuestion(entry: BodyEntry, key: string, { prompt, form }: { prompt: string; form: object }): Promise<boolean> {
  const { call, work } = entry
  const { outbox } = work
  const isDenied = isUnattended(outbox.frame)
  const id = `${call.id}/${key}#${outbox.frame.asked + 1}`
  const data = { id, kind: 'choice', prompt, call: call.id, key, ...(isDenied ? { expires: now(entry) } : form) } as const
  const asked: readonly Draft[] = [{ type: 'question.asked', data }]
  const facts = isDenied ? [...asked, { type: 'question.expired', data: { id } } as const] : (work.standIns?.withAnswers(asked, call) ?? asked)
  const isDurable = await recordFacts(entry, facts)
  if (isDurable) noteDurable(entry, key)
  return isDurable
}

/** The JSON Schema of a question cannot say all that a schema checks: the body, which has the schema, checks the answer itself. */
async function recheck(entry: BodyEntry, answer: Answer, { prompt, schema }: { prompt: string; schema: Schema | undefined }): Promise<Answer> {
  if (answer.kind !== 'respond' || !schema) return answer
  const verdict = await checking(entry, async () => validate(schema, answer.value))
  if (verdict.kind === 'valid') return answer
  const message = `The answer to "${prompt}" does not fit its schema: ${verdict.problem}. Catch this, and ask again under another name.`
  throw new LoomError('LOOM_ANSWER_INVALID', message, { context: { call: entry.call.id, problem: verdict.problem } })
}

/** `ctx.sleep` */
export async function sleep(entry: BodyEntry, ms: number): Promise<void> {
  if (entry.dead) return never()
  checkOptions('ctx.sleep', { ms }, { ms: expected.required({ ...expected.finite(0), words: 'milliseconds, not negative' }) })
  const { call } = entry
  const key = keyOf(entry, { kind: 'sleep', name: '' })
  if (!entry.rehearsal && !isRecorded(entry, key) && !openStep(entry, key)) {
    const slept: Draft = { type: 'tool.step-started', data: { call: call.id, key, effect: 'pure', until: now(entry) + ms } }
    await working(entry, () => recordFacts(entry, [slept]))
  }
  await delivered(entry, key)
}

/** `ctx.run`: a child is work while it runs and a wait once it waits. */
export async function child(entry: BodyEntry, key: string, run: RunChild): Promise<Json | undefined> {
  if (!entry.rehearsal && !isRecorded(entry, key)) {
    const existing = openStep(entry, key)?.child
    if (existing === undefined) await allReached(entry, proceedAtRest)
    entry.children += 1
    const ended = await working(entry, () => atWork(entry, key, () => run(key, existing))).finally(() => {
      entry.children -= 1
    })
    // What is refused before it is recorded is refused at every entry.
    if (ended !== parked && !noteDurable(entry, key)) return recordedValue(ended)
  }
  return recordedValue(await delivered(entry, key))
}

const now = ({ work }: BodyEntry): number => work.definition.ports.clock.now()

async function perform(run: () => unknown, { look, guarded, limit }: Recording): Promise<{ finished: Omit<StepRecord, 'key'>; thrown?: unknown }> {
  try {
    const value = withinLimit(toJson(await callUser(run)), limit)
    return { finished: { value: look ? withinLimit(toJson(await guardStep(look, value, guarded)), limit) : value } }
  } catch (thrown) {
    const said = new Error(messageOf(thrown))
    const left: unknown = look ? await look(said).catch((withheld: unknown) => withheld) : said
    return { finished: { error: { code: 'LOOM_STEP_FAILED', message: messageOf(left), recoverable: true } }, thrown: left === said ? thrown : left }
  }
}

/** A value that the journal, and every frame from then on, can hold. What a step did is done: its record says so. */
function withinLimit(value: Json, limit: number): Json {
  const { length } = typeof value === 'string' ? value : JSON.stringify(value)
  if (length <= limit) return value
  const advice = 'Store what is long elsewhere and return where it is, or raise behaviour.stepLimit.'
  throw new Error(`The step has run, and what it returned is not kept: it has ${length} characters, and ${limit} are allowed. ${advice}`)
}

function recordedValue(record: StepRecord, cause?: unknown): Json | undefined {
  if (record.error) throw new LoomError('LOOM_STEP_FAILED', record.error.message, { cause, context: { key: record.key } })
  return record.value
}
