/** The hooks around a call. */
import { type Call, callOf, type Desk, type JsonObject, type Run, type ToolOutcome } from '@loom-agent/kernel'
import { hookPlace, passPoint } from '../hook/pass.ts'
import { messageOf } from '../platform/normalize.ts'
import { type Prepared, prepare } from './pipeline.ts'
import { type RunnerScene, sceneFor } from './runner-scene.ts'

/** The hook before a call may change its arguments, skip it or suspend it; whatever it leaves is checked like anything else. */
export async function passBefore(scene: RunnerScene, desk: Desk, given: { call: Call; signal: AbortSignal }): Promise<Prepared> {
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
