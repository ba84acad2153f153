/** JOURNAL-12: what a durable journal holds after it is opened again. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { Journal } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, everythingOf, facts, fullSummary, pause, thread, valuesOf } from './samples.ts'

/** Milliseconds between two changes, so that their times differ. */
const quiet = 5

/** Closing and opening again. */
export const reopenCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-12',
    name: 'events, summaries and blobs are there again',
    async run(journal, reopen) {
      await accepted(journal, thread, batchAt(0, facts('a', 'b'), { summary: fullSummary, blobs: new Map([['blob', Uint8Array.of(1, 2)]]) }))
      await accepted(journal, 'gone', batchAt(0, facts('a')))
      await journal.remove('gone')
      const before = await everythingOf(journal, thread)
      const again = await reopen(journal)
      strictEqual(await everythingOf(again, thread), before)
      deepStrictEqual([...((await again.blob('blob')) ?? [])], [1, 2])
      await accepted(again, thread, batchAt(2, facts('c')))
      deepStrictEqual(await valuesOf(again, thread), ['a', 'b', 'c'])
    },
  },
  {
    rule: 'JOURNAL-12',
    name: 'threads have the times that they had, and their order by time',
    async run(journal, reopen) {
      const timesOf = async (opened: Journal) => {
        const heads = await opened.threads({ sort: 'changed' })
        return heads.map(({ thread: name, times }) => [name, times.began, times.changed])
      }
      await accepted(journal, 'first', batchAt(0, facts('a')))
      await pause(quiet)
      await accepted(journal, 'second', batchAt(0, facts('a')))
      await pause(quiet)
      // Neither an event that leaves the summary as it is nor a claim is a change.
      await accepted(journal, 'first', batchAt(1, facts('b'.repeat(100_000))))
      await journal.acquire('first', { worker: 'w', incarnation: 'life', seen: 0 })
      await journal.release('first', { epoch: 1, incarnation: 'life' })
      const before = await timesOf(journal)
      deepStrictEqual(
        before.map(([name]) => name),
        ['first', 'second'],
      )
      deepStrictEqual(await timesOf(await reopen(journal)), before)
    },
  },
  {
    rule: 'JOURNAL-12',
    name: 'batch ids are known again',
    async run(journal, reopen) {
      const batch = batchAt(0, facts('a'))
      await accepted(journal, thread, batch)
      await accepted(journal, thread, batchAt(1, facts('b')))
      const again = await reopen(journal)
      await accepted(again, thread, batch)
      deepStrictEqual(await valuesOf(again, thread), ['a', 'b'])
    },
  },
  {
    rule: 'JOURNAL-12',
    name: 'epochs continue to rise, and drivers from before are fenced',
    async run(journal, reopen) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 1 }))
      await journal.release(thread, { epoch: 1, incarnation: 'life' })
      const again = await reopen(journal)
      const { kind, epoch } = await again.acquire(thread, { worker: 'second', incarnation: 'life', seen: 1 })
      deepStrictEqual([kind, epoch], ['acquired', 2])
      deepStrictEqual(await again.append(thread, batchAt(1, facts('b'), { epoch: 1 })), { kind: 'fenced', epoch: 2 })
    },
  },
]
