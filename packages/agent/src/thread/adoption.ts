/**
 * The agent that a thread belongs to.
 *
 * ADOPT-1. A thread that no call started is written and driven by agents of one name only. Another agent may adopt it, and that is a fact.
 * ADOPT-2. A driver whose thread is adopted by another agent starts nothing more, and calls no hook: what is in flight ends and is recorded, and the
 *     thread is released.
 */
import { type Draft, type Frame, LoomError } from '@loom-agent/kernel'
import type { AgentInstance } from './agent-instance.ts'

/** Whether a caller may go on with the thread of another agent. */
export interface AdoptOptions {
  /** Goes on with a thread of an agent of another name, or one that was imported, which belongs to this one from then on; default: such a thread is refused. */
  readonly adopt?: boolean | undefined
}

/** What an agent appends before it goes on with a thread: nothing when the thread is its own. Throws for another's that it may not adopt. */
export function adoptionOf(instance: AgentInstance, frame: Frame, { adopt = false }: AdoptOptions): readonly Draft[] {
  if (adopt && isOther(instance, frame)) return [{ type: 'thread.adopted', data: { agent: instance.definition.name, from: frame.agent ?? '' } }]
  requireOwn(instance, frame, `, or give adopt: true to go on with it as ${instance.definition.name} from now on`)
  return []
}

/** Refuses the thread of another agent. Which agent goes on with a child is for the code of its parent to say. */
export function requireOwn(instance: AgentInstance, frame: Frame, alternative = ''): void {
  if (!isOther(instance, frame)) return
  const { thread, agent: owner = '' } = frame
  const { name } = instance.definition
  const advice = `Use the agent ${owner}${alternative}.`
  throw new LoomError('LOOM_AGENT_OTHER', `The thread ${thread} belongs to the agent ${owner}, not to ${name}. ${advice}`, {
    context: { thread, agent: name, owner },
  })
}

/** Whether the thread belongs to an agent of another name. */
export const isOther = ({ definition }: AgentInstance, { agent, parent }: Frame): boolean =>
  !parent && agent !== undefined && agent !== definition.name
