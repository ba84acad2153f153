/**
 * What the parent of a fork recorded after the cut: the outcomes of calls, and the answers that people gave.
 *
 * STANDIN-1. Each entry of the record is used once. Which ones are used follows from the facts of the fork, so that another driver of the fork goes on
 *     where the last one stopped, and what was taken and then dropped is given again, in the order of the record.
 * STANDIN-2. A call takes its outcome from the record, and the arguments that counted, without looking at the other calls of its reply.
 * STANDIN-3. An approval lets nothing run that the rules of the fork ask about: it is bound to the rules under which it was given. A rejection and a given
 *     result need no such bond, because nothing runs.
 */
import {
  type Answer,
  type Blobs,
  type Call,
  callOf,
  canonicalJson,
  emptyFrame,
  evolve,
  type Frame,
  type Json,
  type LoomEvent,
  own,
  type QuestionData,
  type Seq,
  type ToolOutcome,
} from '@loom-agent/kernel'
import { type Moment, nameMoment } from '../types/moment.ts'

/** An answer, and the person who gave it. */
type Vote = Readonly<{ answer: Answer; by?: string }>

/** The answers that settled a question: one, or those of several approvers. */
export interface SettlingAnswers {
  /** The call that the question was about. */
  readonly call: string | undefined
  readonly votes: readonly Vote[]
  /** What it was bound to. */
  readonly digest: string | undefined
}

/** How a call ended, and the arguments that counted where they are not those that the model proposed: a human or a hook has changed them. */
export interface RecordedCall {
  readonly outcome: ToolOutcome
  readonly input: Json | undefined
  /** What the outcome refers to. */
  readonly blobs: Blobs | undefined
}

/** Something that the parent recorded, and where. */
interface Recorded<T> {
  readonly seq: Seq
  readonly at: string
  readonly value: T
}

/** Entries of one kind by what they are about, in the order of the record. */
type Entries<T> = Map<string, Recorded<T>[]>

/** What of a parent's record a fork has not used. */
export interface ParentRecord {
  readonly outcomes: Entries<RecordedCall>
  readonly answers: Entries<SettlingAnswers>
  /** For each entry that was taken, by its moment, what makes it available again. */
  readonly taken: Map<string, () => void>
}

/** The moments of the parent that the own events of a fork name: what it has used. */
export function usedBy(event: LoomEvent): unknown {
  if (event.type === 'tool.finished') return event.data.meta?.['recorded']
  return event.type === 'question.answered' ? event.data.recorded : undefined
}

/** Where the parent was cut, and what the fork has used of its record. */
export interface RecordRange {
  readonly parent: Moment
  readonly used: ReadonlySet<unknown>
}

/** Collects the record of a parent: `add` takes all its events in order, also those before the cut. */
export function createParentRecord({ parent, used }: RecordRange): { record: ParentRecord; add: (event: LoomEvent, blobs?: Blobs) => void } {
  const record: ParentRecord = { outcomes: new Map(), answers: new Map(), taken: new Map() }
  const votes = new Map<string, readonly Vote[]>()
  const keysAbout = new Map<string, string[]>()
  const drop = (call: string): void => {
    for (const key of keysAbout.get(call) ?? [])
      record.answers.set(
        key,
        (record.answers.get(key) ?? []).filter(({ value }) => value.call !== call),
      )
    keysAbout.delete(call)
  }
  let frame = emptyFrame(parent.thread)
  const add = (event: LoomEvent, blobs?: Blobs): void => {
    const before = frame
    frame = evolve(frame, event)
    const { seq } = event
    const at = nameMoment({ thread: parent.thread, seq })
    const isNew = seq > parent.seq && !used.has(at)
    const call = outcomeIn(frame, event)
    // What was decided about a call is part of its outcome.
    if (call) drop(call.id)
    if (call?.outcome && isNew) insert(record.outcomes, callKey(call), { seq, at, value: recordedCall(call, { outcome: call.outcome, at, blobs }) })
    if (event.type !== 'question.answered') return
    const { id, answer, by } = event.data
    const question = own(before.questions, id)
    if (!question) return
    votes.set(id, [...(votes.get(id) ?? []), { answer, ...(by !== undefined && { by }) }])
    const key = own(frame.questions, id) ? undefined : questionKey(question, question.call === undefined ? undefined : callIn(before, question.call))
    if (!isNew || key === undefined) return
    const { call: about, digest } = question
    insert(record.answers, key, { seq, at, value: { call: about, votes: votes.get(id) ?? [], digest } })
    if (about !== undefined) keysAbout.set(about, [...(keysAbout.get(about) ?? []), key])
  }
  return { record, add }
}

