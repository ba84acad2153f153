/** Watching a thread with the journal alone. */
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { createThreadAccess } from '../thread/thread-access.ts'
import type { WatchOptions } from './watch-options.ts'
import { watchThread } from './watch-thread.ts'

/**
 * The events of a thread, whatever process drives it. Needs the journal alone, and never drives, resumes, retries or answers anything. Signals are
 * emitted by the process that drives the thread: there, `agent.watch` has them too.
 *
 * @example
 * for await (const event of watch(journal, 'user-123', { from: 42, until: 'rest' })) console.log(event.seq, event.type)
 */
export function watch(journal: Journal, thread: string, options: WatchOptions = {}): AsyncIterableIterator<LoomEvent> {
  requireJournal('watch', journal)
  const events = watchThread(createThreadAccess(journal, completePorts()), thread, options)
  // Without a bus there are no signals.
  return events as AsyncIterableIterator<LoomEvent>
}
