/** Reading a page of a thread: only the bytes that hold it, and every line checked again (FILE-13). */
import { decodeBatch, type LoomEvent, type Seq } from '@loom-agent/kernel'
import { idOf } from '../chain.ts'
import { spilledIn, unspill } from '../spill.ts'
import { damageError } from './damage.ts'
import { type DiskFile, readExactly } from './disk.ts'
import { checkLines, linkLength } from './line.ts'
import { lineBreak, splitLines } from './lines.ts'
import { type BatchPlace, scanFile } from './scan.ts'
import { ending, type Folder, refuseDamage, type Thread } from './thread.ts'

/** Events a page holds at most. */
export const pageSize = 512
/** Bytes after which a page begins no other batch. */
const pageBytes = 1_048_576

/** What is asked for, and where blobs are had from. */
export type PageQuery = Readonly<{ from: Seq; limit: number; blob: (key: string) => Promise<Uint8Array | undefined> }>

/** A page of events from `from` on. */
export async function readPage(folder: Folder, thread: Thread, query: PageQuery): Promise<readonly LoomEvent[]> {
  const { from, limit, blob } = query
  refuseDamage(thread, from)
  const { index, seq, size, damage } = thread.scan
  if (from > seq || limit <= 0) return []
  const { places, end } = pageOf(index.places, from, Math.min(from + limit, damage?.seq ?? Number.POSITIVE_INFINITY))
  const [begin] = places
  if (!begin) return []
  const lines = await thread.handle.use((file) => linesIn(file, begin.offset, Math.min(end ?? size, damage?.offset ?? size)))
  if (!lines) throw await foundDamage(folder, thread, begin.first)
  const batches = lines.filter((line) => idOf(line) !== undefined)
  const events: LoomEvent[] = []
  let first = begin.first
  for (const line of batches) {
    const batch = decodeBatch(thread.name, first, await whole(line, blob))
    first += batch.length
    for (const event of batch) if (event.seq >= from) events.push(event)
  }
  return events.slice(0, limit)
}

/** The batches from the one that holds `from` to the last that begins before `stop`, or fewer if that is bytes enough; and where the next begins. */
function pageOf(all: readonly BatchPlace[], from: Seq, stop: Seq): { places: readonly BatchPlace[]; end: number | undefined } {
  const begin = Math.max(0, firstAfter(all, from) - 1)
  const reach = (all[begin]?.offset ?? 0) + pageBytes
  let end = begin + 1
  for (let next = all[end]; next && next.first < stop && next.offset < reach; next = all[end]) end += 1
  return { places: all.slice(begin, end), end: all[end]?.offset }
}

/** The first batch that begins after a seq, found by bisection. */
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

/** The lines in a part of a file; undefined if one of them is not what was written there. */
async function linesIn(file: DiskFile, offset: number, end: number): Promise<readonly string[] | undefined> {
  // There is a line before every batch: a header at least. Its end holds the hash that this part begins with.
  const bytes = await readExactly(file, offset - linkLength, end - offset + linkLength)
  if (bytes.length < end - offset + linkLength || bytes.at(-1) !== lineBreak) return undefined
  const chain = Buffer.from(bytes.subarray(0, linkLength - 3)).toString('latin1')
  return checkLines(chain, splitLines(bytes.subarray(linkLength)))?.map(({ line }) => line)
}

/** A line with the texts that are kept beside it. */
async function whole(line: string, blob: PageQuery['blob']): Promise<string> {
  const texts = new Map<string, Uint8Array>()
  for (const hash of spilledIn(line)) {
    const bytes = await blob(hash)
    if (bytes) texts.set(hash, bytes)
  }
  return unspill(line, (hash) => texts.get(hash))
}

/** What was good when the thread was opened and is not any more: the thread can be read up to there from now on. */
async function foundDamage(folder: Folder, thread: Thread, seq: Seq): Promise<Error> {
  const file = `${thread.stem}${ending}`
  const { damage } = await thread.handle.use((opened) => scanFile(opened, { file, thread: thread.name }))
  const unclear = { file, thread: thread.name, offset: 0, line: 1, seq, reason: 'the file did not hold what was written when it was read' }
  thread.scan.damage = { ...(damage ?? unclear), kind: 'damaged' }
  folder.onDamage(thread.scan.damage)
  return damageError(thread.scan.damage)
}
