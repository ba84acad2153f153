/** The packages of providers: the first model that needs one loads it. */
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'

/** The settings of a provider's package. */
export interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly fetch?: typeof fetch
}

/** The settings of the package for endpoints with the chat completions API. */
export interface EndpointSettings extends ProviderSettings {
  readonly name: string
  readonly baseURL: string
  readonly includeUsage?: boolean
  readonly headers?: Record<string, string>
  readonly supportsStructuredOutputs?: boolean
}

type MakeModel = (name: string) => LanguageModelV4

/** The packages that models are made with, as far as they are used. Structural, so that a program compiles without them. */
export interface ProviderPackages {
  /** Models of Anthropic. */
  readonly '@ai-sdk/anthropic': { createAnthropic(settings: ProviderSettings): MakeModel }
  /** Models of OpenAI. */
  readonly '@ai-sdk/openai': { createOpenAI(settings: ProviderSettings): { readonly responses: MakeModel; readonly chat: MakeModel } }
  /** Models of Google. */
  readonly '@ai-sdk/google': { createGoogle(settings: ProviderSettings): MakeModel }
  /** Models behind any endpoint with the chat completions API. */
  readonly '@ai-sdk/openai-compatible': { createOpenAICompatible(settings: EndpointSettings): { readonly chatModel: MakeModel } }
}

/** Loads a package. */
export type LoadPackage = <Name extends keyof ProviderPackages>(name: Name) => Promise<ProviderPackages[Name]>

/** The function of each package that makes its models. */
const makers: { readonly [Name in keyof ProviderPackages]: keyof ProviderPackages[Name] & string } = {
  '@ai-sdk/anthropic': 'createAnthropic',
  '@ai-sdk/openai': 'createOpenAI',
  '@ai-sdk/google': 'createGoogle',
  '@ai-sdk/openai-compatible': 'createOpenAICompatible',
}

/**
 * Loads packages with `load`, or else imports them as they are installed beside this one; a missing one is an error that says how to install it. Each
 * import is written out, so that bundlers include a package that is installed, and is in a `try`, so that they accept one that is not. Some bundlers
 * replace it by an empty module.
 */
export function packageLoader(load: LoadPackage | undefined): LoadPackage {
  return async <Name extends keyof ProviderPackages>(name: Name) => {
    let loaded: ProviderPackages[keyof ProviderPackages]
    try {
      if (load) loaded = await load(name)
      else if (name === '@ai-sdk/anthropic') loaded = await import('@ai-sdk/anthropic')
      else if (name === '@ai-sdk/openai') loaded = await import('@ai-sdk/openai')
      else if (name === '@ai-sdk/google') loaded = await import('@ai-sdk/google')
      else loaded = await import('@ai-sdk/openai-compatible')
    } catch (cause) {
      throw cannotLoad(name, isMissing(cause) ? 'is not installed' : 'cannot be loaded', cause)
    }
    const maker = makers[name]
    if (typeof Reflect.get(loaded, maker) === 'function') return loaded as ProviderPackages[Name]
    throw cannotLoad(name, `was not installed when this program was bundled, or has no ${maker}`, undefined)
  }
}

function cannotLoad(name: string, problem: string, cause: unknown): LoomError {
  const install = `npm install ${name}`
  return new LoomError('LOOM_MODEL_UNRESOLVED', `The package ${name} ${problem}. Run: ${install}`, { cause, context: { package: name, install } })
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') || /cannot find|failed to resolve/i.test(error.message))
