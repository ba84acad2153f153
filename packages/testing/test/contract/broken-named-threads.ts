/** Journals that mistake one thread for another one of the same id, in reads and in removals. */
import type { Journal, LoomEvent, ReadRange, RemoveOptions } from '@loom-agent/kernel'
import { type Fault, seqOf, tick } from './faults.ts'

type NamedRange = ReadRange & { readonly incarnation: string }

/** A fault of a read that names an incarnation. */
const readingNamed = (name: string, read: (journal: Journal, thread: string, range: NamedRange) => Promise<readonly LoomEvent[]>): Fault => ({
  rule: 'JOURNAL-13',
  name,
  spoil: (journal) => ({
    ...journal,
    read: (thread, { incarnation, ...range } = {}) =>
      incarnation === undefined ? journal.read(thread, range) : read(journal, thread, { ...range, incarnation }),
  }),
})

const anonymous = ({ incarnation: _incarnation, ...range }: NamedRange): ReadRange => range

/** Faults of reads that name an incarnation. */
export const namedReadFaults: readonly Fault[] = [
  readingNamed('reads whatever thread has the name', (journal, thread, range) => journal.read(thread, anonymous(range))),
  readingNamed('returns an empty page for a thread that is gone', (journal, thread, range) => journal.read(thread, range).catch(() => [])),
  readingNamed('compares the incarnation on the first page only', (journal, thread, range) =>
    journal.read(thread, (range.from ?? 1) === 1 ? range : anonymous(range)),
  ),
  readingNamed('compares the incarnation with that of the events it finds', async (journal, thread, range) => {
    const page = await journal.read(thread, anonymous(range))
    return page.length === 0 ? page : journal.read(thread, range)
  }),
  readingNamed('compares the incarnation first and reads later', async (journal, thread, range) => {
    await journal.read(thread, range)
    await tick()
    return journal.read(thread, anonymous(range))
  }),
  readingNamed('does not compare the incarnation of a fork', async (journal, thread, range) =>
    journal.read(thread, (await journal.head(thread))?.forkOf ? anonymous(range) : range),
  ),
  readingNamed('looks for the incarnation of a fork in its parent', async (journal, thread, range) => {
    const forkOf = (await journal.head(thread))?.forkOf
    if (!forkOf || (range.from ?? 1) > forkOf.seq) return journal.read(thread, range)
    await journal.read(forkOf.thread, range)
    return journal.read(thread, anonymous(range))
  }),
  readingNamed('takes a removed thread for an empty one', async (journal, thread, range) =>
    (await seqOf(journal, thread)) === 0 ? [] : journal.read(thread, range),
  ),
  readingNamed('finds a removed thread in what a claim has left', async (journal, thread, range) =>
    (await journal.head(thread))?.seq === 0 ? [] : journal.read(thread, range),
  ),
  readingNamed('finds only threads whose incarnation is not their name', (journal, thread, range) =>
    journal.read(thread, range.incarnation === thread ? { ...range, incarnation: `${thread} of format 2` } : range),
  ),
]

/** A fault of a removal that names a head. */
const removingNamed = (
  name: string,
  remove: (journal: Journal, thread: string, expected: NonNullable<RemoveOptions['expected']>) => ReturnType<Journal['remove']>,
): Fault => ({
  rule: 'JOURNAL-14',
  name,
  spoil: (journal) => ({
    ...journal,
    remove: (thread, options) => (options?.expected ? remove(journal, thread, options.expected) : journal.remove(thread)),
  }),
})

/** Faults of removals that name a head. */
export const namedRemovalFaults: readonly Fault[] = [
  removingNamed('removes whatever thread has the name', (journal, thread) => journal.remove(thread)),
  removingNamed('compares the seq alone', async (journal, thread, expected) => {
    const head = await journal.head(thread)
    return journal.remove(thread, { expected: { ...expected, incarnation: head?.incarnation ?? expected.incarnation } })
  }),
  removingNamed('compares the incarnation alone', async (journal, thread, expected) => {
    const head = await journal.head(thread)
    return journal.remove(thread, { expected: { ...expected, seq: head?.seq ?? expected.seq } })
  }),
  removingNamed('removes a thread that has fewer events than expected', async (journal, thread, expected) => {
    const seq = Math.min(expected.seq, (await seqOf(journal, thread)) || Number.POSITIVE_INFINITY)
    return journal.remove(thread, { expected: { ...expected, seq } })
  }),
  removingNamed('says that a thread was removed that stays', async (journal, thread, expected) => {
    await journal.remove(thread, { expected })
    return 'removed'
  }),
  removingNamed('says that a thread has changed that it removes', async (journal, thread, expected) => {
    await journal.remove(thread, { expected })
    return 'changed'
  }),
  removingNamed('says that a thread was removed that it does not know', async (journal, thread, expected) =>
    (await journal.head(thread)) ? journal.remove(thread, { expected }) : 'removed',
  ),
  removingNamed('looks at the head first and removes later', async (journal, thread, { seq, incarnation }) => {
    const head = await journal.head(thread)
    if (head?.seq !== seq || head.incarnation !== incarnation) return 'changed'
    await tick()
    return journal.remove(thread)
  }),
  removingNamed('removes a thread with its forks', async (journal, thread, expected) => {
    for (const { thread: fork, forkOf } of await journal.threads()) if (forkOf?.thread === thread) await journal.remove(fork)
    return journal.remove(thread, { expected })
  }),
  removingNamed('looks for forks before it looks at the head', async (journal, thread, expected) => {
    const isForked = (await journal.threads()).some(({ forkOf }) => forkOf?.thread === thread)
    return isForked ? journal.remove(thread) : journal.remove(thread, { expected })
  }),
]
