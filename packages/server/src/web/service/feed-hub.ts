/**
 * The feed of a journal for many readers: one reader of the journal, however many clients follow.
 *
 * FEED-1. A client gets every entry after its cursor, in order. One that falls behind what is held here reads the journal itself until it has caught up.
 * FEED-2. Nothing is read while nobody follows.
 */
import { systemClock } from '@loom-agent/agent'
import type { FeedEntry, Journal } from '@loom-agent/kernel'

/** Entries that are held for readers. */
const longest = 1000
/** Milliseconds between two looks at a feed that has nothing new. */
const pause = 200

/** Gives the entries of a feed. */
export interface FeedHub {
  /** The cursor of now: what comes after it is new. */
  now(): Promise<string | undefined>
  /** Entries after a cursor, then those to come, until the signal is aborted. */
  follow(from: string | undefined, signal: AbortSignal): AsyncIterableIterator<FeedEntry>
}

interface Hub {
  readonly journal: Pick<Journal, 'feed'>
  /** The last entries, and the cursor before the first of them. */
  held: FeedEntry[]
  before: string | undefined
  /** Where the journal was read to; undefined before the first look. */
  cursor: string | undefined
  followers: number
  isReading: boolean
  failure: { readonly error: unknown } | undefined
  /** Counts the times at which something was read. */
  version: number
  readonly waiting: Set<() => void>
}

/** A hub over the feed of a journal. */
export function createFeedHub(journal: Pick<Journal, 'feed'>): FeedHub {
  const hub: Hub = {
    journal,
    held: [],
    before: undefined,
    cursor: undefined,
    followers: 0,
    isReading: false,
    failure: undefined,
    version: 0,
    waiting: new Set(),
  }
  return {
    now: async () => (await endOf(hub)).cursor,
    follow: (from, signal) => follow(hub, from, signal),
  }
}

/** Reads to the end of the feed, without keeping anything. */
async function endOf({ journal, cursor }: Hub): Promise<{ readonly cursor: string }> {
  for (let from = cursor; ; ) {
    const page = await journal.feed({ from })
    if (page.isEnd) return page
    from = page.cursor
  }
}

/** Wakes who waits for news. */
function notify(hub: Hub): void {
  hub.version += 1
  const waiting = [...hub.waiting]
  hub.waiting.clear()
  for (const wake of waiting) wake()
}

/** Reads on while there are followers. */
async function readOn(hub: Hub): Promise<void> {
  if (hub.isReading) return
  hub.isReading = true
  try {
    if (hub.cursor === undefined) {
      const { cursor } = await endOf(hub)
      hub.before = cursor
      hub.cursor = cursor
      notify(hub)
    }
    while (hub.followers > 0) {
      const page = await hub.journal.feed({ from: hub.cursor })
      hub.cursor = page.cursor
      hub.held.push(...page.entries)
      const dropped = hub.held.splice(0, Math.max(0, hub.held.length - longest))
      hub.before = dropped.at(-1)?.position ?? hub.before
      if (page.entries.length > 0) notify(hub)
      if (page.isEnd) await new Promise<void>((resolve) => systemClock.at(systemClock.now() + pause, resolve))
    }
    // What comes meanwhile is not known: the next reader begins with what is new then.
    hub.held = []
    hub.before = undefined
    hub.cursor = undefined
  } catch (error) {
    hub.failure = { error }
    notify(hub)
  } finally {
    hub.isReading = false
  }
}

/** The entries that are held after a cursor; undefined when the cursor is not among them. */
function heldAfter({ held, before }: Hub, from: string | undefined): readonly FeedEntry[] | undefined {
  if (from !== undefined && from === before) return held
  const index = held.findLastIndex(({ position }) => position === from)
  return index < 0 ? undefined : held.slice(index + 1)
}

/** Resolves when something was read, or could not be. */
const news = ({ waiting }: Hub): Promise<void> => new Promise((resolve) => void waiting.add(resolve))

/** Throws why the journal could not be read. */
function requireReading({ failure }: Hub): void {
  if (failure) throw failure.error
}

async function* follow(hub: Hub, from: string | undefined, signal: AbortSignal): AsyncGenerator<FeedEntry, void> {
  const wake = (): void => notify(hub)
  signal.addEventListener('abort', wake)
  hub.followers += 1
  hub.failure = undefined
  void readOn(hub)
  try {
    for (let cursor = from; ; ) {
      // Until the one reader knows where it is, nobody can tell whether it holds what is wanted.
      if (hub.cursor === undefined) await news(hub)
      requireReading(hub)
      if (signal.aborted) return
      const { version } = hub
      const held = heldAfter(hub, cursor)
      const page = held ? undefined : await hub.journal.feed({ from: cursor })
      const entries = held ?? page?.entries ?? []
      for (const entry of entries) {
        if (signal.aborted) return
        yield entry
      }
      cursor = entries.at(-1)?.position ?? page?.cursor ?? cursor
      const isAtEnd = entries.length === 0 && (page === undefined || page.isEnd)
      // What was read meanwhile has woken nobody who was not waiting yet.
      if (isAtEnd && hub.version === version && !signal.aborted) await news(hub)
      if (signal.aborted) return
    }
  } finally {
    signal.removeEventListener('abort', wake)
    hub.followers -= 1
  }
}
