/**
 * The journal that a store makes: forks are read with the past that they share.
 *
 * FORK-1. The prefix is shared by reference: forking appends to the fork alone, and the parent is never touched.
 * FORK-2. A fork reads as one thread: its seqs continue those of the parent, and every event names the fork.
 */
import { LoomError } from './errors.ts'
import type { LoomEvent } from './event.ts'
import { type ForkOf, isDescribed, type Journal, type ReadRange, type Store } from './journal.ts'

/** Makes a journal of a store. */
export function createJournal(store: Store): Journal {
  return {
    traits: store.traits,
    acquire: (thread, claim) => store.acquire(thread, claim),
    release: (thread, lease) => store.release(thread, lease),
    leaseValid: (thread, lease) => store.leaseValid(thread, lease),
    append: (thread, batch) => store.append(thread, batch),
    head: (thread) => store.head(thread),
    read: (thread, range = {}) => readPage(store, thread, range),
    watch: (thread, hint) => store.watch(thread, hint),
    async threads(query = {}) {
      checkPage('The threads cannot be listed', query)
      return store.threads(query)
    },
    async feed({ agent, labels, ...range } = {}) {
      checkPage('The feed cannot be read', { limit: range.limit })
      const page = await store.feed(range)
      return { ...page, entries: page.entries.filter((entry) => entry.kind === 'removed' || isDescribed(entry, { agent, labels })) }
    },
    blob: (hash) => store.blob(hash),
    blobNames: (thread) => store.blobNames(thread),
    async remove(thread, options) {
      const result = await store.remove(thread, options)
      if (result.kind === 'awaited')
        throw stillUsed(thread, `its parent ${result.parent} may wait for it. Stop the parent, or remove that instead.`, { parent: result.parent })
      if (result.kind === 'forked') throw stillUsed(thread, `its fork ${result.fork} reads it. Remove that first.`, { fork: result.fork })
      if (result.kind === 'held') throw stillDriven(thread, result)
      return result.kind
    },
    close: () => store.close(),
  }
}

/** A page of a thread. What a fork shares comes from the thread that has it, however many forks are in between. */
async function readPage(store: Store, thread: string, range: ReadRange): Promise<readonly LoomEvent[]> {
  checkPage(`The thread ${thread} cannot be read`, range)
  const { from = 1, limit = Number.POSITIVE_INFINITY } = range
  let page = await store.read(thread, { ...range, from })
  if (!page) throw wasRemoved(thread, range.incarnation)
  let wanted = limit
  const isOwn = !('forkOf' in page)
  while ('forkOf' in page) {
    const { thread: parent, incarnation, seq }: ForkOf = page.forkOf
    wanted = Math.min(wanted, seq - from + 1)
    page = (await store.read(parent, { from, limit: wanted, incarnation })) ?? []
    if (!('forkOf' in page) && page.length === 0) throw missingPast(thread, parent, from)
  }
  return isOwn ? page : page.map((event) => ({ ...event, thread }))
}

/** Throws unless a page begins and ends where pages can (JOURNAL-19). */
function checkPage(what: string, { from = 1, limit = 1 }: { from?: number | undefined; limit?: number | undefined }): void {
  for (const [name, value] of Object.entries({ from, limit })) {
    if (Number.isSafeInteger(value) && value >= 1) continue
    const message = `${what}: ${name} is ${value}. Give a whole number from 1 on, or leave it out.`
    throw new LoomError('LOOM_OPTION_INVALID', message, { context: { [name]: String(value) } })
  }
}

function wasRemoved(thread: string, incarnation = thread): LoomError {
  const message = `The thread ${thread} (incarnation ${incarnation}) was removed. If its name is used again, that is another thread.`
  return new LoomError('LOOM_THREAD_NOT_FOUND', message, { context: { thread, incarnation } })
}

function missingPast(thread: string, parent: string, seq: number): LoomError {
  const message = `${thread} is a fork of ${parent}, and the events of ${parent} from ${seq} on are gone. Bring them back from a copy.`
  return new LoomError('LOOM_THREAD_UNREADABLE', message, { context: { thread, parent, seq } })
}

function stillUsed(thread: string, why: string, by: Readonly<Record<string, string>>): LoomError {
  return new LoomError('LOOM_THREAD_BUSY', `${thread} cannot be removed: ${why}`, { context: { thread, ...by } })
}

const stillDriven = (thread: string, { thread: driven, holder }: { thread: string; holder: string }): LoomError =>
  stillUsed(thread, `${holder} drives ${driven === thread ? 'it' : `its child ${driven}`}. Stop it first.`, { driven, holder })

/** The error of a fork that cannot start: its parent, or the moment it was cut at, is not in the store. */
export function missingParent(fork: string, { thread, seq }: ForkOf): LoomError {
  const message = `${fork} cannot be forked from ${thread}@${seq}: that moment is not in the journal. It may have been removed.`
  return new LoomError('LOOM_THREAD_NOT_FOUND', message, { context: { thread, seq, fork } })
}

/** The error of a thread that came from outside and that nobody has adopted (JOURNAL-23). */
export function threadQuarantined(thread: string): LoomError {
  const message = `The thread ${thread} was imported and is quarantined: it can be read, exported and removed, and neither driven nor changed nor answered. If you trust where it came from, adopt it: adopt(journal, '${thread}'), or give adopt: true to run, resume or answer.`
  return new LoomError('LOOM_THREAD_QUARANTINED', message, { context: { thread } })
}

/** The error of a cursor that the feed cannot continue from (JOURNAL-16). */
export function staleCursor(cursor: string): LoomError {
  const message = `The feed cannot continue after ${cursor}: the journal does not hold that entry. It may be an older copy, or another journal. Read from the start.`
  return new LoomError('LOOM_CURSOR_STALE', message, { context: { cursor } })
}
