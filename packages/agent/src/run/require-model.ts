import type { Frame } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import { requireForkModel } from '../definition/fork-model.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { runKey } from '../thread/runtime.ts'

/** Refuses to go on with a fork whose model this process does not have. */
export async function requireModel({ definition, runtime }: AgentInstance, frame: Frame, { model }: RunOptions<never>): Promise<void> {
  const { overrides, models } = runtime
  const given = model === undefined ? overrides.get(runKey(frame.incarnation, frame.run?.id ?? '')) : { model }
  await requireForkModel(definition, frame, { overrides: given ?? {}, models })
}
