/** What the threads of an agent, and those of its children, share in this process. */
import type { Epoch, Head, Incarnation, Journal, Outbox } from '@loom-agent/kernel'
import { type Bus, createBus } from '../bus/bus.ts'
import { createLocks, type Locks } from '../call/scheduler.ts'
import type { RunOverrides } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import type { Ports } from '../platform/ports.ts'
import { createThreadCache, type ThreadCache } from './thread-cache.ts'

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
}

/** What this process drives, and whether it is draining. */
export interface Drain {
  isDraining: boolean
  readonly driving: Set<Driving>
  /** Called when nothing is driven any more. */
  onEmpty: (() => void)[]
  /** Called when draining begins, for each result that is waited for here. */
  readonly onDraining: Set<() => void>
}

/** The shared side of an agent at work. */
export interface Runtime {
  readonly journal: Journal
  readonly ports: Ports
  /** The name under which this process leases threads. */
  readonly worker: string
  readonly bus: Bus
  readonly threads: ThreadCache
  readonly locks: Locks
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
}

/** The runtime of an agent that has not run yet. */
export function createRuntime({ journal, ports }: Definition): Runtime {
  return {
    journal,
    ports,
    worker: ports.ids(),
    bus: createBus(),
    threads: createThreadCache(journal),
    locks: createLocks(),
    claiming: new Set(),
    driving: new Map(),
    unreleased: new Map(),
    drain: { isDraining: false, driving: new Set(), onEmpty: [], onDraining: new Set() },
    overrides: new Map(),
  }
}

/** Names a run of a thread in this process. */
export const runKey = (incarnation: Incarnation, run: string): string => `${incarnation}/${run}`
