/** Frames one by one, for tests that look at each. */
import { emptyFrame, evolve, type Frame, type LoomEvent } from '@loom-agent/kernel'

/** The frame after each of the events, in order. */
export function* frames(thread: string, events: Iterable<LoomEvent>): Generator<Frame, void> {
  let frame = emptyFrame(thread)
  for (const event of events) {
    frame = evolve(frame, event)
    yield frame
  }
}
