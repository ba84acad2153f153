/** The threads that a fork was cut from: it cannot be read without them. */
import type { ForkOf, Head, Journal, LoomError, Seq } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'

/** A thread and the last of its events that is needed. */
export interface Ancestor {
  readonly head: Head
  readonly last: Seq
}

/** The threads that a fork reads, the oldest first; none for a thread that is no fork. Throws when one of them is missing or too short. */
export async function ancestorsOf(journal: Journal, head: Head): Promise<readonly Ancestor[]> {
  const ancestors: Ancestor[] = []
  for (let fork = head; fork.forkOf; ) {
    const parent = await parentOf(journal, fork.thread, fork.forkOf)
    ancestors.unshift({ head: parent, last: fork.forkOf.seq })
    fork = parent
  }
  return ancestors
}

/** The thread that a fork was cut from. Throws unless the journal holds the event at the cut. */
export async function parentOf(journal: Journal, fork: string, forkOf: ForkOf): Promise<Head> {
  const parent = await journal.head(forkOf.thread)
  if (parent && parent.incarnation === forkOf.incarnation && parent.seq >= forkOf.seq) return parent
  throw withoutParent(fork, forkOf)
}

function withoutParent(fork: string, { thread, seq }: ForkOf): LoomError {
  const message = `${fork} is a fork of ${thread}@${seq}, and that part of ${thread} is not in this journal. Import or migrate it first.`
  return journalError('unusable', message, { context: { thread: fork, from: `${thread}@${seq}` } })
}
