/**
 * The ends of threads after the last append of this object, and the statement that continues from there.
 *
 * The driver of a thread knows its end: the hash that its next batch is linked to, and what the thread table says of it. So most appends are one plain
 * statement, with a hash that is computed here; the server returns only how many rows were stored.
 *
 * PG-10. What is known here is never relied on: the statement stores nothing unless the head is the one that was left (its hash says so, which covers
 *        everything before it, and the summary changes with a batch alone), under the same epoch, held by this object, on a server that flushes. Otherwise
 *        the function decides, as for every other batch.
 * PG-11. The statement does not compare the incarnation, because the row and its hash do. A row exists as long as the thread: a new thread under the
 *        same name has a row with another number, and no number is used twice. The hash of a row is that of a chain which starts with the incarnation, so
 *        that a row without events, whose incarnation the first batch may still change, has another hash afterwards. What remains is compared here: a
 *        batch is sent this way only when it names the incarnation of the batch that left the tail.
 */
import { chainLink } from '../storage/chain.ts'
import type { StorableBatch } from '../storage/storable-batch.ts'
import { isSameSummary } from '../storage/thread-columns.ts'
import type { AppendStatement, Tail } from './appending.ts'

/** An append that continues from a tail, and the tail that it leaves. */
export type NextAppend = AppendStatement & { readonly tail: Tail }

/** The ends that are known. */
export interface Tails {
  /** The statement for a batch that continues from the known tail; undefined when the batch needs the function. */
  next(batch: StorableBatch): NextAppend | undefined
  /** Remembers the tail that a batch has left. */
  remember(batch: StorableBatch, tail: Tail): void
}

/** How many ends are remembered. */
const limit = 1000

/** The ends of threads in a schema, known to the instance `here`. */
export function createTails(s: string, here: string): Tails {
  const tails = new Map<string, Tail & Pick<StorableBatch, 'incarnation' | 'summary'>>()
  // The driver looks a statement up by its text: a short one is found sooner.
  const statement = `with h as (update ${s}.threads set seq=$4,hash=decode($6,'hex') where id=$1 and hash=decode($2,'hex') and epoch=$3 and instance='${here}'
and current_setting('synchronous_commit')<>'off' returning id)
insert into ${s}.batches(thread,last,id,hash,line) select id,$4,$5,decode($6,'hex'),$7 from h`
  return {
    next({ thread, incarnation, id, expected, epoch, count, whole, line, blobs, summary }) {
      const tail = tails.get(thread)
      if (tail === undefined || tail.seq !== expected || epoch === null || count === 0 || blobs.size > 0) return undefined
      if (tail.incarnation !== incarnation || !isSameSummary(tail.summary, summary)) return undefined
      const seq = expected + count
      const hash = chainLink(tail.hash, whole)
      return { statement, values: [tail.number, tail.hash, epoch, seq, id, hash, line], tail: { number: tail.number, seq, hash } }
    },
    remember({ thread, incarnation, summary }, { number, seq, hash }) {
      tails.set(thread, { number, seq, hash, incarnation, summary })
      if (tails.size <= limit) return
      // The oldest one: if its thread is still used, the function returns its tail again.
      const [oldest = thread] = tails.keys()
      tails.delete(oldest)
    },
  }
}
