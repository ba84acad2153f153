import { agent, type CompressOptions, compress, explain, type Input, tool } from '@loom-agent/agent'
import { checkContexts, checkPairing, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

const words = (count: number): string => Array.from({ length: count }, (_, number) => `word${number % 97}`).join(' ')

/** What is shown in any case, with what a window has of it: more than the budget, most of it, a part of it. */
const inputs: Readonly<Record<string, Input>> = {
  'is larger than the budget': words(3000),
  'is most of the budget': words(1100),
  'is a part of the budget': words(300),
  'has a picture': [
    { type: 'text', text: 'What is on it?' },
    { type: 'image', image: btoa('x'.repeat(60_000)), mediaType: 'image/png' },
  ],
}

interface Life {
  readonly pin?: true
  readonly turns?: number
  readonly options?: CompressOptions
}

/** An agent that reads pages after an input that stays, and after another one where the first is pinned. */
async function live(input: Input, { pin, turns = 20, options = { max: 3000 } }: Life): Promise<void> {
  let pages = 0
  const read = tool({ name: 'read', effect: 'read', run: () => `Page ${++pages}. ${words(60)}` })
  const model = scriptedModel(() => (pages < turns ? { calls: [{ tool: 'read' }] } : 'Done.'))
  const reader = agent({ model, tools: [read], context: compress(options), limits: { turns: 100, loop: false } })
  await reader.run(input, { thread: 't', ...(pin && { pin }) })
  if (pin) {
    pages = 0
    await reader.run('And now?', { thread: 't' })
  }
  expect(checkContexts(await eventsOf(reader, 't'), model.requests)).toEqual([])
  expect(model.requests.flatMap(({ prompt }) => checkPairing(prompt))).toEqual([])
  const assembled = await factsOf(reader, 't', 'context.assembled')
  const rebased = assembled.filter(({ data }) => data.rebase?.reason === 'compress')
  expect(rebased.length).toBeGreaterThan(0)
  for (const { seq, data } of rebased) {
    const { after = 0, before = 0 } = data.rebase?.budget ?? {}
    const { tokens } = await explain(reader.journal, `t@${seq}`)
    expect(Math.abs(after - tokens.total) / tokens.total).toBeLessThan(0.1)
    expect(after).toBeLessThan(before)
  }
  // A summary stands for something, and a compression that saves nothing is not made.
  for (const { data } of await factsOf(reader, 't', 'context.compressed')) expect(data.summary).toContain('## tool_usage_log')
}

describe('the budget of a compression counts what stays in any case, when it', () => {
  test.each(Object.entries(inputs))('%s', async (_, input) => {
    await live(input, {})
  })

  test.each(Object.entries(inputs))('is pinned and %s', async (_, input) => {
    await live(input, { pin: true })
  })

  test('is shown beside results of which only the latest are whole', async () => {
    await live(words(1100), { options: { max: 3000, ephemeral: { read: 2 } } })
  })
})
