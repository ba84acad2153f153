/** How a thread is watched. */
import type { Cursor } from '../stream/cursor.ts'

/** How a thread is watched. */
export interface WatchOptions {
  /**
   * Where to begin: the seq of the first event, default 1, or with `nested` an object that has for each thread the seq of its first event. To continue,
   * give for each thread the seq after that of the last event that was seen.
   */
  readonly from?: Cursor | undefined
  /** Whether the events of children are included; each event names its `thread`. Children that are open at `from` are included too. */
  readonly nested?: boolean | undefined
  /**
   * When to end. `'rest'`: when the run is done, has failed, was stopped or waits, and none is queued. Default: when the iterator is returned or the
   * signal is aborted; the next run of the thread is shown too.
   */
  readonly until?: 'rest' | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}
