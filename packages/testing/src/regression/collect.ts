/** Reads a thread and its children out of a journal. */
import { type Journal, type Json, LoomError, type LoomEvent, readEvents } from '@loom-agent/kernel'

/** A thread and its children, the thread itself first. */
export interface Collected {
  readonly thread: string
  readonly threads: readonly { readonly thread: string; readonly events: readonly LoomEvent[] }[]
  readonly blobs: ReadonlyMap<string, Uint8Array>
  /** Blobs that are too big to be kept, or gone. */
  readonly leftBlobs: readonly { readonly hash: string; readonly bytes: number }[]
}

/** Blobs up to this many bytes are kept in a fixture. */
const keptBlob = 64 * 1024

/** Reads everything that a fixture of a thread is made of. */
export async function collect(journal: Journal, thread: string): Promise<Collected> {
  const threads: { thread: string; events: readonly LoomEvent[] }[] = []
  const blobs = new Map<string, Uint8Array>()
  const leftBlobs = new Map<string, { hash: string; bytes: number }>()
  for (const open = [thread]; open.length > 0; ) {
    const next = open.shift() as string
    const events = await readThread(journal, next)
    if (events.length === 0) continue
    threads.push({ thread: next, events })
    for (const event of events) if (event.type === 'child.started') open.push(event.data.child)
    for (const { $blob: hash, bytes } of events.flatMap(({ data }) => blobRefs(data as Json))) {
      const found = bytes <= keptBlob ? await journal.blob(hash) : undefined
      if (found) blobs.set(hash, found)
      else leftBlobs.set(hash, { hash, bytes })
    }
  }
  checkRoot(thread, threads[0]?.events ?? [])
  checkChildren(threads)
  return { thread, threads, blobs, leftBlobs: [...leftBlobs.values()] }
}

async function readThread(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events
}

function checkRoot(thread: string, events: readonly LoomEvent[]): void {
  const refuse = (code: 'LOOM_THREAD_NOT_FOUND' | 'LOOM_THREAD_IS_CHILD' | 'LOOM_OPTION_INVALID', problem: string): never => {
    throw new LoomError(code, problem, { context: { thread } })
  }
  if (events.length === 0) refuse('LOOM_THREAD_NOT_FOUND', `There is no thread ${thread} in this journal.`)
  for (const event of events) {
    if (event.type === 'thread.started' && event.data.parent)
      refuse(
        'LOOM_THREAD_IS_CHILD',
        `${thread} is a child of ${event.data.parent.thread}: write the regression of that thread, it brings its children.`,
      )
    if (event.type === 'thread.forked')
      refuse('LOOM_OPTION_INVALID', `${thread} is a fork of ${event.data.from}. Write the regression of a thread with a past of its own.`)
  }
}

/** A child that has ended and is not there any more was removed: what it did cannot be replayed. */
function checkChildren(threads: Collected['threads']): void {
  const known = new Set(threads.map(({ thread }) => thread))
  for (const event of threads.flatMap(({ events }) => events)) {
    if (event.type !== 'child.finished' || known.has(event.data.child)) continue
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
