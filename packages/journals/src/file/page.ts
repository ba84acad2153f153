/** Reads a page of a thread, or a blob: only the bytes that hold it. Every line is checked again (LINE-1). */
import { decodeBatch, type LoomEvent, type Seq } from '@loom-agent/kernel'
import { idOf } from '../storage/chain.ts'
import { restoreTexts, textsOf } from '../storage/offload-blobs.ts'
import { damageError } from './damage.ts'
import { type DiskFile, readExactly } from './disk.ts'
import { ending, type Folder } from './folder.ts'
import { blobBytesOf, checkLines, linkLength } from './line.ts'
import { lineBreak, splitLines } from './lines.ts'
import { type BatchPlace, type LinePlace, scanFile } from './scan.ts'
import { refuseDamage, type ThreadState } from './thread-state.ts'

/** The most events in a page. */
export const pageSize = 512
/** Bytes after which a page takes no other batch. */
const pageBytes = 1_048_576

/** A page of a thread's own events from `from` on. */
export async function readPage(folder: Folder, state: ThreadState, { from, limit }: { from: Seq; limit: number }): Promise<readonly LoomEvent[]> {
  refuseDamage(state, from)
  const { index, seq, damage } = state.scan
  if (from > seq || limit <= 0) return []
  const places = placesOf(index.batches, from, Math.min(from + limit, damage?.seq ?? Number.POSITIVE_INFINITY))
  const [begin] = places
  const last = places.at(-1)
  if (!begin || !last) return []
  const lines = await linesAt(folder, state, { offset: begin.offset, end: last.end, seq: begin.first })
  const events: LoomEvent[] = []
  let first = begin.first
  for (const line of lines) {
    if (idOf(line) === undefined) continue
    const batch = decodeBatch(state.name, first, await withTexts(folder, state, line))
    first += batch.length
    for (const event of batch) if (event.seq >= from) events.push(event)
  }
  return events.slice(0, limit)
}

/** The bytes of a blob that a thread holds; undefined if it has none of that name. */
export async function readBlob(folder: Folder, state: ThreadState, name: string): Promise<Uint8Array | undefined> {
  const place = state.scan.index.blobs.get(name)
  if (!place) return undefined
  const [line = ''] = await linesAt(folder, state, { ...place, seq: 1 })
  return blobBytesOf(line)
}

/** The batches from the one that holds `from` to the last that starts before `stop`, or fewer if a page is full before. */
function placesOf(all: readonly BatchPlace[], from: Seq, stop: Seq): readonly BatchPlace[] {
  const begin = Math.max(0, firstAfter(all, from) - 1)
  const reach = (all[begin]?.offset ?? 0) + pageBytes
  let end = begin + 1
  for (let next = all[end]; next && next.first < stop && next.offset < reach; next = all[end]) end += 1
  return all.slice(begin, end)
}

/** The first batch that starts after a seq, found by bisection. */
function firstAfter(all: readonly BatchPlace[], seq: Seq): number {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const place = all[middle]
    if (place && place.first <= seq) low = middle + 1
    else high = middle
  }
  return low
}

/** The lines in a part of a thread's file; throws if one of them is not what was written there. `seq` is the first event that is affected then. */
async function linesAt(folder: Folder, state: ThreadState, { offset, end, seq }: LinePlace & { seq: Seq }): Promise<readonly string[]> {
  const lines = await state.handle.use((file) => checkedLines(file, offset, end + 1))
  if (!lines) throw await foundDamage(folder, state, seq)
  return lines
}

async function checkedLines(file: DiskFile, offset: number, end: number): Promise<readonly string[] | undefined> {
  // There is a line before every batch and blob: a header at least. Its end holds the hash that this part begins with.
  const bytes = await readExactly(file, offset - linkLength, end - offset + linkLength)
  if (bytes.length < end - offset + linkLength || bytes.at(-1) !== lineBreak) return undefined
  const chain = Buffer.from(bytes.subarray(0, linkLength - 3)).toString('latin1')
  return checkLines(chain, splitLines(bytes.subarray(linkLength)))?.map(({ line }) => line)
}

/** A line with the texts that are stored as blobs of the same thread. */
async function withTexts(folder: Folder, state: ThreadState, line: string): Promise<string> {
  const texts = new Map<string, Uint8Array | undefined>()
  for (const hash of textsOf(line)) texts.set(hash, await readBlob(folder, state, hash))
  return restoreTexts(line, (hash) => texts.get(hash))
}

/** Records damage that was not there when the thread was opened: the thread can be read up to it from now on. */
async function foundDamage(folder: Folder, state: ThreadState, seq: Seq): Promise<Error> {
  const file = `${state.stem}${ending}`
  const { damage } = await state.handle.use((opened) => scanFile(opened, { file, thread: state.name }))
  const unclear = { file, thread: state.name, offset: 0, line: 1, seq, reason: 'the file did not hold what was written when it was read' }
  state.scan.damage = { ...(damage ?? unclear), kind: 'damaged' }
  folder.onDamage(state.scan.damage)
  return damageError(state.scan.damage)
}
