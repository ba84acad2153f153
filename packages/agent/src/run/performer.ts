/** The performer: the only impure part of a thread's life. It does what `decide` says, and nothing else. */
import {
  type Call,
  type Desk,
  type Draft,
  type Effect,
  failureOf,
  type HookPoint,
  isLoomError,
  items,
  LoomError,
  type Performer,
  type Run,
} from '@loom-agent/kernel'
import { type Assembly, assemble, createAssembly } from '../context/assemble.ts'
import type { Definition } from '../definition.ts'
import { isPassed, passRunPoint } from '../hook/pass-run.ts'
import { attemptModel, type ModelScene } from '../model/call.ts'
import { createIdleGuard, type IdleGuard } from '../model/idle-guard.ts'
import { createLeash, type Leash } from '../platform/leash.ts'
import { messageOf } from '../platform/normalize.ts'
import { isCallPassed, passAfter, withhold } from '../tool/call-hooks.ts'
import { abortCalls, isBusy, seeToCalls } from '../tool/runner.ts'
import type { CallHands, RunnerScene } from '../tool/runner-scene.ts'
import type { DriveScene } from './drive-scene.ts'
import type { RunContext } from './run-context.ts'

/** What a performer has in hand: calls, one model attempt, and one step of anything else at a time. */
interface Hands {
  readonly scene: DriveScene
  readonly assembly: Assembly
  readonly guard: IdleGuard
  /** Hook points that were passed and changed nothing, so that no event says so. */
  readonly passed: Set<string>
  readonly calls: CallHands
  step: { readonly name: string; readonly leash: Leash } | undefined
  model: Leash | undefined
  /** The run whose stop was passed on to what is in hand, and the one that code supplies nothing to. */
  halted: string | undefined
  unresolved: string | undefined
  work: { readonly models: ModelScene; readonly tools: RunnerScene } | undefined
  idle: (() => void)[]
  /** The driver was told to wait for something in hand. */
  waited: boolean
  aborted: boolean
}

type Progress = ReturnType<Performer['perform']>

/** The performer of one driver. */
export function createPerformer(scene: DriveScene): Performer {
  const { ports, behaviour } = scene.definition
  const hands: Hands = {
    scene,
    assembly: createAssembly(),
    guard: createIdleGuard(ports.clock, behaviour.modelIdle),
    passed: new Set(),
    calls: new Map(),
    step: undefined,
    model: undefined,
    halted: undefined,
    unresolved: undefined,
    work: undefined,
    idle: [],
    waited: false,
    aborted: false,
  }
  return {
    perform(effect, desk) {
      const progress = perform(hands, effect, desk)
      if (progress === 'busy') hands.waited = true
      return progress
    },
    abort(reason) {
      hands.aborted = true
      halt(hands, reason)
      hands.guard.close()
      for (const resolve of hands.idle.splice(0)) resolve()
    },
    idle: () => idle(hands),
  }
}

/** Tells everything in hand to end. */
function halt(hands: Hands, reason: string): void {
  hands.step?.leash.abort()
  hands.model?.abort()
  abortCalls(hands.calls, reason)
}

const isIdle = (hands: Hands): boolean => !hands.step && !hands.model && !isBusy(hands.calls)

/** Resolves when nothing is in hand, or when what was aborted has had its grace: a hook that hangs must not hold the thread. */
function idle(hands: Hands): Promise<void> {
  if (isIdle(hands)) return Promise.resolve()
  const { ports, behaviour } = hands.scene.definition
  return new Promise((resolve) => {
    const cancel = hands.aborted ? ports.clock.at(ports.clock.now() + behaviour.grace, resolve) : undefined
    hands.idle.push(() => {
      cancel?.()
      resolve()
    })
  })
}

/** Something in hand has ended; the driver is told only if it was told to wait for it. */
function settle(hands: Hands, desk: Desk): void {
  if (hands.idle.length > 0 && isIdle(hands)) for (const resolve of hands.idle.splice(0)) resolve()
  if (hands.waited) desk.ring()
  hands.waited = false
}

function perform(hands: Hands, effect: Effect, desk: Desk): Progress {
  const { run } = desk.frame
  if (!run || !('hooks' in effect) || (effect.kind === 'record' && effect.hooks.length === 0)) return 'settled'
  if (run.stop && hands.halted !== run.id) {
    hands.halted = run.id
    halt(hands, run.stop.reason)
  }
  if (effect.kind === 'record') return leave(hands, desk, effect.hooks)
  const work = workFor(hands, desk, run)
  if (!work || !passAll(hands, desk, effect.hooks)) return 'busy'
  switch (effect.kind) {
    case 'assemble':
      return performAssembly(hands, desk, work.models.context)
    case 'call-model':
      return performModel(hands, desk, effect)
    case 'call-tools':
      return seeToCalls(work.tools, desk, effect)
  }
}

/** Before a fact that ends something: nothing may be in hand, and whoever has a say there was asked. */
function leave(hands: Hands, desk: Desk, points: readonly HookPoint[]): Progress {
  if (isBusy(hands.calls)) return 'busy'
  const run = desk.frame.run as Run
  const used = points.filter((point) => hands.scene.definition.hooks[point])
  if (used.length === 0) return 'settled'
  if (!workFor(hands, desk, run) && hands.unresolved !== run.id) return 'busy'
  return passAll(hands, desk, used) ? 'settled' : 'busy'
}

