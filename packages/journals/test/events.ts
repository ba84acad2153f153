/** What tests read of a journal. */
import type { Head, Journal, Json } from '@loom-agent/kernel'
import { eventsOf } from '../../../test/support/threads.ts'

export { eventsOf }

/** Everything that comes. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** A head or heads as text, without the times, which a copy has of its own. */
export const withoutTimes = (value: unknown): string | undefined =>
  JSON.stringify(value, (key, field: unknown) => (key === 'times' ? undefined : field))

/** A head as an import of its thread has it. */
export const quarantined = (head: Head | undefined): unknown => head && { ...head, summary: { ...head.summary, quarantined: true } }

/** The values of the facts of a thread. */
export async function valuesOf(journal: Journal, thread: string): Promise<readonly Json[]> {
  return (await eventsOf(journal, thread)).map((event) => (event.type === 'memory.recorded' ? event.data.value : event.type))
}

/** The values that can be read, and the error that comes after them. */
export async function readable(journal: Journal, thread = 'thread'): Promise<{ values: readonly unknown[]; error: unknown }> {
  const values: unknown[] = []
  try {
    for (let from = 1; ; from = values.length + 1) {
      const page = await journal.read(thread, { from })
      if (page.length === 0) return { values, error: undefined }
      values.push(...page.map((event) => (event.type === 'memory.recorded' ? event.data.value : undefined)))
    }
  } catch (error) {
    return { values, error }
  }
}
