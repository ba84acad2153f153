/** Threads in memory: how many there are at once makes no difference to who drives one. */
import { agent, tool } from '@loom-agent/agent'
import { type Journal, memoryJournal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const look = tool({ name: 'look', input: z.object({ turn: z.number() }), run: ({ turn }) => `seen ${turn}` })
const model = () => scriptedModel((_request, number) => (number <= 3 ? { calls: [{ tool: 'look', input: { turn: number } }] } : 'done'))

/** More than are kept in memory. */
const many = Array.from({ length: 100 }, (_, number) => `thread ${number}`)

test('a hundred runs at once read none of what they have written', async () => {
  const inner = memoryJournal()
  let events = 0
  const journal: Journal = {
    ...inner,
    async read(thread, range) {
      const page = await inner.read(thread, range)
      events += page.length
      return page
    },
  }
  const worker = agent({ name: 'worker', tools: { look }, permissions: { look: 'allow' }, journal })
  const results = await Promise.all(many.map((thread) => worker.run('go', { thread, model: model() })))
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['done']))
  expect(events).toBe(0)
})

test('observers are told of every event of a hundred runs at once, from the first on', async () => {
  const seen = new Map<string, number[]>()
  const worker = agent({
    name: 'worker',
    tools: { look },
    permissions: { look: 'allow' },
    journal: memoryJournal(),
    observers: [({ thread, seq }) => void seen.set(thread, [...(seen.get(thread) ?? []), seq])],
  })
  await Promise.all(many.map((thread) => worker.run('go', { thread, model: model() })))
  const first = seen.get('thread 0') ?? []
  expect(first).toEqual(first.map((_, index) => index + 1))
  expect([...seen.values()]).toEqual(many.map(() => first))
})
