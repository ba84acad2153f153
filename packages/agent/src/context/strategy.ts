/** The context strategy: a replaceable policy of what the model is shown. */
import type { ContextBudget, ContextItem, ContextSummary, Failure, Frame, RetrievedDocument, Segment, Seq, ToolSpec, Usage } from '@loom-agent/kernel'
import type { Model, ModelObject } from '../model/model.ts'
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
  /** The model that is asked next. */
  readonly model: ContextModel
  /** How many tokens something has, by estimates that the model's own counts have corrected. */
  readonly tokens: ContextTokens
  /** The indexes of the entries that are shown in any case: the last input, pins, the latest calls with their results. */
  essentials(): readonly number[]
  /** The model object behind a model: strategies may ask one. */
  resolveModel(model: Model): ModelObject | Promise<ModelObject>
  /** In a replay: the summary of a range of events that was recorded. No model is asked then. */
  readonly recorded?: (from: Seq, to: Seq) => ContextSummary | undefined
}

/** What is known of the model that a context is made for. */
export interface ContextModel {
  /** Its id, such as `openai/gpt-5.4`. */
  readonly id: string
  /** The most tokens of a request and its reply together; undefined when it is not known. */
  readonly window: number | undefined
  /** The most tokens of a reply; undefined when it is not known. */
  readonly output: number | undefined
  /** What a call costs, in integer micro-units; undefined when it is not known. */
  price(usage: Usage): number | undefined
}

/** Counts of tokens. */
export interface ContextTokens {
  /** Of the entry of the history with this index. */
  entry(index: number): number
  /** Of a text. */
  text(text: string): number
  /** Of the system text and the tools. */
  fixed(): number
  /** Of the whole request, if the context only grows. */
  shown(): number
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
  /** What was looked up, to be shown to the model. */
  readonly retrieved?: { readonly query: string; readonly documents: readonly RetrievedDocument[] }
}

const required = expected.required(expected.text)
const isText = (value: unknown, key: string): boolean => typeof (value as Readonly<Record<string, unknown>>)[key] === 'string'

const segment: Expected = {
  words: "a segment, such as { to: 12, as: 'kept' } or { to: 40, as: 'dropped', rule: 'old', reason: 'It is old.' }",
  fits: (value) => isSegment(value),
}

/** Whether a value is a segment: a summary has a number or a text, and what is dropped says why. */
function isSegment(value: unknown): boolean {
  if (!expected.object.fits(value)) return false
  const { to, as, rule, reason, summary, text, trims = [] } = value as Readonly<Record<string, unknown>>
  if (!expected.whole(0).fits(to)) return false
  if (as === 'dropped') return expected.text.fits(rule) && expected.text.fits(reason)
  if (as === 'summary') return expected.whole(0).fits(summary) !== expected.text.fits(text)
  return as === 'kept' && expected.list(trim, '').fits(trims)
}

const trim: Expected = {
  words: 'a trim',
  fits: (value) => {
    if (!expected.object.fits(value)) return false
    const { rule, tools = [], over, head, tail } = value as Readonly<Record<string, unknown>>
    return expected.text.fits(rule) && expected.list(expected.text, '').fits(tools) && [over, head, tail].every(expected.whole(0).fits)
  },
}

/** What a plan must be. A cut may lie outside of the history: it is moved into it. */
export const planShape: Shape & Record<keyof ContextPlan, Expected> = {
  rebase: expected.options({
    reason: required,
    segments: expected.list(segment, `a list of segments: ${segment.words}`),
    keepFrom: { words: 'a whole number', fits: Number.isSafeInteger },
    lead: expected.text,
    budget: expected.options({
      max: expected.required(expected.finite(0)),
      before: expected.required(expected.finite(0)),
      after: expected.required(expected.finite(0)),
      window: expected.finite(0),
    }),
  }),
  items: expected.list(
    { words: 'an item', fits: (value) => expected.object.fits(value) && ['kind', 'id', 'origin', 'text'].every((key) => isText(value, key)) },
    'a list of items: { kind, id, origin, text }',
  ),
  compressed: expected.either(expected.object, expected.list(expected.object, 'a list of summaries')),
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
  /** Whether it leaves results out, so that the model gets the tool `read_more` to read them again. */
  readonly readMore?: boolean
  /** Decides what the next model call is sent. */
  assemble(request: ContextRequest): ContextPlan | Promise<ContextPlan>
}

const extend: ContextPlan = {}

/** The default strategy: everything, in order, append-only. */
export const everything: ContextStrategy = { name: 'everything', assemble: () => extend }
