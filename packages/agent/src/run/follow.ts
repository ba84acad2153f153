/** Following a thread that is driven elsewhere: `journal.watch` hints that something is new, and the follower reads it. */
import { emptyFrame, evolve, type Frame, isOver, type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import type { Runtime } from '../thread/runtime.ts'

/** The callbacks of a follower, and when it ends. */
export interface Following {
  /** Called for each event with the frame after it. */
  readonly event: (event: LoomEvent, frame: Frame) => void
  /** Called when there is nothing more to read for now. */
  readonly caughtUp: (frame: Frame) => void
  /** Whether a contributor has moved on a run that was suspended, so that it needs a driver. Asked when there is nothing more to read. */
  readonly isReady: (frame: Frame) => boolean
  readonly isOver: () => boolean
  /** Calls the listener when `isOver` may have changed, until the function that it returns is called. */
  readonly onOver: (listener: () => void) => () => void
  /** Milliseconds without news after which the driver may be gone. */
  readonly silence: number
}

/** How following ended: what was followed is over, or it may need a driver. */
export type FollowEnd = 'over' | 'undriven'

/** Follows a thread until `isOver`, or until it may need a driver: it is ready, or there has been no news for a while. Throws `LOOM_THREAD_NOT_FOUND` when it is removed. */
export async function follow({ journal, ports }: Runtime, start: Frame, following: Following): Promise<FollowEnd> {
  const { clock } = ports
  let frame = start
  let wake: () => void = () => {}
  const unwatch = journal.watch(start.thread, () => wake())
  const forget = following.onOver(() => wake())
  try {
    while (!following.isOver()) {
      // All that ends the wait resolves a promise of its own: one that outlives it would keep something of every wait.
      const news = Promise.withResolvers<boolean>()
      wake = () => news.resolve(true)
      for await (const event of readEvents(journal, frame.thread, { from: frame.seq + 1, incarnation: start.incarnation })) {
        frame = evolve(frame, event)
        following.event(event, frame)
        if (following.isOver()) return 'over'
      }
      following.caughtUp(frame)
      if (following.isOver()) break
      if (following.isReady(frame)) return 'undriven'
      const cancel = clock.at(clock.now() + following.silence, () => news.resolve(false))
      if (!(await news.promise)) return 'undriven'
      cancel()
    }
    return 'over'
  } finally {
    unwatch()
    forget()
  }
}

/** The last frame of a run that is over, read from the journal; undefined when it is not. */
export async function findEnd(journal: Journal, { thread, incarnation }: Frame, run: string): Promise<Frame | undefined> {
  let frame = emptyFrame(thread)
  let end: Frame | undefined
  for await (const event of readEvents(journal, thread, { incarnation })) {
    frame = evolve(frame, event)
    if (frame.run?.id === run) end = isOver(frame.run) ? frame : undefined
    else if (end) break
  }
  return end
}
