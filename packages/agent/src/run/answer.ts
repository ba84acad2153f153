/** Answering a question with the journal alone. */
import type { Journal } from '@loom-agent/kernel'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { createThreadAccess } from '../thread/thread-access.ts'
import type { SignedAnswer } from '../types/answer.ts'

/**
 * Answers a question. Needs the journal alone. Checks what the journal knows: that the question is open and has not expired, that the answer fits its kind
 * and its JSON Schema, and that approvers are named. What only the agent's code can check, the process that drives the thread checks: edited arguments,
 * refinements of a schema, and whether an approved call is still the one that was asked about. Resolves when the answer is durable; a process that has
 * the agent drives the thread on.
 *
 * @example
 * const [question] = await questions(journal, { thread: 'user-123' })
 * if (question) await answer(journal, question.id, approve({ by: 'ann' }))
 */
export async function answer(journal: Journal, questionId: string, given: SignedAnswer): Promise<void> {
  requireJournal('an answer', journal)
  const { appendAnswer } = await import('./answer-question.ts')
  await appendAnswer(createThreadAccess(journal, completePorts()), { questionId, answer: given })
}
