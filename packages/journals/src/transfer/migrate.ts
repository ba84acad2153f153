/**
 * Threads from one journal to another, whichever they are.
 *
 * MIGRATE-1. Nothing is believed: what both journals hold is read back and compared by digest, also what an earlier migration has copied.
 * MIGRATE-2. A thread of the target is written to only if it has the incarnation of the source's and is its beginning.
 * MIGRATE-3. A copy is not to be driven before it is whole: its summary comes with its last event.
 * MIGRATE-4. The epoch of a copy is not below the source's: an earlier driver of the thread is fenced in the target.
 */
import { canonicalJson, type Head, type Journal, LoomError, type LoomEvent, type Summary } from '@loom-agent/kernel'
import { blobsIn } from '../storage/blob-refs.ts'
import { blobHash, chainLink, chainStart } from '../storage/chain.ts'
import { damage, journalError } from '../storage/failure.ts'
import { batchesIn, eventsBetween, textOf } from './migrate-batches.ts'
import { selected } from './migrate-selection.ts'

/** What is migrated, and how its progress is reported. */
export interface MigrateOptions {
  /** The threads to copy, by id or by a look at their heads; default: all. Their children, and the threads they were forked from, come along. */
  readonly threads?: readonly string[] | ((head: Head) => boolean)
  /** Also copies the end of threads that somebody holds, and fences the holder in the target. Right when the holder is gone and nobody noticed. */
  readonly force?: boolean
  /** Called after every batch. */
  readonly onProgress?: (progress: MigrateProgress) => void
  /** Ends the migration after the batch under way; another one goes on from there. */
  readonly signal?: AbortSignal
}

/** How far a migration is: reported after every batch. */
export interface MigrateProgress extends Tally {
  /** The thread that is being copied. */
  readonly thread: string
  /** What of the thread is copied, and what there is. */
  readonly seq: number
  /** The last seq of the thread. */
  readonly of: number
}

interface Tally {
  /** Threads that were copied, or copied on. */
  readonly threads: number
  readonly events: number
  /** Bytes of events and blobs. */
  readonly bytes: number
  /** Threads that were there already, and are the same. */
  readonly skipped: number
}

/** What a migration has done. */
export interface MigrateReport extends Tally {
  /** Up to where threads were copied that somebody drives, and forks of their last moment: `thread@seq`. Migrate again when they rest. */
  readonly driven: readonly string[]
}

type Counts = { -readonly [K in keyof Tally]: Tally[K] }

interface Migration {
  readonly from: Journal
  readonly to: Journal
  readonly options: MigrateOptions
  readonly counts: Counts
}

/** One thread on its way, and the blobs that it has named so far. */
interface Copy extends Migration {
  readonly thread: string
  readonly named: Set<string>
}

/** Who holds a thread of the target while it is written. */
const worker = 'migrate'
/** A thread that grows faster than it is copied is looked at this often before it is left as it is. */
const rounds = 10

/**
 * Copies threads with their blobs, epochs, summaries and labels, and verifies the copies. Interrupted anywhere, it is run again and goes on.
 *
 * @example
 * const { threads, driven } = await migrate(file('threads'), sqlite('loom.db'))
 */
export async function migrate(from: Journal, to: Journal, options: MigrateOptions = {}): Promise<MigrateReport> {
  if (from === to) throw journalError('unusable', 'A journal cannot be migrated to itself. Give another one.')
  const counts: Counts = { threads: 0, events: 0, bytes: 0, skipped: 0 }
  const driven: string[] = []
  for await (const thread of selected(from, options.threads)) {
    const left = await copyThread({ from, to, options, counts, thread, named: new Set() })
    if (left !== undefined) driven.push(`${thread}@${left}`)
  }
  return { ...counts, driven }
}

/** Copies a thread to its end; returns up to where when somebody drives it. */
async function copyThread(copy: Copy): Promise<number | undefined> {
  const { from, thread, counts, options } = copy
  let head = await from.head(thread)
  if (!head && isNamed(copy)) throw journalError('unusable', `There is no thread ${thread} in the source to migrate.`, { context: { thread } })
  if (!head) return undefined
  const before = counts.events
  let seq = await copiedSeq(copy, head)
  if (await lacksParent(copy, head)) return seq
  for (let round = 0; round < rounds && seq < endOf(head, options); round += 1) {
    seq = await copyTo(copy, head, seq)
    head = (await from.head(thread)) ?? head
  }
  if (counts.events > before) counts.threads += 1
  const isWhole = seq === head.seq && (head.holder === undefined || options.force === true)
  if (!isWhole) return seq
  if (counts.events === before) counts.skipped += 1
  await raiseEpoch(copy, head)
  await checkSummary(copy, head.summary)
  return undefined
}

/** How far the target has a thread already; throws if that is not the beginning of the source's (MIGRATE-2). */
async function copiedSeq(copy: Copy, head: Head): Promise<number> {
  const { to, thread } = copy
  const known = await to.head(thread)
  if (known?.holder !== undefined && known.holder !== worker) throw busy(thread, known.holder)
  if (known && known.incarnation !== head.incarnation) throw different(thread, 1, 'another thread begins')
  const start = head.forkOf?.seq ?? 0
  const seq = known?.seq || start
  if (seq > head.seq) throw different(thread, head.seq + 1, 'the target goes on')
  await compare(copy, { first: start + 1, last: seq, refuse: (at) => different(thread, at, 'they hold different events') })
  return seq
}

