/** An agent at work: as the root of a tree of threads, or as a child in one. */
import type { ForkEffects } from '@loom-agent/kernel'
import type { ChildRunner } from '../call/child-runner.ts'
import type { RunCalls } from '../call/run-calls.ts'
import type { Resolver } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import type { Locks } from '../definition/locks.ts'
import type { CompiledPolicy } from '../permission/compile-policy.ts'
import type { Runtime } from './runtime.ts'

/** One agent in its place in the tree. */
export interface AgentInstance {
  /** What the agent is made of. */
  readonly definition: Definition
  /** What the agents of one journal share in this process. */
  readonly runtime: Runtime
  /** Its own policy first, then those of its ancestors. */
  readonly policies: readonly (CompiledPolicy | undefined)[]
  /** Its own locks first, then those of its ancestors: a call excludes those of all of them. */
  readonly locks: readonly Locks[]
  /** The dependencies of the run above, where this is a child: those of an agent that has none of its own. */
  readonly inheritedDeps?: unknown
  /** What happens to effects where a thread above is a fork: what it says holds for all its children. */
  readonly forkEffects: ForkEffects | undefined
  /** What the run of the thread above has admitted, where rules may look at it and this is a child (ADMIT-1). */
  readonly runCalls?: RunCalls | undefined
  /** What answers questions in this process where the caller of the run gave nothing: of this agent first, then of its ancestors (RESOLVE-5). */
  readonly resolvers: readonly (Resolver | undefined)[]
  /** Where this is a child, the run at the root of its tree: what callers gave for that run holds here (RESOLVE-2). */
  readonly rootRun?: string | undefined
  /** Makes the runner for the children of a thread. Children need run handles, which are a layer above: so the factory is passed in. */
  readonly childRunner: (instance: AgentInstance) => ChildRunner
}
