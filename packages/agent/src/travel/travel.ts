/** Time travel: a thread at any moment, its turns, and the difference of two moments. All of it only reads. */
import type { Frame, Journal, Seq } from '@loom-agent/kernel'
import type { Difference } from './diff-frames.ts'
import type { TurnSummary } from './read-moments.ts'

/** The frame of a thread at `thread@seq`. */
export async function frameOf(journal: Journal, at: string): Promise<Frame> {
  const { readMoment } = await import('./read-moments.ts')
  return readMoment(journal, at)
}

/** The frame of a thread after its event `upTo`; by default, as it is now. Throws when there is no such thread, or no such event yet. */
export async function frameAt(journal: Journal, thread: string, upTo?: Seq): Promise<Frame> {
  const { readFrame } = await import('./read-moments.ts')
  return readFrame(journal, thread, upTo)
}

/** Where two moments differ, of one thread or of two. */
export async function compareMoments(journal: Journal, before: string, after: string): Promise<readonly Difference[]> {
  const { compareFrames } = await import('./read-moments.ts')
  return compareFrames(journal, before, after)
}

/** The turns of a thread, in order. */
export async function turnsOf(journal: Journal, thread: string): Promise<readonly TurnSummary[]> {
  const { readTurns } = await import('./read-moments.ts')
  return readTurns(journal, thread)
}
