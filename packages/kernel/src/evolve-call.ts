/**
 * The part of the fold that concerns calls, the questions about them, and their children.
 *
 * K9. A call is settled exactly once; whatever comes for a settled call changes nothing.
 * K10. Of racing answers the first that settles a question takes effect.
 */
import type { Answer, EventOf, EventType, ToolOutcome } from './event.ts'
import type { Call, Frame, OpenStep, Question, Run, StepRecord } from './frame.ts'
import { changeCall, type Fresh, type Handlers } from './fresh.ts'
import { append } from './list.ts'
import { addUsage } from './message.ts'

type CallEvent = Extract<EventType, `tool.${string}` | `question.${string}` | `child.${string}`>

function settle(call: Fresh<Call>, outcome: ToolOutcome): void {
  if (call.state === 'settled') return
  call.state = 'settled'
  call.outcome = outcome
  call.open = []
}

function open(call: Fresh<Call>, step: OpenStep): void {
  call.open = [...call.open.filter((other) => other.key !== step.key), step]
}

/** Moves a key of a durable body from open to recorded, and wakes the body. */
function close(call: Fresh<Call>, key: string, record?: StepRecord): void {
  call.open = call.open.filter((step) => step.key !== key)
  call.woken = true
  if (record) call.done = append(call.done, record)
}

/** What an answer to a question about a whole call makes of the call. */
function answerCall(call: Fresh<Call>, question: Question, answer: Answer): void {
  if (call.state === 'settled') return
  const states = { approve: 'cleared', edit: 'cleared', reject: 'rejected', respond: 'responded' } as const
  call.state = question.kind === 'hook' ? 'proposed' : states[answer.kind]
  call.answer = { answer, kind: question.kind, digest: question.digest }
  if (answer.kind === 'edit') call.input = answer.input
}

/** What an answer to a question inside a durable body makes of the call: an asked value, or the fate of a step in doubt. */
function answerStep(call: Fresh<Call>, question: Question, answer: Answer): void {
  const { key = '', kind } = question
  if (kind === 'choice') return close(call, key, { key, value: { ...answer } as never })
  if (answer.kind === 'respond') return close(call, key, { key, value: answer.value })
  if (answer.kind === 'approve') return close(call, key)
  const reason = (answer.kind === 'reject' && answer.reason) || 'a human rejected it'
  close(call, key, { key, error: { code: 'LOOM_STEP_REJECTED', message: `The step ${key} was not done: ${reason}.`, recoverable: false } })
}

/** What an answer to a question about the run makes of the run. */
function answerRun(frame: Fresh<Frame>, run: Fresh<Run>, settled: { question: Question; answer: Answer }): void {
  const { question, answer } = settled
  const key = question.key as 'tokens' | 'cost'
  if (answer.kind === 'reject') {
    run.stop = { reason: answer.reason ?? question.prompt, kind: question.kind === 'limit' ? 'budget' : 'cancelled' }
  } else if (question.kind === 'parked') frame.takeovers = 0
  else if (question.kind === 'limit') {
    const again = { [key]: (run.limits[key] ?? 0) + (run.request.limits[key] ?? 0) }
    run.limits = { ...run.limits, ...again, ...(answer.kind === 'approve' && answer.limits) }
  }
}

function settleQuestion(frame: Fresh<Frame>, run: Fresh<Run>, settled: { question: Question; answer: Answer }): void {
  const { question, answer } = settled
  const { id, call, key, kind, grant } = question
  const { [id]: _settled, ...questions } = frame.questions
  frame.questions = questions
  frame.answered = append(frame.answered, { id, answer })
  frame.takeovers = 0
  if (kind === 'hook') frame.hookAnswers = { ...frame.hookAnswers, [id.slice(0, id.lastIndexOf('#'))]: answer }
  if (grant && answer.kind === 'approve' && answer.scope) frame.grants = [...frame.grants, grant]
  if (call === undefined && kind !== 'hook') answerRun(frame, run, settled)
  if (call !== undefined) {
    changeCall(frame, run, call, (current) =>
      key === undefined ? answerCall(current, question, answer) : answerStep(current, question, answer),
    )
  }
}

