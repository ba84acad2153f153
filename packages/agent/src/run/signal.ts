/** Sending a signal with the journal alone. */
import type { Journal } from '@loom-agent/kernel'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { createThreadAccess } from '../thread/thread-access.ts'
import type { SignalArguments } from '../types/wait.ts'

/**
 * Sends a signal to a thread: the first open `ctx.waitFor` of that name gets the value, or the next one that starts. Needs the journal alone. Resolves
 * when the signal is durable; a process that has the agent drives the thread on.
 *
 * @example
 * await signal(journal, 'order-17', 'payment', { paid: true })
 */
export async function signal(journal: Journal, thread: string, ...sent: SignalArguments): Promise<void> {
  requireJournal('signal', journal)
  const { appendSignal } = await import('./send-signal.ts')
  await appendSignal(createThreadAccess(journal, completePorts()), { thread }, sent)
}
