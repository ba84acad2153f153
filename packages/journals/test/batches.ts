/** Batches for the tests of the journals in databases. */
import type { Batch, Draft, Json } from '@loom-agent/kernel'

/** Facts with these values. */
export function facts(...values: readonly Json[]): readonly Draft[] {
  return values.map((value) => ({ type: 'memory.recorded', data: { key: 'fact', value } }))
}

/** A batch at a seq. */
export function batchAt(expected: number, events: readonly Draft[], more: Partial<Batch> = {}): Batch {
  return { id: crypto.randomUUID(), incarnation: 'first', expected, time: 1000 + expected, events, summary: { status: 'idle' }, ...more }
}
