/** From a frame at rest to the result that callers get. */
import { at, type Frame, type Run, textOf } from '@loom-agent/kernel'
import { openChildren, questionsOf, waitsOf } from '../question/questions.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import type { Question } from '../types/question.ts'
import type { Result, SignalWait } from '../types/result.ts'

/** The result of a run that is at rest. */
export async function resultOf(frame: Frame, run: Run, threads: ThreadCache): Promise<Result<unknown>> {
  const { id, status, usage, cost, unpriced } = run
  const text = replyText(frame)
  const open = status === 'suspended' ? await openOf(frame, threads) : { questions: [], waits: [] }
  const turns = Math.max(0, frame.turn - run.firstTurn + 1)
  const ended = { thread: frame.thread, run: id, text, usage, cost: unpriced > 0 ? undefined : cost, turns, questions: open.questions }
  if (status === 'finished') return { ...ended, status: 'done', output: run.output === undefined ? text : run.output }
  if (status === 'stopped' && run.end) return { ...ended, status: 'stopped', kind: run.end.kind as 'cancelled', reason: run.end.reason }
  if (status === 'failed' && run.error) return { ...ended, status: 'failed', error: run.error }
  return { ...ended, status: 'waiting', until: run.until, waits: open.waits }
}

/** The result of a run that has not started, because the run before it waits: it has what that run waits for. */
export async function queuedResult(frame: Frame, runs: { queued: string; before: Run }, threads: ThreadCache): Promise<Result<unknown>> {
  const open = await openOf(frame, threads)
  const nothing = { text: '', usage: { input: 0, output: 0 }, cost: 0, turns: 0 }
  return { thread: frame.thread, run: runs.queued, ...nothing, ...open, status: 'waiting', until: runs.before.until }
}

/** What a thread, and the children it waits for, need from outside. */
interface Open {
  readonly questions: readonly Question[]
  readonly waits: readonly SignalWait[]
}

async function openOf(frame: Frame, threads: ThreadCache): Promise<Open> {
  const nested = await Promise.all(openChildren(frame).map(async (child) => openOf((await threads.load(child)).frame, threads)))
  return {
    questions: [...questionsOf(frame), ...nested.flatMap(({ questions }) => questions)],
    waits: [...waitsOf(frame), ...nested.flatMap(({ waits }) => waits)],
  }
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
