/** Frames as the original Python project shows them: a turn's state, and the phase of execution. */
import type { Frame } from '@loom-agent/kernel'
import { endedCalls } from '../hook/built-in/observing-hook.ts'
import { turnIdOf } from './events/thread-view.ts'
import { contentOf } from './events/tool-result.ts'

/** The state of a turn. It is a view of a frame: frames are immutable already, and every earlier one stays valid. */
export interface TurnState {
  /** The number of the turn in its run, from 1. */
  readonly turnCounter: number
  /** The name of the turn: `thread/turn`. */
  readonly turnId: string
  /** The name of the turn before; undefined for the first one of the run. */
  readonly parentTurnId: string | undefined
  /** The limit of turns; infinity when there is none. */
  readonly maxIterations: number
  /** Whether earlier messages were left out or summed up. */
  readonly compacted: boolean
  /** The names of the latest 20 calls, oldest first. */
  readonly toolCallHistory: readonly string[]
  /** How many calls of the run ended with an error or were denied. */
  readonly errorCount: number
  /** The latest 10 results, cut to 200 characters, oldest first. */
  readonly lastOutputs: readonly string[]
  /** Whether this is the last turn that the limit allows. */
  readonly isFinal: boolean
}

const callsKept = 20
const outputsKept = 10
const outputLength = 200

/** The turn state of a frame. */
export function turnStateOf(frame: Frame): TurnState {
  const { thread, turn, run, context } = frame
  const firstTurn = run?.firstTurn ?? 1
  const turnCounter = Math.max(0, turn - firstTurn + 1)
  const maxIterations = run?.limits.turns ?? Number.POSITIVE_INFINITY
  const ended = endedCalls(frame)
  return {
    turnCounter,
    turnId: turnIdOf(thread, turn),
    parentTurnId: turnCounter > 1 ? turnIdOf(thread, turn - 1) : undefined,
    maxIterations,
    compacted: context.segments.some(({ as }) => as !== 'kept'),
    toolCallHistory: ended.slice(-callsKept).map(({ name }) => name),
    errorCount: ended.filter(({ output }) => output.type === 'error' || output.type === 'denied').length,
    lastOutputs: ended.slice(-outputsKept).map(({ output }) => contentOf(output).slice(0, outputLength).toWellFormed()),
    isFinal: turnCounter >= maxIterations,
  }
}

/** The phases of execution. */
export const ExecutionPhase = {
  INITIAL: 'initial',
  CONTEXT_ASSEMBLY: 'context_assembly',
  LLM_CALL: 'llm_call',
  DECISION: 'decision',
  TOOL_EXECUTION: 'tool_execution',
  RECURSION: 'recursion',
  COMPLETED: 'completed',
  TERMINATED: 'terminated',
} as const

/** The phase that a frame is in. */
export type ExecutionPhase = (typeof ExecutionPhase)[keyof typeof ExecutionPhase]

/** The phase of execution of a frame. */
export function executionPhaseOf({ run }: Frame): ExecutionPhase {
  if (!run) return 'initial'
  if (run.status === 'finished') return 'completed'
  if (run.status === 'failed' || run.status === 'stopped') return 'terminated'
  switch (run.phase) {
    case 'enter':
      return run.attempt === 0 ? 'initial' : 'recursion'
    case 'context':
      return 'context_assembly'
    case 'model':
      return 'llm_call'
    case 'tools':
      return 'tool_execution'
    case 'answer':
      return 'decision'
  }
}
