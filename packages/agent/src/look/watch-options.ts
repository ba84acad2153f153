/** How a thread is watched. */
export interface WatchOptions {
  /** The seq of the first event; default 1. To continue, give the seq after that of the last event of the thread that was seen. */
  readonly from?: number | undefined
  /** Whether the events of children are included; each event names its `thread`. Children that are open at `from` are shown from their first event. */
  readonly nested?: boolean | undefined
  /**
   * When to end. `'rest'`: when the run is done, has failed, was stopped or waits, and none is queued. Default: when the iterator is returned or the
   * signal is aborted; the next run of the thread is shown too.
   */
  readonly until?: 'rest' | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}
