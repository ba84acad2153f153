/** Answering from outside a run's handle: the answer is appended to the thread that asked, and the root of its tree is driven on. */
import type { Frame } from '@loom-agent/kernel'
import { answerDrafts, checkResponse } from '../question/give-answer.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput, inOneLife } from '../thread/append-input.ts'
import { driveThread } from '../thread/drive-thread.ts'
import type { SignedAnswer } from '../types/answer.ts'

/** Appends the answer, then lets the thread go on. Resolves when the answer is durable, not when the run is done. */
export async function answerQuestion(instance: AgentInstance, question: { thread: string; local: string }, answer: SignedAnswer): Promise<void> {
  const { runtime } = instance
  const cached = await runtime.threads.load(question.thread)
  await checkResponse(cached.frame, question.local, answer)
  const draftsFor = inOneLife((current) => answerDrafts(current, question.local, answer))
  const frame = await appendInput(runtime, cached, draftsFor)
  const root = await rootOf(instance, frame)
  void driveRoot(instance, root).catch(() => {
    // The answer is durable; the next driver of the thread meets the same error and reports it.
  })
}

async function driveRoot(instance: AgentInstance, root: string): Promise<void> {
  const { cached, unpin } = await instance.runtime.threads.pin(root)
  await driveThread(instance, cached, { force: true }).finally(unpin)
}

async function rootOf({ runtime }: AgentInstance, start: Frame): Promise<string> {
  let frame = start
  while (frame.parent) ({ frame } = await runtime.threads.load(frame.parent.thread))
  return frame.thread
}
