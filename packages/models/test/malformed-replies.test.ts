/** Custom models that return what is no reply: the run ends with a typed failure that says what was returned. */
import { agent } from '@loom-agent/agent'
import { defineModel, type GeneratedReply } from '@loom-agent/models'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** The words of the platform for what a program did wrong: a user must not read them. */
const raw = /Cannot read|is not a function|not iterable|not async iterable|Cannot destructure|Cannot convert|in' operator/

const runOn = (returned: unknown, how: 'generate' | 'stream') =>
  agent({
    model: defineModel({ id: 'x', [how]: () => returned as GeneratedReply & Iterable<GeneratedReply> }),
    behaviour: { attempts: 1 },
    limits: { turns: 3 },
  }).run('go')

test.each<[string, unknown, 'generate' | 'stream', string]>([
  ['null', null, 'generate', 'returned what is no reply: null'],
  ['a number', 7, 'generate', 'returned what is no reply: 7'],
  ['a text that is a number', { text: 7 }, 'generate', 'returned what is no reply: {"text":7}'],
  ['a call without a tool', { calls: [{}] }, 'generate', 'returned what is no reply'],
  ['calls that are no list', { calls: 'look' }, 'generate', 'returned what is no reply'],
  ['a stream that is none', 5, 'stream', 'returned what is no reply: 5'],
  ['a stream of nothing', [null], 'stream', 'returned what is no reply: null'],
])('%s fails the run, and the message says so', async (_, returned, how, problem) => {
  const result = await runOn(returned, how)
  expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_INVALID', message: expect.stringContaining(problem) } })
})

test('whatever a custom model returns, the run settles with a typed result', async () => {
  const fields = { text: fc.anything(), reasoning: fc.anything(), calls: fc.anything(), usage: fc.anything(), finish: fc.anything() }
  const garbage = fc.oneof(fc.anything(), fc.record(fields, { requiredKeys: [] }), fc.array(fc.anything()))
  await fc.assert(
    fc.asyncProperty(garbage, fc.constantFrom('generate', 'stream'), async (returned, how) => {
      const result = await runOn(returned, how)
      expect(['done', 'failed', 'stopped']).toContain(result.status)
      if (result.status === 'failed') expect(result.error.message).not.toMatch(raw)
    }),
    { numRuns: 500 },
  )
})
