/** JOURNAL-4: one driver at a time. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { Journal, LeaseId } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, facts, thread } from './samples.ts'

/** The epoch and the holder as the head shows them. */
async function driverOf(journal: Journal): Promise<readonly [number | undefined, string | undefined]> {
  const head = await journal.head(thread)
  return [head?.epoch, head?.holder]
}

/** Claims the thread; returns the kind of the result, and the epoch. */
async function claim(journal: Journal, claimant: Parameters<Journal['acquire']>[1]): Promise<readonly [string, number]> {
  const { kind, epoch } = await journal.acquire(thread, claimant)
  return [kind, epoch]
}

/** The lease of an epoch. */
const lease = (epoch: number): LeaseId => ({ epoch, incarnation: 'life' })

/** Acquiring and releasing. */
export const acquireCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-4',
    name: 'a thread without a holder is acquired under a higher epoch, which the head shows',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      deepStrictEqual(await driverOf(journal), [0, undefined])
      deepStrictEqual(await claim(journal, { worker: 'first', incarnation: 'life', seen: 0 }), ['acquired', 1])
      deepStrictEqual(await driverOf(journal), [1, 'first'])
      strictEqual((await journal.head(thread))?.seq, 1)
    },
  },
  {
    rule: 'JOURNAL-4',
    name: 'a thread whose holder lives is held, and the result names the holder',
    async run(journal) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 1 }))
      deepStrictEqual(await journal.acquire(thread, { worker: 'second', incarnation: 'life', seen: 1 }), { kind: 'held', epoch: 1, holder: 'first' })
      deepStrictEqual(await driverOf(journal), [1, 'first'])
    },
  },
  {
    rule: 'JOURNAL-4',
    name: 'a claimant that has not seen the current epoch does not get the thread, though it is free, not even by force',
    async run(journal) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await journal.release(thread, lease(1))
      await accepted(journal, thread, batchAt(0, facts('a')))
      for (const seen of [0, 2]) {
        for (const force of [false, true]) {
          const result = await journal.acquire(thread, { worker: 'second', incarnation: 'life', seen, force })
          deepStrictEqual({ holder: undefined, ...result }, { kind: 'held', epoch: 1, holder: undefined })
        }
      }
      deepStrictEqual(await driverOf(journal), [1, undefined])
      deepStrictEqual(await claim(journal, { worker: 'second', incarnation: 'life', seen: 1 }), ['acquired', 2])
    },
  },
  {
    rule: 'JOURNAL-4',
    name: 'force takes a held thread over, under a higher epoch',
    async run(journal) {
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      deepStrictEqual(await claim(journal, { worker: 'second', incarnation: 'life', seen: 1, force: true }), ['acquired', 2])
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 2 }))
      deepStrictEqual(await driverOf(journal), [2, 'second'])
    },
  },
  {
    rule: 'JOURNAL-4',
    name: 'a released thread is free, and no epoch is given twice',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      for (let epoch = 1; epoch <= 4; epoch += 1) {
        deepStrictEqual(await claim(journal, { worker: `worker ${epoch}`, incarnation: 'life', seen: epoch - 1 }), ['acquired', epoch])
        await journal.release(thread, lease(epoch))
        deepStrictEqual(await driverOf(journal), [epoch, undefined])
      }
    },
  },
  {
    rule: 'JOURNAL-4',
    name: 'a release under another epoch changes nothing',
    async run(journal) {
      await journal.release(thread, lease(0))
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await journal.acquire(thread, { worker: 'second', incarnation: 'life', seen: 1, force: true })
      await accepted(journal, thread, batchAt(0, facts('a'), { epoch: 2 }))
      await journal.release(thread, lease(1))
      await journal.release(thread, lease(3))
      deepStrictEqual(await driverOf(journal), [2, 'second'])
      strictEqual((await journal.acquire(thread, { worker: 'third', incarnation: 'life', seen: 2 })).kind, 'held')
    },
  },
  {
    rule: 'JOURNAL-21',
    name: 'a lease is valid from the claim to the release, and no other lease is',
    async run(journal) {
      ok(!journal.leaseValid(thread, lease(0)), 'there is a lease before the first claim')
      await accepted(journal, thread, batchAt(0, facts('a')))
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      ok(journal.leaseValid(thread, lease(1)), 'the lease is not valid')
      for (const other of [lease(0), lease(2), { epoch: 1, incarnation: 'other' }]) {
        ok(!journal.leaseValid(thread, other), `a lease on ${other.incarnation} of epoch ${other.epoch} is valid`)
      }
      ok(!journal.leaseValid('other', lease(1)), 'the lease is valid for another thread')
      await journal.release(thread, lease(1))
      ok(!journal.leaseValid(thread, lease(1)), 'the lease is valid after its release')
    },
  },
  {
    rule: 'JOURNAL-21',
    name: 'a lease is not valid any more when another claimant has the thread, or when it was removed',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      await journal.acquire(thread, { worker: 'first', incarnation: 'life', seen: 0 })
      await journal.acquire(thread, { worker: 'second', incarnation: 'life', seen: 1, force: true })
      deepStrictEqual([journal.leaseValid(thread, lease(1)), journal.leaseValid(thread, lease(2))], [false, true])
      await journal.remove(thread)
      ok(!journal.leaseValid(thread, lease(2)), 'the lease is valid though the thread is gone')
    },
  },
  {
    rule: 'JOURNAL-21',
    name: 'a lease on a child is not valid any more when the child was removed with its parent',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      await accepted(journal, 'child', batchAt(0, facts('b'), { summary: { status: 'waiting', parent: thread } }))
      await journal.acquire('child', { worker: 'w', incarnation: 'life', seen: 0 })
      ok(journal.leaseValid('child', lease(1)), 'the lease is not valid')
      await journal.remove(thread)
      ok(!journal.leaseValid('child', lease(1)), 'the lease is valid though the child is gone')
    },
  },
  {
    rule: 'JOURNAL-4',
    name: 'of a thousand claimants one wins',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      const claims = Array.from({ length: 1000 }, (_, number) =>
        journal.acquire(thread, { worker: `worker ${number}`, incarnation: 'life', seen: 0 }),
      )
      const results = await Promise.all(claims)
      const winners = results.flatMap(({ kind }, number) => (kind === 'acquired' ? [`worker ${number}`] : []))
      strictEqual(winners.length, 1)
      ok(results.every(({ epoch }) => epoch === 1))
      deepStrictEqual(await driverOf(journal), [1, winners[0]])
    },
  },
]
