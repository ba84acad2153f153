/** Recovery, as users see it. */
import type { LoomError } from '@loom-agent/kernel'
import type { Result } from '../types/result.ts'

/** How recovery looks for threads. */
export interface RecoverOptions {
  /** Milliseconds between two looks, until the signal is aborted; default: looks once. */
  readonly every?: number | undefined
  /** Called with each look, for what else is to be done again and again, such as starting what is due: `() => startDue([clerk])` of `@loom-agent/server`. */
  readonly alongside?: (() => unknown) | undefined
  /** Ends the recovery: no other thread is taken, and it resolves. Threads under way go on; `drain` hands them on. */
  readonly signal?: AbortSignal | undefined
  /** Called for each thread that was driven, or could not be; with `every`, nothing else names all of them. What it throws is ignored. */
  readonly onRecovered?: ((recovered: Recovered) => void) | undefined
  /**
   * Called when a look of a recovery with `every` fails as a whole, such as when the journal cannot be reached; the next look follows all the same. What
   * it throws is ignored. Default: a warning on the console, when the message changes.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What was done about a thread that was found unfinished. */
export interface Recovered {
  /** The id of the thread. */
  readonly thread: string
  /** The status of its run; `held` when its driver is alive, `refused` when it could not be driven, `restored` when it was a fork whose files were put back. */
  readonly status: Result<unknown>['status'] | 'held' | 'refused' | 'restored'
  /** Why it was refused. */
  readonly error?: LoomError
}
