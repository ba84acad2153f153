/** From a frame at rest to the result that callers get. */
import type { EventData, Failure, Frame, Run } from '@loom-agent/kernel'
import { thrownFor } from '../platform/thrown.ts'
import { pendingIn } from '../question/pending.ts'
import { openChildren, questionsOf, waitsOf } from '../question/questions.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import { knownCost } from '../types/known-cost.ts'
import type { Result, Waiting } from '../types/result.ts'
import { textOf } from '../types/text-of.ts'
import { abortReason } from './control-drafts.ts'
import { noSteps, withDetails } from './step-details.ts'
import { finishOf, lastReply, withCause } from './steps.ts'

/** What a result is made with besides the frame: the frames of children, and what this process knows of the run. */
export interface ResultSources {
  readonly threads: ThreadCache
  /** Why the resolver could not answer the last question that it was passed. */
  readonly unanswered?: Failure | undefined
  /** The signal that may have stopped the run. */
  readonly signal?: AbortSignal | undefined
}

/** The result of a run that is at rest; undefined when it is suspended and yet has nothing to wait for: a child of it is at work, or has ended. */
export async function resultOf(frame: Frame, run: Run, sources: ResultSources): Promise<Result<unknown> | undefined> {
  const { id, status, usage, end, error } = run
  const facts = { history: frame.history, firstTurn: run.firstTurn, calls: run.calls }
  const reply = lastReply(facts)
  const finish = reply && finishOf(reply.reply?.finish)
  const text = replyText(frame)
  const turns = Math.max(0, frame.turn - run.firstTurn + 1)
  const ended = { thread: frame.thread, run: id, text, finish, usage, cost: knownCost(run), turns, questions: [] }
  if (status === 'finished') {
    const output = run.output === undefined ? text : run.output
    return withDetails({ ...ended, status: 'done', output, finish: finish ?? 'other' } as const, facts)
  }
  if (status === 'stopped' && end) {
    const stopped = withDetails({ ...ended, status: 'stopped', kind: end.kind, reason: stopReason(frame, run, end) } as const, facts)
    return withCause(stopped, end.kind === 'cancelled' ? causeOfStop(end.reason, sources) : undefined)
  }
  if (status === 'failed' && error) return withCause(withDetails({ ...ended, status: 'failed', error } as const, facts), thrownFor(error))
  const wait = await waitOf(frame, sources)
  return wait && withDetails({ ...ended, status: 'waiting', ...wait } as const, facts)
}

/** The stored reason; of a limit also what is pending, which the frame says. */
const stopReason = (frame: Frame, run: Run, { reason, limit }: Readonly<EventData['run.stopped']>): string =>
  limit === undefined ? reason : `${reason} ${pendingIn(frame, run)}`

/** The reason that the signal was aborted with, if that stopped the run. */
const causeOfStop = (reason: string, { signal }: ResultSources): unknown =>
  signal?.aborted && abortReason(signal) === reason ? (signal.reason as unknown) : undefined

/**
 * The result of a run that has not started: it was stopped, or the run before it waits, and it waits for the same. Undefined when neither is so, because
 * the run before goes on.
 */
export async function queuedResult(frame: Frame, run: string, sources: ResultSources): Promise<Result<unknown> | undefined> {
  const stop = frame.queue.find((queued) => queued.run === run)?.stop
  const nothing = { thread: frame.thread, run, text: '', finish: undefined, usage: { input: 0, output: 0 }, cost: 0, turns: 0 }
  if (stop)
    return withCause(withDetails({ ...nothing, questions: [], status: 'stopped', ...stop } as const, noSteps), causeOfStop(stop.reason, sources))
  const wait = await waitOf(frame, sources)
  return wait && withDetails({ ...nothing, status: 'waiting', ...wait } as const, noSteps)
}

type Wait = Pick<Waiting, 'reason' | 'questions' | 'waits' | 'until' | 'children' | 'error'>

async function waitOf(frame: Frame, { threads, unanswered }: ResultSources): Promise<Wait | undefined> {
  const suspended = await suspendedIn(frame, threads)
  const questions = suspended.flatMap(questionsOf)
  const waits = suspended.flatMap(waitsOf)
  const times = suspended.flatMap(({ run }) => run?.until ?? [])
  const until = times.length > 0 ? Math.min(...times) : undefined
  const isPaused = suspended.some(({ run }) => run?.pause)
  const reason = reasonOf({ question: questions.length > 0, paused: isPaused, signal: waits.length > 0, time: until !== undefined })
  return reason && { reason, questions, waits, until, children: openChildren(frame), ...(unanswered && { error: unanswered }) }
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
  if (!run) return ''
  if (run.partial !== undefined) return run.partial
  const reply = lastReply({ history, firstTurn: run.firstTurn })
  return reply ? textOf(reply.message.parts) : ''
}
