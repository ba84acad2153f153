/** The performer: the only impure part of a thread's life. It does what `decide` says, and nothing else. */
import {
  type Call,
  type Desk,
  type Draft,
  type Effect,
  failureOf,
  type HookPoint,
  isLoomError,
  isOver,
  items,
  LoomError,
  type Performer,
  type Run,
} from '@loom-agent/kernel'
import { assemble } from '../context/assemble.ts'
import { isPassed, passRunPoint } from './hook-points.ts'
import { attemptModel, type ModelScene } from '../attempt/attempt-model.ts'
import { createLeash, type Leash } from '../platform/cancellation.ts'
import { messageOf } from '../platform/normalize.ts'
import { sleepUntil } from '../resilience/sleep.ts'
import { isCallPassed, passAfter, withhold } from '../call/call-hooks.ts'
import { isBusy, seeToCalls } from '../call/runner.ts'
import type { DriveScene } from '../run/drive-scene.ts'
import { createHands, type Hands, halt, isIdle } from './in-flight.ts'
import type { RunContext } from '../definition/run-context.ts'

type Progress = ReturnType<Performer['perform']>

/** The performer of one driver. */
export function createPerformer(scene: DriveScene): Performer {
  const hands = createHands(scene)
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

/** Resolves when nothing is in hand, or when what was aborted has had its grace: a hook that hangs must not hold the thread. */
function idle(hands: Hands): Promise<void> {
  if (isIdle(hands)) return Promise.resolve()
  // Nobody waits for an attempt that has not begun: whoever drives the thread next knows its time.
  if (hands.sleeps) hands.model?.abort()
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
  if (run?.stop && !isStopping(hands, desk, { run, reason: run.stop.reason })) return 'busy'
  if (!run || !('hooks' in effect) || (effect.kind === 'record' && effect.hooks.length === 0)) return 'settled'
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

/** Passes a stop on: to what is in hand, and to children that wait for somebody. False until they have heard of it. */
function isStopping(hands: Hands, desk: Desk, { run, reason }: { run: Run; reason: string }): boolean {
  if (hands.halted !== run.id) {
    hands.halted = run.id
    halt(hands, reason)
    const waiting = [...items(run.calls)].flatMap(({ open }) => open.flatMap(({ child }) => child ?? []))
    hands.told = waiting.length === 0
    if (!hands.told) {
      const work = async (): Promise<void> => {
        await Promise.all(waiting.map((child) => hands.scene.children.stop(child, reason)))
        hands.told = true
      }
      void work()
        .catch((error: unknown) => desk.fail(error))
        .finally(() => desk.ring())
    }
  }
  return hands.told
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
    const { run } = desk.frame
    // A run that is to stop stops, whatever else goes wrong; one that has ended has ended.
    if (!run || isOver(run)) return
    if (isStopped()) hands.unresolved = name === 'resolve' ? run.id : hands.unresolved
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
      else withhold(desk, call.id)
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
    hands.sleeps = true
    await sleepUntil(notBefore, { clock: hands.scene.definition.ports.clock, signal: leash.signal }).catch(() => {})
    hands.sleeps = false
    const { run } = desk.frame
    // The run may have been paused meanwhile, and its suspension may still be on its way.
    if (!leash.aborted && run?.status === 'active' && !run.pause) await attemptModel(models, desk, { number, leash })
  }
  void attempt().then(done, failing)
  return 'busy'
}

function failed(error: unknown): Draft {
  const known = isLoomError(error) ? error : new LoomError('LOOM_RUN_FAILED', `The run failed: ${messageOf(error)}`, { cause: error })
  return { type: 'run.failed', data: { error: failureOf(known) } }
}
