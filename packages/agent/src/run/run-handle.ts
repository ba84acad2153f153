/** The handle of a run, as users see it. */
import type { Cursor } from '../stream/cursor.ts'
import type { SignedAnswer } from '../types/answer.ts'
import type { Result } from '../types/result.ts'
import type { RunEvent } from '../types/run-event.ts'
import type { SignalArguments } from '../types/wait.ts'
import type { SteerOptions } from './control-drafts.ts'

/** A run under way, here or elsewhere. Dropping the handle changes nothing. */
export interface RunHandle<Output = string> {
  /** The id of the thread. */
  readonly thread: string
  /**
   * Events and signals from `from` on, until the run ends or waits. Default: from where the handle began, or of a start that was made before, from where
   * that began. With `nested` those of children too; `from` may then have a seq for each thread.
   */
  events(options?: { from?: Cursor; nested?: boolean }): AsyncIterableIterator<RunEvent>
  /**
   * The text of the answer, piece by piece. After a failed attempt it goes on where the next one says more; where that says something else, it
   * follows whole, as a new paragraph. Throws `LOOM_RUN_FAILED` at the end when the run has failed.
   */
  text(): AsyncIterableIterator<string>
  /** Resolves when the run ends or waits. Of a run that waited, called again: its newest result, however it was moved on. */
  result(): Promise<Result<Output>>
  /** Answers a question of the thread or of one of its children; resolves when the answer is durable. */
  answer(questionId: string, answer: SignedAnswer): Promise<void>
  /** Sends a signal to the thread: the first open `ctx.waitFor` of that name gets the value, or the next. Resolves when it is durable. */
  signal(...sent: SignalArguments): Promise<void>
  /** Adds a message for the next turn; the highest priority goes first (default 0). */
  steer(input: string, options?: SteerOptions): Promise<void>
  /** Pauses the run at its next safe point, a queued one before its first turn; only `resume` goes on. Resolves when the request is durable. */
  pause(options?: { by?: string }): Promise<void>
  /** Stops the run, also one that is queued; the signal reaches model, tools and children. Resolves when the request is durable. */
  stop(reason?: string, options?: { by?: string }): Promise<void>
}
