/**
 * The positions of a folder's feed: one for every batch and every removal, over all threads.
 *
 *     {"loom":"feed","format":2,"head":[0,0],"hash":"..."}
 *     {"reserved":1024,"head":[1024,0],"hash":"..."}
 *     {"position":7,"removed":"user-123","incarnation":"k3","seq":4,"first":2,"head":[1024,0],"hash":"..."}
 *
 * The lines are linked as those of a thread are. Earlier versions wrote them without `head` and `hash`.
 *
 * FILEFEED-1. No position is used twice, also after a crash: positions are durably reserved in blocks, before the first of a block is used.
 * FILEFEED-2. A removal is recorded before the thread is removed.
 * FILEFEED-3. If lines are damaged, or missing before the anchor of the file, positions continue far beyond those that are known: which ones were used
 *             is not known any more.
 *
 * The file also says that the folder has the present format. It is created when everything in the folder has been upgraded, or by the first write to a
 * new folder.
 */
import type { Seq } from '@loom-agent/kernel'
import { chainStart } from '../storage/chain.ts'
import { journalError } from '../storage/failure.ts'
import type { Anchor } from './anchors.ts'
import type { Damage } from './damage.ts'
import { cutAfter, type Disk, readWhole, withFile, writeAll, writeWhole } from './disk.ts'
import { type Folder, freeName } from './folder.ts'
import { checkLine, format, sealLine, textOfLine } from './line.ts'
import { splitLines } from './lines.ts'
import { canBeTorn } from './torn.ts'

/** The feed of a folder. */
export interface Feed {
  /** How many positions are reserved and not used yet. */
  free(): number
  /** Reserves more positions. */
  reserve(): Promise<void>
  /** Takes a position that is free. It is open until what it is for is written, or has failed. */
  next(): number
  /** Closes positions. */
  close(positions: readonly number[]): void
  /** The lowest position that is open or was not taken yet: what has a lower one does not change any more. */
  horizon(): number
  /** Records that threads are removed now. Their positions are open until the files are gone. */
  recordRemovals(threads: readonly Omit<Removal, 'position'>[]): Promise<readonly Removal[]>
  /** The removals that were recorded, in the order of their positions. */
  removals(): readonly Removal[]
}

/** The record of a removal: `first` is the position of the thread's first commit. Older records have no seq, and not that position. */
export type Removal = Readonly<{ position: number; removed: string; incarnation: string; seq?: Seq; first?: number | undefined }>

/** The stored part of a feed: the last position that may be in use, the good bytes of its file, and the hash of the last line in them. */
type StoredFeed = Readonly<{ reserved: number; size: number; hash: string }>
type FeedLine = Readonly<{ loom?: string; format?: number; reserved?: number }> &
  Readonly<{ position?: number | undefined; removed?: string | undefined; incarnation?: string | undefined; seq?: Seq; first?: number | undefined }>
type FoundFeed = StoredFeed & Readonly<{ state: 'missing' | 'whole' | 'without hashes' | 'damaged'; removals: readonly Removal[]; damage?: Damage }>

/** How many positions are reserved at a time. */
const block = 1024
/** How far positions continue after damage: no journal makes that many commits. */
const leap = 2 ** 40
const header: FeedLine = { loom: 'feed', format }
const start: StoredFeed = { reserved: 0, size: 0, hash: chainStart('feed') }
const name = 'feed'
const pathOf = ({ path }: Pick<Folder, 'path'>): string => `${path}/${name}`

/** Opens the feed of a folder. If none can be read, `upgrade` returns the last position that a thread has, or undefined if there is no thread. */
export async function openFeed(folder: Folder, upgrade: () => Promise<number | undefined>): Promise<Feed> {
  const bytes = await readWhole(folder.disk, pathOf(folder))
  const found = scanFeed(bytes, folder.anchors.of(name))
  if (found.damage) await reportDamage(folder, found.damage, bytes)
  if (found.state === 'whole') return createFeed(folder, found)
  const last = found.state === 'without hashes' ? 0 : await upgrade()
  if (found.state === 'missing' && last === undefined) return createFeed(folder, found)
  const reserved = Math.max(found.reserved, last ?? 0) + (found.state === 'damaged' ? leap : 0)
  return createFeed(folder, { ...(await writeFeed(folder, reserved, found.removals)), removals: found.removals })
}

