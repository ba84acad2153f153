/** The 29 events of the original Python project, as types: names in upper case, values in lower case, and what each carries. */
import type { Failure, Json, Usage } from '@loom-agent/kernel'

/** Every event type by its name in the original Python project. */
export const AgentEventType = {
  PHASE_START: 'phase_start',
  PHASE_END: 'phase_end',
  CONTEXT_ASSEMBLY_START: 'context_assembly_start',
  CONTEXT_ASSEMBLY_COMPLETE: 'context_assembly_complete',
  COMPRESSION_APPLIED: 'compression_applied',
  RETRIEVAL_START: 'retrieval_start',
  RETRIEVAL_PROGRESS: 'retrieval_progress',
  RETRIEVAL_COMPLETE: 'retrieval_complete',
  LLM_START: 'llm_start',
  LLM_DELTA: 'llm_delta',
  LLM_COMPLETE: 'llm_complete',
  LLM_TOOL_CALLS: 'llm_tool_calls',
  TOOL_CALLS_START: 'tool_calls_start',
  TOOL_EXECUTION_START: 'tool_execution_start',
  TOOL_PROGRESS: 'tool_progress',
  TOOL_RESULT: 'tool_result',
  TOOL_ERROR: 'tool_error',
  TOOL_CALLS_COMPLETE: 'tool_calls_complete',
  ITERATION_START: 'iteration_start',
  ITERATION_END: 'iteration_end',
  RECURSION: 'recursion',
  RECURSION_TERMINATED: 'recursion_terminated',
  AGENT_FINISH: 'agent_finish',
  MAX_ITERATIONS_REACHED: 'max_iterations_reached',
  EXECUTION_CANCELLED: 'execution_cancelled',
  ERROR: 'error',
  RECOVERY_ATTEMPT: 'recovery_attempt',
  RECOVERY_SUCCESS: 'recovery_success',
  RECOVERY_FAILED: 'recovery_failed',
} as const

/** The type of an event. */
export type AgentEventType = (typeof AgentEventType)[keyof typeof AgentEventType]

/** A part of a turn that has a beginning and an end. */
export type EventPhase = 'context_assembly' | 'llm_call' | 'tool_execution' | 'resume'

/** A call as the original Python project shows it; the id is Loom's own. */
export interface ToolCall {
  /** Loom's own id of the call: `turn.index`. */
  readonly id: string
  /** The name of the tool. */
  readonly name: string
  /** The arguments. */
  readonly arguments: Json
}

/** A result as the original Python project shows it. */
export interface ToolResult {
  /** Loom's own id of the call: `turn.index`. */
  readonly toolCallId: string
  /** The name of the tool. */
  readonly toolName: string
  /** How the call ended. */
  readonly status: 'success' | 'error' | 'warning'
  /** What the model reads, as text. */
  readonly content: string
  /** Whether the call ended with an error. */
  readonly isError: boolean
  /** Milliseconds that the tool ran. */
  readonly executionTimeMs: number
  /** The kind of error, whether the result was empty, and milliseconds by stage. */
  readonly metadata: {
    readonly errorType?: string
    readonly emptyResponse?: boolean
    readonly stageBreakdown?: Json
  }
}

/** The counts of a run. */
export interface RunTotals {
  readonly iterations: number
  readonly toolCalls: number
  readonly errors: number
}

/** An attempt to recover from a failure. */
export interface RecoveryStep {
  readonly strategy: 'retry' | 'takeover' | 'compression'
  readonly attempt: number
}

