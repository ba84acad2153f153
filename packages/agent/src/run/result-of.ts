/** From a frame at rest to the result that callers get. */
import { at, type Frame, type Run } from '@loom-agent/kernel'
import { openChildren, questionsOf, waitsOf } from '../question/questions.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import type { Result, Waiting } from '../types/result.ts'
import { textOf } from '../types/text-of.ts'

/** The result of a run that is at rest; undefined when it is suspended and yet has nothing to wait for: a child of it is at work, or has ended. */
export async function resultOf(frame: Frame, run: Run, threads: ThreadCache): Promise<Result<unknown> | undefined> {
  const { id, status, usage, cost, unpriced } = run
  const text = replyText(frame)
  const turns = Math.max(0, frame.turn - run.firstTurn + 1)
  const ended = { thread: frame.thread, run: id, text, usage, cost: unpriced > 0 ? undefined : cost, turns, questions: [] }
  if (status === 'finished') return { ...ended, status: 'done', output: run.output === undefined ? text : run.output }
  if (status === 'stopped' && run.end) return { ...ended, status: 'stopped', kind: run.end.kind as 'cancelled', reason: run.end.reason }
  if (status === 'failed' && run.error) return { ...ended, status: 'failed', error: run.error }
  const wait = await waitOf(frame, threads)
  return wait && { ...ended, status: 'waiting', ...wait }
}

/**
 * The result of a run that has not started: it was stopped, or the run before it waits, and it waits for the same. Undefined when neither is so, because
 * the run before goes on.
 */
export async function queuedResult(frame: Frame, run: string, threads: ThreadCache): Promise<Result<unknown> | undefined> {
  const stop = frame.queue.find((queued) => queued.run === run)?.stop
  const nothing = { thread: frame.thread, run, text: '', usage: { input: 0, output: 0 }, cost: 0, turns: 0 }
  if (stop) return { ...nothing, questions: [], status: 'stopped', ...stop }
  const wait = await waitOf(frame, threads)
  return wait && { ...nothing, status: 'waiting', ...wait }
}

type Wait = Pick<Waiting, 'reason' | 'questions' | 'waits' | 'until' | 'children'>

async function waitOf(frame: Frame, threads: ThreadCache): Promise<Wait | undefined> {
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

/** The text of the last reply of the run: the answer, or as much of it as there is. */
export function replyText({ history, run }: Frame): string {
  if (run?.partial !== undefined) return run.partial
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = at(history, index)
    if (!entry || !run || entry.turn < run.firstTurn) return ''
    if (entry.origin === 'reply' && entry.message.role !== 'tool') return textOf(entry.message.parts)
  }
  return ''
}
