/** Follows the feed of a journal: what was committed and removed, and what will be. */
import { type FeedEntry, type FeedQuery, type Journal, LoomError } from '@loom-agent/kernel'
import { expected } from '../platform/expected.ts'
import { shown, toJson } from '../platform/normalize.ts'
import { systemClock } from '../platform/ports.ts'
import { sleepUntil } from '../resilience/sleep.ts'

/** Where to begin, which entries to show, and when to stop. */
export interface FollowOptions extends Omit<FeedQuery, 'limit'> {
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
  /** The time between two looks at a feed that has nothing new, in milliseconds, at least 1; default 1,000. */
  readonly every?: number | undefined
}

/**
 * Every entry of the feed after `from`, and then those to come, until the signal aborts. The `position` of an entry is what to continue from: store it
 * when the entry is dealt with. One page is in memory, however slow the caller is.
 *
 * @example
 * for await (const { position, thread, kind, status } of followFeed(journal, { from, signal })) await index(thread, kind, status, position)
 */
export async function* followFeed(journal: Pick<Journal, 'feed'>, options: FollowOptions = {}): AsyncGenerator<FeedEntry, void> {
  const { from, signal, every = 1000, agent, labels } = options
  if (!expected.finite(1).fits(every)) {
    const message = `followFeed: every is ${shown(every)}. Give milliseconds, at least 1, or leave it out.`
    throw new LoomError('LOOM_OPTION_INVALID', message, { context: { every: toJson(every) } })
  }
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
