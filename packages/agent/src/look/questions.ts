/** The open questions of a journal: an inbox. */
import type { Journal } from '@loom-agent/kernel'
import type { Question } from '../types/question.ts'
import type { QuestionQuery } from './read-questions.ts'

/**
 * The questions that are open, of a thread, of an agent's threads or of all, with those of children. Needs the journal alone. All threads are listed, and
 * those that run, wait or have failed are read one after another. A question that has expired is listed until a driver has recorded that.
 *
 * @example
 * for (const { id, prompt } of await questions(journal, { agent: 'clerk' })) console.log(id, prompt)
 */
export async function questions(journal: Journal, query: QuestionQuery = {}): Promise<readonly Question[]> {
  const { readQuestions } = await import('./read-questions.ts')
  return readQuestions(journal, query)
}
