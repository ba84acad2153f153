/** From a frame at rest to the result that callers get. */
import type { Failure, Frame, Run } from '@loom-agent/kernel'
import { thrownFor } from '../platform/thrown.ts'
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
    const reason = end.limit === undefined ? end.reason : `${end.reason} ${await pendingAt(frame, run)}`
    const stopped = withDetails({ ...ended, status: 'stopped', kind: end.kind, reason } as const, facts)
    return withCause(stopped, end.kind === 'cancelled' ? causeOfStop(end.reason, sources) : undefined)
  }
  if (status === 'failed' && error) return withCause(withDetails({ ...ended, status: 'failed', error } as const, facts), thrownFor(error))
  const wait = await waitIn(frame, sources)
  return wait && withDetails({ ...ended, status: 'waiting', ...wait } as const, facts)
}

/** What is pending where a limit has stopped a run: the frame says it, the stored reason does not. */
async function pendingAt(frame: Frame, run: Run): Promise<string> {
  const { pendingIn } = await import('../question/pending.ts')
  return pendingIn(frame, run)
}

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
  if (stop) {
    // In the order of `resultOf`: a result becomes the same JSON wherever it is asked for.
    const { kind, reason } = stop
    return withCause(withDetails({ ...nothing, questions: [], status: 'stopped', kind, reason } as const, noSteps), causeOfStop(reason, sources))
  }
  const wait = await waitIn(frame, sources)
  return wait && withDetails({ ...nothing, status: 'waiting', ...wait } as const, noSteps)
}

type Wait = Pick<Waiting, 'reason' | 'questions' | 'waits' | 'until' | 'children' | 'error'>

/** What a run waits for. Loaded on use: most runs end without a wait. */
async function waitIn(frame: Frame, { threads, unanswered }: ResultSources): Promise<Wait | undefined> {
  const { waitOf } = await import('./wait-of.ts')
  const wait = await waitOf(frame, threads)
  return wait && { ...wait, ...(unanswered && { error: unanswered }) }
}

/** The text of the last reply of the run: the answer, or as much of it as there is. */
export function replyText({ history, run }: Frame): string {
  if (!run) return ''
  if (run.partial !== undefined) return run.partial
  const reply = lastReply({ history, firstTurn: run.firstTurn })
  return reply ? textOf(reply.message.parts) : ''
}
