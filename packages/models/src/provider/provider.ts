/** The known providers: their configuration, and how their models are made. */
import type { ModelObject } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { type Environment, settingOf } from './environment.ts'
import type { LoadPackage, ProviderSettings } from './packages.ts'

/** What a model is made with. */
export interface Making {
  readonly env: Environment
  readonly load: LoadPackage
  readonly fetch: typeof fetch | undefined
}

/** A provider. */
export interface Provider {
  /** The variables of which one holds the key; none when it needs no key. */
  readonly keys: readonly string[]
  /** Further variables that show that the user wants this provider. */
  readonly signs: readonly string[]
  /** The model that is used when only the provider is named. */
  readonly defaultModel?: string
  make(name: string, making: Making): Promise<ModelObject>
}

/** A custom provider: an endpoint with the chat completions API, an AI SDK provider, or a function. */
export type ProviderSource =
  | {
      /** The address of the endpoint. */
      readonly baseURL: string
      /** The key itself; `key` is safer. */
      readonly apiKey?: string
      /** The environment variable that holds the key. */
      readonly key?: string
      /** Headers of every request. */
      readonly headers?: Readonly<Record<string, string>>
      /** Whether the endpoint takes JSON Schemas; default: no. */
      readonly jsonSchema?: boolean
    }
  | {
      /** Returns a model by its name. */
      languageModel(name: string): ModelObject
    }
  | ((name: string) => ModelObject | Promise<ModelObject>)

/** The key of a provider; without one, an error that names its variable. */
function keyOf(provider: string, keys: readonly string[], env: Environment): string {
  const key = keys.map((name) => settingOf(env, name)).find((value) => value !== undefined)
  if (key !== undefined) return key
  const [variable = '', ...others] = keys
  const also = others.length > 0 ? ` (or ${others.join(', ')})` : ''
  const message = `${provider} needs a key. Set the environment variable ${variable}${also}.`
  throw new LoomError('LOOM_MODEL_UNRESOLVED', message, { context: { provider, variable } })
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })

/** A vendor with a package of its own. */
interface Vendor extends Required<Pick<Provider, 'keys' | 'defaultModel'>> {
  /** The variable with the address, if it is not the usual one. */
  readonly address: string
  make(settings: ProviderSettings, load: LoadPackage, name: string): Promise<ModelObject>
}

/** The provider of a vendor: its package gets the key, the address if one is set, and `fetch`. */
const vendor = (provider: string, { keys, defaultModel, address, make }: Vendor): Provider => ({
  keys,
  signs: [],
  defaultModel,
  make: async (name, { env, fetch, load }) => {
    const settings = { apiKey: keyOf(provider, keys, env), ...optional('baseURL', settingOf(env, address)), ...optional('fetch', fetch) }
    return make(settings, load, name)
  },
})

const openai = (api: 'responses' | 'chat'): Provider =>
  vendor('openai', {
    keys: ['OPENAI_API_KEY'],
    address: 'OPENAI_BASE_URL',
    defaultModel: 'gpt-6.1-sol',
    make: async (settings, load, name) => (await load('@ai-sdk/openai')).createOpenAI(settings)[api](name),
  })

/** The providers that Loom knows. `openai` means the responses API; `openai.chat` is chat completions. */
export const knownProviders: Readonly<Record<string, Provider>> = {
  anthropic: vendor('anthropic', {
    keys: ['ANTHROPIC_API_KEY'],
    address: 'ANTHROPIC_BASE_URL',
    defaultModel: 'claude-sonnet-5-5',
    make: async (settings, load, name) => (await load('@ai-sdk/anthropic')).createAnthropic(settings)(name),
  }),
  openai: openai('responses'),
  'openai.responses': openai('responses'),
  'openai.chat': openai('chat'),
  google: vendor('google', {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    address: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    defaultModel: 'gemini-3.8-flash',
    make: async (settings, load, name) => (await load('@ai-sdk/google')).createGoogle(settings)(name),
  }),
  ollama: {
    keys: [],
    signs: ['OLLAMA_BASE_URL'],
    make: (name, making) =>
      endpoint('ollama', name, {
        making,
        baseURL: settingOf(making.env, 'OLLAMA_BASE_URL') ?? 'http://localhost:11434/v1',
        apiKey: settingOf(making.env, 'OLLAMA_API_KEY'),
      }),
  },
  compatible: {
    keys: [],
    signs: ['COMPATIBLE_BASE_URL', 'COMPATIBLE_API_KEY'],
    async make(name, making) {
      const baseURL = settingOf(making.env, 'COMPATIBLE_BASE_URL')
      if (baseURL !== undefined) return endpoint('compatible', name, { making, baseURL, apiKey: settingOf(making.env, 'COMPATIBLE_API_KEY') })
      const advice = 'Set the environment variable COMPATIBLE_BASE_URL, or give createModels({ providers: { mine: { baseURL } } }).'
      throw new LoomError('LOOM_MODEL_UNRESOLVED', `compatible needs the address of an endpoint with the chat completions API. ${advice}`, {
        context: { provider: 'compatible', variable: 'COMPATIBLE_BASE_URL' },
      })
    },
  },
}

interface Endpoint {
  readonly making: Making
  readonly baseURL: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly jsonSchema?: boolean | undefined
}

async function endpoint(provider: string, name: string, { making, baseURL, apiKey, headers, jsonSchema }: Endpoint): Promise<ModelObject> {
  const { createOpenAICompatible } = await making.load('@ai-sdk/openai-compatible')
  const settings = {
    name: provider,
    baseURL,
    includeUsage: true,
    ...optional('apiKey', apiKey),
    ...optional('headers', headers && { ...headers }),
    ...optional('fetch', making.fetch),
    ...optional('supportsStructuredOutputs', jsonSchema),
  }
  return createOpenAICompatible(settings).chatModel(name)
}

/** A custom provider as Loom uses it. */
export function providerOf(provider: string, source: ProviderSource): Provider {
  if (typeof source === 'function') return { keys: [], signs: [], make: async (name) => source(name) }
  if (typeof source === 'object' && source !== null && 'languageModel' in source)
    return { keys: [], signs: [], make: async (name) => source.languageModel(name) }
  if (typeof source?.baseURL !== 'string' || !URL.canParse(source.baseURL)) {
    const wanted = 'Give { baseURL }, an AI SDK provider, or a function that makes a model.'
    throw new LoomError('LOOM_OPTION_INVALID', `createModels: providers.${provider} is no provider. ${wanted}`, { context: { provider } })
  }
  const { baseURL, apiKey, key, headers, jsonSchema } = source
  const keys = key === undefined ? [] : [key]
  return {
    keys,
    signs: [],
    async make(name, making) {
      const found = apiKey ?? (key === undefined ? undefined : keyOf(provider, keys, making.env))
      return endpoint(provider, name, { making, baseURL, apiKey: found, headers, jsonSchema })
    },
  }
}
