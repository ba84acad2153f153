/** JOURNAL-5: what is read was appended. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { type Draft, type Json, type LoomEvent, place } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, contentOf, everythingOf, fact, facts, sameJson, spoil, thread, valuesOf } from './samples.ts'

const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }

/** Events that change the run and the turn of those that follow. */
const moving: readonly Draft[] = [
  { type: 'thread.started', data: { agent: 'a' } },
  { type: 'run.started', data: { run: 'r1', request } },
  { type: 'run.queued', data: { run: 'r2', request } },
  { type: 'driver.acquired', data: { epoch: 1, worker: 'w' } },
  { type: 'turn.entered', data: { turn: 1 } },
  fact('in turn 1'),
  { type: 'turn.entered', data: { turn: 2 } },
  fact('in turn 2'),
]

const oddStrings: readonly string[] = [
  '',
  ' ',
  'a\0b',
  '\u0001\u001f\u007f',
  'line\nline\r\nline\u2028line\u2029line\u0085',
  '🧵 👩‍👩‍👧‍👦 e\u0301 \u00e9 \ufeff \uffff \u{10ffff}',
  '"quoted" \\ \\u0000 {"$blob":1} %s %% $1 \'; drop table events; --',
  'ends with a backslash\\',
]

const oddValues: readonly Json[] = [
  ...oddStrings,
  null,
  true,
  0,
  -1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[[null]]],
  JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3,"a.b":4}') as Json,
]

/** Ids that look alike, mean something to a file system or a database, or are long. */
const oddThreads: readonly string[] = [
  'name',
  'Name',
  'NAME',
  'with blank',
  'with/slash',
  'with\\backslash',
  '..',
  '../name',
  'name%',
  'n_me',
  "na'me",
  'na"me',
  'na:me',
  'con',
  'naïve',
  'nai\u0308ve',
  '线程',
  '🧵',
  'x'.repeat(200),
]

/** Reads a thread in pages of a size that may be exceeded by the rest of a batch. */
async function pagesOf(journal: Parameters<ContractCase['run']>[0], limit: number, from = 1): Promise<readonly (readonly LoomEvent[])[]> {
  const pages: (readonly LoomEvent[])[] = []
  for (let next = from; ; ) {
    const page = await journal.read(thread, { from: next, limit })
    if (page.length === 0) return pages
    pages.push(page)
    for (const event of page) strictEqual(event.seq, next++)
  }
}

/** Reading. */
export const readCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-5',
    name: 'a thread that was never written has no head and no events',
    async run(journal) {
      strictEqual(await journal.head(thread), undefined)
      deepStrictEqual(await journal.read(thread), [])
      deepStrictEqual(await journal.read(thread, { from: 5, limit: 5 }), [])
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'seq, time, run and turn of every event follow from its batch',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, moving, { time: 11 }))
      await accepted(journal, thread, batchAt(8, facts('later'), { time: 7, run: 'r1', turn: 2 }))
      await accepted(journal, thread, batchAt(9, [...moving].reverse(), { time: 12, run: 'r1', turn: 2 }))
      sameJson(await contentOf(journal, thread), [
        ...place({ thread, seq: 1, time: 11 }, moving),
        ...place({ thread, seq: 9, time: 7, run: 'r1', turn: 2 }, facts('later')),
        ...place({ thread, seq: 10, time: 12, run: 'r1', turn: 2 }, [...moving].reverse()),
      ])
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'reading begins at the given seq, also inside a batch and beyond the end',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, moving))
      await accepted(journal, thread, batchAt(8, facts('a', 'b', 'c'), { run: 'r1', turn: 2 }))
      const all = await contentOf(journal, thread)
      strictEqual(all.length, 11)
      for (let from = 1; from <= 11; from += 1) sameJson(await journal.read(thread, { from }), all.slice(from - 1))
      deepStrictEqual(await journal.read(thread, { from: 12 }), [])
      deepStrictEqual(await journal.read(thread, { from: 1000 }), [])
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'pages follow each other without gap and overlap, and are no longer than asked for, give or take a batch',
    async run(journal) {
      for (let batch = 0; batch < 12; batch += 1) await accepted(journal, thread, batchAt(batch * 3, facts(batch, batch, batch)))
      const all = await contentOf(journal, thread)
      for (const limit of [1, 2, 4, 7, 36, 100]) {
        const pages = await pagesOf(journal, limit)
        sameJson(pages.flat(), all)
        for (const page of pages) ok(page.length < limit + 3, `a page of ${page.length} events was asked for ${limit}`)
      }
      sameJson((await pagesOf(journal, 4, 5)).flat(), all.slice(4))
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'a long thread is read to its end',
    async run(journal) {
      for (let batch = 0; batch < 150; batch += 1) {
        await accepted(
          journal,
          thread,
          batchAt(
            batch * 10,
            Array.from({ length: 10 }, (_, number) => fact(batch * 10 + number)),
          ),
        )
      }
      deepStrictEqual(
        await valuesOf(journal, thread),
        Array.from({ length: 1500 }, (_, number) => number),
      )
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'what the writer does with its objects afterwards changes nothing',
    async run(journal) {
      const events = structuredClone(moving)
      await accepted(journal, thread, batchAt(0, events))
      const before = await everythingOf(journal, thread)
      for (const event of events) spoil(event.data)
      strictEqual(await everythingOf(journal, thread), before)
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'what a reader does with its objects changes nothing',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, moving))
      const before = await everythingOf(journal, thread)
      for (const event of [...(await journal.read(thread)), ...(await contentOf(journal, thread))]) spoil(event)
      strictEqual(await everythingOf(journal, thread), before)
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'every JSON value comes back as it went in',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts(...oddValues)))
      await accepted(
        journal,
        thread,
        batchAt(
          oddValues.length,
          [...oddStrings].map((text) => fact(text, text)),
        ),
      )
      sameJson(await valuesOf(journal, thread), [...oddValues, ...oddStrings])
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'an event of a megabyte comes back whole',
    async run(journal) {
      const big = '0123456789abcdéf🧵'.repeat(60_000)
      await accepted(journal, thread, batchAt(0, facts('before', big, 'after')))
      const [before, found, after] = await valuesOf(journal, thread)
      deepStrictEqual([before, after], ['before', 'after'])
      ok(found === big, 'the big event was changed')
    },
  },
  {
    rule: 'JOURNAL-5',
    name: 'threads with odd names are threads of their own',
    async run(journal) {
      for (const name of oddThreads) await accepted(journal, name, batchAt(0, facts(name), { summary: { status: 'done', agent: name } }))
      for (const name of oddThreads) {
        const [event, ...others] = await contentOf(journal, name)
        deepStrictEqual([event?.thread, others.length], [name, 0])
        sameJson(await valuesOf(journal, name), [name])
        const head = await journal.head(name)
        deepStrictEqual([head?.thread, head?.seq, head?.summary.agent], [name, 1, name])
      }
      deepStrictEqual(new Set((await journal.threads()).map((head) => head.thread)), new Set(oddThreads))
    },
  },
]
