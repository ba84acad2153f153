/** JOURNAL-8: hints. They may be late and they may be merged, but a watcher that waits for one gets it. */
import { deepStrictEqual, ok, throws } from 'node:assert/strict'
import type { Journal } from '@loom-agent/kernel'
import type { ContractCase } from './contract-case.ts'
import { accepted, batchAt, facts, pause, thread } from './samples.ts'

/** How long a hint may take before it counts as missed. */
const patience = 2000
/** How long to listen for a hint that must not come. */
const quiet = 20

interface Watcher {
  readonly notified: readonly number[]
  unwatch(): void
  /** Resolves when the watcher was notified of the seq; throws when it is not. */
  until(seq: number): Promise<void>
}

function watch(journal: Journal, name = thread): Watcher {
  const notified: number[] = []
  let arrived: () => void = () => {}
  const unwatch = journal.watch(name, (seq) => {
    notified.push(seq)
    arrived()
  })
  const until = async (seq: number): Promise<void> => {
    const end = Date.now() + patience
    while (!notified.includes(seq)) {
      ok(Date.now() < end, `no hint of ${name}@${seq} came; hints were ${notified.join(', ') || 'none'}`)
      await Promise.race([new Promise<void>((resolve) => (arrived = resolve)), pause(quiet)])
    }
  }
  return { notified, unwatch, until }
}

/** Catches the uncaught errors of the process, which a test runner would take for its own, until `end` is called. */
function catchUncaught(): { readonly errors: readonly unknown[]; end(): void } {
  const errors: unknown[] = []
  const note = (error: unknown): void => void errors.push(error)
  const kinds = ['uncaughtException', 'unhandledRejection'] as const
  const restores = kinds.map((kind) => {
    const before = process.rawListeners(kind) as (() => void)[]
    process.removeAllListeners(kind)
    process.on(kind, note)
    return (): void => {
      process.off(kind, note)
      for (const listener of before) process.on(kind, listener)
    }
  })
  return {
    errors,
    end() {
      for (const restore of restores) restore()
    },
  }
}

/** Watching. */
export const watchCases: readonly ContractCase[] = [
  {
    rule: 'JOURNAL-8',
    name: 'a watch without a function that could be notified is refused',
    async run(journal) {
      const hints: readonly unknown[] = [undefined, null, 'hint', {}]
      for (const hint of hints) throws(() => journal.watch(thread, hint as () => void), { code: 'LOOM_OPTION_INVALID' })
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'a watcher is notified of a removal with 0, and of the thread that begins under the name afterwards',
    async run(journal) {
      for (const name of [thread, 'other']) await accepted(journal, name, batchAt(0, facts('a', 'b')))
      const [watcher, other] = [watch(journal), watch(journal, 'other')]
      await journal.remove(thread)
      await watcher.until(0)
      await accepted(journal, thread, batchAt(0, facts('c'), { incarnation: 'second life' }))
      await watcher.until(1)
      ok(!other.notified.includes(0), 'a watcher of another thread was notified of the removal')
      watcher.unwatch()
      other.unwatch()
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'watchers of children, and of theirs, are notified when those are removed with their parent',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      await accepted(journal, 'child', batchAt(0, facts('b'), { summary: { status: 'done', parent: thread } }))
      await accepted(journal, 'grandchild', batchAt(0, facts('c'), { summary: { status: 'done', parent: 'child' } }))
      const watchers = ['grandchild', 'child', thread].map((name) => watch(journal, name))
      await journal.remove(thread)
      for (const watcher of watchers) await watcher.until(0)
      for (const watcher of watchers) watcher.unwatch()
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'every watcher is notified of the head after an append, and what it is notified of can be read',
    async run(journal) {
      const [first, second] = [watch(journal), watch(journal)]
      await accepted(journal, thread, batchAt(0, facts('a', 'b')))
      await Promise.all([first.until(2), second.until(2)])
      await accepted(journal, thread, batchAt(2, facts('c')))
      await first.until(3)
      deepStrictEqual((await journal.read(thread, { from: 3 })).length, 1)
      // Before the first append there is no thread, which a hint of 0 says.
      ok(
        [...first.notified, ...second.notified].every((seq) => seq === 0 || seq === 2 || seq === 3),
        `hints were ${first.notified.join(', ')}`,
      )
      first.unwatch()
      second.unwatch()
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'a watcher that has unwatched is notified no more, and others still are',
    async run(journal) {
      const [gone, there] = [watch(journal), watch(journal)]
      await accepted(journal, thread, batchAt(0, facts('a')))
      await Promise.all([gone.until(1), there.until(1)])
      gone.unwatch()
      gone.unwatch()
      await accepted(journal, thread, batchAt(1, facts('b')))
      await there.until(2)
      await pause(quiet)
      ok(!gone.notified.includes(2), 'a hint came after unwatching')
      there.unwatch()
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'one function that watches a thread twice is two watchers: each stops separately',
    async run(journal) {
      const notified: number[] = []
      const hint = (seq: number): void => void notified.push(seq)
      const [endFirst, endSecond] = [journal.watch(thread, hint), journal.watch(thread, hint)]
      endFirst()
      const other = watch(journal)
      await accepted(journal, thread, batchAt(0, facts('a')))
      await other.until(1)
      await pause(quiet)
      ok(notified.includes(1), 'the second watch ended with the first')
      endSecond()
      other.unwatch()
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'what a watcher throws is an uncaught error of the process: the append is stored, and other watchers are notified',
    async run(journal) {
      const uncaught = catchUncaught()
      const boom = new Error('a watcher threw')
      const unwatch = journal.watch(thread, () => {
        throw boom
      })
      const other = watch(journal)
      try {
        await accepted(journal, thread, batchAt(0, facts('a')))
        await other.until(1)
        await pause(quiet)
      } finally {
        unwatch()
        other.unwatch()
        uncaught.end()
      }
      ok(uncaught.errors.includes(boom), 'what the watcher threw was lost')
      deepStrictEqual((await journal.read(thread)).length, 1)
    },
  },
  {
    rule: 'JOURNAL-8',
    name: 'a watcher is not notified of other threads, of conflicts and of fenced batches',
    async run(journal) {
      await accepted(journal, thread, batchAt(0, facts('a')))
      await journal.acquire(thread, { worker: 'w', incarnation: 'life', seen: 0 })
      const watcher = watch(journal)
      const other = watch(journal, 'other')
      await journal.append(thread, batchAt(5, facts('x')))
      await journal.append(thread, batchAt(1, facts('x'), { epoch: 9 }))
      await accepted(journal, 'other', batchAt(0, facts('a', 'b', 'c')))
      await other.until(3)
      await pause(quiet)
      ok(
        watcher.notified.every((seq) => seq === 1),
        `hints were ${watcher.notified.join(', ')}`,
      )
      watcher.unwatch()
      other.unwatch()
    },
  },
]
