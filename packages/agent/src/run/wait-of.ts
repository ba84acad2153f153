/** What a suspended run waits for, and its children. */
import type { Frame } from '@loom-agent/kernel'
import { openChildren } from '../question/open-children.ts'
import { questionsOf, waitsOf } from '../question/questions.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import type { Waiting } from '../types/result.ts'

type Wait = Pick<Waiting, 'reason' | 'questions' | 'waits' | 'until' | 'children'>

/** What the run of a frame waits for; undefined when there is nothing: a child of it is at work, or has ended. */
export async function waitOf(frame: Frame, threads: ThreadCache): Promise<Wait | undefined> {
  const suspended = await suspendedIn(frame, threads)
  const questions = suspended.flatMap(questionsOf)
  const waits = suspended.flatMap(waitsOf)
  const times = suspended.flatMap(({ run }) => run?.until ?? [])
  const until = times.length > 0 ? Math.min(...times) : undefined
  const isPaused = suspended.some(({ run }) => run?.pause)
  const reason = reasonOf({ question: questions.length > 0, paused: isPaused, signal: waits.length > 0, time: until !== undefined })
  return reason && { reason, questions, waits, until, children: openChildren(frame) }
}

const reasonOf = (holds: Readonly<Record<Waiting['reason'], boolean>>): Waiting['reason'] | undefined =>
  (['question', 'paused', 'signal', 'time'] as const).find((reason) => holds[reason])

/** The frame and those of the children it waits for, as far as they are suspended. */
async function suspendedIn(frame: Frame, threads: ThreadCache): Promise<readonly Frame[]> {
  if (frame.run?.status !== 'suspended') return []
  const nested = openChildren(frame).map(async (child) => suspendedIn((await threads.load(child)).frame, threads))
  return [frame, ...(await Promise.all(nested)).flat()]
}
