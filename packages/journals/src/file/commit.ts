/**
 * Writes to a thread: its operations in groups, each group with one write and at most one flush.
 *
 * WRITE-1. No result is given before what makes it true is written, and flushed where the mode or the batch requires it.
 * WRITE-2. What arrives while a group is written is the next group; there is no timer.
 * WRITE-3. If anything fails, no operation of the group succeeds, and what the group may have left in the file is cut away (REPAIR-2).
 */
import { type ForkOf, missingParent, type Summary } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'
import { writeAll } from './disk.ts'
import { diskError } from './disk-error.ts'
import type { Folder } from './folder.ts'
import { type Operation, type Plan, planGroup } from './group.ts'
import type { OpenJournal } from './open-journal.ts'
import { remove } from './remove.ts'
import { flushBehind, flushFile, repair } from './repair.ts'
import type { ThreadFile, Waiting } from './thread-files.ts'
import { cutTorn, headOfState, refuseDamage, type ThreadState } from './thread-state.ts'

/** How many bytes may be acknowledged and not yet flushed; an append beyond that waits for the flush. */
const unflushedLimit = 1_048_576

/** Adds an operation to the queue of a thread, and starts the work on the queue. */
export function enqueue(journal: OpenJournal, file: ThreadFile, waiting: Waiting): void {
  file.queue.push(waiting)
  if (file.working) return
  file.users += 1
  file.working = work(journal, file)
}

async function work(journal: OpenJournal, file: ThreadFile): Promise<void> {
  // What is asked for in the same tick is one group.
  await Promise.resolve()
  for (let group = nextGroup(file); group.length > 0; group = nextGroup(file)) {
    try {
      const [first] = group
      if (first?.operation.kind === 'remove') first.operation.resolve(await remove(journal, file))
      else await commit(journal, file, group)
    } catch (error) {
      const failure = diskError(error, `The thread ${file.name} could not be written`)
      for (const { fail } of group) fail(failure)
    }
  }
  // In the same tick in which the queue was found empty: a later operation starts the work again.
  file.working = undefined
  file.users -= 1
}

/** Whether an operation is a group of its own: a removal, or the first batch of a fork, which may fail because of its parent. */
const isAlone = ({ operation }: Waiting): boolean =>
  operation.kind === 'remove' || (operation.kind === 'append' && operation.batch.forkOf !== undefined)

/** The operations before the next one that is a group of its own, or that one. */
function nextGroup({ queue }: ThreadFile): readonly Waiting[] {
  const alone = queue.findIndex(isAlone)
  return queue.splice(0, alone === -1 ? queue.length : Math.max(1, alone))
}

async function commit(journal: OpenJournal, file: ThreadFile, group: readonly Waiting[]): Promise<void> {
  const { folder, files, holders } = journal
  const state = await files.open(file)
  refuseDamage(state)
  await cutTorn(folder, state)
  if (state.isSuspect) await repairFile(journal, file, state)
  const plan = await planOf(journal, state, group.map(({ operation }) => operation).filter(isPlanned))
  if (plan.forkOf) await startFork(journal, file, { state, plan, forkOf: plan.forkOf })
  else if (plan.lines.length > 0) await write(journal, file, { state, plan })
  if (plan.acquiredBy !== undefined) holders.set(state.name, { worker: plan.acquiredBy, epoch: plan.epoch })
  for (const settle of plan.settle) settle()
}

const isPlanned = (operation: Waiting['operation']): operation is Operation => operation.kind === 'append' || operation.kind === 'acquire'

async function planOf({ folder, holders, feed }: OpenJournal, state: ThreadState, operations: readonly Operation[]): Promise<Plan> {
  const { mode, now } = folder
  const first = await feed.take(operations.filter(({ kind }) => kind === 'append').length)
  const { scan, name: thread, synced } = state
  const input = { thread, scan, holder: holders.get(thread)?.worker, mode, now, isDurable: synced === scan.size, feed: first }
  return planGroup(input, operations)
}

