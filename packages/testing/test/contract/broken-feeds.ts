/** Journals whose feed, times or queries are bad. */
import type { FeedEntry, FeedPage, FeedQuery, Head, Journal, ThreadQuery } from '@loom-agent/kernel'
import type { ContractRule } from '../../src/contract/contract-case.ts'
import type { Fault } from './faults.ts'

/** A fault of `feed`. */
const feeding = (name: string, feed: (journal: Journal, query: FeedQuery) => Promise<FeedPage>, rule: ContractRule = 'JOURNAL-15'): Fault => ({
  rule,
  name,
  spoil: (journal) => ({ ...journal, feed: (query = {}) => feed(journal, query) }),
})

/** A fault of the entries of a page. */
const showing = (name: string, show: (entries: readonly FeedEntry[]) => readonly FeedEntry[]): Fault =>
  feeding(name, async (journal, query) => {
    const page = await journal.feed(query)
    return { ...page, entries: show(page.entries) }
  })

/** A fault of what an entry says. */
const changing = (name: string, change: (entry: FeedEntry) => object): Fault =>
  showing(name, (entries) => entries.map((entry) => ({ ...entry, ...change(entry) })))

/** A fault of positions: entries are numbered, and `place` says where an append comes in. */
const placing = (name: string, place: (length: number) => number): Fault => ({
  rule: 'JOURNAL-15',
  name,
  spoil(journal) {
    const log: FeedEntry[] = []
    return {
      ...journal,
      async append(thread, batch) {
        const before = (await journal.head(thread))?.seq ?? 0
        const result = await journal.append(thread, batch)
        if (result.kind === 'appended' && result.seq > before) {
          const entry = { ...batch.summary, position: '', kind: 'changed', thread, incarnation: batch.incarnation, seq: result.seq } as const
          log.splice(place(log.length), 0, entry)
        }
        return result
      },
      async feed({ from = '0', limit = 512 } = {}) {
        const page = log.slice(Number(from), Number(from) + limit).map((entry, index) => ({ ...entry, position: String(Number(from) + index + 1) }))
        return { entries: page, cursor: String(Number(from) + page.length), isEnd: page.length < limit }
      },
    }
  },
})

/** Faults of the feed. */
export const feedFaults: readonly Fault[] = [
  showing('shows only the newest commit of a thread', (entries) =>
    entries.filter(({ kind, thread }, index) => kind === 'removed' || entries.findLastIndex((other) => other.thread === thread) === index),
  ),
  showing('shows its feed backwards', (entries) => entries.toReversed()),
  showing('sorts its feed by thread', (entries) => entries.toSorted((a, b) => (a.thread < b.thread ? -1 : 1))),
  showing('loses removals', (entries) => entries.filter(({ kind }) => kind !== 'removed')),
  showing('shows only the last removal of a thread', (entries) =>
    entries.filter(
      (entry, index) =>
        entry.kind !== 'removed' || entries.findLastIndex(({ thread, kind }) => kind === 'removed' && thread === entry.thread) === index,
    ),
  ),
  showing('repeats the last entry of a page', (entries) => [...entries, ...entries.slice(-1)]),
  showing('skips the first entry of a page', (entries) => (entries.length > 3 ? entries.slice(1) : entries)),
  changing('says the first seq of a commit', ({ seq }) => ({ seq: Math.max(1, seq - 1) })),
  changing('does not name the incarnation', ({ thread }) => ({ incarnation: thread })),
  changing('leaves out the summary', () => ({ status: undefined, agent: undefined, parent: undefined, wakeAt: undefined, labels: undefined })),
  changing('calls a removal a change', () => ({ kind: 'changed' })),
  changing('gives all entries one position', () => ({ position: '1' })),
  feeding('knows no pages', (journal, { limit: _limit, ...query }) => journal.feed(query)),
  feeding('starts every page from the first entry', (journal, { from: _from, ...query }) => journal.feed(query)),
  feeding('shows entries of any agent', (journal, { agent: _agent, ...query }) => journal.feed(query)),
  feeding('shows entries with any labels', (journal, { labels: _labels, ...query }) => journal.feed(query)),
  feeding('ends at a page without an entry that was asked for', async (journal, query) => {
    const page = await journal.feed(query)
    return { ...page, isEnd: page.isEnd || page.entries.length === 0 }
  }),
  feeding('hides removals from those who ask for an agent', async (journal, query) => {
    const page = await journal.feed(query)
    return { ...page, entries: page.entries.filter(({ kind }) => query.agent === undefined || kind === 'changed') }
  }),
  feeding('continues after the last entry that was asked for, and not after what it looked at', async (journal, query) => {
    const page = await journal.feed(query)
    return { ...page, cursor: page.entries.at(-1)?.position ?? query.from ?? '0' }
  }),
  {
    rule: 'JOURNAL-15',
    name: 'gives positions before commits, and lets a late one appear behind its readers',
    spoil(journal) {
      // Every third commit becomes visible to the feed only when two others have.
      const hidden = new Map<string, number>()
      let commits = 0
      return {
        ...journal,
        async append(thread, batch) {
          const result = await journal.append(thread, batch)
          commits += 1
          if (commits % 3 === 0) hidden.set(`${thread}@${result.kind === 'appended' ? result.seq : 0}`, commits + 2)
          return result
        },
        async feed(query) {
          const page = await journal.feed(query)
          return { ...page, entries: page.entries.filter(({ thread, seq }) => (hidden.get(`${thread}@${seq}`) ?? 0) <= commits) }
        },
      }
    },
  },
  placing('puts a commit before the one that came last', (length) => Math.max(0, length - 1)),
  placing('keeps no removals, and the commits of removed threads', (length) => length),
  feeding(
    'does not look at what is behind a cursor',
    async (journal, query) => {
      const cursors = ['0', ...(await journal.feed({})).entries.map(({ position }) => position)]
      const from = cursors.findLast((cursor) => query.from?.startsWith(cursor))
      return journal.feed({ ...query, from: from ?? query.from })
    },
    'JOURNAL-16',
  ),
  feeding(
    'takes any cursor for the end',
    async (journal, query) => {
      try {
        return await journal.feed(query)
      } catch {
        return { entries: [], cursor: query.from ?? '0', isEnd: true }
      }
    },
    'JOURNAL-16',
  ),
  feeding(
    'takes any cursor for the start',
    async (journal, query) => {
      try {
        return await journal.feed(query)
      } catch {
        return journal.feed({ ...query, from: undefined })
      }
    },
    'JOURNAL-16',
  ),
  feeding(
    'takes any cursor when a thread was removed',
    async (journal, query) => {
      try {
        return await journal.feed(query)
      } catch (error) {
        const { entries, cursor } = await journal.feed({})
        if (entries.every(({ kind }) => kind !== 'removed')) throw error
        return { entries: [], cursor, isEnd: true }
      }
    },
    'JOURNAL-16',
  ),
  feeding(
    'throws another error for a stale cursor',
    async (journal, query) => {
      try {
        return await journal.feed(query)
      } catch {
        throw new Error('no such cursor')
      }
    },
    'JOURNAL-16',
  ),
]