/** The damage of a feed; undefined if it is whole, or there is none. Nothing is changed. */
export async function inspectFeed(disk: Disk, path: string, anchor: Anchor | undefined): Promise<Damage | undefined> {
  return scanFeed(await readWhole(disk, pathOf({ path })), anchor).damage
}

/** Reads the lines of a feed, and checks that they reach its anchor. */
function scanFeed(bytes: Uint8Array | undefined, anchor: Anchor | undefined): FoundFeed {
  const found = { ...start, removals: [] as Removal[] }
  if (!bytes && !anchor) return { ...found, state: 'missing' }
  const lines = splitLines(bytes ?? new Uint8Array())
  const isOld = lines[0] !== undefined && textOfLine(lines[0]) === JSON.stringify(header)
  let isAnchored = anchor === undefined
  for (const [number, line] of lines.entries()) {
    // A line that the disk has not written everywhere was not acknowledged.
    const isLast = number === lines.length - 1
    if (!take(found, line, isOld)) {
      if (isLast && isAnchored && canBeTorn({ offset: found.size, bytes: line, ended: true }, found.hash)) break
      return damagedFeed(found, { anchor, line: number + 1, text: textOfLine(line) ?? 'no text' })
    }
    isAnchored ||= found.size === anchor?.size && found.hash === anchor.hash
  }
  // A feed that was written anew after damage has reserved more than any before it, and may not be anchored yet.
  const isCut = !isAnchored && found.reserved <= (anchor?.seq ?? 0)
  if (isCut || lines.length === 0) return damagedFeed(found, { anchor, line: lines.length + 1, text: '' })
  return { ...found, state: isOld ? 'without hashes' : 'whole' }
}

/** Adds a line to what was found, and returns whether it fits. */
function take(found: { -readonly [K in keyof StoredFeed]: StoredFeed[K] } & { removals: Removal[] }, line: Uint8Array, isOld: boolean): boolean {
  const text = textOfLine(line) ?? ''
  const end = isOld ? undefined : checkLine(found.hash, text)
  const value = isOld || end ? parsed(text) : undefined
  if (!value) return false
  found.reserved = Math.max(found.reserved, value.reserved ?? 0, value.position ?? 0)
  found.size += line.length + 1
  found.hash = end?.hash ?? found.hash
  found.removals.push(...removalIn(value))
  return true
}

/** The removal that a line records. */
function removalIn({ position, removed, incarnation = removed, seq, first }: FeedLine): readonly Removal[] {
  if (position === undefined || removed === undefined || incarnation === undefined) return []
  return [{ position, removed, incarnation, ...(seq !== undefined && { seq }), ...(first !== undefined && { first }) }]
}

/** A feed that is damaged from a line on. A feed of another format is refused. */
function damagedFeed(
  found: StoredFeed & Pick<FoundFeed, 'removals'>,
  { anchor, line, text }: { anchor: Anchor | undefined; line: number; text: string },
): FoundFeed {
  const { loom, format: other } = parsed(text) ?? {}
  if (loom === 'feed' && other !== undefined && other !== format) {
    const message = `The feed of the journal has format ${other}, and this version of Loom knows ${format}. Open the journal with a newer version.`
    throw journalError('unusable', message, { context: { format: other } })
  }
  const reason = `${text === '' ? 'its last lines are missing' : 'it is not what was written'}; positions continue far beyond those that are known`
  const damage: Damage = { kind: 'damaged', file: name, offset: found.size, line, seq: 0, reason }
  return { ...found, reserved: Math.max(found.reserved, anchor?.seq ?? 0), state: 'damaged', damage }
}

