/** Answering from outside a run's handle: the answer is appended to the thread that asked, and the root of its tree is driven on. */
import { type Frame, type Head, type Journal, own } from '@loom-agent/kernel'
import { followsStore } from '../platform/store-clock.ts'
import { localQuestionId, openIn, questionNotFound, threadOfQuestion, withoutThread } from '../question/find-question.ts'
import { answerDrafts, checkResponse, readAnswer, requireUnexpired } from '../question/give-answer.ts'
import { openChildren } from '../question/open-children.ts'
import type { AdoptOptions } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput } from '../thread/append-input.ts'
import type { Runtime } from '../thread/runtime.ts'
import type { SignedAnswer } from '../types/answer.ts'
import { threadNotFound } from '../types/thread-id.ts'
import { appendAndDrive, lineOf, noOpening, type Opening } from './append-and-drive.ts'

/** An answer, and the id of its question. */
interface GivenAnswer extends AdoptOptions {
  readonly questionId: string
  readonly answer: SignedAnswer
}

type Writer = Pick<Runtime, 'journal' | 'ports' | 'threads'>

/** Appends the answer to a question. */
export async function appendAnswer(runtime: Writer, { questionId, answer: given }: GivenAnswer, opening: Opening = noOpening): Promise<void> {
  const thread = threadOfQuestion(questionId)
  const answer = readAnswer(given)
  const cached = await runtime.threads.load(thread)
  if (cached.frame.seq === 0) throw withoutThread(threadNotFound(thread), questionId)
  const local = localQuestionId(cached.frame, questionId)
  await checkResponse(cached.frame, local, answer)
  await appendInput(runtime, cached, async (frame) => {
    if (own(frame.questions, local)?.expires !== undefined) requireUnexpired(frame, local, await timeOf(runtime, thread))
    return [...opening(frame), ...answerDrafts(frame, local, answer)]
  })
}

/** The time of the store, or that of this process where it is later. */
async function timeOf({ journal, ports }: Writer, thread: string): Promise<number> {
  const now = ports.clock.now()
  const head = await journal.head(thread)
  if (!head || (!followsStore(ports.clock) && !(await hasTimesOf(journal, head)))) return now
  return Math.max(head.times.now, now)
}

/** Milliseconds by which the clocks of a process and of its store may differ. */
const furthest = 60_000

/** Whether what is recorded in a thread are times of its store. A thread that was written by a clock of the caller's own may have any others. */
async function hasTimesOf(journal: Journal, { thread, incarnation, times }: Head): Promise<boolean> {
  const [first] = await journal.read(thread, { limit: 1, incarnation })
  return first !== undefined && Math.abs(first.time - times.began) < furthest
}

/** The same for a question of one tree: that of the given thread. Throws `LOOM_THREAD_NOT_FOUND` when the thread was removed. */
export async function appendAnswerIn(runtime: Runtime, root: Pick<Frame, 'thread' | 'incarnation'>, given: GivenAnswer): Promise<void> {
  const { frame } = await runtime.threads.load(root.thread, root.incarnation)
  const above = await lineOf(runtime, threadOfQuestion(given.questionId))
  const isOurs = above.some(({ thread, incarnation }) => thread === root.thread && incarnation === root.incarnation)
  if (!isOurs) throw questionNotFound(frame, given.questionId, await openInTree(runtime, frame))
  await appendAnswer(runtime, given)
}

/** The ids of the open questions of a thread and of its children. */
async function openInTree(runtime: Runtime, frame: Frame): Promise<readonly string[]> {
  const children = openChildren(frame).map(async (child) => openInTree(runtime, (await runtime.threads.load(child)).frame))
  return [...openIn(frame), ...(await Promise.all(children)).flat()]
}

/**
 * Appends the answer, then lets the thread go on. Resolves when the answer is durable, not when the run is done.
 *
 * A process that may not resume the run, because it lacks its dependencies for one, leaves the driving to one that may.
 */
export async function answerQuestion(instance: AgentInstance, given: GivenAnswer): Promise<void> {
  const target = { adoption: given, thread: threadOfQuestion(given.questionId) }
  await appendAndDrive(instance, target, (opening) => appendAnswer(instance.runtime, given, opening)).catch((error: unknown) => {
    throw withoutThread(error, given.questionId)
  })
}
