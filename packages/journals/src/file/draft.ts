/**
 * Plans operations on a thread: their results, and the lines to write before the results are given.
 *
 * GROUP-1. Operations are planned in the order in which they came, each on the state that those before it would leave.
 * GROUP-2. A refused operation writes no line, and does not affect the others of its group.
 */
import type { AcquireResult, AppendResult, Batch, Claim, Epoch, Seq, Summary } from '@loom-agent/kernel'
import { blobHash, chainStart } from '../storage/chain.ts'
import { mustFlush } from '../storage/flush.ts'
import { type AppendHead, epochAfter, judgeAppend, judgeClaim, passOf, type requireParent } from '../storage/judge-write.ts'
import { offloadBlobs } from '../storage/offload-blobs.ts'
import type { Folder } from './folder.ts'
import { blobBody, format, type Header, sealLine, withField } from './line.ts'
import { type BatchPlace, batchKey, headOfScan, type LinePlace, type Scan } from './scan.ts'

/** A batch as it will be stored: its writer may change its own objects from now on. */
export type EncodedBatch = Readonly<Pick<Batch, 'id' | 'incarnation' | 'expected' | 'epoch' | 'forkOf'>> &
  Readonly<{
    thread: string
    line: string
    events: number
    summary: string
    blobs: ReadonlyMap<string, Uint8Array>
    mustFlush: boolean
    pass: 1 | 2 | null
  }>

/** What a group is planned on. */
export interface DraftInput {
  readonly folder: Pick<Folder, 'mode' | 'now'>
  readonly scan: Scan
  readonly holder: string | undefined
  /** Whether everything that is in the file is durable. */
  readonly isDurable: boolean
  /** Returns the next position of the feed. */
  readonly nextPosition: () => number
}

/** The thread as the operations of a group would leave it, and the lines that change it. */
export interface Draft {
  readonly input: DraftInput
  header: Header | undefined
  seq: Seq
  epoch: Epoch
  holder: string | undefined
  summary: string
  changed: number
  chain: string
  readonly lines: string[]
  /** The bytes of the lines so far, each with its line break. */
  bytes: number
  /** The batches and blobs among the lines, and where they will be. */
  readonly batches: BatchPlace[]
  /** The hashes of the lines of the batches. */
  readonly hashes: string[]
  readonly ids: Map<string, Seq>
  readonly blobs: Map<string, LinePlace>
  mustFlush: boolean
  /** The worker that has acquired the thread in this group. */
  acquiredBy: string | undefined
  /** The fork that starts in this group. */
  fork: Parameters<typeof requireParent>[1] | undefined
}

/** A draft without a line. */
export function createDraft(input: DraftInput): Draft {
  const { header, seq, epoch, chain, summary, changed } = input.scan
  const lines = { lines: [], bytes: 0, batches: [], hashes: [], ids: new Map<string, Seq>(), blobs: new Map<string, LinePlace>() }
  const start = { header, seq, epoch, chain, changed, holder: input.holder, summary: JSON.stringify(summary) }
  return { input, ...start, ...lines, mustFlush: input.folder.mode === 'strict', acquiredBy: undefined, fork: undefined }
}

/** Encodes a batch. */
export function encode(thread: string, batch: Batch): EncodedBatch {
  const { id, incarnation, expected, epoch, events, forkOf } = batch
  const fork = forkOf && { thread: forkOf.thread, incarnation: forkOf.incarnation, seq: forkOf.seq }
  const encoded = { id, incarnation, expected, epoch, events: events.length, summary: JSON.stringify(batch.summary), mustFlush: mustFlush(events) }
  return { thread, pass: passOf(batch), ...encoded, ...offloadBlobs(batch), forkOf: fork }
}

/** Plans an append. */
export function planAppend(draft: Draft, batch: EncodedBatch): AppendResult {
  const { id, expected, events, forkOf } = batch
  const key = batchKey(id, expected)
  const refused = judgeAppend(verdictHead(draft), batch, () => draft.input.scan.index.ids.get(key) ?? draft.ids.get(key))
  if (refused) return refused
  draft.fork = forkOf && { ...batch, forkOf, isQuarantined: isQuarantined(batch.summary) }
  // A batch without events stores nothing.
  if (events === 0) return { kind: 'appended', seq: expected }
  addPreamble(draft, batch)
  draft.mustFlush ||= batch.mustFlush
  for (const [name, bytes] of batch.blobs) addBlob(draft, name, bytes)
  const changed = batch.summary === draft.summary ? draft.changed : draft.input.folder.now()
  Object.assign(draft, { seq: expected + events, summary: batch.summary, changed })
  const place = addLine(draft, withField(batch.line, 'feed', String(draft.input.nextPosition())))
  draft.batches.push({ ...place, first: expected + 1 })
  draft.hashes.push(draft.chain)
  draft.ids.set(key, draft.seq)
  return { kind: 'appended', seq: draft.seq }
}

