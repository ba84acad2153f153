/** Which model is chosen when none is named, as a table, and what the registry does with the choice. */
import { createAgentFactory } from '@loom-agent/agent'
import { type Choice, chooseModel, createModels } from '@loom-agent/models'
import { describe, expect, test } from 'vitest'
import { knownProviders } from '../src/provider/provider.ts'

type Env = Record<string, string>
const model = (id: string) => ({ kind: 'model', id })
const offline = { kind: 'offline' }
const missing = (variable: string) => ({ kind: 'error', code: 'LOOM_MODEL_MISSING', context: { variable } })
const nothing = missing('LOOM_MODEL')
const sonnet = model('anthropic/claude-sonnet-5-5')

const table: readonly [what: string, env: Env, choice: object][] = [
  ['nothing at all', {}, nothing],
  ['nothing but development', { NODE_ENV: 'development' }, nothing],
  ['nothing in production', { NODE_ENV: 'production' }, nothing],
  ['things of others', { AWS_REGION: 'x', PATH: '/bin' }, nothing],
  ['a provider and its key', { LOOM_PROVIDER: 'anthropic', ANTHROPIC_API_KEY: 'k' }, sonnet],
  ['a provider and its key in production', { LOOM_PROVIDER: 'anthropic', ANTHROPIC_API_KEY: 'k', NODE_ENV: 'production' }, sonnet],
  ['a provider, its key and a model', { LOOM_PROVIDER: 'openai', OPENAI_API_KEY: 'k', LOOM_MODEL: 'gpt-5.4' }, model('openai/gpt-5.4')],
  ['a model that names its provider', { LOOM_MODEL: 'google/gemini-2.5-pro' }, model('google/gemini-2.5-pro')],
  ['a model that names the provider again', { LOOM_PROVIDER: 'google', LOOM_MODEL: 'google/g', GEMINI_API_KEY: 'k' }, model('google/g')],
  ['a model of another API of the provider', { LOOM_PROVIDER: 'openai', LOOM_MODEL: 'openai.chat/g', OPENAI_API_KEY: 'k' }, model('openai.chat/g')],
  ['a model of another provider', { LOOM_PROVIDER: 'openai', LOOM_MODEL: 'anthropic/c', OPENAI_API_KEY: 'k' }, missing('LOOM_MODEL')],
  ['a name with a slash on a local server', { LOOM_PROVIDER: 'ollama', LOOM_MODEL: 'google/gemma' }, model('ollama/google/gemma')],
  ['a provider without a key', { LOOM_PROVIDER: 'anthropic' }, missing('ANTHROPIC_API_KEY')],
  ['a provider with the key of another', { LOOM_PROVIDER: 'anthropic', OPENAI_API_KEY: 'k' }, missing('ANTHROPIC_API_KEY')],
  ['a provider with a blank key', { LOOM_PROVIDER: 'anthropic', ANTHROPIC_API_KEY: ' ' }, missing('ANTHROPIC_API_KEY')],
  ['a provider that is none', { LOOM_PROVIDER: 'antropic', ANTHROPIC_API_KEY: 'k' }, missing('LOOM_PROVIDER')],
  ['an inherited name', { LOOM_PROVIDER: 'constructor' }, missing('LOOM_PROVIDER')],
  ['a blank provider', { LOOM_PROVIDER: '' }, missing('LOOM_PROVIDER')],
  ['a blank model', { LOOM_MODEL: '', ANTHROPIC_API_KEY: 'k' }, missing('LOOM_MODEL')],
  ['a model without a provider', { LOOM_MODEL: 'gpt-5.4' }, missing('LOOM_PROVIDER')],
  ['a local server without a model', { LOOM_PROVIDER: 'ollama' }, missing('LOOM_MODEL')],
  ['the address of a local server', { OLLAMA_BASE_URL: 'http://box:11434/v1' }, missing('LOOM_MODEL')],
  ['one key', { OPENAI_API_KEY: 'k' }, model('openai/gpt-6.1-sol')],
  ['one key under a second name', { GEMINI_API_KEY: 'k' }, model('google/gemini-3.8-flash')],
  ['one key in production', { OPENAI_API_KEY: 'k', NODE_ENV: 'production' }, model('openai/gpt-6.1-sol')],
  ['a key that is blank', { OPENAI_API_KEY: '' }, missing('OPENAI_API_KEY')],
  ['two keys', { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }, missing('LOOM_PROVIDER')],
  ['two keys and a provider', { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', LOOM_PROVIDER: 'anthropic' }, sonnet],
  ['the offline model as the provider', { LOOM_PROVIDER: 'offline', OPENAI_API_KEY: 'k' }, offline],
  ['the offline model as the model', { LOOM_MODEL: 'offline', OPENAI_API_KEY: 'k' }, offline],
]

describe('what the environment says', () => {
  test.for(table)('%s', ([, env, choice]) => {
    expect(chooseModel({ env, providers: knownProviders })).toMatchObject(choice)
  })

  test('a choice names variables, never their values', () => {
    for (const [, env] of table) {
      const secret = 'sk-very-secret'
      const filled = Object.fromEntries(
        Object.entries(env).map(([name, value]) => [name, name.endsWith('_KEY') && value.trim() !== '' ? secret : value]),
      )
      expect(JSON.stringify(chooseModel({ env: filled, providers: knownProviders }))).not.toContain(secret)
    }
  })

  test('every refusal says which variable matters, and what to do', () => {
    for (const [, env] of table) {
      const choice: Choice = chooseModel({ env, providers: knownProviders })
      if (choice.kind !== 'error') continue
      expect(choice.message).toMatch(/Set |Give |Did you mean|Make |unset|The providers are/)
    }
  })
})

describe('a registry without an id', () => {
  test('returns the offline model only when it is asked for (CHOICE-1)', async () => {
    await expect(createModels({ env: {} }).resolveModel()).rejects.toMatchObject({ code: 'LOOM_MODEL_MISSING' })
    expect(await createModels({ env: { LOOM_MODEL: 'offline' } }).resolveModel()).toMatchObject({ provider: 'offline' })
    for (const id of ['offline', 'offline/rules']) expect(await createModels({ env: {} }).resolveModel(id)).toMatchObject({ provider: 'offline' })
  })

  test('lets an agent be made without a model, and its run fails with the code', async () => {
    const make = createAgentFactory({ resolveModel: createModels({ env: {} }).resolveModel })
    expect(await make({}).run('Hello')).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_MISSING' } })
    expect(await make({}).run('Hello', { model: 'offline' })).toMatchObject({ status: 'done' })
  })

  test('says where it looked and what it found, by name (CHOICE-2)', async () => {
    const env = { OPENAI_API_KEY: 'k1', ANTHROPIC_API_KEY: 'k2', PATH: '/bin' }
    const error = await createModels({ env })
      .resolveModel()
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'LOOM_MODEL_MISSING',
      context: { looked: expect.arrayContaining(['LOOM_MODEL', 'LOOM_PROVIDER', 'OLLAMA_BASE_URL']), found: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] },
    })
    await expect(createModels({ env: {} }).resolveModel()).rejects.toThrow(
      /LOOM_MODEL and LOOM_PROVIDER are not set, and neither is .*OPENAI_API_KEY/,
    )
  })

  test('returns the configured model', async () => {
    expect(await createModels({ env: { ANTHROPIC_API_KEY: 'k' } }).resolveModel()).toMatchObject({
      provider: 'anthropic.messages',
      modelId: 'claude-sonnet-5-5',
    })
  })

  test('refuses an incomplete configuration, and never falls back silently', async () => {
    await expect(createModels({ env: { LOOM_PROVIDER: 'anthropic' } }).resolveModel()).rejects.toMatchObject({ code: 'LOOM_MODEL_MISSING' })
    const absent = () => Promise.reject(Object.assign(new Error("Cannot find package '@ai-sdk/openai'"), { code: 'ERR_MODULE_NOT_FOUND' }))
    await expect(createModels({ env: { OPENAI_API_KEY: 'k' }, load: absent }).resolveModel()).rejects.toMatchObject({
      code: 'LOOM_MODEL_UNRESOLVED',
      context: { install: 'npm install @ai-sdk/openai' },
    })
  })

  test('reads the environment when it resolves a model, not when it is created', async () => {
    const env: Env = {}
    const models = createModels({ env: () => env })
    expect(models.choose().kind).toBe('error')
    env['OPENAI_API_KEY'] = 'k'
    expect(models.choose()).toMatchObject(model('openai/gpt-6.1-sol'))
  })
})
