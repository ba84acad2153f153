/** Answering from outside a run's handle: the answer is appended to the thread that asked, and the root of its tree is driven on. */
import type { Frame } from '@loom-agent/kernel'
import { answerDrafts, checkResponse } from '../question/give-answer.ts'
import { localQuestionId, threadOfQuestion } from '../question/questions.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput } from '../thread/append-input.ts'
import { driveThread } from '../thread/drive-thread.ts'
import type { Runtime } from '../thread/runtime.ts'
import type { SignedAnswer } from '../types/answer.ts'
import { resumeInput } from './run-input.ts'

/** Appends the answer to a question; returns the frame of the thread that asked. */
export async function appendAnswer(runtime: Runtime, questionId: string, answer: SignedAnswer): Promise<Frame> {
  const cached = await runtime.threads.load(threadOfQuestion(questionId))
  const local = localQuestionId(cached.frame, questionId)
  await checkResponse(cached.frame, local, answer)
  return appendInput(runtime, cached, (frame) => answerDrafts(frame, local, answer))
}

/**
 * Appends the answer, then lets the thread go on. Resolves when the answer is durable, not when the run is done.
 *
 * A process that may not resume the run, because it lacks its dependencies for one, leaves the driving to one that may.
 */
export async function answerQuestion(instance: AgentInstance, questionId: string, answer: SignedAnswer): Promise<void> {
  const frame = await appendAnswer(instance.runtime, questionId, answer)
  const root = await rootOf(instance, frame)
  void driveRoot(instance, root).catch(() => {
    // The answer is durable; the next driver of the thread meets the same error and reports it, unless it has what this process lacks.
  })
}

async function driveRoot(instance: AgentInstance, root: string): Promise<void> {
  const { cached, unpin } = await instance.runtime.threads.pin(root)
  try {
    resumeInput(instance, { thread: root, options: {} }, cached.frame)
    await driveThread(instance, cached, { force: true })
  } finally {
    unpin()
  }
}

async function rootOf({ runtime }: AgentInstance, start: Frame): Promise<string> {
  let frame = start
  while (frame.parent) ({ frame } = await runtime.threads.load(frame.parent.thread))
  return frame.thread
}
