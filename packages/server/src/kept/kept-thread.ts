/**
 * Threads on which Loom keeps facts of its own: schedules, and how far webhooks are. They have no runs.
 *
 * KEPT-1. What counts are the last facts: a thread is read from its end, and not further than is needed, however long it has become.
 * KEPT-2. What is appended follows from what was read: where another process was faster, nothing is stored, and the writer reads again.
 */
import { systemClock } from '@loom-agent/agent'
import { type Draft, evolve, fold, type Head, type Journal, LoomError, type LoomEvent, place, summarize } from '@loom-agent/kernel'

/** A thread and its last events, the oldest first. */
export interface KeptThread {
  readonly head: Head
  readonly tail: readonly LoomEvent[]
}

/** What is stored, and under which epoch. */
export interface Keeping {
  readonly drafts: readonly Draft[]
  readonly epoch?: number | undefined
}

const pageSize = 20

/** Reads the last events of a thread: so many that they are enough, or all. Undefined when there is no such thread, or when it was imported and not adopted. */
export async function readKept(
  journal: Pick<Journal, 'head' | 'read'>,
  thread: string,
  isEnough: (tail: readonly LoomEvent[]) => boolean,
): Promise<KeptThread | undefined> {
  const head = await journal.head(thread)
  if (!head?.seq || head.summary.quarantined || head.summary.status === 'partial') return undefined
  const { seq, incarnation } = head
  let tail: readonly LoomEvent[] = []
  for (let to = seq; to > 0 && !isEnough(tail); ) {
    const from = Math.max(1, to - pageSize + 1)
    tail = [...(await readRange(journal, { thread, incarnation, from, to })), ...tail]
    to = from - 1
  }
  return { head, tail }
}

interface Range {
  readonly thread: string
  readonly incarnation: string
  readonly from: number
  readonly to: number
}

/** The events of a range; a page of a journal may hold less than is asked for. */
export async function readRange(journal: Pick<Journal, 'read'>, { thread, incarnation, from, to }: Range): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for (let next = from; next <= to; ) {
    const page = await journal.read(thread, { from: next, limit: to - next + 1, incarnation })
    if (page.length === 0) break
    events.push(...page.filter(({ seq }) => seq <= to))
    next = (page.at(-1)?.seq ?? to) + 1
  }
  return events
}

/** Appends to a thread as it was read; returns whether it was stored. */
export async function appendKept(journal: Pick<Journal, 'append'>, { head, tail }: KeptThread, { drafts, epoch }: Keeping): Promise<boolean> {
  const { thread, incarnation, seq, summary, times } = head
  const time = Math.max(times.now, tail.at(-1)?.time ?? 0)
  const events = place({ thread, seq: seq + 1, time }, drafts)
  // The tail says when the thread is looked at next; the rest of the row stays as it is.
  const { wakeAt } = summarize(events.reduce(evolve, fold(thread, tail)))
  const batch = { id: crypto.randomUUID(), incarnation, expected: seq, time, events: drafts, epoch, summary: { ...summary, wakeAt } }
  return stored(thread, await journal.append(thread, batch))
}

/** Begins a thread of an agent of Loom's own; returns whether it was stored. */
export async function beginKept(
  journal: Pick<Journal, 'append' | 'threads'>,
  { thread, agent }: { readonly thread: string; readonly agent: string },
): Promise<boolean> {
  const incarnation = crypto.randomUUID()
  const events: readonly Draft[] = [{ type: 'thread.started', data: { agent, incarnation } }]
  const time = await storeTime(journal)
  const batch = { id: crypto.randomUUID(), incarnation, expected: 0, time, events, summary: { status: 'idle', agent } } as const
  return stored(thread, await journal.append(thread, batch))
}

function stored(thread: string, { kind }: Awaited<ReturnType<Journal['append']>>): boolean {
  if (kind !== 'fenced') return kind === 'appended'
  const message = `The thread ${thread} was removed, or is written by another process now. Read it again.`
  throw new LoomError('LOOM_JOURNAL_CONFLICT', message, { context: { thread } })
}

/** The time of the store: any head has it. An empty journal has none; there it is that of this process. */
export async function storeTime(journal: Pick<Journal, 'threads'>): Promise<number> {
  const [head] = await journal.threads({ limit: 1 })
  return head?.times.now ?? systemClock.now()
}
