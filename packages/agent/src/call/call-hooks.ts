/** The hooks around a call. */
import { type Call, callOf, type Desk, type Draft, type Frame, isLoomError, type JsonObject, type Run, type ToolOutcome } from '@loom-agent/kernel'
import { passedName, passPoint } from '../hook/pass.ts'
import { createLeash } from '../platform/cancellation.ts'
import { messageOf } from '../platform/normalize.ts'
import { type Prepared, prepare } from './pipeline.ts'
import { type RunnerScene, sceneFor } from './call-work.ts'

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
    const output = { type: 'error', value: `Skipped: ${passing.reason}. Go on without it.` } as const
    return ended(call, { status: 'warning', output, errorType: 'skipped' }, passing.drafts)
  }
  if (passing.drafts.length > 0 && passing.kind === 'passed' && !signal.aborted) await desk.append(passing.drafts, 'happened')
  const current = callOf(desk.frame.run as Run, call.id) ?? call
  // A stand-in is for the arguments that the hooks before it have left: they are what must be permitted.
  const judged = passing.kind === 'answered' ? { ...current, input: (passing.subject as typeof subject).input } : current
  const prepared = await prepare(judged, sceneFor(scene, desk, signal))
  // A stand-in is given only for a call that might have run: a hook widens nobody's permissions.
  if (passing.kind !== 'answered' || prepared.staged.kind === 'done') return prepared
  return ended(call, { status: 'success', output: passing.output, meta: { answered: true } }, passing.drafts)
}

const ended = (call: Call, outcome: ToolOutcome, before: readonly Draft[]): Prepared => ({
  staged: { kind: 'done', drafts: [...before, { type: 'tool.finished', data: { call: call.id, ...outcome } }] },
  times: {},
})

/** Whether the point after a call is passed. */
export function isCallPassed(frame: Frame, passed: ReadonlySet<string>, call: string): boolean {
  const name = passedName('afterToolExecution', call)
  return frame.hooked.includes(name) || passed.has(name)
}

/** The hook after a call may replace the result; the original stays in the journal. Must not reject. */
export async function passAfter(scene: RunnerScene, desk: Desk, given: { call: Call; signal: AbortSignal }): Promise<void> {
  const { frame } = desk
  const call = frame.run && callOf(frame.run, given.call.id)
  if (!call?.outcome || isCallPassed(frame, scene.passed, call.id)) return
  const { status, output, errorType, ms } = call.outcome
  const subject = { id: call.id, tool: call.part.name, input: call.input, status, output, errorType, ms }
  const { deps, metadata } = scene.context
  const context = { thread: frame.thread, turn: frame.turn, frame, deps, metadata, signal: given.signal }
  const patchOf = (answer: object): JsonObject => ({ outcome: { ...answer } }) as JsonObject
  const point = 'afterToolExecution'
  const leash = createLeash({ clock: scene.definition.ports.clock, grace: scene.definition.behaviour.grace })
  const hurry = (): void => leash.hurry()
  if (frame.run?.stop || given.signal.aborted) leash.hurry()
  given.signal.addEventListener('abort', hurry)
  try {
    const passing = await leash.hold(passPoint({ table: scene.definition.hooks, point, call: call.id, context, subject, patchOf }))
    if (passing.kind === 'passed' && passing.drafts.length === 0) scene.passed.add(passedName(point, call.id))
    // The result that was looked through may not be durable yet: should it be dropped, so is what was made of it, and the hooks are called again.
    if (passing.drafts.length > 0) await desk.append(passing.drafts, 'intended')
  } catch (error) {
    if (isLoomError(error) && error.code === 'LOOM_ABORTED') withhold(desk, call.id)
    else replaceResult(desk, { call: call.id, why: messageOf(error) })
  } finally {
    given.signal.removeEventListener('abort', hurry)
  }
}

/** A stopped run does not wait for a hook for ever; and a result that nobody has looked through is not shown. */
export function withhold(desk: Desk, call: string): void {
  replaceResult(desk, { call, why: 'This result is withheld: a hook did not look through it in time.' })
}

function replaceResult(desk: Desk, { call, why }: { call: string; why: string }): void {
  const point = 'afterToolExecution'
  const outcome = { status: 'error', output: { type: 'error', value: why }, errorType: 'hook' }
  desk.put([{ type: 'hook.applied', data: { point, call, patch: { outcome } } }], 'intended')
}
