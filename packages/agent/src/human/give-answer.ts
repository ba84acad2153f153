/** Giving an answer: it must fit the question, and it counts once. */
import { canonicalJson, type Draft, type Frame, items, type Json, type JsonObject, LoomError, type Question } from '@loom-agent/kernel'
import { jsonSchema, validate } from '../tool/schema.ts'
import type { SignedAnswer } from './answer.ts'

/** What an answer appends: nothing when it repeats what was answered already. */
export function answerDrafts(frame: Frame, id: string, { answer, by }: SignedAnswer): readonly Draft[] {
  const question = frame.questions[id]
  if (!question) return settledAlready(frame, id, answer as Json)
  if (answer.kind === 'edit' && question.kind !== 'approval')
    throw unfit(question, 'Only the arguments of a call that waits for approval can be edited.')
  if (answer.kind === 'respond' && (question.kind === 'limit' || question.kind === 'parked')) throw unfit(question, 'Approve or reject it.')
  if (answer.kind === 'approve' && by !== undefined && question.votes.includes(by)) return []
  return [{ type: 'question.answered', data: { id, answer, ...(by !== undefined && { by }) } }]
}

const unfit = ({ id, kind }: Question, advice: string): LoomError =>
  new LoomError('LOOM_ANSWER_INVALID', `This answer does not fit the question ${id} (${kind}). ${advice}`, { context: { id, kind } })

function settledAlready(frame: Frame, id: string, answer: Json): readonly Draft[] {
  const settled = [...items(frame.answered)].find((candidate) => candidate.id === id)
  if (!settled) {
    const advice = 'It may belong to a run that has ended; look at result.questions.'
    throw new LoomError('LOOM_QUESTION_NOT_FOUND', `The thread ${frame.thread} has no open question ${id}. ${advice}`, {
      context: { id, thread: frame.thread },
    })
  }
  if (canonicalJson(settled.answer as Json) === canonicalJson(answer)) return []
  const given = settled.answer.kind
  throw new LoomError('LOOM_QUESTION_SETTLED', `The question ${id} was answered already (${given}). The first answer holds.`, {
    context: { id, given },
  })
}

/** Checks a `respond` against the form that the question asked for. */
export async function checkResponse(frame: Frame, id: string, { answer }: SignedAnswer): Promise<void> {
  const question = frame.questions[id]
  if (answer.kind !== 'respond' || question?.schema === undefined) return
  const verdict = await validate(jsonSchema(question.schema as JsonObject), answer.value)
  if (verdict.kind === 'invalid') throw unfit(question, `The value does not fit: ${verdict.problem}.`)
}
