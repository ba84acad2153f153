/** JOURNAL-23 and JOURNAL-24: a thread that came from outside is shut until it is adopted; copies reach it, in one step. */
import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict'
import type { Batch, Draft, Journal, Summary } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, everythingOf, facts, fullSummary, thread, valuesOf } from './samples.ts'

const shut: Summary = { status: 'running', agent: 'someone', quarantined: true }
const copied = { isCopy: true, epoch: 0, summary: shut } as const
const adopted: Draft = { type: 'thread.adopted', data: { agent: 'someone', from: 'someone' } }
const forkOf = { thread, incarnation: 'life', seq: 1 }

/** Checks that a promise rejects because of the quarantine of a thread. */
const refused = (promise: Promise<unknown>, of = thread): Promise<void> =>
  rejects(promise, (error) => {
    const { code, context } = error as { code?: unknown; context?: { thread?: unknown } }
    strictEqual(code, 'LOOM_THREAD_QUARANTINED')
    strictEqual(context?.thread, of)
    return true
  })

const isQuarantined = async (journal: Journal, name: string): Promise<boolean> => (await journal.head(name))?.summary.quarantined === true

/** Quarantine. */
export const quarantineCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-23',
    name: 'drivers, contributors and claims are refused at the right seq and at a wrong one, and change nothing',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), copied))
      const before = await everythingOf(journal, thread)
      const writers: readonly Partial<Batch>[] = [
        {},
        { summary: shut },
        { epoch: 0 },
        { epoch: 7 },
        { epoch: 0, summary: shut },
        { summary: fullSummary },
      ]
      for (const expected of [1, 0, 9]) {
        for (const writer of writers) await refused(journal.append(thread, batchAt(expected, facts('x'), writer)))
      }
      await refused(journal.append(thread, batchAt(1, [])))
      for (const force of [false, true]) await refused(journal.acquire(thread, { worker: 'driver', incarnation: 'life', seen: 0, force }))
      strictEqual(await everythingOf(journal, thread), before)
    },
  },
  {
    rule: 'JOURNAL-23',
    name: 'the rest of a copy is stored, and a batch that is stored already is recognised',
    async run(journal) {
      const first = batchAt(0, facts('a'), copied)
      await accepted(journal, thread, first)
      await accepted(journal, thread, batchAt(1, facts('b'), copied))
      const { isCopy: _isCopy, ...contributed } = first
      deepStrictEqual(await journal.append(thread, contributed), { kind: 'appended', seq: 1 })
      deepStrictEqual(await journal.append(thread, batchAt(1, facts('x'), copied)), { kind: 'conflict', seq: 2 })
      deepStrictEqual(await valuesOf(journal, thread), ['a', 'b'])
      strictEqual(await isQuarantined(journal, thread), true)
    },
  },
  {
    rule: 'JOURNAL-23',
    name: 'its adoption ends the quarantine, for drivers and contributors',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), copied))
      const adoption = batchAt(1, [adopted], { summary: fullSummary })
      await accepted(journal, thread, adoption)
      await accepted(journal, thread, adoption)
      strictEqual(await isQuarantined(journal, thread), false)
      await accepted(journal, thread, batchAt(2, facts('b')))
      const { kind } = await journal.acquire(thread, { worker: 'driver', incarnation: 'life', seen: 0 })
      strictEqual(kind, 'acquired')
      await accepted(journal, thread, batchAt(3, facts('c'), { epoch: 1 }))
    },
  },
  {
    rule: 'JOURNAL-23',
    name: 'an adoption at a wrong seq, or of another incarnation, ends nothing',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), copied))
      deepStrictEqual(await journal.append(thread, batchAt(0, [adopted])), { kind: 'conflict', seq: 1 })
      deepStrictEqual(await journal.append(thread, batchAt(1, [adopted], { incarnation: 'other life' })), { kind: 'fenced', epoch: 0 })
      strictEqual(await isQuarantined(journal, thread), true)
    },
  },
  {
    rule: 'JOURNAL-23',
    name: 'a fork begins as quarantined or not at all, also with an adoption, unless it is a copy',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), copied))
      await refused(journal.append('fork', batchAt(1, facts('x'), { forkOf })))
      await refused(journal.append('fork', batchAt(1, [adopted], { forkOf })))
      strictEqual(await journal.head('fork'), undefined)
      await accepted(journal, 'fork', batchAt(1, facts('b'), { forkOf, summary: shut }))
      await refused(journal.append('fork', batchAt(2, facts('x'))), 'fork')
      await refused(journal.append('second', batchAt(2, facts('x'), { forkOf: { ...forkOf, thread: 'fork', seq: 2 } })), 'fork')
      await accepted(journal, 'copy', batchAt(1, facts('c'), { forkOf, isCopy: true }))
      await accepted(journal, 'copy', batchAt(2, facts('d')))
      deepStrictEqual(await valuesOf(journal, 'copy'), ['a', 'c', 'd'])
    },
  },
  {
    rule: 'JOURNAL-23',
    name: 'it is seen in the head, in lists and in the feed, and the thread can be removed',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), copied))
      await accepted(journal, 'open', batchAt(0, facts('b'), { summary: { status: 'idle', labels: { quarantined: true } } }))
      const listed = await journal.threads()
      deepStrictEqual(
        listed.map((head) => [head.thread, head.summary.quarantined === true]),
        [
          ['open', false],
          [thread, true],
        ],
      )
      const { entries } = await journal.feed()
      deepStrictEqual(
        entries.map((entry) => [entry.thread, entry.quarantined === true]),
        [
          [thread, true],
          ['open', false],
        ],
      )
      await accepted(journal, 'open', batchAt(1, facts('c')))
      strictEqual(await journal.remove(thread), 'removed')
    },
  },
  {
    rule: 'JOURNAL-23',
    name: 'of a group of batches only that of the quarantined thread is refused',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), copied))
      const names = ['one', thread, 'two', thread]
      const results = await Promise.allSettled(names.map((name) => journal.append(name, batchAt(name === thread ? 1 : 0, facts('x')))))
      deepStrictEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
      )
    },
  },
  {
    rule: 'JOURNAL-24',
    name: 'the claim of a copy raises the epoch in one step, also of a quarantined thread, and never lowers it',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a'), copied))
      const claim = { worker: 'copier', incarnation: 'life', force: true }
      const first = await journal.acquire(thread, { ...claim, seen: 0, copied: 90_000 })
      strictEqual(first.kind === 'acquired' && first.epoch, 90_000)
      strictEqual((await journal.head(thread))?.epoch, 90_000)
      const second = await journal.acquire(thread, { ...claim, seen: 90_000, copied: 3 })
      strictEqual(second.kind === 'acquired' && second.epoch, 90_001)
      await accepted(journal, thread, batchAt(1, facts('b'), { ...copied, epoch: 90_001 }))
      strictEqual((await journal.release(thread, { incarnation: 'life', epoch: 90_001 }))?.summary.quarantined, true)
    },
  },
]
