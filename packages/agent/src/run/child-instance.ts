/**
 * A child's agent in its place in the tree: what it has from the agents above it, and from the caller of the root's run.
 *
 * RESOLVE-2. What the caller of a run gave as `onQuestion` is asked about the questions of that run and of all its children, and nobody else is. Where no
 *     caller gave one, the asking agent's own resolver is asked, or that of the nearest agent above it that has one.
 * RESOLVE-5. The asking agent is the one whose policy asks: a child's own resolver gets no question that a policy above it raised, nor does one in between.
 */
import type { Frame } from '@loom-agent/kernel'
import type { ChildRequest } from '../call/child-runner.ts'
import { definitionOf } from '../definition/agent-definition.ts'
import type { Resolver } from '../definition/agent-options.ts'
import type { CompiledPolicy } from '../permission/compile-policy.ts'
import { capped, withRunLayer } from '../permission/run-layer.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { type AskedResolver, runKey } from '../thread/runtime.ts'

/** The instance of a child's agent. */
export function childInstanceOf(instance: AgentInstance, { agent, outbox: { frame }, deps }: ChildRequest): AgentInstance {
  const { runtime } = instance
  const own = definitionOf(agent)
  return {
    ...instance,
    definition: { ...own, journal: runtime.journal, ports: runtime.ports },
    policies: policiesOfChild(own.policy, withRunLayer(instance.policies, frame.run?.request.permissions)),
    locks: [own.locks, ...instance.locks],
    inheritedDeps: deps,
    forkEffects: frame.fork?.effects ?? instance.forkEffects,
    resolvers: [own.options.onQuestion, ...instance.resolvers],
    rootRun: instance.rootRun ?? keyOf(frame),
  }
}

/** A child trusts no more than its parent: a mode of its own is capped by that of the agent above (PERM-5). */
function policiesOfChild(own: CompiledPolicy | undefined, above: AgentInstance['policies']): AgentInstance['policies'] {
  return [own && capped(own, above[0]?.mode ?? 'default'), ...above]
}

const keyOf = ({ incarnation, run }: Frame): string | undefined => run && runKey(incarnation, run.id)

/** The resolver of the agent so many above this one, or of the nearest above that has one (RESOLVE-5). */
export const resolverAt = ({ resolvers }: AgentInstance, above: number): Resolver | undefined =>
  resolvers.slice(above).find((own) => own !== undefined)

/** The resolvers that callers gave for the run at the root of a child. */
export function resolversOfCallers({ runtime, rootRun }: AgentInstance): readonly AskedResolver[] {
  return rootRun === undefined ? [] : [...(runtime.resolvers.get(rootRun) ?? [])]
}

/** Whether this process has a resolver for the questions of a child. */
export const isAttended = (child: AgentInstance): boolean => resolverAt(child, 0) !== undefined || resolversOfCallers(child).length > 0
