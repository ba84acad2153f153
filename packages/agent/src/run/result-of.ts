/** From a frame at rest to the result that people get. */
import { type Frame, type Run, replyText } from '@loom-agent/kernel'
import { openChildren, type Question, questionsOf } from '../human/question.ts'
import type { Residents } from './resident.ts'
import type { Result } from './result.ts'

/** The result of a run that is at rest. */
export async function resultOf(frame: Frame, run: Run, residents: Residents): Promise<Result<unknown>> {
  const { id, status, usage, cost, unpriced } = run
  const text = replyText(frame)
  const questions = status === 'suspended' ? await allQuestions(frame, residents) : []
  const turns = Math.max(0, frame.turn - run.firstTurn + 1)
  const ended = { thread: frame.thread, run: id, text, usage, cost: unpriced > 0 ? undefined : cost, turns, questions }
  if (status === 'finished') return { ...ended, status: 'done', output: run.output === undefined ? text : run.output }
  if (status === 'stopped' && run.end) return { ...ended, status: 'stopped', kind: run.end.kind as 'cancelled', reason: run.end.reason }
  if (status === 'failed' && run.error) return { ...ended, status: 'failed', error: run.error }
  return { ...ended, status: 'waiting', until: run.until }
}

/** The open questions of a thread and of the children it waits for. */
async function allQuestions(frame: Frame, residents: Residents): Promise<readonly Question[]> {
  const own = questionsOf(frame)
  const nested = await Promise.all(
    openChildren(frame).map(async (child) => {
      const resident = await residents.load(child)
      return resident.frame.run ? allQuestions(resident.frame, residents) : []
    }),
  )
  return [...own, ...nested.flat()]
}
