/**
 * Reading a thread's file from its first byte to its last: the only way to know what is in it.
 *
 * FILE-20. What is believed is a prefix of the file in which every line fits the one before it.
 * FILE-21. What follows is torn if nothing proves that it was durable once, and damaged otherwise. Only what is torn may be cut off.
 */
import type { Epoch, Seq, Summary } from '@loom-agent/kernel'
import { chainStart, idOf } from '../chain.ts'
import type { Damage } from './damage.ts'
import type { DiskFile } from './disk.ts'
import { checkLine, type FileMode, format, type Header, headerOf, modeOf, provesDamage, summaryOf, textOfLine } from './line.ts'
import { linesOf, type RawLine } from './lines.ts'

/** Where a batch is: its first seq, and where its line begins. */
export type BatchPlace = Readonly<{ first: Seq; offset: number }>

/** Where the batches of a thread are, and their ids: all that is kept of a file in memory. */
export interface BatchIndex {
  readonly places: BatchPlace[]
  /** The last seq of each batch by its id (JOURNAL-2). */
  readonly ids: Map<string, Seq>
}

/** What the good part of a file says. */
export interface Scan {
  header: Header | undefined
  mode: FileMode
  seq: Seq
  epoch: Epoch
  summary: Summary
  /** The hash of the last good line. */
  chain: string
  /** How many bytes and lines are good. */
  size: number
  lines: number
  readonly index: BatchIndex
  /** What is wrong with the rest. */
  damage: Damage | undefined
}

/** Which file is scanned: its name in the folder, and the thread that it should hold if that is known. */
export interface Scanned {
  readonly file: string
  readonly thread?: string
  /** Told of every good batch. */
  readonly onBatch?: (line: string, first: Seq) => void
}

/** A thread without a line. */
export function emptyScan(): Scan {
  const index: BatchIndex = { places: [], ids: new Map() }
  const fresh = { header: undefined, mode: 'strict', seq: 0, epoch: 0, summary: { status: 'idle' }, chain: '', size: 0, lines: 0 } as const
  return { ...fresh, index, damage: undefined }
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

/** Takes a line into the scan, or answers what is wrong with it. */
function take(scan: Scan, { ended, bytes, offset }: RawLine, scanned: Scanned): Fault | string {
  const line = ended ? textOfLine(bytes) : undefined
  if (line === undefined) return bad(ended ? 'the line is no text' : 'the line has no end')
  const header = scan.header ?? headerOf(line)
  if (!header) return bad('the first line is no header')
  if (header.format !== format) return unknown(`this version does not know the format ${header.format}`)
  const end = checkLine(scan.header ? scan.chain : chainStart(header.thread), line)
  if (!end) return bad('the hash does not fit')
  if (scanned.thread !== undefined && header.thread !== scanned.thread) return unknown(`the file holds the thread ${JSON.stringify(header.thread)}`)
  const id = scan.header && idOf(line)
  if (id !== undefined) {
    scanned.onBatch?.(line, scan.seq + 1)
    scan.index.places.push({ first: scan.seq + 1, offset })
    scan.index.ids.set(id, end.seq)
  }
  scan.mode = modeOf(line) ?? (scan.header ? scan.mode : header.mode)
  Object.assign(scan, { header, seq: end.seq, epoch: end.epoch, chain: end.hash, size: offset + bytes.length + 1, lines: scan.lines + 1 })
  return line
}

function damageAt(scan: Scan, fault: Fault, { raw, scanned }: At): Damage {
  const isDamaged = raw.ended && provesDamage(lossyText(raw), true)
  const kind = fault.kind === 'unknown' ? 'unknown' : isDamaged ? 'damaged' : 'torn'
  const thread = scanned.thread ?? scan.header?.thread
  return { kind, file: scanned.file, thread, offset: raw.offset, line: scan.lines + 1, seq: scan.seq + 1, reason: fault.reason }
}

const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
const lossyText = ({ bytes }: RawLine): string => lossy.decode(bytes)
