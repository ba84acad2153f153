/** Mistakes with models: what is given or replied, the code of the error, and what its message names (OPTION-1). */
import { agent } from '@loom-agent/agent'
import { accepts, batch, concurrency, createModels, defineModel, fallbackModel, throttle } from '@loom-agent/models'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const replies: readonly (readonly [unknown, string])[] = [
  [undefined, 'no reply: undefined'],
  [4, 'no reply: 4'],
  [{ choices: [] }, 'no reply: {"choices":[]}. the reply has no option "choices"'],
  [{ content: 'hello' }, 'has no option "content"'],
  [{ toolCalls: [] }, 'has no option "toolCalls"'],
  [new Date(0), 'no reply: "1970-01-01'],
  [['a'], 'no reply: ["a"]'],
  [{ text: 'x', usage: { inputTokens: 4 } }, 'the reply.usage has no option "inputTokens"'],
  [{ text: 'x', usage: { input: -1, output: 1 } }, 'usage.input is -1'],
  [{ text: 'x', finish: 'end_turn' }, 'finish is "end_turn". Give one of stop, length'],
  [{ calls: [{ name: 'add' }] }, 'a call has no option "name"'],
  [{ calls: [{ tool: 'add', arguments: '{}' }] }, 'a call has no option "arguments"'],
]

test.each(replies)('a custom model that replies %j fails the run, and the error shows the reply', async (reply, named) => {
  const result = await agent({ model: defineModel({ id: 'mine/x', generate: () => reply as never }) }).run('x')
  expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_INVALID' } })
  expect(result.status === 'failed' && result.error.message).toContain(named)
})

test.each([
  [{ txt: 'x' }, 'A reply of scriptedModel has no option "txt". Did you mean "text"?'],
  [{ calls: [{ name: 'x' }] }, 'A call of scriptedModel has no option "name"'],
  [{ finish: 'end' }, 'finish is "end"'],
])('a script with the step %j fails the run', async (step, named) => {
  const result = await agent({ model: scriptedModel([step as never]), ports: { random: () => 0 } }).run('x')
  expect(result.status === 'failed' && result.error.message).toContain(named)
})

describe('an entry that is given what it does not take', () => {
  const model = scriptedModel('ok')
  const wrong: readonly (readonly [string, () => unknown, string, string])[] = [
    ['defineModel()', () => defineModel(undefined as never), 'LOOM_MODEL_INVALID', 'defineModel takes an object of options, not undefined'],
    ['defineModel without an id', () => defineModel({ generate: () => 'x' } as never), 'LOOM_MODEL_INVALID', 'id is undefined. Give an id'],
    ['throttle()', () => throttle(undefined as never), 'LOOM_OPTION_INVALID', 'throttle takes an object of options, not undefined'],
    ['concurrency("3")', () => concurrency('3' as never), 'LOOM_OPTION_INVALID', 'limit is "3"'],
    ['a provider that is a number', () => createModels({ providers: { x: 5 as never } }), 'LOOM_OPTION_INVALID', 'providers.x is no provider'],
    ['a fallback of no list', () => fallbackModel('x' as never), 'LOOM_OPTION_INVALID', 'Give a list of models'],
    ['media that do not exist', () => accepts('text' as never), 'LOOM_OPTION_INVALID', 'input is "text". Give a list with one of text'],
    ['a batch of no list', () => batch(model, 'x' as never), 'LOOM_OPTION_INVALID', 'requests is "x". Give a list of texts or requests.'],
  ]
  test.each(wrong)('%s', async (_, act, code, named) => {
    const error = await Promise.resolve()
      .then(act)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code, message: expect.stringContaining(named) as string })
  })
})
