/** Journals that read badly. */
import type { LoomEvent } from '@loom-agent/kernel'
import { changing, type Fault, hinting, reading, renaming, seqOf, shortened } from './faults.ts'

/** Faults of `read`. */
export const readFaults: readonly Fault[] = [
  reading('reads backwards', async (journal, thread, range) => (await journal.read(thread, range)).toReversed()),
  reading('begins one event early', (journal, thread, range) => journal.read(thread, { ...range, from: Math.max(1, (range.from ?? 1) - 1) })),
  reading('drops the tail of a page', async (journal, thread, range) => {
    const page = await journal.read(thread, range)
    return page.length > 2 ? page.slice(0, -1).filter(({ seq }) => seq !== page.length - 1) : page
  }),
  reading('reads a batch only from its beginning', async (journal, thread, range) => {
    const all = await journal.read(thread, { from: 1 })
    const from = range.from ?? 1
    return all.some(({ seq, time }) => seq === from - 1 && all[from - 1]?.time === time) ? [] : journal.read(thread, range)
  }),
  reading('ignores the size of a page', (journal, thread, { from = 1 }) => journal.read(thread, { from })),
  reading('ends after a thousand events', async (journal, thread, range) => (await journal.read(thread, range)).filter(({ seq }) => seq <= 1000)),
  reading('returns the last event beyond the end', async (journal, thread, range) => {
    const head = await seqOf(journal, thread)
    return (range.from ?? 1) > head + 100 ? journal.read(thread, { from: head }) : journal.read(thread, range)
  }),
  {
    rule: 'JOURNAL-5',
    name: 'returns the same objects again',
    spoil(journal) {
      const pages = new Map<string, Promise<readonly LoomEvent[]>>()
      return {
        ...journal,
        async read(thread, range = {}) {
          const key = JSON.stringify([thread, range, await seqOf(journal, thread)])
          const page = pages.get(key) ?? journal.read(thread, range)
          pages.set(key, page)
          return page
        },
      }
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'keeps the objects of the writer',
    spoil(journal) {
      const live = new Map<string, unknown>()
      return {
        ...journal,
        append(thread, batch) {
          for (const [index, event] of batch.events.entries()) live.set(`${thread}@${batch.expected + index + 1}`, event.data)
          return journal.append(thread, batch)
        },
        async read(thread, range) {
          const page = await journal.read(thread, range)
          return page.map((event) => ({ ...event, data: live.get(`${thread}@${event.seq}`) }) as LoomEvent)
        },
      }
    },
  },
  changing('forgets turns', () => ({ turn: undefined })),
  changing('forgets runs', () => ({ run: undefined })),
  changing('gives every event the time of reading', () => ({ time: Date.now() })),
  changing('numbers events from 0', ({ seq }) => ({ seq: seq - 1 })),
  changing('ends a text at a NUL', (event) => shortened(event, (text) => text.split('\0')[0] ?? '')),
  changing('cuts long texts', (event) => shortened(event, (text) => text.slice(0, 65_536))),
  changing('turns line separators into line feeds', (event) => shortened(event, (text) => text.replace(/[\u2028\u2029]/g, '\n'))),
  changing('composes letters', (event) => shortened(event, (text) => text.normalize('NFC'))),
  renaming('sees no difference between capitals and small letters', (thread) => thread.toLowerCase()),
  renaming('sees no difference between composed and decomposed letters', (thread) => thread.normalize('NFC')),
  renaming('takes ids for paths', (thread) => thread.replaceAll('../', '')),
]

/** Faults of `watch`. */
export const hintFaults: readonly Fault[] = [
  {
    rule: 'JOURNAL-8',
    name: 'watches a thread for nobody',
    spoil: (journal) => ({ ...journal, watch: (thread, hint) => (typeof hint === 'function' ? journal.watch(thread, hint) : () => {}) }),
  },
  hinting('never gives a hint', () => {}),
  hinting('notifies of the first seq of a batch', (hints, { thread, batch, result }) => {
    if (result.kind === 'appended') for (const hint of hints.get(thread) ?? []) hint(batch.expected + 1)
  }),
  hinting('notifies every watcher of every thread', (hints, { result }) => {
    if (result.kind === 'appended') for (const others of hints.values()) for (const hint of others) hint(result.seq)
  }),
  hinting('notifies of batches that were not stored', (hints, { thread, batch }) => {
    for (const hint of hints.get(thread) ?? []) hint(batch.expected + batch.events.length)
  }),
  hinting('notifies one watcher only', (hints, { thread, result }) => {
    if (result.kind === 'appended') [...(hints.get(thread) ?? [])][0]?.(result.seq)
  }),
  {
    rule: 'JOURNAL-8',
    name: 'still notifies after unwatching',
    spoil: (journal) => ({
      ...journal,
      watch(thread, hint) {
        journal.watch(thread, hint)
        return () => {}
      },
    }),
  },
  {
    rule: 'JOURNAL-8',
    name: 'takes a function that watches twice for one watcher',
    spoil(journal) {
      const known = new Map<string, () => void>()
      return {
        ...journal,
        watch(thread, hint) {
          const key = `${thread} ${hint.toString()}`
          const unwatch = known.get(key) ?? journal.watch(thread, hint)
          known.set(key, unwatch)
          return unwatch
        },
      }
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'lets what a watcher throws reach the writer',
    spoil(journal) {
      const hints = new Set<(seq: number) => void>()
      return {
        ...journal,
        watch(thread, hint) {
          hints.add(hint)
          const unwatch = journal.watch(thread, () => {})
          return () => void (hints.delete(hint) && unwatch())
        },
        async append(thread, batch) {
          const result = await journal.append(thread, batch)
          if (result.kind === 'appended') for (const hint of hints) hint(result.seq)
          return result
        },
      }
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'keeps what a watcher throws to itself',
    spoil: (journal) => ({
      ...journal,
      watch: (thread, hint) =>
        journal.watch(thread, (seq) => {
          try {
            hint(seq)
          } catch {
            // Lost.
          }
        }),
    }),
  },
]
