/** Answering from outside a run's handle: the thread of the question gets the answer, the root of its tree is woken. */
import type { Frame } from '@loom-agent/kernel'
import type { SignedAnswer } from '../types/answer.ts'
import { answerDrafts, checkResponse } from '../question/give-answer.ts'
import { drive, type Runtime } from '../thread/thread-driver.ts'
import { visit } from '../thread/append-input.ts'

/** Appends the answer, then lets the thread go on. Resolves when the answer is durable, not when the run is done. */
export async function answerAndWake(runtime: Runtime, question: { thread: string; local: string }, answer: SignedAnswer): Promise<void> {
  const { world } = runtime
  const resident = await world.residents.load(question.thread)
  await checkResponse(resident.frame, question.local, answer)
  const visitor = { journal: world.journal, clock: world.ports.clock, ids: world.ports.ids }
  const frame = await visit(visitor, resident, (current) => answerDrafts(current, question.local, answer))
  const root = await rootOf(runtime, frame)
  void drive(runtime, root, { force: true }).catch(() => {
    // The answer is durable; whoever drives the thread next will meet the same trouble, and will be told.
  })
}

async function rootOf(runtime: Runtime, start: Frame): Promise<string> {
  let frame = start
  while (frame.parent) ({ frame } = await runtime.world.residents.load(frame.parent.thread))
  return frame.thread
}
