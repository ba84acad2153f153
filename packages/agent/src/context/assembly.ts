/** What an assembly of the context is made of and for. */
import type { ContextSummary, Draft, Frame, Seq, ToolSpec } from '@loom-agent/kernel'
import type { ModelIdentity } from '../model/model.ts'
import type { Cancellation } from '../platform/cancellation.ts'
import type { Ports } from '../platform/ports.ts'
import type { Brought } from './brought.ts'
import type { LayerText, SystemText } from './layers.ts'
import type { ContextModel, ModelKnowledge } from './model-facts.ts'
import type { Essentials } from './segments.ts'
import type { Measured } from './standard.ts'
import type { TodoReading } from './todos.ts'
import type { Ledgers } from './tokens.ts'

/** What an assembler remembers between turns of one driver. */
export interface Assembly {
  /** The run whose instructions and tools were compared with the context. */
  checked: string | undefined
  /** The run whose model has no known window. */
  unasked: string | undefined
  /** How long the thread is, as far as the strategy of agents without one looks at it. */
  readonly measured: Measured
  /** What strategies that are asked look at; undefined until one is. */
  known: Known | undefined
  /** The list of tasks, as far as it was looked for; undefined until it is. */
  todos: TodoReading | undefined
}

/** What is kept for a strategy that is asked. */
export interface Known {
  /** The entries that no rebase leaves out. */
  readonly essentials: Essentials
  /** The model that was described last. */
  model: ContextModel | undefined
  /** The tokens of the thread, as far as a strategy has looked at them. */
  readonly ledgers: Ledgers
}

/** An assembly before its first turn. */
export function createAssembly(): Assembly {
  return { checked: undefined, unasked: undefined, measured: { entries: 0, characters: 0 }, known: undefined, todos: undefined }
}

/** What code supplies to an assembly. */
export interface AssemblySource {
  readonly instructions: string
  /** What stands in the system text behind the instructions; absent: nothing. */
  readonly layers?: readonly LayerText[]
  readonly toolbox: { readonly specs: readonly ToolSpec[]; readonly searched?: ReadonlyMap<string, ToolSpec>; readonly brought: readonly Brought[] }
  /** Absent in a replay, which asks no model: the id that the run has recorded counts. */
  readonly model?: ModelIdentity
  readonly deps?: unknown
}

/** What an assembly is made for. */
export interface AssemblyRequest {
  readonly source: AssemblySource
  readonly assembly: Assembly
  readonly frame: Frame
  readonly cancellation: Cancellation
  /** What knows models, and counts texts. The definition of an agent is passed as it is. */
  readonly knowledge: ModelKnowledge & { readonly ports: Pick<Ports, 'countTokens'> }
  /** In a replay: what stands in for models. */
  readonly record?: AssemblyRecording
}

/** What a replay has instead of models. */
export interface AssemblyRecording {
  /** The summary of a range of events that was recorded. */
  readonly summaryOf: (from: Seq, to: Seq) => ContextSummary | undefined
  /** Is called when something else stands in for what a model would have written. */
  readonly onEstimated: () => void
}

/** Earlier bytes that have to change before the strategy is asked: why, and to what. */
export interface Due extends SystemText {
  readonly reason: string
  readonly tools: readonly ToolSpec[]
}

/** What is recorded of a context that only grew. */
export const grown: readonly Draft[] = [{ type: 'context.assembled', data: {} }]
