/** The context strategy: a replaceable policy of what the model is shown. */
import type { EventData, Failure, Frame, RetrievedDocument, ToolSpec } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'

/** What a strategy may look at. */
export interface ContextRequest {
  /** The thread as it is now. */
  readonly frame: Frame
  /** The system text of the run. */
  readonly instructions: string
  /** The tools that the model will be shown. */
  readonly tools: readonly ToolSpec[]
  /** Why earlier bytes will change anyway; a strategy that has cuts to make makes them now. */
  readonly rebase: string | undefined
  /** Aborts when the run is to stop. */
  readonly signal: AbortSignal
}

/** What a strategy decides. Without a rebase the context grows by what is new in the history, and by nothing else. */
export interface ContextPlan {
  /** Changes earlier bytes of the context, and why; absent: the context only grows. */
  readonly rebase?: {
    readonly reason: string
    /** Index of the first history entry to keep; a call and its result are never parted. */
    readonly keepFrom?: number
    /** Text that stands in for what is left out. */
    readonly lead?: string
  }
  /** A summary that stands for a range of events from now on. */
  readonly compressed?: EventData['context.compressed']
  /** Why a summary could not be made; the run goes on without it. */
  readonly compressionFailed?: Failure
  /** What was looked up, to be shown to the model. */
  readonly retrieved?: { readonly query: string; readonly documents: readonly RetrievedDocument[] }
}

const required = expected.required(expected.text)

/** What a plan must be. A cut may lie outside of the history: it is moved into it. */
export const planShape: Shape & Record<keyof ContextPlan, Expected> = {
  rebase: expected.options({ reason: required, keepFrom: { words: 'a whole number', fits: Number.isSafeInteger }, lead: expected.text }),
  compressed: expected.object,
  compressionFailed: expected.options({
    code: required,
    message: required,
    recoverable: expected.required(expected.flag),
    context: expected.object,
  }),
  retrieved: expected.options({ query: required, documents: expected.required(expected.list(expected.object, 'a list of documents')) }),
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

const extend: ContextPlan = {}

/** The default strategy: everything, in order, append-only. */
export const everything: ContextStrategy = { name: 'everything', assemble: () => extend }
