/** Driving a thread: take it, let `tt` run, let go of it, and look whether somebody came meanwhile. */
import {
  type Draft,
  type Epoch,
  type Frame,
  isAtRest,
  isOver,
  items,
  LoomError,
  type LoomEvent,
  type Run,
  readEvents,
  summarize,
  tt,
} from '@loom-agent/kernel'
import type { Resolver, RunHandle } from '../agent-type.ts'
import { createPrompt } from '../context/prompt.ts'
import type { Definition } from '../definition/definition.ts'
import { recordedFor } from '../call/stand-in.ts'
import type { CompiledPolicy } from '../permission/policy.ts'
import { sleepUntil } from '../resilience/sleep.ts'
import { createScheduler } from '../call/scheduler.ts'
import type { LaunchRequest } from '../run/run-input.ts'
import { createChildRunner } from '../run/children.ts'
import { createPerformer } from './performer.ts'
import { catchUp, type Resident } from './thread-cache.ts'
import { resolveRun } from '../definition/run-context.ts'
import type { World } from './runtime.ts'

/** An agent at work in a world: itself, or somebody's child. */
export interface Runtime {
  readonly definition: Definition
  readonly world: World
  /** Its own policy first, then those of its ancestors. */
  readonly policies: readonly (CompiledPolicy | undefined)[]
  /** The threads above, nearest first. */
  readonly ancestors: readonly string[]
  /** Who answers the questions of children too. */
  readonly onQuestion: Resolver | undefined
  /** How runs of children are launched. */
  readonly launch: (runtime: Runtime, request: LaunchRequest) => RunHandle<unknown>
}

/** Why a thread is taken although nothing in it calls for a driver. */
export interface DriveOptions {
  /** Somebody asked for it: a child was answered, a time has come. */
  readonly force?: boolean
  /** Goes on with a run that was paused or had failed. */
  readonly resume?: string
}

/** How driving ended: the thread rests, or another driver has it. */
export type Driven = { readonly kind: 'rests' | 'held'; readonly frame: Frame; readonly resident: Resident }

/** How long a thread at rest, in which something has come, is asked for from a driver that is about to let go of it. */
const patience = { tries: 50, ms: 20 }

/** Drives a thread until it rests. */
export async function drive(runtime: Runtime, thread: string, options: DriveOptions = {}): Promise<Driven> {
  const { resident, letGo } = await runtime.world.residents.hold(thread)
  try {
    return await driveUntilRest(runtime, resident, options)
  } finally {
    letGo()
  }
}

async function driveUntilRest(runtime: Runtime, resident: Resident, options: DriveOptions): Promise<Driven> {
  const { world } = runtime
  const { journal } = world
  let tries = 0
  let { resume } = options
  let force = options.force === true && mayMove(resident.frame, runtime.world.ports.clock.now())
  while (force || resume !== undefined || !isAtRest(resident.frame)) {
    const epoch = await acquire(runtime, resident)
    if (epoch === undefined) {
      // Who holds it may be about to let go, and may not know why we came.
      if (!force || tries >= patience.tries) return { kind: 'held', frame: resident.frame, resident }
      tries += 1
      await sleepUntil(world.ports.clock.now() + patience.ms, { clock: world.ports.clock })
      await catchUp(journal, resident)
      force = mayMove(resident.frame, world.ports.clock.now())
      continue
    }
    const frame = await driveTaken(runtime, resident, { epoch, resume })
    if (frame.epoch !== epoch && frame.epoch !== 0) return { kind: 'held', frame, resident }
    force = false
    resume = undefined
    await catchUp(journal, resident)
  }
  return { kind: 'rests', frame: resident.frame, resident }
}

/** Whether a run goes on only when somebody says so: it was paused, or had failed. */
const needsResuming = ({ run }: Frame): boolean => run?.status === 'failed' || (run?.status === 'suspended' && run.pause)

/** A thread that was taken, and what is said when it is gone on with. */
interface Taken {
  readonly epoch: Epoch
  readonly resume: string | undefined
}

/** Drives a thread that is ours, and lets go of it however that ends. */
async function driveTaken(runtime: Runtime, resident: Resident, taken: Taken): Promise<Frame> {
  const { journal, driving } = runtime.world
  const { thread } = resident.frame
  const { epoch } = taken
  let kept = false
  try {
    // Whoever had it may have gone on until it was taken: what there was to do may be done.
    await catchUp(journal, resident)
    const resume = needsResuming(resident.frame) ? taken.resume : undefined
    const frame = await driveOnce(runtime, resident, { epoch, resume })
    kept = frame.epoch === epoch
    return frame
  } finally {
    // Whoever fenced this one out may drive it in this process too.
    if (driving.get(thread) === epoch) driving.delete(thread)
    // What was thought and never became durable must not be told to a model.
    if (!kept) resident.prompt = createPrompt()
    await journal.release(thread, epoch).catch(() => {
      // Whoever takes the thread next in this process knows that nobody here drives it.
    })
  }
}

