/**
 * The verdicts on batches and claims, for stores that know the head of a thread when they decide. The order of the checks is that of the journal
 * contract.
 */
import {
  type AcquireResult,
  type AppendResult,
  type Batch,
  type Claim,
  type ForkOf,
  type Head,
  missingParent,
  type Seq,
  threadQuarantined,
} from '@loom-agent/kernel'

/** The head of a thread, as far as verdicts need it; undefined when there is no such thread. */
type KnownHead = (Pick<Head, 'incarnation' | 'seq' | 'epoch' | 'holder'> & { readonly isQuarantined: boolean }) | undefined

/** What the verdict on a batch needs too: whether the thread is a copy that is not whole (JOURNAL-22). */
export type AppendHead = (NonNullable<KnownHead> & { readonly isPartial: boolean }) | undefined

/** What lets a batch into a thread that is quarantined (JOURNAL-23): it adopts the thread, or is part of a copy. */
export const passes = { adoption: 1, copy: 2 } as const

/** The pass that a batch has. */
export function passOf({ isCopy, events }: Pick<Batch, 'isCopy' | 'events'>): 1 | 2 | null {
  if (isCopy) return passes.copy
  return events.some(({ type }) => type === 'thread.adopted') ? passes.adoption : null
}

/** A batch, as far as the verdict on it needs it. */
type Judged = Pick<Batch, 'incarnation' | 'expected' | 'epoch' | 'forkOf'> & { readonly thread: string; readonly pass: 1 | 2 | null }

/**
 * Why a batch is not stored now; undefined when it fits. `storedAt` returns the last seq of the batch if it is stored already. Throws where the thread is
 * quarantined.
 */
export function judgeAppend(head: AppendHead, batch: Judged, storedAt: () => Seq | undefined): AppendResult | undefined {
  const { incarnation, expected, forkOf } = batch
  const { seq = 0, epoch = 0 } = head ?? {}
  const isShut = head?.isQuarantined === true && batch.pass === null
  const isFenced = isFencedBy(head, batch.epoch)
  const isOther = seq > 0 && head?.incarnation !== incarnation
  // A fork starts on a name that has no events.
  const isNext = forkOf ? seq === 0 && expected === forkOf.seq : expected === seq
  // What is stored already is before the head, so it is never next.
  if (isNext && !isFenced && !isOther && !isShut) return undefined
  const stored = isOther ? undefined : storedAt()
  if (stored !== undefined) return { kind: 'appended', seq: stored }
  if (isShut) throw threadQuarantined(batch.thread)
  return isFenced || (isOther && !isStart(batch)) ? { kind: 'fenced', epoch } : { kind: 'conflict', seq }
}

/** Whether a batch begins a thread or a fork. */
const isStart = ({ expected, forkOf }: Judged): boolean => expected === 0 || forkOf !== undefined

/** Whether the epoch of a batch is not the current one; a contributor has none, and is fenced where a copy is not whole (JOURNAL-22). */
function isFencedBy(head: AppendHead, writer: number | undefined): boolean {
  return writer === undefined ? head?.isPartial === true : writer !== (head?.epoch ?? 0)
}

/** A claim on a thread. */
type NamedClaim = Claim & { readonly thread: string }

/** Why a claim fails; undefined when it does not. Throws where the thread is quarantined (JOURNAL-23). */
export function judgeClaim(head: KnownHead, claim: NamedClaim): Exclude<AcquireResult, { readonly kind: 'acquired' }> | undefined {
  const { thread, incarnation, seen, force, copied } = claim
  const { seq = 0, epoch = 0, holder } = head ?? {}
  if (seq > 0 && head?.incarnation !== incarnation) return { kind: 'fenced', epoch }
  if ((holder !== undefined && !force) || epoch !== seen) return { kind: 'held', epoch, holder }
  if (head?.isQuarantined && copied === undefined) throw threadQuarantined(thread)
  return undefined
}

/** The epoch that a claim leads to (JOURNAL-24). */
export const epochAfter = ({ seen, copied = 0 }: Claim): number => Math.max(seen + 1, copied)

/** The start of a fork. */
type ForkStart = Readonly<{ thread: string; forkOf: ForkOf; pass: 1 | 2 | null; isQuarantined: boolean }>

/** Throws unless the parent of a fork holds the event at the cut (JOURNAL-7), and where the fork is to leave the quarantine of its parent (JOURNAL-23). */
export function requireParent(parent: KnownHead, { thread: fork, forkOf, pass, isQuarantined }: ForkStart): void {
  const isThere = parent !== undefined && parent.incarnation === forkOf.incarnation && forkOf.seq >= 1 && parent.seq >= forkOf.seq
  if (!isThere) throw missingParent(fork, forkOf)
  if (parent.isQuarantined && !isQuarantined && pass !== passes.copy) throw threadQuarantined(forkOf.thread)
}
