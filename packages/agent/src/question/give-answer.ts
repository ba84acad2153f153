/**
 * Giving an answer: it must fit the question, and it counts once.
 *
 * PERM-11. What several people must approve is settled by that many approvals of different, named people, or by one rejection.
 * LATE-1. An answer that comes too late by the clock of the store is refused when it is appended, in every try: of an answer and the expiry of its
 *     question exactly one takes effect, whatever the clocks of the processes say.
 */
import {
  type Answer,
  canonicalJson,
  type Draft,
  type Frame,
  isLoomError,
  items,
  type Json,
  type JsonObject,
  type Limits,
  LoomError,
  type OpenQuestion,
  own,
} from '@loom-agent/kernel'
import { ignoreWithin } from '../platform/call-user.ts'
import { jsonProblem, longestInput } from '../platform/json-depth.ts'
import { messageOf, toJson, toSentence } from '../platform/normalize.ts'
import type { SignedAnswer } from '../types/answer.ts'
import { toLimits } from '../types/limits.ts'
import { jsonSchema, validate } from '../types/schema.ts'
import { comparableName, hasApproved } from './approver.ts'
import { questionNotFound } from './find-question.ts'
import { grantOf } from './grant.ts'
import { questionIdOf } from './questions.ts'

/** What an answer appends: nothing when it repeats what was answered already. */
export function answerDrafts(frame: Frame, id: string, { answer, by }: SignedAnswer): readonly Draft[] {
  const question = own(frame.questions, id)
  if (!question) return settledAlready(frame, id, answer)
  if (answer.kind === 'edit' && question.kind !== 'approval')
    throw unfit(frame, question, 'Only the arguments of a call that waits for approval can be edited.')
  if (answer.kind === 'respond' && (question.kind === 'limit' || question.kind === 'parked')) throw unfit(frame, question, 'Approve or reject it.')
  if ((question.approvers ?? 1) > 1) checkVote(frame, question, { answer, by })
  if (answer.kind === 'approve' && by !== undefined && hasApproved(question.votes, by)) return []
  const answered: Draft = { type: 'question.answered', data: { id, answer, ...(by !== undefined && { by }) } }
  if (question.kind !== 'limit' || answer.kind !== 'approve' || !frame.run) return [answered]
  const granted = grantOf(frame.run, question, answer)
  if (typeof granted === 'string') throw unfit(frame, question, granted)
  return [answered, ...granted]
}

/** Checks the answer of one of several approvers: an approval counts for that person, a rejection settles the question. */
function checkVote(frame: Frame, question: OpenQuestion, { answer, by }: SignedAnswer): void {
  const several = `${question.approvers} people must approve it`
  if (answer.kind === 'respond') throw unfit(frame, question, `${several}: approve or reject it.`)
  if (answer.kind !== 'approve') return
  if (by === undefined) throw unfit(frame, question, `${several}: say who you are, approve({ by }).`)
  if (answer.scope) throw unfit(frame, question, `${several}, each call for itself: approve it without a scope.`)
}

/** An answer as it enters an event, checked: it comes from a form, a request or a program. It is read once: what is judged is what is stored. */
export function readAnswer(given: SignedAnswer): SignedAnswer {
  try {
    return checked(given)
  } catch (error) {
    ignoreWithin(given)
    throw isLoomError(error) ? error : malformed(`It cannot be read: ${toSentence(messageOf(error))}`)
  }
}

/** The most characters of an answer as JSON (the arguments that it edits are bounded as those of a model are), and of the name of who gives it. */
const [longestAnswer, longestName] = [1_000_000, 500]

function checked(signed: SignedAnswer): SignedAnswer {
  const { answer: said, by } = (signed ?? {}) as Partial<SignedAnswer>
  if (by !== undefined && typeof by !== 'string') throw malformed('Its `by` must be a text.')
  if (by !== undefined && by.length > longestName) throw malformed(`Its \`by\` has ${by.length} characters, and ${longestName} are allowed.`)
  const signature = by === undefined || comparableName(by) === '' ? undefined : by.toWellFormed()
  const answer = answerIn(Object(said) as GivenFields)
  const given = valueIn(answer)
  const problem = jsonProblem(JSON.stringify(given), answer.kind === 'edit' ? longestInput : longestAnswer)
  if (problem !== undefined) throw malformed(`${given === answer ? 'It' : 'What it gives'} ${problem}.`)
  return { answer, by: signature }
}

