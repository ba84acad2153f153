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
import { readFrom, refuseDamage, reportDamage, type ThreadFile, type ThreadState } from './thread-file.ts'

/** The most events in a page. */
const pageSize = 512
/** Bytes after which a page takes no other batch. */
const pageBytes = 1_048_576

/** A thread's file that is being read. */
type Reading = Readonly<{ folder: Folder; file: ThreadFile; state: ThreadState; opened: DiskFile }>

/** A page of a thread's own events from `from` on. */
export async function readPage(
  folder: Folder,
  file: ThreadFile,
  { state, thread, from, limit = pageSize }: { state: ThreadState; thread: string; from: Seq; limit?: number | undefined },
): Promise<readonly LoomEvent[]> {
  refuseDamage(file, from)
  const { index, seq } = state.scan
  if (from > seq) return []
  const places = placesOf(index.batches, from, Math.min(from + limit, file.damage?.seq ?? Number.POSITIVE_INFINITY))
  const [begin] = places
  const last = places.at(-1)
  if (!begin || !last) return []
  const work = async (opened: DiskFile): Promise<readonly LoomEvent[]> => {
    const reading = { folder, file, state, opened }
    const events: LoomEvent[] = []
    let { first } = begin
    for (const line of await linesAt(reading, { offset: begin.offset, end: last.end, seq: first })) {
      if (idOf(line) === undefined) continue
      const batch = decodeBatch(thread, first, await withTexts(reading, line))
      first += batch.length
      for (const event of batch) if (event.seq >= from) events.push(event)
    }
    return events.slice(0, limit)
  }
  return readFrom(folder, file, { state, work })
}

/** The bytes of a blob that a thread holds; undefined if it has none of that name. */
export async function readBlob(
  folder: Folder,
  file: ThreadFile,
  { state, name }: { state: ThreadState; name: string },
): Promise<Uint8Array | undefined> {
  if (!state.scan.index.blobs.has(name)) return undefined
  return readFrom(folder, file, { state, work: (opened) => blobIn({ folder, file, state, opened }, name) })
}

async function blobIn(reading: Reading, name: string): Promise<Uint8Array | undefined> {
  const place = reading.state.scan.index.blobs.get(name)
  if (!place) return undefined
  const [line = ''] = await linesAt(reading, { ...place, seq: 1 })
  return blobBytesOf(line)
}

/** A line with the texts that are stored as blobs of the same thread. */
async function withTexts(reading: Reading, line: string): Promise<string> {
  const texts = new Map<string, Uint8Array | undefined>()
  for (const hash of textsOf(line)) texts.set(hash, await blobIn(reading, hash))
  return restoreTexts(line, (hash) => texts.get(hash))
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
async function linesAt(reading: Reading, { offset, end, seq }: LinePlace & { seq: Seq }): Promise<readonly string[]> {
  // There is a line before every batch and blob: a header at least. Its end holds the hash that this part begins with.
  const from = offset - linkLength
  const bytes = await readExactly(reading.opened, from, end + 1 - from)
  const chain = Buffer.from(bytes.subarray(0, linkLength - 3)).toString('latin1')
  const isWhole = bytes.length === end + 1 - from && bytes.at(-1) === lineBreak
  const lines = isWhole ? checkLines(chain, splitLines(bytes.subarray(linkLength))) : undefined
  if (!lines) throw await foundDamage(reading, seq)
  return lines.map(({ line }) => line)
}

/** Records damage that was not there when the thread was opened: the thread can be read up to it from now on. */
async function foundDamage({ folder, file, state, opened }: Reading, seq: Seq): Promise<Error> {
  const { damage } = await scanFile(opened, { stem: file.stem })
  const reason = 'the file did not hold what was written when it was read'
  const unclear = { file: `${file.stem}${ending}`, thread: state.scan.header?.thread, offset: 0, line: 1, seq, reason }
  const found = { ...(damage ?? unclear), kind: 'damaged' } as const
  // A thread that was removed meanwhile is not damaged.
  if (file.state === state) reportDamage(folder, file, found)
  return damageError(found)
}
