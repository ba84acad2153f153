/** JOURNAL-15 and JOURNAL-16: the feed of all threads. */
import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict'
import { type FeedEntry, type FeedQuery, isLoomError, type Journal } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, facts, fullSummary, pause, sameJson, spoil, thread } from './samples.ts'

/** More pages than any case has: a feed that never ends is an error, not an endless test. */
const pageLimit = 1000

/** Everything in the feed after a cursor, page by page, and the last cursor. */
async function follow(journal: Journal, query: FeedQuery = {}): Promise<{ readonly entries: readonly FeedEntry[]; readonly cursor: string }> {
  const entries: FeedEntry[] = []
  let { from } = query
  for (let pages = 0; pages < pageLimit; pages += 1) {
    const page = await journal.feed({ ...query, from })
    ok(page.entries.length <= (query.limit ?? page.entries.length), `a page has ${page.entries.length} entries`)
    entries.push(...page.entries)
    from = page.cursor
    if (page.isEnd) return { entries, cursor: page.cursor }
  }
  throw new Error(`the feed has no end after ${pageLimit} pages`)
}

const short = ({ kind, thread: name, seq }: FeedEntry): string => `${kind === 'removed' ? '-' : ''}${name}@${seq}`

/** The entries of the feed, in short. */
async function feedOf(journal: Journal, query: FeedQuery = {}): Promise<readonly string[]> {
  return (await follow(journal, query)).entries.map(short)
}

const isStale = (error: unknown): boolean => isLoomError(error) && error.code === 'LOOM_CURSOR_STALE'

async function fill(journal: Journal): Promise<void> {
  await accepted(journal, 'a', batchAt(0, facts(1, 2)))
  await accepted(journal, 'b', batchAt(0, facts(1)))
  await accepted(journal, 'a', batchAt(2, facts(3)))
  await accepted(journal, 'c', batchAt(0, facts(1, 2, 3)))
}

const filled = ['a@2', 'b@1', 'a@3', 'c@3']

