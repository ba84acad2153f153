/** The journal in memory keeps what is being read (MEMORY-7), and drops it afterwards. */
import { type Agent, agent, memoryJournal, type RunHandle, watch } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const kept = 1000
const dropped = { code: 'LOOM_THREAD_DROPPED' }

/** An agent whose child answers, and one that has nothing to say, on one journal. */
function workers() {
  const journal = memoryJournal()
  const child = agent({ name: 'child', model: scriptedModel(() => 'ok') })
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'one two' : { calls: [{ tool: 'child', input: { prompt: 'x' } }] }))
  const boss = agent({ name: 'boss', model, tools: [child], journal })
  const other = agent({ name: 'other', model: scriptedModel(() => 'ok'), journal })
  const runMany = async (count: number): Promise<void> => {
    for (let run = 0; run < count; run += 1) await other.run('go')
  }
  return { journal, boss, runMany }
}

async function rest(items: AsyncIterator<unknown>): Promise<number> {
  for (let count = 0; ; count += 1) if ((await items.next()).done) return count
}

type OpenReader = (run: RunHandle<string>, boss: Agent) => AsyncIterator<unknown>

const readers: Readonly<Record<string, OpenReader>> = {
  'run.events()': (run) => run.events({ from: 1 }),
  'run.events({ nested })': (run) => run.events({ from: 1, nested: true }),
  'agent.watch': (run, boss) => boss.watch(run.thread, { until: 'rest' }),
  'agent.watch with children': (run, boss) => boss.watch(run.thread, { until: 'rest', nested: true }),
  'watch(journal) with children': (run, boss) => watch(boss.journal, run.thread, { until: 'rest', nested: true }),
}

/** A thread for each kind of reader, which has read one event of it. */
async function startReaders(boss: Agent) {
  return Promise.all(
    Object.entries(readers).map(async ([name, read]) => {
      const run = boss.start('go')
      await run.result()
      const all = await rest(read(run, boss))
      const reader = read(run, boss)
      await reader.next()
      return { name, run, all, reader }
    }),
  )
}

describe('threads that are read in each of five ways', () => {
  test('are kept until the readers have all their events, and dropped when others finish after that', async () => {
    const { journal, boss, runMany } = workers()
    const read = await startReaders(boss)
    await runMany(kept + 10)
    for (const { name, all, reader } of read) expect((await rest(reader)) + 1, name).toBe(all)
    await runMany(kept + read.length)
    for (const { name, run } of read) await expect(journal.head(run.thread), name).rejects.toMatchObject(dropped)
  })

  test('are dropped when others finish after the readers have left', async () => {
    const { journal, boss, runMany } = workers()
    const read = await startReaders(boss)
    await runMany(kept + read.length)
    for (const { reader } of read) await reader.return?.()
    await runMany(kept + read.length)
    for (const { name, run } of read) await expect(journal.head(run.thread), name).rejects.toMatchObject(dropped)
  })
})

test('a thread is kept while only a child of it is read', async () => {
  const { journal, boss, runMany } = workers()
  const { thread } = await boss.run('go')
  const child = (await journal.threads({ parent: thread }))[0]?.thread ?? ''
  const reader = boss.watch(child)
  await reader.next()
  await runMany(kept + 1)
  expect(await journal.head(thread)).toMatchObject({ thread })
  await reader.return?.()
  await runMany(kept + 1)
  await expect(journal.head(child)).rejects.toMatchObject(dropped)
})

test('1,500 slow readers at once all read to the end (found: 167 lost the rest)', async () => {
  const worker = agent({ model: scriptedModel(() => 'ok') })
  const runs = Array.from({ length: kept + 500 }, () => worker.start('go'))
  const readers = runs.map((run) => run.events())
  await Promise.all(readers.map((reader) => reader.next()))
  for (const run of runs) await run.result()
  const counts = new Set<number>()
  for (const reader of readers) counts.add(await rest(reader))
  expect(counts.size).toBe(1)
})
