/**
 * Views that are kept up to date: a projector holds the states of the threads that were looked at last, and reads on from there.
 *
 * VIEW-3. Looking again reads the events that are new, and no others. With a cache that holds also for the first look of a process.
 * VIEW-4. Nothing is built before somebody asks, and what is kept is bounded.
 * VIEW-5. A state belongs to one incarnation of a thread: a name that is used again starts from nothing.
 */
import { type Head, type Incarnation, type Journal, LoomError, readEvents, type Seq } from '@loom-agent/kernel'
import type { Projection } from './projection.ts'

/** Where states are stored between processes. What it loses is folded again: it may be deleted at any time. */
export interface ViewCache {
  /** The text that was stored under a key; `undefined` when there is none. */
  read(key: string): Promise<string | undefined>
  /** Stores a text under a key, in place of the one before. */
  write(key: string, text: string): Promise<void>
}

/** How a projector works. */
export interface ProjectorOptions {
  /** Where states are stored; default: nowhere. */
  readonly cache?: ViewCache | undefined
  /** How many states are held at once; default 64. The one that was used the longest ago goes first. */
  readonly keep?: number | undefined
  /** After how many new events a state is stored again; default 500. */
  readonly storeEvery?: number | undefined
  /** Notified of a failure of the cache. Views do not fail for it. */
  readonly onCacheError?: ((error: unknown) => void) | undefined
}

/** A view, and the moment that it is of. */
export interface Viewed<View> {
  /** The thread that was looked at. */
  readonly thread: string
  /** Which thread of that name it is. */
  readonly incarnation: Incarnation
  /** The last event that the view holds. */
  readonly seq: Seq
  /** What the events come to. */
  readonly view: View
}

/** Gives views of the threads of a journal. */
export interface Projector {
  /** The view of a thread at its end, or after the event `at`. */
  view<State, View>(projection: Projection<State, View>, thread: string, options?: { readonly at?: Seq }): Promise<Viewed<View>>
  /** Stores every state that is newer than its stored one; for the end of a process. */
  save(): Promise<void>
  /** What it has done since it was created. */
  counts(): ProjectorCounts
}

/** What a projector holds, and what it has done. */
export interface ProjectorCounts {
  /** States that are held now. */
  readonly held: number
  /** States that are held at most. */
  readonly keep: number
  /** Events that were read and folded. */
  readonly folded: number
  /** States that were found in the cache. */
  readonly restored: number
  /** States that were stored there. */
  readonly stored: number
}

/** A state, where it is, and what is under way on it. */
interface Held {
  readonly key: string
  state: unknown
  seq: Seq
  storedSeq: Seq
  ready: Promise<void>
}

type Reader = Pick<Journal, 'head' | 'read'>

/**
 * Creates a projector over a journal. It looks and never writes to the journal.
 *
 * @example
 * const projector = createProjector(journal)
 * const { view, seq } = await projector.view(skeleton, 'user-123')
 */
export function createProjector(journal: Reader, options: ProjectorOptions = {}): Projector {
  const { cache, keep = 64, storeEvery = 500, onCacheError } = options
  const held = new Map<string, Held>()
  const counts = { folded: 0, restored: 0, stored: 0 }
  const folded = (): void => {
    counts.folded += 1
  }

  const restore = async (key: string, projection: Projection<unknown, unknown>): Promise<Held> => {
    const text = await cache?.read(key).catch(onCacheError)
    const stored = typeof text === 'string' ? parseStored(text) : undefined
    if (stored) counts.restored += 1
    const { seq, state } = stored ?? { seq: 0, state: projection.start() }
    return { key, state, seq, storedSeq: seq, ready: Promise.resolve() }
  }

  const store = async (one: Held): Promise<void> => {
    if (!cache || one.storedSeq === one.seq) return
    one.storedSeq = one.seq
    counts.stored += 1
    await cache.write(one.key, JSON.stringify({ seq: one.seq, state: one.state })).catch(onCacheError)
  }

  /** The held state of a thread, made the most recent one; several callers share it. */
  const hold = async (projection: Projection<unknown, unknown>, head: Head): Promise<Held> => {
    const key = JSON.stringify([projection.name, projection.version, head.thread, head.incarnation])
    const known = held.get(key) ?? (await restore(key, projection))
    // Somebody else may have restored it meanwhile.
    const one = held.get(key) ?? known
    held.delete(key)
    held.set(key, one)
    for (const [oldest, other] of held) {
      if (held.size <= keep) break
      held.delete(oldest)
      void other.ready.then(() => store(other))
    }
    return one
  }

  const readOn = async (one: Held, projection: Projection<unknown, unknown>, head: Head): Promise<void> => {
    for await (const event of readEvents(journal, head.thread, { from: one.seq + 1, incarnation: head.incarnation })) {
      projection.apply(one.state, event)
      one.seq = event.seq
      folded()
    }
    if (one.seq - one.storedSeq >= storeEvery) await store(one)
  }

  return {
    async view(projection, thread, { at } = {}) {
      const head = await journal.head(thread)
      if (!head?.seq) throw threadNotFound(thread)
      const { incarnation } = head
      if (at !== undefined && at < head.seq) return { thread, incarnation, seq: at, view: await viewAt(journal, { projection, head, at, folded }) }
      const any = projection as Projection<unknown, unknown>
      const one = await hold(any, head)
      // One reader at a time: the others wait for it, and find that little is left to read.
      one.ready = one.ready.catch(() => {}).then(() => readOn(one, any, head))
      await one.ready
      return { thread, incarnation, seq: one.seq, view: projection.view(one.state as never) }
    },
    async save() {
      await Promise.all([...held.values()].map((one) => one.ready.catch(() => {}).then(() => store(one))))
    },
    counts: () => ({ held: held.size, keep, ...counts }),
  }
}

/** An earlier moment is folded from the start: states are kept of ends only. */
async function viewAt<State, View>(
  journal: Reader,
  { projection, head, at, folded }: { projection: Projection<State, View>; head: Head; at: Seq; folded: () => void },
): Promise<View> {
  const state = projection.start()
  for await (const event of readEvents(journal, head.thread, { incarnation: head.incarnation })) {
    if (event.seq > at) break
    projection.apply(state, event)
    folded()
  }
  return projection.view(state)
}

function parseStored(text: string): { seq: Seq; state: unknown } | undefined {
  try {
    const stored = JSON.parse(text) as { seq?: unknown; state?: unknown } | null
    return typeof stored?.seq === 'number' && typeof stored.state === 'object' && stored.state ? { seq: stored.seq, state: stored.state } : undefined
  } catch {
    // A write that was cut off. The events are all there.
    return undefined
  }
}

function threadNotFound(thread: string): LoomError {
  return new LoomError(
    'LOOM_THREAD_NOT_FOUND',
    `There is no thread ${JSON.stringify(thread)} in this journal. journal.threads() lists those that are there.`,
    {
      context: { thread },
    },
  )
}