/** One cursor over all threads. */
export const feedCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-15',
    name: 'the feed has one entry for every commit, in the order of commits, with the last seq of each',
    async run(journal) {
      deepStrictEqual(await feedOf(journal), [])
      await fill(journal)
      deepStrictEqual(await feedOf(journal), filled)
      deepStrictEqual(await feedOf(journal), filled)
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'pages of any size hold every entry once, and every position is a cursor',
    async run(journal) {
      await fill(journal)
      for (const limit of [1, 2, 3, 4, 10]) deepStrictEqual(await feedOf(journal, { limit }), filled)
      const { entries } = await follow(journal)
      for (const [index, { position }] of entries.entries()) deepStrictEqual(await feedOf(journal, { from: position }), filled.slice(index + 1))
      strictEqual(new Set(entries.map(({ position }) => position)).size, filled.length)
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'a reader that comes back continues where it was, also from the end of an empty feed',
    async run(journal) {
      const empty = await follow(journal)
      await fill(journal)
      const first = await follow(journal, { from: empty.cursor })
      deepStrictEqual(first.entries.map(short), filled)
      const idle = await follow(journal, { from: first.cursor })
      deepStrictEqual(idle.entries, [])
      await accepted(journal, 'b', batchAt(1, facts(2)))
      for (const from of [first.cursor, idle.cursor]) deepStrictEqual(await feedOf(journal, { from }), ['b@2'])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'what was refused, what stores nothing, and claims have no entry; a batch that is sent again has one',
    async run(journal) {
      const batch = batchAt(0, facts('a'))
      await accepted(journal, thread, batch)
      await accepted(journal, thread, batch)
      await accepted(journal, thread, batchAt(1, []))
      await journal.append(thread, batchAt(0, facts('b')))
      await journal.append(thread, batchAt(1, facts('b'), { epoch: 9 }))
      await journal.acquire(thread, { worker: 'w', incarnation: 'life', seen: 0 })
      await journal.acquire('claimed', { worker: 'w', incarnation: 'life', seen: 0 })
      await journal.release(thread, { epoch: 1, incarnation: 'life' })
      deepStrictEqual(await feedOf(journal), [`${thread}@1`])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'an entry says which thread it is, and its summary as it is when the feed is read',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      await accepted(journal, thread, batchAt(1, facts('b'), { summary: fullSummary }))
      const { entries } = await follow(journal)
      for (const [index, entry] of entries.entries()) {
        const { position } = entry
        sameJson(entry, { ...fullSummary, position, kind: 'changed', thread, incarnation: 'life', seq: index + 1 })
      }
      spoil(entries)
      sameJson((await follow(journal)).entries[0]?.labels, fullSummary.labels)
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'a removal has an entry after all others, and takes those of its thread with it',
    async run(journal) {
      await fill(journal)
      const { cursor, entries } = await follow(journal)
      await journal.remove('a')
      await journal.remove('a')
      await journal.remove('unknown')
      deepStrictEqual(await feedOf(journal), ['b@1', 'c@3', '-a@3'])
      for (const from of [cursor, entries[2]?.position]) deepStrictEqual((await feedOf(journal, { from })).at(-1), '-a@3')
      const removed = (await follow(journal, { from: cursor })).entries
      sameJson(removed, [{ position: removed[0]?.position, kind: 'removed', thread: 'a', incarnation: 'life', seq: 3 }])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'a cursor at the end stays good when the thread of its entry is removed',
    async run(journal) {
      await fill(journal)
      const { cursor } = await follow(journal)
      await journal.remove('c')
      await accepted(journal, 'd', batchAt(0, facts(1)))
      deepStrictEqual(await feedOf(journal, { from: cursor }), ['-c@3', 'd@1'])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'a thread that begins again under a removed name comes after the removal, with its own incarnation',
    async run(journal) {
      await fill(journal)
      const { cursor } = await follow(journal)
      await journal.remove('b')
      await accepted(journal, 'b', batchAt(0, facts('x'), { incarnation: 'next' }))
      const { entries } = await follow(journal, { from: cursor })
      deepStrictEqual(
        entries.map((entry) => `${short(entry)} ${entry.incarnation}`),
        ['-b@1 life', 'b@1 next'],
      )
      deepStrictEqual(await feedOf(journal), ['a@2', 'a@3', 'c@3', '-b@1', 'b@1'])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'no position is used twice, also when the newest thread is removed',
    async run(journal) {
      await fill(journal)
      const seen = new Set((await follow(journal)).entries.map(({ position }) => position))
      await journal.remove('c')
      await accepted(journal, 'd', batchAt(0, facts(1)))
      await journal.remove('d')
      const later = (await follow(journal)).entries.filter(({ kind, thread: name }) => kind === 'removed' || name === 'd')
      deepStrictEqual(
        later.filter(({ position }) => seen.has(position)),
        [],
      )
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'a fork has entries of its own events only',
    async run(journal) {
      await fill(journal)
      const { cursor } = await follow(journal)
      const forkOf = { thread: 'a', incarnation: 'life', seq: 2 }
      await accepted(journal, 'fork', batchAt(2, facts('f', 'g'), { incarnation: 'own', forkOf }))
      deepStrictEqual(await feedOf(journal, { from: cursor }), ['fork@4'])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'a reader may ask for an agent or labels; it gets all removals, and a cursor past what it did not ask for',
    async run(journal) {
      const labels = { team: 'x', tier: { level: 2 } }
      await accepted(journal, 'a', batchAt(0, facts(1), { summary: { status: 'idle', agent: 'one', labels } }))
      await accepted(journal, 'b', batchAt(0, facts(1), { summary: { status: 'idle', agent: 'two' } }))
      await accepted(journal, 'c', batchAt(0, facts(1), { summary: { status: 'idle', agent: 'two', labels: { team: 'x' } } }))
      await journal.remove('b')
      await accepted(journal, 'd', batchAt(0, facts(1)))
      deepStrictEqual(await feedOf(journal, { agent: 'one' }), ['a@1', '-b@1'])
      deepStrictEqual(await feedOf(journal, { agent: 'two', limit: 1 }), ['c@1', '-b@1'])
      deepStrictEqual(await feedOf(journal, { labels: { team: 'x' } }), ['a@1', 'c@1', '-b@1'])
      deepStrictEqual(await feedOf(journal, { labels: { team: 'x', tier: { level: 2 } } }), ['a@1', '-b@1'])
      deepStrictEqual(await feedOf(journal, { labels: { team: null } }), ['-b@1', 'd@1'])
      const { cursor } = await follow(journal, { agent: 'one' })
      deepStrictEqual(await feedOf(journal, { from: cursor }), [])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'while many threads are written at once, a reader sees every commit once and each thread in order',
    async run(journal) {
      const threads = Array.from({ length: 8 }, (_, index) => `t${index}`)
      const seen: FeedEntry[] = []
      let open = threads.length
      const write = async (name: string): Promise<void> => {
        for (let seq = 0; seq < 12; seq += 1) await accepted(journal, name, batchAt(seq, facts(seq)))
        open -= 1
      }
      const read = async (): Promise<void> => {
        for (let from: string | undefined, isLast = false; !isLast; ) {
          isLast = open === 0
          const page = await follow(journal, { from, limit: 5 })
          seen.push(...page.entries)
          from = page.cursor
          // The writers need their turns.
          await pause(0)
        }
      }
      await Promise.all([...threads.map(write), read()])
      for (const name of threads) {
        const seqs = seen.filter((entry) => entry.thread === name).map(({ seq }) => seq)
        deepStrictEqual(seqs, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], `${name} was read as ${seqs.join()}`)
      }
      deepStrictEqual(await feedOf(journal), seen.map(short))
    },
  },
  {
    rule: 'JOURNAL-16',
    name: 'a text that is no cursor is stale, and so is a cursor with anything around it, and one from beyond the end',
    async run(journal) {
      await fill(journal)
      const { cursor } = await follow(journal)
      const beyond = cursor.replace(/^\d+/, (position) => String(Number(position) + 1_000_000))
      const huge = cursor.replace(/^\d+/, '9'.repeat(19))
      const padded = [`${cursor}x`, `${cursor}-x`, `${cursor}\n`, ` ${cursor}`, `0${cursor}`, cursor.slice(1)]
      for (const from of ['', 'x', '-1', beyond, huge, ...padded]) await rejects(journal.feed({ from }), isStale, `${JSON.stringify(from)} was taken`)
      deepStrictEqual(await feedOf(journal), filled)
    },
  },
  {
    rule: 'JOURNAL-16',
    name: 'the removal of a thread is no excuse for the cursor of another journal: it ends differently, and is stale',
    async run(journal) {
      await fill(journal)
      const { cursor } = await follow(journal)
      await journal.remove('c')
      const foreign = cursor.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      await rejects(journal.feed({ from: foreign }), isStale, `${foreign} was taken`)
      deepStrictEqual(await feedOf(journal, { from: cursor }), ['-c@3'])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'the feed and its cursors survive when a durable journal is opened again',
    async run(journal, reopen) {
      await fill(journal)
      const { entries, cursor } = await follow(journal)
      await journal.remove('b')
      const again = await reopen(journal)
      deepStrictEqual(await feedOf(again), ['a@2', 'a@3', 'c@3', '-b@1'])
      deepStrictEqual(await feedOf(again, { from: entries[1]?.position }), ['a@3', 'c@3', '-b@1'])
      await accepted(again, 'b', batchAt(0, facts('x')))
      deepStrictEqual(await feedOf(again, { from: cursor }), ['-b@1', 'b@1'])
    },
  },
  {
    rule: 'JOURNAL-15',
    name: 'a thread that is removed, stored again as it was and removed again has two removals, also when the journal is opened again',
    async run(journal, reopen) {
      const cursors: string[] = []
      for (const _life of [1, 2]) {
        await accepted(journal, 'a', batchAt(0, facts('x')))
        cursors.push((await follow(journal)).cursor)
        await journal.remove('a')
        cursors.push((await follow(journal)).cursor)
      }
      const rest = [['-a@1', '-a@1'], ['-a@1'], ['-a@1'], []]
      const check = async (read: Journal): Promise<void> => {
        deepStrictEqual(await feedOf(read), ['-a@1', '-a@1'])
        for (const [index, from] of cursors.entries()) deepStrictEqual(await feedOf(read, { from }), rest[index])
      }
      await check(journal)
      await check(await reopen(journal))
    },
  },
]