function ask(frame: Fresh<Frame>, run: Fresh<Run>, { data, seq }: EventOf<'question.asked'>): void {
  const { id, call, key, kind } = data
  frame.asked += 1
  frame.questions = { ...frame.questions, [id]: { ...data, seq, votes: [] } }
  if (call === undefined) return
  changeCall(frame, run, call, (current) => {
    if (current.state === 'settled') return
    if (key === undefined) current.state = kind === 'in-doubt' ? 'in-doubt' : 'asking'
    else open(current, { key, epoch: frame.epoch, ...current.open.find((step) => step.key === key), question: id })
  })
}

function answerQuestion(frame: Fresh<Frame>, run: Fresh<Run>, { data }: EventOf<'question.answered'>): void {
  const question = frame.questions[data.id]
  if (!question) return
  const { answer, by = '' } = data
  const votes = by !== '' && question.votes.includes(by) ? question.votes : [...question.votes, by]
  if (answer.kind !== 'approve' || votes.length >= (question.approvers ?? 1)) settleQuestion(frame, run, { question, answer })
  else frame.questions = { ...frame.questions, [data.id]: { ...question, votes } }
}

/** The handlers of every event about calls, questions and children. */
export const callHandlers: Handlers<CallEvent> = {
  'tool.denied': (frame, run, { data }) =>
    changeCall(frame, run, data.call, (call) =>
      settle(call, { status: 'error', output: { type: 'denied', value: data.reason }, errorType: data.errorType }),
    ),
  'tool.started': (frame, run, { data }) =>
    changeCall(frame, run, data.call, (call) => {
      if (call.state === 'settled') return
      call.state = 'running'
      call.epoch = frame.epoch
      call.start = data
      call.woken = undefined
      call.input = data.input ?? call.input
    }),
  'tool.step-started': (frame, run, { data: { call: id, ...step } }) =>
    changeCall(frame, run, id, (call) => open(call, { ...step, epoch: frame.epoch })),
  'tool.step-finished': (frame, run, { data: { call: id, ...record } }) => {
    frame.takeovers = 0
    changeCall(frame, run, id, (call) => {
      // A step that the body itself performed is known to it; only a sleep that is over has to wake it.
      const { woken } = call
      const slept = call.open.some((step) => step.key === record.key && step.until !== undefined)
      close(call, record.key, record)
      if (!slept) call.woken = woken
    })
  },
  'tool.suspended': (frame, run, { data }) =>
    changeCall(frame, run, data.call, (call) => {
      if (call.state !== 'running') return
      call.state = 'suspended'
      call.epoch = frame.epoch
    }),
  'tool.finished': (frame, run, { data: { call: id, ...outcome } }) => changeCall(frame, run, id, (call) => settle(call, outcome)),
  'tool.in-doubt': (frame, run, { data }) =>
    changeCall(frame, run, data.call, (call) => {
      if (data.key === undefined && call.state !== 'settled') call.state = 'in-doubt'
    }),
  'question.asked': ask,
  'question.answered': answerQuestion,
  'question.expired': (frame, run, { data }) => {
    const question = frame.questions[data.id]
    if (question) settleQuestion(frame, run, { question, answer: { kind: 'reject', reason: 'nobody answered in time' } })
  },
  'child.started': (frame, run, { data: { call: id, key, child } }) =>
    changeCall(frame, run, id, (call) => open(call, { key, child, epoch: frame.epoch })),
  'child.finished': (frame, run, { data: { call: id, key, value, error, usage, cost } }) => {
    frame.takeovers = 0
    changeCall(frame, run, id, (call) => close(call, key, { key, ...(value !== undefined && { value }), ...(error && { error }) }))
    if (usage) run.usage = addUsage(run.usage, usage)
    run.cost += cost ?? 0
  },
}
