/** The agent that a thread belongs to. */
import type { Agent } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'

/** The configured agent of the name that a thread has, in the journal that has the thread. */
export async function ownerOf(agents: readonly Agent[], thread: string): Promise<Agent> {
  for (const journal of new Set(agents.map((one) => one.journal))) {
    const head = await journal.head(thread)
    if (!head?.seq) continue
    const { agent: name = 'unknown' } = head.summary
    const found = agents.find((one) => one.journal === journal && one.name === name)
    if (found) return found
    const message = `The thread ${JSON.stringify(thread)} belongs to the agent ${name}, which the configuration does not have in the journal of the thread.`
    throw new LoomError('LOOM_AGENT_OTHER', message, { context: { thread, agent: name } })
  }
  const message = `There is no thread ${JSON.stringify(thread)} in the journals of the configured agents. loom runs lists those of a journal.`
  throw new LoomError('LOOM_THREAD_NOT_FOUND', message, { context: { thread } })
}
