/**
 * Ends the quarantine of a thread that was imported. Loaded on use: most threads are made here.
 *
 * ADOPT-3. A thread is adopted after its children, and they after theirs: while some of them are quarantined, the thread that drives them is too, and
 *     adopting it again adopts the rest.
 * ADOPT-4. Only a root is adopted, with all below it: what drives a child is the thread above it.
 */
import { evolve, fold, type Head, type Journal, LoomError, type LoomEvent, nextPlace, place, readEvents, summarize } from '@loom-agent/kernel'
import type { Ports } from '../platform/ports.ts'
import { threadNotFound, threadRemoved } from '../types/thread-id.ts'
import { threadPartial } from '../types/thread-refused.ts'
import { childError } from './start-input.ts'

/** Where a thread is adopted, and by which agent; without one, by the one that it says it belongs to. */
export interface Adopting {
  readonly journal: Journal
  readonly ports: Pick<Ports, 'clock' | 'ids'>
  readonly agent?: string | undefined
}

/** How often an adoption starts over because another writer was faster. */
const tries = 100

/** Adopts a thread with its children, if it is quarantined. Returns whether it was. */
export async function adoptImported({ journal, ports, agent }: Adopting, thread: string): Promise<boolean> {
  const head = await journal.head(thread)
  if (!head?.summary.quarantined) return false
  if (head.summary.status === 'partial') throw threadPartial(thread)
  const { parent } = head.summary
  if (parent !== undefined && (await journal.head(parent))?.summary.quarantined)
    throw childError(thread, 'adopt that thread, it drives its children', parent)
  const children = await childrenOf(journal, thread)
  for (const child of children.toReversed()) await adoptOne({ journal, ports }, child)
  await adoptOne({ journal, ports, agent }, thread)
  return true
}

/** The quarantined threads below a thread; parents come before their children. */
async function childrenOf(journal: Journal, root: string): Promise<readonly string[]> {
  const found = new Set([root])
  // A set is iterated over with what is added meanwhile.
  for (const parent of found) {
    for (let after: string | undefined, page: readonly Head[] | undefined; page?.length !== 0; after = page.at(-1)?.thread) {
      page = await journal.threads({ parent, limit: 100, after })
      for (const { thread, summary } of page) if (summary.quarantined) found.add(thread)
    }
  }
  return [...found].slice(1)
}

async function adoptOne({ journal, ports, agent: heir }: Adopting, thread: string): Promise<void> {
  const id = ports.ids()
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const head = await journal.head(thread)
    if (!head?.seq) throw threadNotFound(thread)
    if (!head.summary.quarantined) return
    const frame = fold(thread, await recordOf(journal, head))
    const agent = heir ?? frame.agent
    if (agent === undefined) throw ofNobody(thread)
    // The run of a driver that is gone counts its time up to the last event: what has passed since then was not driven.
    const start = nextPlace(frame, frame.run?.since === undefined ? ports.clock.now() : frame.time)
    const { time, run, turn } = start
    const events = [{ type: 'thread.adopted', data: { agent, from: frame.agent ?? '' } }] as const
    const summary = summarize(place(start, events).reduce(evolve, frame))
    const { kind } = await journal.append(thread, { id, incarnation: head.incarnation, expected: frame.seq, time, run, turn, events, summary })
    if (kind === 'appended') return
    if (kind === 'fenced') throw threadRemoved(thread)
  }
  throw new LoomError(
    'LOOM_JOURNAL_CONFLICT',
    `The thread ${thread} could not be adopted in ${tries} tries. Something appends to it; find out what.`,
    {
      context: { thread, tries },
    },
  )
}

async function recordOf(journal: Journal, { thread, incarnation }: Head): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread, { incarnation })) events.push(event)
  return events
}

function ofNobody(thread: string): LoomError {
  return new LoomError(
    'LOOM_OPTION_INVALID',
    `No agent has started the thread ${thread}. Say which one adopts it: adopt(journal, '${thread}', { agent }).`,
    {
      context: { thread },
    },
  )
}
