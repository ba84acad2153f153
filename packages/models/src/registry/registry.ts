/** The registry: models by id. */
import type { ModelDescription, ModelObject } from '@loom-agent/agent'
import { checkOptions, type Expected, expected, nearest, type Shape } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { LoomError, type Usage } from '@loom-agent/kernel'
import { answerTool } from '../answer-tool/answer-tool.ts'
import { translateModel } from '../call/wrapper.ts'
import { offlineModel } from '../offline/offline-model.ts'
import { type Environment, systemEnvironment } from '../provider/environment.ts'
import { type LoadPackage, packageLoader } from '../provider/packages.ts'
import { knownProviders, type Provider, type ProviderSource, providerOf } from '../provider/provider.ts'
import { infoOf, type ModelInfo, type ModelTable } from '../table/model-info.ts'
import { priceOf } from '../table/price.ts'
import { modelTable } from '../table/table.ts'
import { textTools } from '../text-tools/text-tools.ts'
import { accepting } from './accepts.ts'
import { type Choice, chooseModel } from './choice.ts'
import { suggesting } from './suggesting.ts'

/** The options of `createModels`. */
export interface ModelsOptions {
  /** The environment variables, or a function that returns them; default: the environment of the process, read when a model is resolved. */
  readonly env?: Environment | (() => Environment)
  /** Custom providers by name; a known provider may be replaced. */
  readonly providers?: Readonly<Record<string, ProviderSource>>
  /** Facts about further models; they replace those of the built-in table. */
  readonly table?: ModelTable
  /** Sends the requests; default: `fetch` of the platform, which keeps connections open. */
  readonly fetch?: typeof fetch
  /** Loads the packages of providers; default: `import`. */
  readonly load?: LoadPackage
  /** The time in milliseconds, because prices may end; default: `Date.now`. */
  readonly now?: () => number
}

/** Models by id. */
export interface Models {
  /** Returns the model of an id (`provider/name`), or the one that the environment names. */
  readonly resolveModel: (id?: string) => Promise<ModelObject>
  /** Returns what would be chosen without an id, and why. */
  readonly choose: () => Choice
  /** Returns the known facts about a model. */
  readonly info: (id: string) => ModelInfo | undefined
  /** Returns the price of a call in integer micro-units; undefined when it is not known. Throws `LOOM_PRICE_UNKNOWN` when it has ended. */
  readonly price: (id: string, usage: Usage) => number | undefined
  /** Returns what is known of the size of a model, for context strategies; undefined when nothing is. */
  readonly describeModel: (id: string) => ModelDescription | undefined
  /** The names of all providers. */
  readonly providers: readonly string[]
}

const shape: Shape & Record<keyof ModelsOptions, Expected> = {
  env: expected.either(expected.object, expected.function),
  providers: expected.object,
  table: expected.object,
  fetch: expected.function,
  load: expected.function,
  now: expected.function,
}

/**
 * Creates a registry of models.
 *
 * @example
 * const models = createModels({ providers: { vllm: { baseURL: 'http://gpu:8000/v1' } } })
 * const agent = createAgentFactory(models)
 * agent({ model: 'vllm/qwen3' })
 */
export function createModels(options: ModelsOptions = {}): Models {
  checkOptions('createModels', options, shape)
  const { env: given = systemEnvironment, fetch, now = () => Date.now() } = options
  const load = packageLoader(options.load)
  const env = typeof given === 'function' ? given : () => given
  const table = options.table ? { ...modelTable, ...options.table } : modelTable
  const own = Object.entries(options.providers ?? {}).map(([name, source]) => [checkName(name), providerOf(name, source)] as const)
  const providers: Readonly<Record<string, Provider>> = { ...knownProviders, ...Object.fromEntries(own) }

  const choose = (): Choice => chooseModel({ env: env(), providers })

  const make = async (id: string): Promise<ModelObject> => {
    if (id === 'offline' || id.startsWith('offline/')) return offlineModel({ env })
    const [provider, name] = split(id, { providers, table })
    const model = await provider.make(name, { env: env(), load, fetch })
    if (model?.specificationVersion !== 'v4') return model
    const { tools, input, outputLimit, jsonSchema } = infoOf(table, id) ?? {}
    const limited = outputLimit === undefined ? model : limiting(model, outputLimit)
    const tooled = tools === false ? textTools()(limited) : limited
    const answering = (jsonSchema ?? takesSchemas(model)) ? tooled : answerTool()(tooled)
    return suggesting(input ? accepting(answering, { id, input }) : answering, { id, table })
  }

  return {
    async resolveModel(id = '') {
      if (id !== '') return make(id)
      const choice = choose()
      if (choice.kind === 'error') throw new LoomError(choice.code, choice.message, { context: choice.context })
      return choice.kind === 'offline' ? offlineModel({ env }) : make(choice.id)
    },
    choose,
    info: (id) => infoOf(table, id),
    // Fixed rules cost nothing.
    price: (id, usage) => (id.startsWith('offline/') ? 0 : priceOf(table, id, { usage, now: now() })),
    describeModel: (id) => describe(infoOf(table, id)),
    providers: Object.keys(providers),
  }
}

function describe(info: ModelInfo | undefined): ModelDescription | undefined {
  return info && { window: info.contextWindow, output: info.outputLimit }
}

/** Whether a model takes schemas: packages for many kinds of servers say so for each model. */
const takesSchemas = (model: LanguageModelV4): boolean => !('supportsStructuredOutputs' in model && model.supportsStructuredOutputs === false)

function checkName(name: string): string {
  if (/^[a-zA-Z][a-zA-Z0-9._-]*$/.test(name)) return name
  const rule = 'Use letters, digits, dots, _ and -, beginning with a letter.'
  throw new LoomError('LOOM_OPTION_INVALID', `createModels: "${name}" cannot be the name of a provider. ${rule}`, { context: { name } })
}

/** The model; requests for longer answers than it can give, which vendors refuse, are limited. */
function limiting(model: LanguageModelV4, outputLimit: number): LanguageModelV4 {
  return translateModel(model, (call) => ({ call: (call.maxOutputTokens ?? 0) > outputLimit ? { ...call, maxOutputTokens: outputLimit } : call }))
}

/** The provider of an id, and the name of the model there. */
function split(
  id: string,
  { providers, table }: { providers: Readonly<Record<string, Provider>>; table: ModelTable },
): readonly [provider: Provider, name: string] {
  const slash = id.indexOf('/')
  const [wanted, name] = [id.slice(0, slash), id.slice(slash + 1)]
  if (slash < 1 || name === '') {
    const near = Object.keys(table).find((known) => known.endsWith(`/${id}`)) ?? nearest(id, Object.keys(table))
    const hint = near === undefined ? 'Write it as provider/name, such as "anthropic/claude-sonnet-5-5".' : `Did you mean "${near}"?`
    throw new LoomError('LOOM_MODEL_UNRESOLVED', `"${id}" does not say whose model it is. ${hint}`, { context: { model: id } })
  }
  const provider = Object.hasOwn(providers, wanted) ? providers[wanted] : undefined
  if (provider) return [provider, name]
  const near = nearest(wanted, Object.keys(providers))
  const hint = near === undefined ? `The providers are: ${Object.keys(providers).join(', ')}.` : `Did you mean "${near}/${name}"?`
  const advice = `Or register it: createModels({ providers: { ${wanted}: ... } }).`
  throw new LoomError('LOOM_MODEL_UNRESOLVED', `There is no provider called "${wanted}". ${hint} ${advice}`, { context: { model: id } })
}
