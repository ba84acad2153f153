/**
 * Imports a thread from the lines that `exportThread` or the file journal wrote. They come from outside, and so they are only believed to be a record.
 *
 * IMPORT-3. Nothing is stored before all lines were read and checked, and all threads compared that the journal has already: a failed import could not
 *           take back what it has added to one.
 * IMPORT-4. A thread is partial until it is whole (JOURNAL-22): it can be read, and neither driven nor changed. One that was there before keeps the rest
 *           of its summary meanwhile: if the process ends, it is found by its agent and labels, and importing again makes it whole.
 * IMPORT-5. A partial thread that has all events already, because a fork was cut at the end of the thread, is made whole by an acquisition: a summary
 *           changes with an event alone.
 * IMPORT-6. A thread that is there already and has all events is imported again when a thread that comes with it has news: a child may move on alone.
 * IMPORT-12. Every thread that an import writes is quarantined with its first event and stays so (JOURNAL-23): the exported one, those that it was forked
 *            from, and its children.
 */
import { type Batch, type Head, isLoomError, type Journal, type LoomEvent, type Summary } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'
import { aJournal, checkOptions, type Expected } from '../storage/options.ts'
import { asPartial } from './export.ts'
import { type Cuts, foldParts, namedParts } from './import-checks.ts'
import { isFormat1, readFormat1 } from './import-format-1.ts'
import { readFormat2 } from './import-format-2.ts'
import { checkedLines } from './import-lines.ts'
import type { ImportPart, Lines, PartOf } from './import-parts.ts'
import { changedMeanwhile, hasAll, isChildOfTrusted, isHeld, isTrusted, otherThread, otherWriter } from './import-refusals.ts'
import { type Spool, spoolParts } from './import-spool.ts'
import { parentOf } from './lineage.ts'
import { batchesIn, eventsBetween, type Placed, type PlaceInThread, placeAfter, textOf } from './migrate-batches.ts'

type ThreadPart = PartOf<'thread'>
type ImportedBatch = Omit<Placed, 'events'> & Pick<Batch, 'events' | 'blobs'>

/** A thread that is being imported. */
interface Importing {
  readonly part: ThreadPart
  /** The last seq that the journal has; more than the cut if the thread was there before. */
  seq: number
  /** The last seq that was read, and the run and the turn in force after it. */
  read: PlaceInThread
  /** Names the batches: a partial thread takes no others. */
  epoch: number
  readonly isNew: boolean
  /** It was there before, and was not whole. */
  readonly wasPartial: boolean
  /** It was there before, whole and not quarantined. */
  readonly isTrusted: boolean
  /** Its summary until it is whole (IMPORT-4). */
  readonly resting: Summary
  /** The holder of the thread: a thread with another holder is not written. */
  readonly holder: string | undefined
  /** The batch that was read last: with it the thread may be whole. */
  pending: ImportedBatch | undefined
}

const iterable: Expected = {
  words: 'the lines that exportThread returned: an iterable of texts',
  fits: (value) => typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value),
  required: true,
}

/** The worker that holds a thread while its epoch is raised. */
const worker = 'import'

/**
 * Stores an exported thread, and returns its head. Refuses a damaged one, one that Loom could not have written, and one that exists already with all that was
 * exported; nothing of it is kept then. The threads that a fork was cut from and the thread's children are stored with it, unless they exist already and are
 * the same. What is imported is quarantined: it can be read, exported and removed, and runs nothing until it is adopted. `migrate` copies between journals of
 * your own without that.
 *
 * @example
 * await importThread(journal, readline.createInterface({ input: createReadStream('user-1.jsonl') }))
 */
export async function importThread(journal: Journal, lines: Lines): Promise<Head> {
  checkOptions('importThread', { journal, lines }, { journal: aJournal, lines: iterable })
  const reading = { line: 0 }
  const cuts: Cuts = new Map()
  const spool = await spoolParts(namedParts(partsOf(checkedLines(lines, reading), reading), reading, cuts))
  try {
    const summaries = await foldParts(journal, spool, cuts)
    await checkKnown(journal, spool, summaries)
    return await storeAll(journal, spool, summaries)
  } finally {
    await spool.remove()
  }
}

