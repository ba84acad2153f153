/**
 * The thread cache: frames and prompts of the threads that this process uses, shared by readers, contributors and drivers.
 *
 * THREADS-1. There is one cached thread for each thread that is in use: all its users see the same frame.
 * THREADS-2. It is a cache: losing an entry costs a fold and nothing else. At most `keptIdle` unused ones stay in memory.
 */
import { emptyFrame, type Frame, fold, type Journal, type Seq } from '@loom-agent/kernel'
import { createPrompt, type Prompt } from '../context/prompt.ts'

/** A thread in memory. */
export interface CachedThread {
  frame: Frame
  prompt: Prompt
  /** The last seq that observers of this process were notified of; events from before the thread was first used here do not count. */
  observed: number
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
  /** The thread with its frame up to date. */
  load(thread: string): Promise<CachedThread>
  /** The same, and keeps it in memory. */
  pin(thread: string): Promise<PinnedThread>
  /** A thread that is known to be new, kept in memory. Nothing is read. */
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
    if (use.users > 0) return
    used.delete(thread)
    if (use.isBroken) return
    idle.set(thread, use.cached)
    if (idle.size > keptIdle) idle.delete(idle.keys().next().value as string)
  }
  const pin = async (thread: string): Promise<PinnedThread> => {
    const known = idle.get(thread)
    const use = begin(thread, () => (known ? useOf(known) : firstUse(journal, thread)))
    const { cached, folded, users } = use
    try {
      await folded
      // The caller that started the fold is up to date.
      if (folded === undefined || users > 1) await foldNews(journal, cached)
    } catch (error) {
      end(thread, use)
      throw error
    }
    return { cached, unpin: () => end(thread, use) }
  }
  return {
    pin,
    async load(thread) {
      const { cached, unpin } = await pin(thread)
      unpin()
      return cached
    },
    pinNew(thread) {
      const use = begin(thread, () => useOf(create(thread)))
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
    },
    (error: unknown) => {
      use.isBroken = true
      throw error
    },
  )
  return use
}

const create = (thread: string): CachedThread => ({ frame: emptyFrame(thread), prompt: createPrompt(), observed: 0 })

/** Empties a cached thread: it was removed, and what is there now is another thread of the same id. */
export function forget(cached: CachedThread): void {
  Object.assign(cached, create(cached.frame.thread))
}

/** Folds what was appended since, up to the head where it is known: then no page is read that is known to be empty. */
export async function foldNews(journal: Journal, cached: CachedThread, head: Seq = Number.POSITIVE_INFINITY): Promise<Frame> {
  while (cached.frame.seq < head) {
    const page = await journal.read(cached.frame.thread, { from: cached.frame.seq + 1 })
    if (page.length === 0) break
    // Another user of the thread may have folded a part of the page meanwhile, or have found that it is another thread now.
    const { frame } = cached
    const start = page.findIndex(({ seq }) => seq === frame.seq + 1)
    if (start !== -1) cached.frame = fold(frame.thread, page.slice(start), frame)
  }
  return cached.frame
}
