/**
 * The part of the fold that concerns calls, the questions about them, and their children.
 *
 * EVOLVE-3. A call is settled exactly once; later events about a settled call change nothing.
 * EVOLVE-4. Of racing answers the first that settles a question takes effect.
 * EVOLVE-5. A signal goes to one wait: the first open one of its name whose time has not passed, or the next that starts. Signals of one name are
 *     taken in order. One that a call has taken, and that its body was never entered to read, is for the next wait after the call is settled.
 */
import type { Answer, EventOf, EventType, ToolOutcome } from './event.ts'
import type { Call, Frame, OpenQuestion, OpenStep, Run, StepRecord } from './frame.ts'
import { changeCall, type Folding, type Fresh, type Handlers, pay, without } from './fresh.ts'
import { type Json, own } from './json.ts'
import { append } from './list.ts'
import { openCalls } from './open-calls.ts'
import { leastGrant } from './run-request.ts'
import { addTaint } from './taint.ts'

/** Events that name the call they are about. */
type NamesCall = Extract<EventType, `tool.${string}` | `child.${string}`>
/** A question and the answer that settles it. */
type Settled = { readonly question: OpenQuestion; readonly answer: Answer }

function settle(call: Fresh<Call>, outcome: ToolOutcome): void {
  call.state = 'settled'
  call.outcome = outcome
  call.open = []
}

function open(call: Fresh<Call>, step: OpenStep): void {
  call.open = [...call.open.filter((other) => other.key !== step.key), step]
}

/** Moves a key of a durable body from open to recorded. */
function close(call: Fresh<Call>, key: string, record?: StepRecord): void {
  const about = call.open.find((step) => step.key === key)?.about
  call.open = call.open.filter((step) => step.key !== key)
  if (record) call.done = append(call.done, about === undefined ? record : { ...record, about })
}

/** What an answer to a question about a whole call makes of the call. */
function answerCall(call: Fresh<Call>, { question, answer }: Settled): void {
  const states = { approve: 'cleared', edit: 'cleared', reject: 'rejected', respond: 'responded' } as const
  call.state = question.kind === 'hook' ? 'proposed' : states[answer.kind]
  call.answer = { answer, kind: question.kind, digest: question.digest }
  if (answer.kind === 'edit') call.input = answer.input
}

/** What an answer to a question inside a durable body makes of the call: an answer that the body asked for, or the outcome of a step in doubt. */
function answerStep(call: Fresh<Call>, key: string, { question, answer }: Settled): void {
  call.woken = true
  if (question.kind === 'choice') return close(call, key, { key, value: { ...answer } as never })
  if (answer.kind === 'respond') return close(call, key, { key, value: answer.value })
  if (answer.kind === 'approve') return close(call, key)
  const reason = (answer.kind === 'reject' && answer.reason) || 'a human rejected it'
  close(call, key, { key, error: { code: 'LOOM_STEP_REJECTED', message: `The step ${key} was not done: ${reason}.`, recoverable: false } })
}

/** What an answer to a question about the run makes of the run. */
function answerRun({ run }: Folding, { question, answer }: Settled): void {
  if (answer.kind === 'reject') {
    run.stop = { reason: answer.reason ?? question.prompt, kind: question.kind === 'limit' ? 'budget' : 'cancelled' }
  } else if (question.kind === 'limit') {
    const key = question.key as 'tokens' | 'cost' | 'budget'
    const limit = (key !== 'budget' && run.limits[key]) || 0
    const had =
      key === 'budget' ? (run.ungranted ?? run.limits) : { ...run.limits, [key]: limit + ((run.request.limits[key] ?? limit) || leastGrant) }
    run.limits = { ...had, ...(answer.kind === 'approve' && answer.limits) }
    run.ungranted = undefined
  }
}

function settleQuestion(folding: Folding, settled: Settled): void {
  const { frame } = folding
  const { question, answer } = settled
  const { id, call, key, kind, grant } = question
  frame.questions = without(frame.questions, id)
  frame.answered = append(frame.answered, { id, answer })
  frame.takeovers = 0
  if (kind === 'hook') frame.hookAnswers = { ...frame.hookAnswers, [id.slice(0, id.lastIndexOf('#'))]: answer }
  if (grant && answer.kind === 'approve' && answer.scope) frame.grants = [...frame.grants, grant]
  if (call === undefined) return kind === 'hook' ? undefined : answerRun(folding, settled)
  changeCall(folding, call, (current) => (key === undefined ? answerCall(current, settled) : answerStep(current, key, settled)))
}

/** A wait has its signal: the body gets the value. */
function receive(call: Fresh<Call>, key: string, value: Json): void {
  call.woken = true
  close(call, key, { key, value: { status: 'received', value } })
}

