/**
 * What a record has after a moment: the runs, what each of them was given, and how each of them ended.
 *
 * A fork that is driven on from that moment is given the same, in the same order.
 */
import {
  type Answer,
  canonicalJson,
  type EventOf,
  emptyFrame,
  evolve,
  type ForkEffects,
  type Frame,
  type Journal,
  type JsonObject,
  type Limits,
  type LoomEvent,
  type Message,
  type RunRequest,
  type Taint,
} from '@loom-agent/kernel'
import { recordOf } from '../look/record-of.ts'
import type { RunLayer } from '../permission/policy.ts'
import { questionsOf } from '../question/questions.ts'
import { replyText } from '../run/result-of.ts'
import { type InputTaint, saidOf } from '../types/input-taint.ts'
import { knownCost } from '../types/known-cost.ts'
import type { Moment } from '../types/moment.ts'
import type { Question } from '../types/question.ts'
import { textOf } from '../types/text-of.ts'
import type { RunOutcome } from './replay-outcome.ts'

/** One run of a record. */
export interface RecordedRun {
  /** What it was given; undefined for the run that was under way at the moment. */
  readonly input: readonly Message[] | undefined
  /** Its limits, with those that were raised. */
  readonly limits: Limits
  readonly metadata: JsonObject | undefined
  /** What it was allowed less than its agent. */
  readonly permissions: RunLayer | undefined
  /** Whether its input is pinned. */
  readonly pin: true | undefined
  /** What was read before its input was written. */
  readonly taint: Taint | undefined
  /** Messages that it was given while it was under way. */
  readonly steered: readonly SteeredMessage[]
  readonly outcome: RunOutcome
}

/** A message that a run was given while it was under way. */
export interface SteeredMessage {
  readonly message: Message
  readonly pin?: true
  readonly taint?: Taint
}

/** A signal that a thread was sent. */
export interface RecordedSignal {
  readonly name: string
  readonly value: unknown
  /** What it holds, in words. */
  readonly taint: InputTaint | undefined
}

/** What others gave to a thread after a moment. */
export interface RecordedLife {
  readonly runs: readonly RecordedRun[]
  readonly signals: readonly RecordedSignal[]
  /** The answers to questions, those of children included, by what was asked; each list is in order. */
  readonly answers: ReadonlyMap<string, readonly RecordedAnswer[]>
}