/** Whether a thread at rest may have something to do all the same: its time has come, or a child of it may have moved on. */
function mayMove(frame: Frame, now: number): boolean {
  const { run } = frame
  if (!run || isOver(run)) return false
  const due = summarize(frame).wakeAt
  return (due !== undefined && due <= now) || [...items(run.calls)].some(({ open }) => open.some(({ child }) => child !== undefined))
}

/** Takes a thread, one claim of this process after another: two at a time could each take the other's hold for one that was left. */
async function acquire({ world }: Runtime, { frame }: Resident): Promise<Epoch | undefined> {
  const { claiming } = world
  const { thread } = frame
  if (claiming.has(thread)) return undefined
  claiming.add(thread)
  try {
    return await claim(world, frame)
  } finally {
    claiming.delete(thread)
  }
}

async function claim({ journal, worker, driving }: World, { thread, epoch }: Frame): Promise<Epoch | undefined> {
  let force = false
  for (let seen = epoch; ; ) {
    const result = await journal.acquire(thread, { worker, seen, force })
    if (result.kind === 'acquired') {
      driving.set(thread, result.epoch)
      return result.epoch
    }
    if (result.epoch < seen) throw removedError(thread)
    // A hold of our own that nobody here makes use of was left by a driver whose journal failed.
    const left = result.holder === worker && driving.get(thread) !== result.epoch
    if (result.holder !== undefined && (!left || force)) return undefined
    force = left
    seen = result.epoch
  }
}

const removedError = (thread: string): LoomError =>
  new LoomError('LOOM_THREAD_NOT_FOUND', `The thread ${thread} was removed while it was driven. What it had not stored is lost.`, {
    context: { thread },
  })

async function driveOnce(runtime: Runtime, resident: Resident, taken: Taken): Promise<Frame> {
  const { definition, world, policies, ancestors } = runtime
  const { thread } = resident.frame
  const lineage = [thread, ...ancestors]
  const children = createChildRunner(runtime, thread)
  const upgrade = upgradeOf(definition, resident.frame)
  const performer = createPerformer({
    definition,
    resident,
    hub: world.hub,
    lineage,
    policies,
    scheduler: createScheduler(definition.behaviour.concurrency, world.locks),
    children,
    recorded: resident.frame.fork ? await recordedFor(world.journal, resident.frame) : undefined,
    resolve: (frame: Frame, run: Run) => resolveRun(definition, frame, { run, overrides: world.overrides.get(`${thread}/${run.id}`) ?? {} }),
  })
  const opening: Draft[] = [{ type: 'driver.acquired', data: { epoch: taken.epoch, worker: world.worker } }]
  if (upgrade) opening.push(upgrade)
  if (taken.resume !== undefined) opening.push({ type: 'run.resumed', data: { cause: taken.resume } })
  const committed = (events: readonly LoomEvent[], frame: Frame): void => {
    resident.frame = frame
    world.hub.publish(lineage, events)
    for (const listener of world.listeners.get(thread) ?? []) listener(frame, events)
    if (definition.observers.length > 0) observe(definition, resident, events)
  }
  const start = definition.observers.length > 0 ? await observeVisitors(runtime, resident) : resident.frame
  try {
    return await tt(start, {
      journal: world.journal,
      clock: world.ports.clock,
      performer,
      epoch: taken.epoch,
      opening,
      committed,
      refold: world.ports.refold,
    })
  } finally {
    children.close()
  }
}

/** New code meets a run that older code began: a fact, so that what follows can be explained. */
function upgradeOf(definition: Definition, { run }: Frame): Draft | undefined {
  if (!run || (isOver(run) && run.status !== 'failed')) return undefined
  const { fingerprint: from } = run.request.agent
  const to = definition.fingerprint()
  return from === to ? undefined : { type: 'agent.upgraded', data: { from, to } }
}

/** Tells observers what visitors wrote while nobody drove the thread. Answers how far: what one of them writes meanwhile, the driver meets and tells. */
async function observeVisitors({ definition, world: { journal } }: Runtime, resident: Resident): Promise<Frame> {
  const { frame } = resident
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, frame.thread, resident.observed + 1)) if (event.seq <= frame.seq) events.push(event)
  observe(definition, resident, events)
  return frame
}

/** Tells observers. One that throws is its own problem: observers cannot change a run, and so cannot break it. */
function observe({ observers }: Definition, resident: Resident, events: readonly LoomEvent[]): void {
  for (const event of events) {
    if (event.seq <= resident.observed) continue
    resident.observed = event.seq
    for (const observer of observers) {
      try {
        observer(event, resident.frame)
      } catch {}
    }
  }
}
