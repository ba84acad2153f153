/** The context strategy: a replaceable policy of what the model is shown. */
import type { ContextBudget, ContextItem, ContextSummary, Failure, Frame, RetrievedDocument, Segment, Seq, ToolSpec, Usage } from '@loom-agent/kernel'
import type { Model, ModelObject } from '../model/model.ts'
import { type Expected, expected } from '../platform/expected.ts'
import type { ContextModel } from './model-facts.ts'
import type { TodoList } from './todos.ts'
import type { ContextTokens } from './tokens.ts'

/** What a strategy may look at. */
export interface ContextRequest {
  /** The thread as it is now. */
  readonly frame: Frame
  /** The instructions of the run. */
  readonly instructions: string
  /** The tools that the model will be shown. */
  readonly tools: readonly ToolSpec[]
  /** Why earlier bytes will change anyway; a strategy that has cuts to make makes them now. */
  readonly rebase: string | undefined
  /** Aborts when the run is to stop. */
  readonly signal: AbortSignal
  /** The model that is asked next. */
  readonly model: ContextModel
  /** How many tokens something has, by estimates that the model's own counts have corrected. */
  readonly tokens: ContextTokens
  /** What the run has used so far. */
  readonly usage: Usage
  /** The dependencies of the run. */
  readonly deps: unknown
  /** The indexes of the entries that are shown in any case: the last input, pins, the latest calls with their results. */
  essentials(): readonly number[]
  /** The list of tasks, where the agent has the tool `todo()` and a call has set one. */
  todos(): TodoList | undefined
  /** The model object behind a model: strategies may ask one. It throws in a replay, which asks none. */
  resolveModel(model: Model): ModelObject | Promise<ModelObject>
  /** Present in a replay alone: the summary of a range of events that was recorded. A strategy asks no model then. */
  readonly recorded?: (from: Seq, to: Seq) => ContextSummary | undefined
}

/** What a strategy decides. Without a rebase the context grows by what is new in the history, and by nothing else. */
export interface ContextPlan {
  /** Changes earlier bytes of the context, and why; absent: the context only grows. */
  readonly rebase?: {
    readonly reason: string
    /** What is shown of the history, in order. What they do not cover is shown whole; so is whatever must stay. Absent: as it is now. */
    readonly segments?: readonly Segment[]
    /** Instead of segments: the index of the first history entry to keep. */
    readonly keepFrom?: number
    /** With `keepFrom`: a text that stands in for what is left out. */
    readonly lead?: string
    /** The tokens that the decision was made by. */
    readonly budget?: ContextBudget
  }
  /** Added at the end of the context, where they stay until a rebase leaves them out. */
  readonly items?: readonly ContextItem[]
  /** Summaries that were made; the number of the first, for segments, is `frame.summaries.length`. */
  readonly compressed?: ContextSummary | readonly ContextSummary[]
  /** Why a summary could not be made; the run goes on without it. */
  readonly compressionFailed?: Failure
  /** In a replay: whether a summary stands in for one that a model would have written. It is no fact: reports of replays have it. */
  readonly estimated?: boolean
  /** What was looked up, to be shown to the model. */
  readonly retrieved?: { readonly query: string; readonly documents: readonly RetrievedDocument[] }
}

/**
 * Decides before every model call what the context holds.
 *
 * Contract: must not change the frame, must not throw because there is too much, and must be deterministic for the same frame: replay asks it again.
 */
export interface ContextStrategy {
  /** Its name in events. */
  readonly name: string
  /** Decides what the next model call is sent. */
  assemble(request: ContextRequest): ContextPlan | Promise<ContextPlan>
}

/** A strategy has a name, which events and fingerprints hold. */
export const expectedStrategy: Expected = {
  words: 'a strategy: { name, assemble(request) }',
  fits: (value) => {
    const { name, assemble } = (expected.object.fits(value) ? value : {}) as { readonly name?: unknown; readonly assemble?: unknown }
    return expected.name.fits(name) && typeof assemble === 'function'
  },
}

/** A strategy in messages. */
export const strategyWords = ({ name }: ContextStrategy): string => `the context strategy "${name}"`

/** The plan of a context that only grows. */
export const extend: ContextPlan = {}

/** The strategy that shows everything, in order, append-only. What an agent does that is given none is in `standard.ts`. */
export const everything: ContextStrategy = { name: 'everything', assemble: () => extend }
