/** JOURNAL-11: removing. */
import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert/strict'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, everythingOf, facts, fullSummary, thread, valuesOf } from './samples.ts'

/** Removing threads. */
export const removeCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-11',
    name: 'a removed thread has no events, no head and no place in the table',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a', 'b'), { summary: fullSummary }))
      await journal.remove(thread)
      strictEqual(await journal.head(thread), undefined)
      deepStrictEqual([await journal.read(thread), await journal.threads()], [[], []])
      await journal.remove(thread)
      await journal.remove('unknown')
    },
  },
  {
    rule: 'JOURNAL-11',
    name: 'other threads stay as they are',
    async run(journal) {
      const blobs = new Map([['shared', Uint8Array.of(1)]])
      await accepted(journal, 'kept', batchAt(0, facts('kept'), { blobs }))
      const before = await everythingOf(journal, 'kept')
      await accepted(journal, thread, batchAt(0, facts('a'), { blobs }))
      await journal.remove(thread)
      strictEqual(await everythingOf(journal, 'kept'), before)
      deepStrictEqual(await journal.blob('shared'), Uint8Array.of(1))
    },
  },
  {
    rule: 'JOURNAL-11',
    name: 'blobs go with the last thread that has them',
    async run(journal) {
      const blobs = new Map([['blob', Uint8Array.of(1)]])
      await accepted(journal, 'one', batchAt(0, facts('a'), { blobs }))
      await accepted(journal, 'two', batchAt(0, facts('a'), { blobs }))
      await journal.remove('one')
      deepStrictEqual(await journal.blob('blob'), Uint8Array.of(1))
      await journal.remove('two')
      strictEqual(await journal.blob('blob'), undefined)
    },
  },
  {
    rule: 'JOURNAL-11',
    name: 'a thread may begin again under the old name, with the old batch ids',
    async run(journal) {
      const batch = batchAt(0, facts('a', 'b'))
      await accepted(journal, thread, batch)
      await journal.remove(thread)
      const again = { ...batch, events: facts('c') }
      await accepted(journal, thread, again)
      deepStrictEqual(await valuesOf(journal, thread), ['c'])
    },
  },
  {
    rule: 'JOURNAL-11',
    name: 'the driver of a removed thread cannot continue',
    async run(journal) {
      await journal.acquire(thread, { worker: 'w', incarnation: 'life', seen: 0 })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 1 }))
      await journal.remove(thread)
      notStrictEqual((await journal.append(thread, batchAt(1, facts('b'), { epoch: 1 }))).kind, 'appended')
      deepStrictEqual(await journal.read(thread), [])
    },
  },
  {
    rule: 'JOURNAL-11',
    name: 'a thread that was acquired and removed has no holder, and may be acquired again',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      await journal.acquire(thread, { worker: 'w', incarnation: 'life', seen: 0 })
      await journal.remove(thread)
      strictEqual(await journal.head(thread), undefined)
      await accepted(journal, thread, batchAt(0, facts('b')))
      strictEqual((await journal.head(thread))?.holder, undefined)
      const { kind, epoch } = await journal.acquire(thread, { worker: 'x', incarnation: 'life', seen: 0 })
      deepStrictEqual([kind, epoch, (await journal.head(thread))?.holder], ['acquired', 1, 'x'])
    },
  },
]
