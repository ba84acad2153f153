/** Notices that a stream has been silent for a while, without a timer for every call or every piece. */
import type { Clock } from '@loom-agent/kernel'

/** A guard on one stream at a time. */
export interface IdleGuard {
  /** Starts listening; calls back once if the stream is silent for too long. */
  begin(onIdle: () => void): void
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
  let listening: (() => void) | undefined
  let cancel: (() => void) | undefined
  const arm = (): void => {
    seen = pieces
    cancel = clock.at(clock.now() + ms, () => {
      cancel = undefined
      if (!listening) return
      if (pieces !== seen) return arm()
      listening()
    })
  }
  return {
    begin(onIdle) {
      pieces += 1
      listening = onIdle
      if (!cancel) arm()
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
