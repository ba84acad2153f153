/**
 * A durable body: entered again from its first line after an answer, a child's end, a wake-up or a crash.
 *
 * DURABLE-1. Each of step, ask, run and sleep has a key (kind, name, occurrence); a recorded key gives its record and does nothing.
 * DURABLE-2. A step that is not pure or read has its intent durable before it runs.
 * DURABLE-3. When only waits are outstanding the entry is dead: nothing it might still do has an effect.
 * DURABLE-4. A recorded key that an entry no longer reaches is a divergence, and divergence is told, never guessed over.
 */
import { type Answer, type Call, type Draft, type EffectClass, items, type Json, LoomError, type OpenStep, type StepRecord } from '@loom-agent/kernel'
import type { AskOptions } from '../human/answer.ts'
import { messageOf, toJson } from '../platform/normalize.ts'
import { jsonSchemaOf } from './schema.ts'

/** What a session needs of the driver it runs under. */
export interface SessionDesk {
  append(drafts: readonly Draft[], how: 'happened' | 'intended'): Promise<boolean>
  /** Makes an intent durable, again and again while visitors are faster; false when nothing new may begin. */
  intend(draft: Draft): Promise<boolean>
  call(): Call | undefined
  asked(): number
  isUnattended(): boolean
  now(): number
  hash(text: string): string
  /** Calls back when the platform has nothing more urgent to do. */
  soon(ring: () => void): void
}

/** The way of an earlier entry: the keys it reached, and those that gave it a value. */
export interface Rehearsal {
  readonly reached: ReadonlySet<string>
  readonly given: ReadonlySet<string>
}

/** How a session is set up. */
export interface SessionOptions {
  readonly call: Call
  readonly effect: EffectClass
  readonly signal: AbortSignal
  readonly desk: SessionDesk
  /** The body is entered only to see whether it takes the same way again. */
  readonly rehearsal?: Rehearsal
  /** Ends the entry after every step, so that the body is entered again. */
  readonly reenter: boolean
}

/** One entry of a durable body. */
export interface Session extends SessionOptions {
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
  /** The body is to be entered again at once. */
  again: boolean
  working: number
  waits: number
  /** Children that are at work. */
  attended: number
}

/** How a child's run is gone on with; answers `parked` when the child waits for somebody. */
export type AttendChild = (key: string, start: { readonly begun: boolean }) => Promise<StepRecord>

/** What an attendant answers when the child waits for somebody. */
export const parked: StepRecord = { key: '' }

/** A promise of its own each time: one that all waited for would remember them all. */
const never = (): Promise<never> => new Promise(() => {})

/** Begins an entry. */
export function createSession(options: SessionOptions): Session {
  const { promise: suspended, resolve: suspend } = Promise.withResolvers<void>()
  const { call, rehearsal } = options
  const known = [...items(call.done)].filter(({ key }) => !rehearsal || rehearsal.given.has(key))
  const records = new Map(known.map((record) => [record.key, record]))
  return {
    ...options,
    records,
    counts: new Map(),
    reached: new Set(),
    given: new Set(),
    suspended,
    suspend,
    dead: false,
    again: false,
    working: 0,
    waits: 0,
    attended: 0,
  }
}

/** Recorded keys that the entry has not reached. */
export function unreached({ records, reached }: Session): readonly string[] {
  return [...records.keys()].filter((key) => !reached.has(key))
}

/** Names the next occurrence; a rehearsal refuses what the first entry did not reach. */
function keyOf(session: Session, kind: string, name: string): string {
  const { call, counts, reached, rehearsal } = session
  const counter = `${kind}:${name}`
  const occurrence = (counts.get(counter) ?? 0) + 1
  counts.set(counter, occurrence)
  const key = `${counter}:${occurrence}`
  if (rehearsal && !rehearsal.reached.has(key)) {
    const reason = `Entered again, the body reached ${key}, which it had not reached before. Put what changes between entries into steps.`
    throw new LoomError('LOOM_STEP_DIVERGED', reason, { context: { call: call.id, key } })
  }
  reached.add(key)
  return key
}

function recordOf({ records, given }: Session, key: string): StepRecord | undefined {
  const record = records.get(key)
  if (record) given.add(key)
  return record
}

const openStep = ({ call, desk }: Session, key: string): OpenStep | undefined => (desk.call() ?? call).open.find((step) => step.key === key)

/** Bodies go on in microtasks after what they awaited; when the platform is idle again the entry stands still. */
function settleDown(session: Session): void {
  if (session.waits === 0) return
  session.desk.soon(() => {
    if (session.working === 0 && session.waits > 0 && !session.dead) session.suspend()
  })
}

