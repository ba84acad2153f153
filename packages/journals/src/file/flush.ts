/**
 * Making a thread's file durable, and making it right again when that, or a write, has failed.
 *
 * FILE-10. A flush that failed is never simply tried again: what it was to make durable is written again first (FILE-7).
 * FILE-11. What was not acknowledged is cut away before anything else is written.
 * FILE-12. What was acknowledged and cannot be found again makes the thread damaged; it is never passed over.
 */
import { type DiskFile, readExactly, writeAll } from './disk.ts'
import { linkLength } from './line.ts'
import { ending, type Folder, refuseDamage, type Thread } from './thread.ts'

/** Makes what is in the file durable, and its name. */
export async function flushFile(folder: Folder, thread: Thread): Promise<void> {
  await thread.handle.use((file) => file.sync())
  if (thread.isNamed) return
  await folder.disk.syncFolder(folder.path)
  thread.isNamed = true
}

/** Flushes behind the back of whoever appended. Must not reject: what fails makes the thread suspect. */
export async function flushBehind(folder: Folder, thread: Thread): Promise<void> {
  const { size, chain } = thread.scan
  const { length } = thread.unsynced
  try {
    await flushFile(folder, thread)
    Object.assign(thread, { synced: size, syncedChain: chain, unsynced: thread.unsynced.slice(length) })
  } catch {
    thread.isSuspect = true
  }
}

/** Makes a suspect file hold what was acknowledged, and nothing else. */
export async function mend(folder: Folder, thread: Thread): Promise<void> {
  if (!thread.isSuspect) return
  // What the old handle has seen fail it may not tell again: a new one is asked.
  await thread.handle.drop()
  await thread.handle.use(async (file) => {
    await findAgain(folder, thread, file)
    if ((await file.size()) > thread.synced) await file.truncate(thread.synced)
    await writeAll(file, thread.synced, Buffer.concat(thread.unsynced))
  })
  await flushFile(folder, thread)
  Object.assign(thread, { synced: thread.scan.size, syncedChain: thread.scan.chain, unsynced: [], isSuspect: false })
}

/** Sees that the last durable line is still the end of what is durable. */
async function findAgain(folder: Folder, thread: Thread, file: DiskFile): Promise<void> {
  const { synced, syncedChain, stem, name, scan } = thread
  if (synced === 0) return
  const link = await readExactly(file, synced - linkLength, linkLength)
  if (Buffer.from(link).toString('latin1') === `${syncedChain}"}\n`) return
  const reason = 'what was durable before the disk failed is not there any more'
  scan.damage = { kind: 'damaged', file: `${stem}${ending}`, thread: name, offset: synced, line: scan.lines, seq: scan.seq, reason }
  folder.onDamage(scan.damage)
  refuseDamage(thread)
}
