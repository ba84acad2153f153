/** Inputs as programs give them: what cannot be used is refused with its path, before anything is journaled. */
import { agent, content, type Input, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf, typesOf } from './journals.ts'

const user = (part: unknown) => [{ role: 'user', content: [part] }]
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }
const answered = (output: unknown) => [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [call] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output }] },
]

const wrong: readonly [what: string, input: unknown, path: string, advice: string][] = [
  ['nothing', null, 'input', 'is null'],
  ['an object', { text: 'hi' }, 'input', 'is {"text":"hi"}'],
  ['a list with nothing in it', [{ type: 'text', text: 'hi' }, null], 'input[1]', 'is null'],
  ['a part of a misspelt type', [{ type: 'txt', text: 'hi' }], 'input[0].type', 'Did you mean "text"?'],
  ['a part of a type that does not exist', [{ type: 'hologram' }], 'input[0].type', 'Use one of text, image, file, data.'],
  ['a part without a type', [{ text: 'hi' }], 'input[0].type', 'is missing'],
  ['a text part without text', [{ type: 'text' }], 'input[0].text', 'is missing'],
  ['a text part with a number', [{ type: 'text', text: 7 }], 'input[0].text', 'is 7'],
  ['a text part with a misspelt field', [{ type: 'text', txt: 'hi' }], 'input[0].text', 'Did you write "txt" for "text"?'],
  ['an image without data', [{ type: 'image' }], 'input[0].image', 'is missing'],
  ['a file without data', [{ type: 'file', mediaType: 'text/plain' }], 'input[0].data', 'is missing'],
  ['a file without a media type', [{ type: 'file', data: 'aGk=', mediatype: 'x' }], 'input[0].mediaType', '"mediatype" for "mediaType"'],
  ['a data part without data', [{ type: 'data', json: 1 }], 'input[0].data', 'is missing'],
  [
    'parts among messages',
    [
      { role: 'user', content: 'hi' },
      { type: 'text', text: 'x' },
    ],
    'input[1]',
    'mixes parts and messages',
  ],
  ['a misspelt role', [{ role: 'asistant', content: 'hi' }], 'input[0].role', 'Did you mean "assistant"?'],
  ['a message without content', [{ role: 'user' }], 'input[0].content', 'is missing'],
  ['a message with a number as content', [{ role: 'user', content: 5 }], 'input[0].content', 'is 5'],
  ['nothing as a part of a message', user(null), 'input[0].content[0]', 'is null'],
  ['a misspelt part in a message', user({ type: 'flie', data: 'x' }), 'input[0].content[0].type', 'Did you mean "file"?'],
  ['an assistant with a misspelt part', [{ role: 'assistant', content: [{ type: 'txet', text: 'x' }] }], 'input[0].content[0].type', '"text"?'],
  ['a call without a name', [{ role: 'assistant', content: [{ ...call, toolName: undefined }] }], 'input[0].content[0].toolName', 'is missing'],
  ['a result without an output', answered(undefined), 'input[2].content[0].output', 'is missing'],
  ['a result whose parts are no list', answered({ type: 'content', value: 'x' }), 'input[2].content[0].output.value', 'is "x"'],
]

describe('an input that cannot be used is refused with its path:', () => {
  test.each(wrong)('%s', async (_, input, path, advice) => {
    const worker = agent({ model: scriptedModel('never') })
    const refused = expect.objectContaining({ code: 'LOOM_INPUT_INVALID', context: expect.objectContaining({ path }) })
    expect(() => worker.start(input as Input, { thread: 't' })).toThrow(refused)
    expect(() => worker.start(input as Input)).toThrow(advice)
    expect(await typesOf(worker, 't')).toEqual([])
  })
})

test('a message that is no text cannot be steered', async () => {
  const run = agent({ model: scriptedModel('ok') }).start('go')
  await expect(run.steer(7 as never)).rejects.toMatchObject({ code: 'LOOM_INPUT_INVALID' })
  await run.result()
})

test('a tool that returns a part that cannot be used has failed, and the model reads why', async () => {
  const draw = tool({ name: 'draw', run: () => content([{ type: 'text' } as never]) })
  const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'draw' }] }, 'ok']), tools: [draw] })
  await worker.run('go', { thread: 't' })
  const [finished] = await factsOf(worker, 't', 'tool.finished')
  expect(finished?.data).toMatchObject({ status: 'error', output: { value: expect.stringContaining('input[0].text is missing') } })
})

test('parts of an assistant that only its provider knows are kept', async () => {
  const worker = agent({ model: scriptedModel('ok') })
  const parts = [
    { type: 'text', text: 'x' },
    { type: 'custom', kind: 'vendor.thing' },
    { type: 'source', url: 'https://example.com' },
  ]
  await worker.run(
    [
      { role: 'assistant', content: parts },
      { role: 'user', content: 'go' },
    ],
    { thread: 't' },
  )
  const [started] = await factsOf(worker, 't', 'run.started')
  expect(JSON.stringify(started?.data)).toContain('vendor.thing')
})
