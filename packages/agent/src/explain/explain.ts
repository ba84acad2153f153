/** explain: what a model was sent at a moment, what it was not sent, and why. */
import type { Journal } from '@loom-agent/kernel'
import type { ExplainAt } from './explain-with.ts'
import type { ExplainWhat, Explanation } from './explanation.ts'

/**
 * What the request of a moment held, what it did not hold, and why: of everything, and of what is looked for. Needs the journal alone; nothing is called.
 *
 * @example
 * const { words, hints } = await explain(journal, 'user-123@42', 'launch code')
 * console.log(words, hints[0]?.words)
 */
export async function explain(journal: Journal, at: ExplainAt, what?: ExplainWhat): Promise<Explanation> {
  const { explainWith } = await import('./explain-with.ts')
  return explainWith(journal, at, { what })
}
