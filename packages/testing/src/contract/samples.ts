/** What the cases of the contract append and look at. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { Batch, Draft, Journal, Json, LoomEvent, Summary } from '@loom-agent/kernel'

/** The thread that most cases use. */
export const thread = 'thread'

/** A fact that is small and changes nothing. */
export function fact(value: Json, key = 'fact'): Draft {
  return { type: 'memory.recorded', data: { key, value } }
}

/** Facts with these values. */
export function facts(...values: readonly Json[]): readonly Draft[] {
  return values.map((value) => fact(value))
}

/** A batch at a seq, under an id of its own. */
export function batchAt(expected: number, events: readonly Draft[], more: Partial<Batch> = {}): Batch {
  return { id: crypto.randomUUID(), incarnation: 'life', expected, time: 1000 + expected, events, summary: { status: 'idle' }, ...more }
}

/** Appends, and checks that the batch was accepted. */
export async function accepted(journal: Journal, name: string, batch: Batch): Promise<void> {
  deepStrictEqual(await journal.append(name, batch), { kind: 'appended', seq: batch.expected + batch.events.length })
}

/** Everything that a thread holds. Checks that nothing is missing, out of order or there twice, so that a bad page cannot be read forever either. */
export async function contentOf(journal: Journal, name: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for (;;) {
    const page = await journal.read(name, { from: events.length + 1 })
    if (page.length === 0) return events
    for (const event of page) {
      events.push(event)
      strictEqual(event.seq, events.length, `${name} was read out of order`)
    }
  }
}

/** The values of the facts that a thread holds. */
export async function valuesOf(journal: Journal, name: string): Promise<readonly Json[]> {
  const events = await contentOf(journal, name)
  return events.map((event) => (event.type === 'memory.recorded' ? event.data.value : event.type))
}

/** Checks that two values are equal as JSON, but for times: a field that is undefined is a field that is not there. */
export function sameJson(actual: unknown, expected: unknown): void {
  strictEqual(stable(actual), stable(expected))
}

/** JSON with sorted keys: an adapter may keep the fields of an object in its own order. Times are left out: the clock goes on. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (key, field: unknown) =>
    key === 'times'
      ? undefined
      : typeof field === 'object' && field !== null && !Array.isArray(field)
        ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
        : field,
  ) ?? 'undefined'

/** The whole state of a thread as text, to be compared with its later state. */
export async function everythingOf(journal: Journal, name: string): Promise<string> {
  return stable({ head: await journal.head(name), events: await contentOf(journal, name), listed: await journal.threads() })
}

/** A summary in which every field has a value. */
export const fullSummary: Summary = { status: 'waiting', agent: 'someone', parent: 'elsewhere', wakeAt: 5000, labels: { team: ['a', 'b'] } }

/** Changes a value in place: what a journal has stored must not share it. */
export function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  const fields = value as Record<string, unknown>
  for (const key of Object.keys(fields)) {
    spoil(fields[key])
    fields[key] = 'spoiled'
  }
}

/** Waits for a moment. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
