/** The handle of a run, as users hold it. */
import type { SignedAnswer } from '../types/answer.ts'
import type { Result } from '../types/result.ts'
import type { RunEvent } from '../types/run-event.ts'

/** A run under way, here or elsewhere. Dropping the handle changes nothing. */
export interface RunHandle<Output = string> {
  readonly thread: string
  /** Events and signals from `from` on (default: from where the handle began), until the run ends or waits. */
  events(options?: { from?: number; nested?: boolean }): AsyncIterableIterator<RunEvent>
  /** The text of the answer as it comes. */
  text(): AsyncIterableIterator<string>
  result(): Promise<Result<Output>>
  answer(questionId: string, answer: SignedAnswer): Promise<void>
  steer(input: string, options?: { priority?: number; by?: string }): Promise<void>
  pause(options?: { by?: string }): Promise<void>
  stop(reason?: string, options?: { by?: string }): Promise<void>
}
