/** Journals that pass every operation through one function: processes that die, clocks that count. */
import type { Journal } from '@loom-agent/kernel'

/** What is done around an operation of a journal. */
export type Around = <T>(work: () => Promise<T>) => Promise<T>

const operations = ['acquire', 'release', 'append', 'head', 'read', 'threads', 'feed', 'blob', 'remove', 'close'] as const

type Operation = (...args: never[]) => Promise<unknown>

/** The same journal, with every asynchronous operation passed through `around`. Whatever else the journal has stays as it is. */
export function wrapJournal(journal: Journal, around: Around): Journal {
  const wrapped = operations.map((name) => {
    const operation: Operation = journal[name]
    return [name, (...args: never[]) => around(() => operation(...args))] as const
  })
  return { ...journal, ...(Object.fromEntries(wrapped) as Partial<Journal>) }
}
