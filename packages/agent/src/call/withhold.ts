/** Results that a hook could not look through. */
import type { Outbox } from '@loom-agent/kernel'

/** A stopped run does not wait for a hook forever; and a result that no hook has looked through is not shown. */
export function withhold(outbox: Outbox, call: string): void {
  replaceResult(outbox, call, 'This result is withheld: a hook did not look through it in time.')
}

/** Replaces the result of a call by an error; the original stays in the journal. Returns what the model reads instead. */
export function replaceResult(outbox: Outbox, call: string, why: string): object {
  const point = 'afterToolExecution'
  const outcome = { status: 'error', output: { type: 'error', value: why }, errorType: 'hook' }
  outbox.put([{ type: 'hook.applied', data: { point, call, patch: { outcome } } }], 'intended')
  return outcome.output
}
