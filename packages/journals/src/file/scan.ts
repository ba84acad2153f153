/**
 * Reads what is in a thread's file: all of it, or of a long one only its start and its end.
 *
 * SCAN-1. The good part of a file is the longest prefix in which every line fits the one before it, and the anchor.
 * SCAN-2. What follows is torn if a crash can leave it (TORN-1 to TORN-3). Everything else is damaged, and so is a file that ends before its anchor. Only
 *         what is torn may be cut off.
 * SCAN-3. The start and the end of a file are enough if they prove the header, the head and, by LINE-2, that what is between was durable.
 */
import type { Epoch, Head, HeadTimes, Seq, Summary } from '@loom-agent/kernel'
import { chainStart, idOf } from '../storage/chain.ts'
import { type Anchor, reaches } from './anchors.ts'
import type { Damage } from './damage.ts'
import { type DiskFile, readExactly } from './disk.ts'
import { fileNameOf, nameOf } from './file-name.ts'
import { ending } from './folder.ts'
import {
  blobNameOf,
  changedOf,
  checkLine,
  checkLines,
  type FileMode,
  format,
  type Header,
  headerOf,
  type LineEnd,
  summaryOf,
  textOfLine,
} from './line.ts'
import { lineBreak, linesOf, type RawLine, splitLines } from './lines.ts'
import { canBeTorn, canFollowTorn, endOfBytes, withoutHole } from './torn.ts'

/** Where a line is in its file; the line break is not counted. */
export type LinePlace = Readonly<{ offset: number; end: number }>
/** Where a batch is, and the seq of its first event. */
export type BatchPlace = LinePlace & { readonly first: Seq }

/** Where the batches and blobs of a thread are: all that is kept of a file in memory. */
export interface FileIndex {
  readonly batches: BatchPlace[]
  /** The last seq of each batch by its key. */
  readonly ids: Map<string, Seq>
  readonly blobs: Map<string, LinePlace>
}

/** The head of a thread as its file has it; the holder is known in memory only, and `now` when it is read. */
export type StoredHead = Omit<Head, 'holder' | 'times'> & { readonly times: Omit<HeadTimes, 'now'> }

/** The content of the good part of a file. */
export interface Scan {
  header: Header | undefined
  mode: FileMode
  /** The last seq; 0 before the first batch, also in a fork. */
  seq: Seq
  epoch: Epoch
  summary: Summary
  /** When the summary changed. */
  changed: number
  /** The hash of the last good line. */
  chain: string
  /** How many bytes and lines are good; the line break of the last line is counted, also where it is missing. */
  size: number
  lines: number
  /** Whether the last good line has no line break. */
  isUnended: boolean
  readonly index: FileIndex
  /** What is wrong with the rest. */
  damage: Damage | undefined
}

/** Which file is scanned: its name without the ending, its anchor, and the format that it should have. */
export interface Scanned {
  readonly stem: string
  readonly anchor?: Anchor | undefined
  readonly format?: number
  /** Called with every good batch. */
  readonly onBatch?: (line: string) => void
}

/** The scan of a file without a line. */
export function emptyScan(): Scan {
  const index: FileIndex = { batches: [], ids: new Map(), blobs: new Map() }
  const fresh = {
    header: undefined,
    mode: 'strict',
    seq: 0,
    epoch: 0,
    summary: { status: 'idle' },
    changed: 0,
    chain: '',
    size: 0,
    lines: 0,
    isUnended: false,
  } as const
  return { ...fresh, index, damage: undefined }
}

/** An id counts together with the seq that its batch expects (JOURNAL-2). */
export const batchKey = (id: string, expected: Seq): string => `${expected} ${id}`

/** The seq after which the next batch of a thread starts. */
function startOf({ seq, header }: Pick<Scan, 'seq' | 'header'>): Seq {
  return seq === 0 ? (header?.forkOf?.seq ?? 0) : seq
}

