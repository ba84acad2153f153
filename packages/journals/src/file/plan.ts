/**
 * What a group of operations on one thread comes to: their answers, and the lines that make them true.
 *
 * FILE-18. Operations are judged in the order in which they came, each on what those before it in the group would leave behind.
 * FILE-19. A refused operation leaves no line, and the others of its group do not notice.
 */
import type { AcquireResult, AppendResult, Batch, Epoch, Seq } from '@loom-agent/kernel'
import { chainStart } from '../chain.ts'
import { type FileMode, format, type Header, sealLine } from './line.ts'
import type { BatchPlace, Scan } from './scan.ts'

/** A batch as it will be stored; what the writer does with its objects after the call changes nothing. */
export type EncodedBatch = Readonly<Pick<Batch, 'id' | 'expected' | 'epoch'>> &
  Readonly<{ line: string; events: number; summary: string; blobs: ReadonlyMap<string, Uint8Array>; mustFlush: boolean }>

/** Something to be written to a thread, and how to answer whoever asked for it. */
export type Operation =
  | Readonly<{ kind: 'append'; batch: EncodedBatch; answer: (result: AppendResult) => void }>
  | Readonly<{ kind: 'acquire'; claim: Claim; answer: (result: AcquireResult) => void }>
type Claim = Readonly<{ worker: string; seen: Epoch; force?: boolean }>

/** Where a thread stands while a group is judged. */
interface Draft {
  seq: Seq
  epoch: Epoch
  holder: string | undefined
  summary: string
  chain: string
  readonly lines: string[]
  /** The bytes of the lines so far, each with its line break. */
  bytes: number
  /** The batches among the lines, and where they will be. */
  readonly batches: Readonly<{ id: string; place: BatchPlace; last: Seq }>[]
  readonly blobs: Map<string, Uint8Array>
  mustFlush: boolean
  /** Who has taken the thread in this group. */
  taker: string | undefined
}

/** The outcome of a group: what is to be written, and what to say when it is. */
export type Plan = Readonly<Draft> & { readonly answers: readonly (() => void)[] }

/** What a group is judged on. */
export interface Stand {
  readonly thread: string
  readonly scan: Scan
  readonly holder: string | undefined
  readonly mode: FileMode
  readonly now: () => number
  /** Whether everything that is in the file is durable. */
  readonly isDurable: boolean
}

/** Judges a group. */
export function planGroup(stand: Stand, operations: readonly Operation[]): Plan {
  const { scan, holder } = stand
  const { seq, epoch, chain } = scan
  const fresh = { lines: [], bytes: 0, batches: [], blobs: new Map<string, Uint8Array>(), mustFlush: stand.mode === 'strict', taker: undefined }
  const draft: Draft = { seq, epoch, holder, summary: JSON.stringify(scan.summary), chain, ...fresh }
  const answers = operations.map((operation) => judge(stand, draft, operation))
  return { ...draft, answers }
}

function judge(stand: Stand, draft: Draft, operation: Operation): () => void {
  if (operation.kind === 'append') {
    const result = append(stand, draft, operation.batch)
    return () => operation.answer(result)
  }
  const result = acquire(stand, draft, operation.claim)
  return () => operation.answer(result)
}

function append(stand: Stand, draft: Draft, batch: EncodedBatch): AppendResult {
  const known = stand.scan.index.ids.get(batch.id) ?? draft.batches.find(({ id }) => id === batch.id)?.last
  if (known !== undefined) return { kind: 'appended', seq: known }
  if (batch.epoch !== undefined && batch.epoch !== draft.epoch) return { kind: 'fenced', epoch: draft.epoch }
  if (batch.expected !== draft.seq) return { kind: 'conflict', seq: draft.seq }
  const first = draft.seq + 1
  const last = draft.seq + batch.events
  draft.mustFlush ||= batch.mustFlush
  for (const [key, bytes] of batch.blobs) draft.blobs.set(key, bytes)
  const line = write(stand, draft, { body: batch.line, seq: last, epoch: draft.epoch, summary: batch.summary })
  draft.batches.push({ id: batch.id, place: { first, offset: stand.scan.size + draft.bytes - line }, last })
  return { kind: 'appended', seq: last }
}

function acquire(stand: Stand, draft: Draft, { worker, seen, force }: Claim): AcquireResult {
  const { epoch, holder, seq, summary } = draft
  if ((holder !== undefined && !force) || epoch !== seen) return { kind: 'held', epoch, holder }
  const body = JSON.stringify({ acquired: { epoch: epoch + 1, worker, time: stand.now() } })
  draft.holder = worker
  draft.taker = worker
  // An epoch that was given is never given again, also after a power failure: that is what fences whoever had it.
  draft.mustFlush = true
  write(stand, draft, { body, seq, epoch: epoch + 1, summary })
  return { kind: 'acquired', epoch: epoch + 1, holder: worker }
}

/** Adds a line after which the thread stands there; before the first one, what must be said of the file. Answers how long the line is. */
function write(stand: Stand, draft: Draft, { body, ...there }: Pick<Draft, 'seq' | 'epoch' | 'summary'> & { body: string }): number {
  const { thread, scan, mode, now } = stand
  if (draft.lines.length === 0 && !scan.header) {
    draft.chain = chainStart(thread)
    seal(stand, draft, JSON.stringify({ loom: 'thread', format, thread, mode, time: now() } satisfies Header))
  } else if (draft.lines.length === 0 && scan.mode !== mode) {
    seal(stand, draft, withSummary(JSON.stringify({ mode, time: now() }), draft.summary))
  }
  Object.assign(draft, there)
  return seal(stand, draft, withSummary(body, there.summary))
}

function seal({ isDurable }: Stand, draft: Draft, body: string): number {
  const joined = !isDurable || draft.lines.length > 0
  const { line, hash } = sealLine(draft.chain, body, { seq: draft.seq, epoch: draft.epoch, joined })
  const length = Buffer.byteLength(line) + 1
  draft.lines.push(line)
  draft.bytes += length
  draft.chain = hash
  return length
}

const withSummary = (body: string, summary: string): string => `${body.slice(0, -1)},"summary":${summary}}`
