/** What a durable body has begun, and of which it is not known whether it happened. Loaded on use, as durable bodies are. */

import { type Call, callOf, items, stepName, type ToolOutcome, unknownOutcome } from '@loom-agent/kernel'
import { toSentence } from '../platform/normalize.ts'
import { isAgentTool } from '../tool/agent-tool.ts'
import { mayRunTwice } from '../types/effect-class.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import type { Ended, Entered } from './execute.ts'

/** The keys of steps that were lost, of children that have not ended, and of children that left a call in doubt. */
function keysInDoubt({ open, done }: Call): readonly string[] {
  const lost = open.filter(({ effect, child }) => child !== undefined || (effect !== undefined && !mayRunTwice(effect)))
  const left = [...items(done)].filter(({ key, value }) => key.startsWith('run:') && (value as { inDoubt?: true } | undefined)?.inDoubt)
  return [...lost, ...left].map(({ key }) => key)
}

/** The outcome of a call of which something is in doubt. */
function outcomeInDoubt(call: Call, why: string): ToolOutcome {
  return unknownOutcome(why, ` In doubt: ${keysInDoubt(call).map(stepName).join(', ')}`)
}

const hasChildInDoubt = (call: Call): boolean => keysInDoubt(call).some((key) => key.startsWith('run:'))

/** The end of a body, unless a child that it has begun may have done more than it says. A body that returns by itself knows how its children ended. */
export function endedOrInDoubt({ outbox: { frame } }: CallWork, { call, tool }: CallJob, ended: Ended): Entered {
  const { run } = frame
  const current = (run && callOf(run, call.id)) ?? call
  const isReturned = ended.kind === 'returned' && !run?.stop && !isAgentTool(tool.definition)
  if (isReturned || !hasChildInDoubt(current)) return ended
  return { kind: 'in-doubt', outcome: outcomeInDoubt(current, `${tool.name} ended before it was done.`) }
}

/** Calls that waited for children which may have done something: their results say so. Calls in flight have results of their own. */
export function putDoubts({ outbox, calls }: Pick<CallWork, 'outbox' | 'calls'>, reason: string): void {
  const { run } = outbox.frame
  const left = run ? [...items(run.calls)].filter(({ id, state }) => state !== 'settled' && calls.get(id)?.stage !== 'running') : []
  for (const call of left.filter(hasChildInDoubt)) {
    const outcome = outcomeInDoubt(call, `${call.part.name} was stopped while it ran: ${toSentence(reason)}`)
    outbox.put([{ type: 'tool.finished', data: { call: call.id, ...outcome } }], 'happened')
  }
}
