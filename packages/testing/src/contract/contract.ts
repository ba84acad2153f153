/**
 * The journal contract as a suite: every adapter runs it, and whoever writes one can.
 *
 * The cases are plain functions that throw, so that any test runner can register them and nothing here needs one.
 */
import type { Journal } from '@loom-agent/kernel'
import { acquireCases } from './acquire-cases.ts'
import { appendCases } from './append-cases.ts'
import { fencingCases } from './fencing-cases.ts'
import { forkCases } from './fork-cases.ts'
import { incarnationCases } from './incarnation-cases.ts'
import { readCases } from './read-cases.ts'
import { removeCases } from './remove-cases.ts'
import { reopenCases } from './reopen-cases.ts'
import { tableCases } from './table-cases.ts'
import { watchCases } from './watch-cases.ts'

/** What a journal promises: JOURNAL-1 to JOURNAL-7 as the kernel states them, and what its other methods say of themselves. */
export const contractRules = {
  'JOURNAL-1': 'Compare-and-append: a batch is stored whole, and only at the head it expects; otherwise nothing changes.',
  'JOURNAL-2': 'A batch that is stored already returns appended, whatever has happened since.',
  'JOURNAL-3': 'A batch with an epoch that is not the current one is fenced, even at the right seq; a batch without one is a contributor’s.',
  'JOURNAL-4': 'Acquiring raises the epoch, by compare-and-set on the epoch the claimant has seen, and not while the holder lives.',
  'JOURNAL-5': 'What is read was appended: gap-free, in order, and never the writer’s own objects.',
  'JOURNAL-6': 'A batch or a claim that names another incarnation than the thread’s is fenced; one that begins the thread conflicts.',
  'JOURNAL-7': 'A fork continues its parent from the cut on; neither begins nor stays without the other.',
  'JOURNAL-8': 'A watcher of a thread is notified of its head after appends, and of nothing after it stops watching.',
  'JOURNAL-9': 'The thread table changes with the append, and is listed without gaps and repetitions.',
  'JOURNAL-10': 'Blobs are stored with their batch, and only with it.',
  'JOURNAL-11': 'What is removed is gone, and nothing else.',
  'JOURNAL-12': 'What was acknowledged is there when a durable journal is opened again.',
} as const

/** The id of a rule of the contract. */
export type ContractRule = keyof typeof contractRules

/** Closes a journal and opens it again from what it keeps. */
export type Reopen = (journal: Journal) => Promise<Journal>

/** One case of the contract. It is given an empty journal and throws when the journal breaks the rule. */
export interface ContractCase {
  readonly name: string
  readonly rule: ContractRule
  run(journal: Journal, reopen: Reopen): Promise<void>
}

/** The cases that hold for a journal with these traits. */
export function contractCases(traits: Pick<Journal['traits'], 'durable'>): readonly ContractCase[] {
  const always = [appendCases, fencingCases, acquireCases, readCases, watchCases, tableCases, removeCases, incarnationCases, forkCases].flat()
  return traits.durable ? [...always, ...reopenCases] : always
}

/** A journal to be tested: each case gets an empty one. */
export interface ContractOptions {
  readonly name: string
  /** Opens a journal that holds nothing. */
  open(): Promise<Journal>
  /** Closes a journal and opens it again; only a durable journal has it. */
  reopen?(journal: Journal): Promise<Journal>
}

/** What the suite needs of a test runner. */
export interface ContractRunner {
  describe(name: string, body: () => void): unknown
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
