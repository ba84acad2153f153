/** What the projection knows of a thread: its frame, which is folded along, and what was emitted about it. */
import { emptyFrame, evolve, type Frame, items, type LoomEvent, type Message } from '@loom-agent/kernel'
import type { AgentEvent, AgentEventPayloads, AgentEventType, EventOrigin, EventPhase, RecoveryStep, RunTotals, ToolCall } from './agent-event.ts'

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
  /** What the current event emits, and the turn that it is about. */
  events: AgentEvent[]
  turn: number
}

/** What an event carries; fields that are undefined are left out. */
type Payload<T extends AgentEventType> = { readonly [K in keyof AgentEventPayloads[T]]: AgentEventPayloads[T][K] | undefined }

/** Emits an event about the thread of the view. */
export function emit<T extends AgentEventType>(view: ThreadView, type: T, payload: Payload<T>): void {
  const carried = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
  view.events.push({ type, ...originOf(view.frame, view.turn), ...carried } as AgentEvent)
}

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
    events: [],
    turn,
  }
}

/** The view of a thread whose earlier events were not seen: of its run nothing is known but what its events say, not even a queued input. */
export function joinedView(event: LoomEvent): ThreadView {
  const { thread, run, turn = 0, type } = event
  const frame = emptyFrame(thread)
  if (run === undefined || type === 'run.queued') return viewOf({ ...frame, turn })
  const isStart = type === 'run.started'
  const input: Message[] = isStart ? [{ role: 'user', parts: [] }] : []
  const request = { input, model: '', limits: {}, agent: { name: '', fingerprint: '' } }
  const started = evolve({ ...frame, turn: isStart ? turn : 0 }, { ...event, type: 'run.started', v: 1, data: { run, request } })
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
export function openPhase(view: ThreadView, phase: EventPhase): void {
  if (view.phase === phase) return
  closePhase(view)
  view.phase = phase
  emit(view, 'phase_start', { phase })
  if (phase === 'context_assembly') emit(view, 'context_assembly_start', {})
  // After a wait the calls of the turn go on: their start was emitted before.
  const calls = phase === 'tool_execution' && view.before.run ? [...items(view.before.run.calls)] : []
  const isNew = calls.length > 0 && calls.every(({ start, outcome }) => !start && !outcome)
  if (isNew) emit(view, 'tool_calls_start', { toolCalls: callsOf(view.frame) })
}

/** Ends the phase that is open. */
export function closePhase(view: ThreadView): void {
  if (view.phase) emit(view, 'phase_end', { phase: view.phase })
  view.phase = undefined
}

/** Ends the phase and the turn that are open. */
export function closeTurn(view: ThreadView): void {
  closePhase(view)
  if (view.isTurnOpen) emit(view, 'iteration_end', {})
  view.isTurnOpen = false
}
