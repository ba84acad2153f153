/** JOURNAL-19: where pages begin, and how long they may be. */
import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, facts, thread } from './samples.ts'

const odd: readonly number[] = [0, -1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53, 1e300]
const invalid = { code: 'LOOM_OPTION_INVALID' }

/** Pages. */
export const pageCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-19',
    name: 'a page of events that begins or ends nowhere is refused, also of a fork and of a thread that does not exist',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a', 'b', 'c')))
      const forkOf = { thread, incarnation: (await journal.head(thread))?.incarnation ?? '', seq: 2 }
      await accepted(journal, 'fork', batchAt(2, facts('own'), { incarnation: 'fork', forkOf }))
      for (const name of [thread, 'fork', 'unknown']) {
        for (const value of odd) {
          await rejects(journal.read(name, { from: value }), invalid, `from ${value}`)
          await rejects(journal.read(name, { limit: value }), invalid, `limit ${value}`)
        }
      }
    },
  },
  {
    rule: 'JOURNAL-19',
    name: 'a list of threads that holds none, or no whole number of them, is refused',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      for (const value of odd) await rejects(journal.threads({ limit: value }), invalid, `limit ${value}`)
    },
  },
  {
    rule: 'JOURNAL-19',
    name: 'the greatest whole numbers are accepted: what is beyond the end is empty, and a page has its own bounds',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a', 'b')))
      const most = Number.MAX_SAFE_INTEGER
      deepStrictEqual(await journal.read(thread, { from: most, limit: most }), [])
      strictEqual((await journal.read(thread, { from: 2, limit: most })).length, 1)
      strictEqual((await journal.threads({ limit: most })).length, 1)
    },
  },
]
