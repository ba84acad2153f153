/** The part of the projection that concerns calls. */
import type { EventType, ToolOutcome } from '@loom-agent/kernel'
import type { Signal } from '../../run/signal.ts'
import { closePhase, type Emit, type Handlers, ignore, openPhase } from './phases.ts'
import type { ThreadView, TrackedCall } from './thread-view.ts'
import { toolResultOf } from './tool-result.ts'

type CallEvent = Extract<EventType, `tool.${string}` | `child.${string}`>
type CallSignal = Extract<Signal['type'], `tool-${string}`>

/** How much progress of a call is kept before its start is durable; the oldest is dropped. */
const earlyKept = 64
const lastToolsKept = 5

/** A call that was proposed before the stream began. */
const unknownCall = (id: string): TrackedCall => ({ call: { id, name: 'unknown', arguments: null }, isStarted: true, isSettled: false })

const find = (view: ThreadView, id: string): TrackedCall | undefined => view.calls.find(({ call }) => call.id === id)

function change(view: ThreadView, id: string, changes: Partial<TrackedCall>): void {
  view.calls = view.calls.map((tracked) => (tracked.call.id === id ? { ...tracked, ...changes } : tracked))
}

/** Emits the start of a call once, however often it is started; its progress until then follows. */
function start(view: ThreadView, id: string, emit: Emit): void {
  const { call, isStarted } = find(view, id) ?? unknownCall(id)
  openPhase(view, 'tool_execution', emit)
  if (isStarted) return
  change(view, id, { isStarted: true })
  view.toolCalls += 1
  view.lastTools = [...view.lastTools, call.name].slice(-lastToolsKept)
  emit('tool_execution_start', { toolCall: call })
  for (const status of view.early[id] ?? []) emit('tool_progress', { toolCall: call, status })
}

function end(view: ThreadView, ended: { id: string; outcome: ToolOutcome }, emit: Emit): void {
  const { call, isSettled } = find(view, ended.id) ?? unknownCall(ended.id)
  openPhase(view, 'tool_execution', emit)
  if (isSettled) return
  change(view, call.id, { isSettled: true })
  const toolResult = toolResultOf(call, ended.outcome)
  if (toolResult.isError) view.errors += 1
  emit(toolResult.isError ? 'tool_error' : 'tool_result', { toolResult })
  if (view.calls.length === 0 || view.calls.some((tracked) => !tracked.isSettled)) return
  emit('tool_calls_complete', { resultsCount: view.calls.length })
  closePhase(view, emit)
}

/** Progress of a call; before its start was emitted it is kept, so that it never comes before the start. */
function progress(view: ThreadView, { id, status }: { id: string; status: unknown }, emit: Emit): void {
  const known = find(view, id)
  if (known ? known.isStarted : !view.isTurnOpen) return emit('tool_progress', { toolCall: (known ?? unknownCall(id)).call, status })
  view.early = { ...view.early, [id]: [...(view.early[id] ?? []), status].slice(-earlyKept) }
}

/** The handlers of calls, their steps and their children. */
export const callHandlers: Handlers<CallEvent | CallSignal> = {
  'tool.started': (view, { data: { call: id, input } }, emit) => {
    const known = find(view, id)
    if (known && input !== undefined) change(view, id, { call: { ...known.call, arguments: input } })
    start(view, id, emit)
  },
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
  'tool-start': ignore,
  'tool-delta': (view, { call: id, data }, emit) => progress(view, { id, status: data }, emit),
  'tool-end': ignore,
}
