/** The performer: the only impure part of a thread's life. It does what `decide` says, and nothing else. */
import {
  type Desk,
  type Draft,
  type Effect,
  type Frame,
  failureOf,
  type HookPoint,
  isLoomError,
  items,
  type JsonObject,
  LoomError,
  type Performer,
  type Run,
} from '@loom-agent/kernel'
import { assemble, createAssembly } from '../context/assemble.ts'
import type { Definition } from '../definition.ts'
import type { ModelRequest } from '../hook/hook.ts'
import { hookPlace, type Passage, passPoint, runPatch } from '../hook/pass.ts'
import { attemptModel, buildRequest, type ModelScene } from '../model/call.ts'
import { createIdleGuard } from '../model/idle-guard.ts'
import { requestPatch } from '../model/request-patch.ts'
import { messageOf } from '../platform/normalize.ts'
import { createRunner, passAfter, type Runner } from '../tool/runner.ts'
import type { DriveScene } from './drive-scene.ts'
import type { RunContext } from './run-context.ts'

/** What is in hand besides calls: one step at a time. */
interface InHand {
  step: { readonly name: string; readonly controller: AbortController } | undefined
  model: AbortController | undefined
  context: RunContext | undefined
  runner: Runner | undefined
  /** Hook points that were passed and changed nothing, so that no event says so. */
  readonly passed: Set<string>
  idle: (() => void)[]
  waited: boolean
}

/** The performer of one driver. */
export function createPerformer(scene: DriveScene): Performer {
  const hand: InHand = {
    step: undefined,
    model: undefined,
    context: undefined,
    runner: undefined,
    passed: new Set(),
    idle: [],
    waited: false,
  }
  const assembly = createAssembly()
  const { definition, resident, hub, lineage } = scene
  const guard = createIdleGuard(definition.ports.clock, definition.behaviour.modelIdle)
  const prompt = resident.prompt
  let models: ModelScene | undefined
  const modelScene = (context: RunContext): ModelScene => {
    if (models?.context !== context) models = { definition, context, prompt, hub, lineage, guard }
    return models
  }

  const isIdle = (): boolean => !hand.step && !hand.model && !hand.runner?.isBusy()
  /** Something in hand has ended; the driver is told only if it was told to wait for it. */
  const settle = (desk: Desk): void => {
    if (hand.idle.length > 0 && isIdle()) for (const resolve of hand.idle.splice(0)) resolve()
    if (hand.waited) desk.ring()
    hand.waited = false
  }

  /** Runs something that takes time as the one step in hand; a failure is a resumable end of the run. */
  const runStep = (desk: Desk, name: string, work: (signal: AbortSignal) => Promise<void>): 'busy' => {
    if (hand.step) {
      if (hand.step.name !== name) hand.step.controller.abort()
      return 'busy'
    }
    const controller = new AbortController()
    hand.step = { name, controller }
    work(controller.signal)
      .catch((error: unknown) => (controller.signal.aborted ? undefined : desk.append([failed(error)], 'intended')))
      .finally(() => {
        hand.step = undefined
        settle(desk)
      })
    return 'busy'
  }

  /** What code supplies to the run; undefined while it is being resolved. */
  const contextFor = (desk: Desk, run: Run): RunContext | undefined => {
    if (hand.context?.run === run.id) return hand.context
    const adopt = (context: RunContext): void => {
      hand.context = context
      hand.runner = createRunner(runnerScene(scene, context, hand.passed), () => settle(desk))
    }
    try {
      const resolved = scene.resolve(desk.frame, run)
      if (!(resolved instanceof Promise)) adopt(resolved)
      else runStep(desk, 'resolve', async () => adopt(await resolved))
    } catch (error) {
      runStep(desk, 'resolve', () => Promise.reject(error))
    }
    return hand.context?.run === run.id ? hand.context : undefined
  }

  /** Passes the points before an effect; true when none is left. */
  const pass = (desk: Desk, context: RunContext, points: readonly HookPoint[]): boolean => {
    for (const point of points) {
      if (!scene.definition.hooks[point]) continue
      if (point === 'afterToolExecution') {
        if (passCalls(desk, context)) continue
        return false
      }
      if (hand.passed.has(hookPlace(point, turnAt(point, desk.frame)))) continue
      runStep(desk, point, (signal) => passOne(modelScene(context), desk, { point, signal, passed: hand.passed }))
      return false
    }
    return true
  }

  const passCalls = (desk: Desk, context: RunContext): boolean => {
    for (const call of items((desk.frame.run as Run).calls)) {
      if (hand.passed.has(hookPlace('afterToolExecution', 0, call.id))) continue
      runStep(desk, `after ${call.id}`, (signal) => passAfter(runnerScene(scene, context, hand.passed), desk, { call, signal }))
      return false
    }
    return true
  }

  const model = (desk: Desk, context: RunContext, effect: Extract<Effect, { kind: 'call-model' }>): 'begun' | 'busy' => {
    if (hand.model) return 'busy'
    const controller = new AbortController()
    hand.model = controller
    const done = (): void => {
      hand.model = undefined
      settle(desk)
    }
    const { notBefore, attempt } = effect
    const calling =
      notBefore === undefined
        ? attemptModel(modelScene(context), desk, { number: attempt, controller })
        : sleepUntil(scene.definition, notBefore, controller.signal).then(() =>
            controller.signal.aborted ? undefined : attemptModel(modelScene(context), desk, { number: attempt, controller }),
          )
    calling.then(done, (error: unknown) => {
      desk.put([failed(error)], 'intended')
      done()
    })
    return notBefore === undefined ? 'begun' : 'busy'
  }

  const perform = (effect: Effect, desk: Desk): 'begun' | 'busy' | 'settled' => {
    const { run } = desk.frame
    if (!run || (effect.kind === 'record' && effect.hooks.length === 0)) return 'settled'
    if (!('hooks' in effect)) return 'settled'
    const context = contextFor(desk, run)
    if (!context) return 'busy'
    const leaving = effect.kind === 'record' && hand.runner?.isBusy()
    if (leaving || !pass(desk, context, effect.hooks)) return 'busy'
    switch (effect.kind) {
      case 'record':
        return 'settled'
      case 'assemble': {
        const drafts = assemble(scene.definition, context, { assembly, frame: desk.frame })
        if (!(drafts instanceof Promise)) {
          desk.put(drafts, 'intended')
          return 'begun'
        }
        return runStep(desk, 'assemble', async (signal) => {
          const settled = await drafts
          if (!signal.aborted) await desk.append(settled, 'intended')
        })
      }
      case 'call-model':
        return model(desk, context, effect)
      case 'call-tools':
        return (hand.runner as Runner).see(effect, desk)
    }
  }

  return {
    perform(effect, desk) {
      const progress = perform(effect, desk)
      if (progress === 'busy') hand.waited = true
      return progress
    },
    abort(reason) {
      hand.step?.controller.abort()
      hand.model?.abort()
      hand.runner?.abort(reason)
      guard.close()
    },
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => hand.idle.push(resolve))),
  }
}

