/**
 * The runner: takes the calls of a turn through the pipeline, side by side where they may, and sees to it that each gets its one result.
 *
 * R1. A call that is not pure or read has its `tool.started` durable before its body is entered; the others need not wait for it.
 * R2. Hooks never serialise tools: each call goes its way alone.
 */
import {
  type Call,
  type CallTools,
  callOf,
  type Desk,
  type Draft,
  type JsonObject,
  type Run,
  type ToolOutcome,
  type ToolStart,
} from '@loom-agent/kernel'
import type { Definition } from '../definition.ts'
import { hookPlace, passPoint } from '../hook/pass.ts'
import type { CompiledPolicy } from '../permission/policy.ts'
import { messageOf } from '../platform/normalize.ts'
import type { Hub } from '../run/hub.ts'
import type { RunContext } from '../run/run-context.ts'
import { enterBody } from './body.ts'
import { type CallJob, type CallScene, refuse } from './call-job.ts'
import type { ChildRunner } from './child-runner.ts'
import { format } from './format.ts'
import { type Prepared, prepare } from './pipeline.ts'
import type { Scheduler } from './scheduler.ts'

/** What a runner works with. */
export interface RunnerScene {
  readonly definition: Definition
  readonly context: RunContext
  readonly policies: readonly (CompiledPolicy | undefined)[]
  readonly hub: Hub
  readonly lineage: readonly string[]
  readonly scheduler: Scheduler
  readonly children: ChildRunner
  /** Hook points that were passed, of calls too. */
  readonly passed: Set<string>
}

/** A call in hand. */
interface Hand {
  stage: 'preparing' | 'ready' | 'queued' | 'running'
  prepared?: Extract<Prepared['staged'], { kind: 'go' }>
  times: JsonObject
  readonly controller: AbortController
  cancel?: () => void
}

/** Performs calls. */
export interface Runner {
  see(effect: CallTools, desk: Desk): 'begun' | 'busy' | 'settled'
  abort(reason: string): void
  isBusy(): boolean
}

/** A runner for the calls of one run. `ring` tells the driver that something it cannot see has changed. */
export function createRunner(scene: RunnerScene, ring: () => void): Runner {
  const hands = new Map<string, Hand>()

  const drop = (id: string): void => {
    if (hands.delete(id)) ring()
  }

  const prepared = (id: string, desk: Desk, { staged, times }: Prepared): void => {
    const hand = hands.get(id)
    if (!hand) return
    if (staged.kind === 'done') {
      hands.delete(id)
      desk.put(withTimes(staged.drafts, times), 'intended')
      return
    }
    hand.prepared = staged
    hand.times = times
    hand.stage = 'ready'
  }

  /** Stages 1 to 4. True when it is done, false when it goes on elsewhere. */
  const begin = (call: Call, desk: Desk): boolean => {
    const hand: Hand = { stage: 'preparing', times: {}, controller: new AbortController() }
    hands.set(call.id, hand)
    const hooked = scene.definition.hooks.beforeToolExecution !== undefined && !call.start && (!call.answer || call.answer.kind === 'hook')
    const result = hooked
      ? passBefore(scene, desk, { call, signal: hand.controller.signal })
      : prepare(call, sceneFor(scene, desk, hand.controller.signal))
    if (result instanceof Promise) {
      result
        .then((outcome) => prepared(call.id, desk, outcome))
        .catch((error: unknown) => prepared(call.id, desk, { staged: refuse(call, 'failed', messageOf(error)), times: {} }))
        .finally(ring)
      return false
    }
    prepared(call.id, desk, result)
    return true
  }

  /** Stage 5 and 6, when the scheduler lets it. */
  const launch = (id: string, desk: Desk): void => {
    const hand = hands.get(id) as Hand
    const { job } = hand.prepared as { job: CallJob }
    const { schedule } = job.tool.definition
    const lock = typeof schedule?.lock === 'function' ? schedule.lock(job.value) : schedule?.lock
    hand.stage = 'queued'
    const place = scene.scheduler.enter({ priority: schedule?.priority ?? 0, lock }, (leave) => {
      hand.stage = 'running'
      const left = (): void => {
        leave()
        drop(id)
      }
      void runCall({ scene, desk, job, hand, left }).finally(left)
    })
    hand.cancel = () => {
      place.cancel()
      drop(id)
    }
  }

  return {
    see({ authorize, execute }, desk) {
      const run = desk.frame.run as Run
      let begun = false
      for (const id of new Set([...authorize, ...execute])) {
        const call = callOf(run, id)
        if (!call || hands.has(id)) continue
        begun = begin(call, desk) || begun
      }
      for (const id of execute) {
        if (hands.get(id)?.stage !== 'ready') continue
        launch(id, desk)
        begun = true
      }
      if (begun) return 'begun'
      return [...authorize, ...execute].some((id) => hands.has(id) && hands.get(id)?.stage !== 'ready') ? 'busy' : 'settled'
    },
    abort(reason) {
      for (const hand of hands.values()) {
        hand.controller.abort(reason)
        if (hand.stage === 'queued') hand.cancel?.()
      }
    },
    isBusy: () => [...hands.values()].some((hand) => hand.stage !== 'ready'),
  }
}

