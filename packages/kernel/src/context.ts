/** What a model is shown: segments over the history, what stands for the rest, and what was added to it. */
import type { ToolSpec, Usage } from './message.ts'

/** Why earlier bytes of the context may change, and what it holds from then on. */
export type Rebase = Readonly<{ reason: string; system: string; tools: readonly ToolSpec[]; segments?: readonly Segment[]; budget?: ContextBudget }> &
  Readonly<{ layers?: readonly Layer[] }>
/** A part of the system text, from the end of the layer before up to, and without, character `to`; and who gave it. Without layers it is all instructions. */
export type Layer = Readonly<{ to: number; name: string; origin: string }>
/**
 * What the model is shown of the entries of the history from the end of the segment before up to, and without, entry `to`. Segments cover the history from
 * its first entry on without a gap, so nothing leaves the context without a segment that says why. What follows the last one is shown whole, and grows.
 */
export type Segment = Readonly<{ to: number }> &
  Readonly<
    | { as: 'kept'; trims?: readonly Trim[] }
    | { as: 'dropped'; rule: string; reason: string }
    // A summary that was recorded, by its number, or a text of the strategy's own.
    | { as: 'summary'; summary: number }
    | { as: 'summary'; text: string; rule?: string }
  >
/** Results of these tools (of all, without `tools`) that have more than `over` characters are shown by their first `head` and last `tail` characters. */
export type Trim = Readonly<{ rule: string; tools?: readonly string[]; over: number; head: number; tail: number }>
/** Tokens of a rebased context: what it may have, what it would have had, and what it has. */
export type ContextBudget = Readonly<{ max: number; before: number; after: number; window?: number }>
/** Something that the conversation did not bring: a skill, a memory, a document, a reminder, a to-do list. It becomes an entry of the history. */
export type ContextItem = Readonly<{ kind: string; id: string; origin: string; text: string; trust?: 'untrusted'; priority?: number; pin?: true }>
/**
 * A summary of the events with the seqs `from` to `to`: how it was made, in which turn and to which share of the budget, and what it leaves out of the summary before it.
 */
export type ContextSummary = Readonly<{ from: number; to: number; summary: string; tokensBefore?: number; tokensAfter?: number }> &
  Readonly<{ turn?: number; target?: number; by?: 'model' | 'extract'; model?: string; usage?: Usage; cost?: number; drops?: readonly string[] }>

/** What the model was last sent besides the history, and how many entries of the history that covers. */
export type Context = Readonly<{ rebases: number; system: string; tools: readonly ToolSpec[]; segments: readonly Segment[]; covered: number }> &
  Readonly<{ layers?: readonly Layer[] }>

/** A document that retrieval brought. */
export type RetrievedDocument = Readonly<{ id: string; title?: string; score?: number; text: string }>
