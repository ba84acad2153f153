/** Looking at what a journal holds: is it what was appended? */
import { isLoomError, type Journal, type LoomEvent } from '@loom-agent/kernel'
import { allHeads } from './all-heads.ts'
import { blobsIn } from './blob-refs.ts'

/** Something that is not as it was stored. */
export interface Finding {
  /** The thread, when the damage is in one. */
  readonly thread?: string
  /** The first event that cannot be trusted. */
  readonly seq?: number
  /** What is wrong, in words. */
  readonly problem: string
  /** It has been put right: what was cut off had never been acknowledged. */
  readonly repaired?: true
}

/** A journal that can say more of itself than its threads show. */
export interface Inspected {
  /** Damage that is in no thread, or in the structure that holds them all. */
  inspect(): Promise<readonly Finding[]>
}

/**
 * Reads a thread, or all of them, and returns what is wrong with them; nothing when nothing is. After damage it goes on with the next thread.
 *
 * @example
 * for await (const { thread, seq, problem } of verify(journal)) console.error(thread, seq, problem)
 */
export async function* verify(journal: Journal & Partial<Inspected>, thread?: string): AsyncGenerator<Finding, void> {
  try {
    if (thread !== undefined) return yield* verifyThread(journal, thread)
    yield* (await journal.inspect?.()) ?? []
    for await (const head of allHeads(journal)) yield* verifyThread(journal, head.thread)
  } catch (error) {
    yield findingOf(error, {})
  }
}

/** Reads the own events of a thread to its end, or to the first thing that is wrong with them; of a fork's parent, the moment of the cut. */
async function* verifyThread(journal: Journal, thread: string): AsyncGenerator<Finding, void> {
  const blobs = new Set<string>()
  let seq = 0
  try {
    // What is appended meanwhile is not looked at: a thread that is written all the time would have no end.
    const head = await journal.head(thread)
    const end = head?.seq ?? 0
    seq = (head?.forkOf?.seq ?? 1) - 1
    for (let page: readonly LoomEvent[] | undefined; page?.length !== 0 && seq <= end; ) {
      page = await journal.read(thread, { from: seq + 1 })
      for (const event of page) {
        seq += 1
        if (event.seq !== seq) return yield { thread, seq, problem: `the event ${event.seq} is in its place` }
        for (const hash of blobsIn(event.data)) {
          if (!blobs.has(hash) && !(await journal.blob(hash))) yield { thread, seq, problem: `the blob ${hash} is missing` }
          blobs.add(hash)
        }
      }
    }
  } catch (error) {
    yield findingOf(error, { thread, seq: seq + 1 })
  }
}

function findingOf(error: unknown, place: { thread?: string; seq?: number }): Finding {
  if (!isLoomError(error)) throw error
  return { ...place, problem: error.message }
}