/** Whether the moment a fork was cut at is not copied yet, because somebody drives the parent. */
async function lacksParent({ to }: Copy, { forkOf }: Head): Promise<boolean> {
  return forkOf !== undefined && ((await to.head(forkOf.thread))?.seq ?? 0) < forkOf.seq
}

/** The last event that may be copied now. A thread that somebody holds is not made whole: two drivers would have it. */
const endOf = ({ seq, holder }: Head, { force = false }: MigrateOptions): number => (holder === undefined || force ? seq : seq - 1)

/** A thread that was only listed may be removed meanwhile. */
const isNamed = ({ options, thread }: Copy): boolean => typeof options.threads === 'object' && options.threads.includes(thread)

/** Copies what is missing up to a head, and reads it back; returns how far the target is. */
async function copyTo(copy: Copy, head: Head, start: number): Promise<number> {
  const { from, to, thread, options, counts } = copy
  await raiseEpoch(copy, head)
  const end = endOf(head, options)
  let seq = start
  for await (const batch of batchesIn(eventsBetween(from, thread, { first: seq + 1, last: end }))) {
    const last = seq + batch.events.length
    const blobs = await blobsOf(copy, batch.events)
    const summary: Summary = last === head.seq ? head.summary : { status: 'idle', labels: head.summary.labels }
    const { incarnation, forkOf } = head
    const begins = forkOf && seq === forkOf.seq ? { forkOf } : {}
    const result = await to.append(thread, { ...batch, id: `migrate.${last}`, incarnation, expected: seq, blobs, summary, ...begins })
    if (result.kind !== 'appended' || result.seq !== last) throw busy(thread, 'somebody who writes to it')
    for (const event of batch.events) counts.bytes += JSON.stringify(event.data).length
    for (const bytes of blobs.values()) counts.bytes += bytes.length
    counts.events += batch.events.length
    seq = last
    options.onProgress?.({ ...counts, thread, seq, of: head.seq })
    if (options.signal?.aborted) throw new LoomError('LOOM_ABORTED', `The migration was ended at ${thread}@${seq}. Migrate again to go on.`)
  }
  copy.named.clear()
  await compare(copy, { first: start + 1, last: seq, refuse: (at) => damage(thread, at, 'the target does not hold what was copied') })
  return seq
}

/** The blobs that these events are the first to name. One that the source has lost is lost in the copy too. */
async function blobsOf({ from, named }: Copy, events: readonly LoomEvent[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>()
  for (const name of events.flatMap(({ data }) => blobsIn(data))) {
    const bytes = named.has(name) ? undefined : await from.blob(name)
    named.add(name)
    if (bytes) blobs.set(name, bytes)
  }
  return blobs
}

interface Compared {
  readonly first: number
  readonly last: number
  readonly refuse: (seq: number) => LoomError
}

/** Reads both journals side by side; throws at the first event after which their digests differ. */
async function compare({ from, to, thread, named }: Copy, { first, last, refuse }: Compared): Promise<void> {
  const theirs = eventsBetween(to, thread, { first, last })
  let digests = [chainStart(thread), chainStart(thread)] as const
  for await (const event of eventsBetween(from, thread, { first, last })) {
    const { value: copied } = await theirs.next()
    if (!copied) throw refuse(event.seq)
    digests = [chainLink(digests[0], textOf(event)), chainLink(digests[1], textOf(copied))]
    for (const name of blobsIn(event.data)) {
      if (named.has(name)) continue
      named.add(name)
      digests = [chainLink(digests[0], await blobDigest(from, name)), chainLink(digests[1], await blobDigest(to, name))]
    }
    if (digests[0] !== digests[1]) throw refuse(event.seq)
  }
}

async function blobDigest(journal: Journal, name: string): Promise<string> {
  const bytes = await journal.blob(name)
  return bytes ? blobHash(bytes) : 'missing'
}

/** Takes the thread of the target until its epoch is the source's, and one more when the source's holder is passed over (MIGRATE-4). */
async function raiseEpoch({ to, thread, options }: Copy, { epoch: own, incarnation, holder }: Head): Promise<void> {
  const least = holder !== undefined && options.force ? own + 1 : own
  const head = await to.head(thread)
  let epoch = head?.epoch ?? 0
  // What an interrupted migration still holds is ours.
  let isOurs = head?.holder === worker
  while (epoch < least) {
    const taken = await to.acquire(thread, { worker, incarnation, seen: epoch, force: isOurs })
    if (taken.kind === 'fenced') throw different(thread, 1, 'another thread begins')
    if (taken.kind === 'held' && taken.holder !== undefined && taken.holder !== worker) throw busy(thread, taken.holder)
    epoch = taken.epoch
    isOurs = true
  }
  if (isOurs) await to.release(thread, epoch)
}

async function checkSummary({ to, thread }: Copy, summary: Summary): Promise<void> {
  const head = await to.head(thread)
  if (head && canonicalJson(head.summary) === canonicalJson(summary)) return
  throw different(thread, head?.seq ?? 0, 'their summaries differ')
}

function different(thread: string, seq: number, how: string): LoomError {
  const advice = 'Remove it from the target if it is of no use, or migrate to another journal.'
  return journalError(
    'unusable',
    `The thread ${thread} of the target is another one than that of the source: at ${thread}@${seq} ${how}. ${advice}`,
    {
      context: { thread, seq },
    },
  )
}

function busy(thread: string, holder: string): LoomError {
  const advice = 'Let it rest, and migrate again.'
  return new LoomError('LOOM_THREAD_BUSY', `The thread ${thread} of the target is held by ${holder}. ${advice}`, {
    context: { thread, holder },
  })
}
