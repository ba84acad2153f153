/** A thread out of the lines that `exportThread` wrote. */
import { type Batch, decodeBatch, type Head, isLoomError, type Journal, type LoomError, type LoomEvent } from '@loom-agent/kernel'
import { blobHash } from './chain.ts'
import { journalError } from './failure.ts'
import { createUnseal, type TransferHeader, transferFormat, type Unseal, versionOf } from './transfer-line.ts'

/** No thread is taken more often than this: a number beyond it is not one of ours. */
const epochLimit = 100_000

/** An import under way. */
interface Importing {
  readonly journal: Journal
  readonly unseal: Unseal
  /** For the next batch. */
  readonly blobs: Map<string, Uint8Array>
  /** Undefined until the thread is ours. */
  header: TransferHeader | undefined
  seq: number
  ended: boolean
}

/**
 * Stores an exported thread, and answers its head. Refuses a damaged one, and one that is there already; whatever was stored of it is removed again.
 *
 * @example
 * await importThread(journal, readline.createInterface({ input: createReadStream('user-1.jsonl') }))
 */
export async function importThread(journal: Journal, lines: AsyncIterable<string> | Iterable<string>): Promise<Head> {
  const importing: Importing = { journal, unseal: createUnseal(), blobs: new Map(), header: undefined, seq: 0, ended: false }
  try {
    for await (const line of lines) if (line !== '') await take(importing, line)
    if (!importing.ended || !importing.header) throw importing.unseal.broken('its end is missing')
    const { thread, epoch } = importing.header
    await journal.release(thread, epoch)
    return (await journal.head(thread)) as Head
  } catch (error) {
    if (importing.header) await journal.remove(importing.header.thread)
    throw error
  }
}

async function take(importing: Importing, sealed: string): Promise<void> {
  const { unseal, blobs, seq, header } = importing
  const { line, batch } = unseal.next(sealed)
  if (importing.ended) throw unseal.broken('it goes on after its end')
  if (!header) return begin(importing, line.header)
  if (line.blob) {
    const bytes = Buffer.from(line.blob.base64, 'base64')
    if (blobHash(bytes) !== line.blob.digest) throw unseal.broken(`the blob ${line.blob.name} is not what it was`)
    blobs.set(line.blob.name, bytes)
  } else if (line.batch) await put(importing, header, { ...line.batch, line: batch })
  else if (line.end === seq && seq === header.seq) importing.ended = true
  else throw unseal.broken(`it has ${seq} of ${header.seq} events`)
}

/** Takes the thread until its epoch is what it was: a driver of its past must stay one of the past. */
async function begin(importing: Importing, header: TransferHeader | undefined): Promise<void> {
  const { journal, unseal } = importing
  if (header && header.format !== transferFormat) {
    throw unseal.broken(`it has format ${header.format}, and this version of Loom knows ${transferFormat}`)
  }
  if (!header || !isHeader(header)) throw unseal.broken('it does not begin with a header')
  const { thread, epoch } = header
  if (await journal.head(thread)) throw inUse(thread)
  for (let seen = 0; seen < epoch; seen += 1) {
    const { kind } = await journal.acquire(thread, { worker: 'import', seen, force: true })
    if (kind === 'held') throw inUse(thread)
  }
  importing.header = header
}

function isHeader({ thread, seq, epoch, summary }: TransferHeader): boolean {
  const isCount = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least
  return typeof thread === 'string' && isCount(seq, 1) && isCount(epoch, 0) && epoch <= epochLimit && typeof summary?.status === 'string'
}

function inUse(thread: string): LoomError {
  return journalError('unusable', `The thread ${thread} is in this journal already. Remove it first, or import into another.`, {
    context: { thread },
  })
}

async function put(importing: Importing, header: TransferHeader, batch: Pick<Batch, 'time' | 'run' | 'turn'> & { line: string }): Promise<void> {
  const { journal, unseal, seq, blobs } = importing
  const { thread, seq: end, summary } = header
  const { time, run, turn, line } = batch
  const events = eventsOf(unseal, thread, { seq, line })
  const last = seq + events.length
  // A thread is not to be driven before it is whole.
  const shown = last === end ? summary : ({ status: 'idle' } as const)
  const { kind } = await journal.append(thread, { id: `import.${last}`, expected: seq, time, run, turn, events, blobs, summary: shown })
  if (kind !== 'appended') {
    // It is not ours alone any more, and not ours to remove.
    importing.header = undefined
    throw inUse(thread)
  }
  importing.seq = last
  blobs.clear()
}

function eventsOf(unseal: Unseal, thread: string, { seq, line }: { seq: number; line: string }): readonly LoomEvent[] {
  try {
    const events = decodeBatch(thread, seq + 1, line)
    const foreign = events.find(({ type, v }) => v !== versionOf(type))
    if (foreign) throw unseal.broken(`the event ${foreign.seq} has version ${foreign.v} of ${foreign.type}, which this version of Loom does not know`)
    return events
  } catch (error) {
    throw isLoomError(error) ? error : unseal.broken('a batch is none')
  }
}
