/** The names of the signals that durable bodies wait for. */
import { LoomError } from '@loom-agent/kernel'
import { shown } from '../platform/normalize.ts'

/** Refuses what cannot name a signal. */
export function checkSignalName(name: string): void {
  if (typeof name === 'string' && name.length > 0 && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name)) return
  const given = shown(typeof name === 'string' ? name.slice(0, 80) : name)
  const message = `${given} cannot be the name of a signal. Use 1 to 200 characters without control characters.`
  throw new LoomError('LOOM_SIGNAL_INVALID', message, { context: { name: given } })
}
