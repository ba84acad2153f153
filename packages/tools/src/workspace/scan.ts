/**
 * Looking at all files of a workspace, within bounds.
 *
 * WATCH-1. A scan looks at so many files, reads so many bytes and takes so long at most. What it did not come to is not said to be unchanged: the scan says why
 *     it is not whole.
 * WATCH-2. No link is followed, and what belongs to a journal is left out.
 * WATCH-3. A file is not read again while everything that the system notes of a change is the same: node, size and both times, to the nanosecond. One that was
 *     changed a moment before it was read may be changed again within the same tick of the clock: it is read again.
 */
import type { BigIntStats, Dirent } from 'node:fs'
import { lstat, opendir, readlink } from 'node:fs/promises'
import type { FileMode } from '@loom-agent/kernel'
import { type Folder, inFolder, openRegular } from '../files/confinement.ts'
import { hashOf } from '../files/content-hash.ts'
import type { Guard } from '../files/guard.ts'
import { type JournalPaths, refuseJournal } from '../files/journal-files.ts'
import { forbidden, hasCode } from '../files/refusal.ts'
import { isLeftover } from '../files/replace-file.ts'
import { largestKept } from '../files/target.ts'

/** What is looked at, and the bounds. */
export interface ScanBounds {
  readonly root: string
  readonly guard: Guard
  readonly journals: JournalPaths
  /** Names of files and folders that are left out, wherever they are. */
  readonly leaveOut: ReadonlySet<string>
  /** Whether contents stay in memory. */
  readonly keeps: boolean
  readonly maxFiles: number
  readonly maxBytes: number
  readonly maxTime: number
}

/** A file, as a scan has seen it. */
export interface SeenFile {
  readonly hash: string
  readonly mode: FileMode
  /** Its content, where it is kept. */
  readonly bytes?: Uint8Array | undefined
}

/** What a scan has seen, by path; and why that is not all. */
export interface Scan {
  readonly files: ReadonlyMap<string, SeenFile>
  readonly unseen?: string | undefined
}

/** A file in the cache: with what the system notes of it, where that can be trusted. */
interface CachedFile extends SeenFile {
  readonly signature: string | undefined
  readonly size: number
}

/** Looks at the files; what did not change since the last time is not read again. */
export type Scanner = (maxTime?: number) => Promise<Scan>

/** Milliseconds within which two changes may have the same time. */
const tick = 1_000
/** Files that are looked at together. */
const mostAtOnce = 32
const deepest = 64

interface Scanning {
  readonly bounds: ScanBounds
  readonly until: number
  readonly known: ReadonlyMap<string, CachedFile>
  readonly found: Map<string, CachedFile>
  count: number
  bytes: number
  unseen: string | undefined
}

/** Makes a scanner, which remembers what it has seen last. */
export function createScanner(bounds: ScanBounds): Scanner {
  let known: ReadonlyMap<string, CachedFile> = new Map()
  return async (maxTime = bounds.maxTime) => {
    const scanning: Scanning = { bounds, until: performance.now() + maxTime, known, found: new Map(), count: 0, bytes: 0, unseen: undefined }
    await scanFolder(scanning, [])
    const { found: files, unseen } = scanning
    // A scan that was cut short has forgotten nothing.
    known = unseen === undefined ? files : new Map([...known, ...files])
    return { files, unseen }
  }
}

function stop(scanning: Scanning, why: string): void {
  scanning.unseen ??= why
}

