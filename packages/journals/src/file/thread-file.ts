/**
 * The file of a thread: what is known of it in memory, and how it is opened, made durable and repaired.
 *
 * REPAIR-1. A flush that failed is never just tried again: its bytes are written again first (DISK-4).
 * REPAIR-2. What was not acknowledged is cut away before anything else is written.
 * REPAIR-3. If acknowledged lines are missing afterwards, the thread is damaged and reported.
 * REPAIR-4. What is durable is anchored when a thread is opened and after every flush, so that its loss is noticed.
 * REPAIR-5. The head of a damaged thread is never before an event that is damaged or missing: a reader to the head meets that, and does not take
 *           the good part for the whole.
 */
import type { Epoch, Seq } from '@loom-agent/kernel'
import type { Anchor } from './anchors.ts'
import { type Damage, damageError } from './damage.ts'
import { copyBytes, cutAfter, type DiskFile, readExactly, unlessGone, withFile, writeAll } from './disk.ts'
import type { Draft } from './draft.ts'
import { nameOf } from './file-name.ts'
import { ending, type Folder, freeName, pathOf } from './folder.ts'
import { type Header, linkLength, summaryOf } from './line.ts'
import { emptyScan, glance, headOfScan, type LinePlace, lastLine, missingEnd, type Scan, type StoredHead, scanFile } from './scan.ts'

/** Plans an operation, and returns the function that gives its result. */
export type Plan = (draft: Draft) => () => void

/** An operation in the queue: planned with others as a group, or done alone. */
export type Waiting = Readonly<{ plan?: Plan; alone?: () => Promise<void>; reject: (error: unknown) => void }>

/** The file of a thread. There is one for every file in the folder; its state is in memory only while it is used. */
export interface ThreadFile {
  /** The name of the file without its ending. */
  readonly stem: string
  /** The header, if it is whole. */
  header: Header | undefined
  /** The head. That of a damaged thread is what its last line says, or as much as is known. */
  head: StoredHead | undefined
  /** Why the thread cannot be written, and not be read from some seq on. */
  damage: Damage | undefined
  /** There is no holder outside of this process. */
  holder: { readonly worker: string; readonly epoch: Epoch } | undefined
  /** Where the blobs are; kept when the state is dropped. */
  blobs: ReadonlyMap<string, LinePlace> | undefined
  /** A look at the start and the end; reading all of the file waits for that. */
  glancing: Promise<void> | undefined
  opening: Promise<ThreadState> | undefined
  state: ThreadState | undefined
  readonly queue: Waiting[]
  /** The work on the queue, and the flush behind it. */
  working: Promise<void> | undefined
  flushing: Promise<void> | undefined
  /** How many operations use the file: its state is not dropped meanwhile. */
  users: number
}

