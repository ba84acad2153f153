/** Typed edits: what a fork makes different, as facts. */
import {
  callOf,
  type Draft,
  type EventType,
  type Frame,
  isOver,
  type Json,
  type Limits,
  LoomError,
  type LoomEvent,
  leaveCalls,
  type Seq,
} from '@loom-agent/kernel'
import { format } from '../call/format.ts'
import { modelId } from '../model/model.ts'
import type { RunLayer } from '../permission/policy.ts'
import { toJson } from '../platform/normalize.ts'
import { startInput } from '../run/start-input.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { toMessages } from '../types/input.ts'
import { type Moment, nameMoment } from '../types/moment.ts'
import type { Edit } from './fork-types.ts'

/** Where the thread is cut: at the moment, or before the earliest fact that an edit replaces. */
export function cutFor(edits: readonly Edit[], events: readonly LoomEvent[], moment: Moment): Seq {
  return Math.min(moment.seq, ...edits.map((edit) => before(edit, events, moment)))
}

function before(edit: Edit, events: readonly LoomEvent[], moment: Moment): Seq {
  if (edit.kind === 'instructions') return beforeAssembly(events, moment)
  const replaced = replacedBy(edit)
  if (!replaced) return moment.seq
  const found = events.find((event) => event.seq <= moment.seq && replaced(event))
  if (found) return found.seq - 1
  const at = nameMoment(moment)
  const advice = 'turnsOf(journal, thread) lists turns and calls.'
  throw new LoomError('LOOM_OPTION_INVALID', `A fork at ${at} cannot ${missingIn(edit)} ${advice}`, { context: { edit: edit.kind, moment: at } })
}

const assembling: ReadonlySet<EventType> = new Set(['context.assembled', 'context.compressed', 'context.compression-failed', 'retrieval.finished'])
/** Events after which no assembled context waits for its reply. */
const between: ReadonlySet<EventType> = new Set(['run.started', 'turn.entered', 'model.replied', 'run.stopped'])

/** Other instructions replace a context that was assembled and has no reply yet: the thread is cut before it. */
function beforeAssembly(events: readonly LoomEvent[], { seq }: Moment): Seq {
  const isAssembling = ({ type }: LoomEvent): boolean => assembling.has(type)
  const past = events.slice(0, seq)
  const last = past.findLast(({ type }) => assembling.has(type) || between.has(type))
  if (!last || !isAssembling(last)) return seq
  return past.slice(0, last.seq).findLast((event) => !isAssembling(event))?.seq ?? seq
}

/** What cannot be done, and why, for an edit of something that is not there. */
function missingIn(edit: Edit): string {
  if (edit.kind === 'remove-turn') return `remove the turn ${edit.turn}: it had not begun.`
  const { call } = edit as Extract<Edit, { kind: 'result' | 'deny' }>
  return edit.kind === 'deny' ? `deny the call ${call}: it had not been judged.` : `change the result of the call ${call}: it had none.`
}

/** Finds the fact that an edit replaces; undefined for edits that replace none. */
function replacedBy(edit: Edit): ((event: LoomEvent) => boolean) | undefined {
  switch (edit.kind) {
    case 'result':
      return ({ type, data }) => (type === 'tool.finished' || type === 'tool.denied') && data.call === edit.call
    case 'deny':
      return ({ type, data }) =>
        (type === 'tool.started' || type === 'tool.finished' || type === 'tool.denied' || type === 'question.asked') && data.call === edit.call
    case 'remove-turn':
      return ({ type, data }) => type === 'turn.entered' && data.turn === edit.turn
    default:
      return undefined
  }
}

/** The facts that hold for all runs of the fork. A fork of a fork keeps those of its parent, unless an edit replaces them. */
export function standingEdits(edits: readonly Edit[], { fork }: Frame): Pick<NonNullable<Frame['fork']>, 'instructions' | 'model'> {
  const instructions = edits.findLast((edit) => edit.kind === 'instructions')?.text ?? fork?.instructions
  const given = edits.findLast((edit) => edit.kind === 'model')?.model
  const model = given === undefined ? fork?.model : modelId(given)
  return { ...(instructions !== undefined && { instructions }), ...(model !== undefined && { model }) }
}

/** The edits as they are journaled: a model by its id, everything else as JSON. */
export function describeEdits(edits: readonly Edit[]): Json {
  return edits.map((edit) => (edit.kind === 'model' ? { kind: 'model', model: modelId(edit.model) } : toJson(edit)))
}

/** Edits to apply to a frame; `add` appends facts and returns the frame after them. */
interface Applied {
  readonly edits: readonly Edit[]
  readonly limits: Limits | undefined
  readonly frame: Frame
  add(drafts: readonly Draft[]): Frame
}

/** Adds the facts that the edits make, one after another; returns the frame after them. Instructions and model are facts of the fork itself. */
export function applyEdits(instance: AgentInstance, { edits, limits, frame: start, add }: Applied): Frame {
  let frame = start
  for (const edit of edits) if (edit.kind === 'result' || edit.kind === 'deny') frame = add([callDraft(instance, frame, edit)])
  const input = edits.find((edit) => edit.kind === 'input')
  if (!input) return frame
  frame = add(cancelled(frame))
  // Another input is held by what the run was held by that it replaces.
  const permissions = start.run?.request.permissions as RunLayer | undefined
  const request = {
    thread: frame.thread,
    messages: toMessages(input.input),
    options: { ...(limits && { limits }), ...(permissions && { permissions }) },
  }
  return add(startInput(instance, request, frame).drafts)
}

function callDraft({ definition }: AgentInstance, frame: Frame, edit: Extract<Edit, { kind: 'result' | 'deny' }>): Draft {
  const call = frame.run && callOf(frame.run, edit.call)
  if (!call || call.state === 'settled') {
    throw new LoomError(
      'LOOM_OPTION_INVALID',
      `A fork cannot edit the call ${edit.call}: it is not open where the thread is cut. Edit the calls of one turn only.`,
      {
        context: { call: edit.call },
      },
    )
  }
  if (edit.kind === 'deny') {
    return {
      type: 'tool.denied',
      data: { call: call.id, reason: edit.reason ?? 'This call is not permitted. Do without it.', errorType: 'permission' },
    }
  }
  // Who gives a result has it: only what the model reads of it is kept.
  const options = { tool: call.part.name, behaviour: { ...definition.behaviour, wholeLimit: 0 } }
  const { outcome } = format({ kind: 'returned', value: edit.result }, options)
  return { type: 'tool.finished', data: { call: call.id, ...outcome, meta: { edited: true } } }
}

/** What ends the run at the cut, so that another input can follow: every open call has its result. */
function cancelled({ run }: Frame): readonly Draft[] {
  if (!run || isOver(run)) return []
  const reason = 'The thread was forked here, and goes on with another input.'
  return [{ type: 'run.stop-requested', data: { reason } }, ...leaveCalls(run, reason), { type: 'run.stopped', data: { kind: 'cancelled', reason } }]
}
