/** How an agent dealt with a case. */
import type { Json } from '@loom-agent/kernel'

/** How an agent dealt with a case, as scorers are given it. */
export interface EvalAnswer {
  /** The name of the case. */
  readonly name: string
  /** What was asked. */
  readonly input: string
  /** What the case expects; absent where it says nothing. */
  readonly expected?: Json
  /** How the run ended; `replayed` where no model was asked. */
  readonly status: 'done' | 'stopped' | 'failed' | 'replayed'
  /** The answer, or the error. */
  readonly text: string
  /** The answer as data, where the agent has an `output`. */
  readonly output?: Json
  /** What a replay found; absent in a live eval. */
  readonly replay?: ReplayFigures
}

/** What a replay of a case came to. */
export interface ReplayFigures {
  /** Turns that were replayed. */
  readonly turns: number
  /** Turns whose request would have been another. */
  readonly differing: number
  /** Tokens of all requests, as they were, estimated. */
  readonly recorded: number
  /** Tokens of all requests, as they would be, estimated. */
  readonly replayed: number
  /** Entries of the history that the record showed and the replay would not have, or not whole. */
  readonly lost: number
}
