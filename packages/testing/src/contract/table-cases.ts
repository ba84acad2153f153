/** JOURNAL-9 and JOURNAL-10: the thread table and the blobs change with the append. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { Journal, Summary, ThreadQuery } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, everythingOf, facts, fullSummary, sameJson, spoil, thread } from './samples.ts'

/** Threads in an order that is not that of their names. */
const table: readonly (readonly [string, Summary])[] = [
  ['m', { status: 'running', agent: 'a' }],
  ['b', { status: 'waiting', wakeAt: 100, parent: 'm' }],
  ['z', { status: 'waiting', wakeAt: 300 }],
  ['a', { status: 'done', parent: 'm' }],
  ['k', { status: 'waiting', parent: 'z' }],
  ['c', { status: 'waiting', wakeAt: 200, parent: 'm' }],
  ['y', { status: 'failed' }],
]

async function fill(journal: Journal): Promise<void> {
  for (const [name, summary] of table) await accepted(journal, name, batchAt(0, facts(name), { summary }))
}

async function namesOf(journal: Journal, query?: ThreadQuery): Promise<readonly string[]> {
  return (await journal.threads(query)).map((head) => head.thread)
}

async function pagesOf(journal: Journal, query: ThreadQuery): Promise<readonly string[]> {
  const names: string[] = []
  for (let after: string | undefined; ; after = names.at(-1)) {
    const page = await namesOf(journal, { ...query, ...(after !== undefined && { after }) })
    ok(page.length <= (query.limit ?? 0), `a page has ${page.length} threads`)
    if (page.length === 0) return names
    names.push(...page)
    ok(names.length <= table.length, `threads come again: ${names.join(', ')}`)
  }
}

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values)

/** Summaries, queries and blobs. */
export const tableCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-9',
    name: 'the summary is that of the last batch, in the head and in the table',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), { summary: fullSummary }))
      sameJson((await journal.head(thread))?.summary, fullSummary)
      sameJson((await journal.threads())[0]?.summary, fullSummary)
      await accepted(journal, thread, batchAt(1, facts('b'), { summary: { status: 'done' } }))
      sameJson((await journal.head(thread))?.summary, { status: 'done' })
      deepStrictEqual([await namesOf(journal, { status: 'waiting' }), await namesOf(journal, { dueBy: 9000 })], [[], []])
      deepStrictEqual([await namesOf(journal, { status: 'done' }), await namesOf(journal, { parent: 'elsewhere' })], [[thread], []])
    },
  },
  {
    rule: 'JOURNAL-9',
    name: 'a stored summary shares no object with its writer or its readers',
    async run(journal) {
      const summary = structuredClone(fullSummary)
      await accepted(journal, thread, batchAt(0, facts('a'), { summary }))
      const before = await everythingOf(journal, thread)
      spoil(summary)
      strictEqual(await everythingOf(journal, thread), before)
      spoil((await journal.head(thread))?.summary)
      for (const head of await journal.threads()) spoil(head.summary)
      strictEqual(await everythingOf(journal, thread), before)
    },
  },
  {
    rule: 'JOURNAL-9',
    name: 'the table lists heads, and only of threads that have events',
    async run(journal) {
      deepStrictEqual(await journal.threads(), [])
      await journal.acquire('taken', { worker: 'w', incarnation: 'life', seen: 0 })
      deepStrictEqual(await journal.threads(), [])
      await accepted(journal, 'taken', batchAt(0, facts('a', 'b'), { epoch: 1 }))
      sameJson(await journal.threads(), [await journal.head('taken')])
      sameJson(await journal.head('taken'), { thread: 'taken', incarnation: 'life', seq: 2, epoch: 1, holder: 'w', summary: { status: 'idle' } })
    },
  },
  {
    rule: 'JOURNAL-9',
    name: 'a query finds threads by status, parent and due time, and by all of them at once',
    async run(journal) {
      await fill(journal)
      const found = async (query: ThreadQuery): Promise<string> => [...(await namesOf(journal, query))].sort().join('')
      strictEqual(await found({}), 'abckmyz')
      strictEqual(await found({ status: 'waiting' }), 'bckz')
      strictEqual(await found({ status: 'stopped' }), '')
      strictEqual(await found({ parent: 'm' }), 'abc')
      strictEqual(await found({ dueBy: 99 }), '')
      strictEqual(await found({ dueBy: 200 }), 'bc')
      strictEqual(await found({ status: 'waiting', parent: 'm', dueBy: 150 }), 'b')
    },
  },
  {
    rule: 'JOURNAL-9',
    name: 'the table is listed in the order of ids, and its pages hold every thread once',
    async run(journal) {
      await fill(journal)
      const all = table.map(([name]) => name).sort()
      deepStrictEqual(await namesOf(journal), all)
      deepStrictEqual(await namesOf(journal), all)
      for (const limit of [1, 2, 3, 10]) deepStrictEqual(await pagesOf(journal, { limit }), all)
      const waiting = await namesOf(journal, { status: 'waiting' })
      deepStrictEqual(await pagesOf(journal, { limit: 1, status: 'waiting' }), waiting)
    },
  },
  {
    rule: 'JOURNAL-10',
    name: 'blobs are stored with their batch and come back as they went in',
    async run(journal) {
      const big = new Uint8Array(300_000).map((_value, index) => index % 251)
      const blobs = new Map([
        ['small', bytes(0, 255, 10, 13)],
        ['empty', bytes()],
        ['big', big.slice()],
      ])
      await accepted(journal, thread, batchAt(0, facts('a'), { blobs }))
      deepStrictEqual([...((await journal.blob('small')) ?? [])], [0, 255, 10, 13])
      strictEqual((await journal.blob('empty'))?.length, 0)
      ok(Buffer.from((await journal.blob('big')) ?? bytes()).equals(big), 'a big blob was changed')
      strictEqual(await journal.blob('unknown'), undefined)
    },
  },
  {
    rule: 'JOURNAL-10',
    name: 'a thread has the blobs that its batches brought, and no others',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts({ $blob: 'other', bytes: 1 }), { blobs: new Map([['mine', bytes(1)]]) }))
      await accepted(journal, 'another', batchAt(0, facts('a'), { blobs: new Map([['other', bytes(2)]]) }))
      deepStrictEqual([...(await journal.blobNames(thread))], ['mine'])
      deepStrictEqual([...(await journal.blobNames('another'))], ['other'])
      deepStrictEqual([...(await journal.blobNames('unknown'))], [])
    },
  },
  {
    rule: 'JOURNAL-10',
    name: 'the blobs of a batch that was not stored are not stored',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      await journal.append(thread, batchAt(0, facts('b'), { blobs: new Map([['conflict', bytes(1)]]) }))
      await journal.append(thread, batchAt(1, facts('b'), { epoch: 7, blobs: new Map([['fenced', bytes(1)]]) }))
      deepStrictEqual([await journal.blob('conflict'), await journal.blob('fenced')], [undefined, undefined])
    },
  },
  {
    rule: 'JOURNAL-10',
    name: 'a stored blob shares no bytes with its writer or its readers',
    async run(journal) {
      const given = bytes(1, 2, 3)
      await accepted(journal, thread, batchAt(0, facts('a'), { blobs: new Map([['blob', given]]) }))
      given.fill(9)
      const read = (await journal.blob('blob')) ?? bytes()
      deepStrictEqual([...read], [1, 2, 3])
      read.fill(9)
      deepStrictEqual([...((await journal.blob('blob')) ?? [])], [1, 2, 3])
    },
  },
]
