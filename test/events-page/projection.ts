/** A thread as its events say it is, in the words of docs/reference/events.md. */

/** Data, as JSON has it. */
export type Fields = Readonly<Record<string, unknown>>

/** An event, as the page describes it. */
export interface PageEvent {
  readonly v: number
  readonly type: string
  readonly seq: number
  readonly turn?: number | undefined
  readonly data: Fields
}

/** A message of the history. */
export interface HistoryMessage {
  readonly seq: number
  readonly turn: number
  readonly origin: string
  readonly message: Fields
}

interface Waiting {
  readonly seq: number
  readonly priority: number
  readonly message: Fields
}

interface OpenQuestion {
  readonly call: string | undefined
  readonly approvers: number
  readonly votes: readonly string[]
}

interface ProposedCall {
  readonly id: string
  readonly part: Fields
  outcome: Fields | undefined
}

/** A run, as far as the page is about it. */
export interface ProjectedRun {
  readonly id: string
  status: 'active' | 'suspended' | 'finished' | 'failed' | 'stopped'
  stoppedBy: string | undefined
  usage: Readonly<Record<string, number>>
  cost: number
  unpriced: number
  lost: { readonly tokens: number; readonly cost: number }
  reserved: { readonly tokens: number; readonly cost: number } | undefined
  /** The text of the last attempt, if it failed. */
  partial: string | undefined
}

/** A thread after an event. */
export interface Projection {
  history: readonly HistoryMessage[]
  turn: number
  run: ProjectedRun | undefined
  queue: readonly { readonly seq: number; readonly run: string; readonly request: Fields }[]
  questions: ReadonlyMap<string, OpenQuestion>
  waiting: readonly Waiting[]
  calls: readonly ProposedCall[]
  /** Between `turn.entered` and the reply of that turn. */
  isBeforeReply: boolean
}
