/** Notices that nobody has said anything for a while, without setting a timer for every call or every word. */
import type { Clock } from '@loom-agent/kernel'

/** A guard on one stream at a time. */
export interface IdleGuard {
  /** Begins to listen; returns a function that says whether it was silent for too long. */
  begin(idle: () => void): () => boolean
  heard(): void
  end(): void
  /** Ends the timer. */
  close(): void
}

/** A guard that calls back when nothing was heard for the given time while it listens. */
export function createIdleGuard(clock: Clock, ms: number): IdleGuard {
  let words = 0
  let seen = 0
  let listening: { readonly idle: () => void; isIdle: boolean } | undefined
  let cancel: (() => void) | undefined
  const arm = (): void => {
    seen = words
    cancel = clock.at(clock.now() + ms, () => {
      cancel = undefined
      if (!listening) return
      if (words !== seen) return arm()
      listening.isIdle = true
      listening.idle()
    })
  }
  return {
    begin(idle) {
      words += 1
      const current = { idle, isIdle: false }
      listening = current
      if (!cancel) arm()
      return () => current.isIdle
    },
    heard: () => {
      words += 1
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
