/** JOURNAL-7: forks. */
import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict'
import type { Batch, ForkOf, Journal } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, contentOf, facts, sameJson, thread, valuesOf } from './samples.ts'

const cut: ForkOf = { thread, incarnation: 'life', seq: 3 }
const fork = { incarnation: 'fork life' }

/** A thread of four events in two batches: a cut at 3 is inside the second. */
async function parent(journal: Journal): Promise<void> {
  await accepted(journal, thread, batchAt(0, facts('a', 'b')))
  await accepted(journal, thread, batchAt(2, facts('c', 'd')))
}

/** The batch that begins a fork. */
function beginning(forkOf: ForkOf = cut, more: Partial<Batch> = {}): Batch {
  return batchAt(forkOf.seq, facts('own'), { ...fork, forkOf, ...more })
}

const busy = { code: 'LOOM_THREAD_BUSY' }
const notFound = { code: 'LOOM_THREAD_NOT_FOUND' }

/** Threads that share their past with another one. */
export const forkCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-7',
    name: 'the own events of a fork are numbered from its cut on, and its head says where that is, also after opening again',
    async run(journal, reopen) {
      await parent(journal)
      await accepted(journal, 'fork', beginning())
      await accepted(journal, 'fork', batchAt(4, facts('more'), fork))
      const again = await reopen(journal)
      const head = await again.head('fork')
      deepStrictEqual([head?.seq, head?.incarnation], [5, 'fork life'])
      sameJson(head?.forkOf, cut)
      sameJson(
        (await again.threads()).map(({ thread: name, forkOf }) => [name, forkOf]),
        [
          ['fork', cut],
          [thread, undefined],
        ],
      )
      deepStrictEqual(await valuesOf(again, 'fork'), ['a', 'b', 'c', 'own', 'more'])
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a fork reads as one thread, from wherever and in pages of any size, and not beyond its cut',
    async run(journal) {
      await parent(journal)
      await accepted(journal, 'fork', beginning())
      await accepted(journal, thread, batchAt(4, facts('e')))
      const events = await contentOf(journal, 'fork')
      deepStrictEqual(await valuesOf(journal, 'fork'), ['a', 'b', 'c', 'own'])
      for (const { thread: name } of events) strictEqual(name, 'fork')
      for (let from = 1; from <= 5; from += 1) {
        for (let limit = 1; limit <= 5; limit += 1) {
          const page = await journal.read('fork', { from, limit })
          // A page may end at the cut; it is empty at the end alone.
          strictEqual(page.length > 0, from <= 4)
          sameJson(page, events.slice(from - 1, from - 1 + page.length))
          strictEqual(page.length <= limit, true)
        }
      }
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a parent is not changed by its forks, and continues beside them',
    async run(journal) {
      await parent(journal)
      const before = await contentOf(journal, thread)
      const head = await journal.head(thread)
      await Promise.all(['one', 'two'].map((name) => accepted(journal, name, beginning())))
      await accepted(journal, 'one', batchAt(4, facts('more'), fork))
      sameJson(await contentOf(journal, thread), before)
      sameJson(await journal.head(thread), head)
      await accepted(journal, thread, batchAt(4, facts('e')))
      deepStrictEqual(await valuesOf(journal, 'two'), ['a', 'b', 'c', 'own'])
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a thread is not removed while a fork reads it, and may be once the last fork is gone',
    async run(journal) {
      await parent(journal)
      for (const name of ['one', 'two']) await accepted(journal, name, beginning())
      for (const name of ['one', 'two']) {
        await rejects(journal.remove(thread), busy)
        deepStrictEqual(await valuesOf(journal, name), ['a', 'b', 'c', 'own'])
        await journal.remove(name)
      }
      await journal.remove(thread)
      deepStrictEqual(await journal.threads(), [])
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a fork does not begin without the moment it was cut at, and leaves no trace',
    async run(journal) {
      await rejects(journal.append('fork', beginning()), notFound)
      await parent(journal)
      await rejects(journal.append('fork', beginning({ ...cut, incarnation: 'another life' })), notFound)
      await rejects(journal.append('fork', beginning({ ...cut, seq: 5 })), notFound)
      strictEqual(await journal.head('fork'), undefined)
      await accepted(journal, 'fork', beginning({ ...cut, seq: 4 }))
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a thread is no fork of itself, nor of the moment before a first event',
    async run(journal) {
      const itself = beginning({ thread: 'fork', incarnation: 'fork life', seq: 1 })
      await rejects(journal.append('fork', itself), notFound)
      strictEqual(await journal.head('fork'), undefined)
      await journal.acquire('fork', { worker: 'w', seen: 0, ...fork })
      await rejects(journal.append('fork', itself), notFound)
      await parent(journal)
      deepStrictEqual(await journal.append(thread, beginning(cut, { incarnation: 'life' })), { kind: 'conflict', seq: 4 })
      await rejects(journal.append('early', beginning({ ...cut, seq: 0 })), notFound)
      strictEqual(await journal.head('early'), undefined)
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a fork of a fork reads through both, wherever it was cut, and keeps the one between',
    async run(journal) {
      await parent(journal)
      await accepted(journal, 'fork', beginning())
      await accepted(journal, 'fork', batchAt(4, facts('more'), fork))
      await accepted(journal, 'late', beginning({ thread: 'fork', incarnation: 'fork life', seq: 4 }))
      await accepted(journal, 'early', beginning({ thread: 'fork', incarnation: 'fork life', seq: 2 }))
      deepStrictEqual(await valuesOf(journal, 'late'), ['a', 'b', 'c', 'own', 'own'])
      deepStrictEqual(await valuesOf(journal, 'early'), ['a', 'b', 'own'])
      await rejects(journal.remove('fork'), busy)
      await journal.remove('late')
      await rejects(journal.remove('fork'), busy)
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a fork conflicts on a name that is used, and is begun once however often it is appended',
    async run(journal) {
      await parent(journal)
      await accepted(journal, 'used', batchAt(0, facts('x')))
      deepStrictEqual(await journal.append('used', beginning()), { kind: 'conflict', seq: 1 })
      // Neither does one that would continue the thread that is there.
      await accepted(journal, 'long', batchAt(0, facts(1, 2, 3), fork))
      deepStrictEqual(await journal.append('long', beginning()), { kind: 'conflict', seq: 3 })
      await journal.acquire('claimed', { worker: 'w', seen: 0, ...fork })
      deepStrictEqual(await journal.append('claimed', beginning(cut, { expected: 0 })), { kind: 'conflict', seq: 0 })
      const batch = beginning(cut, { blobs: new Map([['blob', Uint8Array.of(1)]]) })
      for (let times = 0; times < 3; times += 1) deepStrictEqual(await journal.append('fork', batch), { kind: 'appended', seq: 4 })
      deepStrictEqual(await journal.append('fork', beginning(cut, { incarnation: 'other life' })), { kind: 'conflict', seq: 4 })
      deepStrictEqual(await valuesOf(journal, 'fork'), ['a', 'b', 'c', 'own'])
      deepStrictEqual(await journal.blob('blob'), Uint8Array.of(1))
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'a driver of a fork is given its head when it acquires and when it releases',
    async run(journal) {
      await parent(journal)
      await accepted(journal, 'fork', beginning())
      const acquired = await journal.acquire('fork', { worker: 'w', seen: 0, ...fork })
      if (acquired.kind !== 'acquired') throw new Error(`the fork is ${acquired.kind}`)
      sameJson(acquired.head, await journal.head('fork'))
      deepStrictEqual([acquired.head.seq, acquired.head.epoch, acquired.head.holder], [4, 1, 'w'])
      await accepted(journal, 'fork', batchAt(4, facts('more'), { epoch: 1, ...fork }))
      const released = await journal.release('fork', { epoch: 1, ...fork })
      sameJson(released, await journal.head('fork'))
      deepStrictEqual([released?.seq, released?.holder], [5, undefined])
      strictEqual(await journal.release('unknown', { epoch: 1, incarnation: 'life' }), undefined)
    },
  },
  {
    rule: 'JOURNAL-7',
    name: 'of a fork and the removal of its parent at the same moment exactly one succeeds',
    async run(journal) {
      for (let round = 0; round < 10; round += 1) {
        await parent(journal)
        const work = [() => journal.append('fork', beginning()), () => journal.remove(thread)]
        const ends = await Promise.allSettled((round % 2 ? work : work.toReversed()).map((begin) => begin()))
        const failures = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as { code?: string }).code] : []))
        const isForked = (await journal.head('fork')) !== undefined
        deepStrictEqual(failures, [isForked ? busy.code : notFound.code])
        if (isForked) deepStrictEqual(await valuesOf(journal, 'fork'), ['a', 'b', 'c', 'own'])
        for (const name of ['fork', thread]) await journal.remove(name)
      }
    },
  },
]
