/** Answering from outside a run's handle: the answer is appended to the thread that asked, and the root of its tree is driven on. */
import { type Frame, LoomError } from '@loom-agent/kernel'
import { localQuestionId, questionNotFound, threadOfQuestion } from '../question/find-question.ts'
import { answerDrafts, checkResponse, requireUnexpired } from '../question/give-answer.ts'
import { type AdoptOptions, adoptionOf } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput } from '../thread/append-input.ts'
import { driveThread } from '../thread/drive-thread.ts'
import type { Runtime } from '../thread/runtime.ts'
import type { SignedAnswer } from '../types/answer.ts'
import { threadNotFound } from '../types/thread-id.ts'
import { resumeInput } from './run-input.ts'

/** The thread that gets an input. */
interface InputTarget extends AdoptOptions {
  readonly thread: string
}

/** An answer, and the id of its question. */
interface GivenAnswer extends AdoptOptions {
  readonly questionId: string
  readonly answer: SignedAnswer
}

/** Appends the answer to a question. */
export async function appendAnswer(runtime: Pick<Runtime, 'journal' | 'ports' | 'threads'>, { questionId, answer }: GivenAnswer): Promise<void> {
  const cached = await runtime.threads.load(threadOfQuestion(questionId))
  const local = localQuestionId(cached.frame, questionId)
  await checkResponse(cached.frame, local, answer)
  await appendInput(runtime, cached, (frame) => {
    requireUnexpired(frame, local, runtime.ports.clock.now())
    return answerDrafts(frame, local, answer)
  })
}

/** The same for a question of one tree: that of the given thread. */
export async function appendAnswerIn(runtime: Runtime, root: Pick<Frame, 'thread' | 'incarnation'>, given: GivenAnswer): Promise<void> {
  const above = await lineOf(runtime, threadOfQuestion(given.questionId))
  const isOurs = above.some(({ thread, incarnation }) => thread === root.thread && incarnation === root.incarnation)
  const { frame } = await runtime.threads.load(root.thread)
  if (!isOurs) throw questionNotFound(frame, given.questionId)
  await appendAnswer(runtime, given)
}

/**
 * Appends the answer, then lets the thread go on. Resolves when the answer is durable, not when the run is done.
 *
 * A process that may not resume the run, because it lacks its dependencies for one, leaves the driving to one that may.
 */
export async function answerQuestion(instance: AgentInstance, given: GivenAnswer): Promise<void> {
  await appendAndDrive(instance, { ...given, thread: threadOfQuestion(given.questionId) }, () => appendAnswer(instance.runtime, given))
}

/** Appends an input to a thread of this agent, or to a child of one, then drives the root of its tree on. Resolves when the input is durable. */
export async function appendAndDrive(instance: AgentInstance, { thread, ...given }: InputTarget, append: () => Promise<unknown>): Promise<void> {
  const { runtime } = instance
  const root = (await lineOf(runtime, thread)).at(-1)
  if (!root?.seq) throw threadNotFound(root?.thread ?? thread)
  await appendInput(runtime, await runtime.threads.load(root.thread, root.incarnation), (frame) => adoptionOf(instance, frame, given))
  await append()
  void driveRoot(instance, root).catch(() => {
    // The input is durable; the next driver of the thread meets the same error and reports it, unless it has what this process lacks.
  })
}

async function driveRoot(instance: AgentInstance, { thread, incarnation }: Frame): Promise<void> {
  const { cached, unpin } = await instance.runtime.threads.pin(thread, incarnation)
  try {
    resumeInput(instance, { thread, options: {} }, cached.frame)
    await driveThread(instance, cached, { force: true })
  } finally {
    unpin()
  }
}

/** A thread, then those above it, up to the root of its tree. */
async function lineOf({ threads }: Runtime, of: string): Promise<readonly Frame[]> {
  let { frame } = await threads.load(of)
  const line = [frame]
  while (frame.parent) {
    const { thread, incarnation, depth } = frame.parent
    ;({ frame } = await threads.load(thread, incarnation))
    // Records that were imported may name each other as parents.
    if ((frame.parent?.depth ?? 0) >= depth) throw circular(of, frame)
    line.push(frame)
  }
  return line
}

function circular(of: string, { thread }: Frame): LoomError {
  const message = `The record of ${thread} names a parent that is not above it. The thread ${of} gets no input.`
  return new LoomError('LOOM_THREAD_UNREADABLE', message, { context: { of, thread } })
}
