/**
 * Forks above the adapters: a forked thread has its own events from the cut on, and reads those before from its parent.
 *
 * FORK-1. The prefix is shared by reference: forking appends to the fork alone, and the parent is never touched.
 * FORK-2. Who reads a fork sees one thread: seqs go on where the parent was cut, and every event names the fork.
 *
 * An adapter knows nothing of this: it stores a fork's own events from 1 on. The first of them is `thread.forked`; the cut is also in the thread table
 * (`cut.ts`).
 */
import { type Batch, type Head, type Journal, LoomError, type LoomEvent, type Seq } from '@loom-agent/kernel'
import { type Moment, nameMoment, parseMoment } from '../travel/moment.ts'
import { cutIn, withCut, withoutCut } from './cut.ts'
import { confirmParent, removeUnread } from './removal.ts'

/** Threads whose kind is remembered; what is forgotten is looked up again. */
const remembered = 256

const wrapped = new WeakMap<Journal, Journal>()

/** The journal with forks. The same journal gives the same answer, and a journal with forks is itself. */
export function forkable(journal: Journal): Journal {
  const known = wrapped.get(journal)
  if (known) return known
  const forking = create(journal)
  wrapped.set(journal, forking)
  wrapped.set(forking, forking)
  return forking
}

/** Where a forked thread was cut; undefined for a thread that is no fork. */
export async function cutOf(journal: Journal, thread: string): Promise<Moment | undefined> {
  const events = await forkable(journal).read(thread, { from: 1, limit: 1 })
  const cut = cuts.get(forkable(journal))?.get(thread)
  return events.length > 0 ? (cut ?? undefined) : undefined
}

type Cuts = Map<string, Moment | null>
const cuts = new WeakMap<Journal, Cuts>()

function create(journal: Journal): Journal {
  const known: Cuts = new Map()
  const remember = (thread: string, cut: Moment | null): Moment | null => {
    if (known.size >= remembered) known.delete(known.keys().next().value as string)
    known.set(thread, cut)
    return cut
  }
  const find = async (thread: string): Promise<Moment | null> => {
    const head = await journal.head(thread)
    return head && head.seq > 0 ? remember(thread, cutIn(head.summary)) : null
  }
  const kindOf = (thread: string): Moment | null | Promise<Moment | null> => known.get(thread) ?? (known.has(thread) ? null : find(thread))
  const forking: Journal = {
    traits: journal.traits,
    acquire: (thread, claim) => journal.acquire(thread, claim),
    release: (thread, epoch) => journal.release(thread, epoch),
    append(thread, batch) {
      const cut = known.get(thread)
      if (cut === null) return journal.append(thread, batch)
      if (cut === undefined && batch.expected === 0) return appendFirst(journal, thread, { batch, remember })
      return appendTo(journal, thread, { batch, cut: cut ?? find(thread), remember })
    },
    async read(thread, { from = 1, limit } = {}) {
      const cut = await kindOf(thread)
      if (!cut) return journal.read(thread, { from, ...(limit !== undefined && { limit }) })
      if (from > cut.seq) return shift(await journal.read(thread, { from: from - cut.seq, ...(limit !== undefined && { limit }) }), thread, cut.seq)
      const page = await forking.read(cut.thread, { from, limit: Math.min(limit ?? Number.POSITIVE_INFINITY, cut.seq - from + 1) })
      if (page.length === 0) throw missing(thread, cut)
      return page.map((event) => ({ ...event, thread }))
    },
    async head(thread) {
      const head = await journal.head(thread)
      return head && present(head)
    },
    threads: async (query) => (await journal.threads(query)).map(present),
    watch: (thread, hint) => journal.watch(thread, (seq) => hint(seq + (known.get(thread)?.seq ?? 0))),
    async remove(thread) {
      await removeUnread(journal, thread)
      known.delete(thread)
    },
    blob: (hash) => journal.blob(hash),
    close: () => journal.close(),
  }
  cuts.set(forking, known)
  return forking
}

interface Remembering {
  readonly batch: Batch
  readonly remember: (thread: string, cut: Moment | null) => Moment | null
}

interface Appending extends Remembering {
  readonly cut: Moment | null | Promise<Moment | null>
}

/** A thread that begins at 1 is no fork. */
async function appendFirst(journal: Journal, thread: string, { batch, remember }: Remembering): ReturnType<Journal['append']> {
  const result = await journal.append(thread, batch)
  if (result.kind === 'appended') remember(thread, null)
  return result
}

async function appendTo(journal: Journal, thread: string, { batch, cut: found, remember }: Appending): ReturnType<Journal['append']> {
  const first = batch.events[0]
  const born = first?.type === 'thread.forked' ? parseMoment(first.data.from) : undefined
  const cut = (await found) ?? (born?.seq === batch.expected ? born : null)
  if (!cut) return journal.append(thread, batch)
  const result = await journal.append(thread, { ...batch, expected: batch.expected - cut.seq, summary: withCut(batch.summary, cut) })
  if (result.kind === 'appended' && cut === born) await confirmParent(journal, thread, cut)
  if (result.kind === 'appended') remember(thread, cut)
  return result.kind === 'fenced' ? result : { ...result, seq: result.seq + cut.seq }
}

const shift = (events: readonly LoomEvent[], thread: string, by: Seq): readonly LoomEvent[] =>
  events.map((event) => ({ ...event, thread, seq: event.seq + by }))

/** A head as users see it. */
function present(head: Head): Head {
  const cut = cutIn(head.summary)
  return cut ? { ...head, seq: head.seq + cut.seq, summary: withoutCut(head.summary) } : head
}

const missing = (thread: string, cut: Moment): LoomError =>
  new LoomError(
    'LOOM_THREAD_UNREADABLE',
    `${thread} is a fork of ${nameMoment(cut)}, and that part of ${cut.thread} is gone. Bring it back from a copy.`,
    {
      context: { thread, from: nameMoment(cut) },
    },
  )
