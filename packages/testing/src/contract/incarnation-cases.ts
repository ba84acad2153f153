/** JOURNAL-6: incarnations. A thread that is removed and begun again under its name is another thread. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { Journal } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, everythingOf, facts, thread, valuesOf } from './samples.ts'

const first = { incarnation: 'first life' }
const second = { incarnation: 'second life' }

/** A thread in its second incarnation: each has a driver of epoch 1 and one event. */
async function startAgain(journal: Journal): Promise<void> {
  for (const incarnation of [first, second]) {
    await journal.remove(thread)
    await journal.acquire(thread, { worker: incarnation.incarnation, seen: 0, ...incarnation })
    await accepted(journal, thread, batchAt(0, facts(incarnation.incarnation), { id: 'begin', epoch: 1, ...incarnation }))
  }
}

/** Threads that are removed and begun again. */
export const incarnationCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-6',
    name: 'the head, the table and a claim show the incarnation of the first batch',
    async run(journal) {
      await journal.acquire(thread, { worker: 'w', seen: 0, ...first })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 1, ...second }))
      await journal.release(thread, { epoch: 1, ...second })
      const claimed = await journal.acquire(thread, { worker: 'w', seen: 1, ...second })
      const heads = [await journal.head(thread), ...(await journal.threads()), claimed.kind === 'acquired' ? claimed.head : undefined]
      deepStrictEqual(
        heads.map((head) => head?.incarnation),
        ['second life', 'second life', 'second life'],
      )
    },
  },
  {
    rule: 'JOURNAL-6',
    name: 'a batch of another incarnation is fenced, with an epoch and without, and changes nothing',
    async run(journal) {
      await journal.acquire(thread, { worker: 'w', seen: 0, ...first })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 1, ...first }))
      const before = await everythingOf(journal, thread)
      for (const expected of [1, 2]) {
        for (const epoch of [undefined, 0, 1]) {
          deepStrictEqual(await journal.append(thread, batchAt(expected, facts('b'), { epoch, ...second })), { kind: 'fenced', epoch: 1 })
        }
      }
      strictEqual(await everythingOf(journal, thread), before)
      await accepted(journal, thread, batchAt(1, facts('b'), { epoch: 1, ...first }))
    },
  },
  {
    rule: 'JOURNAL-6',
    name: 'a batch that begins a thread conflicts with the thread that is there',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a', 'b'), first))
      deepStrictEqual(await journal.append(thread, batchAt(0, facts('c'), second)), { kind: 'conflict', seq: 2 })
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b'])
    },
  },
  {
    rule: 'JOURNAL-6',
    name: 'a claim of another incarnation is fenced, also by force, and changes nothing',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), first))
      const before = await everythingOf(journal, thread)
      for (const seen of [0, 1]) {
        for (const force of [false, true]) {
          deepStrictEqual(await journal.acquire(thread, { worker: 'w', seen, force, ...second }), { kind: 'fenced', epoch: 0 })
        }
      }
      strictEqual(await everythingOf(journal, thread), before)
      strictEqual((await journal.acquire(thread, { worker: 'w', seen: 0, ...first })).kind, 'acquired')
    },
  },
  {
    rule: 'JOURNAL-6',
    name: 'the driver of a removed thread is fenced when the name is used again, though seq and epoch fit',
    async run(journal) {
      await startAgain(journal)
      deepStrictEqual(await journal.append(thread, batchAt(1, facts('late'), { epoch: 1, ...first })), { kind: 'fenced', epoch: 1 })
      deepStrictEqual(await journal.acquire(thread, { worker: 'late', seen: 1, force: true, ...first }), { kind: 'fenced', epoch: 1 })
      strictEqual((await journal.head(thread))?.holder, 'second life')
      deepStrictEqual(await valuesOf(journal, thread), ['second life'])
      await accepted(journal, thread, batchAt(1, facts('next'), { epoch: 1, ...second }))
    },
  },
  {
    rule: 'JOURNAL-20',
    name: 'a late release by the driver of a removed thread does not release the thread that has the name now, though the epoch fits',
    async run(journal) {
      await startAgain(journal)
      const released = await journal.release(thread, { epoch: 1, ...first })
      deepStrictEqual([released?.incarnation, released?.holder], ['second life', 'second life'])
      strictEqual((await journal.head(thread))?.holder, 'second life')
      deepStrictEqual(await journal.acquire(thread, { worker: 'third', seen: 1, ...second }), { kind: 'held', epoch: 1, holder: 'second life' })
      strictEqual(journal.leaseValid(thread, { epoch: 1, ...second }), true)
      await accepted(journal, thread, batchAt(1, facts('next'), { epoch: 1, ...second }))
      strictEqual((await journal.release(thread, { epoch: 1, ...second }))?.holder, undefined)
    },
  },
  {
    rule: 'JOURNAL-6',
    name: 'a batch of an earlier incarnation is not taken for one of this incarnation with the same id',
    async run(journal) {
      await startAgain(journal)
      const again = { id: 'begin', epoch: 1 }
      deepStrictEqual(await journal.append(thread, batchAt(0, facts('first life'), { ...again, ...first })), { kind: 'conflict', seq: 1 })
      deepStrictEqual(await journal.append(thread, batchAt(0, facts('second life'), { ...again, ...second })), { kind: 'appended', seq: 1 })
    },
  },
  {
    rule: 'JOURNAL-6',
    name: 'a thread without events is acquired under any incarnation, and takes that of the claim',
    async run(journal) {
      await journal.acquire(thread, { worker: 'w', seen: 0, ...first })
      await journal.release(thread, { epoch: 1, ...first })
      const claimed = await journal.acquire(thread, { worker: 'x', seen: 1, ...second })
      deepStrictEqual([claimed.kind, claimed.epoch, (await journal.head(thread))?.incarnation], ['acquired', 2, 'second life'])
    },
  },
]
