/** Journals that confuse leases, or that keep removals from watchers. */
import type { Journal, LeaseId } from '@loom-agent/kernel'
import type { Fault } from './faults.ts'

/** A fault of `leaseValid`. */
const judging = (name: string, leaseValid: (journal: Journal, thread: string, lease: LeaseId) => boolean): Fault => ({
  rule: 'JOURNAL-21',
  name,
  spoil: (journal) => ({ ...journal, leaseValid: (thread, lease) => leaseValid(journal, thread, lease) }),
})

const keyOf = (thread: string, { epoch, incarnation }: LeaseId): string => `${thread} ${epoch} ${incarnation}`

/** A journal that keeps its own list of leases; `forget` says which are struck off, and when. */
const remembering = (name: string, forget: (leases: Set<string>, journal: Journal) => Partial<Journal>): Fault => ({
  rule: 'JOURNAL-21',
  name,
  spoil(journal) {
    const leases = new Set<string>()
    return {
      ...journal,
      async acquire(thread, claim) {
        const result = await journal.acquire(thread, claim)
        if (result.kind === 'acquired') leases.add(keyOf(thread, { epoch: result.epoch, incarnation: claim.incarnation }))
        return result
      },
      leaseValid: (thread, lease) => leases.has(keyOf(thread, lease)),
      ...forget(leases, journal),
    }
  },
})

const releasing = (leases: Set<string>, journal: Journal): Partial<Journal> => ({
  async release(thread, lease) {
    leases.delete(keyOf(thread, lease))
    return journal.release(thread, lease)
  },
})

/** Faults of leases. */
export const leaseFaults: readonly Fault[] = [
  {
    rule: 'JOURNAL-20',
    name: 'lets the driver of a removed thread release the thread that has the name now',
    spoil: (journal) => ({
      ...journal,
      release: async (thread, lease) => journal.release(thread, { ...lease, incarnation: (await journal.head(thread))?.incarnation ?? '' }),
    }),
  },
  {
    rule: 'JOURNAL-20',
    name: 'ends the lease of the thread that has the name now, though its head still shows the holder',
    spoil(journal) {
      const ended = new Set<string>()
      return {
        ...journal,
        async release(thread, lease) {
          ended.add(`${thread} ${lease.epoch}`)
          return journal.release(thread, lease)
        },
        leaseValid: (thread, lease) => !ended.has(`${thread} ${lease.epoch}`) && journal.leaseValid(thread, lease),
      }
    },
  },
  judging('takes every lease for valid', () => true),
  judging('takes no lease for valid', () => false),
  judging(
    'does not compare the epochs of leases',
    (journal, thread, lease) => [0, 1, 2].some((epoch) => journal.leaseValid(thread, { ...lease, epoch })) || journal.leaseValid(thread, lease),
  ),
  judging(
    'does not compare the incarnations of leases',
    (journal, thread, lease) => journal.leaseValid(thread, lease) || journal.leaseValid(thread, { ...lease, incarnation: 'life' }),
  ),
  judging(
    'does not compare the threads of leases',
    (journal, thread, lease) => journal.leaseValid(thread, lease) || journal.leaseValid('thread', lease),
  ),
  remembering('keeps a lease valid after its release', () => ({})),
  remembering('keeps a lease valid that another claimant has taken over', releasing),
  remembering('keeps the lease on a removed thread valid', (leases, journal) => ({
    ...releasing(leases, journal),
    async acquire(thread, claim) {
      const result = await journal.acquire(thread, claim)
      if (result.kind !== 'acquired') return result
      for (const key of leases) if (key.startsWith(`${thread} `)) leases.delete(key)
      leases.add(keyOf(thread, { epoch: result.epoch, incarnation: claim.incarnation }))
      return result
    },
  })),
  {
    rule: 'JOURNAL-21',
    name: 'keeps the leases on the children of a removed thread valid',
    spoil(journal) {
      const kept = new Set<string>()
      return {
        ...journal,
        async remove(thread, options) {
          const children = await journal.threads({ parent: thread })
          for (const child of children) if (journal.leaseValid(child.thread, child)) kept.add(keyOf(child.thread, child))
          return journal.remove(thread, options)
        },
        leaseValid: (thread, lease) => kept.has(keyOf(thread, lease)) || journal.leaseValid(thread, lease),
      }
    },
  },
]

type Hint = (seq: number) => void

/** A fault of the hints of removals: `notify` gets the hint that watchers were to get. */
const hintingRemovals = (name: string, notify: (hints: ReadonlyMap<string, ReadonlySet<Hint>>, thread: string) => void): Fault => ({
  rule: 'JOURNAL-8',
  name,
  spoil(journal) {
    const hints = new Map<string, Set<Hint>>()
    return {
      ...journal,
      watch(thread, hint) {
        hints.set(thread, (hints.get(thread) ?? new Set()).add(hint))
        const unwatch = journal.watch(thread, (seq) => {
          if (seq > 0) hint(seq)
        })
        return () => {
          hints.get(thread)?.delete(hint)
          unwatch()
        }
      },
      async remove(thread, options) {
        const result = await journal.remove(thread, options)
        notify(hints, thread)
        return result
      },
    }
  },
})

/** Faults of the hints of removals. */
export const removalHintFaults: readonly Fault[] = [
  hintingRemovals('does not notify of removals', () => {}),
  hintingRemovals('does not notify the watchers of children that were removed with their parent', (hints, thread) => {
    for (const hint of hints.get(thread) ?? []) hint(0)
  }),
  hintingRemovals('notifies of a removal with the seq that the thread had', (hints, thread) => {
    for (const hint of hints.get(thread) ?? []) hint(2)
  }),
  hintingRemovals('notifies the watchers of all threads of a removal', (hints) => {
    for (const each of hints.values()) for (const hint of each) hint(0)
  }),
]
