/**
 * Cursors of streams: what a client has seen, in one line that it sends back.
 *
 * SEEN-1. A cursor of a thread names its incarnation: when the name has passed to another thread, or an older copy was restored, the client is told, and
 *     is shown nothing of another thread as a continuation.
 */
import { type Head, LoomError, type Seq } from '@loom-agent/kernel'

/** What was seen of one thread, and of its children. */
export interface SeenThread {
  readonly incarnation: string
  /** The last seq that was seen of the thread. */
  readonly seq: Seq
  /** The last seqs that were seen of its children. */
  readonly children: ReadonlyMap<string, Seq>
}

/** Writes a cursor. */
export function writeCursor({ incarnation, seq, children }: SeenThread): string {
  const nested = [...children].map(([child, last]) => `.${encodeURIComponent(child)}.${last}`)
  return `${seq}.${encodeURIComponent(incarnation)}${nested.join('')}`
}

/** Reads a cursor. */
export function readCursor(text: string): SeenThread {
  const [seq = '', incarnation = '', ...nested] = text.split('.')
  const children = new Map<string, Seq>()
  for (let index = 0; index + 1 < nested.length; index += 2) children.set(decode(nested[index] ?? ''), Number(nested[index + 1]))
  const isWhole = [Number(seq), ...children.values()].every((one) => Number.isSafeInteger(one) && one >= 0)
  if (!/^\d+$/.test(seq) || incarnation === '' || nested.length % 2 > 0 || !isWhole) {
    throw noCursor(text)
  }
  return { incarnation: decode(incarnation), seq: Number(seq), children }
}

function noCursor(text: string): LoomError {
  const cursor = text.slice(0, 200)
  const message = `${JSON.stringify(cursor)} is no cursor of a thread. Send the id of the last message of the stream.`
  return new LoomError('LOOM_REQUEST_INVALID', message, { context: { cursor } })
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw noCursor(part)
  }
}

/** Refuses a cursor of another incarnation, and one behind the end. */
export function requireCurrent({ thread, incarnation, seq }: Head, seen: SeenThread): void {
  if (seen.incarnation === incarnation && seen.seq <= seq) return
  const message =
    seen.incarnation === incarnation
      ? `The thread ${thread} ends at ${seq}, and the cursor is at ${seen.seq}: an older copy of the journal was restored.`
      : `The thread ${thread} of the cursor was removed, and another one has its name.`
  throw new LoomError('LOOM_CURSOR_STALE', `${message} Read it from the beginning.`, { context: { thread } })
}
