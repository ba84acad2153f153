/** Children: threads that calls of another thread start. How a child is run is loaded on use: most threads have none. */
import type { ChildRunner } from '../call/child-runner.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { Children } from './run-child.ts'

let childRuns: typeof import('./run-child.ts') | undefined

/** Loads how a child is run. Loaded, it is run and stopped without a wait: a replay gives a stop the place that it had. */
export async function loadChildRuns(): Promise<typeof import('./run-child.ts')> {
  childRuns ??= await import('./run-child.ts')
  return childRuns
}

/** Runs the children of a thread. */
export function createChildRunner(instance: AgentInstance): ChildRunner {
  const children: Children = { instance, watches: new Map(), movingOn: new Set(), hasLeft: false }
  const { watches, movingOn } = children
  const idle = async (): Promise<void> => {
    while (movingOn.size > 0) await Promise.all(movingOn)
  }
  return {
    async run(request) {
      const { runChild } = childRuns ?? (await loadChildRuns())
      return runChild(children, request)
    },
    async stop(child, reason, waiting) {
      watches.get(child)?.()
      const { recordStopped, stopChild, withinGrace } = childRuns ?? (await loadChildRuns())
      await stopChild(instance, child, reason)
      if (!waiting) return
      await withinGrace(instance, idle())
      await recordStopped(instance, waiting, child)
    },
    async leave(child, owner) {
      const { recordStopped } = childRuns ?? (await loadChildRuns())
      await recordStopped(instance, owner, child)
    },
    idle,
    hasLeft: () => children.hasLeft,
    close: () => {
      for (const stopWatching of [...watches.values()]) stopWatching()
    },
  }
}
