/** What a durable body did, as facts. */
import { type Draft, isOver } from '@loom-agent/kernel'
import type { CallWork } from './call-work.ts'

/** Adds what a body did to the outbox; false when it is not durable. A run that has ended without waiting for the body takes no more facts (DURABLE-7). */
export async function recordFacts({ outbox, context }: CallWork, facts: readonly Draft[]): Promise<boolean> {
  const { run } = outbox.frame
  return run?.id === context.run && !isOver(run) && outbox.append(facts, 'happened')
}
