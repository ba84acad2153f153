/** Changes the labels of a thread. */
import { isDescribed, type Journal, type JsonObject, LoomError } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { appendInput } from '../thread/append-input.ts'
import { createThreadCache } from '../thread/thread-cache.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { checkReadable } from './run-input.ts'

/**
 * Sets labels of a thread, whether it is driven or not, and removes those that are null; others stay. Labels are found by `threads` and `feed`. Appends
 * nothing when the thread has these labels already.
 *
 * @example
 * await setLabels(journal, 'user-123', { team: 'billing', urgent: null })
 */
export async function setLabels(journal: Journal, thread: string, labels: JsonObject): Promise<void> {
  requireJournal('setLabels', journal)
  checkThread(thread)
  const given = toJson(labels)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new LoomError('LOOM_OPTION_INVALID', `The labels of ${thread} must be an object, such as { team: 'billing' }.`, { context: { thread } })
  }
  const wanted = given as JsonObject
  const cached = await createThreadCache(journal).load(thread)
  if (cached.frame.seq === 0) throw threadNotFound(thread)
  await appendInput({ journal, ports: completePorts() }, cached, (frame) => {
    checkReadable(frame)
    if (isDescribed({ labels: frame.labels }, { labels: wanted })) return []
    return [{ type: 'labels.changed', data: { labels: wanted } }]
  })
}