async function working<T>(session: Session, work: () => Promise<T>): Promise<T> {
  session.working += 1
  try {
    const value = await work()
    return session.dead ? await never() : value
  } finally {
    session.working -= 1
    settleDown(session)
  }
}

function waiting(session: Session): Promise<never> {
  session.waits += 1
  settleDown(session)
  return never()
}

/** What a step runs. */
export type StepBody = (step: { readonly key: string; readonly signal: AbortSignal }) => unknown

/** `ctx.step` */
export async function step(session: Session, name: string, { run, effect }: { run: StepBody; effect: EffectClass }): Promise<unknown> {
  if (session.dead) return never()
  const { call, desk, signal } = session
  const key = keyOf(session, 'step', name)
  const record = recordOf(session, key)
  if (record) return recordedValue(record)
  if (session.rehearsal || openStep(session, key)?.question !== undefined) return waiting(session)
  return working(session, async () => {
    const isFree = effect === 'pure' || effect === 'read'
    const intent: Draft = { type: 'tool.step-started', data: { call: call.id, key, effect } }
    if (isFree ? signal.aborted : !(await desk.intend(intent))) return never()
    const finished = await perform(() => run({ key: desk.hash(`${call.id}/${key}`), signal }))
    if (!(await desk.append([{ type: 'tool.step-finished', data: { call: call.id, key, ...finished } }], 'happened'))) return never()
    session.given.add(key)
    if (!session.reenter || session.working > 1) return recordedValue({ key, ...finished })
    session.again = true
    session.suspend()
    return never()
  })
}

/** `ctx.ask` */
export async function ask(session: Session, prompt: string, options: AskOptions = {}): Promise<Answer> {
  if (session.dead) return never()
  const { call, desk } = session
  const { name = '', show, schema, expires, approvers } = options
  const key = keyOf(session, 'ask', name)
  const record = recordOf(session, key)
  if (record) return record.value as Answer
  if (!session.rehearsal && !openStep(session, key)) {
    const form = {
      ...(show !== undefined && { show: toJson(show) }),
      ...(schema && { schema: jsonSchemaOf(schema, `the question ${key}`) }),
      ...(expires !== undefined && { expires: desk.now() + expires }),
      ...(approvers !== undefined && { approvers }),
    }
    const id = `${call.id}/${key}#${desk.asked() + 1}`
    if (desk.isUnattended()) return refuseQuestion(session, key, { id, prompt })
    await working(session, () =>
      desk.append([{ type: 'question.asked', data: { id, kind: 'choice', prompt, call: call.id, key, ...form } }], 'happened'),
    )
  }
  return waiting(session)
}

/** Nobody will ever answer: the question is asked and expires at once, so that the journal says why the body got its no. */
async function refuseQuestion(session: Session, key: string, { id, prompt }: { id: string; prompt: string }): Promise<Answer> {
  const { call, desk, given } = session
  const asked: Draft = { type: 'question.asked', data: { id, kind: 'choice', prompt, call: call.id, key, expires: desk.now() } }
  const isDurable = await working(session, () => desk.append([asked, { type: 'question.expired', data: { id } }], 'happened'))
  if (!isDurable) return never()
  given.add(key)
  return { kind: 'reject', reason: 'nobody answered in time' }
}

/** `ctx.sleep` */
export async function sleep(session: Session, ms: number): Promise<void> {
  if (session.dead) return never()
  const { call, desk } = session
  const key = keyOf(session, 'sleep', '')
  if (recordOf(session, key)) return
  if (!session.rehearsal && !openStep(session, key)) {
    const slept: Draft = { type: 'tool.step-started', data: { call: call.id, key, effect: 'pure', until: desk.now() + ms } }
    await working(session, () => desk.append([slept], 'happened'))
  }
  return waiting(session)
}

/** `ctx.run`: a child is work while it runs and a wait once it waits. */
export async function child(session: Session, name: string, attend: AttendChild): Promise<Json | undefined> {
  if (session.dead) return never()
  const key = keyOf(session, 'run', name)
  const record = recordOf(session, key)
  if (record) return recordedValue(record)
  if (session.rehearsal) return waiting(session)
  const begun = openStep(session, key) !== undefined
  session.attended += 1
  const attended = await working(session, () => attend(key, { begun })).finally(() => {
    session.attended -= 1
  })
  if (attended === parked) return waiting(session)
  session.given.add(key)
  return recordedValue(attended)
}

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
