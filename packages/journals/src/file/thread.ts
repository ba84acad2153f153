/** One thread of the journal: what is known of its file, and how that is found out. */
import type { Seq } from '@loom-agent/kernel'
import { type Damage, damageError } from './damage.ts'
import { type Disk, type DiskFile, isDiskError, readExactly, withFile, writeAll } from './disk.ts'
import { fileNameOf } from './file-name.ts'
import { createHandle, type Handle } from './handle.ts'
import type { FileMode } from './line.ts'
import { emptyScan, type Scan, scanFile } from './scan.ts'
import { readTail, type Tail } from './tail.ts'

/** The folder of a journal. */
export interface Folder {
  readonly path: string
  readonly disk: Disk
  readonly mode: FileMode
  readonly now: () => number
  readonly onDamage: (damage: Damage) => void
}

/** What is known of a thread. Only what the scan holds may be told to others: it was acknowledged, or found and made durable. */
export interface Thread {
  readonly name: string
  /** The name of the file without its ending. */
  readonly stem: string
  readonly handle: Handle
  readonly scan: Scan
  /** Where a damaged thread stands, as its last line has it: what is not readable is not unsaid. */
  readonly tail?: Tail | undefined
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

/** The ending of the files of threads. */
export const ending = '.jsonl'

/** Where the file of a thread is. */
export function pathOf(folder: Folder, stem: string): string {
  return `${folder.path}/${stem}${ending}`
}

/** Finds out what a thread's file holds. What is torn is cut off; what is damaged is left as it is. */
export async function openThread(folder: Folder, name: string): Promise<Thread> {
  const stem = fileNameOf(name)
  const path = pathOf(folder, stem)
  let isThere = true
  const handle = createHandle(() => folder.disk.open(path, isThere ? 'change' : 'create'))
  try {
    const thread = await handle.use(async (file) => {
      const scan = await scanFile(file, { file: `${stem}${ending}`, thread: name })
      // A killed process may have left what nobody was told of yet: before it is told, it is made durable.
      if (scan.size > 0) await file.sync()
      return threadOf({ name, stem, handle, scan, tail: scan.damage?.kind === 'damaged' ? await readTail(file, name) : undefined })
    })
    const { damage } = thread.scan
    if (damage?.kind === 'torn') await cutTorn(folder, thread).catch(() => folder.onDamage(damage))
    else if (damage) folder.onDamage(damage)
    return thread
  } catch (error) {
    await handle.drop()
    if (!isDiskError(error, 'ENOENT')) throw error
    isThere = false
    return { ...threadOf({ name, stem, handle, scan: emptyScan() }), isNamed: false }
  }
}

function threadOf(known: Pick<Thread, 'name' | 'stem' | 'handle' | 'scan' | 'tail'>): Thread {
  const { size, chain } = known.scan
  return { ...known, synced: size, syncedChain: chain, unsynced: [], isNamed: true, isSuspect: false }
}

/** Cuts off what is torn, after a copy of it is durable, and tells of it. */
export async function cutTorn(folder: Folder, { stem, handle, scan }: Thread): Promise<void> {
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
      const end = await file.size()
      for (let offset = from; offset < end; offset += copyStep) {
        await writeAll(side, offset - from, await readExactly(file, offset, Math.min(copyStep, end - offset)))
      }
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

async function freeName(folder: Folder, prefix: string): Promise<string> {
  const taken = new Set((await folder.disk.list(folder.path)).map(({ name }) => name))
  for (let number = 1; ; number += 1) if (!taken.has(`${prefix}${number}`)) return `${prefix}${number}`
}

/** Fails if a thread may not be written, or not be read from a seq on. */
export function refuseDamage({ scan }: Thread, from?: Seq): void {
  const { damage } = scan
  if (damage && damage.kind !== 'torn' && (from === undefined || from >= damage.seq)) throw damageError(damage)
}

/** Where a thread stands; undefined if it does not exist. */
export function tailOf({ name, scan, tail }: Thread): Tail | undefined {
  if (scan.damage?.kind === 'unknown') return undefined
  const { seq, epoch, summary } = scan
  return tail ?? (seq + epoch > 0 ? { thread: name, seq, epoch, summary } : undefined)
}
