/**
 * Writes to a thread: its operations in groups, each group with one write and at most one flush.
 *
 * WRITE-1. No result is given before what makes it true is written, and flushed where the mode or the batch requires it.
 * WRITE-2. What arrives while a group is written is the next group; there is no timer.
 * WRITE-3. If anything fails, no operation of the group succeeds, and what the group may have left in the file is cut away (REPAIR-2).
 */
import { journalError } from '../storage/failure.ts'
import { checkOfHash } from '../storage/feed-cursor.ts'
import { requireParent } from '../storage/judge-write.ts'
import { advance, createDraft, type Draft } from './draft.ts'
import type { Commit } from './feed-index.ts'
import { type OpenJournal, useFile, useThread } from './open-journal.ts'
import { headOfScan } from './scan.ts'
import {
  cutTorn,
  flushFile,
  markSynced,
  moveAnchor,
  openFile,
  type Plan,
  refuseDamage,
  repair,
  type ThreadFile,
  type ThreadState,
  type Waiting,
  writeLines,
} from './thread-file.ts'

/** How many bytes may be acknowledged and not yet flushed; an append beyond that waits for the flush. */
const unflushedLimit = 1_048_576

/** Adds an operation to the queue of a thread, and starts the work on the queue. */
export function enqueue(journal: OpenJournal, file: ThreadFile, waiting: Waiting): void {
  file.queue.push(waiting)
  if (file.working) return
  file.working = useFile(journal, file, () => work(journal, file))
}

/** Does work after all earlier operations on a thread, and before all later ones. */
export function alone<T>(journal: OpenJournal, file: ThreadFile, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => enqueue(journal, file, { alone: async () => resolve(await work()), reject }))
}

async function work(journal: OpenJournal, file: ThreadFile): Promise<void> {
  // What is asked for in the same tick is one group.
  await Promise.resolve()
  for (let group = nextGroup(file); group.length > 0; group = nextGroup(file)) {
    try {
      const [first] = group
      if (first?.alone) await first.alone()
      else
        await commit(
          journal,
          file,
          group.flatMap(({ plan }) => plan ?? []),
        )
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  // In the same tick in which the queue was found empty: a later operation starts the work again.
  file.working = undefined
}

/** The operations before the next one that is done alone, or that one. */
function nextGroup({ queue }: ThreadFile): readonly Waiting[] {
  const alone = queue.findIndex((waiting) => waiting.alone)
  return queue.splice(0, alone === -1 ? queue.length : Math.max(1, alone))
}

/** Plans operations as a group, writes their lines, and gives their results. */
export async function commit(journal: OpenJournal, file: ThreadFile, plans: readonly Plan[]): Promise<void> {
  const { folder, feed } = journal
  const state = await openFile(folder, file)
  refuseDamage(file)
  await cutTorn(folder, file, state)
  if (state.isSuspect) await repair(folder, file, state)
  while (feed.free() < plans.length) await feed.reserve()
  const { scan, synced } = state
  const positions: number[] = []
  const nextPosition = (): number => {
    const position = feed.next()
    positions.push(position)
    return position
  }
  const draft = createDraft({ folder, scan, holder: file.holder?.worker, isDurable: synced === scan.size, nextPosition })
  try {
    const settle = plans.map((plan) => plan(draft))
    if (draft.fork) await requireDurableParent(journal, draft.fork)
    if (draft.lines.length > 0) await write(journal, file, { state, draft })
    journal.index?.add(file, commitsOf(draft, positions))
    if (draft.acquiredBy !== undefined) file.holder = { worker: draft.acquiredBy, epoch: draft.epoch }
    for (const give of settle) give()
  } finally {
    feed.close(positions)
  }
}

/** The batches of a draft as the feed shows them. */
function commitsOf({ batches, hashes, seq }: Draft, positions: readonly number[]): readonly Commit[] {
  return positions.map((position, index) => ({ position, seq: (batches[index + 1]?.first ?? seq + 1) - 1, check: checkOfHash(hashes[index] ?? '') }))
}

/** Throws unless the parent of a fork durably holds the event at the cut: a fork keeps its past after a power failure, too (JOURNAL-7). */
async function requireDurableParent(journal: OpenJournal, fork: NonNullable<Draft['fork']>): Promise<void> {
  const { forkOf } = fork
  const isDurable = await useThread(journal, forkOf.thread, async (parent) => {
    const state = await openFile(journal.folder, parent)
    const head = headOfScan(state.scan)
    requireParent(head && { ...head, isQuarantined: head.summary.quarantined === true }, fork)
    await parent.flushing
    return !state.isSuspect
  })
  if (isDurable) return
  throw journalError('unavailable', `The thread ${forkOf.thread} could not be made durable. Check the disk, then fork it again.`)
}

type Writing = Readonly<{ state: ThreadState; draft: Draft }>

async function write(journal: OpenJournal, file: ThreadFile, { state, draft }: Writing): Promise<void> {
  const { folder } = journal
  const { scan } = state
  const bytes = Buffer.from(`${draft.lines.join('\n')}\n`)
  const isFlushed = draft.mustFlush || scan.size - state.synced + bytes.length > unflushedLimit
  if (isFlushed) await repair(folder, file, state)
  try {
    await writeLines(folder, file, { state, bytes })
    if (isFlushed) await flushFile(folder, file, state)
  } catch (error) {
    state.isSuspect = true
    // If the disk does not allow the repair now, the next group starts with it.
    await repair(folder, file, state).catch(() => {})
    throw error
  }
  advance(draft)
  if (!file.head) journal.order = undefined
  Object.assign(file, { header: scan.header, head: headOfScan(scan) })
  if (isFlushed) markSynced(folder, file, state)
  else flushLater(journal, file, { state, bytes })
  if (draft.batches.length > 0) journal.watchers.notify(file.head?.thread ?? '', scan.seq)
}

/** Flushes what is acknowledged already. If that fails, the queue repairs it. */
function flushLater(journal: OpenJournal, file: ThreadFile, { state, bytes }: { state: ThreadState; bytes: Uint8Array }): void {
  state.unsynced.push(bytes)
  // A suspect file waits for the repair that is in the queue.
  if (file.flushing || state.isSuspect) return
  file.flushing = useFile(journal, file, () => flushBehind(journal, file, state))
}

async function flushBehind(journal: OpenJournal, file: ThreadFile, state: ThreadState): Promise<void> {
  const { folder } = journal
  while (!state.isSuspect && state.synced < state.scan.size) {
    const { size, chain } = state.scan
    const { length } = state.unsynced
    try {
      await flushFile(folder, file, state)
      Object.assign(state, { synced: size, syncedChain: chain, unsynced: state.unsynced.slice(length) })
      moveAnchor(folder, file, state)
    } catch {
      state.isSuspect = true
    }
  }
  file.flushing = undefined
  if (state.isSuspect) enqueue(journal, file, { alone: () => repair(folder, file, state), reject: () => {} })
}
