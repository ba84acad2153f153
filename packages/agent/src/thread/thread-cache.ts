/**
 * The thread cache: frames and prompts of the threads that this process uses, shared by readers, contributors and drivers.
 *
 * THREADS-1. There is one cached thread for each thread that is in use: all its users see the same frame.
 * THREADS-2. It is a cache: losing an entry costs a fold and nothing else. At most `keptIdle` unused ones stay in memory.
 * THREADS-3. A cached thread that has events is of one incarnation forever. When that is removed, its users get an error, and later users get the
 *            thread that has its name then.
 */
import { emptyFrame, type Frame, fold, type Incarnation, isLoomError, type Journal, type Seq } from '@loom-agent/kernel'
import { createPrompt, type Prompt } from '../context/prompt.ts'
import { threadRemoved } from '../types/thread-id.ts'

/** A thread in memory. */
export interface CachedThread {
  frame: Frame
  prompt: Prompt
  /** Its name was made here: no caller gave one. */
  readonly isAnonymous?: true
  /** The last seq that observers of this process were notified of; events from before the thread was first used here do not count. */
  observed: number
  /** This process may have driven the thread before, and have lost it from memory: how far observers were notified is in the journal (THREADS-2). */
  isFoldedAnew: boolean
}

/** Unused threads that are kept in memory; the least recently used goes first. */
const keptIdle = 64

/** A cached thread that stays in memory until it is unpinned. */
export interface PinnedThread {
  readonly cached: CachedThread
  readonly unpin: () => void
}

/** The threads in memory. */
export interface ThreadCache {
  /** The thread with its frame up to date. Throws `LOOM_THREAD_NOT_FOUND` when it is another incarnation than the given one. */
  load(thread: string, incarnation?: Incarnation): Promise<CachedThread>
  /** The same, and keeps it in memory. */
  pin(thread: string, incarnation?: Incarnation): Promise<PinnedThread>
  /** A new thread under a name that was made for it, kept in memory. Nothing is read. */
  pinNew(thread: string): PinnedThread
}

/** A cached thread in use. */
interface Use {
  readonly cached: CachedThread
  users: number
  /** Its first fold, which all users wait for. */
  folded: Promise<unknown> | undefined
  isBroken: boolean
}

/** The cache of a journal, empty. */
export function createThreadCache(journal: Journal): ThreadCache {
  const idle = new Map<string, CachedThread>()
  const used = new Map<string, Use>()
  const begin = (thread: string, makeUse: () => Use): Use => {
    const use = used.get(thread) ?? makeUse()
    idle.delete(thread)
    used.set(thread, use)
    use.users += 1
    return use
  }
  const end = (thread: string, use: Use): void => {
    use.users -= 1
    if (use.users > 0 || used.get(thread) !== use) return
    used.delete(thread)
    if (use.isBroken) return
    idle.set(thread, use.cached)
    if (idle.size > keptIdle) idle.delete(idle.keys().next().value as string)
  }
  const pin = async (thread: string, incarnation?: Incarnation): Promise<PinnedThread> => {
    const known = idle.get(thread)
    const use = begin(thread, () => (known ? useOf(known) : firstUse(journal, thread)))
    const { cached, folded, users } = use
    try {
      await folded
      // The caller that started the fold is up to date.
      if (folded === undefined || users > 1) await foldNews(journal, cached)
    } catch (error) {
      const removed = isRemoved(error)
      if (removed && used.get(thread) === use) used.delete(thread)
      end(thread, use)
      if (removed) return pin(thread, incarnation)
      throw error
    }
    if (incarnation === undefined || incarnation === cached.frame.incarnation) return { cached, unpin: () => end(thread, use) }
    end(thread, use)
    throw threadRemoved(thread)
  }
  return {
    pin,
    async load(thread, incarnation) {
      const { cached, unpin } = await pin(thread, incarnation)
      unpin()
      return cached
    },
    pinNew(thread) {
      const use = begin(thread, () => useOf({ ...create(thread), isAnonymous: true }))
      return { cached: use.cached, unpin: () => end(thread, use) }
    },
  }
}

const useOf = (cached: CachedThread): Use => ({ cached, users: 0, folded: undefined, isBroken: false })

/** Folds a thread that is not in memory. One that cannot be read is not kept. */
function firstUse(journal: Journal, thread: string): Use {
  const use = useOf(create(thread))
  const { cached } = use
  use.folded = foldNews(journal, cached).then(
    ({ seq }) => {
      cached.observed = seq
      cached.isFoldedAnew = true
    },
    (error: unknown) => {
      use.isBroken = true
      throw error
    },
  )
  return use
}

const create = (thread: string): CachedThread => ({ frame: emptyFrame(thread), prompt: createPrompt(), observed: 0, isFoldedAnew: false })

/** Whether an error says that a thread, or this incarnation of it, is not there any more. */
export function isRemoved(error: unknown): boolean {
  return isLoomError(error) && error.code === 'LOOM_THREAD_NOT_FOUND'
}

/**
 * Folds what was appended since, up to the head where it is known: then no page is read that is known to be empty. Throws `LOOM_THREAD_NOT_FOUND` when
 * the thread was removed.
 */
export async function foldNews(journal: Journal, cached: CachedThread, head: Seq = Number.POSITIVE_INFINITY): Promise<Frame> {
  let { frame } = cached
  let last = head
  const { thread } = frame
  let { incarnation } = frame
  if (frame.seq === 0 && head > 0) {
    // Before its first event a thread has no incarnation, and the events that a fork shares do not name its own.
    const found = await journal.head(thread)
    last = Math.min(head, found?.seq ?? 0)
    incarnation = found?.incarnation ?? incarnation
  }
  while (frame.seq < last) {
    const page = await journal.read(thread, { from: frame.seq + 1, incarnation })
    if (page.length === 0) break
    frame = fold(thread, page, frame)
  }
  // Another user may have folded more, or have started the thread, meanwhile.
  const isNews = frame.seq > cached.frame.seq && (cached.frame.seq === 0 || cached.frame.incarnation === incarnation)
  if (isNews) cached.frame = frame
  return cached.frame
}
