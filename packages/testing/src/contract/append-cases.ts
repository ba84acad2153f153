/** JOURNAL-1 and JOURNAL-2: batches are stored whole, at the head they expect, and once. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, contentOf, everythingOf, facts, fullSummary, thread, valuesOf } from './samples.ts'

/** Compare-and-append, and batch ids. */
export const appendCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-1',
    name: 'a batch at the head is stored whole, and the next one follows it',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a', 'b', 'c')))
      await accepted(journal, thread, batchAt(3, facts('d')))
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b', 'c', 'd'])
      strictEqual((await journal.head(thread))?.seq, 4)
    },
  },
  {
    rule: 'JOURNAL-1',
    name: 'a batch below or above the head conflicts, returns the head, and changes nothing',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a', 'b')))
      const before = await everythingOf(journal, thread)
      for (const expected of [0, 1, 3, 100]) {
        const late = batchAt(expected, facts('x', 'y'), { summary: fullSummary })
        deepStrictEqual(await journal.append(thread, late), { kind: 'conflict', seq: 2 })
        strictEqual(await everythingOf(journal, thread), before)
      }
      await accepted(journal, thread, batchAt(2, facts('c')))
    },
  },
  {
    rule: 'JOURNAL-1',
    name: 'a batch that conflicts on a thread without events leaves no trace of the thread',
    async run(journal) {
      deepStrictEqual(await journal.append(thread, batchAt(7, facts('x'))), { kind: 'conflict', seq: 0 })
      strictEqual(await journal.head(thread), undefined)
      deepStrictEqual(await journal.threads(), [])
    },
  },
  {
    rule: 'JOURNAL-1',
    name: 'a batch without events is checked like any other, and stores nothing',
    async run(journal) {
      const empty = { summary: fullSummary, blobs: new Map([['blob', Uint8Array.of(1)]]) }
      await accepted(journal, thread, batchAt(0, [], empty))
      deepStrictEqual([await journal.head(thread), await journal.threads()], [undefined, []])
      await accepted(journal, thread, batchAt(0, facts('a')))
      const before = await everythingOf(journal, thread)
      await accepted(journal, thread, batchAt(1, [], empty))
      for (const expected of [0, 2]) deepStrictEqual(await journal.append(thread, batchAt(expected, [], empty)), { kind: 'conflict', seq: 1 })
      deepStrictEqual(await journal.append(thread, batchAt(1, [], { ...empty, epoch: 7 })), { kind: 'fenced', epoch: 0 })
      strictEqual(await everythingOf(journal, thread), before)
      strictEqual(await journal.blob('blob'), undefined)
    },
  },
  {
    rule: 'JOURNAL-1',
    name: 'of twenty writers at the same head exactly one wins',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('first')))
      const batches = Array.from({ length: 20 }, (_, number) => batchAt(1, facts(number, number)))
      const results = await Promise.all(batches.map((batch) => journal.append(thread, batch)))
      const won = results.flatMap(({ kind }, index) => (kind === 'appended' ? [index] : []))
      strictEqual(won.length, 1)
      strictEqual(results.filter(({ kind }) => kind === 'conflict').length, 19)
      deepStrictEqual(await valuesOf(journal, thread), ['first', won[0], won[0]])
    },
  },
  {
    rule: 'JOURNAL-1',
    name: 'writers that try again after a conflict lose nothing and store nothing twice',
    async run(journal) {
      const write = async (writer: number): Promise<void> => {
        for (let number = 0; number < 5; number += 1) {
          let head = 0
          for (let tries = 0; ; tries += 1) {
            ok(tries < 1000, 'a writer does not get through')
            const result = await journal.append(thread, batchAt(head, facts(writer * 10 + number, 'end')))
            if (result.kind === 'appended') break
            ok(result.kind === 'conflict', `a contributor got ${result.kind}`)
            head = result.seq
          }
        }
      }
      await Promise.all([1, 2, 3, 4, 5, 6].map(write))
      const values = await valuesOf(journal, thread)
      strictEqual(values.length, 60)
      strictEqual(new Set(values).size, 31)
      deepStrictEqual(new Set(values.filter((_value, index) => index % 2 === 1)), new Set(['end']))
    },
  },
  {
    rule: 'JOURNAL-1',
    name: 'threads do not get in each other’s way',
    async run(journal) {
      await Promise.all(['a', 'b', 'c'].map((name) => accepted(journal, name, batchAt(0, facts(name, name)))))
      for (const name of ['a', 'b', 'c']) deepStrictEqual(await valuesOf(journal, name), [name, name])
      deepStrictEqual(await contentOf(journal, 'd'), [])
    },
  },
  {
    rule: 'JOURNAL-2',
    name: 'a batch that is appended again gives the first result again and is stored once',
    async run(journal) {
      const batch = batchAt(0, facts('a', 'b'))
      await accepted(journal, thread, batch)
      await accepted(journal, thread, batch)
      await accepted(journal, thread, batchAt(2, facts('c'), { summary: fullSummary }))
      const before = await everythingOf(journal, thread)
      await accepted(journal, thread, batch)
      strictEqual(await everythingOf(journal, thread), before)
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b', 'c'])
    },
  },
  {
    rule: 'JOURNAL-2',
    name: 'a batch is recognised however far the thread has continued, and another batch in its place is not',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      const batch = batchAt(1, facts('b', 'c'))
      await accepted(journal, thread, batch)
      for (let seq = 3; seq < 8; seq += 1) await accepted(journal, thread, batchAt(seq, facts(String(seq))))
      deepStrictEqual(await journal.append(thread, batch), { kind: 'appended', seq: 3 })
      deepStrictEqual(await journal.append(thread, batchAt(1, facts('b', 'c'))), { kind: 'conflict', seq: 8 })
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b', 'c', '3', '4', '5', '6', '7'])
    },
  },
  {
    rule: 'JOURNAL-2',
    name: 'a driver that was replaced learns that its last batch was stored',
    async run(journal) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      const batch = batchAt(0, facts('a'), { epoch: 1 })
      await accepted(journal, thread, batch)
      await journal.acquire(thread, { worker: 'second', incarnation: 'life', seen: 1, force: true })
      await accepted(journal, thread, batch)
      deepStrictEqual(await valuesOf(journal, thread), ['a'])
    },
  },
  {
    rule: 'JOURNAL-2',
    name: 'the same batch appended many times at once is stored once',
    async run(journal) {
      const batch = batchAt(0, facts('a', 'b'))
      const results = await Promise.all(Array.from({ length: 10 }, () => journal.append(thread, batch)))
      for (const result of results) deepStrictEqual(result, { kind: 'appended', seq: 2 })
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b'])
    },
  },
  {
    rule: 'JOURNAL-2',
    name: 'an id belongs to its thread, and an id that conflicted is still free',
    async run(journal) {
      const batch = batchAt(0, facts('a'))
      await accepted(journal, 'a', batch)
      await accepted(journal, 'b', batch)
      deepStrictEqual(await valuesOf(journal, 'b'), ['a'])
      const late = batchAt(5, facts('b'))
      strictEqual((await journal.append('a', late)).kind, 'conflict')
      await accepted(journal, 'a', { ...late, expected: 1 })
      deepStrictEqual(await valuesOf(journal, 'a'), ['a', 'b'])
    },
  },
  {
    rule: 'JOURNAL-2',
    name: 'an id counts together with the seq that its batch expects: after another seq it is another batch',
    async run(journal) {
      const batches = [batchAt(0, facts('a'), { id: 'same' }), batchAt(1, facts('b', 'c'), { id: 'same' })]
      for (let times = 0; times < 2; times += 1) for (const batch of batches) await accepted(journal, thread, batch)
      for (const expected of [2, 7])
        deepStrictEqual(await journal.append(thread, batchAt(expected, facts('x'), { id: 'same' })), { kind: 'conflict', seq: 3 })
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b', 'c'])
    },
  },
]
