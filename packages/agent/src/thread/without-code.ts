/** An agent without its code: ending a run needs none of it. */
import type { Run } from '@loom-agent/kernel'
import type { AgentInstance } from './agent-instance.ts'

/** An agent that can only end a run. */
export function withoutCode(instance: AgentInstance, { request: { agent } }: Run): AgentInstance {
  const bare = { ...instance.definition, hooks: {}, observers: [], toolbox: undefined, fingerprint: () => agent.fingerprint }
  return { ...instance, definition: bare, resolvers: [], rootRun: undefined }
}
