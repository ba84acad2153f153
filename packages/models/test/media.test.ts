/** Media that a model does not take are refused before anything is sent, with a code, a name and advice. */
import { type Agent, agent, content, createAgentFactory, type InputPart, tool } from '@loom-agent/agent'
import { type WireServer, wires } from '@loom-agent/harness/wire'
import { accepts, createModels, fallbackModel, type Modality } from '@loom-agent/models'
import { afterEach, describe, expect, test } from 'vitest'
import { asking, createServers, modelOn, textOf } from './on-wire.ts'

const servers = createServers()
afterEach(() => servers.close())

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const bring = (mediaType: string): readonly InputPart[] => [
  { type: 'text', text: 'What is this?' },
  { type: 'file', mediaType, data: pixel },
]
const takes = (...input: readonly Modality[]) => ({ input, source: 's' })

/** Agents on models by their ids; the names say what each takes. */
function onIds({ baseURLs }: WireServer): (model: string) => Agent {
  const table = { 'mine/blind': takes('text'), 'mine/seeing': takes('text', 'image'), 'mine/hearing': takes('text', 'audio', 'video', 'pdf') }
  const models = createModels({ env: {}, providers: { mine: { baseURL: baseURLs['openai-compatible'] } }, table })
  const byId = createAgentFactory({ resolveModel: models.resolveModel })
  return (model) => byId({ model })
}

describe('a model by its id', () => {
  test.for([
    ['image/png', 'mine/blind'],
    ['image/*', 'mine/blind'],
    ['application/pdf', 'mine/blind'],
    ['audio/wav', 'mine/seeing'],
    ['video/mp4', 'mine/seeing'],
    ['image/png', 'mine/hearing'],
  ] as const)('does not get %s when it is %s', async ([mediaType, model]) => {
    const server = await servers.start('never')
    const result = await onIds(server)(model).run(bring(mediaType))
    expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_INPUT_INVALID', recoverable: false, context: { model, mediaType } } })
    expect(result.status === 'failed' && result.error.message).toMatch(new RegExp(`${model} does not take .*it takes text.*Use a model that takes`))
    expect(server.requests).toEqual([])
  })

  test.for([
    ['image/png', 'mine/seeing'],
    ['text/plain', 'mine/blind'],
    ['application/x-unheard-of', 'mine/blind'],
    ['image/png', 'mine/of-which-nothing-is-known'],
  ] as const)('is not kept from %s when it is %s', async ([mediaType, model]) => {
    const server = await servers.start('I see.')
    const result = await onIds(server)(model).run(bring(mediaType))
    // The package of the provider and the vendor decide then whether it is taken.
    if (result.status === 'failed') expect(result.error.message).not.toMatch(/does not take/)
    else expect(result.text).toBe('I see.')
  })

  test('that takes images gets documents', async () => {
    const model = accepts(['text', 'image'])(modelOn('openai-responses', await servers.start('Three pages.')))
    const file = { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: pixel }, filename: 'a.pdf' } as const
    expect(await textOf(model, asking('', { prompt: [{ role: 'user', content: [file] }] }))).toBe('Three pages.')
  })

  test('refuses media in tool results too, and another model continues from there', async () => {
    const server = await servers.start([{ calls: [{ tool: 'snap' }] }, 'A pixel.'])
    const snap = tool({ name: 'snap', effect: 'read', run: () => content([{ type: 'image', image: pixel, mediaType: 'image/png' }]) })
    const worker = onIds(server)('mine/blind').with({ tools: { snap } })
    const failed = await worker.run('Take a picture.', { thread: 't' })
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'LOOM_INPUT_INVALID', context: { mediaType: 'image/png' } } })
    expect(server.requests).toHaveLength(1)
    expect(await worker.resume('t', { model: modelOn('anthropic', server) }).result()).toMatchObject({ status: 'done', text: 'A pixel.' })
  })

  test('is never asked for a longer answer than it can give', async () => {
    const server = await servers.start(() => 'ok')
    const models = createModels({
      env: {},
      providers: { mine: { baseURL: server.baseURLs['openai-compatible'] } },
      table: { 'mine/short': { outputLimit: 4096, source: 's' } },
    })
    const byId = createAgentFactory({ resolveModel: models.resolveModel })
    for (const maxOutputTokens of [100, 1_000_000]) await byId({ model: 'mine/short', settings: { maxOutputTokens } }).run('go')
    expect(server.requests.map(({ body }) => body['max_tokens'])).toEqual([100, 4096])
  })
})

describe('a model object', () => {
  test.for(wires)('on %s refuses by the list of `accepts`', async (wire) => {
    const server = await servers.start('never')
    const result = await agent({ model: accepts(['text'])(modelOn(wire, server)) }).run(bring('image/png'))
    expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_INPUT_INVALID', context: { mediaType: 'image/png', takes: ['text'] } } })
    expect(server.requests).toEqual([])
  })

  test('whose package refuses a kind of media says so by the same code', async () => {
    const server = await servers.start('never')
    expect(await agent({ model: modelOn('anthropic', server) }).run(bring('audio/wav'))).toMatchObject({
      status: 'failed',
      error: { code: 'LOOM_INPUT_INVALID', recoverable: false },
    })
    expect(server.requests).toEqual([])
  })

  test('that does not take it is replaced by one that does', async () => {
    const server = await servers.start('A pixel.')
    const model = fallbackModel([accepts(['text'])(modelOn('openai-chat', server)), modelOn('anthropic', server)])
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } } as const
    expect(await textOf(model, asking('', { prompt: [{ role: 'user', content: [file] }] }))).toBe('A pixel.')
    expect(server.requests.map(({ wire }) => wire)).toEqual(['anthropic'])
  })
})
