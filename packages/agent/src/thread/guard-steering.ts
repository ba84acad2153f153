/**
 * Messages that programs without the agent's code sent to a run: guards look at them when a driver takes them in.
 *
 * GUARD-7. No message enters a turn before the guards have looked at it. What they make of it is a patch; the message as it was sent stays in the journal.
 */
import type { JsonObject } from '@loom-agent/kernel'
import { guardSteered } from '../guard/guard-messages.ts'
import { toJson } from '../platform/normalize.ts'
import type { ThreadDriver } from './thread-driver.ts'

/** Asks the guards about messages that wait. */
export async function guardSteering(driver: ThreadDriver): Promise<void> {
  const { definition, outbox } = driver
  const { thread, steering } = outbox.frame
  const guarding = { guards: definition.guards, thread, clock: definition.ports.clock }
  const changed: JsonObject[] = []
  for (const { seq, message } of steering) {
    if (seq <= driver.guardedTo) continue
    const left = await guardSteered(guarding, message)
    if (JSON.stringify(left) !== JSON.stringify(message)) changed.push({ seq, message: toJson(left) })
  }
  const last = Math.max(...steering.map(({ seq }) => seq))
  const patch = { point: 'beforeIterationStart', hook: 'guards', patch: { steering: changed } }
  if (changed.length > 0 && !(await outbox.append([{ type: 'hook.applied', data: patch }], 'intended'))) return
  driver.guardedTo = Math.max(driver.guardedTo, last)
}
