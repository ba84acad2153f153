/** What the projection remembers of a thread. */
import { type Frame, items, type Run } from '@loom-agent/kernel'
import { replyText } from '../../run/result-of.ts'
import type { EventPhase, RecoveryStep, ToolCall } from './agent-event.ts'

/** A call of the current turn, and which of its events were emitted. */
export interface TrackedCall {
  readonly call: ToolCall
  readonly isStarted: boolean
  readonly isSettled: boolean
}

/** A thread, as far as its events depend on it. */
export interface ThreadView {
  readonly thread: string
  seq: number
  time: number
  run: string
  turn: number
  firstTurn: number
  /** The moment at which the turn was entered. */
  entered: string
  isTurnOpen: boolean
  phase: EventPhase | undefined
  attempt: number
  /** How the projection last saw a failure of the model handled. */
  recovering: RecoveryStep['strategy'] | undefined
  /** The text of the attempt that was emitted so far. */
  emitted: string
  reply: string
  calls: readonly TrackedCall[]
  /** Progress of calls whose start is not durable yet: tools that only read do not wait for it. */
  early: { readonly [call: string]: readonly unknown[] }
  lastTools: readonly string[]
  toolCalls: number
  errors: number
  messages: number
  questions: readonly { readonly id: string; readonly prompt: string }[]
}

/** A thread without events. */
export function emptyView(thread: string): ThreadView {
  return {
    thread,
    seq: 0,
    time: 0,
    run: '',
    turn: 0,
    firstTurn: 1,
    entered: '',
    isTurnOpen: false,
    phase: undefined,
    attempt: 0,
    recovering: undefined,
    emitted: '',
    reply: '',
    calls: [],
    early: {},
    lastTools: [],
    toolCalls: 0,
    errors: 0,
    messages: 0,
    questions: [],
  }
}

/** The view of a thread at a frame. Everything up to the frame counts as emitted. */
export function viewOf(frame: Frame): ThreadView {
  const { run, thread, seq, time, turn } = frame
  const start = { ...emptyView(thread), seq, time, turn }
  if (!run) return start
  const calls = [...items(run.calls)].map(({ id, part, input, start: started, outcome }): TrackedCall => {
    return { call: { id, name: part.name, arguments: input }, isStarted: started !== undefined, isSettled: outcome !== undefined }
  })
  return {
    ...start,
    run: run.id,
    firstTurn: run.firstTurn,
    entered: `${thread}@${seq}`,
    isTurnOpen: (run.status === 'active' || run.status === 'suspended') && turn >= run.firstTurn,
    phase: phaseOf(run, calls),
    attempt: run.attempt,
    reply: replyText(frame),
    calls,
    lastTools: calls.map(({ call }) => call.name).slice(-5),
    toolCalls: calls.length,
    messages: frame.history.length,
    questions: Object.values(frame.questions).map(({ id, prompt }) => ({ id, prompt })),
  }
}

function phaseOf(run: Run, calls: readonly TrackedCall[]): EventPhase | undefined {
  if (run.status !== 'active') return undefined
  if (run.sent) return 'llm_call'
  return run.phase === 'tools' && calls.some(({ isStarted }) => isStarted) ? 'tool_execution' : undefined
}

/** The name of a turn. */
export function turnIdOf(thread: string, turn: number): string {
  return `${thread}/${turn}`
}
