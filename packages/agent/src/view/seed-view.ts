/** What the projection onto seed events remembers of a thread: little, explicit and plain data. */
import { type Frame, items, type Json, type Output, type Part, type Run, type ToolOutcome, textOf } from '@loom-agent/kernel'
import { replyText } from '../run/result-of.ts'
import type { SeedPhase, SeedRecovery, SeedToolCall, SeedToolResult } from './seed-event.ts'

/** A call of the current turn. */
export interface SeedCall extends SeedToolCall {
  readonly isStarted: boolean
  readonly isSettled: boolean
}

/** A thread, as far as its seed events depend on it. */
export interface SeedView {
  readonly thread: string
  readonly seq: number
  readonly time: number
  readonly run: string
  readonly turn: number
  readonly firstTurn: number
  /** The moment at which the turn was entered. */
  readonly entered: string
  readonly isTurnOpen: boolean
  readonly phase: SeedPhase | undefined
  readonly attempt: number
  /** What is being done about a failure of the model. */
  readonly recovering: SeedRecovery['strategy'] | undefined
  /** The text of the attempt that viewers have been told. */
  readonly told: string
  readonly reply: string
  readonly calls: readonly SeedCall[]
  /** What calls told before their start was durable: tools that only read do not wait for it. */
  readonly early: { readonly [call: string]: readonly unknown[] }
  readonly lastTools: readonly string[]
  readonly toolCalls: number
  readonly errors: number
  readonly messages: number
  readonly questions: readonly { readonly id: string; readonly prompt: string }[]
}

/** A thread of which nothing was seen. */
export function emptyView(thread: string): SeedView {
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
    told: '',
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

/** The view of a thread in the middle of its life, for whoever joins late: what was before counts as told. */
export function viewOf(frame: Frame): SeedView {
  const { run, thread, seq, time, turn } = frame
  const start = { ...emptyView(thread), seq, time, turn }
  if (!run) return start
  const calls = [...items(run.calls)].map(({ id, part, input, start: begun, outcome }) => {
    return { id, name: part.name, arguments: input, isStarted: begun !== undefined, isSettled: outcome !== undefined }
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
    lastTools: calls.map(({ name }) => name).slice(-5),
    toolCalls: calls.length,
    messages: frame.history.length,
    questions: Object.values(frame.questions).map(({ id, prompt }) => ({ id, prompt })),
  }
}

function phaseOf(run: Run, calls: readonly SeedCall[]): SeedPhase | undefined {
  if (run.status !== 'active') return undefined
  if (run.sent) return 'llm_call'
  return run.phase === 'tools' && calls.some(({ isStarted }) => isStarted) ? 'tool_execution' : undefined
}

/** The name of a turn in the seeds' sense. */
export function turnIdOf(thread: string, turn: number): string {
  return `${thread}/${turn}`
}

/** The calls that a reply proposes, under Loom's own ids. */
export function callsOf(parts: readonly Part[], turn: number): readonly SeedCall[] {
  const proposed = parts.filter((part) => part.type === 'call')
  return proposed.map(({ name, input }, index) => {
    return { id: `${turn}.${index}`, name, arguments: input, isStarted: false, isSettled: false }
  })
}

/** A call without what only the projection needs. */
export function plainCall({ id, name, arguments: input }: SeedToolCall): SeedToolCall {
  return { id, name, arguments: input }
}

/** The result of a call in the form of the founding documents. */
export function toolResultOf(call: { readonly id: string; readonly name: string }, outcome: ToolOutcome): SeedToolResult {
  const { status, output, errorType, ms = 0, stages, meta } = outcome
  return {
    toolCallId: call.id,
    toolName: call.name,
    status,
    content: contentOf(output),
    isError: status === 'error',
    executionTimeMs: ms,
    metadata: {
      ...(errorType !== undefined && { errorType }),
      ...(meta?.['empty'] === true && { emptyResponse: true }),
      ...(stages && { stageBreakdown: stages }),
    },
  }
}

/** What a call gave, as one text. */
export function contentOf(output: Output): string {
  if (output.type === 'parts') return textOf(output.value)
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value satisfies Json)
}
