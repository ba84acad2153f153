/** The packages of providers: each is loaded by the first model that needs it. */
import { LoomError } from '@loom-agent/kernel'

/** The packages that models are made with. */
export interface ProviderPackages {
  readonly '@ai-sdk/anthropic': typeof import('@ai-sdk/anthropic')
  readonly '@ai-sdk/openai': typeof import('@ai-sdk/openai')
  readonly '@ai-sdk/google': typeof import('@ai-sdk/google')
  readonly '@ai-sdk/openai-compatible': typeof import('@ai-sdk/openai-compatible')
}

/** Loads a package. */
export type LoadPackage = <Name extends keyof ProviderPackages>(name: Name) => Promise<ProviderPackages[Name]>

/** Each import is written out, so that bundlers see it. */
const imports: { readonly [Name in keyof ProviderPackages]: () => Promise<ProviderPackages[Name]> } = {
  '@ai-sdk/anthropic': () => import('@ai-sdk/anthropic'),
  '@ai-sdk/openai': () => import('@ai-sdk/openai'),
  '@ai-sdk/google': () => import('@ai-sdk/google'),
  '@ai-sdk/openai-compatible': () => import('@ai-sdk/openai-compatible'),
}

/** Imports a package as it is installed beside this one. */
export const importPackage: LoadPackage = (name) => imports[name]()

/** Loads a package; one that is not there is an error that says how to get it. */
export function orInstall(load: LoadPackage): LoadPackage {
  return async (name) => {
    try {
      return await load(name)
    } catch (cause) {
      const install = `npm install ${name}`
      const problem = isMissing(cause) ? `The package ${name} is not installed.` : `The package ${name} cannot be loaded.`
      throw new LoomError('LOOM_MODEL_UNRESOLVED', `${problem} Run: ${install}`, { cause, context: { package: name, install } })
    }
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') || /cannot find|failed to resolve/i.test(error.message))
