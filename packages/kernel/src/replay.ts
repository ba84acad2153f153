/**
 * Replay: everything that is a read of a journal. No model, tool or hook is called.
 *
 * REPLAY-1. Folding the same events gives the same frame, at every seq, live or read back (law 1).
 */
import type { LoomEvent, Seq } from './event.ts'
import { evolve, evolveAll } from './evolve.ts'
import { emptyFrame, type Frame } from './frame.ts'
import { type Journal, readEvents } from './journal.ts'

/** The frame after the given events. */
export function fold(thread: string, events: Iterable<LoomEvent>, start: Frame = emptyFrame(thread)): Frame {
  return evolveAll(start, events)
}

/** The frame of a stored thread, now or at an earlier seq: as it is stored, so that of a thread without events is the empty one. */
export async function frameAt(journal: Journal, thread: string, upTo: Seq = Number.POSITIVE_INFINITY): Promise<Frame> {
  let frame = emptyFrame(thread)
  for await (const event of readEvents(journal, thread)) {
    if (event.seq > upTo) break
    frame = evolve(frame, event)
  }
  return frame
}
