/**
 * Whether the children of a thread that waits have something to do. A parent that is driven enters the bodies again that wait for them, which is recorded:
 * so it is not driven for children that only wait.
 */
import { type Call, type Frame, isAtRest, isOver, items, summarize } from '@loom-agent/kernel'
import { definitionOf } from '../definition/agent-definition.ts'
import type { Definition } from '../definition/definition.ts'
import { openChildren } from '../question/open-children.ts'
import { isAgentTool } from '../tool/agent-tool.ts'
import type { AgentInstance } from './agent-instance.ts'
import { shortSleep } from './short-sleep.ts'
import type { ThreadCache } from './thread-cache.ts'

/** Whether a child that waited has something to do: it was answered, has ended, or its time has come; or a child of it has. */
export async function hasWork(threads: ThreadCache, child: string, now: number): Promise<boolean> {
  const { frame } = await threads.load(child)
  if (!frame.run || isOver(frame.run) || !isAtRest(frame)) return true
  const { wakeAt } = summarize(frame)
  if (wakeAt !== undefined && wakeAt <= now) return true
  for (const below of openChildren(frame)) if (await hasWork(threads, below, now)) return true
  return false
}

/**
 * Whether the children of a thread call for its driver: one has something to do, now or after a short sleep, or a question that may be answered by
 * `onQuestion`. A child that cannot be read does: its driver meets the same error, and reports it.
 */
export async function childrenCall(instance: AgentInstance, frame: Frame): Promise<boolean> {
  const { threads, ports } = instance.runtime
  const now = ports.clock.now()
  try {
    for (const child of openChildren(frame)) if (await hasWork(threads, child, now + shortSleep)) return true
    return await mayBeAnswered(threads, frame, instance)
  } catch {
    return true
  }
}

/** The code that runs a thread, and what answers its questions. */
type Resolving = Pick<AgentInstance, 'definition' | 'onQuestion'>

/** Whether a question of a child may be answered by `onQuestion`. What a child of a durable tool is run with, its body alone knows. */
async function mayBeAnswered(threads: ThreadCache, { run }: Frame, above: Resolving | undefined): Promise<boolean> {
  for (const call of run ? items(run.calls) : []) {
    const own = above && agentOf(above.definition, call)
    const below: Resolving | undefined = own && { definition: own, onQuestion: own.options.onQuestion ?? above.onQuestion }
    for (const { child } of call.open) {
      if (child === undefined) continue
      const { frame } = await threads.load(child)
      const isAsking = Object.keys(frame.questions).length > 0
      if (isAsking && (!below || below.onQuestion)) return true
      if (await mayBeAnswered(threads, frame, below)) return true
    }
  }
  return false
}

/** The agent that a call of a tool runs as its child; undefined if the tool is no agent, or is not known. */
function agentOf({ toolbox }: Definition, { part }: Call): Definition | undefined {
  const tool = toolbox?.tools.get(part.name)?.definition
  return tool && isAgentTool(tool) ? definitionOf(tool.agent) : undefined
}
