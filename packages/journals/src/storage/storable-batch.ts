/** A batch as databases store it: its writer may change its own objects from now on. */
import type { Batch } from '@loom-agent/kernel'
import { passOf } from './judge-write.ts'
import { offloadBlobs } from './offload-blobs.ts'
import { type SummaryColumns, summaryColumns } from './thread-columns.ts'

/** A batch that is ready to be stored. */
export interface StorableBatch extends Pick<Batch, 'incarnation' | 'expected' | 'forkOf'> {
  readonly thread: string
  /** Escaped as in JSON: half a surrogate pair would not survive as text. */
  readonly id: string
  readonly epoch: number | null
  /** What lets it into a thread that is quarantined. */
  readonly pass: 1 | 2 | null
  readonly count: number
  /** The line that the hash covers. */
  readonly whole: string
  /** The line without its id, which has a column of its own. */
  readonly line: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
  readonly summary: SummaryColumns
  /** About how many bytes of values it has. */
  readonly bytes: number
}

/** Prepares a batch for storing. */
export function storable(thread: string, batch: Batch): StorableBatch {
  const { incarnation, expected, epoch = null, forkOf, events, summary } = batch
  const { line: whole, blobs } = offloadBlobs(batch)
  let bytes = whole.length
  for (const { length } of blobs.values()) bytes += length
  const id = JSON.stringify(batch.id)
  const stored = { whole, line: whole.slice('{"id":,'.length + id.length), blobs, summary: summaryColumns(summary), bytes }
  return { thread, id: id.slice(1, -1), incarnation, expected, epoch, pass: passOf(batch), forkOf, count: events.length, ...stored }
}
