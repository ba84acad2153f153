/** Passing a question to the resolver of this process. */
import { type Failure, isLoomError, LoomError } from '@loom-agent/kernel'
import type { Resolver } from '../definition/agent-options.ts'
import { failureOf } from '../platform/failure-of.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { Question } from '../types/question.ts'

/** Whether the resolver has answered, and why it could not. */
interface Asked {
  readonly isAnswered: boolean
  readonly error?: Failure
}

/** Asks the resolver. A resolver that throws, or returns what is no answer, leaves the question open: it is the caller's code, not the run, that failed. */
export async function askResolver({ runtime }: AgentInstance, resolver: Resolver, question: Question): Promise<Asked> {
  const advice = 'The question stays open: answer it, or fix onQuestion and resume the thread.'
  let answer: Awaited<ReturnType<Resolver>>
  try {
    answer = await resolver(question)
  } catch (cause) {
    const message = `onQuestion threw for ${question.id}: ${toSentence(messageOf(cause))} ${advice}`
    return { isAnswered: false, error: failureOf(new LoomError('LOOM_HOOK_FAILED', message, { context: { question: question.id } })) }
  }
  if (answer === undefined) return { isAnswered: false }
  try {
    const { appendAnswer } = await import('./answer-question.ts')
    await appendAnswer(runtime, { questionId: question.id, answer })
    return { isAnswered: true }
  } catch (error) {
    if (!isLoomError(error) || !/^LOOM_(?:ANSWER|QUESTION)_/.test(error.code)) throw error
    return { isAnswered: false, error: { ...failureOf(error), message: `onQuestion: ${toSentence(error.message)} ${advice}` } }
  }
}
