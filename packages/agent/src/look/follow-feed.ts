/** Follows the feed of a journal: what was committed and removed, and what will be. */
import type { FeedEntry, FeedQuery, Journal } from '@loom-agent/kernel'
import { type Expected, expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { systemClock } from '../platform/ports.ts'
import { sleepUntil } from '../resilience/sleep.ts'

/** Where to begin, which entries to show, and when to stop. */
export interface FollowOptions extends Omit<FeedQuery, 'limit'> {
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
  /** The time between two looks at a feed that has nothing new, in milliseconds, at least 1; default 1,000. */
  readonly every?: number | undefined
}

const followShape: Readonly<Record<keyof FollowOptions, Expected>> = {
  from: expected.text,
  agent: expected.text,
  labels: expected.object,
  signal: expected.signal,
  every: { ...expected.finite(1), words: 'milliseconds, at least 1' },
}

/** A journal, or what has its feed alone. */
const feedSource: Expected = { ...expected.journal, fits: (value) => typeof value === 'object' && value !== null && 'feed' in value, required: true }

/**
 * Every entry of the feed after `from`, and then those to come, until the signal aborts. The `position` of an entry is what to continue from: store it
 * when the entry is dealt with. One page is in memory, however slow the caller is.
 *
 * @example
 * for await (const { position, thread, kind, status } of followFeed(journal, { from, signal })) await index(thread, kind, status, position)
 */
export async function* followFeed(journal: Pick<Journal, 'feed'>, options: FollowOptions = {}): AsyncGenerator<FeedEntry, void> {
  checkOptions('followFeed', { journal }, { journal: feedSource })
  checkOptions('followFeed', options, followShape)
  const { from, signal, every = 1000, agent, labels } = options
  for (let cursor = from; !signal?.aborted; ) {
    const page = await journal.feed({ from: cursor, agent, labels })
    for (const entry of page.entries) {
      if (signal?.aborted) return
      yield entry
    }
    ;({ cursor } = page)
    // An abort ends the wait, and the iteration with it.
    if (page.isEnd) await sleepUntil(systemClock.now() + every, { clock: systemClock, signal }).catch(() => {})
  }
}
