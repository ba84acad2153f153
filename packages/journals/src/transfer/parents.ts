/** The parents of a thread, which must have an end: what goes through children or parents one after the other would never end otherwise. */
import type { Journal } from '@loom-agent/kernel'

/** The way from a thread over its parents back to itself; undefined if there is none. `known` are parents that the journal does not have yet. */
export async function cycleOf(
  journal: Journal,
  thread: string,
  known: ReadonlyMap<string, string | undefined>,
): Promise<readonly string[] | undefined> {
  const way = new Set([thread])
  const parentOf = async (child: string): Promise<string | undefined> =>
    known.has(child) ? known.get(child) : (await journal.head(child))?.summary.parent
  for (let parent = await parentOf(thread); parent !== undefined; parent = await parentOf(parent)) {
    if (parent === thread) return [...way, thread]
    // A cycle that the thread is not in is found from one that is.
    if (way.has(parent)) return undefined
    way.add(parent)
  }
  return undefined
}
