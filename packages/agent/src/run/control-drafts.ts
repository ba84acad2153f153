/** What steering, pausing and stopping append. */
import { type Draft, type Frame, isOver, LoomError } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import { readable } from '../platform/call-user.ts'
import { expected } from '../platform/expected.ts'
import { messageOf } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { textMessage } from '../types/input.ts'
import { type InputTaint, inputTaintShape, taintAs } from '../types/input-taint.ts'

/** Who asks. */
export interface ControlOptions {
  /** The person or program that asks; recorded as given. */
  readonly by?: string | undefined
}

/** Who asks, and how urgently. */
export interface SteerOptions extends ControlOptions {
  /** The message of the highest priority is read first; default 0. */
  readonly priority?: number | undefined
  /** What the message holds that others wrote, or that is private; default nothing. */
  readonly taint?: InputTaint | undefined
}

/** A request to a run. */
export type RunRequestDraft = Extract<Draft, { readonly type: 'run.stop-requested' | 'run.pause-requested' }>

const askerShape = { by: expected.text }

/** A message for the next turn. */
export function steerDraft(input: string, options: SteerOptions): Draft {
  checkOptions('steer', options, { priority: expected.number(), taint: inputTaintShape, ...askerShape })
  const { priority, by } = options
  const taint = taintAs(options.taint, by === undefined ? 'a message' : `a message of ${by}`)
  const rank = priority === undefined ? {} : { priority: rankOf(priority) }
  const data = { message: textMessage(input), ...rank, ...(by !== undefined && { by }), ...(taint && { taint }) }
  return { type: 'message.steered', data }
}

/** The message for the run of this id. One that is queued is refused: the message would reach the run that is under way. */
export function steerTo({ run, queue, thread }: Frame, id: string | undefined, message: Draft): readonly Draft[] {
  if (!queue.some((queued) => queued.run === id)) return [message]
  const text = `${id} of ${thread} has not started: the message would reach ${run?.id ?? 'the run before it'}. Steer it once it has started, or give what you want to say with its input.`
  throw new LoomError('LOOM_THREAD_BUSY', text, { context: { thread, run: id ?? '' } })
}

/** The request to pause a run. */
export function pauseDraft(options: ControlOptions): RunRequestDraft {
  checkOptions('pause', options, askerShape)
  const { by } = options
  return { type: 'run.pause-requested', data: by === undefined ? {} : { by } }
}

/** The request to make the context shorter before the next model call. */
export function compactDraft(options: ControlOptions): Draft {
  checkOptions('compact', options, askerShape)
  const { by } = options
  return { type: 'context.compact-requested', data: by === undefined ? {} : { by } }
}

/** The request to stop a run. */
export function stopDraft(reason = 'Stopped by the caller.', options: ControlOptions = {}): RunRequestDraft {
  checkOptions('stop', { reason }, { reason: expected.text })
  checkOptions('stop', options, askerShape)
  const { by } = options
  return { type: 'run.stop-requested', data: { reason, ...(by !== undefined && { by }) } }
}

/** The stop of a run whose signal was aborted; a queued one is named. Nothing while the signal is not. */
export const stopIfAborted = ({ signal }: RunOptions<never>, run?: string): readonly RunRequestDraft[] =>
  signal?.aborted ? [{ type: 'run.stop-requested', data: { reason: abortReason(signal), ...(run && { run }) } }] : []

/** How many characters of a signal's reason are recorded. */
const longestReason = 1000

/** Why a signal was aborted, in words. An `abort()` without a reason has one of the platform's, which says nothing more. */
export function abortReason(signal: AbortSignal): string {
  const reason = readable(signal.reason)
  const isDefault = reason === undefined || reason === '' || (reason instanceof Error && reason.name === 'AbortError')
  return isDefault ? 'The signal was aborted.' : messageOf(reason).slice(0, longestReason).toWellFormed()
}

/** The request as the run of this id gets it: a queued one is named. Nothing for a run that has ended, or was asked already. */
export function requestTo({ run, queue }: Frame, id: string | undefined, request: RunRequestDraft): readonly Draft[] {
  const queued = queue.find((candidate) => candidate.run === id)
  const asked = queued ?? (run && run.id === id && !isOver(run) ? run : undefined)
  if (!asked || (request.type === 'run.stop-requested' ? asked.stop : asked.pause)) return []
  return [queued ? ({ ...request, data: { ...request.data, run: queued.run } } as RunRequestDraft) : request]
}

/** A priority as it enters an event: JSON has no infinity. */
function rankOf(priority: number): number {
  return Math.min(Math.max(priority, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) + 0
}