/** The head that a scan shows; undefined if the thread does not exist. */
export function headOfScan(scan: Pick<Scan, 'header' | 'seq' | 'epoch' | 'summary' | 'changed'>): StoredHead | undefined {
  const { header, seq, epoch, summary, changed } = scan
  if (!header || seq + epoch === 0) return undefined
  const { thread, incarnation, forkOf, time = 0 } = header
  const times = { began: time, changed: Math.max(time, changed) }
  return { thread, incarnation, seq, epoch, summary, times, ...(seq > 0 && forkOf && { forkOf }) }
}

/** Scans a file from its first byte to its last. */
export async function scanFile(file: DiskFile, scanned: Scanned): Promise<Scan> {
  const scan = emptyScan()
  let last: string | undefined
  for await (const raw of linesOf(file, await file.size())) {
    if (scan.damage) {
      if (canFollowTorn(raw)) continue
      scan.damage = { ...scan.damage, kind: 'damaged' }
      break
    }
    const taken = take(scan, raw, scanned)
    if (typeof taken === 'string') last = taken
    else scan.damage = damageAt(scan, taken, { raw, scanned })
    if (scan.damage && scan.damage.kind !== 'torn') break
  }
  if (last !== undefined) Object.assign(scan, { summary: summaryOf(last), changed: changedOf(last) })
  return withEnd(scan, scanned)
}

/** The scan of a file, with what is wrong with its end. */
function withEnd(scan: Scan, { anchor, stem }: Scanned): Scan {
  if (anchor && scan.size < anchor.size) scan.damage ??= missingEnd(scan, stem, anchor)
  if (scan.isUnended) scan.damage ??= { ...placeOf(scan, stem), kind: 'torn', offset: scan.size - 1, reason: 'the last line has no line break' }
  return scan
}

/** The damage of a file that ends before its anchor. */
export function missingEnd(scan: Scan, stem: string, { size, seq, epoch }: Anchor): Damage {
  const reason = `what was acknowledged after it is missing: the file reached byte ${size}, seq ${seq} and epoch ${epoch}`
  return { ...placeOf(scan, stem), kind: 'damaged', reason }
}

type At = Readonly<{ raw: RawLine; scanned: Scanned }>
type Fault = Readonly<{ reason: string; isUnknown?: true }>
type Placed = Readonly<{ place: LinePlace; end: LineEnd }>

/** Adds a line to the scan and returns it, or returns what is wrong with it. */
function take(scan: Scan, { ended, bytes: raw, offset }: RawLine, scanned: Scanned): Fault | string {
  const bytes = ended ? raw : withoutHole(raw)
  const line = textOfLine(bytes)
  if (line === undefined) return { reason: ended ? 'the line is not text' : 'the line has no end' }
  const header = headerOf(line) ?? scan.header
  if (!header) return { reason: ended ? 'the first line is not a header' : 'the line has no end' }
  if (header.format !== (scanned.format ?? format)) return { reason: unknownFormat(header.format), isUnknown: true }
  const end = checkLine(scan.header ? scan.chain : chainStart(header.thread), line)
  if (!end) return { reason: ended ? 'the hash does not fit' : 'the line has no end' }
  const place = { offset, end: offset + bytes.length }
  if (missesAnchor(scan, { place, end }, scanned.anchor)) return { reason: 'it is not the line that was acknowledged' }
  scan.mode = modeOf(line) ?? (scan.header ? scan.mode : (header.mode ?? 'strict'))
  scan.header = header
  if (fileNameOf(header.thread) !== scanned.stem) return { reason: 'the file has the name of another thread', isUnknown: true }
  index(scan, line, { place, end })
  if (idOf(line) !== undefined) scanned.onBatch?.(line)
  Object.assign(scan, { seq: end.seq, epoch: end.epoch, chain: end.hash, size: place.end + 1, lines: scan.lines + 1, isUnended: !ended })
  return line
}

