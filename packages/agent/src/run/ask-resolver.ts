/**
 * Passing a question to the resolver of this process.
 *
 * RESOLVE-1. A question is passed to one resolver at a time, however many handles of this process are on its thread: the others wait for what comes of it,
 *     and another resolver is asked only when the question is open afterwards.
 */
import { type Failure, isLoomError, type Journal, LoomError } from '@loom-agent/kernel'
import type { Resolver } from '../definition/agent-options.ts'
import { failureOf } from '../platform/failure-of.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import { loadRedaction } from '../platform/redaction.ts'
import { questionsOf } from '../question/questions.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { AskedResolver, Runtime } from '../thread/runtime.ts'
import type { Question } from '../types/question.ts'
import { isRepeated } from './repeated-answer.ts'

/** Whether the resolver has answered, and why it could not. */
interface Asked {
  readonly isAnswered: boolean
  readonly error?: Failure
}

/** A question that a resolver is thinking about. */
interface Asking {
  readonly resolver: Resolver
  readonly outcome: Promise<Asked>
}

/** What is being asked in this process, by question. Agents that are made one by one share it when they share the journal. */
const askingIn = new WeakMap<Journal, Map<string, Asking>>()

/** Asks one resolver after the other, until the question is settled. Returns whether one has answered. */
export async function askInTurn(instance: AgentInstance, resolvers: readonly AskedResolver[], question: Question): Promise<boolean> {
  let isAnswered = false
  for (const [index, asked] of resolvers.entries()) {
    if (index > 0 && !(await isOpen(instance.runtime, question))) break
    const outcome = await askResolver(instance, asked.resolver, question)
    asked.unanswered = outcome.error
    isAnswered ||= outcome.isAnswered
  }
  return isAnswered
}

/** Asks the resolver, unless one is asked already. */
async function askResolver({ runtime }: AgentInstance, resolver: Resolver, question: Question): Promise<Asked> {
  const asking = askingIn.get(runtime.journal) ?? new Map<string, Asking>()
  askingIn.set(runtime.journal, asking)
  for (let other = asking.get(question.id); other; other = asking.get(question.id)) {
    const outcome = await other.outcome
    if (other.resolver === resolver) return outcome
    if (!(await isOpen(runtime, question))) return { isAnswered: false }
  }
  const outcome = ask(runtime, resolver, question)
  asking.set(question.id, { resolver, outcome })
  try {
    return await outcome
  } finally {
    asking.delete(question.id)
  }
}

async function isOpen({ threads }: Runtime, { id, thread }: Question): Promise<boolean> {
  const { frame } = await threads.load(thread)
  return questionsOf(frame).some((question) => question.id === id)
}

/** A resolver that throws, or returns what is no answer, leaves the question open: it is the caller's code, not the run, that failed. */
async function ask(runtime: Runtime, resolver: Resolver, question: Question): Promise<Asked> {
  const advice = 'The question stays open: answer it, or fix onQuestion and resume the thread.'
  let answer: Awaited<ReturnType<Resolver>>
  try {
    answer = await resolver(question)
  } catch (cause) {
    await loadRedaction()
    const message = `onQuestion threw for ${question.id}: ${toSentence(messageOf(cause))} ${advice}`
    return { isAnswered: false, error: failureOf(new LoomError('LOOM_HOOK_FAILED', message, { context: { question: question.id } })) }
  }
  if (answer === undefined) return { isAnswered: false }
  try {
    const { appendAnswer } = await import('./answer-question.ts')
    if (await isRepeated(runtime, question, answer?.answer)) throw repeatedError(question)
    await appendAnswer(runtime, { questionId: question.id, answer })
    return { isAnswered: true }
  } catch (error) {
    if (!isLoomError(error) || !/^LOOM_(?:ANSWER|QUESTION)_/.test(error.code)) throw error
    await loadRedaction()
    const failure = failureOf(error)
    return { isAnswered: false, error: { ...failure, message: `onQuestion: ${toSentence(failure.message)} ${advice}` } }
  }
}

function repeatedError({ id }: Question): LoomError {
  const message = `The answer to ${id} is the one that was given before, and it led to the same question.`
  return new LoomError('LOOM_ANSWER_INVALID', message, { context: { id } })
}