type Summaries = ReadonlyMap<string, Summary>

/** Stores all threads. If that fails, those that were not there before are removed again. */
async function storeAll(journal: Journal, spool: Spool, summaries: Summaries): Promise<Head> {
  const created: string[] = []
  let current: Importing | undefined
  let head: Head | undefined
  try {
    for await (const part of spool.parts()) {
      if (part.kind === 'thread') {
        current = await startThread(journal, part)
        if (current.isNew) created.push(part.thread)
      } else if (current && part.kind === 'events') await addEvents(journal, current, part)
      else if (current && part.kind === 'whole')
        head = await finish(journal, current, { ...part, summary: summaries.get(current.part.thread) as Summary })
    }
    return head as Head
  } catch (error) {
    // A thread that another writer has appended to is not removed. Forks first: what they read cannot be removed before them.
    if (error instanceof Error && error.cause === otherWriter) created.pop()
    for (const thread of created.toReversed()) await discard(journal, thread, created)
    throw error
  }
}

/** Throws unless every thread that the journal has already can be made what was exported, and there is something to add to one of them, or to the journal. */
async function checkKnown(journal: Journal, spool: Spool, summaries: Summaries): Promise<void> {
  let known: Importing | undefined
  let hasNews = false
  for await (const part of spool.parts()) {
    if (part.kind === 'thread') {
      const head = await journal.head(part.thread)
      known = head && head.seq > 0 ? await startThread(journal, part) : undefined
      if (!known) await requireStranger(journal, part.thread, summaries)
      hasNews ||= !known
    } else if (known && part.kind === 'events') {
      const news = await unknownOf(journal, known, part.events)
      if (news.length > 0 && known.isTrusted) throw isTrusted(known.part.thread)
      hasNews ||= news.length > 0
    } else if (known && part.kind === 'whole') {
      hasNews ||= isCompleted(known, summaries.get(known.part.thread) ?? part.summary)
      // A thread that has gone on here is not the exported one any more, whatever its children did there.
      if (!known.part.isNeeded && (!hasNews || known.read.seq < known.seq)) throw hasAll(known.part.thread, known)
    }
  }
}

/** Throws if a new thread would be the child of one that is trusted here (IMPORT-11). */
async function requireStranger(journal: Journal, thread: string, summaries: Summaries): Promise<void> {
  const parent = summaries.get(thread)?.parent
  const head = parent === undefined ? undefined : await journal.head(parent)
  if (!head?.seq || head.summary.quarantined) return
  // A parent that is not whole is made whole by these lines, and quarantined with it.
  if (!(head.summary.status === 'partial' && summaries.has(head.thread))) throw isChildOfTrusted(thread, head.thread)
}

/** Whether a thread has children that the import has not created. */
async function hasOtherChildren(journal: Journal, thread: string, created: readonly string[]): Promise<boolean> {
  for await (const child of allHeads(journal, { parent: thread })) if (!created.includes(child.thread)) return true
  return false
}

/**
 * Removes what was stored of a thread, unless others would be removed with it. The import itself may hold it. A child whose parent may wait for it is
 * removed with its parent.
 */
async function discard(journal: Journal, thread: string, created: readonly string[]): Promise<void> {
  const head = await journal.head(thread)
  if (head?.holder === worker) await journal.release(thread, head)
  if (await hasOtherChildren(journal, thread, created)) return
  await journal.remove(thread).catch((error: unknown) => {
    if (!isLoomError(error) || error.context['parent'] === undefined) throw error
  })
}

/** The parts of lines of any format. */
async function* partsOf(lines: AsyncGenerator<string, void>, reading: { line: number }): AsyncGenerator<ImportPart, void> {
  const { value: first } = await lines.next()
  const all = (async function* () {
    if (first !== undefined) yield first
    yield* lines
  })()
  yield* isFormat1(first ?? '') ? readFormat1(all, reading) : readFormat2(all, reading)
}

