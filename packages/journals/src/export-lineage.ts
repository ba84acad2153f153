/** What a fork cannot be read without: the threads it was cut from, as the thread table knows them. */
import type { Head, Journal } from '@loom-agent/kernel'
import { damage, journalError } from './failure.ts'
import type { TransferHeader } from './transfer-line.ts'

/** The header of a thread; `past` says that it was taken along: which fork reads it, and how many of its events. */
export type ExportHeader = TransferHeader & { readonly past?: { readonly of: string; readonly events: number } }

/** The label under which a fork keeps the moment it was cut at. */
const forkLabel = '$fork'

/** Where a fork was cut, counted over all that it shares; undefined for a thread that is no fork. */
export function cutOf({ summary }: Head): { readonly thread: string; readonly seq: number } | undefined {
  const cut = summary.labels?.[forkLabel]
  if (typeof cut !== 'string') return undefined
  const at = cut.lastIndexOf('@')
  return { thread: cut.slice(0, at), seq: Number(cut.slice(at + 1)) }
}

/** A thread that a fork reads, and how many of that thread's own events. */
export interface Ancestor {
  readonly thread: string
  readonly events: number
}

/** The threads that a fork reads, the eldest first; none for a thread that is no fork. Throws when one of them is missing or too short. */
export async function lineageOf(journal: Journal, head: Head): Promise<readonly Ancestor[]> {
  const lineage: Ancestor[] = []
  for (let fork = head, cut = cutOf(head); cut; cut = cutOf(fork)) {
    const parent = await journal.head(cut.thread)
    // Forks of forks are cut beyond what they share, so the seqs fall from thread to thread and this ends.
    const events = cut.seq - ((parent && cutOf(parent)?.seq) ?? 0)
    if (!(events >= 1)) throw damage(fork.thread, 1, `it cannot have been cut from ${cut.thread} at ${cut.seq}`)
    if (!parent || parent.seq < events) throw withoutPast(fork.thread, cut)
    lineage.unshift({ thread: cut.thread, events })
    fork = parent
  }
  return lineage
}

const withoutPast = (fork: string, { thread, seq }: { thread: string; seq: number }): Error =>
  journalError('unusable', `${fork} is a fork of ${thread}@${seq}, and that part of ${thread} is not in this journal. Bring it here first.`, {
    context: { thread: fork, from: `${thread}@${seq}` },
  })
