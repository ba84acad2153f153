/**
 * The anchors of a folder: of each file, where its last durable line ends and the hash of that line. They show what a file cannot show by itself: that
 * lines at its end are gone.
 *
 *     {"file":"user-123.jsonl","size":4711,"last":"...","head":[4,1],"hash":"..."}
 *
 * Every anchor is a line of its own in the file `anchors`, padded to the size of a sector, and is overwritten in its place.
 *
 * ANCHOR-1. An anchor is written after what it names is durable. It may be behind its file and is never ahead of it, so no crash makes a false alarm.
 * ANCHOR-2. After a crash an anchor is the old one, the new one, or not readable. One that is not readable says nothing.
 * ANCHOR-3. The anchor of a file is removed, durably, before the file: a later file of the same name is not compared with it.
 * ANCHOR-4. Commits do not wait for anchors of threads. The anchor of the feed is durable before the positions that it covers are used.
 */
import type { Epoch, Seq } from '@loom-agent/kernel'
import { chainStart } from '../storage/chain.ts'
import { type Disk, type DiskFile, readExactly, readWhole, writeAll } from './disk.ts'
import { checkLine, linkLength, sealLine, textOfLine } from './line.ts'

/** The end of what is durable in a file: how many bytes, the head after the last line, and the hash of that line. */
export type Anchor = Readonly<{ size: number; seq: Seq; epoch: Epoch; hash: string }>

/** The anchors of a folder that is open. */
export interface Anchors {
  /** The anchor of a file. */
  of(file: string): Anchor | undefined
  /** Moves the anchor of a file, behind the caller's back: if it cannot be written, it stays where it was. */
  move(file: string, anchor: Anchor): void
  /** Moves the anchor of a file durably. */
  pin(file: string, anchor: Anchor): Promise<void>
  /** Removes the anchors of files durably. */
  drop(files: readonly string[]): Promise<void>
  /** Writes what is not written yet. */
  close(): Promise<void>
}

/** An anchor never spans two sectors: a disk writes a sector whole or not at all. */
const slotSize = 512
const start = chainStart('anchors')
const pathOf = (folder: string): string => `${folder}/anchors`

/** The anchors by their places in the file; a place without a readable anchor is free. */
async function readSlots(disk: Disk, folder: string): Promise<readonly (readonly [file: string, anchor: Anchor] | undefined)[]> {
  const bytes = (await readWhole(disk, pathOf(folder))) ?? new Uint8Array()
  return Array.from({ length: Math.ceil(bytes.length / slotSize) }, (_, slot) => anchorIn(bytes.subarray(slot * slotSize, (slot + 1) * slotSize)))
}

function anchorIn(slot: Uint8Array): readonly [string, Anchor] | undefined {
  const line = textOfLine(slot)?.trimEnd() ?? ''
  const end = checkLine(start, line)
  if (!end) return undefined
  const { file, size, last } = JSON.parse(line) as { file: string; size: number; last: string }
  return [file, { size, seq: end.seq, epoch: end.epoch, hash: last }]
}

function slotOf(file: string, { size, seq, epoch, hash }: Anchor): Uint8Array {
  const { line } = sealLine(start, JSON.stringify({ file, size, last: hash }), { seq, epoch, joined: false })
  return Buffer.from(`${line.padEnd(slotSize - 1)}\n`)
}

const freeSlot = Buffer.from(`${' '.repeat(slotSize - 1)}\n`)

/** The anchors of a folder, by the names of their files. */
export async function readAnchors(disk: Disk, folder: string): Promise<ReadonlyMap<string, Anchor>> {
  return new Map((await readSlots(disk, folder)).flatMap((found) => (found ? [found] : [])))
}

/** Whether a file still holds the line at which its anchor is. */
export async function reaches(file: DiskFile, { size, hash }: Anchor): Promise<boolean> {
  const link = await readExactly(file, size - linkLength, linkLength)
  return Buffer.from(link).toString('latin1') === `${hash}"}\n`
}

