/** Recovery, as users see it. */
import type { LoomError } from '@loom-agent/kernel'
import type { Result } from '../types/result.ts'

/** How recovery looks for threads. */
export interface RecoverOptions {
  /** Looks again after this many milliseconds, until the signal is aborted; without it, once. */
  readonly every?: number
  /** Ends the recovery. */
  readonly signal?: AbortSignal
  /** Called for each thread that was driven, or could not be. */
  readonly onRecovered?: (recovered: Recovered) => void
}

/** What became of a thread that was found unfinished: `held` by a driver that lives, `refused` for the reason given. */
export interface Recovered {
  /** The id of the thread. */
  readonly thread: string
  /** What became of it; `held` when its driver lives, `refused` when it could not be driven. */
  readonly status: Result<unknown>['status'] | 'held' | 'refused'
  /** Why it was refused. */
  readonly error?: LoomError
}
