/** What the threads of an agent, those of its children, and those of agents that were made from it, share in this process. */
import type { Epoch, Failure, Head, Incarnation, Outbox } from '@loom-agent/kernel'
import { type Bus, createBus } from '../bus/bus.ts'
import type { Resolver, RunOverrides } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import type { ModelObject } from '../model/model.ts'
import { createThreadAccess, type ThreadAccess } from './thread-access.ts'

/** A thread that this process may drive. */
export interface Lease {
  readonly thread: string
  readonly epoch: Epoch
  /** The thread as it was when it was acquired. */
  readonly head: Head
}

/** A thread that is being driven, or is about to be. */
export interface Driving {
  /** The outbox of its driver; undefined before the thread is acquired. */
  outbox: Outbox | undefined
  /** It is driven no longer. */
  readonly end: () => void
}

/** Called when draining begins, and again when the grace period is over. */
export type DrainListener = (isOver: boolean) => void

/** Whether the agent is draining, and what that waits for. Shared by all agents that were made from one. */
export interface Drain {
  isDraining: boolean
  /** One for each thread that is driven here, and for each result that is waited for here. */
  readonly awaited: Set<DrainListener>
  /** Called when nothing is awaited any more. */
  onEmpty: (() => void)[]
}

/** A resolver that the caller of a run gave, and what it was asked. */
export interface AskedResolver {
  readonly resolver: Resolver
  /** Questions that were passed to it. */
  readonly asked: Set<string>
  /** Why it could not answer the last question that it was passed. */
  unanswered: Failure | undefined
}

/** A run that waits and that nobody follows here: where it is, and how far it was seen. */
export interface LeftRun {
  readonly thread: string
  readonly incarnation: Incarnation
  readonly run: string
  readonly seq: number
}

/** The shared side of an agent at work. */
export interface Runtime extends ThreadAccess {
  /** The name under which this process leases threads. */
  readonly worker: string
  readonly bus: Bus
  /** Threads that this process is claiming just now. */
  readonly claiming: Set<string>
  /** Threads that this process drives, and under which epoch. */
  readonly driving: Map<Incarnation, Epoch>
  /** Leases that could not be released, because the journal failed (LEASE-3). */
  readonly unreleased: Map<string, Lease>
  /** What this process drives, and whether it takes on new work. */
  readonly drain: Drain
  /** What code supplied to runs in this process, by `runKey`. */
  readonly overrides: Map<string, RunOverrides>
  /** Those of them that wait while nobody follows them here, the oldest first (DEPS-1). */
  readonly left: Map<string, LeftRun>
  /** The resolvers of callers that wait for a run in this process, by `runKey` (RESOLVE-2). */
  readonly resolvers: Map<string, Set<AskedResolver>>
  /** The model objects that forks were made with in this process, by their ids. */
  readonly models: Map<string, ModelObject>
}

/** The runtime of an agent that has not run yet. One that was made from another has the same, unless it has another journal or other ports. */
export function createRuntime(
  { journal, ports, options }: Definition,
  from?: { readonly definition: Definition; readonly runtime: Runtime },
): Runtime {
  if (from && from.runtime.journal === journal && from.definition.options.ports === options.ports) return from.runtime
  let worker: string | undefined
  return {
    ...createThreadAccess(journal, ports),
    // Made with its first use: where workers of the web are loaded, nothing may be drawn.
    get worker() {
      worker ??= ports.ids()
      return worker
    },
    bus: createBus(),
    claiming: new Set(),
    driving: new Map(),
    unreleased: new Map(),
    drain: from?.runtime.drain ?? { isDraining: false, awaited: new Set(), onEmpty: [] },
    overrides: new Map(),
    left: new Map(),
    resolvers: new Map(),
    models: new Map(),
  }
}

/** Names a run of a thread in this process. */
export const runKey = (incarnation: Incarnation, run: string): string => `${incarnation}/${run}`
