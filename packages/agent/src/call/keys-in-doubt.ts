/** What a durable body has begun, and of which it is not known whether it happened. Loaded on use, as durable bodies are. */
import { callOf, keysInDoubt, stepsNote, unknownOutcome } from '@loom-agent/kernel'
import { isAgentTool } from '../tool/agent-tool.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import type { Ended, Entered } from './execute.ts'

/** The end of a body, unless a child that it has begun may have done more than it says. A body that returns by itself knows how its children ended. */
export function endedOrInDoubt({ outbox: { frame } }: CallWork, { call, tool }: CallJob, ended: Ended): Entered {
  const { run } = frame
  const current = (run && callOf(run, call.id)) ?? call
  const isReturned = ended.kind === 'returned' && !run?.stop && !isAgentTool(tool.definition)
  if (isReturned || !keysInDoubt(current).some((key) => key.startsWith('run:'))) return ended
  return { kind: 'in-doubt', outcome: unknownOutcome(`${tool.name} ended before it was done.`, stepsNote(current)) }
}
