/**
 * Writing to a thread: its operations in groups, each group with one write and at most one flush.
 *
 * FILE-22. Nothing is answered before what makes it true is written, and flushed where the mode or the matter asks for it.
 * FILE-23. What arrives while a group is written is the next group; there is no timer.
 * FILE-24. If anything fails, nobody of the group is told that it succeeded, and what the group may have left in the file is cut away (FILE-11).
 * FILE-25. Blobs are durable before the line that names them, and the thread table is not believed from before the first line on.
 */
import type { Summary } from '@loom-agent/kernel'
import { writeAll } from './disk.ts'
import { diskError } from './disk-error.ts'
import { flushBehind, flushFile, mend } from './flush.ts'
import { format } from './line.ts'
import type { Office } from './office.ts'
import { type Plan, planGroup } from './plan.ts'
import { remove } from './remove.ts'
import type { Slot, Waiting } from './slot.ts'
import { cutTorn, type Folder, refuseDamage, type Thread, tailOf } from './thread.ts'

/** How much may be acknowledged and not yet flushed; who appends more waits for the flush. */
const window = 1_048_576

/** Puts something into the queue of a thread, and sees that it is worked on. */
export function enqueue(office: Office, slot: Slot, waiting: Waiting): void {
  slot.queue.push(waiting)
  if (slot.working) return
  slot.users += 1
  slot.working = work(office, slot)
}

async function work(office: Office, slot: Slot): Promise<void> {
  // What is asked for in the same tick is one group.
  await Promise.resolve()
  for (let group = nextGroup(slot); group.length > 0; group = nextGroup(slot)) {
    try {
      const [first] = group
      if (first?.operation.kind === 'remove') await remove(office, slot).then(first.operation.answer)
      else await commit(office, slot, group)
    } catch (error) {
      const failure = diskError(error, `The thread ${slot.name} could not be written`)
      for (const { fail } of group) fail(failure)
    }
  }
  // In the same tick in which the queue was found empty: who comes later begins anew.
  slot.working = undefined
  slot.users -= 1
}

/** Everything in the queue up to a removal, or the removal. */
function nextGroup({ queue }: Slot): readonly Waiting[] {
  const removal = queue.findIndex(({ operation }) => operation.kind === 'remove')
  return queue.splice(0, removal === -1 ? queue.length : Math.max(1, removal))
}

async function commit(office: Office, slot: Slot, group: readonly Waiting[]): Promise<void> {
  const { folder, slots, holders } = office
  const thread = await slots.open(slot)
  refuseDamage(thread)
  await cutTorn(folder, thread)
  if (thread.isSuspect) await repair(office, slot, thread)
  const operations = group.map(({ operation }) => operation).filter((operation) => operation.kind === 'append' || operation.kind === 'acquire')
  const { mode, now } = folder
  const { scan, name } = thread
  const isDurable = thread.synced === scan.size
  const plan = planGroup({ thread: name, scan, holder: holders.get(name)?.worker, mode, now, isDurable }, operations)
  if (plan.lines.length > 0) await write(office, slot, { thread, plan })
  if (plan.taker !== undefined) holders.set(name, { worker: plan.taker, epoch: plan.epoch })
  for (const answer of plan.answers) answer()
}

type Writing = Readonly<{ thread: Thread; plan: Plan }>

async function write(office: Office, slot: Slot, { thread, plan }: Writing): Promise<void> {
  const { folder, blobs } = office
  await office.table.spoil()
  await blobs.put(thread.stem, plan.blobs)
  const bytes = Buffer.from(`${plan.lines.join('\n')}\n`)
  const pending = thread.scan.size - thread.synced
  const isFlushed = plan.mustFlush || pending + bytes.length > window
  if (isFlushed) await repair(office, slot, thread)
  try {
    await thread.handle.use((file) => writeAll(file, thread.scan.size, bytes))
    if (isFlushed) await flushFile(folder, thread)
  } catch (error) {
    thread.isSuspect = true
    // If the disk does not let itself be mended now, the next group begins with it.
    await repair(office, slot, thread).catch(() => {})
    office.table.set(thread.name, tailOf(thread))
    throw error
  }
  advance(thread, folder, plan)
  if (isFlushed) Object.assign(thread, { synced: thread.scan.size, syncedChain: thread.scan.chain, unsynced: [] })
  else flushLater(office, slot, { thread, bytes })
  office.table.set(thread.name, tailOf(thread))
  if (plan.batches.length > 0) office.watchers.tell(thread.name, plan.seq)
}

/** Waits for the flush that is under way, and mends what it, or a write, has left. */
async function repair({ folder }: Office, slot: Slot, thread: Thread): Promise<void> {
  await slot.flushing
  await mend(folder, thread)
}

/** Flushes what is acknowledged already. If that fails, the queue mends it. */
function flushLater(office: Office, slot: Slot, { thread, bytes }: { thread: Thread; bytes: Uint8Array }): void {
  thread.unsynced.push(bytes)
  // What is suspect waits for the mending that whoever found it has asked for.
  if (slot.flushing || thread.isSuspect) return
  slot.users += 1
  slot.flushing = flushAll(office, slot, thread)
}

async function flushAll(office: Office, slot: Slot, thread: Thread): Promise<void> {
  do await flushBehind(office.folder, thread)
  while (!thread.isSuspect && thread.synced < thread.scan.size)
  slot.flushing = undefined
  slot.users -= 1
  if (thread.isSuspect) enqueue(office, slot, { operation: { kind: 'mend' }, fail: () => {} })
}

/** Takes what was written into what is known. */
function advance({ name, scan }: Thread, { mode, now }: Folder, { lines, bytes, batches, seq, epoch, summary, chain }: Plan): void {
  for (const { id, place, last } of batches) {
    scan.index.places.push(place)
    scan.index.ids.set(id, last)
  }
  scan.header ??= { loom: 'thread', format, thread: name, mode, time: now() }
  const summarized = JSON.parse(summary) as Summary
  Object.assign(scan, { mode, seq, epoch, chain, size: scan.size + bytes, lines: scan.lines + lines.length, summary: summarized })
}
