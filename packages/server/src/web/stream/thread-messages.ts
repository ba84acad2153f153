/** The events and signals of a thread, and of its children, as messages. */
import { type Cursor, isSignal, type RunEvent, watch } from '@loom-agent/agent'
import type { LoomEvent, Seq } from '@loom-agent/kernel'
import type { FoundThread } from '../service/find-thread.ts'
import type { Service } from '../service/service.ts'
import { readCursor, requireCurrent, writeCursor } from './cursor.ts'
import type { Messages, StreamMessage } from './message.ts'

/** What is shown of a thread. */
export interface ThreadView {
  readonly found: FoundThread
  /** Where the client left off; undefined: at the beginning. */
  readonly after: string | undefined
  /** The events of children too. */
  readonly nested: boolean | undefined
  /** The stream ends when the run rests. */
  readonly until: 'rest' | undefined
  readonly signal: AbortSignal
}

/** What was seen so far. */
interface Seen {
  seq: Seq
  readonly children: Map<string, Seq>
}

/** Opens the view. Throws for a cursor that does not fit the thread. */
export function threadMessages({ journal }: Pick<Service, 'journal'>, view: ThreadView): Messages {
  const { found, after, nested, until, signal } = view
  const { head, agent } = found
  const cursor = after === undefined ? undefined : readCursor(after)
  if (cursor) requireCurrent(head, cursor)
  const seen: Seen = { seq: cursor?.seq ?? 0, children: new Map(cursor?.children) }
  const options = { from: fromOf(head.thread, seen, nested), nested, until, signal }
  const items: AsyncIterableIterator<RunEvent> = agent ? agent.watch(head.thread, options) : watch(journal, head.thread, options)
  return messagesOf(items, { ...found.head, seen, signal })
}

/** Where each thread of the tree goes on. */
function fromOf(thread: string, { seq, children }: Seen, nested: boolean | undefined): Cursor {
  if (!nested) return seq + 1
  return Object.fromEntries([[thread, seq + 1], ...[...children].map(([child, last]) => [child, last + 1] as const)])
}

async function* messagesOf(
  items: AsyncIterableIterator<RunEvent>,
  { thread, incarnation, seen, signal }: { readonly thread: string; readonly incarnation: string; readonly seen: Seen; readonly signal: AbortSignal },
): AsyncGenerator<StreamMessage, void> {
  for await (const item of items) {
    if (isSignal(item)) yield { event: 'signal', data: item }
    else {
      note(item, thread, seen)
      yield { event: 'event', data: item, cursor: writeCursor({ incarnation, ...seen }) }
    }
  }
  // A stream that was cut off has not ended.
  if (!signal.aborted) yield { event: 'end', data: { thread }, cursor: writeCursor({ incarnation, ...seen }) }
}

/** A child whose end was seen has no more to show: it is left out of the cursor. */
function note(event: LoomEvent, thread: string, seen: Seen): void {
  if (event.thread === thread) seen.seq = event.seq
  else seen.children.set(event.thread, event.seq)
  if (event.type === 'child.finished') seen.children.delete(event.data.child)
}
