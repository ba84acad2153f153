/** Rules about questions: each is asked once, answered while it is open, and obeyed. */
import type { Answer, EventOf } from '@loom-agent/kernel'
import { named } from './check-calls.ts'
import { checkRecorded } from './check-forks.ts'
import { keep } from './check-steps.ts'
import { blame, type CallNote, isEarly, type Ledger, type QuestionNote, type RunChecks, type RunNote } from './ledger.ts'

type QuestionEvent = `question.${'asked' | 'answered' | 'expired'}`

/** Events about questions. */
export const questionChecks: RunChecks<QuestionEvent> = {
  'question.asked': ask,
  'question.answered': (ledger, run, { data: { id, answer, by = '', recorded } }) => {
    checkRecorded(ledger, recorded)
    const question = ledger.questions.get(id)
    if (!question) return blame(ledger, 'HIST-29', `The question ${id} is answered, and it is not open.`)
    const { kind, approvers = 1 } = question.asked
    const fits = !(answer.kind === 'edit' && kind !== 'approval') && !(answer.kind === 'respond' && (kind === 'limit' || kind === 'parked'))
    if (!fits) blame(ledger, 'HIST-29', `The question ${id} (${kind}) is answered with ${answer.kind}.`)
    if (!question.votes.includes(by)) question.votes.push(by)
    if (answer.kind !== 'approve' || question.votes.length >= approvers) obey(ledger, run, { question, answer })
  },
  'question.expired': (ledger, run, { data: { id }, time }) => {
    const question = ledger.questions.get(id)
    if (!question) return blame(ledger, 'HIST-29', `The question ${id} expires, and it is not open.`)
    const { expires } = question.asked
    if (expires === undefined) blame(ledger, 'HIST-30', `The question ${id} expires, and it has no expiry.`)
    else if (isEarly(ledger, time, expires)) blame(ledger, 'HIST-30', `The question ${id} expires at ${time}, and its time is ${expires}.`)
    obey(ledger, run, { question, answer: { kind: 'reject' } })
  },
}

function ask(ledger: Ledger, run: RunNote, { data }: EventOf<'question.asked'>): void {
  const { id, kind, call: callId, key } = data
  if (ledger.asked.has(id)) blame(ledger, 'HIST-28', `The question ${id} is asked a second time.`)
  ledger.asked.add(id)
  ledger.questions.set(id, { asked: data, votes: [] })
  if (callId === undefined) return
  const call = named(ledger, run, callId)
  if (!call) return
  // A hook may look at a result and ask about it.
  if (call.settled && kind !== 'hook') blame(ledger, 'HIST-28', `The question ${id} is about ${callId}, which has its result.`)
  if (kind === 'in-doubt' && !isDoubtful(call, key)) blame(ledger, 'HIST-24', `The question ${id} is about a doubt that no event has recorded.`)
  if (key === undefined) {
    if (call.standing !== 'doubtful') call.standing = 'asking'
    return
  }
  if (kind !== 'choice') return
  if (call.recorded.has(key) || call.open.has(key)) blame(ledger, 'HIST-26', `The key ${key} of ${callId} is asked for again.`)
  call.open.set(key, { epoch: ledger.epoch })
}

const isDoubtful = (call: CallNote, key: string | undefined): boolean =>
  key === undefined ? call.standing === 'doubtful' : call.open.get(key)?.doubtful === true

interface Settled {
  readonly question: QuestionNote
  readonly answer: Answer
}

/** What must follow from an answer. */
function obey(ledger: Ledger, run: RunNote, { question, answer }: Settled): void {
  const { id, kind, call: callId, key } = question.asked
  ledger.questions.delete(id)
  if (callId === undefined) return obeyOfRun(ledger, run, { question, answer })
  const call = run.calls.find((candidate) => candidate.id === callId)
  if (!call) return
  if (key === undefined) {
    const standings = { approve: 'free', edit: 'free', reject: 'refused', respond: 'responded' } as const
    call.standing = kind === 'hook' ? 'free' : standings[answer.kind]
  } else if (kind === 'choice' || answer.kind !== 'approve') keep(ledger, call, key)
  else {
    call.open.delete(key)
    call.moved = true
  }
}

function obeyOfRun(ledger: Ledger, run: RunNote, { question, answer }: Settled): void {
  const { kind } = question.asked
  if (kind !== 'limit' && kind !== 'parked') return
  if (answer.kind === 'reject') run.stop ??= { epoch: ledger.epoch }
  if (answer.kind === 'approve') run.limits = { ...run.limits, ...answer.limits }
}