async function startThread(journal: Journal, part: ThreadPart): Promise<Importing> {
  const { thread, incarnation, forkOf } = part
  const known = await journal.head(thread)
  if (known && known.incarnation !== incarnation) throw otherThread(thread)
  if (forkOf) await parentOf(journal, thread, forkOf)
  const start = forkOf?.seq ?? 0
  const isNew = !known || known.seq === 0
  const resting: Summary = { ...(isNew ? { status: 'partial' } : asPartial(known.summary)), quarantined: true }
  const wasPartial = known?.summary.status === 'partial'
  const isTrusted = !isNew && !wasPartial && known.summary.quarantined !== true
  const { epoch = 0, holder } = known ?? {}
  return { part, seq: known?.seq || start, read: { seq: start }, epoch, isNew, wasPartial, isTrusted, resting, holder, pending: undefined }
}

async function addEvents(journal: Journal, importing: Importing, { events, blobs }: PartOf<'events'>): Promise<void> {
  let given: Batch['blobs'] = blobs
  for await (const placed of batchesIn(await unknownOf(journal, importing, events))) {
    // A thread must not be driven before it is whole.
    if (importing.pending) await store(journal, importing, importing.resting)
    importing.pending = { ...placed, blobs: given }
    given = undefined
  }
}

/** The events that the journal does not have yet; throws unless the others are those that it has. */
async function unknownOf(journal: Journal, importing: Importing, events: readonly LoomEvent[]): Promise<readonly LoomEvent[]> {
  const { part, holder, seq: last } = importing
  importing.read = events.reduce(placeAfter, importing.read)
  const known = events.filter(({ seq }) => seq <= last)
  if (known.length > 0) await compare(journal, part, known)
  if (known.length < events.length && holder !== undefined && holder !== worker) throw isHeld(part.thread, holder)
  return events.slice(known.length)
}

/** Throws unless the events that the journal has already are those that were exported. */
async function compare(journal: Journal, { thread, incarnation }: ThreadPart, events: readonly LoomEvent[]): Promise<void> {
  const stored = eventsBetween(journal, thread, { first: events[0]?.seq ?? 1, last: events.at(-1)?.seq ?? 0, incarnation })
  for (const event of events) {
    const { value: known } = await stored.next()
    if (!known || textOf(known) !== textOf(event)) throw otherThread(thread, event.seq)
  }
}

/** Whether a thread that has all events is made whole by what was read (IMPORT-5). */
function isCompleted({ wasPartial, seq, read }: Importing, { status }: Summary): boolean {
  return wasPartial && status !== 'partial' && read.seq === seq
}

/** Stores the batch that was read last. */
async function store(journal: Journal, importing: Importing, summary: Summary): Promise<void> {
  const { pending, part, seq, epoch } = importing
  if (!pending) return
  const { thread, incarnation, forkOf } = part
  const last = seq + pending.events.length
  const isFirst = importing.isNew && seq === (forkOf?.seq ?? 0)
  const batch = { ...pending, id: `import.${last}`, incarnation, expected: seq, epoch, summary, isCopy: true as const, ...(isFirst && { forkOf }) }
  const { kind } = await journal.append(thread, batch)
  if (kind !== 'appended') throw changedMeanwhile(thread)
  importing.seq = last
  importing.pending = undefined
}

/** Makes a thread whole. Before that its epoch is raised to the exported one, so that an earlier driver stays fenced (JOURNAL-24). */
async function finish(journal: Journal, importing: Importing, whole: PartOf<'whole'>): Promise<Head | undefined> {
  const { thread, incarnation, isNeeded } = importing.part
  const completes = !importing.pending && isCompleted(importing, whole.summary)
  // What was there before needs nothing: if it is the exported thread itself, a child of it has news (IMPORT-6).
  if (!importing.pending && !completes) return isNeeded ? undefined : journal.head(thread)
  const least = completes ? Math.max(whole.epoch, importing.epoch) + 1 : whole.epoch
  while (importing.epoch < least) {
    const claimed = await journal.acquire(thread, { worker, incarnation, seen: importing.epoch, force: true, copied: least })
    if (claimed.kind !== 'acquired') throw changedMeanwhile(thread)
    importing.epoch = claimed.epoch
  }
  const { epoch, read } = importing
  if (completes)
    importing.pending = { run: read.run, turn: read.turn, time: Date.now(), events: [{ type: 'driver.acquired', data: { epoch, worker } }] }
  await store(journal, importing, whole.summary)
  return journal.release(thread, { epoch, incarnation })
}
