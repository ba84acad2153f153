/** The scripted model generates what it streams. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { type ScriptedReply, scriptedModel } from '../src/double/scripted-model.ts'

const request: LanguageModelV4CallOptions = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }
const generate = async (reply: ScriptedReply) => scriptedModel([reply]).doGenerate(request)

describe('a scripted model that generates', () => {
  test('returns reasoning, text and calls as one content, with usage and finish', async () => {
    const calls = [{ tool: 'add', input: { a: 2 }, id: 'one', meta: { vendor: { key: 'kept' } } }]
    const result = await generate({ reasoning: 'Hm.', text: 'Two words.', calls, usage: { input: 7, output: 3 } })
    expect(result.content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Two words.' },
      { type: 'tool-call', toolCallId: 'one', toolName: 'add', input: '{"a":2}', providerMetadata: { vendor: { key: 'kept' } } },
    ])
    expect(result.finishReason.unified).toBe('tool-calls')
    expect([result.usage.inputTokens.total, result.usage.outputTokens.total]).toEqual([7, 3])
  })

  test('takes one step a request, streamed or generated, and records each', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    await model.doStream(request)
    expect((await model.doGenerate(request)).content).toEqual([{ type: 'text', text: 'Two.' }])
    expect(model.requests).toEqual([request, request])
    model.assertComplete()
    await expect(model.doGenerate(request)).rejects.toThrow('The script has 2 steps, and this is request 3.')
  })

  test.each<[string, ScriptedReply, string]>([
    ['refuses', { throws: new Error('overloaded') }, 'overloaded'],
    ['sends an error', { text: 'Hel lo', errorAfter: { parts: 3, error: new Error('lost') } }, 'lost'],
    ['breaks off', { text: 'Hel lo', cutAfter: 3 }, 'breaks off before its finish'],
    ['is torn', { text: 'Hel lo', cutAfter: 1, tornBy: new Error('reset') }, 'reset'],
  ])('rejects when the reply %s', async (_name, reply, message) => {
    await expect(generate(reply)).rejects.toThrow(message)
  })

  test('ends a stalled reply with the abort', async () => {
    const controller = new AbortController()
    const stalled = scriptedModel([{ text: 'Hel lo', stallAfter: 2 }]).doGenerate({ ...request, abortSignal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(stalled).rejects.toThrow('enough')
  })
})

describe('a script with asynchronous functions', () => {
  test('waits for what they return, and numbers the calls of each reply by its request', async () => {
    const first = Promise.withResolvers<void>()
    const model = scriptedModel(async (_, number) => {
      if (number === 1) await first.promise
      return { calls: [{ tool: `tool-${number}` }] }
    })
    const asking = [model.doGenerate({ prompt: [] }), model.doGenerate({ prompt: [] })]
    await asking[1]
    first.resolve()
    const replies = await Promise.all(asking)
    expect(replies.map(({ content }) => content)).toMatchObject([
      [{ toolName: 'tool-1', toolCallId: 'call-1-0' }],
      [{ toolName: 'tool-2', toolCallId: 'call-2-0' }],
    ])
  })

  test('says a text, and refuses what is no reply', async () => {
    expect((await scriptedModel(async () => 'Hello.').doGenerate({ prompt: [] })).content).toEqual([{ type: 'text', text: 'Hello.' }])
    const misspelt = scriptedModel(async () => ({ text: 'Hello.', ...{ txt: 'Hi.' } }))
    await expect(misspelt.doGenerate({ prompt: [] })).rejects.toMatchObject({ code: 'LOOM_OPTION_UNKNOWN' })
  })

  test('fails the request with what they throw', async () => {
    const model = scriptedModel(async () => {
      throw new Error('no such page')
    })
    await expect(model.doStream({ prompt: [] })).rejects.toThrow('no such page')
  })
})
