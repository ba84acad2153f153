/**
 * Migrates threads from one journal to another, of any kind.
 *
 * MIGRATE-1. Every copy is verified: what both journals hold is read back and compared by digest, also what an earlier migration has copied.
 * MIGRATE-2. A thread of the target is written only if it has the incarnation of the source's and is a prefix of it.
 * MIGRATE-3. A copy is partial until it is whole and its children are (JOURNAL-22): its summary comes with its last event, which comes after theirs. A
 *            driver of a parent starts over the children that it does not find.
 * MIGRATE-4. The epoch of a copy is not below the source's: an earlier driver of the thread is fenced in the target.
 * MIGRATE-5. What is missing in the target is read once before any of it is copied: damage in the source leaves the target as it was.
 * MIGRATE-6. A partial thread of the target that has all events, because a fork was cut at the end of the thread, is made whole by an acquisition, as
 *            in IMPORT-5. It then has one event more than the source, and still counts as the same thread.
 * MIGRATE-7. What is copied is quarantined where the source is, and nowhere else: a migration is between journals of one owner.
 */
import { canonicalJson, type Head, type Journal, LoomError, type Summary } from '@loom-agent/kernel'
import { blobsIn, newBlobs, ownBlobsOf } from '../storage/blob-refs.ts'
import { blobHash, chainLink, chainStart } from '../storage/chain.ts'
import { damage, journalError } from '../storage/failure.ts'
import { notify } from '../storage/notify.ts'
import { aFunction, checkOptions, type Expected, requireJournal } from '../storage/options.ts'
import { asPartial } from './export.ts'
import { batchesIn, type EventRange, eventsBetween, type PlaceInThread, placeAfter, textOf } from './migrate-batches.ts'
import { busy, different } from './migrate-errors.ts'
import { childrenIn, selected } from './migrate-selection.ts'

/** What is migrated, and how its progress is reported. */
export interface MigrateOptions {
  /** The threads to copy, by id or by a function of their heads; default: all. Their children and the threads they were forked from are copied too. */
  readonly threads?: readonly string[] | ((head: Head) => boolean) | undefined
  /** Also copies the end of threads that have a holder, and fences the holder in the target; default: false. For holders that are known to be gone. */
  readonly force?: boolean | undefined
  /** Called after every batch; what it throws is ignored. */
  readonly onProgress?: ((progress: MigrateProgress) => void) | undefined
  /** Ends the migration after the current batch; another one continues from there. */
  readonly signal?: AbortSignal | undefined
}

/** How far a migration is: reported after every batch. */
export interface MigrateProgress extends Tally {
  /** The thread that is being copied. */
  readonly thread: string
  /** The last seq of the thread that is copied. */
  readonly seq: number
  /** The last seq of the thread. */
  readonly of: number
}

interface Tally {
  /** Threads that were copied, whole or in part. */
  readonly threads: number
  /** Events that were copied. */
  readonly events: number
  /** Bytes of events and blobs. */
  readonly bytes: number
  /** Threads that the target had already, and that are the same. */
  readonly skipped: number
}

/** The result of a migration. */
export interface MigrateReport extends Tally {
  /** Threads that have a holder, their parents, and forks of their last event, as `thread@seq`: copied up to that seq. Migrate again when they are released. */
  readonly driven: readonly string[]
}

type Counts = { -readonly [K in keyof Tally]: Tally[K] }

interface Migration {
  readonly from: Journal
  readonly to: Journal
  readonly options: MigrateOptions
  readonly counts: Counts
  /** The threads that are whole in the target. */
  readonly whole: Set<string>
}

/** One thread that is copied, and the blobs that it has named so far. */
interface Copy extends Migration {
  readonly thread: string
  readonly named: Set<string>
}

const migrateOptions: Readonly<Record<keyof MigrateOptions, Expected>> = {
  threads: { words: 'a list of ids, or a function of a head', fits: (value) => Array.isArray(value) || typeof value === 'function' },
  force: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  onProgress: aFunction,
  signal: { words: 'an AbortSignal', fits: (value) => value instanceof AbortSignal },
}

/** The worker that holds a thread of the target while its epoch is raised. */
const worker = 'migrate'
/** How often a thread that grows while it is copied is read again. */
const rounds = 10

/**
 * Copies threads with their blobs, epochs, summaries and labels, and verifies the copies. After an interruption it can be run again, and continues.
 *
 * @example
 * const { threads, driven } = await migrate(file('threads'), sqlite('loom.db'))
 */
