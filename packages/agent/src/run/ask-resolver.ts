/**
 * Passing a question to the resolver of this process.
 *
 * RESOLVE-1. A question is passed to one resolver at a time, however many handles of this process are on its thread: the others wait for what comes of it,
 *     and another resolver is asked only when the question is open afterwards.
 * RESOLVE-4. A resolver stands for a person: the time that it takes is not time of the run. It is waited for until its question expires, and no longer.
 */
import { type Failure, isLoomError, type Journal, LoomError } from '@loom-agent/kernel'
import type { Resolver } from '../definition/agent-options.ts'
import { callUser } from '../platform/call-user.ts'
import { failureOf } from '../platform/failure-of.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import { loadRedaction } from '../platform/redaction.ts'
import { questionsOf } from '../question/questions.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { AskedResolver, Runtime } from '../thread/runtime.ts'
import type { Question } from '../types/question.ts'
import { isRepeated } from './repeated-answer.ts'

/** Whether the question is settled, by an answer or because it has expired, and why the resolver could not answer it. */
interface Asked {
  readonly isSettled: boolean
  readonly error?: Failure
}

/** A question that a resolver is thinking about. */
interface Asking {
  readonly resolver: Resolver
  readonly outcome: Promise<Asked>
}

/** What is being asked in this process, by question. Agents that are made one by one share it when they share the journal. */
const askingIn = new WeakMap<Journal, Map<string, Asking>>()

/** Asks one resolver after the other, until the question is settled. Returns whether it is. */
export async function askInTurn(instance: AgentInstance, resolvers: readonly AskedResolver[], question: Question): Promise<boolean> {
  let isSettled = false
  for (const [index, asked] of resolvers.entries()) {
    if (index > 0 && !(await isOpen(instance.runtime, question))) break
    const outcome = await askResolver(instance, asked.resolver, question)
    asked.unanswered = outcome.error
    isSettled ||= outcome.isSettled
  }
  return isSettled
}

/** Asks the resolver, unless one is asked already. */
async function askResolver({ runtime }: AgentInstance, resolver: Resolver, question: Question): Promise<Asked> {
  const asking = askingIn.get(runtime.journal) ?? new Map<string, Asking>()
  askingIn.set(runtime.journal, asking)
  for (let other = asking.get(question.id); other; other = asking.get(question.id)) {
    const outcome = await other.outcome
    if (other.resolver === resolver) return outcome
    if (!(await isOpen(runtime, question))) return { isSettled: false }
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

const expired = Symbol('expired')

/** What the resolver returns, unless the question expires before: then nobody waits for it any more (RESOLVE-4). */
async function beforeExpiry<T>({ ports: { clock } }: Runtime, { expires }: Question, answer: Promise<T>): Promise<T | typeof expired> {
  if (expires === undefined) return answer
  let cancel = (): void => {}
  const expiry = new Promise<typeof expired>((resolve) => {
    cancel = clock.at(expires, () => resolve(expired))
  })
  return Promise.race([answer, expiry]).finally(() => cancel())
}

/** A resolver that throws, or returns what is no answer, leaves the question open: it is the caller's code, not the run, that failed. */
async function ask(runtime: Runtime, resolver: Resolver, question: Question): Promise<Asked> {
  const advice = 'The question stays open: answer it, or fix onQuestion and resume the thread.'
  let answer: Awaited<ReturnType<Resolver>>
  try {
    const returned = callUser(() => resolver(question))
    const answered = returned instanceof Promise ? await beforeExpiry(runtime, question, returned) : returned
    if (answered === expired) return { isSettled: true }
    answer = answered
  } catch (cause) {
    await loadRedaction()
    const message = `onQuestion threw for ${question.id}: ${toSentence(messageOf(cause))} ${advice}`
    return { isSettled: false, error: failureOf(new LoomError('LOOM_HOOK_FAILED', message, { context: { question: question.id } })) }
  }
  if (answer === undefined) return { isSettled: false }
  try {
    await inTurn(runtime, question.thread, () => give(runtime, question, answer))
    return { isSettled: true }
  } catch (error) {
    if (!isLoomError(error) || !/^LOOM_(?:ANSWER|QUESTION)_/.test(error.code)) throw error
    await loadRedaction()
    const failure = failureOf(error)
    return { isSettled: false, error: { ...failure, message: `onQuestion: ${toSentence(failure.message)} ${advice}` } }
  }
}

type Given = NonNullable<Awaited<ReturnType<Resolver>>>

async function give(runtime: Runtime, question: Question, given: Given): Promise<void> {
  const [{ appendAnswer }, { readAnswer }] = await Promise.all([import('./answer-question.ts'), import('../question/give-answer.ts')])
  const answer = readAnswer(given)
  if (await isRepeated(runtime, question, answer.answer)) throw repeatedError(question)
  await appendAnswer(runtime, { questionId: question.id, answer })
}

/** The last answer of a resolver that is on its way to each thread. */
const answersTo = new WeakMap<Journal, Map<string, Promise<void>>>()

/** Appends the answers to one thread one after another: each of many that are appended at once would conflict with every other. */
async function inTurn({ journal }: Runtime, thread: string, append: () => Promise<void>): Promise<void> {
  const lasts = answersTo.get(journal) ?? new Map<string, Promise<void>>()
  answersTo.set(journal, lasts)
  const before = lasts.get(thread)
  const appended = before ? before.then(append, append) : append()
  lasts.set(thread, appended)
  try {
    await appended
  } finally {
    if (lasts.get(thread) === appended) lasts.delete(thread)
  }
}

function repeatedError({ id }: Question): LoomError {
  const message = `The answer to ${id} is the one that was given before, and it led to the same question.`
  return new LoomError('LOOM_ANSWER_INVALID', message, { context: { id } })
}