/** What the file of a thread holds. Only what the scan holds may be returned to callers: it was acknowledged, or found and made durable. */
export interface ThreadState {
  readonly scan: Scan
  /** The file as it is written and as it is read; opened by the first write and the first read. */
  writing: DiskFile | undefined
  reading: Promise<DiskFile> | undefined
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

const nothing = { header: undefined, head: undefined, damage: undefined, holder: undefined, blobs: undefined }
const idle = { glancing: undefined, opening: undefined, state: undefined, working: undefined, flushing: undefined, users: 0 }

/** A file of which nothing is known. */
export function freshFile(stem: string): ThreadFile {
  return { stem, ...nothing, ...idle, queue: [] }
}

/** Drops what is in memory of a file, except its head; the next use reads it again. */
export async function dropState(file: ThreadFile): Promise<void> {
  const { state } = file
  Object.assign(file, { opening: undefined, state: undefined })
  // A file that cannot be closed needs nothing more.
  await Promise.allSettled([state?.writing?.close(), state?.reading?.then((opened) => opened.close())])
}

/** Forgets a file that was removed. */
export function forgetFile(file: ThreadFile): void {
  void dropState(file)
  Object.assign(file, nothing)
}

/** Learns the header and the head of a file: from its start and end, or else from all of it. */
export async function learnFile(folder: Folder, file: ThreadFile): Promise<void> {
  if (file.head || file.damage) return
  // A file that is open may be written now: its end proves nothing.
  if (file.opening) return void (await file.opening)
  file.glancing ??= withFile(folder.disk.open(pathOf(folder, file.stem), 'change'), async (opened) => {
    const known = await glance(opened, { stem: file.stem, anchor: anchorOf(folder, file) })
    if (!known) return void (await openWith(file, () => readState(folder, file, opened)))
    // As when a thread is opened: what was not acknowledged yet is made durable before a caller sees it.
    await opened.sync()
    Object.assign(file, known)
  }).finally(() => (file.glancing = undefined))
  await unlessGone(file.glancing)
}

/** The state of a file, read at its first use. */
export async function openFile(folder: Folder, file: ThreadFile): Promise<ThreadState> {
  while (file.glancing) await file.glancing.catch(() => {})
  return openWith(file, () => readFile(folder, file))
}

function openWith(file: ThreadFile, read: () => Promise<ThreadState>): Promise<ThreadState> {
  file.opening ??= read().catch((error: unknown) => {
    file.opening = undefined
    throw error
  })
  return file.opening
}

async function readFile(folder: Folder, file: ThreadFile): Promise<ThreadState> {
  const opening = folder.disk.open(pathOf(folder, file.stem), 'change')
  const state = await unlessGone(withFile(opening, (opened) => readState(folder, file, opened)))
  if (state) return state
  const scan = emptyScan()
  const anchor = anchorOf(folder, file)
  if (anchor) reportDamage(folder, file, missingEnd(scan, file.stem, anchor))
  return setState(file, { scan, head: undefined, isNamed: false })
}

/** The anchor of a thread's file. */
const anchorOf = ({ anchors }: Folder, { stem }: ThreadFile): Anchor | undefined => anchors.of(`${stem}${ending}`)

/** Uses a thread's file for reading. */
export async function readFrom<T>(
  folder: Folder,
  { stem }: ThreadFile,
  { state, work }: { state: ThreadState; work: (opened: DiskFile) => Promise<T> },
): Promise<T> {
  state.reading ??= folder.disk.open(pathOf(folder, stem), 'read').catch((error: unknown) => {
    state.reading = undefined
    throw error
  })
  return work(await state.reading)
}

/** Reads a thread's file. A torn end is cut off; what is damaged is left as it is. */
async function readState(folder: Folder, file: ThreadFile, opened: DiskFile): Promise<ThreadState> {
  const anchor = anchorOf(folder, file)
  const scan = await scanFile(opened, { stem: file.stem, anchor })
  // A killed process may have left lines that were not acknowledged yet: they are made durable before a caller sees them.
  if (scan.size > 0) await opened.sync()
  const { damage } = scan
  const head = damage?.kind === 'damaged' ? damagedHead(file, scan, await damagedEnd(opened, { scan, damage, anchor })) : headOfScan(scan)
  const state = setState(file, { scan, head, isNamed: true })
  if (damage?.kind === 'torn') await cutTorn(folder, file, state).catch((error: unknown) => reportUncut(folder, scan, error))
  else if (damage) reportDamage(folder, file, damage)
  else moveAnchor(folder, file, state)
  return state
}

function setState(file: ThreadFile, { scan, head, isNamed }: Pick<ThreadState, 'scan' | 'isNamed'> & Pick<ThreadFile, 'head'>): ThreadState {
  const { size: synced, chain: syncedChain, header, index } = scan
  const state: ThreadState = { scan, isNamed, synced, syncedChain, writing: undefined, reading: undefined, unsynced: [], isSuspect: false }
  Object.assign(file, { header, head, blobs: index.blobs, state })
  return state
}

type End = Pick<Scan, 'seq' | 'epoch' | 'summary'>

/** How long a damaged thread was: by its last line, its good part or its anchor, whichever is furthest; if no anchor says how long, up to the damage. */
async function damagedEnd(opened: DiskFile, found: { scan: Scan; damage: Damage; anchor: Anchor | undefined }): Promise<End | undefined> {
  const { scan, damage, anchor } = found
  const last = await lastLine(opened)
  // Nothing shows that the file was ever that of a thread.
  if (!scan.header && !last && !anchor) return undefined
  const { seq, epoch, summary } = last ? { ...last.end, summary: summaryOf(last.line) } : scan
  const least = anchor && anchor.size >= (await opened.size()) ? anchor.seq : damage.seq
  return { seq: Math.max(seq, least, anchor?.seq ?? 0), epoch: Math.max(epoch, anchor?.epoch ?? 0), summary }
}

/** The head of a damaged thread. Without a header only the file says which thread it was. */
function damagedHead({ stem }: ThreadFile, { header }: Scan, end: End | undefined): StoredHead | undefined {
  if (!end) return undefined
  const name = nameOf(stem)
  const { seq, epoch, summary } = end
  if (header) return headOfScan({ header, seq, epoch, summary, changed: 0 })
  return name === undefined ? undefined : { thread: name, incarnation: name, seq, epoch, summary, times: { began: 0, changed: 0 } }
}

/** Cuts off a torn end, after a copy of it is durable, and reports it. A line that lacks only its line break gets it again (TORN-4). */
export async function cutTorn(folder: Folder, file: ThreadFile, { scan }: ThreadState): Promise<void> {
  const { damage, size, isUnended } = scan
  if (damage?.kind !== 'torn') return
  const copy = await withFile(folder.disk.open(pathOf(folder, file.stem), 'change'), async (opened) => {
    const name = isUnended ? undefined : await copyTorn(folder, opened, { stem: file.stem, from: size })
    if (isUnended) {
      await writeAll(opened, size - 1, Buffer.from('\n'))
      await opened.sync()
    }
    await cutAfter(opened, size)
    return name
  })
  Object.assign(scan, { damage: undefined, isUnended: false })
  folder.onDamage({ ...damage, copy })
}

/** Reports an end that cannot be cut off now: what is before it can be read. A line without its line break cannot be read. */
function reportUncut({ onDamage }: Folder, { damage, isUnended }: Scan, error: unknown): void {
  if (isUnended) throw error
  if (damage) onDamage(damage)
}

/** Makes a durable copy of the end of a file; returns its name. */
async function copyTorn(folder: Folder, opened: DiskFile, { stem, from }: { stem: string; from: number }): Promise<string> {
  const { disk, path } = folder
  const copy = await freeName(folder, `${stem}.torn-`)
  try {
    await withFile(disk.open(`${path}/${copy}`, 'create'), async (side) => {
      await copyBytes(opened, { from, to: await opened.size() }, (offset, bytes) => writeAll(side, offset, bytes))
      await side.sync()
    })
    await disk.syncFolder(path)
    return copy
  } catch (error) {
    // Half a copy would be taken for a whole one.
    await disk.remove(`${path}/${copy}`).catch(() => {})
    throw error
  }
}

/** Reports damage of a thread, once. */
export function reportDamage(folder: Folder, file: ThreadFile, damage: Damage): void {
  if (!file.damage) folder.onDamage(damage)
  file.damage ??= damage
}

/** Throws if a thread may not be written, or not be read from a seq on. */
export function refuseDamage({ damage }: ThreadFile, from?: Seq): void {
  if (damage && (from === undefined || from >= damage.seq)) throw damageError(damage)
}

/** Writes after what is in the file. */
export async function writeLines(folder: Folder, file: ThreadFile, { state, bytes }: { state: ThreadState; bytes: Uint8Array }): Promise<void> {
  await writeAll(await openForWriting(folder, file, state), state.scan.size, bytes)
}

async function openForWriting(folder: Folder, { stem }: ThreadFile, state: ThreadState): Promise<DiskFile> {
  state.writing ??= await folder.disk.open(pathOf(folder, stem), state.isNamed ? 'change' : 'create')
  return state.writing
}

/** Makes what is in the file durable, and its name. */
export async function flushFile(folder: Folder, file: ThreadFile, state: ThreadState): Promise<void> {
  await (await openForWriting(folder, file, state)).sync()
  if (state.isNamed) return
  await folder.disk.syncFolder(folder.path)
  state.isNamed = true
}

/** Everything that is acknowledged is durable. */
export function markSynced(folder: Folder, file: ThreadFile, state: ThreadState): void {
  Object.assign(state, { synced: state.scan.size, syncedChain: state.scan.chain, unsynced: [], isSuspect: false })
  moveAnchor(folder, file, state)
}

/** Moves the anchor of a file to its end, if all of it is durable (REPAIR-4). */
export function moveAnchor(folder: Folder, file: ThreadFile, { scan, synced }: ThreadState): void {
  const { size, seq, epoch, chain: hash } = scan
  if (synced === size && size > 0 && anchorOf(folder, file)?.size !== size) folder.anchors.move(`${file.stem}${ending}`, { size, seq, epoch, hash })
}

/** Makes a suspect file hold exactly what was acknowledged. */
export async function repair(folder: Folder, file: ThreadFile, state: ThreadState): Promise<void> {
  await file.flushing
  if (!state.isSuspect) return
  // The old handle may not report a failure twice: a new one is used.
  await state.writing?.close().catch(() => {})
  state.writing = undefined
  const opened = await openForWriting(folder, file, state)
  await checkSynced(folder, file, state)
  // What was acknowledged is there again before anything is synced: a disk that cannot sync takes nothing from readers. It is written where it was, so that
  // nothing else can be mixed with it.
  await opened.truncate(state.synced)
  await writeAll(opened, state.synced, Buffer.concat(state.unsynced))
  await flushFile(folder, file, state)
  markSynced(folder, file, state)
}

/** Checks that the last durable line is still the end of what is durable. */
async function checkSynced(folder: Folder, file: ThreadFile, { writing, synced, syncedChain, scan }: ThreadState): Promise<void> {
  if (synced === 0 || !writing) return
  const link = await readExactly(writing, synced - linkLength, linkLength)
  if (Buffer.from(link).toString('latin1') === `${syncedChain}"}\n`) return
  const reason = 'what was durable before the disk failed is not there any more'
  const { header, lines, seq } = scan
  reportDamage(folder, file, { kind: 'damaged', file: `${file.stem}${ending}`, thread: header?.thread, offset: synced, line: lines, seq, reason })
  refuseDamage(file)
}