const runnerScene = (scene: DriveScene, context: RunContext, passed: Set<string>) => ({ ...scene, context, passed })

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

/** The turn a point belongs to: the one before the first word of a turn belongs to that turn. */
const turnAt = (point: HookPoint, frame: Frame): number => (point === 'beforeIterationStart' ? frame.turn + 1 : frame.turn)

interface PassOne {
  readonly point: HookPoint
  readonly signal: AbortSignal
  readonly passed: Set<string>
}

/** Passes one point of the run. */
async function passOne(scene: ModelScene, desk: Desk, { point, signal, passed }: PassOne): Promise<void> {
  const { frame } = desk
  const { context } = scene
  const turn = turnAt(point, frame)
  const hooks = { thread: frame.thread, turn, frame, deps: context.deps, metadata: context.metadata, signal }
  const passing = await passPoint({ table: scene.definition.hooks, point, context: hooks, ...subjectOf(scene, frame, point) })
  if (signal.aborted) return
  if (passing.kind === 'passed') passed.add(hookPlace(point, turn))
  if (passing.drafts.length > 0) await desk.append(passing.drafts, 'happened')
}

/** What the hooks of a point look at, and what of their answer is journaled. */
function subjectOf(scene: ModelScene, frame: Frame, point: HookPoint): Pick<Passage, 'subject' | 'patchOf'> {
  switch (point) {
    case 'afterContextAssembly':
      return { subject: { instructions: frame.context.system, tools: frame.context.tools.map(({ name }) => name) }, patchOf: runPatch }
    case 'beforeModelCall': {
      const { prompt, ...settings } = buildRequest(scene, frame, frame.run as Run)
      const original: ModelRequest = { messages: prompt, settings }
      let former: JsonObject | undefined
      return {
        subject: { messages: prompt, settings: (frame.run as Run).settings },
        patchOf: (answer) => {
          former = requestPatch(answer, original, former)
          return former
        },
      }
    }
    case 'afterModelReply': {
      const last = [...items(frame.history, frame.history.length - 1)][0]
      return {
        subject: { parts: last && last.message.role !== 'tool' ? last.message.parts : [] },
        patchOf: (answer) => answer as JsonObject,
      }
    }
    case 'beforeRecursion':
      return { subject: { turn: frame.turn + 1 }, patchOf: runPatch }
    default:
      return { patchOf: runPatch }
  }
}
