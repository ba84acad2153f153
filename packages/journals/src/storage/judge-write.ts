/**
 * The verdicts on batches and claims, for stores that know the head of a thread when they decide. The order of the checks is that of the journal
 * contract.
 */
import { type AcquireResult, type AppendResult, type Batch, type Claim, type ForkOf, type Head, missingParent, type Seq } from '@loom-agent/kernel'

/** The head of a thread, as far as verdicts need it; undefined when there is no such thread. */
type KnownHead = Pick<Head, 'incarnation' | 'seq' | 'epoch' | 'holder'> | undefined

/** What the verdict on a batch needs too: whether the thread is a copy that is not whole (JOURNAL-22). */
export type AppendHead = (NonNullable<KnownHead> & { readonly isPartial: boolean }) | undefined

/** Why a batch is not stored now; undefined when it fits. `storedAt` returns the last seq of the batch if it is stored already. */
export function judgeAppend(
  head: AppendHead,
  { incarnation, expected, epoch: writer, forkOf }: Pick<Batch, 'incarnation' | 'expected' | 'epoch' | 'forkOf'>,
  storedAt: () => Seq | undefined,
): AppendResult | undefined {
  const { seq = 0, epoch = 0 } = head ?? {}
  const isFenced = writer === undefined ? head?.isPartial === true : writer !== epoch
  const isOther = seq > 0 && head?.incarnation !== incarnation
  // A fork starts on a name that has no events.
  const isNext = forkOf ? seq === 0 && expected === forkOf.seq : expected === seq
  // What is stored already is before the head, so it is never next.
  if (isNext && !isFenced && !isOther) return undefined
  const stored = isOther ? undefined : storedAt()
  if (stored !== undefined) return { kind: 'appended', seq: stored }
  const isStart = expected === 0 || forkOf !== undefined
  return isFenced || (isOther && !isStart) ? { kind: 'fenced', epoch } : { kind: 'conflict', seq }
}

/** Why a claim fails; undefined when it does not. */
export function judgeClaim(head: KnownHead, { incarnation, seen, force }: Claim): Exclude<AcquireResult, { readonly kind: 'acquired' }> | undefined {
  const { seq = 0, epoch = 0, holder } = head ?? {}
  if (seq > 0 && head?.incarnation !== incarnation) return { kind: 'fenced', epoch }
  return (holder !== undefined && !force) || epoch !== seen ? { kind: 'held', epoch, holder } : undefined
}

/** Throws unless the parent of a fork holds the event at the cut (JOURNAL-7). */
export function requireParent(parent: KnownHead, fork: string, forkOf: ForkOf): void {
  const isThere = parent !== undefined && parent.incarnation === forkOf.incarnation && forkOf.seq >= 1 && parent.seq >= forkOf.seq
  if (!isThere) throw missingParent(fork, forkOf)
}