const withTimes = (drafts: readonly Draft[], stages: JsonObject): readonly Draft[] =>
  Object.keys(stages).length === 0
    ? drafts
    : drafts.map((draft) => (draft.type === 'tool.finished' ? { ...draft, data: { ...draft.data, stages } } : draft))

function sceneFor(scene: RunnerScene, desk: Desk, signal: AbortSignal): CallScene {
  const { definition, context, policies } = scene
  const { frame } = desk
  const unattended = frame.run?.request.unattended === 'deny'
  const { deps, toolbox } = context
  return {
    thread: frame.thread,
    deps,
    ports: definition.ports,
    toolbox,
    policies,
    grants: frame.grants,
    asked: frame.asked,
    unattended,
    signal,
  }
}

/** The hook before a call may change its arguments, skip it or suspend it; whatever it leaves is checked like anything else. */
async function passBefore(scene: RunnerScene, desk: Desk, given: { call: Call; signal: AbortSignal }): Promise<Prepared> {
  const { call, signal } = given
  const { frame } = desk
  const subject = { id: call.id, tool: call.part.name, input: call.input }
  const context = { thread: frame.thread, turn: frame.turn, frame, deps: scene.context.deps, metadata: scene.context.metadata, signal }
  const patchOf = (answer: object): JsonObject => ({ input: (answer as { input: JsonObject }).input })
  const passing = await passPoint({ table: scene.definition.hooks, point: 'beforeToolExecution', call: call.id, context, subject, patchOf })
  if (passing.kind === 'suspended') return { staged: { kind: 'done', drafts: passing.drafts }, times: {} }
  if (passing.kind === 'skipped') {
    const output = { type: 'error', value: `Skipped: ${passing.reason}` } as const
    return ended(call, { status: 'warning', output, errorType: 'skipped' })
  }
  if (passing.kind === 'answered') return ended(call, { status: 'success', output: passing.output, meta: { answered: true } })
  if (passing.drafts.length > 0) await desk.append(passing.drafts, 'happened')
  const current = callOf(desk.frame.run as Run, call.id) ?? call
  return prepare(current, sceneFor(scene, desk, signal))
}

const ended = (call: Call, outcome: ToolOutcome): Prepared => ({
  staged: { kind: 'done', drafts: [{ type: 'tool.finished', data: { call: call.id, ...outcome } }] },
  times: {},
})

interface RunningCall {
  readonly scene: RunnerScene
  readonly desk: Desk
  readonly job: CallJob
  readonly hand: Hand
  /** Gives the place back; called before the result is put on the desk, so that what it lets in shares the commit. */
  readonly left: () => void
}

