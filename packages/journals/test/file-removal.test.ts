import type { DiskAction, DiskFault } from '@loom-agent/harness/disk'
import type { Journal } from '@loom-agent/kernel'
import { expect, test } from 'vitest'
import { feedReader } from './feed-reader.ts'
import { accepted, batchAt, fact, worldOf } from './file-samples.ts'

/** A thread with children, each of which has a child. */
async function putTree(journal: Journal, root: string, children: number): Promise<void> {
  const put = (thread: string, parent?: string): Promise<void> =>
    accepted(journal, thread, batchAt(0, [fact(thread)], { incarnation: `of ${thread}`, summary: { status: 'done', parent } }))
  await put(root)
  for (let child = 0; child < children; child += 1) {
    await put(`${root}.${child}`, root)
    await put(`${root}.${child}.0`, `${root}.${child}`)
  }
}

const entriesOf = async (journal: Journal): Promise<readonly string[]> => {
  const reader = feedReader()
  await reader.read(journal)
  return reader.seen.map(({ kind, thread }) => `${kind} ${thread}`)
}

test('REMOVE-1: a tree of any size is removed with as many listings and flushes', async () => {
  const costs: unknown[] = []
  for (const children of [2, 20, 60]) {
    const counts = { list: 0, sync: 0, syncFolder: 0 }
    let isCounting = false
    const fault = ({ action }: { readonly action: DiskAction }): undefined => {
      if (isCounting && action in counts) counts[action as keyof typeof counts] += 1
    }
    const journal = worldOf({ fault }).open()
    await putTree(journal, 't', children)
    await journal.threads()
    isCounting = true
    await journal.remove('t')
    isCounting = false
    expect(await journal.threads()).toEqual([])
    costs.push(counts)
  }
  expect(costs[1]).toEqual(costs[0])
  expect(costs[2]).toEqual(costs[0])
})

test('REMOVE-2: a removal that is killed at any operation can be done again, and the feed shows each removal once', async () => {
  for (let at = 1; ; at += 1) {
    let left = Number.POSITIVE_INFINITY
    const fault = (): DiskFault | undefined => {
      left -= 1
      return left < 0 ? 'stop' : undefined
    }
    const world = worldOf({ seed: at, fault })
    const before = world.open()
    await putTree(before, 't', 2)
    await accepted(before, 'other', batchAt(0, [fact(0)]))
    await entriesOf(before)
    left = at
    const isKilled = await Promise.race([before.remove('t').then(() => false), world.disk.stopped().then(() => true)])
    left = Number.POSITIVE_INFINITY
    world.disk.kill()
    const again = world.open()
    await again.remove('t')
    const removed = ['t', 't.0', 't.0.0', 't.1', 't.1.0'].map((thread) => `removed ${thread}`)
    const expected = ['changed other', ...removed].sort()
    expect([...(await entriesOf(again))].sort(), `at ${at}`).toEqual(expected)
    await again.close()
    expect([...(await entriesOf(world.open()))].sort(), `at ${at}`).toEqual(expected)
    if (!isKilled) return
  }
})

test('removals of a tree and of parts of it at the same time end, and leave nothing', async () => {
  const journal = worldOf().open()
  await putTree(journal, 't', 3)
  const ended = await Promise.all(['t.1', 't', 't.2', 't', 't.0.0'].map((thread) => journal.remove(thread)))
  expect(ended).toEqual(Array(5).fill('removed'))
  expect(await journal.threads()).toEqual([])
})

test('a child that is forked while its parent is removed keeps its events or refuses the fork', async () => {
  for (let moment = 0; moment < 40; moment += 1) {
    const journal = worldOf().open()
    await putTree(journal, 't', 1)
    const fork = async (): Promise<string> => {
      for (let wait = 0; wait < moment; wait += 1) await Promise.resolve()
      const forkOf = { thread: 't.0', incarnation: 'of t.0', seq: 1 }
      return journal.append('fork', batchAt(1, [fact('own')], { forkOf })).then(
        ({ kind }) => kind,
        () => 'refused',
      )
    }
    const [removed, forked] = await Promise.all([
      journal.remove('t').then(
        () => 'removed',
        () => 'kept',
      ),
      fork(),
    ])
    const threads = (await journal.threads()).map(({ thread }) => thread)
    if (forked === 'appended') expect(threads, `${moment} ${removed}`).toContain('t.0')
    else expect(threads, `${moment} ${removed}`).toEqual([])
  }
})