/** The thread as the verdict on an operation needs it. */
function verdictHead({ header, seq, epoch, holder, summary }: Draft): AppendHead {
  return header && { incarnation: header.incarnation, seq, epoch, holder, isPartial: isPartial(summary), isQuarantined: isQuarantined(summary) }
}

/** Whether a summary in JSON has the status `partial`. It is parsed only where that can be: this is asked at every append. */
const isPartial = (summary: string): boolean => summary.includes('"partial"') && (JSON.parse(summary) as Summary).status === 'partial'

/** Whether a summary in JSON is that of a thread that is quarantined. */
const isQuarantined = (summary: string): boolean => summary.includes('"quarantined"') && (JSON.parse(summary) as Summary).quarantined === true

/** Adds the line of a blob, unless the thread has it: a blob that is named by its hash cannot be another one. */
function addBlob(draft: Draft, name: string, bytes: Uint8Array): void {
  const isKnown = draft.input.scan.index.blobs.has(name) || draft.blobs.has(name)
  if (!isKnown || blobHash(bytes) !== name) draft.blobs.set(name, addLine(draft, blobBody(name, bytes)))
}

/** Plans a claim. */
export function planAcquire(draft: Draft, claim: Claim & { readonly thread: string }): AcquireResult {
  const { thread, worker, incarnation, seen } = claim
  const refused = judgeClaim(verdictHead(draft), claim)
  if (refused) return refused
  addPreamble(draft, { thread, incarnation })
  // No epoch is given twice, also after a power failure: otherwise its earlier holder would not be fenced.
  Object.assign(draft, { holder: worker, acquiredBy: worker, mustFlush: true, epoch: epochAfter(claim) })
  const now = draft.input.folder.now()
  addLine(draft, JSON.stringify({ acquired: { epoch: draft.epoch, worker, time: now } }))
  const stored = headOfScan({ ...draft, summary: JSON.parse(draft.summary) as Summary })
  const head = stored && { ...stored, holder: worker, times: { ...stored.times, now } }
  return head ? { kind: 'acquired', epoch: draft.epoch, head } : { kind: 'fenced', epoch: seen }
}

/** Adds the line that must come before others: a header if there is none or it says something else, or the mode if it has changed. */
function addPreamble(draft: Draft, { thread, incarnation, forkOf }: Pick<Header, 'thread' | 'incarnation' | 'forkOf'>): void {
  const { header, input } = draft
  const { mode, now } = input.folder
  const isOther = header?.incarnation !== incarnation || JSON.stringify(header.forkOf) !== JSON.stringify(forkOf)
  if (draft.seq === 0 && isOther) {
    draft.chain = header ? draft.chain : chainStart(thread)
    draft.header = { loom: 'thread', format, thread, incarnation, ...(forkOf && { forkOf }), mode, time: now() }
    seal(draft, JSON.stringify(draft.header))
  } else if (draft.lines.length === 0 && input.scan.mode !== mode) {
    addLine(draft, JSON.stringify({ mode, time: now() }))
  }
}

/** Adds a line with the summary, and when it changed, to the draft; returns where it will be. */
const addLine = (draft: Draft, body: string): LinePlace =>
  seal(draft, withField(withField(body, 'changed', String(draft.changed)), 'summary', draft.summary))

function seal(draft: Draft, body: string): LinePlace {
  const { isDurable, scan } = draft.input
  const joined = !isDurable || draft.lines.length > 0
  const { line, hash } = sealLine(draft.chain, body, { seq: draft.seq, epoch: draft.epoch, joined })
  const offset = scan.size + draft.bytes
  const length = Buffer.byteLength(line)
  draft.lines.push(line)
  draft.bytes += length + 1
  draft.chain = hash
  return { offset, end: offset + length }
}

/** Adds what was written to the scan. */
export function advance(draft: Draft): void {
  const { scan, folder } = draft.input
  const { header, seq, epoch, chain, summary, changed, lines, bytes } = draft
  scan.index.batches.push(...draft.batches)
  for (const [key, last] of draft.ids) scan.index.ids.set(key, last)
  for (const [name, place] of draft.blobs) scan.index.blobs.set(name, place)
  const summarized = JSON.parse(summary) as Summary
  Object.assign(scan, {
    header,
    mode: folder.mode,
    seq,
    epoch,
    chain,
    size: scan.size + bytes,
    lines: scan.lines + lines.length,
    summary: summarized,
    changed,
  })
}
