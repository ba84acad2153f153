/** How a sound journal is made to break one promise. */
import type { AppendResult, Batch, Head, Journal, LoomEvent, Summary } from '@loom-agent/kernel'
import type { ContractRule, Reopen } from '../../src/contract/contract-case.ts'

/** A fault, and the rule whose cases must notice it. */
export interface Fault {
  readonly name: string
  readonly rule: ContractRule
  spoil(journal: Journal): Journal
  /** What opening it again does; without it everything is kept. */
  readonly reopen?: Reopen
}

/** Lets everything else run first. */
export const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
/** The head's seq. */
export const seqOf = async (journal: Journal, thread: string): Promise<number> => (await journal.head(thread))?.seq ?? 0
/** The head's epoch. */
export const epochOf = async (journal: Journal, thread: string): Promise<number> => (await journal.head(thread))?.epoch ?? 0

/** A fault of `append`: what it makes of a batch before it is stored, or instead. */
export const appending = (
  rule: ContractRule,
  name: string,
  append: (journal: Journal, thread: string, batch: Batch) => Promise<AppendResult>,
): Fault => ({ rule, name, spoil: (journal) => ({ ...journal, append: (thread, batch) => append(journal, thread, batch) }) })

/** A journal that takes batches with the same key for the same batch. */
export function knownBy(keyOf: (thread: string, batch: Batch) => string): (journal: Journal) => Journal {
  return (journal) => {
    const known = new Map<string, AppendResult>()
    return {
      ...journal,
      async append(thread, batch) {
        const key = keyOf(thread, batch)
        const result = known.get(key) ?? (await journal.append(thread, batch))
        if (result.kind === 'appended') known.set(key, result)
        return result
      },
    }
  }
}

/** A fault of `acquire`. */
export const acquiring = (
  name: string,
  acquire: (journal: Journal, thread: string, claim: Parameters<Journal['acquire']>[1]) => ReturnType<Journal['acquire']>,
): Fault => ({ rule: 'JOURNAL-4', name, spoil: (journal) => ({ ...journal, acquire: (thread, claim) => acquire(journal, thread, claim) }) })

type Range = { from?: number | undefined; limit?: number | undefined }

/** A fault of `read`. */
export const reading = (name: string, read: (journal: Journal, thread: string, range: Range) => Promise<readonly LoomEvent[]>): Fault => ({
  rule: 'JOURNAL-5',
  name,
  spoil: (journal) => ({ ...journal, read: (thread, range = {}) => read(journal, thread, range) }),
})

/** A fault of what is read, event by event. */
export const changing = (name: string, change: (event: LoomEvent) => object): Fault =>
  reading(name, async (journal, thread, range) => (await journal.read(thread, range)).map((event) => ({ ...event, ...change(event) })))

/** A fact with another text. */
export const shortened = (event: LoomEvent, shorten: (text: string) => string): object =>
  event.type === 'memory.recorded' && typeof event.data.value === 'string' ? { data: { ...event.data, value: shorten(event.data.value) } } : {}

/** A fault of the names of threads. */
export const renaming = (name: string, rename: (thread: string) => string): Fault => ({
  rule: 'JOURNAL-5',
  name,
  spoil: (journal) => ({
    ...journal,
    append: (thread, batch) => journal.append(rename(thread), batch),
    head: (thread) => journal.head(rename(thread)),
    read: (thread, range) => journal.read(rename(thread), range),
  }),
})

/** A fault of the summaries that are shown. */
export const summarising = (name: string, show: (given: readonly Summary[]) => Summary): Fault => ({
  rule: 'JOURNAL-9',
  name,
  spoil(journal) {
    const given = new Map<string, Summary[]>()
    const shown = (head: Head): Head => ({ ...head, summary: show(given.get(head.thread) ?? [head.summary]) })
    return {
      ...journal,
      append(thread, batch) {
        given.set(thread, [...(given.get(thread) ?? []), structuredClone(batch.summary)])
        return journal.append(thread, batch)
      },
      async head(thread) {
        const head = await journal.head(thread)
        return head && shown(head)
      },
      threads: async (query) => (await journal.threads(query)).map(shown),
    }
  },
})

/** A fault of `threads`. */
export const listing = (
  name: string,
  threads: (journal: Journal, query: NonNullable<Parameters<Journal['threads']>[0]>) => Promise<readonly Head[]>,
): Fault => ({
  rule: 'JOURNAL-9',
  name,
  spoil: (journal) => ({ ...journal, threads: (query = {}) => threads(journal, query) }),
})

type Hint = (seq: number) => void

/** A fault of hints: `notify` gets the watchers, and calls them as it likes. */
export const hinting = (
  name: string,
  notify: (hints: ReadonlyMap<string, ReadonlySet<Hint>>, appended: { thread: string; batch: Batch; result: AppendResult }) => void,
): Fault => ({
  rule: 'JOURNAL-8',
  name,
  spoil(journal) {
    const hints = new Map<string, Set<Hint>>()
    return {
      ...journal,
      watch(thread, hint) {
        hints.set(thread, (hints.get(thread) ?? new Set()).add(hint))
        return () => hints.get(thread)?.delete(hint)
      },
      async append(thread, batch) {
        const result = await journal.append(thread, batch)
        notify(hints, { thread, batch, result })
        return result
      },
      async remove(thread, options) {
        const result = await journal.remove(thread, options)
        for (const hint of hints.get(thread) ?? []) hint(0)
        return result
      },
    }
  },
})

/** A fault of blobs: keeps them itself. */
export const blobbing = (
  name: string,
  how: { keep(blobs: Map<string, Uint8Array>, batch: Batch, result: AppendResult): void; give?(bytes: Uint8Array): Uint8Array },
): Fault => ({
  rule: 'JOURNAL-10',
  name,
  spoil(journal) {
    const blobs = new Map<string, Uint8Array>()
    const give = how.give ?? ((bytes: Uint8Array) => bytes.slice())
    return {
      ...journal,
      async append(thread, batch) {
        const result = await journal.append(thread, batch)
        how.keep(blobs, batch, result)
        return result
      },
      async blob(hash) {
        const bytes = blobs.get(hash)
        return bytes && give(bytes)
      },
    }
  },
})

/** Keeps the blobs of a batch, stored or not. */
export const keepAll = (blobs: Map<string, Uint8Array>, { blobs: given }: Batch): void => {
  for (const [hash, bytes] of given ?? []) blobs.set(hash, bytes.slice())
}

/** A fault of `remove`. */
export const removing = (name: string, spoil: (journal: Journal) => Journal): Fault => ({ rule: 'JOURNAL-11', name, spoil })
/** A fault of opening again. */
export const reopening = (name: string, again: Reopen): Fault => ({ rule: 'JOURNAL-12', name, spoil: (journal) => journal, reopen: again })
