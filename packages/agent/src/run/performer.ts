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
import { messageOf } from '../platform/normalize.ts'
import { isCallPassed, passAfter } from '../tool/call-hooks.ts'
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
  step: { readonly name: string; readonly controller: AbortController } | undefined
  model: AbortController | undefined
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
      hands.step?.controller.abort()
      hands.model?.abort()
      abortCalls(hands.calls, reason)
      hands.guard.close()
      for (const resolve of hands.idle.splice(0)) resolve()
    },
    idle: () => idle(hands),
  }
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
  const work = workFor(hands, desk, run)
  if (!work) return 'busy'
  const leaving = effect.kind === 'record' && isBusy(hands.calls)
  if (leaving || !passAll(hands, desk, effect.hooks)) return 'busy'
  switch (effect.kind) {
    case 'record':
      return 'settled'
    case 'assemble':
      return performAssembly(hands, desk, work.models.context)
    case 'call-model':
      return performModel(hands, desk, effect)
    case 'call-tools':
      return seeToCalls(work.tools, desk, effect)
  }
}

/** What code supplies to the run; undefined while it is being resolved. */
function workFor(hands: Hands, desk: Desk, run: Run): Hands['work'] {
  const isCurrent = (): boolean => hands.work?.models.context.run === run.id
  if (isCurrent()) return hands.work
  const { scene, guard, passed, calls } = hands
  const adopt = (context: RunContext): void => {
    const { definition, resident, hub, lineage } = scene
    const models: ModelScene = { definition, context, prompt: resident.prompt, hub, lineage, guard }
    hands.work = { models, tools: { ...scene, context, passed, hands: calls, settled: () => settle(hands, desk) } }
  }
  try {
    const resolved = scene.resolve(desk.frame, run)
    if (resolved instanceof Promise) runStep(hands, desk, { name: 'resolve', work: async () => adopt(await resolved) })
    else adopt(resolved)
  } catch (error) {
    runStep(hands, desk, { name: 'resolve', work: () => Promise.reject(error) })
  }
  return isCurrent() ? hands.work : undefined
}

interface Step {
  readonly name: string
  readonly work: (signal: AbortSignal) => Promise<void>
}

/** Runs something that takes time as the one step in hand; a failure is a resumable end of the run. */
function runStep(hands: Hands, desk: Desk, { name, work }: Step): 'busy' {
  if (hands.step) {
    if (hands.step.name !== name) hands.step.controller.abort()
    return 'busy'
  }
  const controller = new AbortController()
  hands.step = { name, controller }
  const failing = (error: unknown): void => {
    if (!controller.signal.aborted) desk.put([failed(error)], 'intended')
  }
  void work(controller.signal)
    .catch(failing)
    .finally(() => {
      hands.step = undefined
      settle(hands, desk)
    })
  return 'busy'
}

/** Passes the points before an effect; true when none is left. A point that nobody uses costs one look. */
function passAll(hands: Hands, desk: Desk, points: readonly HookPoint[]): boolean {
  const { scene, passed } = hands
  for (const point of points) {
    if (!scene.definition.hooks[point]) continue
    if (point === 'afterToolExecution') {
      const call = [...items((desk.frame.run as Run).calls)].find(({ id }) => !isCallPassed(desk.frame, passed, id))
      if (!call) continue
      passCall(hands, desk, call)
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
  const drafts = assembleSafely(hands, desk, context)
  if (!(drafts instanceof Promise)) {
    desk.put(drafts, 'intended')
    return 'begun'
  }
  const work = async (signal: AbortSignal): Promise<void> => {
    const settled = await drafts
    if (!signal.aborted) await desk.append(settled, 'intended')
  }
  return runStep(hands, desk, { name: 'assemble', work })
}

/** A strategy that throws at once has failed like one that rejects. */
function assembleSafely({ scene, assembly }: Hands, { frame }: Desk, context: RunContext): ReturnType<typeof assemble> {
  try {
    return assemble(scene.definition, context, { assembly, frame })
  } catch (error) {
    return Promise.reject(error)
  }
}

function performModel(hands: Hands, desk: Desk, effect: Extract<Effect, { kind: 'call-model' }>): Progress {
  if (hands.model) return 'busy'
  const { models } = hands.work as NonNullable<Hands['work']>
  const controller = new AbortController()
  hands.model = controller
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
    void attemptModel(models, desk, { number, controller }).then(done, failing)
    return 'begun'
  }
  const attempt = async (): Promise<void> => {
    await sleepUntil(hands.scene.definition, notBefore, controller.signal)
    if (!controller.signal.aborted) await attemptModel(models, desk, { number, controller })
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
