/**
 * Reading the presence of entries over the turns of a thread, in ranges of entries and of turns. Loaded on use.
 *
 * EXPLAIN-3. It is linear in the length of the thread: a turn looks at what it adds, and a rebase at what it shows and at what changes.
 */
import { at, type Entry, type Journal } from '@loom-agent/kernel'
import { recordOf } from '../look/record-of.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { checkThread } from '../types/thread-id.ts'
import { type Assembled, createContextFold } from './context-fold.ts'
import type { ExplainWhat } from './explanation.ts'
import { previewOf } from './fragments.ts'
import type { Presence, PresenceRow } from './presence.ts'
import { createMatrix, type MatrixRow } from './presence-matrix.ts'
import { createPromptTracker } from './prompt-tracker.ts'
import { checkWhat, matches, wantedBy } from './search.ts'

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
