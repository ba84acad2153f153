/** Forks that were made and that nobody has gone on with. */
import type { Head, Journal, LoomEvent } from '@loom-agent/kernel'

/**
 * Whether a thread is a fork that nobody has gone on with: no driver has acquired it, and nothing was appended since it was made. What goes on with it is
 * for a caller to say: a fork that waits to be looked at, or to be compared, spends nothing by itself.
 */
export async function isUnresumedFork(journal: Journal, { thread, incarnation, forkOf, epoch, seq }: Head): Promise<boolean> {
  if (!forkOf) return false
  const own = await journal.read(thread, { from: forkOf.seq + 1, incarnation })
  const after = own.slice(madeWith(own))
  // Who has put files back has not gone on with the fork.
  const isRewound = after[0]?.type === 'workspace.restore-started' && after.at(-1)?.type === 'workspace.restored'
  if (isRewound) return forkOf.seq + own.length >= seq && after.slice(1, -1).every(({ type }) => type === 'driver.acquired')
  return epoch === 0 && after.length === 0 && forkOf.seq + own.length >= seq
}

/** How many of the own events of a fork were appended when it was made: that it is one, whose it is, and what its edits changed. */
function madeWith(own: readonly LoomEvent[]): number {
  const [first] = own
  if (first?.type !== 'thread.forked') return 0
  const kinds = ((first.data.edits ?? []) as readonly { readonly kind: string }[]).map(({ kind }) => kind)
  let made = own[1]?.type === 'thread.adopted' ? 2 : 1
  made += kinds.filter((kind) => kind === 'result' || kind === 'deny').length
  if (kinds.includes('input')) made = own.findIndex(({ type }, index) => index >= made && type === 'run.started') + 1
  // Before version 3, instructions were the patch of a hook.
  return own[made]?.type === 'hook.applied' ? made + 1 : made
}
