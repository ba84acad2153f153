/** Asking a run to stop, and which run a request reaches: the one under way, or one in the queue. */
import { type Draft, type Frame, isOver } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ControlOptions } from './control-drafts.ts'

/** A request to a run. */
export type RunRequestDraft = Extract<Draft, { readonly type: 'run.stop-requested' | 'run.pause-requested' }>

/** The request to stop a run. */
export function stopDraft(reason = 'Stopped by the caller.', options: ControlOptions = {}): RunRequestDraft {
  checkOptions('stop', { reason, ...options }, { reason: expected.text, by: expected.text })
  const { by } = options
  return { type: 'run.stop-requested', data: { reason, ...(by !== undefined && { by }) } }
}

/** The stop of a run whose signal was aborted; a queued one is named. Nothing while the signal is not. */
export const stopIfAborted = ({ signal }: RunOptions<never>, run?: string): readonly RunRequestDraft[] =>
  signal?.aborted ? [{ type: 'run.stop-requested', data: { reason: 'The signal was aborted.', ...(run && { run }) } }] : []

/** The request as the run of this id gets it: a queued one is named. Nothing for a run that has ended, or was asked already. */
export function requestTo({ run, queue }: Frame, id: string | undefined, request: RunRequestDraft): readonly Draft[] {
  const queued = queue.find((candidate) => candidate.run === id)
  const asked = queued ?? (run && run.id === id && !isOver(run) ? run : undefined)
  if (!asked || (request.type === 'run.stop-requested' ? asked.stop : asked.pause)) return []
  return [queued ? ({ ...request, data: { ...request.data, run: queued.run } } as RunRequestDraft) : request]
}
