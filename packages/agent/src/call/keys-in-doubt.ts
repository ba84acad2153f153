/** What a durable body has begun, and of which it is not known whether it happened. */
import { type Call, items, stepName, type ToolOutcome, unknownOutcome } from '@loom-agent/kernel'

/** The keys of steps that were lost, of children that have not ended, and of children that left a call in doubt. */
export function keysInDoubt({ open, done }: Call): readonly string[] {
  const lost = open.filter(({ effect, child }) => child !== undefined || effect === 'unsafe' || effect === 'reconcilable')
  const left = [...items(done)].filter(({ key, value }) => key.startsWith('run:') && (value as { inDoubt?: true } | undefined)?.inDoubt)
  return [...lost, ...left].map(({ key }) => key)
}

/** The outcome of a call of which something is in doubt. */
export function outcomeInDoubt(call: Call, why: string): ToolOutcome {
  return unknownOutcome(why, ` In doubt: ${keysInDoubt(call).map(stepName).join(', ')}`)
}
