/** Values that come back out of the journal: the same at once and in another process, and of the type that they are declared with. */
import { agent, jsonSchema, respond, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { abandoned } from './journals.ts'

const order = z.object({
  when: z.iso.datetime().transform((text) => new Date(text)),
  words: z.string().transform((text) => text.split(' ')),
  note: z.string().optional(),
})

test('the output of a schema with transforms is the JSON of what it made, at once and when another process reads it', async () => {
  const model = scriptedModel([JSON.stringify({ when: '2026-01-02T03:04:05.000Z', words: 'a b' })])
  const worker = agent({ model, output: order })
  const live = await worker.run('go', { thread: 't' })
  const other = agent({ model: scriptedModel([]), output: order, journal: abandoned(worker.journal) })
  const resumed = await other.resume('t').result()
  if (live.status !== 'done' || resumed.status !== 'done') throw new Error('it is not done')
  // These lines compile because the types say what the values are.
  const when: string = live.output.when
  const words: string[] = resumed.output.words
  expect({ when, words }).toEqual({ when: '2026-01-02T03:04:05.000Z', words: ['a', 'b'] })
  expect(resumed.output).toEqual(live.output)
})

test('what a child returns, and what a step returns, has the same type as its record', async () => {
  const child = agent({ name: 'child', model: scriptedModel(['{"when":"2026-01-02T03:04:05.000Z","words":"a"}']), output: order })
  const asking = tool({
    name: 'asking',
    durable: true,
    async run(_, ctx) {
      const made = await ctx.run(child, 'go')
      const at: string = await ctx.step('now', () => new Date(0))
      const nothing: null = await ctx.step('nothing', () => {})
      const answer = await ctx.ask('Which?', { schema: jsonSchema<{ size: number }>({ type: 'object', required: ['size'] }) })
      const size: number = answer.kind === 'respond' ? answer.value.size : 0
      return { when: made.status === 'done' && made.output.when.slice(0, 4), at, nothing, size }
    },
  })
  const model = scriptedModel([{ calls: [{ tool: 'asking' }] }, 'ok'])
  const worker = agent({ model, tools: [asking] })
  const run = worker.start('go', { thread: 't' })
  const { questions } = await run.result()
  await run.answer(questions[0]?.id ?? '', respond({ size: 3 }))
  expect((await run.result()).status).toBe('done')
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain('{"when":"2026","at":"1970-01-01T00:00:00.000Z","nothing":null,"size":3}')
})
