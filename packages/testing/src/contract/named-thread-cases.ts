/** JOURNAL-13 and JOURNAL-14: reads and removals that name the thread they mean, and not only its id. */
import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict'
import { type Journal, type Json, readEvents } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, contentOf, everythingOf, facts, sameJson, thread, valuesOf } from './samples.ts'

const first = { incarnation: 'first life' }
const second = { incarnation: 'second life' }
const notFound = { code: 'LOOM_THREAD_NOT_FOUND' }

/** Begins the thread with four events in two batches. */
async function begin(journal: Journal, { incarnation }: { incarnation: string }): Promise<void> {
  await accepted(journal, thread, batchAt(0, facts(incarnation, incarnation), { incarnation }))
  await accepted(journal, thread, batchAt(2, facts(incarnation, incarnation), { incarnation }))
}

/** Removes the thread of the first incarnation, and begins another one under its name. */
async function replace(journal: Journal): Promise<void> {
  await journal.remove(thread)
  await begin(journal, second)
}

/** The values that a named read returns, or the code of its error. */
async function valuesOrCode(reading: ReturnType<Journal['read']>): Promise<readonly Json[] | string> {
  try {
    return (await reading).map((event) => (event.type === 'memory.recorded' ? event.data.value : event.type))
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}

/** Reads that name an incarnation, and removals that name a head. */
export const namedThreadCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-13',
    name: 'a read that names the incarnation of the thread returns what any read returns, also after opening again',
    async run(journal, reopen) {
      await begin(journal, first)
      await accepted(journal, 'old', batchAt(0, facts('a'), { incarnation: 'old' }))
      const again = await reopen(journal)
      const all = await contentOf(again, thread)
      for (let from = 1; from <= 6; from += 1) sameJson(await again.read(thread, { from, ...first }), all.slice(from - 1))
      sameJson(await again.read(thread, { limit: 1, ...first }), all.slice(0, 1))
      strictEqual((await again.read('old', { incarnation: 'old' })).length, 1)
    },
  },
  {
    rule: 'JOURNAL-13',
    name: 'a read that names an incarnation that is not there fails, wherever it begins',
    async run(journal) {
      await rejects(journal.read('unknown', first), notFound)
      await begin(journal, first)
      for (const from of [1, 3, 5, 100]) await rejects(journal.read(thread, { from, ...second }), notFound)
      await rejects(journal.read(thread, { limit: 1, ...second }), notFound)
      strictEqual((await journal.read(thread, first)).length, 4)
    },
  },
  {
    rule: 'JOURNAL-13',
    name: 'after a removal a read that names the removed thread fails, and still does when its name is used again',
    async run(journal) {
      await begin(journal, first)
      await journal.remove(thread)
      for (const from of [1, 5]) await rejects(journal.read(thread, { from, ...first }), notFound)
      await begin(journal, second)
      await accepted(journal, thread, batchAt(4, facts('more'), second))
      for (const from of [1, 3, 5, 6]) await rejects(journal.read(thread, { from, ...first }), notFound)
      strictEqual((await journal.read(thread, second)).length, 5)
    },
  },
  {
    rule: 'JOURNAL-13',
    name: 'a claim that comes after a removal does not bring the removed thread back for a read that names it',
    async run(journal) {
      await begin(journal, first)
      await journal.remove(thread)
      await journal.acquire(thread, { worker: 'w', seen: 0, ...first })
      for (const from of [1, 5]) await rejects(journal.read(thread, { from, ...first }), notFound)
    },
  },
  {
    rule: 'JOURNAL-13',
    name: 'a fork is read by its own incarnation, also in the part that it shares',
    async run(journal) {
      await begin(journal, first)
      const forkOf = { thread, seq: 3, ...first }
      await accepted(journal, 'fork', batchAt(3, facts('own'), { forkOf, ...second }))
      for (const from of [1, 4]) {
        sameJson(await journal.read('fork', { from, ...second }), await journal.read('fork', { from }))
        await rejects(journal.read('fork', { from, ...first }), notFound)
      }
      await journal.remove('fork')
      for (const from of [1, 4]) await rejects(journal.read('fork', { from, ...second }), notFound)
    },
  },
  {
    rule: 'JOURNAL-13',
    name: 'a reader whose thread is replaced between two pages is given no event of the other one',
    async run(journal) {
      await begin(journal, first)
      const values: Json[] = []
      const reading = async (): Promise<void> => {
        for await (const event of readEvents(journal, thread, { limit: 2 })) {
          if (event.type === 'memory.recorded') values.push(event.data.value)
          if (event.seq === 2) await replace(journal)
        }
      }
      await rejects(reading(), notFound)
      deepStrictEqual(values, ['first life', 'first life'])
    },
  },
  {
    rule: 'JOURNAL-13',
    name: 'a page is of one incarnation while the thread is replaced',
    async run(journal) {
      for (let round = 0; round < 10; round += 1) {
        await begin(journal, first)
        const read = (from: number) => valuesOrCode(journal.read(thread, { from, ...first }))
        const before = [1, 3].map(read)
        const replacing = replace(journal)
        const pages = await Promise.all([...before, ...[1, 3].map(read)])
        await replacing
        for (const page of pages) {
          const isWhole = typeof page !== 'string' && page.length > 0 && page.every((value) => value === 'first life')
          ok(isWhole || page === notFound.code, `a reader of the first incarnation was given ${JSON.stringify(page)}`)
        }
        await journal.remove(thread)
      }
    },
  },
  {
    rule: 'JOURNAL-14',
    name: 'a removal that names the head removes the thread, and says so',
    async run(journal) {
      await begin(journal, first)
      strictEqual(await journal.remove(thread, { expected: { seq: 4, ...first } }), 'removed')
      deepStrictEqual([await journal.head(thread), await journal.read(thread), await journal.threads()], [undefined, [], []])
      await begin(journal, second)
      strictEqual(await journal.remove(thread), 'removed')
      strictEqual(await journal.remove(thread), 'removed')
    },
  },
  {
    rule: 'JOURNAL-14',
    name: 'a removal that names another seq or another incarnation changes nothing, and says so',
    async run(journal) {
      await begin(journal, first)
      const before = await everythingOf(journal, thread)
      for (const seq of [0, 3, 5]) strictEqual(await journal.remove(thread, { expected: { seq, ...first } }), 'changed')
      strictEqual(await journal.remove(thread, { expected: { seq: 4, ...second } }), 'changed')
      strictEqual(await everythingOf(journal, thread), before)
      strictEqual(await journal.remove('unknown', { expected: { seq: 4, ...first } }), 'changed')
      await replace(journal)
      strictEqual(await journal.remove(thread, { expected: { seq: 4, ...first } }), 'changed')
      deepStrictEqual((await valuesOf(journal, thread))[0], 'second life')
    },
  },
  {
    rule: 'JOURNAL-14',
    name: 'a fork prevents the removal of the head that was named, and not the finding that it is another',
    async run(journal) {
      await begin(journal, first)
      await accepted(journal, 'fork', batchAt(4, facts('own'), { forkOf: { thread, seq: 4, ...first }, ...second }))
      await rejects(journal.remove(thread, { expected: { seq: 4, ...first } }), { code: 'LOOM_THREAD_BUSY' })
      strictEqual(await journal.remove(thread, { expected: { seq: 3, ...first } }), 'changed')
      strictEqual((await valuesOf(journal, 'fork')).length, 5)
    },
  },
  {
    rule: 'JOURNAL-14',
    name: 'of an append and a removal that names the head before it exactly one succeeds',
    async run(journal) {
      for (let round = 0; round < 10; round += 1) {
        await begin(journal, first)
        const work = [
          async () => (await journal.append(thread, batchAt(4, facts('late'), first))).kind,
          () => journal.remove(thread, { expected: { seq: 4, ...first } }),
        ]
        const ends = await Promise.all((round % 2 ? work : work.toReversed()).map((start) => start()))
        const isAppended = ends.includes('appended')
        deepStrictEqual(ends.toSorted(), isAppended ? ['appended', 'changed'] : ['conflict', 'removed'])
        strictEqual((await journal.head(thread))?.seq, isAppended ? 5 : undefined)
        await journal.remove(thread)
      }
    },
  },
]