/** An answer, and its authors: more than one where several had to approve. */
export interface RecordedAnswer {
  readonly answer: Answer
  readonly by: readonly (string | undefined)[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type OpenRun = Mutable<Omit<RecordedRun, 'steered' | 'outcome'>> & { readonly steered: SteeredMessage[] }

/**
 * Reads what a thread was given after a moment, with what its children were answered. A fork whose effects are `recorded` takes the answers of the
 * thread itself (REPLAY-5): they are left out.
 */
export async function recordedAfter(journal: Journal, { thread, seq: cut }: Moment, effects: ForkEffects): Promise<RecordedLife> {
  const runs: RecordedRun[] = []
  const signals: RecordedSignal[] = []
  const answers = new Map<string, RecordedAnswer[]>()
  const children: string[] = []
  let frame = emptyFrame(thread)
  let open: OpenRun | undefined
  const close = (ended: Frame): void => {
    if (open) runs.push({ ...open, outcome: outcomeOf(ended, open.input) })
  }
  for await (const event of recordOf(journal, thread)) {
    const before = frame
    frame = evolve(frame, event)
    if (event.seq === cut && frame.run) open = openRun(frame.run.request, { limits: frame.run.limits })
    if (event.seq <= cut) continue
    if (event.type === 'run.started') {
      close(before)
      const { run } = frame
      open = run && openRun(run.request, { input: run.request.input })
    }
    if (event.type === 'message.steered') open?.steered.push(steeredIn(event.data))
    if (event.type === 'limit.raised' && open) open.limits = { ...open.limits, ...event.data.limits }
    if (event.type === 'signal.received') signals.push(signalIn(event.data))
    if (event.type === 'child.started') children.push(event.data.child)
    if (effects !== 'recorded' || event.type !== 'question.answered') noteAnswer(answers, { before, after: frame, event })
  }
  close(frame)
  for (const child of children) await addAnswersOf(journal, child, answers)
  return { runs, signals, answers }
}

function openRun(request: RunRequest, { limits = request.limits, input }: { limits?: Limits; input?: readonly Message[] }): OpenRun {
  const { metadata, pin, taint } = request
  return { input, limits, metadata, permissions: request.permissions as RunLayer | undefined, pin, taint, steered: [] }
}

const signalIn = ({ name, value, taint }: EventOf<'signal.received'>['data']): RecordedSignal => ({ name, value, taint: taint && saidOf(taint) })

const steeredIn = ({ message, pin, taint }: EventOf<'message.steered'>['data']): SteeredMessage => ({
  message,
  ...(pin && { pin }),
  ...(taint && { taint }),
})

/** A child of the record may be gone: what it was answered is not known then. */
async function addAnswersOf(journal: Journal, thread: string, answers: Map<string, RecordedAnswer[]>): Promise<void> {
  if (!(await journal.head(thread))?.seq) return
  let frame = emptyFrame(thread)
  for await (const event of recordOf(journal, thread)) {
    const before = frame
    frame = evolve(frame, event)
    noteAnswer(answers, { before, after: frame, event })
    if (event.type === 'child.started') await addAnswersOf(journal, event.data.child, answers)
  }
}

interface Folded {
  readonly before: Frame
  readonly after: Frame
  readonly event: LoomEvent
}

/** Notes the answer that an event settles a question with. */
function noteAnswer(answers: Map<string, RecordedAnswer[]>, { before, after, event }: Folded): void {
  if (event.type !== 'question.answered' && event.type !== 'question.expired') return
  const { id } = event.data
  const open = before.questions[id]
  if (!open || after.questions[id]) return
  const asked = questionsOf({ ...before, questions: { [id]: open } })[0] as Question
  const answer: Answer = event.type === 'question.answered' ? event.data.answer : { kind: 'reject', reason: 'nobody answered in time' }
  const by = event.type === 'question.answered' ? [...open.votes.map((vote) => vote || undefined), event.data.by] : [undefined]
  const key = keyOf(asked)
  answers.set(key, [...(answers.get(key) ?? []), { answer, by }])
}

/**
 * What makes two questions the same for those who answer: their kind, the tool and its arguments, and of a question that code asks, its words. A fork that
 * takes answers by itself also compares places and schemas (`questionKey` in call/parent-record.ts): it answers where nobody looks.
 */
export function keyOf({ kind, call, prompt }: Question): string {
  const words = kind === 'choice' || kind === 'hook' ? prompt : ''
  return JSON.stringify([kind, words, call ? [call.tool, canonicalJson(call.input)] : undefined])
}

const statuses = { active: 'running', suspended: 'waiting', finished: 'done', failed: 'failed', stopped: 'stopped' } as const

/** How the run of a frame has ended, or how far it is. */
function outcomeOf(frame: Frame, input: readonly Message[] | undefined): RunOutcome {
  const run = frame.run as NonNullable<Frame['run']>
  const text = replyText(frame)
  return {
    run: run.id,
    input: input && inputText(input),
    status: statuses[run.status],
    text,
    output: run.status === 'finished' ? (run.output ?? text) : undefined,
    turns: Math.max(0, frame.turn - run.firstTurn + 1),
    tokens: run.usage.input + run.usage.output,
    cost: knownCost(run),
  }
}

/** The words of an input. */
export const inputText = (input: readonly Message[]): string =>
  input.map((message) => (message.role === 'tool' ? '' : textOf(message.parts))).join('\n')
