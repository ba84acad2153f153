/** Models by id, over real HTTP against all vendors. */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createAgentFactory, tool } from '@loom-agent/agent'
import { type Wire, type WireServer, type WireServerOptions, wireServer } from '@loom-agent/harness/wire'
import { createModels, defineModel, type ModelsOptions } from '@loom-agent/models'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(reply: WireServerOptions['reply'], more: Partial<WireServerOptions> = {}): Promise<WireServer> {
  const server = await wireServer({ reply, ...more })
  open.push(server)
  return server
}

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })

/** An environment with every vendor on the wire server. */
const envOf = ({ baseURLs }: WireServer): Record<string, string> => ({
  ANTHROPIC_API_KEY: 'k',
  ANTHROPIC_BASE_URL: baseURLs.anthropic,
  OPENAI_API_KEY: 'k',
  OPENAI_BASE_URL: baseURLs['openai-responses'],
  GEMINI_API_KEY: 'k',
  GOOGLE_GENERATIVE_AI_BASE_URL: baseURLs.google,
  OLLAMA_BASE_URL: baseURLs['openai-compatible'],
  COMPATIBLE_BASE_URL: baseURLs['openai-compatible'],
})

const agentOn = (options: ModelsOptions) => createAgentFactory({ resolveModel: createModels(options).resolveModel })

describe('an id', () => {
  const ids: readonly [id: string, wire: Wire, provider: string][] = [
    ['anthropic/claude-sonnet-4-5', 'anthropic', 'anthropic.messages'],
    ['openai/gpt-5', 'openai-responses', 'openai.responses'],
    ['openai.responses/gpt-5', 'openai-responses', 'openai.responses'],
    ['openai.chat/gpt-4.1', 'openai-chat', 'openai.chat'],
    ['google/gemini-3-pro-preview', 'google', 'google.generative-ai'],
    ['ollama/llama3.3', 'openai-compatible', 'ollama.chat'],
    ['compatible/meta-llama/Llama-3.3-70B', 'openai-compatible', 'compatible.chat'],
    ['mine/big-one', 'openai-compatible', 'mine.chat'],
  ]

  test.for(ids)('%s is a model on %s', async ([id, wire, provider]) => {
    const server = await started([{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
    const providers = { mine: { baseURL: server.baseURLs['openai-compatible'], apiKey: 'k' } }
    const result = await agentOn({ env: envOf(server), providers })({ model: id, tools: { add } }).run('2+2?')
    expect(result).toMatchObject({ status: 'done', text: 'It is 4.' })
    expect(server.requests.map((request) => [request.wire, request.model, request.problems])).toEqual(
      Array.from({ length: 2 }, () => [wire, id.slice(id.indexOf('/') + 1), []]),
    )
    expect((await createModels({ env: envOf(server), providers }).resolveModel(id)).provider).toBe(provider)
  })

  test('of a local server needs no configuration at all', async () => {
    const seen: string[] = []
    const fetch = (async (input: RequestInfo | URL) => {
      seen.push(String(input))
      return new Response('{}', { status: 503 })
    }) as typeof globalThis.fetch
    const model = (await createModels({ env: {}, fetch }).resolveModel('ollama/llama3.3')) as LanguageModelV4
    await expect(model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] })).rejects.toMatchObject({ statusCode: 503 })
    expect(seen).toEqual(['http://localhost:11434/v1/chat/completions'])
  })

  test('may name anything that is registered: an endpoint, a provider, a function', async () => {
    const scripted = scriptedModel('from a function')
    const provider = { languageModel: (name: string) => defineModel({ id: `house/${name}`, generate: () => `I am ${name}` }) }
    const agent = agentOn({ env: {}, providers: { fn: (name) => (name === 'x' ? scripted : Promise.reject(new Error('no'))), house: provider } })
    expect((await agent({ model: 'fn/x' }).run('hi')).text).toBe('from a function')
    expect((await agent({ model: 'house/butler' }).run('hi')).text).toBe('I am butler')
  })

  test('a model object passes through, whatever its version', async () => {
    const old = { specificationVersion: 'v2', provider: 'old', modelId: 'one', supportedUrls: {}, doGenerate: () => {}, doStream: () => {} } as never
    expect(await createModels({ env: {}, providers: { old: () => old } }).resolveModel('old/one')).toBe(old)
  })

  test('the key in the variable that a custom provider names is sent', async () => {
    const server = await started(['ok'])
    const providers = { mine: { baseURL: server.baseURLs['openai-compatible'], key: 'MINE_KEY', headers: { 'x-team': 'blue' } } }
    await agentOn({ env: { MINE_KEY: 'sesame' }, providers })({ model: 'mine/one' }).run('hi')
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sesame', 'x-team': 'blue' })
    await expect(createModels({ env: {}, providers }).resolveModel('mine/one')).rejects.toMatchObject({ context: { variable: 'MINE_KEY' } })
  })
})

