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
  LoomError,
  type OpenQuestion,
  own,
} from '@loom-agent/kernel'
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

const kinds: readonly unknown[] = ['approve', 'edit', 'reject', 'respond'] satisfies readonly Answer['kind'][]

/** An answer as it enters an event, checked: it comes from a form, a request or a program. It is read once: what is judged is what is stored. */
export function readAnswer(given: SignedAnswer): SignedAnswer {
  try {
    return checked(given)
  } catch (error) {
    throw isLoomError(error) ? error : malformed(`It cannot be read: ${toSentence(messageOf(error))}`)
  }
}

function checked(signed: SignedAnswer): SignedAnswer {
  const { answer, by } = (signed ?? {}) as Partial<SignedAnswer>
  if (typeof answer !== 'object' || answer === null || !kinds.includes(answer.kind))
    throw malformed('It is not an answer. Use approve(), edit(), reject() or respond().')
  if (by !== undefined && typeof by !== 'string') throw malformed('Its `by` must be a text.')
  const signature = by === undefined || comparableName(by) === '' ? undefined : by.toWellFormed()
  if (answer.kind !== 'approve') return { answer: toJson(answer) as Json & Answer, by: signature }
  const { limits, ...rest } = answer
  if (rest.scope !== undefined && rest.scope !== 'thread') throw malformed('Its scope is unknown. Leave it out, or give thread.')
  return { answer: { ...(toJson(rest) as typeof rest), ...(limits !== undefined && { limits: limitsOf(limits) }) }, by: signature }
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
