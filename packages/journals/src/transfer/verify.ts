/** Verifies that a journal holds what was appended. */
import { emptyFrame, type Frame, type Head, isLoomError, type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'
import { blobsIn, ownBlobsOf } from '../storage/blob-refs.ts'
import type { Inspected, JournalFinding } from '../storage/journal-finding.ts'
import { checkOptions, requiredText, requireJournal } from '../storage/options.ts'
import { descendantsOf, requireHead } from './lineage.ts'
import { cycleOf } from './parents.ts'
import { contradictionsOf, foldOne } from './verify-head.ts'

/**
 * Reads a thread with its children, or all threads, and returns the damage that it finds. After damage it continues with the next thread.
 * Throws `LOOM_THREAD_NOT_FOUND` for a thread that the journal does not have.
 *
 * @example
 * for await (const { thread, seq, problem } of verify(journal)) console.error(thread, seq, problem)
 */
export async function* verify(journal: Journal & Partial<Inspected>, thread?: string): AsyncGenerator<JournalFinding, void> {
  requireJournal('verify', journal)
  if (thread !== undefined) checkOptions('verify', { thread }, { thread: requiredText('the id of a thread') })
  try {
    if (thread !== undefined) return yield* verifyTree(journal, thread)
    yield* (await journal.inspect?.()) ?? []
    for await (const head of allHeads(journal)) yield* verifyThread(journal, head)
  } catch (error) {
    if (thread !== undefined && isLoomError(error) && error.code === 'LOOM_THREAD_NOT_FOUND') throw error
    yield findingOf(error, thread === undefined ? {} : { thread })
  }
}

async function* verifyTree(journal: Journal, thread: string): AsyncGenerator<JournalFinding, void> {
  const head = await requireHead(journal, thread)
  yield* verifyThread(journal, head)
  for (const child of await descendantsOf(journal, head)) yield* verifyThread(journal, child)
}

/** Reads the own events of a thread to its end, or to the first damage; of a fork's parent, the event at the cut. */
async function* verifyThread(journal: Journal, head: Head): AsyncGenerator<JournalFinding, void> {
  const { thread, incarnation, seq: end, forkOf } = head
  const cycle = await cycleOf(journal, thread, new Map([[thread, head.summary.parent]]))
  if (cycle) yield { thread, seq: end, problem: `it is its own parent (${cycle.join(' of ')})` }
  const blobs = new Set<string>()
  let seq = (forkOf?.seq ?? 1) - 1
  let frame = forkOf ? await pastOf(journal, head, seq) : emptyFrame(thread)
  try {
    const own = await ownBlobsOf(journal, thread)
    // What is appended meanwhile is left out: otherwise a thread that is written all the time would have no end.
    for (let page: readonly LoomEvent[] | undefined; page?.length !== 0 && seq <= end; ) {
      page = await journal.read(thread, { from: seq + 1, incarnation })
      for (const event of page) {
        seq += 1
        if (event.seq !== seq) return yield { thread, seq, problem: `the event ${event.seq} is in its place` }
        if (seq <= end) frame = foldOne(frame, event)
        for (const hash of blobsIn(event.data, own)) {
          if (!blobs.has(hash) && !(await journal.blob(hash))) yield { thread, seq, problem: `the blob ${hash} is missing` }
          blobs.add(hash)
        }
      }
    }
    for (const problem of contradictionsOf(head, frame)) yield { thread, seq: end, problem }
  } catch (error) {
    // A thread that is removed meanwhile is not damaged.
    if (isLoomError(error) && error.code === 'LOOM_THREAD_NOT_FOUND') return
    yield findingOf(error, { thread, seq: seq + 1 })
  }
}

/** The frame of a fork before the event at its cut; undefined if it cannot be read: what is wrong there is found in the thread that has it. */
async function pastOf(journal: Journal, { thread, incarnation }: Head, last: number): Promise<Frame | undefined> {
  let frame: Frame | undefined = emptyFrame(thread)
  try {
    for await (const event of readEvents(journal, thread, { incarnation })) {
      if (event.seq > last) return frame
      frame = foldOne(frame, event)
    }
    return undefined
  } catch (error) {
    if (!isLoomError(error)) throw error
    return undefined
  }
}

function findingOf(error: unknown, place: { thread?: string; seq?: number }): JournalFinding {
  if (!isLoomError(error)) throw error
  return { ...place, problem: error.message }
}