describe('what cannot be resolved says what to do', () => {
  const absent = () => Promise.reject(Object.assign(new Error("Cannot find package '@ai-sdk/google'"), { code: 'ERR_MODULE_NOT_FOUND' }))
  const cases: readonly [what: string, id: string, options: ModelsOptions, message: RegExp][] = [
    ['a provider that is misspelt', 'antropic/claude', {}, /no provider called "antropic"\. Did you mean "anthropic\/claude"\?/],
    ['an unknown provider', 'zzzzzzzz/x', {}, /The providers are: anthropic, openai/],
    ['no provider', 'claude-sonnet-5-5', {}, /Did you mean "anthropic\/claude-sonnet-5-5"\?/],
    ['no provider and a misspelt name', 'anthropic-claude-sonnet-5-5', {}, /Did you mean "anthropic\/claude-sonnet-5-5"\?/],
    ['no name', 'anthropic/', {}, /does not say whose model it is/],
    ['no key', 'anthropic/x', {}, /Set the environment variable ANTHROPIC_API_KEY\./],
    ['no key of several', 'google/x', {}, /GOOGLE_GENERATIVE_AI_API_KEY \(or GEMINI_API_KEY, GOOGLE_API_KEY\)/],
    ['no package', 'google/x', { env: { GEMINI_API_KEY: 'k' }, load: absent }, /not installed\. Run: npm install @ai-sdk\/google$/],
    ['no address', 'compatible/x', {}, /COMPATIBLE_BASE_URL/],
  ]

  test.for(cases)('%s', async ([, id, options, message]) => {
    const error = await createModels({ env: {}, ...options })
      .resolveModel(id)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'LOOM_MODEL_UNRESOLVED', message: expect.stringMatching(message) })
  })

  test('a package that a bundler replaced by an empty module is reported like one that is not installed', async () => {
    const empty = async () => ({}) as never
    await expect(createModels({ env: { OPENAI_API_KEY: 'k' }, load: empty }).resolveModel('openai/x')).rejects.toMatchObject({
      code: 'LOOM_MODEL_UNRESOLVED',
      message: expect.stringMatching(/was not installed when this program was bundled.*Run: npm install @ai-sdk\/openai$/),
      context: { install: 'npm install @ai-sdk/openai' },
    })
  })

  test('a package that is not there is reported by the real loader, too', async () => {
    const missing = () => import('@ai-sdk/not-there' as string)
    await expect(createModels({ env: { OPENAI_API_KEY: 'k' }, load: missing }).resolveModel('openai/x')).rejects.toMatchObject({
      message: 'The package @ai-sdk/openai is not installed. Run: npm install @ai-sdk/openai',
    })
  })

  test('a model that the vendor does not know: the nearest names, and no other attempt', async () => {
    const server = await started(() => ({ fault: { kind: 'status', status: 404, message: 'model: claude-sonet-5-5' } }))
    const result = await agentOn({ env: envOf(server) })({ model: 'anthropic/claude-sonet-5-5', ports: { random: () => 0 } }).run('hi')
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'LOOM_MODEL_UNRESOLVED', message: expect.stringContaining('Did you mean "anthropic/claude-sonnet-5-5"?') },
    })
    expect(server.requests).toHaveLength(1)
  })

  test('an invalid provider and an unknown option', () => {
    expect(() => createModels({ providers: { mine: {} as never } })).toThrow(/providers\.mine is no provider/)
    expect(() => createModels({ providers: { 'a/b': { baseURL: 'http://x' } } })).toThrow(/cannot be the name/)
    expect(() => createModels({ provider: {} } as never)).toThrow(/Did you mean "providers"\?/)
  })
})

test('a model that cannot call tools gets the text protocol', async () => {
  const seen: string[] = []
  const plain = defineModel({
    id: 'plain/one',
    generate: ({ messages, tools }) => {
      seen.push(`${tools.length} ${messages.map(({ role }) => role).join()}`)
      const [opener] = /```tool-\w+/.exec(JSON.stringify(messages)) ?? []
      return messages.length > 2 ? 'It is 4.' : `${opener}\n{"name": "add", "arguments": {"a": 2, "b": 2}}\n\`\`\``
    },
  })
  const options: ModelsOptions = { env: {}, providers: { plain: () => plain }, table: { 'plain/one': { tools: false, source: 'our own' } } }
  expect((await agentOn(options)({ model: 'plain/one', tools: { add } }).run('2+2?')).text).toBe('It is 4.')
  expect(seen).toEqual(['0 system,user', '0 system,user,assistant,user'])
})
