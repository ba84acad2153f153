/** One model that stands for several: its name, and its members. */
import { memberIdsOf, mixedName, mixedProvider, modelId, requestFor, standingFor } from '@loom-agent/agent/kit'
import type { LanguageModelV4, SharedV4ProviderMetadata } from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'
import { checkVersion, type ModelIdentity, translateModel } from '../call/wrapper.ts'

/** Several models, and the name that they have together. */
export interface Members {
  readonly identity: ModelIdentity
  readonly members: readonly LanguageModelV4[]
}

/**
 * The members of a list of models; an empty list is refused. Models of one provider have its name; models of several have a mixed name, and each
 * member takes only what is meant for its provider.
 */
export function membersOf(what: string, models: readonly LanguageModelV4[]): Members {
  const [first] = Array.isArray(models) ? models : []
  if (!first) throw new LoomError('LOOM_OPTION_INVALID', `${what} needs at least one model. Give a list of models.`, { context: { what } })
  for (const model of models) checkVersion(model)
  const isMixed = models.some(({ provider }) => provider !== first.provider)
  const name = isMixed ? { provider: mixedProvider, modelId: mixedName(models.map(modelId)) } : first
  const identity: ModelIdentity = standingFor(
    { specificationVersion: 'v4', provider: name.provider, modelId: name.modelId, supportedUrls: {} },
    models.flatMap(memberIdsOf),
  )
  const memberOf = (model: LanguageModelV4): LanguageModelV4 =>
    translateModel(model, (options) => ({
      call: isMixed ? requestFor(model, options) : options,
      result: (result) => ({ ...result, ...signature(result, model, identity) }),
      part: (part) => [part.type === 'finish' ? { ...part, ...signature(part, model, identity) } : part],
    }))
  return { identity, members: models.map(memberOf) }
}

/** Names the model that answered, where the agent looks for it. A member that has the common name need not be named. */
function signature(
  { providerMetadata: metadata }: { readonly providerMetadata?: SharedV4ProviderMetadata | undefined },
  model: LanguageModelV4,
  identity: ModelIdentity,
): { readonly providerMetadata?: SharedV4ProviderMetadata } {
  const id = modelId(model)
  return id === `${identity.provider}/${identity.modelId}` ? {} : { providerMetadata: { ...metadata, loom: { ...metadata?.['loom'], model: id } } }
}
