/** A case of the journal contract, and the rules that cases are about. */
import type { Journal } from '@loom-agent/kernel'

/**
 * What a journal promises: JOURNAL-1 to JOURNAL-7, JOURNAL-13 to JOURNAL-17 and JOURNAL-19 to JOURNAL-24 as the kernel states them, and what its other
 * methods say of themselves.
 */
export const contractRules = {
  'JOURNAL-1': 'Compare-and-append: a batch is stored whole, and only at the head it expects; otherwise nothing changes.',
  'JOURNAL-2': 'A batch that is stored already returns appended, whatever has happened since.',
  'JOURNAL-3': 'A batch with an epoch that is not the current one is fenced, even at the right seq; a batch without one is a contributor’s.',
  'JOURNAL-4': 'Acquiring raises the epoch, by compare-and-set on the epoch the claimant has seen, and not while the holder lives.',
  'JOURNAL-5': 'What is read was appended: gap-free, in order, and never the writer’s own objects.',
  'JOURNAL-6': 'A batch or a claim that names another incarnation than the thread’s is fenced; one that begins the thread conflicts.',
  'JOURNAL-7': 'A fork continues its parent from the cut on; neither begins nor stays without the other.',
  'JOURNAL-8':
    'A watcher of a thread is notified of its head after appends, of its removal, and of nothing after it stops watching. What it throws reaches no writer and no other watcher.',
  'JOURNAL-9': 'The thread table changes with the append, and is listed without gaps and repetitions.',
  'JOURNAL-10': 'Blobs are stored with their batch, and only with it.',
  'JOURNAL-11': 'What is removed is gone, and nothing else.',
  'JOURNAL-12': 'What was acknowledged is there when a durable journal is opened again.',
  'JOURNAL-13': 'A read that names an incarnation returns events of that one only; when it is gone, the read says so.',
  'JOURNAL-14': 'A removal that names a head removes the thread only where that is still its head.',
  'JOURNAL-15': 'The feed has one entry for every commit and every removal, in an order that is the same for every reader, and skips none.',
  'JOURNAL-16': 'A cursor whose entry is not in the journal, and was not removed since, is stale.',
  'JOURNAL-17': 'A thread is removed with its children, and not while one of them is driven or read by a fork outside of them.',
  'JOURNAL-18': 'Heads have times of the store’s clock, and threads are found and sorted by agent, labels and time.',
  'JOURNAL-19': 'A page begins at a whole number from 1 on and has room for at least one; anything else is refused.',
  'JOURNAL-20': 'A release ends the lease that it names, and no other: none of another epoch, none on another thread of the same id.',
  'JOURNAL-21': 'A lease is valid from the claim to its end, and no other lease is.',
  'JOURNAL-22': 'A copy that is not whole takes batches that name its epoch, and fences those of contributors.',
  'JOURNAL-23': 'A quarantined thread takes copies and its adoption, and nothing else; its forks are quarantined too.',
  'JOURNAL-24': 'The claim of a copy raises the epoch to the one that it names, in one step.',
} as const

/** The id of a rule of the contract. */
export type ContractRule = keyof typeof contractRules

/** Closes a journal and opens it again from what it keeps. */
export type Reopen = (journal: Journal) => Promise<Journal>

/** One case of the contract. It is given an empty journal and throws when the journal breaks the rule. */
export interface ContractCase {
  /** What the case shows, as a sentence. */
  readonly name: string
  /** The rule that it is about. */
  readonly rule: ContractRule
  /** Runs the case; `reopen` returns the same journal when it is not durable. */
  run(journal: Journal, reopen: Reopen): Promise<void>
}
