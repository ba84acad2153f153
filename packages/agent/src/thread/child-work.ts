/**
 * Whether the children of a thread that waits have something to do. A parent that is driven enters the bodies again that wait for them, which is recorded:
 * so it is not driven for children that only wait.
 *
 * QUIET-1. A thread is driven for a question of a child only where an `onQuestion` of an agent may answer it. The agent of a child that a durable body has
 *     started is known to that body alone: whether it has an `onQuestion` is in the record of the start. The resolver of a caller needs no driver
 *     (RESOLVE-2).
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
    return await mayBeAnswered(threads, frame, { definition: instance.definition, mayAnswer: instance.resolvers.map((own) => own !== undefined) })
  } catch {
    return true
  }
}

/** The code that runs a thread, undefined where it is not known, and whether its agent, that above it, and so on, may answer questions. */
interface Resolving {
  readonly definition?: Definition | undefined
  readonly mayAnswer: readonly boolean[]
}

/** Whether a question of a child may be answered by the `onQuestion` of an agent (QUIET-1). */
async function mayBeAnswered(threads: ThreadCache, { run }: Frame, above: Resolving): Promise<boolean> {
  for (const call of run ? items(run.calls) : []) {
    const own = above.definition && agentOf(above.definition, call)
    for (const { child, hasResolver } of call.open) {
      if (child === undefined) continue
      const { frame } = await threads.load(child)
      const mayAnswer = [own ? own.options.onQuestion !== undefined : hasResolver !== false, ...above.mayAnswer]
      if (Object.values(frame.questions).some(({ above: level = 0 }) => mayAnswer.slice(level).includes(true))) return true
      if (await mayBeAnswered(threads, frame, { definition: own, mayAnswer })) return true
    }
  }
  return false
}

/** The agent that a call of a tool runs as its child; undefined if the tool is no agent, or is not known. */
function agentOf({ toolbox }: Definition, { part }: Call): Definition | undefined {
  const tool = toolbox?.tools.get(part.name)?.definition
  return tool && isAgentTool(tool) ? definitionOf(tool.agent) : undefined
}
