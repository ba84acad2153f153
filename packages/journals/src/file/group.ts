/**
 * Plans a group of operations on one thread: their results, and the lines to write before the results are given.
 *
 * GROUP-1. Operations are planned in the order in which they came, each on the state that those before it would leave.
 * GROUP-2. A refused operation writes no line, and does not affect the others of its group.
 */
import type { AcquireResult, AppendResult, Batch, Claim, Epoch, ForkOf, Seq, Summary } from '@loom-agent/kernel'
import { blobHash, chainStart } from '../storage/chain.ts'
import { blobBody, type FileMode, format, type Header, sealLine, withField } from './line.ts'
import { type BatchPlace, headOfScan, type LinePlace, type Scan } from './scan.ts'

/** A batch as it will be stored: its writer may change its own objects from now on. */
export type EncodedBatch = Readonly<Pick<Batch, 'id' | 'incarnation' | 'expected' | 'epoch' | 'forkOf'>> &
  Readonly<{ line: string; events: number; summary: string; blobs: ReadonlyMap<string, Uint8Array>; mustFlush: boolean }>

/** Something to be written to a thread, and the function that gets the result. */
export type Operation =
  | Readonly<{ kind: 'append'; batch: EncodedBatch; resolve: (result: AppendResult) => void }>
  | Readonly<{ kind: 'acquire'; claim: Claim; resolve: (result: AcquireResult) => void }>

/** The state that a group is planned on. `feed` is the position of its first batch. */
export interface GroupInput {
  readonly thread: string
  readonly scan: Scan
  readonly holder: string | undefined
  readonly mode: FileMode
  readonly now: () => number
  /** Whether everything that is in the file is durable. */
  readonly isDurable: boolean
  readonly feed: number
}

/** The thread as the operations of the group would leave it. */
interface Draft {
  header: Header | undefined
  seq: Seq
  epoch: Epoch
  holder: string | undefined
  summary: string
  chain: string
  readonly lines: string[]
  /** The bytes of the lines so far, each with its line break. */
  bytes: number
  /** The batches and blobs among the lines, and where they will be. */
  readonly batches: Readonly<{ id: string; place: BatchPlace; last: Seq }>[]
  readonly blobs: Map<string, LinePlace>
  feed: number
  mustFlush: boolean
  /** The worker that has acquired the thread in this group. */
  acquiredBy: string | undefined
  /** Where a fork that starts in this group was cut. */
  forkOf: ForkOf | undefined
}

/** The plan of a group: what to write, and the results to give when that is done. */
export type Plan = Readonly<Draft> & { readonly settle: readonly (() => void)[] }

/** Plans a group. */
export function planGroup(input: GroupInput, operations: readonly Operation[]): Plan {
  const { scan, holder, feed } = input
  const { header, seq, epoch, chain } = scan
  const lines = { lines: [], bytes: 0, batches: [], blobs: new Map<string, LinePlace>() }
  const draft: Draft = {
    ...{ header, seq, epoch, holder, chain, feed, summary: JSON.stringify(scan.summary) },
    ...{ ...lines, mustFlush: input.mode === 'strict', acquiredBy: undefined, forkOf: undefined },
  }
  const settle = operations.map((operation) => planOne(input, draft, operation))
  return { ...draft, settle }
}

function planOne(input: GroupInput, draft: Draft, operation: Operation): () => void {
  if (operation.kind === 'append') {
    const result = append(input, draft, operation.batch)
    return () => operation.resolve(result)
  }
  const result = acquire(input, draft, operation.claim)
  return () => operation.resolve(result)
}

function append(input: GroupInput, draft: Draft, batch: EncodedBatch): AppendResult {
  const refused = refusal(input, draft, batch)
  if (refused) return refused
  const { incarnation, forkOf } = batch
  const first = batch.expected + 1
  const last = batch.expected + batch.events
  addPreamble(input, draft, { incarnation, forkOf })
  draft.forkOf = forkOf
  draft.mustFlush ||= batch.mustFlush
  for (const [name, bytes] of batch.blobs) addBlob(input, draft, { name, bytes })
  Object.assign(draft, { seq: last, summary: batch.summary })
  const place = seal(input, draft, withField(withField(batch.line, 'feed', String(draft.feed)), 'summary', draft.summary))
  draft.feed += 1
  draft.batches.push({ id: batch.id, place: { ...place, first }, last })
  return { kind: 'appended', seq: last }
}

