/** The frame of a stored thread: a read of the journal. No model, tool or hook is called. */
import { emptyFrame, evolve, type Frame, type Journal, readEvents, type Seq } from '@loom-agent/kernel'

/** The frame of a stored thread, now or at an earlier seq; that of a thread without events is the empty one. */
export async function storedFrame(journal: Journal, thread: string, upTo: Seq = Number.POSITIVE_INFINITY): Promise<Frame> {
  let frame = emptyFrame(thread)
  for await (const event of readEvents(journal, thread)) {
    if (event.seq > upTo) break
    frame = evolve(frame, event)
  }
  return frame
}