/** What each event carries besides its origin. */
export interface AgentEventPayloads {
  readonly phase_start: { readonly phase: EventPhase }
  readonly phase_end: { readonly phase: EventPhase }
  readonly context_assembly_start: object
  readonly context_assembly_complete: { readonly rebase?: string; readonly tools?: readonly string[] }
  readonly compression_applied: { readonly tokensBefore?: number; readonly tokensAfter?: number; readonly summary: string }
  readonly retrieval_start: { readonly query: string }
  readonly retrieval_progress: { readonly id: string; readonly title?: string; readonly score?: number }
  readonly retrieval_complete: { readonly query: string; readonly documentCount: number }
  readonly llm_start: { readonly attempt: number; readonly model?: string }
  readonly llm_delta: { readonly content: string }
  readonly llm_complete: { readonly content: string; readonly usage: Usage; readonly cost?: number; readonly finish: string }
  readonly llm_tool_calls: { readonly toolCalls: readonly ToolCall[] }
  readonly tool_calls_start: { readonly toolCalls: readonly ToolCall[] }
  readonly tool_execution_start: { readonly toolCall: ToolCall }
  readonly tool_progress: { readonly toolCall: ToolCall; readonly status: unknown }
  readonly tool_result: { readonly toolResult: ToolResult }
  readonly tool_error: { readonly toolResult: ToolResult }
  readonly tool_calls_complete: { readonly resultsCount: number }
  readonly iteration_start: { readonly parentTurnId?: string }
  readonly iteration_end: object
  readonly recursion: {
    /** The moments `thread@seq` at which the turns were entered. */
    readonly from: string
    readonly to: string
    readonly depth: number
    readonly tools: readonly string[]
    /** Messages of the run so far. */
    readonly messageCount: number
    /** A repetition that was noticed: a warning, or a note to the model as well. */
    readonly loop?: { readonly level: 'warn' | 'nudge'; readonly tool: string; readonly count: number }
  }
  readonly recursion_terminated: RunTotals & {
    readonly reason: string
    readonly kind: 'loop' | 'budget' | 'limit' | 'length' | 'filtered'
    readonly content: string
    readonly lastTools: readonly string[]
  }
  readonly agent_finish: RunTotals & { readonly content: string; readonly output?: Json }
  readonly max_iterations_reached: RunTotals & { readonly max: number; readonly reason: string; readonly content: string }
  readonly execution_cancelled: {
    /** True when the run only waits: for an answer, a time or a resumption. */
    readonly interrupt: boolean
    readonly reason: string
    readonly correlationId: string
    readonly questions: readonly { readonly id: string; readonly prompt: string }[]
  }
  readonly error: { readonly error: Failure; readonly stage: EventPhase | 'run' }
  readonly recovery_attempt: RecoveryStep & { readonly error: Failure; readonly at: number | undefined }
  readonly recovery_success: RecoveryStep
  readonly recovery_failed: RecoveryStep & { readonly error: Failure }
}

/** Where an event belongs. */
export interface EventOrigin {
  /** The id of the thread. */
  readonly thread: string
  /** The id of the run on its thread. */
  readonly run: string
  /** Milliseconds since 1970; a signal has the time of the latest fact. */
  readonly timestamp: number
  /** The turn, counted from 1 in its run; in its thread when the run's start was not seen. */
  readonly iteration: number
  /** The name of the turn: `thread/turn`. */
  readonly turnId: string
}

/** An event of one type. */
export type AgentEventOf<T extends AgentEventType> = EventOrigin & {
  /** What has happened. */
  readonly type: T
} & AgentEventPayloads[T]

/** Any event. */
export type AgentEvent = { [T in AgentEventType]: AgentEventOf<T> }[AgentEventType]

const endings: readonly AgentEventType[] = ['agent_finish', 'max_iterations_reached', 'recursion_terminated', 'error']

/** Whether a run has come to its end. A cancelled run has; one that only waits has not. */
export function isTerminal(event: AgentEvent): boolean {
  return event.type === 'execution_cancelled' ? !event.interrupt : endings.includes(event.type)
}

/** Whether an event is a piece of what the model says. */
export function isLlmContent(event: AgentEvent): event is AgentEventOf<'llm_delta'> {
  return event.type === 'llm_delta'
}

/** Whether an event is about calls. */
export function isToolEvent(event: AgentEvent): boolean {
  return event.type.includes('tool')
}
