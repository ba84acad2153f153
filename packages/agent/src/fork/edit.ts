/** Typed edits: what a fork makes different, as facts. */
import { callOf, type Draft, type Frame, isOver, items, type Json, LoomError, type LoomEvent, type Seq } from '@loom-agent/kernel'
import { format } from '../call/format.ts'
import { modelId } from '../model/model.ts'
import { toJson } from '../platform/normalize.ts'
import { startInput } from '../run/run-input.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { toMessages } from '../types/input.ts'
import { type Moment, nameMoment } from '../types/moment.ts'
import type { Edit } from './fork-types.ts'

/** Where the thread is cut: at the moment, or before the earliest fact that an edit replaces. */
export function cutFor(edits: readonly Edit[], events: readonly LoomEvent[], moment: Moment): Seq {
  return Math.min(moment.seq, ...edits.map((edit) => before(edit, events, moment)))
}

function before(edit: Edit, events: readonly LoomEvent[], moment: Moment): Seq {
  const replaced = replacedBy(edit)
  if (!replaced) return moment.seq
  const found = events.find((event) => event.seq <= moment.seq && replaced(event))
  if (found) return found.seq - 1
  const what = edit.kind === 'remove-turn' ? `turn ${edit.turn}` : `result of the call ${'call' in edit ? edit.call : ''}`
  throw new LoomError(
    'LOOM_OPTION_INVALID',
    `fork: there is no ${what} up to ${nameMoment(moment)}, so it cannot be edited. Look at turnsOf(journal, thread).`,
    { context: { what, moment: nameMoment(moment) } },
  )
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

/** The edits as they are journaled: a model by its id, everything else as JSON. */
export function describeEdits(edits: readonly Edit[]): Json {
  return edits.map((edit) => (edit.kind === 'model' ? { kind: 'model', model: modelId(edit.model) } : toJson(edit)))
}

/** Edits to apply to a frame; `add` appends facts and returns the frame after them. */
interface Applied {
  readonly edits: readonly Edit[]
  readonly frame: Frame
  add(drafts: readonly Draft[]): Frame
}

/** Adds the facts that the edits make, one after another; returns the frame after them. */
export function applyEdits(instance: AgentInstance, { edits, frame: start, add }: Applied): Frame {
  let frame = start
  for (const edit of edits) if (edit.kind === 'result' || edit.kind === 'deny') frame = add([callDraft(instance, frame, edit)])
  const input = edits.find((edit) => edit.kind === 'input')
  if (input) {
    frame = add(cancelled(frame))
    frame = add(startInput(instance, { thread: frame.thread, messages: toMessages(input.input), options: {} }, frame).drafts)
  }
  const instructions = edits.find((edit) => edit.kind === 'instructions')
  if (!instructions) return frame
  if (!frame.run || isOver(frame.run)) {
    throw new LoomError('LOOM_OPTION_INVALID', 'fork: new instructions need a run that goes on. Give an input too, or fork at an earlier moment.')
  }
  return add([{ type: 'hook.applied', data: { point: 'beforeContextAssembly', hook: 'fork', patch: { system: instructions.text } } }])
}

function callDraft({ definition }: AgentInstance, frame: Frame, edit: Extract<Edit, { kind: 'result' | 'deny' }>): Draft {
  const call = frame.run && callOf(frame.run, edit.call)
  if (!call || call.state === 'settled') {
    throw new LoomError('LOOM_OPTION_INVALID', `fork: the call ${edit.call} is not open where the thread is cut. Edit calls of one turn only.`, {
      context: { call: edit.call },
    })
  }
  if (edit.kind === 'deny') {
    return {
      type: 'tool.denied',
      data: { call: call.id, reason: edit.reason ?? 'This call is not permitted. Do without it.', errorType: 'permission' },
    }
  }
  const options = { tool: call.part.name, limit: definition.behaviour.outputLimit, isInDoubt: () => false }
  return { type: 'tool.finished', data: { call: call.id, ...format({ kind: 'returned', value: edit.result }, options), meta: { edited: true } } }
}

/** What ends the run at the cut, so that another input can follow: every open call has its result. */
function cancelled({ run }: Frame): readonly Draft[] {
  if (!run || isOver(run)) return []
  const reason = 'The thread was forked here, and goes on with another input.'
  const outcome = { status: 'error', output: { type: 'error', value: `Cancelled: ${reason}` }, errorType: 'cancelled' } as const
  const open = [...items(run.calls)].filter(({ state }) => state !== 'settled')
  return [
    { type: 'run.stop-requested', data: { reason } },
    ...open.map(({ id }): Draft => ({ type: 'tool.finished', data: { call: id, ...outcome } })),
    { type: 'run.stopped', data: { kind: 'cancelled', reason } },
  ]
}
