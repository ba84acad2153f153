/**
 * Reading the presence of entries over the turns of a thread, in ranges of entries and of turns. Loaded on use.
 *
 * EXPLAIN-3. It is linear in the length of the thread: a turn looks at what it adds, and a rebase at what it shows and at what changes.
 */
import { at, type Entry, type Journal, type Seq } from '@loom-agent/kernel'
import { recordOf } from '../look/record-of.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { checkThread } from '../types/thread-id.ts'
import { type Assembled, createContextFold } from './context-fold.ts'
import type { ExplainWhat } from './explanation.ts'
import { previewOf } from './fragments.ts'
import { createMatrix, type MatrixRow, type PresenceRange } from './presence-matrix.ts'
import { createPromptTracker } from './prompt-tracker.ts'
import { checkWhat, matches, wantedBy } from './search.ts'

/** What entries that follow each other have in common over the turns. */
export interface PresenceRow {
  /** The index of the first entry in the history. */
  readonly from: number
  /** The index of the last entry. */
  readonly to: number
  /** The seq of the event that brought the first entry. */
  readonly seq: Seq
  /** How the first entry begins. */
  readonly text: string
  /** The turns, in order and without a gap, from the one in which they first could be sent. */
  readonly turns: readonly PresenceRange[]
}

/** Which entries were in which requests. */
export interface Presence {
  /** The thread. */
  readonly thread: string
  /** The number of its last turn that has a context. */
  readonly turn: number
  /** The entries, in the order of the history. */
  readonly rows: readonly PresenceRow[]
}

/** Which entries of a thread were in the requests of which turns. */
export async function readPresence(journal: Journal, thread: string, what?: ExplainWhat): Promise<Presence> {
  requireJournal('presenceOf', journal)
  checkThread(thread)
  if (what !== undefined) checkWhat(what)
  const fold = createContextFold(thread)
  const tracker = createPromptTracker()
  const matrix = createMatrix()
  const take = (assembled: Assembled | undefined): void => {
    if (assembled) matrix.add(tracker.update(assembled, assembled.requests.at(-1)))
  }
  for await (const event of recordOf(journal, thread)) take(fold.take(event))
  take(fold.end())
  const { history, turn } = fold.frame()
  const wanted = what === undefined ? undefined : wantedBy(what, fold.frame())
  const entryAt = (index: number): Entry => at(history, index) as Entry
  const rowOf = ({ from, to, turns }: MatrixRow): PresenceRow => ({ from, to: to - 1, seq: entryAt(from).seq, text: previewOf(entryAt(from)), turns })
  const rows = matrix.rows().flatMap((row): readonly PresenceRow[] => {
    if (!wanted) return [rowOf(row)]
    const single: PresenceRow[] = []
    for (let index = row.from; index < row.to; index += 1)
      if (matches(entryAt(index), wanted)) single.push(rowOf({ ...row, from: index, to: index + 1 }))
    return single
  })
  return { thread, turn, rows }
}
