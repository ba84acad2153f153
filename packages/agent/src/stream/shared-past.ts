/**
 * The children of the past that a fork shares with the threads before it.
 *
 * LOOK-7. A stream shows the children of a fork's past that have ended there: they are the children of the threads that the fork was cut from. A child that
 *     was open at the cut is not shown: it went on without the fork, which starts its own.
 */
import { type Journal, readEvents } from '@loom-agent/kernel'

/** Whether a child, of this parent, belongs to the past that a thread shares. */
export type SharesChild = (child: string, parent: string) => Promise<boolean>

/** Looks into the past of a thread, once. */
export function sharedPastOf(journal: Journal, thread: string): SharesChild {
  let past: ReturnType<typeof readPast> | undefined
  return async (child, parent) => {
    past ??= readPast(journal, thread)
    const { threads, ended } = await past
    return threads.has(parent) && ended.has(child)
  }
}

/** The threads that a fork was cut from, and the children that had ended at the cut. */
async function readPast(journal: Journal, fork: string): Promise<{ readonly threads: ReadonlySet<string>; readonly ended: ReadonlySet<string> }> {
  const threads = new Set<string>()
  const ended = new Set<string>()
  const cut = (await journal.head(fork))?.forkOf
  if (!cut) return { threads, ended }
  for (let from = cut.thread; !threads.has(from); from = (await journal.head(from))?.forkOf?.thread ?? from) threads.add(from)
  for await (const { seq, type, data } of readEvents(journal, fork)) {
    if (seq > cut.seq) break
    if (type === 'child.finished') ended.add(data.child)
  }
  return { threads, ended }
}
