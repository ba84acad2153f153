/** Steering, pausing, stopping and compacting with the journal alone. */
import type { Draft, Frame, Journal } from '@loom-agent/kernel'
import { requireOwn } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { type ControlOptions, compactDraft, pauseDraft, requestTo, type SteerOptions, steerDraft, stopDraft } from './control-drafts.ts'

/** A message, and how it is sent. */
type SteerArguments = [input: string, options?: SteerOptions]

/** Why a run is stopped, and who asks. */
type StopArguments = [reason?: string, options?: ControlOptions]

/**
 * Adds a message for the next turn of a thread. Needs the journal alone. Resolves when the message is durable: the driver of the thread shows it to the
 * model before its next call. A thread without a run under way shows it to its next run.
 *
 * @example
 * await steer(journal, 'user-123', 'Answer in French.', { by: 'ann' })
 */
export async function steer(journal: Journal, thread: string, ...[input, options = {}]: SteerArguments): Promise<void> {
  const message = steerDraft(input, options)
  await append(journal, thread, () => [message])
}

/**
 * Asks the run of a thread to pause at its next safe point. Needs the journal alone. Resolves when the request is durable; `agent.resume` continues the
 * run. Appends nothing when no run is under way, or when it was asked to pause already.
 *
 * @example
 * await pause(journal, 'user-123', { by: 'ann' })
 */
export async function pause(journal: Journal, thread: string, options: ControlOptions = {}): Promise<void> {
  const request = pauseDraft(options)
  await append(journal, thread, (frame) => requestTo(frame, frame.run?.id, request))
}

/**
 * Asks the run of a thread to stop. Needs the journal alone. Resolves when the request is durable: the driver of the thread aborts what is under way and
 * ends the run. One that no process drives is ended by `agent.recover`, or by `agent.stop`. Appends nothing when no run is under way, or when it was asked
 * to stop already.
 *
 * @example
 * await stop(journal, 'user-123', 'The customer has called.', { by: 'ann' })
 */
export async function stop(journal: Journal, thread: string, ...[reason, options]: StopArguments): Promise<void> {
  const request = stopDraft(reason, options)
  await append(journal, thread, (frame) => requestTo(frame, frame.run?.id, request))
}

/**
 * Asks for a shorter context. Needs the journal alone. Resolves when the request is durable: the strategy of the thread's agent compresses before the next
 * model call, however full the window is. Appends nothing when that was asked for already.
 *
 * @example
 * await compact(journal, 'user-123', { by: 'ann' })
 */
export async function compact(journal: Journal, thread: string, options: ControlOptions = {}): Promise<void> {
  const request = compactDraft(options)
  await append(journal, thread, (frame) => (frame.compact ? [] : [request]))
}

/** The same for a thread of an agent: that of another one is refused (ADOPT-1). */
export async function compactOwn(instance: AgentInstance, thread: string, options: ControlOptions = {}): Promise<void> {
  const request = compactDraft(options)
  await append(instance.runtime.journal, thread, (frame) => {
    requireOwn(instance, frame)
    return frame.compact ? [] : [request]
  })
}

async function append(journal: Journal, thread: string, draftsFor: (frame: Frame) => readonly Draft[]): Promise<void> {
  const { appendRequest } = await import('./append-request.ts')
  await appendRequest(journal, thread, draftsFor)
}
