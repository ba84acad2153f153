/** The thread driver: everything that one driver works with during one epoch. Model calls, tool calls and hook points take it as it is. */
import type { Frame, Outbox, Run } from '@loom-agent/kernel'
import type { ModelWork } from '../attempt/model-work.ts'
import type { CallWork } from '../call/call-work.ts'
import type { Deadlines } from '../call/deadlines.ts'
import { createScheduler } from '../call/scheduler.ts'
import { type Assembly, createAssembly } from '../context/assembly.ts'
import { type RunContext, resolveRun } from '../definition/run-context.ts'
import { createIdleGuard } from '../model/idle-guard.ts'
import type { AgentInstance } from './agent-instance.ts'
import type { HookPoints } from './hook-points.ts'
import { createInFlight, type InFlight, isIdle } from './in-flight.ts'
import { runKey } from './runtime.ts'
import type { CachedThread } from './thread-cache.ts'

/** A driver whose run is supplied by code: only then can effects be performed. */
export interface SuppliedDriver extends ThreadDriver {
  readonly context: RunContext
}

/** One driver of one thread, for one epoch. */
export interface ThreadDriver extends Omit<ModelWork & CallWork, 'context'> {
  readonly instance: AgentInstance
  readonly inFlight: InFlight
  readonly assembly: Assembly
  readonly hookPoints: HookPoints | undefined
  /** What code supplies to the run; undefined until it is resolved. */
  context: RunContext | undefined
  /** The run that code cannot supply. */
  unsupplied: string | undefined
  /** The run whose stop was passed on to what is in flight, and whether its children have stopped. */
  stopping: string | undefined
  haveChildrenStopped: boolean
  /** What was in flight when the time of the run was used up. */
  interrupted: readonly string[]
  /** The kernel waits for something in flight. */
  isAwaited: boolean
  isAborted: boolean
  /** The seq of the last message for the run that the guards of this driver have looked at. */
  guardedTo: number
  /** Where the last call was found whose hooks after it were not called. */
  passedTo: number
  /** Called when nothing is in flight any more. */
  onIdle: (() => void)[]
}

/** What belongs to one epoch of one thread. */
export interface EpochParts {
  readonly cached: CachedThread
  readonly outbox: Outbox
  readonly channel: ModelWork['channel']
  readonly children: CallWork['children']
  readonly standIns: CallWork['standIns']
  readonly hookPoints: HookPoints | undefined
  readonly mayEnter: CallWork['mayEnter']
  readonly deadlines: Deadlines
  readonly runCalls: CallWork['runCalls']
}

/** A driver with nothing in flight. */
export function createThreadDriver(instance: AgentInstance, parts: EpochParts): ThreadDriver {
  const { definition, policies, locks } = instance
  const { cached, outbox, channel, children, standIns, hookPoints, mayEnter, deadlines, runCalls } = parts
  const { ports, behaviour } = definition
  const inFlight = createInFlight()
  const driver: ThreadDriver = {
    instance,
    definition,
    outbox,
    journal: instance.runtime.journal,
    prompt: cached.prompt,
    channel,
    children,
    standIns,
    hookPoints,
    mayEnter,
    runCalls,
    inFlight,
    calls: inFlight.calls,
    policies: standIns ? [...policies, ...standIns.policies] : policies,
    scheduler: createScheduler(behaviour.concurrency, locks),
    deadlines,
    guard: createIdleGuard(ports.clock, behaviour.modelIdle),
    assembly: createAssembly(),
    passed: new Set(),
    context: undefined,
    unsupplied: undefined,
    stopping: undefined,
    haveChildrenStopped: false,
    interrupted: [],
    isAwaited: false,
    isAborted: false,
    guardedTo: 0,
    passedTo: 0,
    onIdle: [],
    settled: () => settled(driver),
    attemptEnded: () => attemptEnded(driver),
  }
  return driver
}

/** Something in flight has ended: the kernel is woken if it waits for that. */
export function settled(driver: ThreadDriver): void {
  const { onIdle, inFlight, outbox } = driver
  if (onIdle.length > 0 && isIdle(inFlight)) for (const resolve of onIdle.splice(0)) resolve()
  if (driver.isAwaited) outbox.wake()
  driver.isAwaited = false
}

/** The model attempt in flight has ended. */
function attemptEnded(driver: ThreadDriver): void {
  driver.inFlight.model = undefined
  settled(driver)
}

/** What code supplies to a run: at once where nothing has to be waited for. */
export function supplyRun({ definition, instance }: ThreadDriver, frame: Frame, run: Run): RunContext | Promise<RunContext> {
  const { runtime, inheritedDeps } = instance
  const overrides = runtime.overrides.get(runKey(frame.incarnation, run.id)) ?? {}
  return resolveRun(definition, frame, { run, overrides, models: runtime.models, inheritedDeps })
}