type Writing = Readonly<{ state: ThreadState; plan: Plan }>

/** Writes the first batch of a fork, if its parent durably holds the event at the cut: a fork keeps its past after a power failure, too. */
function startFork(journal: OpenJournal, file: ThreadFile, writing: Writing & { forkOf: ForkOf }): Promise<void> {
  const { forkOf } = writing
  return journal.exclusive(() =>
    journal.files.use(forkOf.thread, async (parent) => {
      const { scan, isSuspect } = await durableState(journal, parent)
      if (scan.header?.incarnation !== forkOf.incarnation || scan.seq < forkOf.seq) throw missingParent(file.name, forkOf)
      if (isSuspect) throw journalError('unavailable', `The thread ${forkOf.thread} could not be made durable. Check the disk, then fork it again.`)
      await write(journal, file, writing)
    }),
  )
}

/** The state of a thread after its background flush; a state that is suspect then is not durable. */
async function durableState({ files }: OpenJournal, file: ThreadFile): Promise<ThreadState> {
  const state = await files.open(file)
  await file.flushing
  return state
}

async function write(journal: OpenJournal, file: ThreadFile, { state, plan }: Writing): Promise<void> {
  const { folder, table } = journal
  const bytes = Buffer.from(`${plan.lines.join('\n')}\n`)
  const pending = state.scan.size - state.synced
  const isFlushed = plan.mustFlush || pending + bytes.length > unflushedLimit
  if (isFlushed) await repairFile(journal, file, state)
  try {
    await state.handle.use((handle) => writeAll(handle, state.scan.size, bytes))
    if (isFlushed) await flushFile(folder, state)
  } catch (error) {
    state.isSuspect = true
    // If the disk does not allow the repair now, the next group starts with it.
    await repairFile(journal, file, state).catch(() => {})
    table.set(state.name, headOfState(state))
    throw error
  }
  advance(state, folder, plan)
  if (isFlushed) Object.assign(state, { synced: state.scan.size, syncedChain: state.scan.chain, unsynced: [] })
  else flushLater(journal, file, { state, bytes })
  table.set(state.name, headOfState(state))
  if (plan.batches.length > 0) journal.watchers.notify(state.name, plan.seq)
}

/** Waits for the current flush, and repairs the file if the flush or a write has failed. */
async function repairFile({ folder }: OpenJournal, file: ThreadFile, state: ThreadState): Promise<void> {
  await file.flushing
  await repair(folder, state)
}

/** Flushes what is acknowledged already. If that fails, the queue repairs it. */
function flushLater(journal: OpenJournal, file: ThreadFile, { state, bytes }: { state: ThreadState; bytes: Uint8Array }): void {
  state.unsynced.push(bytes)
  // A suspect file waits for the repair that is in the queue.
  if (file.flushing || state.isSuspect) return
  file.users += 1
  file.flushing = flushAll(journal, file, state)
}

async function flushAll(journal: OpenJournal, file: ThreadFile, state: ThreadState): Promise<void> {
  do await flushBehind(journal.folder, state)
  while (!state.isSuspect && state.synced < state.scan.size)
  file.flushing = undefined
  file.users -= 1
  if (state.isSuspect) enqueue(journal, file, { operation: { kind: 'repair' }, fail: () => {} })
}

/** Adds what was written to the scan. */
function advance({ scan }: ThreadState, { mode }: Folder, { header, lines, bytes, batches, blobs, seq, epoch, summary, chain }: Plan): void {
  for (const { id, place, last } of batches) {
    scan.index.batches.push(place)
    scan.index.ids.set(id, last)
  }
  for (const [name, place] of blobs) scan.index.blobs.set(name, place)
  const summarized = JSON.parse(summary) as Summary
  Object.assign(scan, { header, mode, seq, epoch, chain, size: scan.size + bytes, lines: scan.lines + lines.length, summary: summarized })
}