/** A fault of the heads that are shown. */
const timing = (name: string, change: (head: Head) => Head['times']): Fault => ({
  rule: 'JOURNAL-18',
  name,
  spoil: (journal) => ({
    ...journal,
    async head(thread) {
      const head = await journal.head(thread)
      return head && { ...head, times: change(head) }
    },
  }),
})

/** A fault of `threads`. */
const querying = (name: string, threads: (journal: Journal, query: ThreadQuery) => Promise<readonly Head[]>): Fault => ({
  rule: 'JOURNAL-18',
  name,
  spoil: (journal) => ({ ...journal, threads: (query = {}) => threads(journal, query) }),
})

/** A clock that a head does not show. */
const withoutClock = (head: Head): Head => ({ ...head, times: { ...head.times, now: 0 } })

/** Faults of times and of queries by them. */
export const threadQueryFaults: readonly Fault[] = [
  {
    rule: 'JOURNAL-18',
    name: 'does not show its clock to a driver',
    spoil: (journal) => ({
      ...journal,
      async acquire(thread, claim) {
        const result = await journal.acquire(thread, claim)
        return result.kind === 'acquired' ? { ...result, head: withoutClock(result.head) } : result
      },
    }),
  },
  {
    rule: 'JOURNAL-18',
    name: 'does not show its clock to a driver that leaves',
    spoil: (journal) => ({
      ...journal,
      async release(thread, lease) {
        const head = await journal.release(thread, lease)
        return head && withoutClock(head)
      },
    }),
  },
  timing('does not show its clock', ({ times }) => ({ ...times, now: 0 })),
  timing('forgets when a thread began', ({ times }) => ({ ...times, began: times.changed })),
  timing('takes every commit for a change of the summary', ({ times, seq }) => ({ ...times, changed: times.changed + seq / 1000 })),
  timing('never changes the time of a change', ({ times }) => ({ ...times, changed: times.began })),
  querying('finds threads of any agent', (journal, { agent: _agent, ...query }) => journal.threads(query)),
  querying('finds threads with any labels', (journal, { labels: _labels, ...query }) => journal.threads(query)),
  querying('compares the first label only', (journal, query) => {
    const [first] = Object.entries(query.labels ?? {})
    return journal.threads(first ? { ...query, labels: { [first[0]]: first[1] } } : query)
  }),
  querying('cuts a page before it compares labels', async (journal, { labels, ...query }) => {
    const page = await journal.threads(query)
    const asked = labels ? await journal.threads({ labels }) : page
    return page.filter(({ thread }) => asked.some((head) => head.thread === thread))
  }),
  querying('finds what changed before the moment asked for', (journal, { since: _since, ...query }) => journal.threads(query)),
  querying('finds what changed at the moment before which it was asked for', (journal, query) =>
    journal.threads(query.before === undefined ? query : { ...query, before: query.before + 1 }),
  ),
  querying('sorts by id whatever was asked for', (journal, { sort: _sort, ...query }) => journal.threads(query)),
  querying('knows one direction', (journal, query) => journal.threads({ ...query, ...(query.sort === 'latest' && { sort: 'changed' }) })),
  querying('continues by id whatever the order is', (journal, { after, ...query }) =>
    journal.threads({ ...query, ...(after !== undefined && { sort: 'id', after }) }),
  ),
]