/** What an answer gives to a tool or to a model, or the answer itself. */
const valueIn = (answer: Answer): unknown => (answer.kind === 'edit' ? answer.input : answer.kind === 'respond' ? answer.value : answer)

/** What an answer may have: nothing is known of it yet. */
type GivenFields = { readonly [Field in 'kind' | 'scope' | 'limits' | 'input' | 'reason' | 'value']?: unknown }

/** A new answer with the fields that its kind has, each read once; another object may say something else at the next look, or when it becomes JSON. */
function answerIn({ kind, scope, limits, input, reason, value }: GivenFields): Answer {
  switch (kind) {
    case 'approve':
      if (scope !== undefined && scope !== 'thread') throw malformed('Its scope is unknown. Leave it out, or give thread.')
      return { kind, ...(scope && { scope }), ...(limits !== undefined && { limits: limitsOf(limits as Limits) }) }
    case 'edit':
      if (input === undefined) throw malformed('An edit needs the `input` that the call is to have.')
      return { kind, input: toJson(input) }
    case 'reject':
      if (reason !== undefined && typeof reason !== 'string') throw malformed('Its `reason` must be a text.')
      return { kind, ...(reason !== undefined && { reason: reason.toWellFormed() }) }
    case 'respond':
      if (value === undefined) throw malformed('A response needs its `value`.')
      return { kind, value: toJson(value) }
    default:
      throw malformed('It is not an answer. Use approve(), edit(), reject() or respond().')
  }
}

const malformed = (problem: string): LoomError =>
  new LoomError('LOOM_ANSWER_INVALID', `This answer cannot be used. ${problem}`, { context: { problem } })

function limitsOf(limits: Parameters<typeof toLimits>[1]): ReturnType<typeof toLimits> {
  try {
    return toLimits('an answer', limits)
  } catch (error) {
    throw malformed(messageOf(error))
  }
}

function unfit(frame: Frame, { id: local, kind }: OpenQuestion, advice: string): LoomError {
  const id = questionIdOf(frame, local)
  const message = `This answer does not fit the question ${id} (${kind}). ${advice}`
  return new LoomError('LOOM_ANSWER_INVALID', message, { context: { id, thread: frame.thread, kind } })
}

function settledAlready(frame: Frame, local: string, answer: Answer): readonly Draft[] {
  const { thread } = frame
  const id = questionIdOf(frame, local)
  const settled = [...items(frame.answered)].find((candidate) => candidate.id === local)
  if (!settled) throw questionNotFound(frame, id)
  if (canonicalJson(settled.answer as Json) === canonicalJson(answer as Json)) return []
  const given = settled.answer.kind
  const message = `The question ${id} of the thread ${thread} was answered already (${given}). The first answer holds.`
  throw new LoomError('LOOM_QUESTION_SETTLED', message, { context: { id, thread, given } })
}

/** Refuses an answer that comes too late, also when no driver has recorded yet that the question has expired (LATE-1). */
export function requireUnexpired(frame: Frame, local: string, now: number): void {
  const { expires } = own(frame.questions, local) ?? {}
  if (expires === undefined || now < expires) return
  const { thread } = frame
  const id = questionIdOf(frame, local)
  const message = `The question ${id} of the thread ${thread} expired at ${new Date(expires).toISOString()} and counts as rejected. Resume the thread.`
  throw new LoomError('LOOM_QUESTION_SETTLED', message, { context: { id, thread, expires } })
}

/** Checks a `respond` against the form that the question asked for. */
export async function checkResponse(frame: Frame, id: string, { answer }: SignedAnswer): Promise<void> {
  const question = own(frame.questions, id)
  if (answer.kind !== 'respond' || question?.schema === undefined) return
  const verdict = await validate(jsonSchema(question.schema as JsonObject), answer.value)
  if (verdict.kind === 'invalid') throw unfit(frame, question, `The value does not fit: ${verdict.problem}.`)
}