/** Looks at a folder and those below it. One that is gone by now has no files. */
async function scanFolder(scanning: Scanning, segments: readonly string[]): Promise<void> {
  const { root } = scanning.bounds
  const path = segments.join('/') || '.'
  const check = (reached: readonly string[]): void => {
    if (reached.some((name, index) => name !== segments[index])) throw forbidden(path, `${path} is a link now.`)
  }
  const below: string[] = []
  try {
    await inFolder({ root, path, check }, segments, async (folder) => {
      let together: Dirent[] = []
      for (const entry of await entriesOf(scanning, folder)) {
        if (entry.isDirectory()) below.push(entry.name)
        else together.push(entry)
        if (together.length === mostAtOnce) {
          await Promise.all(together.map(({ name }) => scanFile(scanning, folder, name)))
          together = []
        }
      }
      await Promise.all(together.map(({ name }) => scanFile(scanning, folder, name)))
    })
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return
    stop(scanning, `${path} could not be looked at`)
  }
  if (below.length > 0 && segments.length >= deepest) return stop(scanning, `folders deeper than ${deepest} are not looked at`)
  for (const name of below) {
    if (scanning.unseen !== undefined) return
    await scanFolder(scanning, [...segments, name])
  }
}

async function entriesOf({ bounds }: Scanning, folder: Folder): Promise<readonly Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(folder.at('.'))) if (!bounds.leaveOut.has(entry.name) && !isLeftover(entry.name)) entries.push(entry)
  // The same order every time: two scans that are cut short have seen the same files.
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

async function scanFile(scanning: Scanning, folder: Folder, name: string): Promise<void> {
  const { bounds, found, known, until } = scanning
  if (scanning.unseen !== undefined) return
  scanning.count += 1
  if (scanning.count > bounds.maxFiles) return stop(scanning, `the folder has more than ${bounds.maxFiles} files`)
  if (performance.now() > until) return stop(scanning, `to look at the folder takes more than ${bounds.maxTime} milliseconds`)
  const path = [...folder.segments, name].join('/')
  try {
    const stats = await lstat(folder.at(name), { bigint: true })
    if (!stats.isFile() && !stats.isSymbolicLink()) return
    const { ino, size, mtimeNs, ctimeNs, mode } = stats
    const signature = `${ino} ${size} ${mtimeNs} ${ctimeNs} ${mode}`
    const before = known.get(path)
    if (before?.signature !== signature && !stats.isSymbolicLink() && (await isJournal(scanning, folder, name))) return
    scanning.bytes += Number(size)
    if (scanning.bytes > bounds.maxBytes) return stop(scanning, `the files of the folder have more than ${bounds.maxBytes} bytes`)
    if (before?.signature === signature) return void found.set(path, before)
    found.set(path, await readEntry(scanning, { folder, name }, stats))
  } catch (error) {
    // It is gone by now, or has become something else.
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'LOOM_TOOL_INPUT_INVALID')) stop(scanning, `${path} could not be read`)
  }
}

async function isJournal({ bounds: { journals } }: Scanning, folder: Folder, name: string): Promise<boolean> {
  try {
    await refuseJournal(folder, name, { path: name, journals })
    return false
  } catch (error) {
    if (hasCode(error, 'LOOM_PERMISSION_DENIED')) return true
    throw error
  }
}

async function readEntry({ bounds }: Scanning, { folder, name }: { folder: Folder; name: string }, stats: BigIntStats): Promise<CachedFile> {
  const { ino, size, mtimeNs, ctimeNs, mode } = stats
  const isSettled = Date.now() - Number(ctimeNs / 1_000_000n) > tick
  const isLink = stats.isSymbolicLink()
  const bytes = isLink ? await readlink(folder.at(name), 'buffer') : await readRegular(folder, name)
  const isKept = bounds.keeps && bytes.length <= largestKept && bounds.guard.reason('read', [...folder.segments, name]) === undefined
  return {
    hash: hashOf(bytes),
    mode: isLink ? 'link' : Number(mode) & 0o777,
    size: Number(size),
    signature: isSettled ? `${ino} ${size} ${mtimeNs} ${ctimeNs} ${mode}` : undefined,
    bytes: isKept ? bytes : undefined,
  }
}

async function readRegular(folder: Folder, name: string): Promise<Buffer> {
  const handle = await openRegular(folder, name, name)
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