/** What code supplies to the run; undefined while it is being resolved. */
function workFor(hands: Hands, desk: Desk, run: Run): Hands['work'] {
  const isCurrent = (): boolean => hands.work?.models.context.run === run.id
  if (isCurrent() || hands.unresolved === run.id) return hands.work
  const { scene, guard, passed, calls } = hands
  const adopt = (context: RunContext): void => {
    const { definition, resident, hub, lineage } = scene
    const models: ModelScene = { definition, context, prompt: resident.prompt, hub, lineage, guard }
    hands.work = { models, tools: { ...scene, context, passed, hands: calls, settled: () => settle(hands, desk) } }
  }
  try {
    const resolved = hands.step ? undefined : scene.resolve(desk.frame, run)
    if (resolved && !(resolved instanceof Promise)) adopt(resolved)
    else runStep(hands, desk, { name: 'resolve', work: async () => resolved && adopt(await resolved) })
  } catch (error) {
    runStep(hands, desk, { name: 'resolve', work: () => Promise.reject(error) })
  }
  return isCurrent() ? hands.work : undefined
}

interface Step {
  readonly name: string
  readonly leash?: Leash
  readonly work: (signal: AbortSignal) => Promise<void>
}

/** Runs something that takes time as the one step in hand; a failure is a resumable end of the run, unless the run is stopped anyway. */
function runStep(hands: Hands, desk: Desk, { name, leash = leashFor(hands), work }: Step): 'busy' {
  if (hands.step) {
    if (hands.step.name !== name) hands.step.leash.abort()
    return 'busy'
  }
  const isStopped = (): boolean => desk.frame.run?.stop !== undefined
  hands.step = { name, leash }
  if (isStopped()) leash.hurry()
  const failing = (error: unknown): void => {
    if (name === 'resolve' && isStopped()) hands.unresolved = desk.frame.run?.id
    else if (!leash.aborted) desk.put([failed(error)], 'intended')
  }
  void leash
    .hold(work(leash.signal))
    .catch(failing)
    .finally(() => {
      hands.step = undefined
      settle(hands, desk)
    })
  return 'busy'
}

const leashFor = ({ scene: { definition } }: Hands): Leash => createLeash({ clock: definition.ports.clock, grace: definition.behaviour.grace })

/** Passes the points before an effect; true when none is left. A point that nobody uses costs one look. */
function passAll(hands: Hands, desk: Desk, points: readonly HookPoint[]): boolean {
  const { scene, passed } = hands
  for (const point of points) {
    if (!scene.definition.hooks[point]) continue
    if (point === 'afterToolExecution') {
      const call = [...items((desk.frame.run as Run).calls)].find(({ id }) => !isCallPassed(desk.frame, passed, id))
      if (!call) continue
      if (hands.work) passCall(hands, desk, call)
      else withhold(desk, call.id, passed)
      return false
    }
    if (isPassed(desk.frame, passed, point)) continue
    const { models } = hands.work as NonNullable<Hands['work']>
    runStep(hands, desk, { name: point, work: (signal) => passRunPoint(models, desk, { point, signal, passed }) })
    return false
  }
  return true
}

function passCall(hands: Hands, desk: Desk, call: Call): void {
  const { tools } = hands.work as NonNullable<Hands['work']>
  runStep(hands, desk, { name: `after ${call.id}`, work: (signal) => passAfter(tools, desk, { call, signal }) })
}

function performAssembly(hands: Hands, desk: Desk, context: RunContext): Progress {
  if (hands.step) return 'busy'
  const leash = leashFor(hands)
  const drafts = assembleSafely(hands, desk, { context, leash })
  if (!(drafts instanceof Promise)) {
    desk.put(drafts, 'intended')
    return 'begun'
  }
  const work = async (signal: AbortSignal): Promise<void> => {
    const settled = await drafts
    if (!signal.aborted) await desk.append(settled, 'intended')
  }
  return runStep(hands, desk, { name: 'assemble', leash, work })
}

/** A strategy that throws at once has failed like one that rejects. */
function assembleSafely(
  { scene, assembly }: Hands,
  { frame }: Desk,
  { context, leash }: { context: RunContext; leash: Leash },
): ReturnType<typeof assemble> {
  try {
    return assemble(scene.definition, context, { assembly, frame, leash })
  } catch (error) {
    return Promise.reject(error)
  }
}

function performModel(hands: Hands, desk: Desk, effect: Extract<Effect, { kind: 'call-model' }>): Progress {
  if (hands.model) return 'busy'
  const { models } = hands.work as NonNullable<Hands['work']>
  const leash = leashFor(hands)
  hands.model = leash
  const done = (): void => {
    hands.model = undefined
    settle(hands, desk)
  }
  const failing = (error: unknown): void => {
    desk.put([failed(error)], 'intended')
    done()
  }
  const { notBefore, attempt: number } = effect
  if (notBefore === undefined) {
    void attemptModel(models, desk, { number, leash }).then(done, failing)
    return 'begun'
  }
  const attempt = async (): Promise<void> => {
    await sleepUntil(hands.scene.definition, notBefore, leash.signal)
    if (!leash.aborted) await attemptModel(models, desk, { number, leash })
  }
  void attempt().then(done, failing)
  return 'busy'
}

function failed(error: unknown): Draft {
  const known = isLoomError(error) ? error : new LoomError('LOOM_RUN_FAILED', `The run failed: ${messageOf(error)}`, { cause: error })
  return { type: 'run.failed', data: { error: failureOf(known) } }
}

function sleepUntil({ ports }: Definition, time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = ports.clock.at(time, wake)
    signal.addEventListener('abort', wake, { once: true })
  })
}
