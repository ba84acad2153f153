/** The results of runs. */
import type { Failure, FilePart, Json, ModelReply, StopKind, Usage } from '@loom-agent/kernel'
import type { Question } from './question.ts'

/**
 * How a reply ended: `stop` (it is whole), `calls` (it calls tools), `length` (it was cut at its greatest length), `filtered` (a filter withheld it or a
 * part of it), `other` (the provider says nothing else).
 */
export type Finish = 'stop' | 'calls' | 'length' | 'filtered' | 'other'

/** A warning of a provider about a request, such as a setting that it does not know. */
export type ModelWarning = NonNullable<ModelReply['warnings']>[number]

/** A source that a reply names: a page, or a document. */
export type Source =
  | {
      readonly type: 'url'
      /** The provider's id of the source. */
      readonly id: string
      /** The address of the page. */
      readonly url: string
      /** Its title, where the provider gives one. */
      readonly title?: string
    }
  | {
      readonly type: 'document'
      /** The provider's id of the source. */
      readonly id: string
      /** The title of the document. */
      readonly title: string
      /** What kind of document it is. */
      readonly mediaType: string
      /** The name of its file, where the provider gives one. */
      readonly filename?: string
    }

interface CallOfStep {
  /** Loom's id of the call, `turn.index`. */
  readonly id: string
  /** The name of the tool. */
  readonly tool: string
  /** The arguments that counted: as the model proposed them, or as a hook or a human changed them. */
  readonly input: Json
}

interface EndedCall extends CallOfStep {
  /** Milliseconds that its body took; absent when it took none. */
  readonly ms?: number
}

interface ReturnedCall<Status extends string> extends EndedCall {
  readonly status: Status
  /** What the tool returned, as the model reads it: a text, JSON, or the parts of `content()`. */
  readonly output: Json
}

/** A call of a step; narrow on `status`. */
export type StepCall =
  | ReturnedCall<'success'>
  | ReturnedCall<'warning'>
  | (EndedCall & {
      readonly status: 'error'
      /** What the model reads about the error. */
      readonly output: string
      /** The kind of error, such as `failed`, `timeout`, `denied` or `rejected`. */
      readonly errorType: string
      /** What was thrown, with its stack and its cause. Only in the process that ran the call; not enumerable, never stored. */
      readonly cause?: unknown
    })
  | (CallOfStep & {
      readonly status: 'open'
      /** The call has no result yet. */
      readonly output?: undefined
    })

/** One turn of a run: a reply of the model, and the calls that it made. */
export interface Step {
  /** The number of the turn on its thread. */
  readonly turn: number
  /** The text of the reply, without reasoning. */
  readonly text: string
  /** The reasoning of the reply, where the provider shows it; else empty. */
  readonly reasoning: string
  /** How the reply ended. */
  readonly finish: Finish
  /** The calls of the reply, in order. */
  readonly calls: readonly StepCall[]
  /** Tokens of the reply. */
  readonly usage: Usage
  /** Integer micro-units; undefined when the price is not known. */
  readonly cost: number | undefined
  /** The model that replied, where the provider names another than was asked. */
  readonly model?: string
  /** What the provider warned of. */
  readonly warnings: readonly ModelWarning[]
  /** The sources that the reply names. */
  readonly sources: readonly Source[]
  /** The files that the model made. */
  readonly files: readonly FilePart[]
}

/** What a result says about the turns of its run. It is put together when it is first looked at. */
export interface StepDetails {
  /** The turns of the run with their calls, in order. */
  readonly steps: readonly Step[]
  /** The warnings of all steps, each once. */
  readonly warnings: readonly ModelWarning[]
  /** The sources of all steps, each once. */
  readonly sources: readonly Source[]
  /** The files of all steps. */
  readonly files: readonly FilePart[]
}

interface Ended extends StepDetails {
  /** The id of the thread. */
  readonly thread: string
  /** The id of the run on its thread: `r1`, `r2`, and so on. */
  readonly run: string
  /** The answer, or as much of it as there is. */
  readonly text: string
  /** How the last reply ended; undefined before the first. */
  readonly finish: Finish | undefined
  /** Tokens of all model calls of the run. */
  readonly usage: Usage
  /** Integer micro-units; undefined when a price is not known. */
  readonly cost: number | undefined
  /** Turns that the run took. */
  readonly turns: number
  /** Open questions, also those of children. */
  readonly questions: readonly Question[]
}

/** Done: the model has answered, and its answer is whole. */
export interface Done<Output> extends Ended {
  readonly status: 'done'
  /** The answer in the form of `output`; the text when the agent has none. */
  readonly output: Output
  /** How the last reply ended. */
  readonly finish: Finish
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

/** Stopped: by a request, a limit, a budget or a loop, or because the last reply was cut or filtered. The text so far is in `text`. */
export interface Stopped extends Ended {
  readonly status: 'stopped'
  /** What stopped it: `length` says that the last reply was cut at its greatest length, `filtered` that a filter withheld it or a part of it. */
  readonly kind: StopKind
  /** Why, in words; of a limit also what is pending. */
  readonly reason: string
  /** The reason of the `AbortSignal` that stopped it. Only in the process that has the signal; not enumerable, never stored. */
  readonly cause?: unknown
}

/** Failed: `resume` tries again from where it failed. */
export interface Failed extends Ended {
  readonly status: 'failed'
  /** What went wrong; `recoverable` says whether `resume` can help. */
  readonly error: Failure
  /** What was thrown, with its stack and its cause. Only in the process where the run failed; not enumerable, never stored. */
  readonly cause?: unknown
}

/** The result of a run; narrow on `status`, or take `done(result)`. */
export type Result<Output = string> = Done<Output> | Waiting | Stopped | Failed

type ResultOfChild<R extends Done<unknown> | Stopped | Failed> = Omit<
  R,
  'thread' | 'run' | 'usage' | 'cost' | 'questions' | 'finish' | 'cause' | keyof StepDetails
>

/** The result of a child, as `ctx.run` returns it; narrow on `status`. The run of its parent counts its tokens and its cost. */
export type ChildResult<Output = string> = ResultOfChild<Done<Output>> | ((ResultOfChild<Stopped> | ResultOfChild<Failed>) & LeftInDoubt)

/** Whether a child that did not get done may have done more than it says. */
type LeftInDoubt = {
  /** There when it is not known whether one of its last calls happened. */
  readonly inDoubt?: true
}

/** The result of a child as its parent records it. */
export type ChildRecord = {
  readonly status: 'done' | 'stopped' | 'failed'
  readonly text: string
  readonly output?: Json
  readonly kind?: Stopped['kind']
  readonly reason?: string
  readonly turns: number
} & LeftInDoubt
