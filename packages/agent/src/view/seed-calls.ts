/** The part of the projection that concerns calls. */
import type { EventType, ToolOutcome } from '@loom-agent/kernel'
import type { Signal } from '../types/signal.ts'
import { closePhase, type FreshView, nothing, openPhase, type SeedHandlers, type Tell } from './seed-tell.ts'
import { plainCall, type SeedCall, toolResultOf } from './seed-view.ts'

type CallEvent = Extract<EventType, `tool.${string}` | `child.${string}`>
type CallSignal = Extract<Signal['type'], `tool-${string}`>

/** What a call may have told before its start was durable; older words are dropped. */
const earlyKept = 64
const lastToolsKept = 5

/** A call nobody has heard of: the viewer joined after it was proposed. */
const unknownCall = (id: string): SeedCall => ({ id, name: 'unknown', arguments: null, isStarted: true, isSettled: false })

const find = (view: FreshView, id: string): SeedCall => view.calls.find((call) => call.id === id) ?? unknownCall(id)

function change(view: FreshView, id: string, changes: Partial<SeedCall>): void {
  view.calls = view.calls.map((call) => (call.id === id ? { ...call, ...changes } : call))
}

/** The start of a call is told once, whatever becomes of its performer; what it told before follows. */
function start(view: FreshView, id: string, tell: Tell): void {
  const call = find(view, id)
  openPhase(view, 'tool_execution', tell)
  if (call.isStarted) return
  change(view, id, { isStarted: true })
  view.toolCalls += 1
  view.lastTools = [...view.lastTools, call.name].slice(-lastToolsKept)
  tell('tool_execution_start', { toolCall: plainCall(call) })
  for (const status of view.early[id] ?? []) tell('tool_progress', { toolCall: plainCall(call), status })
}

function end(view: FreshView, ended: { call: string; outcome: ToolOutcome }, tell: Tell): void {
  const call = find(view, ended.call)
  openPhase(view, 'tool_execution', tell)
  if (call.isSettled) return
  change(view, call.id, { isSettled: true })
  const toolResult = toolResultOf(call, ended.outcome)
  if (toolResult.isError) view.errors += 1
  tell(toolResult.isError ? 'tool_error' : 'tool_result', { toolResult })
  if (view.calls.length === 0 || !view.calls.every(({ isSettled }) => isSettled)) return
  tell('tool_calls_complete', { resultsCount: view.calls.length })
  closePhase(view, tell)
}

/** Progress of a call; before its start is told it is kept, so that nothing comes before what it belongs to. */
function progress(view: FreshView, told: { call: string; status: unknown }, tell: Tell): void {
  const { call: id, status } = told
  const known = view.calls.find((call) => call.id === id)
  if (known ? known.isStarted : !view.isTurnOpen) return tell('tool_progress', { toolCall: plainCall(known ?? unknownCall(id)), status })
  view.early = { ...view.early, [id]: [...(view.early[id] ?? []), status].slice(-earlyKept) }
}

/** The handlers of calls, their steps and their children. */
export const callHandlers: SeedHandlers<CallEvent | CallSignal> = {
  'tool.started': (view, { data: { call, input } }, tell) => {
    if (input !== undefined) change(view, call, { arguments: input })
    start(view, call, tell)
  },
  'tool.denied': (view, { data: { call, reason, errorType } }, tell) =>
    end(view, { call, outcome: { status: 'error', output: { type: 'denied', value: reason }, errorType } }, tell),
  'tool.finished': (view, { data: { call, ...outcome } }, tell) => end(view, { call, outcome }, tell),
  'tool.step-started': (view, { data: { call, key } }, tell) => progress(view, { call, status: { step: key, is: 'started' } }, tell),
  'tool.step-finished': (view, { data: { call, key, error } }, tell) =>
    progress(view, { call, status: { step: key, is: error ? 'failed' : 'finished' } }, tell),
  'child.started': (view, { data: { call, child, agent } }, tell) => progress(view, { call, status: { child, agent, is: 'started' } }, tell),
  'child.finished': (view, { data: { call, child, error } }, tell) =>
    progress(view, { call, status: { child, is: error ? 'failed' : 'finished' } }, tell),
  'tool.suspended': (view, { data: { call } }, tell) => progress(view, { call, status: { is: 'suspended' } }, tell),
  'tool.in-doubt': (view, { data: { call } }, tell) => progress(view, { call, status: { is: 'in-doubt' } }, tell),
  'tool-start': nothing,
  'tool-delta': (view, { call, data }, tell) => progress(view, { call, status: data }, tell),
  'tool-end': nothing,
}