function recordedCall({ input, part }: Call, { outcome, at, blobs }: { outcome: ToolOutcome; at: string; blobs: Blobs | undefined }): RecordedCall {
  const isChanged = canonicalJson(input) !== canonicalJson(part.input)
  return { outcome: { ...outcome, meta: { ...outcome.meta, recorded: at } }, input: isChanged ? input : undefined, blobs }
}

/** The call that an event gives an outcome worth reusing. A call that was cancelled with its run has none. */
function outcomeIn(frame: Frame, event: LoomEvent): Call | undefined {
  const isOutcome =
    (event.type === 'tool.finished' && event.data.errorType !== 'cancelled') || (event.type === 'tool.denied' && event.data.errorType === 'rejected')
  return isOutcome ? callIn(frame, event.data.call) : undefined
}

const callIn = ({ run }: Frame, id: string): Call | undefined => run && callOf(run, id)

/** A call is known by the arguments that the model proposed, so that what a human edited or rejected is found again. */
const callKey = ({ part: { name, input } }: Call): string => `${name} ${canonicalJson(input)}`

/** What makes two questions the same; undefined for questions about what has become of one run, such as a limit or a lost call. */
function questionKey({ id, kind, key = '', prompt, schema = null }: QuestionData, call: Call | undefined): string | undefined {
  if (kind === 'hook') return JSON.stringify([kind, id.slice(0, id.lastIndexOf('#')), prompt])
  if (!call) return undefined
  if (kind === 'approval') return JSON.stringify([kind, callKey(call)])
  return kind === 'choice' ? JSON.stringify([kind, callKey(call), key, prompt, canonicalJson(schema)]) : undefined
}

function insert<T>(entries: Entries<T>, key: string, entry: Recorded<T>): void {
  const known = entries.get(key)
  if (!known) return void entries.set(key, [entry])
  known.push(entry)
  known.sort((one, other) => one.seq - other.seq)
}

/** Takes the first entry about a key that fits. */
function take<T>(entries: Entries<T>, key: string, { taken, fits }: { taken: ParentRecord['taken']; fits: (value: T) => boolean }) {
  const known = entries.get(key) ?? []
  const index = known.findIndex(({ value }) => fits(value))
  const entry = known[index]
  if (!entry) return undefined
  known.splice(index, 1)
  taken.set(entry.at, () => insert(entries, key, entry))
  return entry
}

/** Takes the outcome of the same call from the record. */
export function takeOutcome({ outcomes, taken }: ParentRecord, call: Call): RecordedCall | undefined {
  return take(outcomes, callKey(call), { taken, fits: () => true })?.value
}

/** Takes the answers to the same question from the record (STANDIN-3). */
export function takeAnswers({ answers, taken }: ParentRecord, question: QuestionData, call: Call | undefined): Recorded<SettlingAnswers> | undefined {
  const key = questionKey(question, call)
  if (key === undefined) return undefined
  const fits = ({ votes, digest }: SettlingAnswers): boolean => {
    const last = votes.at(-1)?.answer.kind
    return question.kind !== 'approval' || last === 'reject' || last === 'respond' || digest === question.digest
  }
  return take(answers, key, { taken, fits })
}

/** Makes available again what was taken at a moment of the parent. */
export function putBack({ taken }: ParentRecord, at: unknown): void {
  if (typeof at !== 'string') return
  taken.get(at)?.()
  taken.delete(at)
}
