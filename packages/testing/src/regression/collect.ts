/** Reads a thread and its children out of a journal. */
import { type Journal, type Json, LoomError, type LoomEvent, readEvents } from '@loom-agent/kernel'

/** One thread. */
export interface CollectedThread {
  readonly thread: string
  readonly events: readonly LoomEvent[]
  /** A fork takes results from it: it is read and not replayed. */
  readonly isPast?: true
}

/** A thread and its children, the thread itself first. */
export interface Collected {
  readonly thread: string
  readonly threads: readonly CollectedThread[]
  readonly blobs: ReadonlyMap<string, Uint8Array>
  /** Blobs that are too big to be kept, or gone. */
  readonly leftBlobs: readonly { readonly hash: string; readonly bytes: number }[]
}

/** Blobs up to this many bytes are kept in a fixture. */
const keptBlob = 64 * 1024

/** Reads everything that a fixture of a thread is made of. */
export async function collect(journal: Journal, thread: string): Promise<Collected> {
  const threads: CollectedThread[] = []
  const blobs = new Map<string, Uint8Array>()
  const leftBlobs = new Map<string, { hash: string; bytes: number }>()
  for (const open = [thread]; open.length > 0; ) {
    const next = open.shift() as string
    const events = await readThread(journal, next)
    if (events.length === 0) continue
    threads.push({ thread: next, events })
    // What a fork shares with its parent is not replayed, and neither are the children of that.
    for (const event of events.slice(ownFrom(events))) if (event.type === 'child.started') open.push(event.data.child)
    // Only what a batch of the thread brought is a blob: any other value of this look is data.
    const own = new Set(await journal.blobNames(next))
    for (const { $blob: hash, bytes } of events.flatMap(({ data }) => blobRefs(data as Json)).filter(({ $blob }) => own.has($blob))) {
      const found = bytes <= keptBlob ? await journal.blob(hash) : undefined
      if (found) blobs.set(hash, found)
      else leftBlobs.set(hash, { hash, bytes })
    }
  }
  const root = threads[0]?.events ?? []
  checkRoot(thread, root)
  checkChildren(threads)
  const past = takenFrom(root)
  if (past !== undefined) threads.push({ thread: past, events: await readThread(journal, past), isPast: true })
  return { thread, threads, blobs, leftBlobs: [...leftBlobs.values()] }
}

/** Where the own events of a fork begin; 0 for any other thread. */
export function ownFrom(events: readonly LoomEvent[]): number {
  return Math.max(
    0,
    events.findLastIndex(({ type }) => type === 'thread.forked'),
  )
}

/** The thread from which a fork takes results. */
function takenFrom(events: readonly LoomEvent[]): string | undefined {
  const forked = events[ownFrom(events)]
  return forked?.type === 'thread.forked' && forked.data.effects === 'recorded'
    ? forked.data.from.slice(0, forked.data.from.lastIndexOf('@'))
    : undefined
}

async function readThread(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(withoutWhole(event))
  return events
}

/** A body that is not run returns a text of the same length and with the same ends: what lies between them is not needed. */
function withoutWhole(event: LoomEvent): LoomEvent {
  if (event.type !== 'tool.finished' || !event.data.whole) return event
  const { whole: _whole, ...data } = event.data
  return { ...event, data }
}

function checkRoot(thread: string, events: readonly LoomEvent[]): void {
  if (events.length === 0) throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${thread} in this journal.`, { context: { thread } })
  for (const { type, data } of events) {
    if (type !== 'thread.started' || !data.parent) continue
    const message = `${thread} is a child of ${data.parent.thread}: write the regression of that thread, it brings its children.`
    throw new LoomError('LOOM_THREAD_IS_CHILD', message, { context: { thread } })
  }
}

/** A child that has ended and is not there any more was removed: what it did cannot be replayed. */
function checkChildren(threads: Collected['threads']): void {
  const known = new Set(threads.map(({ thread }) => thread))
  for (const event of threads.flatMap(({ events }) => events.slice(ownFrom(events)))) {
    // A child that was never started has no thread.
    if (event.type !== 'child.finished' || event.data.error || known.has(event.data.child)) continue
    const { call, child } = event.data
    const advice = 'Write regressions before threads are removed.'
    throw new LoomError(
      'LOOM_THREAD_NOT_FOUND',
      `The call ${call} of ${event.thread} had a child ${child}, which is not in this journal. ${advice}`,
      {
        context: { thread: child },
      },
    )
  }
}

interface BlobReference {
  readonly $blob: string
  readonly bytes: number
}

function blobRefs(value: Json | undefined): readonly BlobReference[] {
  if (typeof value !== 'object' || value === null) return []
  const { $blob, bytes } = value as Partial<BlobReference>
  const own = typeof $blob === 'string' && typeof bytes === 'number' ? [{ $blob, bytes }] : []
  return [...own, ...Object.values(value).flatMap((field) => blobRefs(field as Json))]
}
