/** Reads a batch as a database stored it, and checks it against the chain of its thread. */
import { decodeBatch, type ForkOf, type LoomError, type LoomEvent } from '@loom-agent/kernel'
import { blobHash, chainLink, type Link } from './chain.ts'
import { damage } from './failure.ts'
import { restoreTexts } from './offload-blobs.ts'
import { hexOf } from './thread-columns.ts'

/** A row of the table of batches: `line` is without the id. */
type BatchRow = Readonly<Record<string, unknown>>

/** What a batch is checked against. */
export interface ChainPlace {
  readonly thread: string
  /** The end of the chain before the batch. */
  readonly link: Link
  /** What the thread table says of the end of the thread. */
  readonly head: Link
  /** The text that is stored beside the batches under this hash. */
  bytesOf(hash: string): Uint8Array | undefined
}

/** The events of a batch, with its big texts, and the end of the chain after it. */
export interface CheckedBatch {
  readonly events: readonly LoomEvent[]
  readonly link: Link
  readonly bytes: number
}

/** The line of a batch, as its hash covers it. */
export const wholeLine = ({ id, line }: BatchRow): string => `{"id":"${id}",${line}`

/** The damage of a fork whose own events begin before its cut. */
export function wrongCut(thread: string, { thread: parent, seq }: ForkOf, last: number): LoomError {
  return damage(thread, last, `it is a fork of ${parent}@${seq}, and one of its own batches ends at seq ${last}`)
}

/** Checks a batch. Throws when it does not fit its chain. */
export function checkedBatch(row: BatchRow, { thread, link, head, bytesOf }: ChainPlace): CheckedBatch {
  const broken = (what: string): LoomError => damage(thread, link.seq + 1, what)
  const last = Number(row['last'])
  const whole = wholeLine(row)
  const hash = chainLink(link.hash, whole)
  if (hash !== hexOf(row['hash'])) throw broken('a batch does not fit its hash')
  if (last === head.seq && hash !== head.hash) throw broken('the last batch is not the one that was appended')
  if (link.seq < head.seq && last > head.seq) throw broken(`no batch ends at seq ${head.seq}, where the thread was`)
  const text = restoreTexts(whole, (name) => {
    const bytes = bytesOf(name)
    if (bytes === undefined || blobHash(bytes) !== name) throw broken(`the blob ${name} is missing`)
    return bytes
  })
  const events = decodeBatch(thread, link.seq + 1, text)
  if (last !== link.seq + events.length) throw broken(`a batch of ${events.length} events ends at seq ${last}`)
  return { events, link: { seq: last, hash }, bytes: text.length }
}
