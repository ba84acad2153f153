/** The threads that a thread needs: those that a fork was cut from, without which it cannot be read, and its children, with which it continues. */
import { type ForkOf, type Head, type Journal, LoomError, type Seq } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'
import { journalError } from '../storage/failure.ts'

/** A thread and the last of its events that is needed. */
export interface Ancestor {
  readonly head: Head
  readonly last: Seq
}

/** The head of a thread. Throws when the journal has no such thread. */
export async function requireHead(journal: Journal, thread: string): Promise<Head> {
  const head = await journal.head(thread)
  if (head?.seq) return head
  throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${thread} in this journal.`, { context: { thread } })
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

/** The children of a thread, theirs, and so on; parents come before their children. What an earlier thread of the same name has left behind is not among them. */
export async function descendantsOf(journal: Journal, root: Head): Promise<readonly Head[]> {
  const found = new Map([[root.thread, root]])
  // A map is iterated over with what is added meanwhile.
  for (const parent of found.values()) {
    for await (const head of allHeads(journal, { parent: parent.thread })) {
      if (!found.has(head.thread) && (await isChildOf(journal, head, parent))) found.set(head.thread, head)
    }
  }
  return [...found.values()].slice(1)
}

/** Whether a thread is a child of this incarnation of its parent. Records of older versions do not say of which. */
async function isChildOf(journal: Journal, { thread, incarnation }: Head, parent: Head): Promise<boolean> {
  const [first] = await journal.read(thread, { from: 1, limit: 1, incarnation })
  const named = first?.type === 'thread.started' ? first.data.parent?.incarnation : undefined
  return named === undefined || named === parent.incarnation
}
