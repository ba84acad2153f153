/** Journals that remove too little or too much of a tree of threads. */
import { type Batch, type Head, type Journal, LoomError } from '@loom-agent/kernel'
import type { Fault } from './faults.ts'

type Remove = (journal: Journal, ...args: Parameters<Journal['remove']>) => ReturnType<Journal['remove']>

/** A fault of removals. */
const removing = (name: string, remove: Remove): Fault => ({
  rule: 'JOURNAL-17',
  name,
  spoil: (journal) => ({ ...journal, remove: (thread, options) => remove(journal, thread, options) }),
})

/** A fault of what a thread is known to be a child of when it is removed. */
const orphaning = (name: string, isForgotten: (journal: Journal, batch: Batch) => Promise<boolean>): Fault => ({
  rule: 'JOURNAL-17',
  name,
  spoil: (journal) => ({
    ...journal,
    async append(thread, batch) {
      const { parent, ...summary } = batch.summary
      return journal.append(thread, parent !== undefined && (await isForgotten(journal, batch)) ? { ...batch, summary } : batch)
    },
  }),
})

const childrenOf = (journal: Journal, thread: string): Promise<readonly Head[]> => journal.threads({ parent: thread })

/** Takes threads from their drivers. */
async function release(journal: Journal, threads: readonly string[]): Promise<void> {
  for (const thread of threads) {
    const head = await journal.head(thread)
    if (head) await journal.release(thread, head)
  }
}

/** The children of a thread, theirs, and so on. */
async function below(journal: Journal, thread: string): Promise<readonly string[]> {
  const found = new Set([thread])
  for (const parent of found) for (const child of await childrenOf(journal, parent)) found.add(child.thread)
  return [...found].slice(1)
}

/** Faults of removing trees. */
export const treeFaults: readonly Fault[] = [
  orphaning('leaves all children', async () => true),
  orphaning('leaves the children of children', async (journal, { summary }) => {
    const parent = await journal.head(summary.parent ?? '')
    return parent?.summary.parent !== undefined
  }),
  {
    rule: 'JOURNAL-17',
    name: 'takes a parent that has failed for one that cannot go on',
    spoil: (journal) => ({
      ...journal,
      append: (thread, batch) =>
        journal.append(thread, batch.summary.status === 'failed' ? { ...batch, summary: { ...batch.summary, status: 'stopped' } } : batch),
    }),
  },
  removing('removes a tree that is driven', async (journal, thread, options) => {
    await release(journal, [thread, ...(await below(journal, thread))])
    return journal.remove(thread, options)
  }),
  removing('looks at the driver of the thread alone', async (journal, thread, options) => {
    await release(journal, await below(journal, thread))
    return journal.remove(thread, options)
  }),
  removing('looks at the drivers of children alone', async (journal, thread, options) => {
    await release(journal, [thread])
    return journal.remove(thread, options)
  }),
  removing('takes the holder of a thread at rest for its driver', async (journal, thread, options) => {
    for (const name of [thread, ...(await below(journal, thread))]) {
      if ((await journal.head(name))?.holder !== undefined) throw new LoomError('LOOM_THREAD_BUSY', `${name} is held.`)
    }
    return journal.remove(thread, options)
  }),
  removing('removes the forks of children', async (journal, thread, options) => {
    const tree = await below(journal, thread)
    for (const { thread: fork, forkOf } of await journal.threads()) if (forkOf && tree.includes(forkOf.thread)) await journal.remove(fork)
    return journal.remove(thread, options)
  }),
  removing('removes one child after another, until one is driven', async (journal, thread, options) => {
    for (const child of (await below(journal, thread)).toReversed()) await journal.remove(child)
    return journal.remove(thread, options)
  }),
  removing('leaves what a thread has left behind', async (journal, thread, options) =>
    (await journal.head(thread)) ? journal.remove(thread, options) : 'removed',
  ),
  removing('removes the brothers of a child', async (journal, thread, options) => {
    const parent = (await journal.head(thread))?.summary.parent
    const ended = await journal.remove(thread, options)
    if (parent !== undefined) for (const brother of await childrenOf(journal, parent)) await journal.remove(brother.thread)
    return ended
  }),
  removing('removes the parent of a child', async (journal, thread, options) => {
    const parent = (await journal.head(thread))?.summary.parent
    const ended = await journal.remove(thread, options)
    if (parent !== undefined) await journal.remove(parent)
    return ended
  }),
]
