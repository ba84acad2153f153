/** Driving a thread for one epoch: `tt` runs from the lease to its release. Loaded before the first epoch of a process. */
import { type Draft, type Effect, type ForkEffects, type Frame, isOver, type Journal, type Run, type Shell, tt } from '@loom-agent/kernel'
import { loadRecording } from '../attempt/attempt-model.ts'
import { loadBudgeting } from '../attempt/budgeting.ts'
import { loadOutputFormat } from '../attempt/build-request.ts'
import { loadJudgement, needsJudgement } from '../call/authorize.ts'
import { createDeadlines } from '../call/deadlines.ts'
import type { StandIns } from '../call/stand-in.ts'
import { isAsked, loadAsking } from '../context/assemble.ts'
import { createPrompt } from '../context/prompt.ts'
import type { Definition } from '../definition/definition.ts'
import { loadGuarding } from '../guard/load-guarding.ts'
import { isBudgeted } from '../model/budget.ts'
import { isRedactionLoaded, loadRedaction } from '../platform/redaction.ts'
import { isOther, requireOwn } from './adoption.ts'
import type { AgentInstance } from './agent-instance.ts'
import type { HookPoints } from './hook-points.ts'
import { createEntryCheck, releaseLease } from './lease.ts'
import { needsResuming } from './needs-resuming.ts'
import { createPerformer } from './performer.ts'
import { type Driving, type Lease, runKey } from './runtime.ts'
import { type CachedThread, foldNews, isRemoved } from './thread-cache.ts'
import { createThreadDriver, type EpochParts } from './thread-driver.ts'

/** One epoch of a thread: the lease it is driven under, and what is recorded when a run is resumed. */
export interface EpochRequest {
  readonly lease: Lease
  readonly resume: string | undefined
  readonly driving: Driving
}

/** Drives for one epoch: from the lease to its release. False when another driver took the thread over meanwhile. */
export async function driveEpoch(instance: AgentInstance, cached: CachedThread, request: EpochRequest): Promise<boolean> {
  const { runtime } = instance
  const { thread, epoch, head } = request.lease
  const channel = runtime.bus.channel({ thread, incarnation: head.incarnation, parent: head.summary.parent })
  let stopObserving = (): void => {}
  let closeTree = (): void => {}
  let isKept = false
  let isGone = false
  try {
    // The driver before may have gone on until it released the thread: what there was to do may be done.
    await foldNews(runtime.journal, cached, head.seq)
    requireOwn(instance, cached.frame)
    const start = cached.frame
    if (instance.definition.observers.length > 0) stopObserving = await observe(instance, cached)
    const effects = start.fork?.effects ?? instance.forkEffects
    const standIns = effects && effects !== 'live' ? await loadStandIns(runtime.journal, start, effects) : undefined
    // Loaded before the driver starts, as hooks are, so that a turn waits for none of it.
    const isJudged = needsJudgement([...instance.policies, ...(standIns?.policies ?? [])], instance.definition.toolbox)
    const runCalls = isJudged || instance.runCalls ? (await loadJudgement()).runCallsOf(instance, start) : undefined
    const needed = loadNeeded(instance.definition, start.run)
    // A replay takes what is still to come for missing: where nothing is loaded, nothing is waited for.
    if (needed) await needed
    const hookPoints = hasHooks(instance.definition) ? await loadHookPoints() : undefined
    const mayEnter = createEntryCheck(runtime.journal, request.lease)
    const children = instance.childRunner(runCalls ? { ...instance, runCalls } : instance)
    closeTree = () => {
      children.close()
      runCalls?.close()
    }
    const left = await tt(start, shellOf(instance, { cached, channel, children, standIns, hookPoints, mayEnter, runCalls }, request))
    isKept = left.epoch === epoch
    return isKept
  } catch (error) {
    isGone = isRemoved(error)
    throw error
  } finally {
    stopObserving()
    channel.close()
    closeTree()
    // What was rendered and never became durable must not be sent to a model.
    if (!isKept) cached.prompt = createPrompt()
    const last = await releaseLease(runtime, request.lease, isGone)
    if (last) await foldNews(runtime.journal, cached, last.seq)
  }
}

