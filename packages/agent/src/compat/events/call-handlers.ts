/** The part of the projection that concerns calls. */
import { callOf, items, type ToolOutcome } from '@loom-agent/kernel'
import type { ToolCall } from './agent-event.ts'
import { closePhase, emit, openPhase, type ThreadView } from './thread-view.ts'
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
function start(view: ThreadView, id: string): void {
  const former = view.before.run && callOf(view.before.run, id)
  openPhase(view, 'tool_execution')
  if (!former || former.start) return
  const toolCall = shownCall(view, id)
  view.toolCalls += 1
  view.lastTools = [...view.lastTools, toolCall.name].slice(-lastToolsKept)
  emit(view, 'tool_execution_start', { toolCall })
  for (const status of view.early[id] ?? []) emit(view, 'tool_progress', { toolCall, status })
}

function end(view: ThreadView, id: string, outcome: ToolOutcome): void {
  const { before, frame } = view
  openPhase(view, 'tool_execution')
  if (before.run && callOf(before.run, id)?.outcome) return
  const toolResult = toolResultOf(shownCall(view, id), outcome)
  if (toolResult.isError) view.errors += 1
  emit(view, toolResult.isError ? 'tool_error' : 'tool_result', { toolResult })
  const calls = frame.run ? [...items(frame.run.calls)] : []
  if (calls.length === 0 || calls.some((call) => !call.outcome)) return
  emit(view, 'tool_calls_complete', { resultsCount: calls.length })
  closePhase(view)
}

/** Progress of a call; before its start was emitted it is kept, so that it never comes before the start. */
function progress(view: ThreadView, id: string, status: unknown): void {
  const call = view.frame.run && callOf(view.frame.run, id)
  if (call ? call.start : !view.isTurnOpen) return emit(view, 'tool_progress', { toolCall: shownCall(view, id), status })
  view.early = { ...view.early, [id]: [...(view.early[id] ?? []), status].slice(-earlyKept) }
}

const endOf = (error: unknown): string => (error ? 'failed' : 'finished')

/** The handlers of calls, their steps and their children. */
export const callHandlers: Handlers = {
  'tool.started': (view, { data }) => start(view, data.call),
  'tool.denied': (view, { data: { call, reason, errorType } }) =>
    end(view, call, { status: 'error', output: { type: 'denied', value: reason }, errorType }),
  'tool.finished': (view, { data: { call, ...outcome } }) => end(view, call, outcome),
  'tool.step-started': (view, { data: { call, key } }) => progress(view, call, { step: key, is: 'started' }),
  'tool.step-finished': (view, { data: { call, key, error } }) => progress(view, call, { step: key, is: endOf(error) }),
  'child.started': (view, { data: { call, child, agent } }) => progress(view, call, { child, agent, is: 'started' }),
  'child.finished': (view, { data: { call, child, error } }) => progress(view, call, { child, is: endOf(error) }),
  'tool.suspended': (view, { data }) => progress(view, data.call, { is: 'suspended' }),
  'tool.in-doubt': (view, { data }) => progress(view, data.call, { is: 'in-doubt' }),
  'tool-delta': (view, { call, data }) => progress(view, call, data),
}
