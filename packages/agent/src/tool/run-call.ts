/**
 * A call from its intent to its result: execute and format.
 *
 * CALL-1. A call that is not pure or read has its `tool.started` durable before its body is entered; the others need not wait for it.
 * CALL-2. Hooks never serialise tools: each call goes its way alone.
 */
import type { Desk, Draft, JsonObject, ToolStart } from '@loom-agent/kernel'
import { enterBody } from './body.ts'
import { passAfter } from './call-hooks.ts'
import type { CallJob } from './call-job.ts'
import { format } from './format.ts'
import type { CallHand, RunnerScene } from './runner-scene.ts'

/** A call that the scheduler has let in. */
export interface RunningCall {
  readonly scene: RunnerScene
  readonly desk: Desk
  readonly job: CallJob
  readonly hand: CallHand
  /** Gives the place back; called before the result is put on the desk, so that what it lets in shares the commit. */
  readonly left: () => void
}

/** From the intent to the result. Must not reject. */
export async function runCall({ scene, desk, job, hand, left }: RunningCall): Promise<void> {
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