/** Keeps a copy of a damaged feed, and reports it. */
async function reportDamage(folder: Folder, damage: Damage, bytes: Uint8Array | undefined): Promise<void> {
  const copy = bytes && (await freeName(folder, `${name}.damaged-`))
  if (copy) await writeWhole(folder.disk, `${folder.path}/${copy}`, bytes)
  folder.onDamage({ ...damage, copy })
}

function parsed(line: string): FeedLine | undefined {
  try {
    return JSON.parse(line) as FeedLine
  } catch {
    return undefined
  }
}

const seal = (hash: string, reserved: number, line: FeedLine): { line: string; hash: string } =>
  sealLine(hash, JSON.stringify(line), { seq: reserved, epoch: 0, joined: false })

/** Writes the file of the feed; positions up to `reserved` may be in use. */
async function writeFeed(folder: Folder, reserved: number, removals: readonly FeedLine[]): Promise<StoredFeed> {
  let { hash } = start
  let text = ''
  for (const line of [header, ...removals, { reserved }]) {
    const sealed = seal(hash, reserved, line)
    text += `${sealed.line}\n`
    hash = sealed.hash
  }
  const bytes = Buffer.from(text)
  await writeWhole(folder.disk, pathOf(folder), bytes)
  await folder.disk.syncFolder(folder.path)
  return { reserved, size: bytes.length, hash }
}

/** The feed that continues after the stored part. In a folder without a feed, the first write creates it. */
function createFeed(folder: Folder, found: StoredFeed & Pick<FoundFeed, 'removals'>): Feed {
  let stored: StoredFeed = found
  const removals = [...found.removals]
  const open = new Set<number>()
  let given = stored.reserved
  /** The last position that the anchor covers: until then no position is free (ANCHOR-4). */
  let covered = given
  let writing: Promise<unknown> = Promise.resolve()
  const write = (linesAfter: (reserved: number) => readonly FeedLine[]): Promise<void> => {
    const written = writing.then(async () => {
      if (stored.size === 0) stored = await writeFeed(folder, 0, [])
      stored = await appendLines(folder, stored, linesAfter(stored.reserved))
      const { size, hash, reserved } = stored
      await folder.anchors.pin(name, { size, hash, seq: reserved, epoch: 0 })
      covered = reserved
    })
    writing = written.catch(() => {})
    return written
  }
  const reserve = (): Promise<void> => write((reserved) => [{ reserved: reserved + block }])
  const next = (): number => {
    given += 1
    open.add(given)
    return given
  }
  const free = (): number => covered - given
  return {
    free,
    reserve,
    next,
    close(positions) {
      for (const position of positions) open.delete(position)
    },
    // Positions are taken in their order, and a set keeps it.
    horizon: () => open.values().next().value ?? given + 1,
    async recordRemovals(threads) {
      if (threads.length === 0) return []
      while (free() < threads.length) await reserve()
      const recorded = threads.map((thread) => ({ position: next(), ...thread }))
      try {
        await write(() => recorded)
      } catch (error) {
        for (const { position } of recorded) open.delete(position)
        throw error
      }
      removals.push(...recorded)
      return recorded
    },
    removals: () => removals,
  }
}

/** Writes durably after the good part of the file; what a failed write has left there is cut off. */
function appendLines(folder: Folder, { size, hash: last, reserved: before }: StoredFeed, lines: readonly FeedLine[]): Promise<StoredFeed> {
  let hash = last
  let reserved = before
  let text = ''
  for (const line of lines) {
    reserved = line.reserved ?? reserved
    const sealed = seal(hash, reserved, line)
    text += `${sealed.line}\n`
    hash = sealed.hash
  }
  const bytes = Buffer.from(text)
  return withFile(folder.disk.open(pathOf(folder), 'change'), async (file) => {
    await cutAfter(file, size)
    await writeAll(file, size, bytes)
    await file.sync()
    return { reserved, size: size + bytes.length, hash }
  })
}
