/**
 * Divergence: the code of a durable body has changed, and an entry no longer reaches what earlier ones reached.
 *
 * DURABLE-6. Nothing new that may not run twice begins before an entry has reached every key that is recorded or open: a divergence is reported first.
 */
import { type Call, items } from '@loom-agent/kernel'

/** What an entry has still to reach. */
export interface Divergence {
  /** Keys that are recorded or open and that this entry has not reached. */
  readonly unreached: Set<string>
  /** Called when all of them are reached. */
  readonly onReached: (() => void)[]
  /** How much of the entry waits. */
  waits: number
}

/** The keys that an entry has to reach; none where a human has accepted that the code has changed. */
export function unreachedIn({ answer, open, done }: Call): Set<string> {
  const isAccepted = answer?.kind === 'incompatible' && answer.answer.kind === 'approve'
  return new Set(isAccepted ? [] : [...items(done), ...open].map(({ key }) => key))
}

/** Notes that an entry has reached a key. */
export function reach({ unreached, onReached }: Divergence, key: string): void {
  unreached.delete(key)
  if (unreached.size === 0) for (const resolve of onReached.splice(0)) resolve()
}

/** Resolves when every key is reached. Until then the entry waits: where nothing else of it goes on, it is suspended, and the code has changed. */
export async function allReached<Entry extends Divergence>(entry: Entry, suspendIfWaiting: (entry: Entry) => void): Promise<void> {
  if (entry.unreached.size === 0) return
  entry.waits += 1
  suspendIfWaiting(entry)
  await new Promise<void>((resolve) => entry.onReached.push(resolve))
  entry.waits -= 1
}
