/** Adopts threads that were imported. */
import type { Journal } from '@loom-agent/kernel'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'

/** By whom a thread is adopted. */
export interface AdoptionOptions {
  /** The name of the agent that the thread belongs to from then on; default: the one that its record names. */
  readonly agent?: string | undefined
}

/**
 * Ends the quarantine of a thread that was imported, and of its children: from then on it can be driven, changed and answered like any other. That is a fact of
 * the thread, `thread.adopted`. Returns false when the thread is not quarantined, and appends nothing then. Adopt only what you trust: what a record says
 * happened is believed.
 *
 * @example
 * await importThread(journal, lines)
 * await adopt(journal, 'user-1')
 */
export async function adopt(journal: Journal, thread: string, options: AdoptionOptions = {}): Promise<boolean> {
  requireJournal('adopt', journal)
  checkThread(thread)
  checkOptions('adopt', options, { agent: expected.text })
  if (!(await journal.head(thread))?.seq) throw threadNotFound(thread)
  const { adoptImported } = await import('./adopt-imported.ts')
  return adoptImported({ journal, ports: completePorts(), agent: options.agent }, thread)
}
