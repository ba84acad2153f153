/** Contributors append inputs without an epoch: they read the frame, append what follows from it, and start over when another writer was faster. */
import { type Blobs, type Draft, evolve, type Frame, nextPlace, place, summarize } from '@loom-agent/kernel'
import type { Runtime } from './runtime.ts'
import { type CachedThread, foldNews } from './thread-cache.ts'

/** How often a contributor starts over before it gives up; only a thread that is written without pause gets there. */
const tries = 1000

/** Appends the drafts that the callback returns for the current frame; nothing when it returns none. Returns the frame afterwards. */
export async function appendInput(
  { journal, ports }: Pick<Runtime, 'journal' | 'ports'>,
  cached: CachedThread,
  draftsFor: (frame: Frame) => readonly Draft[] | Promise<readonly Draft[]>,
): Promise<Frame> {
  const id = ports.ids()
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const { frame } = cached
    const drafts = draftsFor(frame)
    const events = drafts instanceof Promise ? await drafts : drafts
    if (events.length === 0) return frame
    const start = nextPlace(frame, ports.clock.now())
    const next = place(start, events).reduce(evolve, frame)
    const { time, run, turn } = start
    const { thread, incarnation } = next
    const isAnonymous = frame.seq === 0 ? cached.isAnonymous : undefined
    const result = await journal.append(thread, {
      id,
      incarnation,
      expected: frame.seq,
      time,
      run,
      turn,
      events,
      summary: summarize(next),
      isAnonymous,
      blobs: blobsOf(events),
    })
    if (result.kind === 'appended') {
      if (cached.frame === frame && result.seq === next.seq) cached.frame = next
      else await foldNews(journal, cached)
      return cached.frame
    }
    // A copy that is not whole takes no inputs (JOURNAL-22).
    if (result.kind === 'fenced' && (await journal.head(thread))?.summary.status === 'partial') throw (await refusals()).threadPartial(thread)
    // Throws when the thread was removed: what is appended for it must not reach another thread of the same id.
    await foldNews(journal, cached)
  }
  throw (await refusals()).threadNeverFree(cached.frame.thread, tries)
}

/** The blobs that drafts bring; undefined for most. */
export function blobsOf(drafts: readonly Draft[]): Blobs | undefined {
  const blobs = drafts.flatMap((draft) => [...(draft.blobs ?? [])])
  return blobs.length > 0 ? new Map(blobs) : undefined
}

const refusals = (): Promise<typeof import('../types/thread-refused.ts')> => import('../types/thread-refused.ts')
