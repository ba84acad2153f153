/**
 * The hooks around a call.
 *
 * POINT-2. The patch of a result is added only while the call has the result that the hooks looked at. A result that is not durable yet is dropped when a
 *     contributor is faster: then so is what the hooks return, and they are called again.
 */
import {
  type Call,
  callOf,
  canonicalJson,
  type Draft,
  type Frame,
  isLoomError,
  type Json,
  type JsonObject,
  type Run,
  type ToolOutcome,
} from '@loom-agent/kernel'
import type { HookContext } from '../hook/hook.ts'
import { passPoint } from '../hook/pass.ts'
import { isCallPassed, passedName } from '../hook/passed.ts'
import { type Cancellation, createCancellation, signalOf, startGracePeriod, waitFor } from '../platform/cancellation.ts'
import { toJson, toSentence } from '../platform/normalize.ts'
import { keepThrown, logThrown } from '../platform/thrown.ts'
import type { ReadyTool } from '../tool/toolbox.ts'
import { validate } from '../types/schema.ts'
import { isRefusal, type Prepared, type Refusal } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { failedAfterCall } from './hook-failure.ts'
import { prepare } from './pipeline.ts'
import { broughtBy } from './taint.ts'
import { toolIdentity } from './tool-identity.ts'
import { replaceResult, withhold } from './withhold.ts'

/** The hook before a call may change its arguments, skip it or suspend it; what it leaves is checked like anything else. */
export async function passBefore(work: CallWork, call: Call, cancellation: Cancellation): Promise<Prepared> {
  const { outbox, definition } = work
  const subject = { id: call.id, tool: call.part.name, input: call.input }
  const patchOf = (returned: object): JsonObject => ({ input: (returned as { input: JsonObject }).input })
  const context = contextOf(work, signalOf(cancellation))
  const tool = work.context.toolbox.tools.get(call.part.name)
  const identity = tool ? toolIdentity(tool) : { name: call.part.name }
  const bind = (about: object | undefined): string => definition.ports.hash(canonicalJson({ identity, input: inputOf(about) }))
  const passing = await passPoint({ table: definition.hooks, point: 'beforeToolExecution', call: call.id, context, subject, patchOf, bind })
  if (passing.kind === 'suspended') return showing(passing.drafts, await shownOf(tool, call, inputOf(passing.subject)))
  if (passing.kind === 'skipped') {
    const output = { type: 'error', value: `Skipped: ${toSentence(passing.reason)} Go on without it.` } as const
    return ended(call, { status: 'warning', output, errorType: 'skipped' }, passing.drafts)
  }
  if (passing.drafts.length > 0 && passing.kind === 'passed' && !cancellation.isAborted) await outbox.append(passing.drafts, 'happened')
  const current = callOf(outbox.frame.run as Run, call.id) ?? call
  // A stand-in is for the arguments that the hooks before it have left: they are what must be permitted.
  const judged = passing.kind === 'answered' ? { ...current, input: (passing.subject as typeof subject).input } : current
  const prepared = await prepare(work, judged, cancellation)
  // A stand-in is given only for a call that might have run: a hook widens no permissions.
  if (passing.kind !== 'answered' || isRefusal(prepared)) return prepared
  const taint = broughtBy(prepared, passing.output.value)
  return ended(call, { status: 'success', output: passing.output, meta: { answered: true }, ...(taint && { taint }) }, passing.drafts)
}

const inputOf = (subject: object | undefined): Json => (subject as { readonly input: Json }).input

/** What the question of a hook shows: the arguments whole, as the tool would get them, and as they were proposed where that differs. */
async function shownOf(tool: ReadyTool | undefined, { part: { name } }: Call, proposed: Json): Promise<JsonObject> {
  const schema = tool?.definition.input
  const verdict = schema && (await validate(schema, toJson(proposed)))
  const input = verdict?.kind === 'valid' ? toJson(verdict.value) : proposed
  return { tool: name, input, ...(canonicalJson(input) !== canonicalJson(proposed) && { proposed }) }
}

const showing = (drafts: readonly Draft[], show: JsonObject): Refusal =>
  drafts.map((draft) => (draft.type === 'question.asked' ? { ...draft, data: { ...draft.data, show } } : draft))

function contextOf({ outbox: { frame }, context }: CallWork, signal: AbortSignal): Omit<HookContext, 'answer'> {
  return { thread: frame.thread, turn: frame.turn, frame, deps: context.deps, metadata: context.metadata, signal }
}

const ended = (call: Call, outcome: ToolOutcome, before: readonly Draft[]): Refusal => [
  ...before,
  { type: 'tool.finished', data: { call: call.id, ...outcome } },
]

/** Records what hooks changed or ask. A fork answers what its parent's record has an answer to. */
export async function appendPassing(
  { outbox, standIns }: Pick<CallWork, 'outbox' | 'standIns'>,
  passing: readonly Draft[],
  call?: Call,
): Promise<void> {
  const drafts = standIns?.withAnswers(passing, call) ?? passing
  if (!(await outbox.append(drafts, 'intended'))) standIns?.putBack(drafts)
}

/** The hook after a call may replace the result; the original stays in the journal. Must not reject. */
export async function passAfter(work: CallWork, given: Call, cancellation: Cancellation): Promise<void> {
  const { outbox, definition, passed } = work
  const { frame } = outbox
  const call = frame.run && callOf(frame.run, given.id)
  if (!call?.outcome || isCallPassed(call, passed)) return
  const { status, output, errorType, ms } = call.outcome
  const subject = { id: call.id, tool: call.part.name, input: call.input, status, output, errorType, ms }
  const patchOf = (returned: object): JsonObject => ({ outcome: { ...returned } }) as JsonObject
  const point = 'afterToolExecution'
  const signal = signalOf(cancellation)
  const limit = createCancellation(definition.ports.clock, definition.behaviour.grace)
  const onAbort = (): void => startGracePeriod(limit)
  if (frame.run?.stop || signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    const context = contextOf(work, signal)
    const passing = await waitFor(limit, passPoint({ table: definition.hooks, point, call: call.id, context, subject, patchOf }))
    if (!hasOutcome(outbox.frame, call)) return
    if (passing.kind === 'passed' && passing.drafts.length === 0) passed.add(passedName(point, call.id))
    if (passing.drafts.length > 0) await appendPassing(work, passing.drafts, call)
  } catch (error) {
    if (!hasOutcome(outbox.frame, call)) return
    if (isLoomError(error) && error.code === 'LOOM_ABORTED') withhold(outbox, call.id)
    else {
      keepThrown(replaceResult(outbox, call.id, failedAfterCall(call.part.name, error)), error)
      logThrown(definition.ports, `A hook failed after call ${call.id} of the thread ${frame.thread}:`, error)
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Whether a call has this result still (POINT-2). */
function hasOutcome({ run }: Frame, { id, outcome }: Call): boolean {
  const now = run && callOf(run, id)?.outcome
  return now === outcome || (now !== undefined && JSON.stringify(now) === JSON.stringify(outcome))
}
