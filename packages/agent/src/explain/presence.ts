/** The presence of entries over the turns of a thread. */
import type { Journal, Seq } from '@loom-agent/kernel'
import type { ExplainWhat } from './explanation.ts'
import type { PresenceRange } from './presence-matrix.ts'

/** What entries that follow each other have in common over the turns. */
export interface PresenceRow {
  /** The index of the first entry in the history. */
  readonly from: number
  /** The index of the last entry. */
  readonly to: number
  /** The seq of the event that brought the first entry. */
  readonly seq: Seq
  /** How the first entry begins. */
  readonly text: string
  /** The turns, in order and without a gap, from the one in which they first could be sent. */
  readonly turns: readonly PresenceRange[]
}

/** Which entries were in which requests. */
export interface Presence {
  /** The thread. */
  readonly thread: string
  /** The number of its last turn that has a context. */
  readonly turn: number
  /** The entries, in the order of the history. */
  readonly rows: readonly PresenceRow[]
}

/**
 * Which entries of a thread were in the requests of which turns: of all entries, or of those that are looked for. Of several contexts of one turn the last
 * counts.
 *
 * @example
 * for (const { from, to, turns } of (await presenceOf(journal, 'user-123')).rows) console.log(from, to, turns)
 */
export async function presenceOf(journal: Journal, thread: string, what?: ExplainWhat): Promise<Presence> {
  const { readPresence } = await import('./read-presence.ts')
  return readPresence(journal, thread, what)
}
