/** The open questions of a journal: an inbox. */
import type { Journal } from '@loom-agent/kernel'
import type { Question } from '../types/question.ts'

/** Whose questions are wanted; default: all. */
export interface QuestionQuery {
  /** Those of this thread and of its children. */
  readonly thread?: string | undefined
  /** Those of the threads of this agent and of their children. */
  readonly agent?: string | undefined
}

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
