/** Recovery, as users see it. */
import type { LoomError } from '@loom-agent/kernel'
import type { Result } from '../types/result.ts'

/** How recovery looks for threads. */
export interface RecoverOptions {
  /** Looks again after this many milliseconds, until the signal is aborted; without it, once. */
  readonly every?: number
  readonly signal?: AbortSignal
  /** Called for each thread that was driven, or could not be. */
  readonly onRecovered?: (recovered: Recovered) => void
}

/** What became of a thread that was found unfinished: `held` by a driver that lives, `refused` for the reason given. */
export interface Recovered {
  readonly thread: string
  readonly status: Result<unknown>['status'] | 'held' | 'refused'
  readonly error?: LoomError
}