export async function migrate(from: Journal, to: Journal, options: MigrateOptions = {}): Promise<MigrateReport> {
  requireJournal('migrate (from)', from)
  requireJournal('migrate (to)', to)
  checkOptions('migrate', options, migrateOptions)
  if (from === to) throw journalError('unusable', 'A journal cannot be migrated to itself. Give another one.')
  const counts: Counts = { threads: 0, events: 0, bytes: 0, skipped: 0 }
  const whole = new Set<string>()
  const left = new Map<string, number>()
  for await (const thread of selected(from, options.threads)) {
    const seq = await copyThread({ from, to, options, counts, whole, thread, named: new Set() })
    if (seq === undefined) left.delete(thread)
    else left.set(thread, seq)
  }
  return { ...counts, driven: [...left].map(([thread, seq]) => `${thread}@${seq}`) }
}

/** Copies a thread to its end; returns the last copied seq when it cannot be made whole yet. */
async function copyThread(copy: Copy): Promise<number | undefined> {
  const { from, thread, counts, whole } = copy
  let head = await from.head(thread)
  if (!head && isNamed(copy)) throw journalError('unusable', `There is no thread ${thread} in the source to migrate.`, { context: { thread } })
  if (!head) return undefined
  const before = counts.events
  let seq = await copiedSeq(copy, head)
  if (await lacksParent(copy, head)) return seq
  let end = await endOf(copy, head)
  for (let round = 0; round < rounds && seq < end; round += 1) {
    seq = await copyTo(copy, head, { start: seq, end })
    const now = await from.head(thread)
    // Another thread that has the name now is not the one that is copied.
    if (now?.incarnation === head.incarnation) head = now
    end = await endOf(copy, head)
  }
  if (counts.events > before) counts.threads += 1
  if (seq !== head.seq || end !== head.seq) return seq
  if (counts.events === before) counts.skipped += 1
  await raiseEpoch(copy, head)
  await makeWhole(copy, head)
  await checkSummary(copy, head.summary)
  whole.add(thread)
  return undefined
}

/** The last seq that the target has already; throws if its events are not a prefix of the source's (MIGRATE-2). */
async function copiedSeq(copy: Copy, head: Head): Promise<number> {
  const { to, thread } = copy
  const known = await to.head(thread)
  if (known?.holder !== undefined && known.holder !== worker) throw busy(thread, known.holder)
  if (known && known.incarnation !== head.incarnation) throw different(thread, 1, 'another incarnation starts')
  const start = head.forkOf?.seq ?? 0
  const seq = known?.seq || start
  const { incarnation } = head
  if (seq > head.seq && !(await isMadeWhole(copy, known, head))) throw different(thread, head.seq + 1, 'the target continues')
  const last = Math.min(seq, head.seq)
  await compare(copy, { first: start + 1, last, incarnation, refuse: (at) => different(thread, at, 'they hold different events') })
  return last
}

/** Whether the event at the cut of a fork is not copied yet, because the parent has a holder. */
async function lacksParent({ to }: Copy, { forkOf }: Head): Promise<boolean> {
  return forkOf !== undefined && ((await to.head(forkOf.thread))?.seq ?? 0) < forkOf.seq
}

/** The last event that may be copied now: not that of a thread with a holder, which two drivers could drive, nor before its children are whole (MIGRATE-3). */
async function endOf({ from, thread, options, whole }: Copy, { seq, holder }: Head): Promise<number> {
  if (holder !== undefined && options.force !== true) return seq - 1
  // Read after the head: a child that was started before its end is among them.
  return (await childrenIn(from, thread)).every((child) => whole.has(child)) ? seq : seq - 1
}

/** Whether the caller named the thread: one that was only listed may be removed meanwhile. */
const isNamed = ({ options, thread }: Copy): boolean => typeof options.threads === 'object' && options.threads.includes(thread)

/** Copies what is missing up to a head, and reads it back; returns how far the target is. */
async function copyTo(copy: Copy, head: Head, { start, end }: { start: number; end: number }): Promise<number> {
  const { from, to, thread, options, counts } = copy
  const { incarnation, forkOf } = head
  const missing = { first: start + 1, last: end, incarnation }
  await readOnce(copy, missing)
  const epoch = await raiseEpoch(copy, head)
  const blobsOfBatch = { known: copy.named, own: await ownBlobsOf(from, thread) }
  let seq = start
  for await (const batch of batchesIn(eventsBetween(from, thread, missing))) {
    const last = seq + batch.events.length
    const blobs = await newBlobs(from, batch.events, blobsOfBatch)
    const summary: Summary = last === head.seq ? head.summary : asPartial(head.summary)
    const cut = forkOf && seq === forkOf.seq ? { forkOf } : {}
    const result = await to.append(thread, {
      ...batch,
      id: `migrate.${last}`,
      incarnation,
      expected: seq,
      epoch,
      blobs,
      summary,
      isCopy: true,
      ...cut,
    })
    if (result.kind !== 'appended' || result.seq !== last) throw busy(thread, 'another writer')
    for (const event of batch.events) counts.bytes += JSON.stringify(event.data).length
    for (const bytes of blobs.values()) counts.bytes += bytes.length
    counts.events += batch.events.length
    seq = last
    notify(options.onProgress, { ...counts, thread, seq, of: head.seq })
    if (options.signal?.aborted)
      throw new LoomError('LOOM_ABORTED', `The migration was ended at ${thread}@${seq}. Migrate again to continue.`, { context: { thread, seq } })
  }
  copy.named.clear()
  await compare(copy, { first: start + 1, last: seq, incarnation, refuse: (at) => damage(thread, at, 'the target does not hold what was copied') })
  return seq
}

