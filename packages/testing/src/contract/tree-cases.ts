/** JOURNAL-17: removing a thread with its children. */
import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict'
import type { Journal, Summary } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, everythingOf, facts, thread, valuesOf } from './samples.ts'

const busy = { code: 'LOOM_THREAD_BUSY' }
const names = [thread, 'child', 'grandchild', 'brother'] as const

/** A thread with two children, one of which has a child. */
async function family(journal: Journal, status: Summary['status'] = 'done'): Promise<void> {
  await accepted(journal, thread, batchAt(0, facts('a'), { summary: { status } }))
  const childOf = (parent: string) => ({ incarnation: `life of a child of ${parent}`, summary: { status, parent } })
  await accepted(journal, 'child', batchAt(0, facts('b'), { ...childOf(thread), blobs: new Map([['blob', Uint8Array.of(1)]]) }))
  await accepted(journal, 'grandchild', batchAt(0, facts('c'), { ...childOf('child'), blobs: new Map([['blob', Uint8Array.of(1)]]) }))
  await accepted(journal, 'brother', batchAt(0, facts('d'), childOf(thread)))
}

const stateOf = (journal: Journal): Promise<readonly string[]> => Promise.all(names.map((name) => everythingOf(journal, name)))

/** Removing trees of threads. */
export const treeCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-17',
    name: 'children go with their parent, theirs with them, and blobs with the last of them',
    async run(journal, reopen) {
      await family(journal)
      await accepted(journal, 'stranger', batchAt(0, facts('s'), { summary: { status: 'done', parent: 'elsewhere' } }))
      strictEqual(await journal.remove(thread), 'removed')
      const again = await reopen(journal)
      for (const name of names) strictEqual(await again.head(name), undefined, `${name} is still there`)
      deepStrictEqual(await again.threads({ parent: thread }), [])
      strictEqual(await again.blob('blob'), undefined)
      deepStrictEqual(await valuesOf(again, 'stranger'), ['s'])
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'a child goes without its parent and its brothers, and takes its own children along',
    async run(journal) {
      await family(journal)
      strictEqual(await journal.remove('child'), 'removed')
      deepStrictEqual([await valuesOf(journal, thread), await valuesOf(journal, 'brother')], [['a'], ['d']])
      deepStrictEqual([await journal.head('child'), await journal.head('grandchild')], [undefined, undefined])
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'a child stays while its parent may go on, also after a failure',
    async run(journal) {
      await family(journal)
      for (const [index, status] of (['running', 'waiting', 'failed'] as const).entries()) {
        await accepted(journal, thread, batchAt(index + 1, facts(status), { id: status, summary: { status } }))
        const before = await stateOf(journal)
        await rejects(journal.remove('child'), { ...busy, context: { thread: 'child', parent: thread } })
        deepStrictEqual(await stateOf(journal), before)
      }
      await accepted(journal, thread, batchAt(4, facts('end'), { id: 'end', summary: { status: 'stopped' } }))
      strictEqual(await journal.remove('child'), 'removed')
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'nothing is removed while one of them is driven, whichever it is',
    async run(journal) {
      await family(journal, 'running')
      for (const name of names) {
        const { incarnation = '' } = (await journal.head(name)) ?? {}
        const claimed = await journal.acquire(name, { worker: 'w', incarnation, seen: 0 })
        strictEqual(claimed.kind, 'acquired')
        const before = await stateOf(journal)
        await rejects(journal.remove(thread), { ...busy, context: { thread, driven: name, holder: 'w' } })
        deepStrictEqual(await stateOf(journal), before)
        await journal.release(name, { epoch: 1, incarnation })
      }
      strictEqual(await journal.remove(thread), 'removed')
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'all are removed when their holders have only to release them',
    async run(journal) {
      await family(journal, 'waiting')
      for (const name of names) {
        const { incarnation = '' } = (await journal.head(name)) ?? {}
        await journal.acquire(name, { worker: 'w', incarnation, seen: 0 })
      }
      strictEqual(await journal.remove(thread), 'removed')
      for (const name of names) strictEqual(await journal.head(name), undefined, `${name} is still there`)
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'nothing is removed while a fork reads a child',
    async run(journal) {
      await family(journal)
      const forkOf = { thread: 'grandchild', incarnation: 'life of a child of child', seq: 1 }
      await accepted(journal, 'fork', batchAt(1, facts('own'), { incarnation: 'fork life', forkOf }))
      const before = await stateOf(journal)
      await rejects(journal.remove(thread), { ...busy, context: { thread, fork: 'fork' } })
      deepStrictEqual(await stateOf(journal), before)
      await journal.remove('fork')
      strictEqual(await journal.remove(thread), 'removed')
      strictEqual(await journal.head('grandchild'), undefined)
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'a removal that names another head removes no child either',
    async run(journal) {
      await family(journal)
      const before = await stateOf(journal)
      strictEqual(await journal.remove(thread, { expected: { incarnation: 'life', seq: 2 } }), 'changed')
      deepStrictEqual(await stateOf(journal), before)
      strictEqual(await journal.remove(thread, { expected: { incarnation: 'life', seq: 1 } }), 'removed')
      deepStrictEqual(await journal.threads(), [])
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'children that a thread has left behind go with the next removal under its name',
    async run(journal) {
      const orphan = batchAt(0, facts('o'), { summary: { status: 'waiting', parent: thread } })
      await accepted(journal, 'orphan', orphan)
      await journal.remove(thread)
      strictEqual(await journal.head('orphan'), undefined)
      await accepted(journal, thread, batchAt(0, facts('a')))
      await accepted(journal, 'orphan', orphan)
      await journal.remove(thread)
      deepStrictEqual(await journal.threads(), [])
    },
  },
  {
    rule: 'JOURNAL-17',
    name: 'threads that name each other as parents are removed once',
    async run(journal) {
      await accepted(journal, 'one', batchAt(0, facts('a'), { summary: { status: 'done', parent: 'two' } }))
      await accepted(journal, 'two', batchAt(0, facts('b'), { summary: { status: 'done', parent: 'one' } }))
      strictEqual(await journal.remove('one'), 'removed')
      deepStrictEqual(await journal.threads(), [])
    },
  },
]
