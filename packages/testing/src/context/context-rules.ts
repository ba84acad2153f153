/** The rules of recorded contexts: what `context.assembled` says is what the model received. */

/** Each rule, in one sentence. */
export const contextRules = {
  'CONTEXT-1': 'Segments follow each other inside of the history, without an end that goes back, and none of them is of nothing.',
  'CONTEXT-2': 'The last input, what was steered after it, pins and the latest calls are shown, and no segment ends between calls and their results.',
  'CONTEXT-3': 'What is dropped has a rule and a reason, trims and items are complete, and summaries that are named were made.',
  'CONTEXT-4': 'A summary covers the events of all entries that it stands for.',
  'CONTEXT-5': 'The budget agrees with the tokens of the request, as far as an estimate can tell.',
  'CONTEXT-6': 'The messages have the digest that was recorded with the request.',
  'CONTEXT-7': 'The model received the messages and the tools that the facts say, and no others.',
  'CONTEXT-8': 'Every message is explained by one part that is in it, and the tokens of the parts are those of the request.',
  'CONTEXT-9': 'Every request that a model received is recorded, and every recorded one was received, unless its process was lost.',
  'CONTEXT-10': 'The layers of the system text cover it without a gap, and each has a name of its own and an origin.',
} as const

/** The id of a rule. */
export type ContextRule = keyof typeof contextRules

/** Where a recorded context breaks a rule. */
export interface ContextProblem {
  /** The rule that is broken. */
  readonly rule: ContextRule
  /** The seq of the `context.assembled` event. */
  readonly seq: number
  /** The turn of the context. */
  readonly turn: number
  /** What is wrong, with the values. */
  readonly message: string
}