/** Why a batch is not stored, or that it is stored already (JOURNAL-1 to 3, and 6). */
function refusal({ scan }: GroupInput, draft: Draft, batch: EncodedBatch): AppendResult | undefined {
  const { seq, epoch, header } = draft
  const isSame = header?.incarnation === batch.incarnation
  const known = scan.index.ids.get(batch.id) ?? draft.batches.find(({ id }) => id === batch.id)?.last
  if (known !== undefined && isSame) return { kind: 'appended', seq: known }
  const isStart = batch.expected === 0 || batch.forkOf !== undefined
  if (seq > 0 && (!isSame || batch.forkOf)) return isStart ? { kind: 'conflict', seq } : { kind: 'fenced', epoch }
  if (batch.epoch !== undefined && batch.epoch !== epoch) return { kind: 'fenced', epoch }
  const start = seq === 0 ? (batch.forkOf?.seq ?? 0) : seq
  return batch.expected === start ? undefined : { kind: 'conflict', seq }
}

/** Adds the line of a blob, unless the thread has it: a blob that is named by its hash cannot be another one. */
function addBlob(input: GroupInput, draft: Draft, { name, bytes }: { name: string; bytes: Uint8Array }): void {
  const isKnown = input.scan.index.blobs.has(name) || draft.blobs.has(name)
  if (isKnown && blobHash(bytes) === name) return
  draft.blobs.set(name, seal(input, draft, withField(blobBody(name, Buffer.from(bytes).toString('base64')), 'summary', draft.summary)))
}

function acquire(input: GroupInput, draft: Draft, { worker, incarnation, seen, force }: Claim): AcquireResult {
  const { epoch, holder, seq } = draft
  if (seq + epoch > 0 && draft.header?.incarnation !== incarnation) return { kind: 'fenced', epoch }
  if ((holder !== undefined && !force) || epoch !== seen) return { kind: 'held', epoch, holder }
  addPreamble(input, draft, { incarnation })
  // No epoch is given twice, also after a power failure: otherwise its earlier holder would not be fenced.
  Object.assign(draft, { holder: worker, acquiredBy: worker, mustFlush: true, epoch: epoch + 1 })
  seal(input, draft, withField(JSON.stringify({ acquired: { epoch: draft.epoch, worker, time: input.now() } }), 'summary', draft.summary))
  const head = headOfScan({ ...draft, summary: JSON.parse(draft.summary) as Summary })
  return head ? { kind: 'acquired', epoch: draft.epoch, head: { ...head, holder: worker } } : { kind: 'fenced', epoch }
}

/** Adds the line that must come before others: a header if there is none or it says something else, or the mode if it has changed. */
function addPreamble(input: GroupInput, draft: Draft, { incarnation, forkOf }: Pick<Header, 'incarnation' | 'forkOf'>): void {
  const { thread, scan, mode, now } = input
  const { header } = draft
  const isOther = header?.incarnation !== incarnation || JSON.stringify(header.forkOf) !== JSON.stringify(forkOf)
  if (draft.seq === 0 && isOther) {
    draft.chain = header ? draft.chain : chainStart(thread)
    draft.header = { loom: 'thread', format, thread, incarnation, ...(forkOf && { forkOf }), mode, time: now() }
    seal(input, draft, JSON.stringify(draft.header))
  } else if (draft.lines.length === 0 && scan.mode !== mode) {
    seal(input, draft, withField(JSON.stringify({ mode, time: now() }), 'summary', draft.summary))
  }
}

/** Adds a line to the draft; returns where it will be. */
function seal({ isDurable, scan }: GroupInput, draft: Draft, body: string): LinePlace {
  const joined = !isDurable || draft.lines.length > 0
  const { line, hash } = sealLine(draft.chain, body, { seq: draft.seq, epoch: draft.epoch, joined })
  const offset = scan.size + draft.bytes
  const length = Buffer.byteLength(line)
  draft.lines.push(line)
  draft.bytes += length + 1
  draft.chain = hash
  return { offset, end: offset + length }
}
