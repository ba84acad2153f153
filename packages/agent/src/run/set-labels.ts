/** Changes the labels of a thread. */
import type { Journal, JsonObject } from '@loom-agent/kernel'

/**
 * Sets labels of a thread, whether it is driven or not, and removes those that are null; others stay. Labels are found by `threads` and `feed`. Appends
 * nothing when the thread has these labels already. A thread has at most 100 labels, and at most 16 KiB of them.
 *
 * @example
 * await setLabels(journal, 'user-123', { team: 'billing', urgent: null })
 */
export async function setLabels(journal: Journal, thread: string, labels: JsonObject): Promise<void> {
  const { appendLabels } = await import('./append-labels.ts')
  await appendLabels(journal, thread, labels)
}
