/** The part of the projection that concerns calls. */
import { callOf, items, type ToolOutcome } from '@loom-agent/kernel'
import type { ToolCall } from './agent-event.ts'
import { closePhase, type Emit, openPhase, type ThreadView } from './thread-view.ts'
import { toolResultOf } from './tool-result.ts'
import type { Handlers } from './turn-handlers.ts'

/** How much progress of a call is kept before its start is durable; the oldest is dropped. */
const earlyKept = 64
const lastToolsKept = 5

/** The call as it is shown; one that was proposed before the stream began is not known. */
function shownCall({ frame: { run } }: ThreadView, id: string): ToolCall {
  const call = run && callOf(run, id)
  return { id, name: call?.part.name ?? 'unknown', arguments: call?.input ?? null }
}

/** Emits the start of a call once, however often it is started; its progress until then follows. */
function start(view: ThreadView, id: string, emit: Emit): void {
  const former = view.before.run && callOf(view.before.run, id)
  openPhase(view, 'tool_execution', emit)
  if (!former || former.start) return
  const toolCall = shownCall(view, id)
  view.toolCalls += 1
  view.lastTools = [...view.lastTools, toolCall.name].slice(-lastToolsKept)
  emit('tool_execution_start', { toolCall })
  for (const status of view.early[id] ?? []) emit('tool_progress', { toolCall, status })
}

function end(view: ThreadView, { id, outcome }: { id: string; outcome: ToolOutcome }, emit: Emit): void {
  const { before, frame } = view
  openPhase(view, 'tool_execution', emit)
  if (before.run && callOf(before.run, id)?.outcome) return
  const toolResult = toolResultOf(shownCall(view, id), outcome)
  if (toolResult.isError) view.errors += 1
  emit(toolResult.isError ? 'tool_error' : 'tool_result', { toolResult })
  const calls = frame.run ? [...items(frame.run.calls)] : []
  if (calls.length === 0 || calls.some((call) => !call.outcome)) return
  emit('tool_calls_complete', { resultsCount: calls.length })
  closePhase(view, emit)
}

/** Progress of a call; before its start was emitted it is kept, so that it never comes before the start. */
function progress(view: ThreadView, { id, status }: { id: string; status: unknown }, emit: Emit): void {
  const call = view.frame.run && callOf(view.frame.run, id)
  if (call ? call.start : !view.isTurnOpen) return emit('tool_progress', { toolCall: shownCall(view, id), status })
  view.early = { ...view.early, [id]: [...(view.early[id] ?? []), status].slice(-earlyKept) }
}

/** The handlers of calls, their steps and their children. */
export const callHandlers: Handlers = {
  'tool.started': (view, { data: { call } }, emit) => start(view, call, emit),
  'tool.denied': (view, { data: { call: id, reason, errorType } }, emit) =>
    end(view, { id, outcome: { status: 'error', output: { type: 'denied', value: reason }, errorType } }, emit),
  'tool.finished': (view, { data: { call: id, ...outcome } }, emit) => end(view, { id, outcome }, emit),
  'tool.step-started': (view, { data: { call: id, key } }, emit) => progress(view, { id, status: { step: key, is: 'started' } }, emit),
  'tool.step-finished': (view, { data: { call: id, key, error } }, emit) =>
    progress(view, { id, status: { step: key, is: error ? 'failed' : 'finished' } }, emit),
  'child.started': (view, { data: { call: id, child, agent } }, emit) => progress(view, { id, status: { child, agent, is: 'started' } }, emit),
  'child.finished': (view, { data: { call: id, child, error } }, emit) =>
    progress(view, { id, status: { child, is: error ? 'failed' : 'finished' } }, emit),
  'tool.suspended': (view, { data: { call: id } }, emit) => progress(view, { id, status: { is: 'suspended' } }, emit),
  'tool.in-doubt': (view, { data: { call: id } }, emit) => progress(view, { id, status: { is: 'in-doubt' } }, emit),
  'tool-delta': (view, { call: id, data }, emit) => progress(view, { id, status: data }, emit),
}
