/** The context strategy: a replaceable policy of what the model is shown. */
import type { EventData, Failure, Frame, RetrievedDocument, ToolSpec } from '@loom-agent/kernel'

/** What a strategy may look at. */
export interface ContextRequest {
  readonly frame: Frame
  readonly instructions: string
  readonly tools: readonly ToolSpec[]
  /** Why earlier bytes will change anyway; a strategy that has cuts to make makes them now. */
  readonly rebase: string | undefined
  readonly signal: AbortSignal
}

/** What a strategy decides. Without a rebase the context grows by what is new in the history, and by nothing else. */
export interface ContextPlan {
  readonly rebase?: {
    readonly reason: string
    /** Index of the first history entry to keep; a call and its result are never parted. */
    readonly keepFrom?: number
    /** Text that stands in for what is left out. */
    readonly lead?: string
  }
  readonly compressed?: EventData['context.compressed']
  readonly compressionFailed?: Failure
  readonly retrieved?: { readonly query: string; readonly documents: readonly RetrievedDocument[] }
}

/**
 * Decides before every model call what the context holds.
 *
 * Contract: must not change the frame, must not throw for want of room, and must be deterministic for the same frame: replay asks it again.
 */
export interface ContextStrategy {
  readonly name: string
  assemble(request: ContextRequest): ContextPlan | Promise<ContextPlan>
}

const extend: ContextPlan = {}

/** The strategy without a strategy: everything, in order, append-only. */
export const everything: ContextStrategy = { name: 'everything', assemble: () => extend }