/** Gives a signal to the first open wait of its name, or keeps it for the next one. A wait whose time has passed is ended by a driver, as expired. */
export function signalReceived(frame: Fresh<Frame>, { data, time }: EventOf<'signal.received'>): void {
  const { run } = frame
  for (const { id, open } of run ? openCalls(run) : []) {
    const wait = open.find(({ signal, until = Number.POSITIVE_INFINITY }) => signal === data.name && time < until)
    if (!wait) continue
    return changeCall({ frame, run: run as Run }, id, (call) => {
      if (data.keep) call.unread = [...call.unread, data]
      receive(call, wait.key, data.value)
    })
  }
  frame.signals = [...frame.signals, data]
}

/** What an event that names a call makes of the call, unless it is settled already. */
const ofCall: { readonly [K in NamesCall]: (call: Fresh<Call>, event: EventOf<K>, folding: Folding) => void } = {
  'tool.denied': (call, { data: { reason, errorType } }) => settle(call, { status: 'error', output: { type: 'denied', value: reason }, errorType }),
  'tool.started'(call, { data }, { frame }) {
    call.state = 'running'
    call.epoch = frame.epoch
    call.start = data
    call.woken = false
    call.unread = []
    if (data.input !== undefined) call.input = data.input
  },
  'tool.step-started'(call, { data: { call: _id, files: _files, contents: _contents, ...step }, time }, { frame }) {
    open(call, { ...step, epoch: frame.epoch })
    const signal = time < (step.until ?? Number.POSITIVE_INFINITY) && frame.signals.find(({ name }) => name === step.signal)
    if (!signal) return
    frame.signals = frame.signals.filter((kept) => kept !== signal)
    receive(call, step.key, signal.value)
  },
  'tool.step-finished'(call, { data: { call: _id, ...record } }, { frame }) {
    frame.takeovers = 0
    // A step that the body itself performed is known to it; only a sleep that is over has to wake it.
    call.woken ||= call.open.some((step) => step.key === record.key && step.until !== undefined)
    close(call, record.key, record)
  },
  'tool.suspended'(call, _event, { frame }) {
    if (call.state !== 'running') return
    call.state = 'suspended'
    call.epoch = frame.epoch
  },
  'tool.finished'(call, { data: { call: id, files: _files, contents: _contents, unseen: _unseen, ...outcome } }, { frame }) {
    settle(call, outcome)
    frame.taint = addTaint(frame.taint, outcome.taint, { call: id })
  },
  'tool.in-doubt'(call, { data: { key } }) {
    if (key === undefined) call.state = 'in-doubt'
  },
  'child.started'(call, { data: { key, child, input, hasResolver } }, { frame, run }) {
    run.children += 1
    open(call, { key, child, epoch: frame.epoch, ...(input !== undefined && { about: input }), ...(hasResolver !== undefined && { hasResolver }) })
  },
  'child.finished'(call, { data: { key, child, value, error, taint, usage, cost, calls = 0, children = 0 } }, { frame, run }) {
    run.called += calls
    run.children += children
    frame.takeovers = 0
    frame.taint = addTaint(frame.taint, taint, { thread: child })
    call.woken = true
    close(call, key, { key, ...(value !== undefined && { value }), ...(error && { error }), ...(taint && { taint }) })
    pay(run, usage, cost)
  },
}

function foldCall(folding: Folding, event: EventOf<NamesCall>): void {
  changeCall(folding, event.data.call, (call) => ofCall[event.type](call, event as never, folding))
}

/** The handlers of events that name a call. */
export const callHandlers = Object.fromEntries(Object.keys(ofCall).map((type) => [type, foldCall])) as Handlers<NamesCall>

/** The handlers of events about questions. */
export const questionHandlers: Handlers<`question.${'asked' | 'answered' | 'expired'}`> = {
  'question.asked'(folding, { data, seq }) {
    const { frame } = folding
    const { id, call, key, kind, prompt } = data
    frame.asked += 1
    frame.questions = { ...frame.questions, [id]: { ...data, seq, votes: [] } }
    if (call === undefined) return
    changeCall(folding, call, (current) => {
      if (key === undefined) current.state = kind === 'in-doubt' ? 'in-doubt' : 'asking'
      else if (kind === 'choice') open(current, { key, epoch: frame.epoch, question: id, about: prompt })
      else open(current, { key, epoch: frame.epoch, ...current.open.find((step) => step.key === key), question: id })
    })
  },
  'question.answered'(folding, { data: { id, answer, by = '' } }) {
    const question = own(folding.frame.questions, id)
    if (!question) return
    const votes = question.votes.includes(by) ? question.votes : [...question.votes, by]
    if (answer.kind !== 'approve' || votes.length >= (question.approvers ?? 1)) settleQuestion(folding, { question, answer })
    else folding.frame.questions = { ...folding.frame.questions, [id]: { ...question, votes } }
  },
  'question.expired'(folding, { data }) {
    const question = own(folding.frame.questions, data.id)
    if (question) settleQuestion(folding, { question, answer: { kind: 'reject', reason: 'nobody answered in time' } })
  },
}
