/** What the projection knows of a thread: its frame, which is folded along, and what was emitted about it. */
import { emptyFrame, evolve, type Frame, items, type LoomEvent } from '@loom-agent/kernel'
import type { AgentEventPayloads, AgentEventType, EventOrigin, EventPhase, RecoveryStep, RunTotals, ToolCall } from './agent-event.ts'

/** A thread, as far as its events depend on it. */
export interface ThreadView {
  /** The frame after the latest event, and the one before it. */
  frame: Frame
  before: Frame
  /** The length of the history when the run started. */
  start: number
  /** The moment at which the turn was entered. */
  entered: string
  isTurnOpen: boolean
  phase: EventPhase | undefined
  /** How the projection last saw a failure of the model handled. */
  recovering: RecoveryStep['strategy'] | undefined
  /** The text of the attempt that was emitted so far. */
  emitted: string
  /** Progress of calls whose start is not durable yet: tools that only read do not wait for it. */
  early: { readonly [call: string]: readonly unknown[] }
  lastTools: readonly string[]
  toolCalls: number
  errors: number
}

/** Emits an event about the thread of the view; `turn` is the current one unless it is given. */
export type Emit = <T extends AgentEventType>(type: T, payload: AgentEventPayloads[T], turn?: number) => void

/** The view of a thread at a frame. Everything up to the frame counts as emitted. */
export function viewOf(frame: Frame): ThreadView {
  const { run, thread, seq, turn } = frame
  const calls = run ? [...items(run.calls)] : []
  const isToolPhase = run?.phase === 'tools' && calls.some(({ start }) => start)
  return {
    frame,
    before: frame,
    start: 0,
    entered: `${thread}@${seq}`,
    isTurnOpen: run !== undefined && (run.status === 'active' || run.status === 'suspended') && turn >= run.firstTurn,
    phase: run?.status !== 'active' ? undefined : run.sent ? 'llm_call' : isToolPhase ? 'tool_execution' : undefined,
    recovering: undefined,
    emitted: '',
    early: {},
    lastTools: calls.map(({ part }) => part.name).slice(-5),
    toolCalls: calls.length,
    errors: 0,
  }
}

/** The view of a thread whose earlier events were not seen: of a run that is under way nothing is known but what its events say. */
export function joinedView(event: LoomEvent): ThreadView {
  const { thread, run, turn = 0, type } = event
  const frame = emptyFrame(thread)
  if (run === undefined || type === 'run.started' || type === 'run.queued') return viewOf({ ...frame, turn })
  const request = { input: [], model: '', limits: {}, agent: { name: '', fingerprint: '' } }
  const started = evolve(frame, { ...event, type: 'run.started', v: 1, data: { run, request } })
  return { ...viewOf({ ...started, turn }), isTurnOpen: false }
}

/** The calls of the turn, as hooks have left them. */
export function callsOf({ run }: Frame): readonly ToolCall[] {
  return run ? [...items(run.calls)].map(({ id, part, input }) => ({ id, name: part.name, arguments: input })) : []
}

/** Where an event of a turn belongs. */
export function originOf({ thread, run, time: timestamp }: Frame, turn: number): EventOrigin {
  return { thread, run: run?.id ?? '', timestamp, iteration: Math.max(0, turn - (run?.firstTurn ?? 1) + 1), turnId: turnIdOf(thread, turn) }
}

/** The name of a turn. */
export function turnIdOf(thread: string, turn: number): string {
  return `${thread}/${turn}`
}

/** The counts of the run so far. */
export function totalsOf({ frame, toolCalls, errors }: ThreadView): RunTotals {
  return { iterations: originOf(frame, frame.turn).iteration, toolCalls, errors }
}

/** Begins a phase, and ends the one before. */
export function openPhase(view: ThreadView, phase: EventPhase, emit: Emit): void {
  if (view.phase === phase) return
  closePhase(view, emit)
  view.phase = phase
  emit('phase_start', { phase })
  if (phase === 'context_assembly') emit('context_assembly_start', {})
  // After a wait the calls of the turn go on: their start was emitted before.
  const calls = phase === 'tool_execution' && view.before.run ? [...items(view.before.run.calls)] : []
  if (calls.length > 0 && calls.every(({ start, outcome }) => !start && !outcome)) emit('tool_calls_start', { toolCalls: callsOf(view.frame) })
}

/** Ends the phase that is open. */
export function closePhase(view: ThreadView, emit: Emit): void {
  if (view.phase) emit('phase_end', { phase: view.phase })
  view.phase = undefined
}

/** Ends the phase and the turn that are open. */
export function closeTurn(view: ThreadView, emit: Emit): void {
  closePhase(view, emit)
  if (view.isTurnOpen) emit('iteration_end', {})
  view.isTurnOpen = false
}
