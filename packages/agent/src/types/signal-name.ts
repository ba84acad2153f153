/** The names of the signals that durable bodies wait for. */
import { LoomError } from '@loom-agent/kernel'

/** Refuses what cannot name a signal. */
export function checkSignalName(name: string): void {
  if (typeof name === 'string' && name.length > 0 && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name)) return
  const given = String(name).toWellFormed().slice(0, 80)
  const message = `${JSON.stringify(given)} cannot be the name of a signal. Use 1 to 200 characters without control characters.`
  throw new LoomError('LOOM_SIGNAL_INVALID', message, { context: { name: given } })
}
