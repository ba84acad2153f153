import { memoryJournal } from '@loom-agent/agent'
import { type MigrateOptions, migrate } from '@loom-agent/journals'
import type { Head, Journal } from '@loom-agent/kernel'
import { type Death, mortalJournal } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'

/** A thread of two batches, which runs; a driver has held it and is gone. */
async function put(journal: Journal, thread: string, parent?: string): Promise<void> {
  const summary = { status: 'running', agent: 'a', ...(parent !== undefined && { parent }) } as const
  await journal.append(thread, batchAt(0, facts('a', 'b'), { summary }))
  await journal.append(thread, batchAt(2, facts('c', 'd'), { summary }))
}

/** Children and grandchildren whose ids come before and after those of their parents, and a fork with a child. */
async function family(): Promise<Journal> {
  const journal = memoryJournal()
  await put(journal, 'm')
  for (const child of ['a', 'z']) await put(journal, child, 'm')
  for (const child of ['b', 'y']) await put(journal, child, 'a')
  const forkOf = { thread: 'm', incarnation: 'first', seq: 2 }
  await journal.append('fork', batchAt(2, facts('f', 'g'), { forkOf, summary: { status: 'running' } }))
  await put(journal, 'x', 'fork')
  return journal
}

/** The threads of a journal that can be driven, of which a child is missing or cannot. */
async function drivableWithoutChildren(journal: Journal, source: Journal): Promise<readonly string[]> {
  const drivable = new Set((await journal.threads({ status: 'running' })).map(({ thread }) => thread))
  const lacking = (await source.threads()).filter(({ thread }) => !drivable.has(thread))
  return lacking.flatMap(({ summary: { parent } }) => (parent !== undefined && drivable.has(parent) ? [parent] : []))
}

const selections: readonly (MigrateOptions['threads'] | undefined)[] = [undefined, ['m', 'fork'], (head: Head) => head.summary.parent === undefined]

describe('a parent is not drivable in the target before its children are there (MIGRATE-3)', () => {
  const deaths = Array.from({ length: 13 }, (_, index) => index + 1).flatMap((append): Death[] => [
    { append, when: 'before' },
    { append, when: 'after' },
  ])
  test.each(deaths)('$when append $append', async (death) => {
    for (const threads of selections) {
      const from = await family()
      const to = memoryJournal()
      const { journal, died } = mortalJournal(to, death)
      const options = threads === undefined ? {} : { threads }
      expect(await Promise.race([migrate(from, journal, options).then(() => 'ended'), died.then(() => 'died')])).toBe('died')
      expect(await drivableWithoutChildren(to, from)).toEqual([])
      expect(await migrate(from, to, options)).toMatchObject({ driven: [] })
      expect((await to.threads()).map(({ thread }) => thread)).toEqual((await from.threads()).map(({ thread }) => thread))
    }
  })
})

test('a parent whose child has a holder is not made whole before the child is', async () => {
  const from = await family()
  const to = memoryJournal()
  await from.acquire('y', { worker: 'driver', incarnation: 'first', seen: 0 })
  expect((await migrate(from, to)).driven.toSorted()).toEqual(['a@3', 'm@3', 'y@3'])
  expect(await drivableWithoutChildren(to, from)).toEqual([])
  await from.release('y', { incarnation: 'first', epoch: 1 })
  expect(await migrate(from, to)).toMatchObject({ threads: 3, driven: [] })
})

test('a parent that starts a child while it is copied is not made whole without it', async () => {
  const from = await family()
  const to = memoryJournal()
  let isStarted = false
  const start = async (): Promise<void> => {
    if (isStarted) return
    isStarted = true
    await put(from, 'late', 'm')
    await from.append('m', batchAt(4, facts('started'), { summary: { status: 'running' } }))
  }
  const onProgress: MigrateOptions['onProgress'] = ({ thread }) => void (thread === 'm' && start())
  const { driven } = await migrate(from, to, { threads: ['m'], onProgress })
  expect(driven).toEqual(['m@4'])
  expect(await migrate(from, to)).toMatchObject({ driven: [] })
})

test('a child that was cut from its own parent comes after the cut, and the end of the parent after the child', async () => {
  const from = memoryJournal()
  await put(from, 'm')
  const forkOf = { thread: 'm', incarnation: 'first', seq: 2 }
  await from.append('n', batchAt(2, facts('f'), { forkOf, summary: { status: 'running', parent: 'm' } }))
  const order: string[] = []
  const report = await migrate(from, memoryJournal(), { onProgress: ({ thread, seq }) => order.push(`${thread}@${seq}`) })
  expect(report).toMatchObject({ driven: [] })
  expect(order.slice(-2)).toEqual(['n@3', 'm@4'])
})
