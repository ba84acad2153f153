/** Finding the question that an answer is for. */
import { type Frame, isLoomError, LoomError } from '@loom-agent/kernel'
import { shown, toJson, toSentence } from '../platform/normalize.ts'
import { openChildren } from './open-children.ts'
import { questionIdOf, questionsOf, suffixOf } from './questions.ts'

/** The thread of a question. */
export function threadOfQuestion(id: string): string {
  const cut = typeof id === 'string' ? id.indexOf('#') : -1
  if (cut > 0 && cut < id.length - 1) return id.slice(0, cut)
  throw new LoomError('LOOM_QUESTION_NOT_FOUND', `${shown(id)} is not the id of a question. Take it from result.questions.`, {
    context: { id: toJson(id) },
  })
}

/** The error for an id whose thread is not there: `question.asked` has the id of a question inside its thread, and that is easily taken for the whole. */
export function withoutThread(error: unknown, id: string): unknown {
  if (!isLoomError(error) || error.code !== 'LOOM_THREAD_NOT_FOUND' || id.includes('@')) return error
  const message = `${toSentence(error.message)} ${shown(id)} is not the whole id of a question: take it from result.questions, or from questions(journal).`
  return new LoomError('LOOM_QUESTION_NOT_FOUND', message, { cause: error, context: { ...error.context, id } })
}

/** The id of a question inside its thread. A question of another incarnation is not one of this thread. */
export function localQuestionId(frame: Frame, id: string): string {
  const local = id.slice(frame.thread.length + 1, id.length - suffixOf(frame).length)
  if (questionIdOf(frame, local) === id) return local
  throw questionNotFound(frame, id)
}

/** The ids of the open questions of a thread. */
export const openIn = (frame: Frame): readonly string[] => questionsOf(frame).map(({ id }) => id)

/** The error for a question that a thread does not have; it lists those that are open. */
export function questionNotFound(frame: Frame, id: string, open: readonly string[] = openIn(frame)): LoomError {
  const { thread } = frame
  const none = openChildren(frame).length > 0 ? 'its children may have some' : 'the run that asked may have ended, or the thread was removed'
  const advice = open.length > 0 ? `Open are: ${open.join(', ')}.` : `It has none open: ${none}.`
  return new LoomError('LOOM_QUESTION_NOT_FOUND', `The thread ${thread} has no open question ${id}. ${advice}`, { context: { id, thread, open } })
}
