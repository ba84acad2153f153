/** The results of runs. */
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

/** A durable body that waits for a signal. */
export interface SignalWait {
  /** The thread that the signal is sent to. */
  readonly thread: string
  /** The name of the signal. */
  readonly signal: string
  /** When the wait ends without it, in milliseconds since 1970; `undefined`: never. */
  readonly until: number | undefined
}

/** Waiting: for an answer, a signal, a time, or a caller that resumes it. Its text is not the final answer. */
export interface Waiting extends Ended {
  readonly status: 'waiting'
  /** What it waits for first: an answer to `questions`, a caller that resumes what was paused, a signal of `waits`, or the time `until`. */
  readonly reason: 'question' | 'paused' | 'signal' | 'time'
  /** When it, or a child of it, goes on by itself, in milliseconds since 1970; `undefined` when only an answer, a signal or a caller helps. */
  readonly until: number | undefined
  /** The signals it waits for, also those of children. */
  readonly waits: readonly SignalWait[]
  /** The threads of the children whose end it waits for. */
  readonly children: readonly string[]
  /** Why `onQuestion` left a question open, where it threw or returned what is no answer. */
  readonly error?: Failure
}

/** Stopped: by a request, a limit, a budget or a loop. The text so far is in `text`. */
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

/** The result of a run; narrow on `status`. */
export type Result<Output = string> = Done<Output> | Waiting | Stopped | Failed

type ResultOfChild<R extends Done<unknown> | Stopped | Failed> = Omit<R, 'thread' | 'run' | 'usage' | 'cost' | 'questions'>

/** The result of a child, as `ctx.run` returns it; narrow on `status`. The run of its parent counts its tokens and its cost. */
export type ChildResult<Output = string> = ResultOfChild<Done<Output>> | ResultOfChild<Stopped> | ResultOfChild<Failed>

/** The result of a child as its parent records it. */
export type ChildRecord = {
  readonly status: 'done' | 'stopped' | 'failed'
  readonly text: string
  readonly output?: Json
  readonly kind?: Stopped['kind']
  readonly reason?: string
  readonly turns: number
}
