/** Reading the open questions of threads and of their children. Loaded on use. */
import type { Frame, Head, Journal } from '@loom-agent/kernel'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { openChildren } from '../question/open-children.ts'
import { questionsOf } from '../question/questions.ts'
import { createThreadCache, isRemoved, type ThreadCache } from '../thread/thread-cache.ts'
import type { Question } from '../types/question.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { threads } from './threads.ts'

/** Whose questions are wanted; default: all. */
export interface QuestionQuery {
  /** Those of this thread and of its children. */
  readonly thread?: string | undefined
  /** Those of the threads of this agent and of their children. */
  readonly agent?: string | undefined
}

/** The questions that are open, of a thread, of an agent's threads or of all. */
export async function readQuestions(journal: Journal, query: QuestionQuery): Promise<readonly Question[]> {
  requireJournal('questions', journal)
  checkOptions('questions', query, { thread: expected.text, agent: expected.text })
  const { thread, agent } = query
  if (thread === undefined) return questionsOfAll(journal, agent)
  checkThread(thread)
  const cache = createThreadCache(journal)
  const { frame } = await cache.load(thread)
  if (frame.seq === 0) throw threadNotFound(thread)
  // What a copy asks is answered where the whole thread is (JOURNAL-22).
  if ((await journal.head(thread))?.summary.status === 'partial') return []
  return agent === undefined || frame.agent === agent ? questionsIn(cache, frame) : []
}

/**
 * A run with a question may go on meanwhile with its other calls; one that has failed can be resumed, and keeps the questions about its calls. What came from
 * outside asks nobody until it is adopted (JOURNAL-23): its questions are there for who names its thread.
 */
const mayAsk = ({ summary: { status, parent, quarantined } }: Head): boolean =>
  parent === undefined && quarantined === undefined && /waiting|running|failed/.test(status)

/** One list, whatever the status: a thread that changes meanwhile is on it once. */
async function questionsOfAll(journal: Journal, agent: string | undefined): Promise<readonly Question[]> {
  const found: Question[] = []
  for await (const head of threads(journal, { agent })) if (mayAsk(head)) found.push(...(await questionsUnder(journal, head)))
  return found
}

/** The questions of a tree. One that is removed meanwhile has none. */
async function questionsUnder(journal: Journal, { thread, incarnation }: Head): Promise<readonly Question[]> {
  const cache = createThreadCache(journal)
  try {
    return await questionsIn(cache, (await cache.load(thread, incarnation)).frame)
  } catch (error) {
    if (isRemoved(error)) return []
    throw error
  }
}

async function questionsIn(cache: ThreadCache, frame: Frame): Promise<readonly Question[]> {
  const found = [...questionsOf(frame)]
  for (const child of openChildren(frame)) {
    const { frame: nested } = await cache.load(child)
    // What another caller started under the id of a child is no child (CHILD-1).
    if (nested.parent?.thread === frame.thread) found.push(...(await questionsIn(cache, nested)))
  }
  return found
}