/** Reads events and their blobs, and keeps nothing; throws where they cannot be copied (MIGRATE-5). */
async function readOnce({ from, thread }: Copy, range: EventRange): Promise<void> {
  const blobs = { known: new Set<string>(), own: await ownBlobsOf(from, thread) }
  for await (const { events } of batchesIn(eventsBetween(from, thread, range))) await newBlobs(from, events, blobs)
}

type Compared = EventRange & { readonly refuse: (seq: number) => LoomError }

/** Reads both journals side by side; throws at the first event after which their digests differ. */
async function compare({ from, to, thread, named }: Copy, { refuse, ...range }: Compared): Promise<void> {
  const theirs = eventsBetween(to, thread, range)
  const own = await ownBlobsOf(from, thread)
  let digests = [chainStart(thread), chainStart(thread)] as const
  for await (const event of eventsBetween(from, thread, range)) {
    const { value: copied } = await theirs.next()
    if (!copied) throw refuse(event.seq)
    digests = [chainLink(digests[0], textOf(event)), chainLink(digests[1], textOf(copied))]
    for (const name of blobsIn(event.data, own)) {
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

/** Acquires the thread of the target until its epoch is the source's, and one more when the source's holder is ignored (MIGRATE-4). Returns the epoch. */
async function raiseEpoch({ to, thread, options }: Copy, { epoch: own, incarnation, holder }: Head): Promise<number> {
  const least = holder !== undefined && options.force ? own + 1 : own
  const head = await to.head(thread)
  let epoch = head?.epoch ?? 0
  // An interrupted migration may still hold the thread.
  let isOurs = head?.holder === worker
  while (epoch < least) {
    const claimed = await to.acquire(thread, { worker, incarnation, seen: epoch, force: isOurs, copied: least })
    if (claimed.kind === 'fenced') throw different(thread, 1, 'another incarnation starts')
    if (claimed.kind === 'held' && claimed.holder !== undefined && claimed.holder !== worker) throw busy(thread, claimed.holder)
    epoch = claimed.epoch
    isOurs = true
  }
  if (isOurs) await to.release(thread, { epoch, incarnation })
  return epoch
}

/** Makes a copy whole that has all events and is still partial (MIGRATE-6). */
async function makeWhole({ to, thread }: Copy, { seq, incarnation, forkOf, summary }: Head): Promise<void> {
  const known = await to.head(thread)
  if (known?.summary.status !== 'partial' || summary.status === 'partial' || known.seq !== seq) return
  let place: PlaceInThread = { seq: 0 }
  for await (const event of eventsBetween(to, thread, { first: (forkOf?.seq ?? 0) + 1, last: seq, incarnation })) place = placeAfter(place, event)
  const claimed = await to.acquire(thread, { worker, incarnation, seen: known.epoch, copied: known.epoch + 1 })
  if (claimed.kind !== 'acquired') throw busy(thread, 'another writer')
  const { epoch } = claimed
  const { run, turn } = place
  const events = [{ type: 'driver.acquired', data: { epoch, worker } }] as const
  const batch = { id: `migrate.${seq + 1}`, incarnation, expected: seq, time: Date.now(), run, turn, epoch, events, summary, isCopy: true as const }
  const { kind } = await to.append(thread, batch)
  if (kind !== 'appended') throw busy(thread, 'another writer')
  await to.release(thread, { epoch, incarnation })
}

/** Whether a copy has more events than the source only because it was made whole. */
async function isMadeWhole({ to, thread }: Copy, known: Head | undefined, { seq, incarnation }: Head): Promise<boolean> {
  if (known?.seq !== seq + 1) return false
  const [last] = await to.read(thread, { from: seq + 1, incarnation })
  return last?.type === 'driver.acquired' && last.data.worker === worker
}

async function checkSummary({ to, thread }: Copy, summary: Summary): Promise<void> {
  const head = await to.head(thread)
  // What the target had imported before stays quarantined there.
  if (head && canonicalJson({ ...head.summary, quarantined: summary.quarantined }) === canonicalJson(summary)) return
  throw different(thread, head?.seq ?? 0, 'their summaries differ')
}