/** From the intent to the result. Must not reject. */
async function runCall({ scene, desk, job, hand, left }: RunningCall): Promise<void> {
  const { definition, hub, lineage } = scene
  const { clock } = definition.ports
  const { call, tool } = job
  const intent: readonly Draft[] = [{ type: 'tool.started', data: startOf(scene, desk, job) }]
  if (tool.effect === 'pure' || tool.effect === 'read') desk.put(intent, 'happened')
  else if (!(await desk.append(intent, 'intended'))) return
  const { frame } = desk
  const at = { thread: frame.thread, run: scene.context.run, turn: frame.turn, call: call.id, tool: tool.name }
  if (hub.isWatched(lineage)) hub.publish(lineage, [{ type: 'tool-start', ...at }])
  const began = clock.now()
  const entering = enterBody({ scene, desk, job, controller: hand.controller })
  const entered = entering instanceof Promise ? await entering : entering
  if (hub.isWatched(lineage)) hub.publish(lineage, [{ type: 'tool-end', ...at }])
  if (entered.kind === 'facts') {
    if (definition.hooks.afterToolExecution === undefined) left()
    return desk.put(entered.drafts, 'happened')
  }
  const ms = clock.now() - began
  const outcome = format(entered, { tool: tool.name, effect: tool.effect, limit: definition.behaviour.outputLimit })
  const finished: Draft = { type: 'tool.finished', data: { call: call.id, ...outcome, ...durations(hand.times, ms) } }
  if (definition.hooks.afterToolExecution) {
    if (await desk.append([finished], 'happened')) await passAfter(scene, desk, { call, signal: hand.controller.signal })
    return
  }
  left()
  desk.put([finished], 'happened')
}

function durations(times: JsonObject, ms: number): { ms?: number; stages?: JsonObject } {
  if (ms > 0) return { ms, stages: { ...times, execute: ms } }
  return Object.keys(times).length > 0 ? { stages: times } : {}
}

function startOf({ definition }: RunnerScene, desk: Desk, job: CallJob): ToolStart {
  const { call, tool, input, digest, allowedBy } = job
  const keyed = tool.effect === 'idempotent' || tool.effect === 'reconcilable'
  return {
    call: call.id,
    effect: tool.effect,
    ...(tool.definition.durable && { durable: true }),
    ...(keyed && { key: definition.ports.hash(`${desk.frame.thread}/${call.id}`) }),
    ...(digest !== undefined && { digest }),
    ...(input !== call.part.input && { input }),
    ...(allowedBy !== undefined && { allowedBy }),
  }
}

/** The hook after a call may replace the result; the original stays in the journal. Must not reject. */
export async function passAfter(scene: RunnerScene, desk: Desk, given: { call: Call; signal: AbortSignal }): Promise<void> {
  const { frame } = desk
  const call = frame.run && callOf(frame.run, given.call.id)
  const place = hookPlace('afterToolExecution', 0, given.call.id)
  if (!call?.outcome || scene.passed.has(place)) return
  const { status, output, errorType, ms } = call.outcome
  const subject = { id: call.id, tool: call.part.name, input: call.input, status, output, errorType, ms }
  const { deps, metadata } = scene.context
  const context = { thread: frame.thread, turn: frame.turn, frame, deps, metadata, signal: given.signal }
  const patchOf = (answer: object): JsonObject => ({ outcome: { ...answer } }) as JsonObject
  const point = 'afterToolExecution'
  try {
    const passing = await passPoint({ table: scene.definition.hooks, point, call: call.id, context, subject, patchOf })
    if (passing.kind === 'passed') scene.passed.add(place)
    if (passing.drafts.length > 0) await desk.append(passing.drafts, 'happened')
  } catch (error) {
    scene.passed.add(place)
    const outcome = { status: 'error', output: { type: 'error', value: messageOf(error) }, errorType: 'hook' }
    await desk.append([{ type: 'hook.applied', data: { point, call: call.id, patch: { outcome } } }], 'happened')
  }
}
