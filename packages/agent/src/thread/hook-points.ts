/** Passing the points of a turn: what the hooks look at there, and what of their answer is journaled. */
import { at, type Desk, type Frame, type HookPoint, type JsonObject, type Run } from '@loom-agent/kernel'
import { buildRequest, type ModelScene } from '../attempt/attempt-model.ts'
import { requestPatch } from '../model/request-patch.ts'
import { jsonText, toJson } from '../platform/normalize.ts'
import type { ModelRequest } from '../hook/hook.ts'
import { areParts, type Passage, passedName, passPoint, runPatch } from '../hook/pass.ts'

/** A point of the run to pass. */
export interface RunPoint {
  readonly point: HookPoint
  readonly signal: AbortSignal
  /** Points that were passed and changed nothing, so that no event says so. */
  readonly passed: Set<string>
}

/** The point before the first word of a turn belongs to that turn. */
const turnAt = (point: HookPoint, frame: Frame): number => (point === 'beforeIterationStart' ? frame.turn + 1 : frame.turn)

/** Whether a point of this turn is passed: an event says so, or nobody had anything to say. */
export function isPassed(frame: Frame, passed: ReadonlySet<string>, point: HookPoint): boolean {
  const name = passedName(point)
  return frame.hooked.includes(name) || passed.has(`${frame.turn}/${name}`)
}

/** Passes one point of the run. Throws a LoomError when a hook throws. */
export async function passRunPoint(scene: ModelScene, desk: Desk, { point, signal, passed }: RunPoint): Promise<void> {
  const { frame } = desk
  const { deps, metadata } = scene.context
  const context = { thread: frame.thread, turn: turnAt(point, frame), frame, deps, metadata, signal }
  const passing = await passPoint({ table: scene.definition.hooks, point, context, ...subjectOf(scene, frame, point) })
  if (signal.aborted) return
  if (passing.kind === 'passed' && passing.drafts.length === 0) passed.add(`${frame.turn}/${passedName(point)}`)
  // What they looked at may not be durable yet: should it be dropped, so is what they made of it, and they are called again.
  if (passing.drafts.length > 0) await desk.append(passing.drafts, 'intended')
}

function subjectOf(scene: ModelScene, frame: Frame, point: HookPoint): Pick<Passage, 'subject' | 'patchOf'> {
  switch (point) {
    case 'afterContextAssembly':
      return { subject: { instructions: frame.context.system, tools: frame.context.tools.map(({ name }) => name) }, patchOf: runPatch }
    case 'beforeModelCall':
      return requestSubject(scene, frame)
    case 'afterModelReply': {
      const message = at(frame.history, frame.history.length - 1)?.message
      return { subject: { parts: message && message.role !== 'tool' ? message.parts : [] }, patchOf: replyPatch }
    }
    case 'beforeRecursion':
      return { subject: { turn: frame.turn + 1 }, patchOf: runPatch }
    default:
      return { patchOf: runPatch }
  }
}

function replyPatch(answer: object): JsonObject {
  const { parts } = answer as { parts?: unknown }
  if (!areParts(parts)) throw new Error(`its parts are ${jsonText(parts)}, where a list of parts was expected`)
  return { parts: toJson(parts) }
}

/** Several hooks may change one request: each patch holds what all of them made of the original. */
function requestSubject(scene: ModelScene, frame: Frame): Pick<Passage, 'subject' | 'patchOf'> {
  const run = frame.run as Run
  const { prompt, ...settings } = buildRequest(scene, frame, run)
  const original: ModelRequest = { messages: prompt, settings }
  let former: JsonObject | undefined
  return {
    subject: { messages: prompt, settings: run.settings },
    patchOf: (answer) => {
      former = requestPatch(answer, original, former)
      return former
    },
  }
}
