/** The state of a thread's file in memory, and how it is read. */
import type { Seq } from '@loom-agent/kernel'
import { damageError } from './damage.ts'
import { type DiskFile, isDiskError, readExactly, withFile, writeAll } from './disk.ts'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder, pathOf } from './folder.ts'
import { createHandle, type Handle } from './handle.ts'
import { emptyScan, headOfScan, type Scan, type StoredHead, scanFile } from './scan.ts'
import { readTail } from './tail.ts'

/** The state of a thread's file. Only what the scan holds may be returned to callers: it was acknowledged, or found and made durable. */
export interface ThreadState {
  readonly name: string
  /** The name of the file without its ending. */
  readonly stem: string
  readonly handle: Handle
  readonly scan: Scan
  /** The head of a damaged thread by its last line: it shows how long the thread was, although it cannot be read to its end. */
  readonly lastHead?: StoredHead | undefined
  /** How many bytes are known to be durable, and the hash of the last line in them. */
  synced: number
  syncedChain: string
  /** In relaxed mode, what is acknowledged and not yet durable: it is written again when a flush fails. */
  unsynced: Uint8Array[]
  /** Whether the name of the file is durable. */
  isNamed: boolean
  /** Whether something failed, so that the file may hold more, or less, than it should. */
  isSuspect: boolean
}

/** Reads a thread's file. A torn end is cut off; what is damaged is left as it is. */
export async function openState(folder: Folder, name: string): Promise<ThreadState> {
  const stem = fileNameOf(name)
  let isThere = true
  const handle = createHandle(() => folder.disk.open(pathOf(folder, stem), isThere ? 'change' : 'create'))
  try {
    const state = await handle.use(async (file) => {
      const scan = await scanFile(file, { file: `${stem}${ending}`, thread: name })
      // A killed process may have left lines that were not acknowledged yet: they are made durable before a caller sees them.
      if (scan.size > 0) await file.sync()
      const lastHead = scan.header && scan.damage?.kind === 'damaged' ? await readTail(file, scan.header) : undefined
      return stateOf({ name, stem, handle, scan, lastHead })
    })
    const { damage } = state.scan
    if (damage?.kind === 'torn') await cutTorn(folder, state).catch(() => folder.onDamage(damage))
    else if (damage) folder.onDamage(damage)
    return state
  } catch (error) {
    await handle.drop()
    if (!isDiskError(error, 'ENOENT')) throw error
    isThere = false
    return { ...stateOf({ name, stem, handle, scan: emptyScan() }), isNamed: false }
  }
}

function stateOf(known: Pick<ThreadState, 'name' | 'stem' | 'handle' | 'scan' | 'lastHead'>): ThreadState {
  const { size, chain } = known.scan
  return { ...known, synced: size, syncedChain: chain, unsynced: [], isNamed: true, isSuspect: false }
}

/** Cuts off a torn end, after a copy of it is durable, and reports it. */
export async function cutTorn(folder: Folder, { stem, handle, scan }: ThreadState): Promise<void> {
  const { damage } = scan
  if (damage?.kind !== 'torn') return
  const copy = await freeName(folder, `${stem}.torn-`)
  await handle.use(async (file) => {
    await copyRest(folder, file, { from: scan.size, copy })
    await file.truncate(scan.size)
    await file.sync()
  })
  scan.damage = undefined
  folder.onDamage({ ...damage, copy })
}

async function copyRest({ disk, path }: Folder, file: DiskFile, { from, copy }: { from: number; copy: string }): Promise<void> {
  try {
    await withFile(disk.open(`${path}/${copy}`, 'create'), async (side) => {
      await copyBytes(file, { from, to: await file.size() }, (offset, bytes) => writeAll(side, offset, bytes))
      await side.sync()
    })
    await disk.syncFolder(path)
  } catch (error) {
    // Half a copy would be taken for a whole one.
    await disk.remove(`${path}/${copy}`).catch(() => {})
    throw error
  }
}

const copyStep = 1_048_576

/** Passes a part of a file to `write` piece by piece, each with its offset in that part. */
export async function copyBytes(
  file: DiskFile,
  { from, to }: { from: number; to: number },
  write: (offset: number, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  for (let offset = from; offset < to; offset += copyStep) {
    await write(offset - from, await readExactly(file, offset, Math.min(copyStep, to - offset)))
  }
}

async function freeName(folder: Folder, prefix: string): Promise<string> {
  const taken = new Set((await folder.disk.list(folder.path)).map(({ name }) => name))
  for (let number = 1; ; number += 1) if (!taken.has(`${prefix}${number}`)) return `${prefix}${number}`
}

/** Throws if a thread may not be written, or not be read from a seq on. */
export function refuseDamage({ scan }: ThreadState, from?: Seq): void {
  const { damage } = scan
  if (damage && damage.kind !== 'torn' && (from === undefined || from >= damage.seq)) throw damageError(damage)
}

/** The head of a thread; undefined if it does not exist. */
export function headOfState({ scan, lastHead }: ThreadState): StoredHead | undefined {
  return scan.damage?.kind === 'unknown' ? undefined : (lastHead ?? headOfScan(scan))
}