/** The places of anchors in their file. */
interface Places {
  /** Where the anchor of a file is, in bytes; a free place if it has none yet. */
  of(file: string): number
  /** Frees the place of a file. */
  free(file: string): void
  has(file: string): boolean
}

function createPlaces(found: readonly (string | undefined)[]): Places {
  const slots = new Map<string, number>()
  const free: number[] = []
  let { length } = found
  for (const [slot, file] of found.entries()) {
    if (file === undefined) free.push(slot)
    else slots.set(file, slot)
  }
  const allot = (file: string): number => {
    const slot = free.pop() ?? length
    if (slot === length) length += 1
    slots.set(file, slot)
    return slot
  }
  return {
    of: (file) => (slots.get(file) ?? allot(file)) * slotSize,
    free(file) {
      free.push(slots.get(file) ?? allot(file))
      slots.delete(file)
    },
    has: (file) => slots.has(file),
  }
}

/** Opens the anchors of a folder; the file is created by the first anchor. */
export async function openAnchors(disk: Disk, folder: string): Promise<Anchors> {
  const found = await readSlots(disk, folder)
  const anchors = new Map(found.flatMap((known) => (known ? [known] : [])))
  const places = createPlaces(found.map((known) => known?.[0]))
  const writer = createWriter(disk, folder, found.length > 0)
  /** The files whose anchors are not written yet, and whether that is going to happen. */
  const behind = new Set<string>()
  let isQueued = false
  const catchUp = async (): Promise<void> => {
    isQueued = false
    for (const file of behind) {
      behind.delete(file)
      const anchor = anchors.get(file)
      try {
        if (anchor) await writer.write(places.of(file), slotOf(file, anchor))
      } catch (error) {
        behind.add(file)
        throw error
      }
    }
  }
  return {
    of: (file) => anchors.get(file),
    move(file, anchor) {
      anchors.set(file, anchor)
      behind.add(file)
      if (isQueued) return
      isQueued = true
      void writer.run(catchUp).catch(() => {})
    },
    pin(file, anchor) {
      anchors.set(file, anchor)
      return writer.run(async () => {
        behind.add(file)
        await catchUp()
        await writer.sync()
      })
    },
    drop: (files) =>
      writer.run(async () => {
        for (const file of files) behind.delete(file)
        const placed = files.filter((file) => places.has(file))
        for (const file of placed) await writer.write(places.of(file), freeSlot)
        if (placed.length > 0) await writer.sync()
        for (const file of placed) places.free(file)
        for (const file of files) anchors.delete(file)
      }),
    // An anchor that is behind does no harm.
    close: () =>
      writer
        .run(catchUp)
        .then(writer.sync)
        .catch(() => {})
        .finally(writer.close),
  }
}

interface Writer {
  /** Runs work after all earlier work. */
  run<T>(work: () => Promise<T>): Promise<T>
  write(offset: number, bytes: Uint8Array): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

/** Writes to the file of the anchors. `isNamed` says whether its name is durable. */
function createWriter(disk: Disk, folder: string, isNamed: boolean): Writer {
  let opening: Promise<DiskFile> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let hasName = isNamed
  const opened = (): Promise<DiskFile> => (opening ??= disk.open(pathOf(folder), 'create'))
  const close = async (): Promise<void> => {
    const old = opening
    opening = undefined
    await old?.then((file) => file.close()).catch(() => {})
  }
  return {
    run(work) {
      const done = last.then(work)
      // The old handle may not report a failure twice: a new one is used.
      last = done.catch(close)
      return done
    },
    write: async (offset, bytes) => writeAll(await opened(), offset, bytes),
    async sync() {
      if (!opening) return
      await (await opened()).sync()
      if (!hasName) await disk.syncFolder(folder)
      hasName = true
    },
    close,
  }
}
