/** The history of a thread is a list of entries. */
import type { ContextItem } from './context.ts'
import type { ModelReply, Seq, ToolOutcome, ToolStart } from './event.ts'
import type { Json } from './json.ts'
import type { Message } from './message.ts'
import type { Taint } from './run-request.ts'

/**
 * One message of the history, and its origin; with what is known of the reply, of the calls whose results it holds, or of the item that it is. `rebases` is
 * how often the context had been rebased when the model was asked for a reply, `taint` what was read before an input was written.
 */
export type Entry = Readonly<{ seq: Seq; origin: Origin; turn: number; message: Message; pin?: true }> &
  Readonly<{ reply?: Omit<ModelReply, 'parts'>; rebases?: number; calls?: readonly EndedCall[]; item?: ContextItem; taint?: Taint }>
/** The arguments that counted, the outcome, and the intent where it was started. */
export type EndedCall = Readonly<{ input: Json; outcome: ToolOutcome; start: ToolStart | undefined }>
type Origin = 'input' | 'reply' | 'results' | 'steered' | 'note' | 'retrieved' | 'hook' | 'item'
