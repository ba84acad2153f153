import { type Agent, agent, memoryJournal } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { rowsOf } from './runs.ts'

test('of ten thousand threads a short list reads one page, and no events', async () => {
  const journal = memoryJournal()
  const quick: Agent = agent({ model: scriptedModel(() => 'Done.'), journal })
  for (let number = 0; number < 10_000; number += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, at) => quick.run('Go.', { thread: `t${number + at}` })))
  }
  const counts = { threads: 0, heads: 0, read: 0 }
  const counting: Journal = {
    ...journal,
    threads: async (query) => {
      const page = await journal.threads(query)
      counts.threads += 1
      counts.heads += page.length
      return page
    },
    read: async (thread, range) => {
      counts.read += 1
      return journal.read(thread, range)
    },
  }
  expect(await rowsOf(counting, {}, { limit: 20 })).toHaveLength(20)
  expect(counts).toMatchObject({ threads: 1, read: 0 })
  expect(counts.heads).toBeLessThanOrEqual(1_000)
  // With the usage, the threads of the list are read, and no others.
  await rowsOf(counting, {}, { limit: 20, usage: true })
  expect(counts.read).toBeLessThanOrEqual(2 * 20)
})
