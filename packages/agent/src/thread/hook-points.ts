/**
 * The hook points of a turn: what the hooks look at there, and what of their return value is journaled.
 *
 * POINT-1. The patch of a reply is kept when a contributor is faster, as the reply is: the calls of the reply are prepared as soon as the patch is in the
 *     outbox. Any other patch is dropped with what the hooks looked at, and they are called again.
 */
import { at, type Frame, type JsonObject, type Run } from '@loom-agent/kernel'
import { buildRequest } from '../attempt/build-request.ts'
import type { ModelWork } from '../attempt/model-work.ts'
import { appendPassing, passAfter, passBefore } from '../call/call-hooks.ts'
import type { CallHookPoints, CallWork } from '../call/call-work.ts'
import { withhold } from '../call/withhold.ts'
import { instructionsIn } from '../context/layers.ts'
import { type Passage, passPoint, runPatch } from '../hook/pass.ts'
import { firstUnpassed, isPassed, passedName } from '../hook/passed.ts'
import type { HookPoint } from '../hook/points.ts'
import { type ModelRequest, requestPatch } from '../model/request-patch.ts'
import { type Cancellation, signalOf } from '../platform/cancellation.ts'
import { toJson } from '../platform/normalize.ts'

/** The point before a turn belongs to that turn. */
const turnAt = (point: HookPoint, frame: Frame): number => (point === 'beforeIterationStart' ? frame.turn + 1 : frame.turn)

/** Passes the hook points of a run and of its calls. */
export interface HookPoints extends CallHookPoints {
  /** Whether a point is passed; runs a step that calls its hooks otherwise. */
  pass(driver: DriverAtPoint, point: HookPoint, run: RunStep): boolean
}

/** Runs a step of the driver, unless one is under way. */
type RunStep = (step: { readonly name: string; readonly work: (cancellation: Cancellation) => Promise<void> }) => unknown

/** How hook points are passed. Loaded for agents that have hooks. */
export const hookPoints: HookPoints = { pass, passBefore, passAfter }

/** What passing a point needs. */
interface PointWork extends ModelWork {
  /** Points that were passed and changed nothing, so that no event records them. */
  readonly passed: Set<string>
  readonly standIns: CallWork['standIns']
}

type SuppliedWork = PointWork & CallWork

/** A driver whose run may not be supplied by code, and where it found the last call whose hooks after it were not called. */
interface DriverAtPoint extends Omit<SuppliedWork, 'context'> {
  readonly context: SuppliedWork['context'] | undefined
  passedTo: number
}

function pass(driver: DriverAtPoint, point: HookPoint, run: RunStep): boolean {
  const { passed, outbox, context } = driver
  const supplied = driver as SuppliedWork
  if (point === 'afterToolExecution') {
    const call = firstUnpassed(driver, outbox.frame.run as Run)
    if (!call) return true
    if (context) run({ name: `after ${call.id}`, work: (cancellation) => passAfter(supplied, call, cancellation) })
    else withhold(outbox, call.id)
    return false
  }
  if (isPassed(outbox.frame, passed, point)) return true
  run({ name: point, work: (cancellation) => passRunPoint(supplied, point, signalOf(cancellation)) })
  return false
}

/** Passes one point of the run. Throws a LoomError when a hook throws. */
async function passRunPoint(work: PointWork, point: HookPoint, signal: AbortSignal): Promise<void> {
  const { frame } = work.outbox
  const { deps, metadata } = work.context
  const context = { thread: frame.thread, turn: turnAt(point, frame), frame, deps, metadata, signal }
  const passing = await passPoint({ table: work.definition.hooks, point, context, ...subjectOf(work, frame, point) })
  if (signal.aborted) return
  if (passing.kind === 'passed' && passing.drafts.length === 0) work.passed.add(`${frame.turn}/${passedName(point)}`)
  if (passing.drafts.length === 0) return
  if (point === 'afterModelReply' && passing.kind === 'passed') await work.outbox.append(passing.drafts, 'happened')
  else await appendPassing(work, passing.drafts)
}

function subjectOf(work: ModelWork, frame: Frame, point: HookPoint): Pick<Passage, 'subject' | 'patchOf'> {
  switch (point) {
    case 'afterContextAssembly':
      return { subject: { instructions: instructionsIn(frame.context), tools: frame.context.tools.map(({ name }) => name) }, patchOf: runPatch }
    case 'beforeModelCall':
      return requestSubject(work, frame)
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

const replyPatch = (returned: object): JsonObject => ({ parts: toJson((returned as { parts: unknown }).parts) })

/** Several hooks may change one request: each patch holds what all of them made of the original. */
function requestSubject(work: ModelWork, frame: Frame): Pick<Passage, 'subject' | 'patchOf'> {
  const run = frame.run as Run
  const { prompt, ...settings } = buildRequest(work, frame, run)
  const original: ModelRequest = { messages: prompt, settings }
  let former: JsonObject | undefined
  return {
    subject: { messages: prompt, settings: run.settings },
    patchOf: (returned) => {
      former = requestPatch(returned, original, former)
      return former
    },
  }
}
