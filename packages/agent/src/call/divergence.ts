/**
 * Divergence: the code of a durable body has changed, and an entry no longer reaches what earlier ones reached, or reaches something else under its key.
 *
 * DURABLE-6. Nothing new that may not run twice begins before an entry has reached every key that is recorded or open: a divergence is reported first.
 * DURABLE-10. A key stands for one question, and for one input of a child: an entry that asks or gives something else under it does not get its record.
 */
import { type Call, items, stepName } from '@loom-agent/kernel'

/** What an entry has still to reach. */
export interface Divergence {
  /** Keys that are recorded or open and that this entry has not reached. */
  readonly unreached: Set<string>
  /** What keys stand for, where that is recorded. */
  readonly stoodFor: ReadonlyMap<string, string>
  /** What has changed about keys that were reached, in words. */
  readonly changes: string[]
  /** Called when all of them are reached. */
  readonly onReached: (() => void)[]
  /** How much of the entry waits until they are. */
  waits: number
}

/** What an entry has to reach: nothing where a human has accepted that the code has changed. */
export function divergenceOf({ answer, open, done }: Call): Divergence {
  const isAccepted = answer?.kind === 'incompatible' && answer.answer.kind === 'approve'
  const keys = isAccepted ? [] : [...items(done), ...open]
  return {
    unreached: new Set(keys.map(({ key }) => key)),
    stoodFor: new Map(keys.flatMap(({ key, about }) => (about === undefined ? [] : [[key, about]]))),
    changes: [],
    onReached: [],
    waits: 0,
  }
}

/** An entry that ends as soon as it reaches something else under a key. */
interface Diverging extends Divergence {
  readonly suspend: () => void
}

/** Notes that an entry has reached a key, which stands for `about`. */
export function reach({ unreached, stoodFor, changes, onReached, suspend }: Diverging, key: string, about: string | undefined): void {
  const before = stoodFor.get(key)
  if (before !== undefined && about !== undefined && before !== about) {
    changes.push(key.startsWith('ask:') ? `${stepName(key)} asks "${about}" and had asked "${before}"` : `${stepName(key)} has another input`)
    return suspend()
  }
  unreached.delete(key)
  if (unreached.size === 0) for (const resolve of onReached.splice(0)) resolve()
}

/** Resolves when every key is reached. Until then the entry waits: where nothing else of it goes on, it is suspended, and the code has changed. */
export async function allReached<Entry extends Divergence>(entry: Entry, proceedAtRest: (entry: Entry) => void): Promise<void> {
  if (entry.unreached.size === 0) return
  entry.waits += 1
  proceedAtRest(entry)
  await new Promise<void>((resolve) => entry.onReached.push(resolve))
  entry.waits -= 1
}

/** How an entry differs from earlier ones, in words; undefined where it does not. */
export function differenceOf({ unreached, changes }: Divergence): string | undefined {
  if (changes.length > 0) return `${changes.join(', and ')}. Approved, it goes on with what is recorded.`
  return unreached.size > 0 ? `it no longer reaches ${[...unreached].map(stepName).join(', ')}, which it had begun.` : undefined
}
