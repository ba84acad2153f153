/**
 * The deliveries of a page of the feed.
 *
 * DELIVERY-3. No event of a commit is left out. The feed names the last event of each commit; the first is found by the time, which all events of a commit
 *             share. Where two commits have the same time, events of the earlier one may be found again: their deliveries have the same ids.
 */
import { type FeedEntry, type FeedPage, isLoomError, type Journal, type LoomEvent } from '@loom-agent/kernel'
import { readRange } from '../kept/kept-thread.ts'
import { type Delivery, deliveriesOf, type Wanted } from './delivery.ts'

/** Which threads are told about. */
export interface WantedThreads extends Wanted {
  readonly agents?: readonly string[] | undefined
  readonly threads?: ((thread: string) => boolean) | undefined
}

/** Commits of one thread in a page: the last event of the first of them, and of the last. */
interface Commits {
  readonly entry: FeedEntry
  readonly first: number
  last: number
}

const pageSize = 64

/** The deliveries of a page, thread by thread, each in order. */
export async function readDeliveries(
  journal: Pick<Journal, 'read'>,
  page: FeedPage,
  wanted: WantedThreads,
): Promise<readonly (readonly Delivery[])[]> {
  const found: (readonly Delivery[])[] = []
  for (const commits of commitsOf(page.entries, wanted).values()) {
    const { thread, incarnation, agent, parent } = commits.entry
    const events = await eventsOf(journal, commits)
    const deliveries = await deliveriesOf(events, { thread, incarnation, agent, parent }, wanted)
    if (deliveries.length > 0) found.push(deliveries)
  }
  return found
}

function commitsOf(entries: readonly FeedEntry[], { agents, threads }: WantedThreads): ReadonlyMap<string, Commits> {
  const found = new Map<string, Commits>()
  for (const entry of entries) {
    const { kind, thread, incarnation, seq, agent = '', status, quarantined } = entry
    const isWanted = kind === 'changed' && !agent.startsWith('loom:') && status !== 'partial' && !quarantined
    if (!isWanted || (agents && !agents.includes(agent)) || (threads && !threads(thread))) continue
    const key = JSON.stringify([thread, incarnation])
    const known = found.get(key)
    if (known) known.last = Math.max(known.last, seq)
    else found.set(key, { entry, first: seq, last: seq })
  }
  return found
}

/** The events of commits. A thread that was removed since has none any more. */
async function eventsOf(journal: Pick<Journal, 'read'>, { entry, first, last }: Commits): Promise<readonly LoomEvent[]> {
  const { thread, incarnation } = entry
  try {
    let events: readonly LoomEvent[] = []
    for (let to = first; to > 0; ) {
      const from = Math.max(1, to - pageSize + 1)
      const page = await readRange(journal, { thread, incarnation, from, to })
      const begin = beginOf(page, events[0]?.time ?? page.at(-1)?.time)
      events = [...page.slice(begin), ...events]
      if (begin > 0) break
      to = from - 1
    }
    return last > first ? [...events, ...(await readRange(journal, { thread, incarnation, from: first + 1, to: last }))] : events
  } catch (error) {
    if (isLoomError(error) && (error.code === 'LOOM_THREAD_NOT_FOUND' || error.code === 'LOOM_THREAD_DROPPED')) return []
    throw error
  }
}

/** Where the events of one time begin that a page ends with. What comes before a fork is of another thread. */
function beginOf(page: readonly LoomEvent[], time: number | undefined): number {
  const other = page.findLastIndex((event) => event.time !== time)
  return Math.max(
    other + 1,
    page.findLastIndex(({ type }) => type === 'thread.forked'),
  )
}
