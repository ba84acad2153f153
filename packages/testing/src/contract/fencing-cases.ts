/** JOURNAL-3 and JOURNAL-22: only the driver of the current epoch writes; a copy that is not whole takes nothing but its rest. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, everythingOf, facts, fullSummary, thread, valuesOf } from './samples.ts'

/** Fencing. */
export const fencingCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-3',
    name: 'the driver of the current epoch writes',
    async run(journal) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 1 }))
      deepStrictEqual(await journal.append(thread, batchAt(0, facts('b'), { epoch: 1 })), { kind: 'conflict', seq: 1 })
      deepStrictEqual(await valuesOf(journal, thread), ['a'])
    },
  },
  {
    rule: 'JOURNAL-3',
    name: 'a driver of an older epoch is fenced at the right seq and at a wrong one, and changes nothing',
    async run(journal) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 1 }))
      await journal.acquire(thread, { worker: 'second', incarnation: 'life', seen: 1, force: true })
      const before = await everythingOf(journal, thread)
      for (const expected of [1, 0, 9]) {
        const stale = batchAt(expected, facts('x'), { epoch: 1, summary: fullSummary })
        deepStrictEqual(await journal.append(thread, stale), { kind: 'fenced', epoch: 2 })
        strictEqual(await everythingOf(journal, thread), before)
      }
      await accepted(journal, thread, batchAt(1, facts('b'), { epoch: 2 }))
    },
  },
  {
    rule: 'JOURNAL-3',
    name: 'an epoch that no driver was given is fenced',
    async run(journal) {
      deepStrictEqual(await journal.append(thread, batchAt(0, facts('x'), { epoch: 1 })), { kind: 'fenced', epoch: 0 })
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      deepStrictEqual(await journal.append(thread, batchAt(0, facts('x'), { epoch: 2 })), { kind: 'fenced', epoch: 1 })
      deepStrictEqual(await valuesOf(journal, thread), [])
    },
  },
  {
    rule: 'JOURNAL-3',
    name: 'a contributor writes while a driver holds the thread, and the driver gets a conflict',
    async run(journal) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await accepted(journal, thread, batchAt(0, facts('contributor')))
      deepStrictEqual(await journal.append(thread, batchAt(0, facts('driver'), { epoch: 1 })), { kind: 'conflict', seq: 1 })
      await accepted(journal, thread, batchAt(1, facts('driver'), { epoch: 1 }))
      deepStrictEqual(await valuesOf(journal, thread), ['contributor', 'driver'])
    },
  },
  {
    rule: 'JOURNAL-3',
    name: 'a driver fences no other thread',
    async run(journal) {
      await journal.acquire('a', { worker: 'first', incarnation: 'life', seen: 0 })
      await journal.acquire('a', { worker: 'second', incarnation: 'life', seen: 1, force: true })
      await journal.acquire('b', { worker: 'first', incarnation: 'life', seen: 0 })
      await accepted(journal, 'b', batchAt(0, facts('b'), { epoch: 1 }))
      strictEqual((await journal.append('a', batchAt(0, facts('a'), { epoch: 1 }))).kind, 'fenced')
    },
  },
  {
    rule: 'JOURNAL-3',
    name: 'an epoch that is not the current one is fenced, also in a batch that begins a thread or a fork on a name that is used',
    async run(journal) {
      await accepted(journal, 'parent', batchAt(0, facts('a')))
      await accepted(journal, thread, batchAt(0, facts('a')))
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      const other = { incarnation: 'other life', epoch: 7 }
      const forkOf = { thread: 'parent', incarnation: 'life', seq: 1 }
      for (const stale of [batchAt(0, facts('b'), other), batchAt(1, facts('b'), { ...other, forkOf })])
        deepStrictEqual(await journal.append(thread, stale), { kind: 'fenced', epoch: 1 })
      deepStrictEqual(await valuesOf(journal, thread), ['a'])
    },
  },
  {
    rule: 'JOURNAL-22',
    name: 'a copy that is not whole is continued by batches that name its epoch, and a contributor is fenced at the right seq and at a wrong one',
    async run(journal) {
      const partial = { summary: { status: 'partial' as const, agent: 'someone' }, epoch: 0 }
      await accepted(journal, thread, batchAt(0, facts('a'), partial))
      const before = await everythingOf(journal, thread)
      for (const expected of [1, 0, 9]) {
        for (const summary of [fullSummary, partial.summary]) {
          deepStrictEqual(await journal.append(thread, batchAt(expected, facts('x'), { summary })), { kind: 'fenced', epoch: 0 })
          strictEqual(await everythingOf(journal, thread), before)
        }
      }
      deepStrictEqual(await journal.append(thread, batchAt(1, [], {})), { kind: 'fenced', epoch: 0 })
      await accepted(journal, thread, batchAt(1, facts('b'), partial))
      await journal.acquire(thread, { worker: 'copier', incarnation: 'life', seen: 0 })
      deepStrictEqual(await journal.append(thread, batchAt(2, facts('x'))), { kind: 'fenced', epoch: 1 })
      await accepted(journal, thread, batchAt(2, facts('c'), { epoch: 1, summary: fullSummary }))
      await accepted(journal, thread, batchAt(3, facts('d')))
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b', 'c', 'd'])
    },
  },
  {
    rule: 'JOURNAL-22',
    name: 'a copy that is not whole recognises a batch that it holds, and fences no contributor of another thread',
    async run(journal) {
      const contributed = batchAt(0, facts('a'), { summary: { status: 'partial' } })
      await accepted(journal, thread, contributed)
      await accepted(journal, thread, contributed)
      await accepted(journal, 'other', batchAt(0, facts('b'), { summary: { status: 'waiting', labels: { status: 'partial' } } }))
      const more = [batchAt(1, facts('x')), batchAt(1, facts('c'))]
      const results = await Promise.all([thread, 'other'].map((name, index) => journal.append(name, more[index] ?? contributed)))
      deepStrictEqual(results, [
        { kind: 'fenced', epoch: 0 },
        { kind: 'appended', seq: 2 },
      ])
      deepStrictEqual([await valuesOf(journal, thread), await valuesOf(journal, 'other')], [['a'], ['b', 'c']])
    },
  },
]
