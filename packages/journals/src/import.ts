/** A thread out of the lines that `exportThread` wrote. */
import { type Batch, decodeBatch, type Head, isLoomError, type Journal, type LoomError, type LoomEvent } from '@loom-agent/kernel'
import { blobHash } from './chain.ts'
import { type ExportHeader, lineageOf } from './export-lineage.ts'
import { journalError } from './failure.ts'
import { eventsBetween, textOf } from './migrate-batches.ts'
import { createUnseal, transferFormat, type Unseal, versionOf } from './transfer-line.ts'

/** No thread is taken more often than this: a number beyond it is not one of ours. */
const epochLimit = 100_000

/** An import under way. */
interface Importing {
  readonly journal: Journal
  readonly unseal: Unseal
  /** For the next batch. */
  readonly blobs: Map<string, Uint8Array>
  /** Threads that are ours to remove when this fails. */
  readonly ours: string[]
  /** Undefined until a thread has begun. */
  header: ExportHeader | undefined
  /** The thread was here before, and is only compared. */
  isHere: boolean
  seq: number
  /** The thread that all is about, once it is whole. */
  ended: string | undefined
}

/**
 * Stores an exported thread, and answers its head. Refuses a damaged one, and one that is there already; whatever was stored of it is removed again.
 * What a fork was cut from is stored with it, unless it is there already and the part that the fork reads is the same.
 *
 * @example
 * await importThread(journal, readline.createInterface({ input: createReadStream('user-1.jsonl') }))
 */
export async function importThread(journal: Journal, lines: AsyncIterable<string> | Iterable<string>): Promise<Head> {
  const unseal = createUnseal()
  const importing: Importing = { journal, unseal, blobs: new Map(), ours: [], header: undefined, isHere: false, seq: 0, ended: undefined }
  try {
    for await (const line of lines) if (line !== '') await take(importing, line)
    if (importing.ended === undefined) throw unseal.broken('its end is missing')
    const head = (await journal.head(importing.ended)) as Head
    await lineageOf(journal, head)
    return head
  } catch (error) {
    // Forks first: what they read cannot be removed before them.
    for (const thread of importing.ours.toReversed()) await journal.remove(thread)
    throw error
  }
}

async function take(importing: Importing, sealed: string): Promise<void> {
  const { unseal, blobs, seq, header } = importing
  const { line, batch } = unseal.next(sealed)
  if (importing.ended !== undefined) throw unseal.broken('it goes on after its end')
  if (!header) return begin(importing, line.header)
  if (line.blob) {
    const bytes = Buffer.from(line.blob.base64, 'base64')
    if (blobHash(bytes) !== line.blob.digest) throw unseal.broken(`the blob ${line.blob.name} is not what it was`)
    blobs.set(line.blob.name, bytes)
  } else if (line.batch) await put(importing, header, { ...line.batch, line: batch })
  else if (line.end === seq && seq === header.seq) await end(importing, header)
  else throw unseal.broken(`it has ${seq} of ${header.seq} events`)
}

/** Takes the thread until its epoch is what it was: a driver of its past must stay one of the past. */
async function begin(importing: Importing, header: ExportHeader | undefined): Promise<void> {
  const { journal, unseal } = importing
  if (header && header.format !== transferFormat) {
    throw unseal.broken(`it has format ${header.format}, and this version of Loom knows ${transferFormat}`)
  }
  if (!header || !isHeader(header)) throw unseal.broken('it does not begin with a header')
  const { thread, epoch, past } = header
  const known = await journal.head(thread)
  importing.isHere = known !== undefined && past !== undefined && known.seq >= past.events
  if (known && !importing.isHere) throw inUse(thread)
  for (let seen = 0; seen < epoch && !importing.isHere; seen += 1) {
    const { kind } = await journal.acquire(thread, { worker: 'import', seen, force: true })
    if (kind === 'held') throw inUse(thread)
  }
  if (!importing.isHere) importing.ours.push(thread)
  importing.header = header
}

/** A thread is whole; what was taken along is followed by another. */
async function end(importing: Importing, { thread, epoch, seq, past }: ExportHeader): Promise<void> {
  const { journal, isHere } = importing
  if (!isHere) {
    await journal.release(thread, epoch)
    if ((await journal.head(thread))?.seq !== seq) throw showsForks(thread)
  }
  importing.header = undefined
  importing.seq = 0
  if (!past) importing.ended = thread
}

function isHeader({ thread, seq, epoch, summary, past }: ExportHeader): boolean {
  const isCount = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least
  const isPast = past === undefined || (typeof past?.of === 'string' && isCount(past.events, 1) && past.events <= seq)
  return isPast && typeof thread === 'string' && isCount(seq, 1) && isCount(epoch, 0) && epoch <= epochLimit && typeof summary?.status === 'string'
}

function otherPast(thread: string, seq: number): LoomError {
  const what = `The thread ${thread} in this journal is another one than the fork was cut from: they differ at ${thread}@${seq}.`
  return journalError('unusable', `${what} Import into another journal.`, { context: { thread, seq } })
}

function showsForks(thread: string): LoomError {
  const what = `${thread} is a fork, and this journal shows the past it shares as its own.`
  return journalError('unusable', `${what} Give the journal itself, not that of an agent.`, { context: { thread } })
}

function inUse(thread: string): LoomError {
  return journalError('unusable', `The thread ${thread} is in this journal already. Remove it first, or import into another.`, {
    context: { thread },
  })
}

async function put(importing: Importing, header: ExportHeader, batch: Pick<Batch, 'time' | 'run' | 'turn'> & { line: string }): Promise<void> {
  const { journal, unseal, seq, blobs, isHere, ours } = importing
  const { thread, seq: end, summary } = header
  const { time, run, turn, line } = batch
  const events = eventsOf(unseal, thread, { seq, line })
  const last = seq + events.length
  if (isHere) await compare(journal, header, events)
  else {
    // A thread is not to be driven before it is whole.
    const shown = last === end ? summary : ({ status: 'idle' } as const)
    const { kind } = await journal.append(thread, { id: `import.${last}`, expected: seq, time, run, turn, events, blobs, summary: shown })
    if (kind !== 'appended') {
      // It is not ours alone any more, and not ours to remove.
      ours.pop()
      throw inUse(thread)
    }
  }
  importing.seq = last
  blobs.clear()
}

/** A past that is here already must be the one that was exported, as far as the fork reads it. */
async function compare(journal: Journal, { thread, past }: ExportHeader, events: readonly LoomEvent[]): Promise<void> {
  const read = events.filter(({ seq }) => seq <= (past?.events ?? 0))
  const stored = eventsBetween(journal, thread, { first: read[0]?.seq ?? 1, last: read.at(-1)?.seq ?? 0 })
  for (const event of read) {
    const { value: known } = await stored.next()
    if (!known || textOf(known) !== textOf(event)) throw otherPast(thread, event.seq)
  }
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
