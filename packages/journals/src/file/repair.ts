/**
 * Makes a thread's file durable, and repairs it when that, or a write, has failed.
 *
 * REPAIR-1. A flush that failed is never just tried again: its bytes are written again first (DISK-4).
 * REPAIR-2. What was not acknowledged is cut away before anything else is written.
 * REPAIR-3. If acknowledged lines are missing afterwards, the thread is damaged and reported.
 */
import { type DiskFile, readExactly, writeAll } from './disk.ts'
import { ending, type Folder } from './folder.ts'
import { linkLength } from './line.ts'
import { refuseDamage, type ThreadState } from './thread-state.ts'

/** Makes what is in the file durable, and its name. */
export async function flushFile(folder: Folder, state: ThreadState): Promise<void> {
  await state.handle.use((file) => file.sync())
  if (state.isNamed) return
  await folder.disk.syncFolder(folder.path)
  state.isNamed = true
}

/** Flushes what is acknowledged already. Does not reject: a failure makes the thread suspect. */
export async function flushBehind(folder: Folder, state: ThreadState): Promise<void> {
  const { size, chain } = state.scan
  const { length } = state.unsynced
  try {
    await flushFile(folder, state)
    Object.assign(state, { synced: size, syncedChain: chain, unsynced: state.unsynced.slice(length) })
  } catch {
    state.isSuspect = true
  }
}

/** Makes a suspect file hold exactly what was acknowledged. */
export async function repair(folder: Folder, state: ThreadState): Promise<void> {
  if (!state.isSuspect) return
  // The old handle may not report a failure twice: a new one is used.
  await state.handle.drop()
  await state.handle.use(async (file) => {
    await checkSynced(folder, state, file)
    if ((await file.size()) > state.synced) await file.truncate(state.synced)
    await writeAll(file, state.synced, Buffer.concat(state.unsynced))
  })
  await flushFile(folder, state)
  Object.assign(state, { synced: state.scan.size, syncedChain: state.scan.chain, unsynced: [], isSuspect: false })
}

/** Checks that the last durable line is still the end of what is durable. */
async function checkSynced(folder: Folder, state: ThreadState, file: DiskFile): Promise<void> {
  const { synced, syncedChain, stem, name, scan } = state
  if (synced === 0) return
  const link = await readExactly(file, synced - linkLength, linkLength)
  if (Buffer.from(link).toString('latin1') === `${syncedChain}"}\n`) return
  const reason = 'what was durable before the disk failed is not there any more'
  scan.damage = { kind: 'damaged', file: `${stem}${ending}`, thread: name, offset: synced, line: scan.lines, seq: scan.seq, reason }
  folder.onDamage(scan.damage)
  refuseDamage(state)
}
