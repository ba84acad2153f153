/** What a run came to. */
import type { Failure, Json, Usage } from '@loom-agent/kernel'
import type { Question } from './question.ts'

interface Ended {
  /** The id of the thread. */
  readonly thread: string
  /** The id of the run on its thread: `r1`, `r2`, and so on. */
  readonly run: string
  /** The answer, or as much of it as there is. */
  readonly text: string
  /** Tokens of all model calls of the run. */
  readonly usage: Usage
  /** Integer micro-units; undefined when a price is not known. */
  readonly cost: number | undefined
  /** Turns that the run took. */
  readonly turns: number
  /** Open questions, also those of children. */
  readonly questions: readonly Question[]
}

/** Done: the model has answered. */
export interface Done<Output> extends Ended {
  readonly status: 'done'
  /** The answer in the form of `output`; the text when the agent has none. */
  readonly output: Output
}

/** Waiting: somebody has to answer, or a time has to come. Never to be taken for an empty answer. */
export interface Waiting extends Ended {
  readonly status: 'waiting'
  /** When it goes on by itself, in milliseconds since 1970; `undefined` when only an answer helps. */
  readonly until: number | undefined
}

/** Stopped: by somebody, a limit, a budget or a loop. What there is so far is in `text`. */
export interface Stopped extends Ended {
  readonly status: 'stopped'
  /** What stopped it. */
  readonly kind: 'cancelled' | 'limit' | 'budget' | 'loop'
  /** Why, in words. */
  readonly reason: string
}

/** Failed: `resume` tries again from where it failed. */
export interface Failed extends Ended {
  readonly status: 'failed'
  /** What went wrong; `recoverable` says whether `resume` can help. */
  readonly error: Failure
}

/** What a run came to; narrow on `status`. */
export type Result<Output = string> = Done<Output> | Waiting | Stopped | Failed

/** A result as a parent records it. */
export type ChildValue = {
  readonly status: 'done' | 'stopped' | 'failed'
  readonly text: string
  readonly output?: Json
  readonly kind?: Stopped['kind']
  readonly reason?: string
  readonly turns: number
}