/** Whether a line is where the anchor of its file is, and not the line of the anchor. */
function missesAnchor({ size }: Scan, { place, end }: Placed, anchor: Anchor | undefined): boolean {
  if (anchor === undefined || size >= anchor.size || place.end + 1 < anchor.size) return false
  return place.end + 1 !== anchor.size || end.hash !== anchor.hash
}

/** The mode after a line, if the line changes it. */
function modeOf(line: string): FileMode | undefined {
  const [, mode] = /^\{"mode":"(strict|relaxed)"/.exec(line) ?? []
  return mode as FileMode | undefined
}

/** Records where a batch or a blob is. */
function index(scan: Scan, line: string, { place, end }: Placed): void {
  const { batches, ids, blobs } = scan.index
  const blob = blobNameOf(line)
  if (blob !== undefined) blobs.set(blob, place)
  const id = idOf(line)
  if (id === undefined) return
  const expected = startOf(scan)
  batches.push({ ...place, first: expected + 1 })
  ids.set(batchKey(id, expected), end.seq)
}

const unknownFormat = (found: number): string =>
  found === 1 ? 'it has format 1, which is upgraded when a journal of format 1 is opened' : `this version does not know the format ${found}`

function damageAt(scan: Scan, { reason, isUnknown }: Fault, { raw, scanned: { stem, anchor } }: At): Damage {
  const isTorn = scan.size >= (anchor?.size ?? 0) && canBeTorn(raw, scan.chain)
  return { ...placeOf(scan, stem), kind: isUnknown ? 'unknown' : isTorn ? 'torn' : 'damaged', reason }
}

/** The place after the good part of a file. */
function placeOf(scan: Scan, stem: string): Pick<Damage, 'file' | 'thread' | 'offset' | 'line' | 'seq'> {
  const thread = scan.header?.thread ?? nameOf(stem)
  return { file: `${stem}${ending}`, thread, offset: scan.size, line: scan.lines + 1, seq: startOf(scan) + 1 }
}

/** How many bytes are read of the start and of the end of a file. A file that is not longer is scanned. */
const startReach = 4096
const endReach = 65_536

/** The header and the head of a thread from the start and the end of its file (SCAN-3); undefined if these are not enough. */
export async function glance(
  file: DiskFile,
  { stem, anchor }: Scanned,
): Promise<{ readonly header: Header; readonly head: StoredHead | undefined } | undefined> {
  const size = await file.size()
  if (size <= endReach || (anchor && !(await reaches(file, anchor)))) return undefined
  const header = checkedHeader(await readExactly(file, 0, startReach))
  if (header?.format !== format || fileNameOf(header.thread) !== stem) return undefined
  const last = await lastLine(file)
  return last && { header, head: headOfScan({ header, ...last.end, summary: summaryOf(last.line), changed: changedOf(last.line) }) }
}

/** The last header of a file: it is among the headers and claims before the first line of another kind. */
function checkedHeader(bytes: Uint8Array): Header | undefined {
  const count = Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .findIndex((line) => /^\{"(id|blob|mode)":/.test(line))
  const lines = splitLines(bytes).slice(0, Math.max(0, count))
  const first = lines[0] && headerOf(textOfLine(lines[0]) ?? '')
  return first && checkLines(chainStart(first.thread), lines)?.reduce<Header>((header, { line }) => headerOf(line) ?? header, first)
}

/** The last line of a file, if the lines fit each other back to one that proves that everything before it was durable. */
export async function lastLine(file: DiskFile): Promise<{ readonly line: string; readonly end: LineEnd } | undefined> {
  const size = await file.size()
  const bytes = await readExactly(file, Math.max(0, size - endReach), endReach)
  // The bytes may start in the middle of a line: only the end of that line is used.
  const lines = splitLines(bytes)
  const begin = lines.findLastIndex((line, at) => at > 0 && endOfBytes(line)?.joined === false)
  const before = lines[begin - 1]
  const chain = before && endOfBytes(before)?.hash
  return chain === undefined || bytes.at(-1) !== lineBreak ? undefined : checkLines(chain, lines.slice(begin))?.at(-1)
}
