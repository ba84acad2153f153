/** The presence of entries over the turns of a thread. */
import type { Journal } from '@loom-agent/kernel'
import type { ExplainWhat } from './explanation.ts'
import type { Presence } from './read-presence.ts'

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
