/** JOURNAL-18: the times of heads, and queries by agent, labels and time. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { Head, HeadTimes, Journal, Summary, ThreadQuery } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, facts, pause, thread } from './samples.ts'

async function namesOf(journal: Journal, query: ThreadQuery): Promise<string> {
  return (await journal.threads(query)).map((head) => head.thread).join('')
}

async function timesOf(journal: Journal, name: string): Promise<HeadTimes> {
  const times = (await journal.head(name))?.times
  ok(times, `${name} has no times`)
  return times
}

/** Waits until the store's clock has moved on. */
async function nextMoment(journal: Journal, name: string): Promise<number> {
  const { now } = await timesOf(journal, name)
  for (;;) {
    const later = (await timesOf(journal, name)).now
    if (later > now) return later
    await pause(1)
  }
}

/** Threads whose summaries change in an order that is not that of their names. */
async function fill(journal: Journal): Promise<void> {
  const table: readonly (readonly [string, Summary])[] = [
    ['d', { status: 'done', agent: 'one', labels: { team: 'x' } }],
    ['b', { status: 'done', agent: 'two', labels: { team: 'x', open: true } }],
    ['e', { status: 'failed', agent: 'one' }],
    ['a', { status: 'done', agent: 'one', labels: { team: ['x'] } }],
    ['c', { status: 'waiting', agent: 'two', labels: { team: 'y' } }],
  ]
  for (const [name, summary] of table) {
    await accepted(journal, name, batchAt(0, facts(name), { summary }))
    await nextMoment(journal, name)
  }
}

/** Times, filters and orders. */
export const threadQueryCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-18',
    name: 'a head has the store’s clock, and when the thread began and its summary changed',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      const first = await timesOf(journal, thread)
      ok(first.began > 0 && first.began <= first.changed && first.changed <= first.now, JSON.stringify(first))
      await nextMoment(journal, thread)
      await accepted(journal, thread, batchAt(1, facts('b'), { summary: { status: 'done' } }))
      const later = await timesOf(journal, thread)
      strictEqual(later.began, first.began)
      ok(later.changed > first.changed && later.changed <= later.now, JSON.stringify(later))
      const [listed] = await journal.threads()
      deepStrictEqual([listed?.times.began, listed?.times.changed], [later.began, later.changed])
    },
  },
  {
    rule: 'JOURNAL-18',
    name: 'the heads that acquiring and releasing a thread return have the times of any head',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      const { now, ...stored } = await timesOf(journal, thread)
      const acquired = await journal.acquire(thread, { worker: 'w', incarnation: 'life', seen: 0 })
      const released = await journal.release(thread, { epoch: 1, incarnation: 'life' })
      for (const head of [acquired.kind === 'acquired' ? acquired.head : undefined, released]) {
        const { now: later = 0, ...times } = head?.times ?? {}
        deepStrictEqual(times, stored)
        ok(later >= now, `the clock shows ${later}, and ${now} before`)
      }
    },
  },
  {
    rule: 'JOURNAL-18',
    name: 'a batch that leaves the summary as it is leaves the time of its change',
    async run(journal) {
      const summary: Summary = { status: 'running', agent: 'one', labels: { team: 'x' } }
      await accepted(journal, thread, batchAt(0, facts('a'), { summary }))
      const { changed } = await timesOf(journal, thread)
      await nextMoment(journal, thread)
      await accepted(journal, thread, batchAt(1, facts('b'), { summary }))
      strictEqual((await timesOf(journal, thread)).changed, changed)
    },
  },
  {
    rule: 'JOURNAL-18',
    name: 'a query finds threads by agent and labels, together with everything else',
    async run(journal) {
      await fill(journal)
      strictEqual(await namesOf(journal, { agent: 'one' }), 'ade')
      strictEqual(await namesOf(journal, { agent: 'nobody' }), '')
      strictEqual(await namesOf(journal, { labels: { team: 'x' } }), 'bd')
      strictEqual(await namesOf(journal, { labels: { team: ['x'] } }), 'a')
      strictEqual(await namesOf(journal, { labels: { team: 'x', open: true } }), 'b')
      strictEqual(await namesOf(journal, { labels: { team: null } }), 'e')
      strictEqual(await namesOf(journal, { agent: 'one', status: 'done', labels: { team: 'x' } }), 'd')
      strictEqual(await namesOf(journal, { labels: { team: 'x' }, limit: 1 }), 'b')
      strictEqual(await namesOf(journal, { labels: { team: 'x' }, limit: 1, after: 'b' }), 'd')
    },
  },
  {
    rule: 'JOURNAL-18',
    name: 'threads are found by the time of their last change: from one moment on, and before another',
    async run(journal) {
      await fill(journal)
      const { changed } = await timesOf(journal, 'e')
      strictEqual(await namesOf(journal, { since: changed }), 'ace')
      strictEqual(await namesOf(journal, { before: changed }), 'bd')
      strictEqual(await namesOf(journal, { since: changed, before: changed + 1e9, status: 'done' }), 'a')
      await accepted(journal, 'd', batchAt(1, facts('more'), { summary: { status: 'running' } }))
      strictEqual(await namesOf(journal, { before: changed }), 'b')
    },
  },
  {
    rule: 'JOURNAL-18',
    name: 'threads are listed by the time of their last change, in both directions, and pages hold every thread once',
    async run(journal) {
      await fill(journal)
      strictEqual(await namesOf(journal, { sort: 'changed' }), 'dbeac')
      strictEqual(await namesOf(journal, { sort: 'latest' }), 'caebd')
      strictEqual(await namesOf(journal, { sort: 'id' }), 'abcde')
      for (const sort of ['changed', 'latest', 'id'] as const) {
        const all = await namesOf(journal, { sort })
        for (const limit of [1, 2, 4]) {
          let names = ''
          for (let after: Head | undefined; ; ) {
            const page: readonly Head[] = await journal.threads({ sort, limit, ...(after && { after }) })
            names += page.map((head) => head.thread).join('')
            after = page.at(-1)
            if (!after || names.length > all.length) break
          }
          strictEqual(names, all, `${sort} in pages of ${limit}`)
        }
      }
    },
  },
  {
    rule: 'JOURNAL-18',
    name: 'a thread that changes while its table is listed from the oldest on comes again at the end, and hides no other',
    async run(journal) {
      await fill(journal)
      const first = await journal.threads({ sort: 'changed', limit: 2 })
      await accepted(journal, 'd', batchAt(1, facts('more'), { summary: { status: 'running' } }))
      const after = first.at(-1)
      ok(after)
      strictEqual(await namesOf(journal, { sort: 'changed', after }), 'eacd')
    },
  },
]