/** Loads what this agent and this run need, and others do without; undefined where there is nothing to wait for. */
function loadNeeded({ context, options, guards }: Definition, run: Run | undefined): Promise<unknown> | undefined {
  const loads = [
    run && isBudgeted(run) ? loadBudgeting() : undefined,
    isRedactionLoaded() ? undefined : loadRedaction(),
    isAsked(context) ? loadAsking() : undefined,
    options.output === undefined ? undefined : loadOutputFormat(),
    options.record?.deltas ? loadRecording() : undefined,
    guards.length > 0 ? Promise.all([loadGuarding(), import('./guard-steering.ts')]) : undefined,
  ].filter((load) => load !== undefined)
  return loads.length > 0 ? Promise.all(loads) : undefined
}

/** Loaded on use: most threads are no forks. */
async function loadStandIns(journal: Journal, frame: Frame, effects: ForkEffects): Promise<StandIns> {
  const { createStandIns } = await import('../call/stand-in.ts')
  return createStandIns(journal, frame, effects)
}

/** Loaded on use: most agents have no observers. */
async function observe(instance: AgentInstance, cached: CachedThread): Promise<() => void> {
  const { startObserving } = await import('./observe.ts')
  return startObserving(instance, cached)
}

/** Loaded before the driver starts, so that a turn does not wait for it at every point. */
export async function loadHookPoints(): Promise<HookPoints> {
  const { hookPoints } = await import('./hook-points.ts')
  return hookPoints
}

const hasHooks = ({ hooks }: Definition): boolean => Object.keys(hooks).length > 0

const endsRun = /^run\.(finished|failed|stopped)/

/** What the kernel needs to drive the thread. */
function shellOf(instance: AgentInstance, parts: Omit<EpochParts, 'outbox' | 'deadlines'>, { lease, resume, driving }: EpochRequest): Shell {
  const { runtime, definition } = instance
  const { journal, ports, worker, overrides } = runtime
  const deadlines = createDeadlines(ports.clock)
  const { cached, channel } = parts
  const upgrade = upgradeOf(definition, cached.frame)
  const opening: Draft[] = [{ type: 'driver.acquired', data: { epoch: lease.epoch, worker } }]
  if (upgrade) opening.push(upgrade)
  if (resume !== undefined && needsResuming(cached.frame)) opening.push({ type: 'run.resumed', data: { cause: resume } })
  return {
    journal,
    clock: ports.clock,
    epoch: lease.epoch,
    opening,
    performer(outbox) {
      driving.outbox = outbox
      parts.runCalls?.attach(outbox)
      return createPerformer(createThreadDriver(instance, { ...parts, outbox, deadlines }))
    },
    // A thread with a child that was left to its next driver does not wait: it has to be found (DRAIN-5).
    leaves: (effect, frame) => (effect.kind === 'suspend' && parts.children.hasLeft()) || leaves(instance, effect, frame),
    committed(events, frame) {
      cached.frame = frame
      // Code supplies nothing to a run that has ended, even if its result is waited for.
      for (const { type, run = '' } of events) if (endsRun.test(type)) overrides.delete(runKey(frame.incarnation, run))
      channel.commit(events, frame)
    },
    refold: ports.refold,
  }
}

/** Whether an effect is the beginning of a run, a turn, a model call or a call of a tool; other facts are about what has begun. */
function startsWork(effect: Effect): boolean {
  if (effect.kind === 'record') return effect.events.some(({ type }) => type === 'run.started' || type === 'turn.entered')
  return effect.kind === 'assemble' || effect.kind === 'call-model' || effect.kind === 'call-tools'
}

/** Whether this driver leaves an effect to the next one: it would start work while the process drains (DRAIN-1), or the thread is another agent's (ADOPT-2). */
function leaves(instance: AgentInstance, effect: Effect, frame: Frame): boolean {
  const { kind } = effect
  if (instance.runtime.drain.isDraining && startsWork(effect)) return true
  if (kind === 'wait' || kind === 'abort' || !isOther(instance, frame)) return false
  // A stop starts nothing, and has to reach what is in flight here.
  return !frame.run?.stop || isOver(frame.run)
}

/** Records that other code goes on with the run than started it, so that what follows can be explained. */
function upgradeOf(definition: Definition, { run }: Frame): Draft | undefined {
  if (!run || (isOver(run) && run.status !== 'failed')) return undefined
  const { fingerprint: from } = run.request.agent
  const to = definition.fingerprint()
  return from === to ? undefined : { type: 'agent.upgraded', data: { from, to } }
}
