/** The changes of files that a thread has recorded between two moments, with those of the children that it began. */
import type { Head, Incarnation, Journal, LoomEvent, Seq } from '@loom-agent/kernel'
import { readEvents } from '@loom-agent/kernel'
import { type FileHistory, fileHistory, type RecordedChange, type RecordedChild, type Unseen } from './file-history.ts'

/** What was recorded between two moments, in the order of time. */
export interface Recorded {
  readonly changes: readonly RecordedChange[]
  readonly unseen: readonly Unseen[]
  /** The threads whose journals have the contents. */
  readonly threads: readonly string[]
}

/** A part of the past of a thread: events of one thread, up to a seq. */
interface Segment {
  readonly thread: string
  readonly incarnation: Incarnation
  readonly upTo: Seq
}

/** The past of a thread up to a seq: a segment for each thread that it was forked from, from the first one on. */
export async function pastOf(journal: Journal, head: Head, upTo: Seq): Promise<readonly Segment[]> {
  const segments: Segment[] = []
  let last = upTo
  for (let at: Head | undefined = head; at; ) {
    segments.unshift({ thread: at.thread, incarnation: at.incarnation, upTo: last })
    const { forkOf }: Head = at
    if (!forkOf) break
    last = Math.min(last, forkOf.seq)
    const above: Head | undefined = await journal.head(forkOf.thread)
    at = above?.incarnation === forkOf.incarnation ? above : undefined
  }
  return segments
}

/** The last seq that two pasts share; 0 where they share none. */
export function sharedUpTo(one: readonly Segment[], other: readonly Segment[]): Seq {
  let shared = 0
  for (const [index, { thread, incarnation, upTo }] of one.entries()) {
    const beside = other[index]
    if (beside?.thread !== thread || beside.incarnation !== incarnation) break
    shared = Math.min(upTo, beside.upTo)
    if (upTo !== beside.upTo) break
  }
  return shared
}

/** After which event, and up to which. */
interface Between {
  readonly after: Seq
  readonly upTo: Seq
}

/** What a thread with these events has recorded between two moments. */
export async function recordedBetween(journal: Journal, events: readonly LoomEvent[], { after, upTo }: Between): Promise<Recorded> {
  const { changes, unseen, children } = fileHistory(events.slice(0, upTo))
  const isAfter = ({ seq }: { readonly seq: Seq }): boolean => seq > after
  const since = events[after - 1]?.time ?? Number.NEGATIVE_INFINITY
  const until = upTo < events.length ? (events[upTo - 1]?.time ?? 0) : Number.POSITIVE_INFINITY
  const found: Found = { journal, until, changes: changes.filter(isAfter), unseen: unseen.filter(isAfter), threads: [] }
  for (const child of children) await addChild(found, child, isAfter(child) ? Number.NEGATIVE_INFINITY : since)
  const byTime = (one: { readonly time: number }, other: { readonly time: number }): number => one.time - other.time
  return { changes: found.changes.sort(byTime), unseen: found.unseen.sort(byTime), threads: found.threads }
}

interface Found {
  readonly journal: Journal
  readonly until: number
  readonly changes: RecordedChange[]
  readonly unseen: Unseen[]
  readonly threads: string[]
}

/** Adds what a child has recorded after a time, and its children. Its events are numbered by themselves: time alone says what came first. */
async function addChild(found: Found, child: RecordedChild, since: number): Promise<void> {
  const { journal, until } = found
  const history = await historyOf(journal, child.child)
  if (!history) {
    found.unseen.push({ ...child, words: `the child ${child.child}: it was removed, with what it had recorded` })
    return
  }
  const isBetween = ({ time }: { readonly time: number }): boolean => time > since && time <= until
  found.threads.push(child.child)
  found.changes.push(...history.changes.filter(isBetween))
  found.unseen.push(...history.unseen.filter(isBetween))
  for (const one of history.children) await addChild(found, one, one.time > since ? Number.NEGATIVE_INFINITY : since)
}

async function historyOf(journal: Journal, thread: string): Promise<FileHistory | undefined> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events.length > 0 ? fileHistory(events) : undefined
}
