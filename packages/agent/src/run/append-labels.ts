/** Appending a change of labels. Loaded on use. */
import { canonicalJson, isDescribed, type Journal, type JsonObject, LoomError } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { appendInput } from '../thread/append-input.ts'
import { createThreadCache } from '../thread/thread-cache.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { checkReadable } from './start-input.ts'

/** What the labels of a thread may be: they are part of its row in the thread table, which every listing reads. */
const most = { labels: 100, bytes: 16 * 1024 }

/** Sets labels of a thread, and removes those that are null. */
export async function appendLabels(journal: Journal, thread: string, labels: JsonObject): Promise<void> {
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
    checkSize(thread, { ...frame.labels, ...wanted })
    return [{ type: 'labels.changed', data: { labels: wanted } }]
  })
}

function checkSize(thread: string, labels: JsonObject): void {
  const kept = Object.entries(labels).filter(([, value]) => value !== null)
  const bytes = new TextEncoder().encode(canonicalJson(Object.fromEntries(kept))).length
  if (kept.length <= most.labels && bytes <= most.bytes) return
  const message = `The thread ${thread} would have ${kept.length} labels of ${bytes} bytes. At most ${most.labels} labels and ${most.bytes} bytes are kept: remove some by null, or keep large values elsewhere.`
  throw new LoomError('LOOM_OPTION_INVALID', message, { context: { thread, labels: kept.length, bytes } })
}
