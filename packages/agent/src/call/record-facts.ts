/** What a durable body did, as facts. */
import type { Draft } from '@loom-agent/kernel'
import type { BodyEntry } from './body-entry.ts'
import { isOpenCall } from './current-call.ts'

/** Adds what a body did to the outbox; false when it is not durable. A call that has its result takes no more facts (DURABLE-7). */
export async function recordFacts({ work: { outbox }, call }: BodyEntry, facts: readonly Draft[]): Promise<boolean> {
  return isOpenCall(outbox, call) && outbox.append(facts, 'happened')
}
