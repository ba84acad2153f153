/** Notices that a stream has been silent for a while, without a timer for every call or every piece. */
import type { Clock } from '@loom-agent/kernel'

/** A guard on one stream at a time. */
export interface IdleGuard {
  /** Starts listening; returns a function that says whether the stream was silent for too long. */
  begin(idle: () => void): () => boolean
  /** Called for every piece of the stream. */
  heard(): void
  /** Ends listening; the timer stays for the next stream. */
  end(): void
  /** Ends the timer. */
  close(): void
}

/** A guard that calls back when nothing was heard for the given time while it listens. */
export function createIdleGuard(clock: Clock, ms: number): IdleGuard {
  let pieces = 0
  let seen = 0
  let listening: { readonly idle: () => void; isIdle: boolean } | undefined
  let cancel: (() => void) | undefined
  const arm = (): void => {
    seen = pieces
    cancel = clock.at(clock.now() + ms, () => {
      cancel = undefined
      if (!listening) return
      if (pieces !== seen) return arm()
      listening.isIdle = true
      listening.idle()
    })
  }
  return {
    begin(idle) {
      pieces += 1
      const current = { idle, isIdle: false }
      listening = current
      if (!cancel) arm()
      return () => current.isIdle
    },
    heard: () => {
      pieces += 1
    },
    end: () => {
      listening = undefined
    },
    close: () => {
      cancel?.()
      cancel = undefined
    },
  }
}
