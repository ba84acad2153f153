/**
 * Scans a thread's file from its first byte to its last: the only way to know what is in it.
 *
 * SCAN-1. The good part of a file is the longest prefix in which every line fits the one before it.
 * SCAN-2. What follows is torn if nothing proves that it was durable once, and damaged otherwise. Only what is torn may be cut off.
 */
import type { Epoch, Head, Seq, Summary } from '@loom-agent/kernel'
import { chainStart, idOf } from '../storage/chain.ts'
import type { Damage } from './damage.ts'
import type { DiskFile } from './disk.ts'
import {
  blobNameOf,
  checkLine,
  type FileMode,
  format,
  type Header,
  headerOf,
  type LineEnd,
  modeOf,
  provesDamage,
  summaryOf,
  textOfLine,
} from './line.ts'
import { linesOf, type RawLine } from './lines.ts'

/** Where a line is in its file; the line break is not counted. */
export type LinePlace = Readonly<{ offset: number; end: number }>
/** Where a batch is, and the seq of its first event. */
export type BatchPlace = LinePlace & { readonly first: Seq }

/** Where the batches and blobs of a thread are: all that is kept of a file in memory. */
export interface FileIndex {
  readonly batches: BatchPlace[]
  /** The last seq of each batch by its id. */
  readonly ids: Map<string, Seq>
  readonly blobs: Map<string, LinePlace>
}

/** The head of a thread as its file has it; the holder is known in memory only. */
export type StoredHead = Omit<Head, 'holder'>

/** The content of the good part of a file. */
export interface Scan {
  header: Header | undefined
  mode: FileMode
  /** The last seq; 0 before the first batch, also in a fork. */
  seq: Seq
  epoch: Epoch
  summary: Summary
  /** The hash of the last good line. */
  chain: string
  /** How many bytes and lines are good. */
  size: number
  lines: number
  readonly index: FileIndex
  /** What is wrong with the rest. */
  damage: Damage | undefined
}

/** Which file is scanned: its name in the folder, and the thread and the format that it should have. */
export interface Scanned {
  readonly file: string
  readonly thread?: string
  readonly format?: number
  /** Called with every good batch. */
  readonly onBatch?: (line: string) => void
}

/** The scan of a file without a line. */
export function emptyScan(): Scan {
  const index: FileIndex = { batches: [], ids: new Map(), blobs: new Map() }
  const fresh = { header: undefined, mode: 'strict', seq: 0, epoch: 0, summary: { status: 'idle' }, chain: '', size: 0, lines: 0 } as const
  return { ...fresh, index, damage: undefined }
}

/** The seq after which the next batch of a thread starts. */
export function startOf({ seq, header }: Pick<Scan, 'seq' | 'header'>): Seq {
  return seq === 0 ? (header?.forkOf?.seq ?? 0) : seq
}

/** The head that a scan shows; undefined if the thread does not exist. */
export function headOfScan({ header, seq, epoch, summary }: Pick<Scan, 'header' | 'seq' | 'epoch' | 'summary'>): StoredHead | undefined {
  if (!header || seq + epoch === 0) return undefined
  const { thread, incarnation, forkOf } = header
  return { thread, incarnation, seq, epoch, summary, ...(seq > 0 && forkOf && { forkOf }) }
}

/** Scans a file. */
export async function scanFile(file: DiskFile, scanned: Scanned): Promise<Scan> {
  const scan = emptyScan()
  let last: string | undefined
  for await (const raw of linesOf(file, { from: 0, to: await file.size() })) {
    if (scan.damage) {
      if (!raw.ended || !provesDamage(lossyText(raw), false)) continue
      scan.damage = { ...scan.damage, kind: 'damaged' }
      break
    }
    const taken = take(scan, raw, scanned)
    if (typeof taken === 'string') last = taken
    else scan.damage = damageAt(scan, taken, { raw, scanned })
    if (scan.damage?.kind === 'unknown') break
  }
  if (last !== undefined) scan.summary = summaryOf(last)
  return scan
}

type At = Readonly<{ raw: RawLine; scanned: Scanned }>
type Fault = Readonly<{ kind: 'bad' | 'unknown'; reason: string }>
const bad = (reason: string): Fault => ({ kind: 'bad', reason })
const unknown = (reason: string): Fault => ({ kind: 'unknown', reason })

/** Adds a line to the scan and returns it, or returns what is wrong with it. */
function take(scan: Scan, { ended, bytes, offset }: RawLine, scanned: Scanned): Fault | string {
  const line = ended ? textOfLine(bytes) : undefined
  if (line === undefined) return bad(ended ? 'the line is no text' : 'the line has no end')
  const header = headerOf(line) ?? scan.header
  if (!header) return bad('the first line is no header')
  if (header.format !== (scanned.format ?? format)) return unknown(unknownFormat(header.format))
  const end = checkLine(scan.header ? scan.chain : chainStart(header.thread), line)
  if (!end) return bad('the hash does not fit')
  if (scanned.thread !== undefined && header.thread !== scanned.thread) return unknown(`the file holds the thread ${JSON.stringify(header.thread)}`)
  scan.mode = modeOf(line) ?? (scan.header ? scan.mode : (header.mode ?? 'strict'))
  scan.header = header
  const place = { offset, end: offset + bytes.length }
  index(scan, line, { place, end })
  if (idOf(line) !== undefined) scanned.onBatch?.(line)
  Object.assign(scan, { seq: end.seq, epoch: end.epoch, chain: end.hash, size: place.end + 1, lines: scan.lines + 1 })
  return line
}

/** Notes where a batch or a blob is. */
function index(scan: Scan, line: string, { place, end }: { place: LinePlace; end: LineEnd }): void {
  const { batches, ids, blobs } = scan.index
  const blob = blobNameOf(line)
  if (blob !== undefined) blobs.set(blob, place)
  const id = idOf(line)
  if (id === undefined) return
  batches.push({ ...place, first: startOf(scan) + 1 })
  ids.set(id, end.seq)
}

const unknownFormat = (found: number): string =>
  found === 1 ? 'it has format 1, which is upgraded when a journal of format 1 is opened' : `this version does not know the format ${found}`

function damageAt(scan: Scan, fault: Fault, { raw, scanned }: At): Damage {
  const isDamaged = raw.ended && provesDamage(lossyText(raw), true)
  const kind = fault.kind === 'unknown' ? 'unknown' : isDamaged ? 'damaged' : 'torn'
  const thread = scanned.thread ?? scan.header?.thread
  return { kind, file: scanned.file, thread, offset: raw.offset, line: scan.lines + 1, seq: startOf(scan) + 1, reason: fault.reason }
}

const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
const lossyText = ({ bytes }: RawLine): string => lossy.decode(bytes)
