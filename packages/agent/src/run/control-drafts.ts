/** What steering, pausing and stopping append. */
import type { Draft } from '@loom-agent/kernel'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { textMessage } from '../types/input.ts'

/** Who asks. */
export interface ControlOptions {
  /** The person or program that asks; recorded as given. */
  readonly by?: string
}

/** Who asks, and how urgently. */
export interface SteerOptions extends ControlOptions {
  /** The message of the highest priority is read first; default 0. */
  readonly priority?: number
}

const askerShape = { by: expected.text }

/** A message for the next turn. */
export function steerDraft(input: string, options: SteerOptions): Draft {
  checkOptions('steer', options, { priority: expected.number(), ...askerShape })
  const { priority, by } = options
  const data = { message: textMessage(input), ...(priority !== undefined && { priority: rankOf(priority) }), ...(by !== undefined && { by }) }
  return { type: 'message.steered', data }
}

/** The request to pause a run. */
export function pauseDraft(options: ControlOptions): Draft {
  checkOptions('pause', options, askerShape)
  const { by } = options
  return { type: 'run.pause-requested', data: by === undefined ? {} : { by } }
}

/** The request to stop a run. */
export function stopDraft(reason = 'Stopped by the caller.', options: ControlOptions = {}): Draft {
  checkOptions('stop', { reason }, { reason: expected.text })
  checkOptions('stop', options, askerShape)
  const { by } = options
  return { type: 'run.stop-requested', data: { reason, ...(by !== undefined && { by }) } }
}

/** A priority as it enters an event: JSON has no infinity. */
function rankOf(priority: number): number {
  return Math.min(Math.max(priority, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) + 0
}
