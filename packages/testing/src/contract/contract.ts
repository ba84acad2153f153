/**
 * The journal contract as a suite: every adapter of Loom runs it, and any other adapter can.
 *
 * The cases are plain functions that throw, so that any test runner can register them and nothing here needs one.
 */
import type { Journal } from '@loom-agent/kernel'
import { acquireCases } from './acquire-cases.ts'
import { appendCases } from './append-cases.ts'
import type { ContractCase } from './contract-case.ts'
import { feedCases } from './feed-cases.ts'
import { fencingCases } from './fencing-cases.ts'
import { forkCases } from './fork-cases.ts'
import { incarnationCases } from './incarnation-cases.ts'
import { namedThreadCases } from './named-thread-cases.ts'
import { pageCases } from './page-cases.ts'
import { quarantineCases } from './quarantine-cases.ts'
import { readCases } from './read-cases.ts'
import { removeCases } from './remove-cases.ts'
import { reopenCases } from './reopen-cases.ts'
import { tableCases } from './table-cases.ts'
import { threadQueryCases } from './thread-query-cases.ts'
import { treeCases } from './tree-cases.ts'
import { watchCases } from './watch-cases.ts'

/** The cases that hold for a journal with these traits. */
export function contractCases(traits: Pick<Journal['traits'], 'durable'>): readonly ContractCase[] {
  const events = [appendCases, fencingCases, acquireCases, readCases, pageCases, watchCases, tableCases]
  const threads = [removeCases, treeCases, incarnationCases, forkCases, namedThreadCases, feedCases, threadQueryCases, quarantineCases]
  return [...events, ...threads, ...(traits.durable ? [reopenCases] : [])].flat()
}

/** A journal to be tested: each case gets an empty one. */
export interface ContractOptions {
  /** The journal's name in the titles of the tests. */
  readonly name: string
  /** Opens a journal that holds nothing. */
  open(): Promise<Journal>
  /** Closes a journal and opens it again; only a durable journal has it. */
  reopen?(journal: Journal): Promise<Journal>
}

/** What the suite needs of a test runner. */
export interface ContractRunner {
  /** Groups the tests that `body` registers. */
  describe(name: string, body: () => void): unknown
  /** Registers a test. */
  test(name: string, body: () => Promise<void>): unknown
}

/**
 * Registers the contract with a test runner.
 *
 * @example
 * journalContract({ name: 'memory', open: async () => memoryJournal() }, { describe, test })
 */
export function journalContract(options: ContractOptions, { describe, test }: ContractRunner): void {
  const { name, open, reopen } = options
  describe(`the journal contract: ${name}`, () => {
    for (const { name: sentence, rule, run } of contractCases({ durable: reopen !== undefined })) {
      test(`${rule} ${sentence}`, async () => {
        let journal = await open()
        try {
          await run(journal, async (current) => {
            journal = reopen ? await reopen(current) : current
            return journal
          })
        } finally {
          await journal.close()
        }
      })
    }
  })
}
