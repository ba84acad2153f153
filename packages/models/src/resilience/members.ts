/** One model that stands for several: its name, and its members. */
import { mixedProvider, modelId, requestFor } from '@loom-agent/agent/kit'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
  SharedV4ProviderMetadata,
} from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'
import { drop, nextOf, type Part, pullStream } from '../call/stream.ts'
import { type Calls, checkVersion } from '../call/wrapper.ts'

/** One of several models. */
export interface Member {
  readonly id: string
  generate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult>
  stream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult>
}

/** The members of a list of models; an empty list is refused. */
export function membersOf(what: string, models: readonly LanguageModelV4[]): { readonly members: readonly Member[]; readonly identity: Identity } {
  if (models.length === 0)
    throw new LoomError('LOOM_OPTION_INVALID', `${what} needs at least one model. Give a list of models.`, { context: { what } })
  for (const model of models) checkVersion(model)
  const identity = identityOf(models)
  return { identity, members: models.map((model) => memberOf(model, identity)) }
}

/** The name of several models. */
interface Identity {
  readonly provider: string
  readonly modelId: string
  readonly isMixed: boolean
}

/** Models of one provider have its name; models of several have a mixed name, and each member takes only what is meant for its provider. */
function identityOf(models: readonly LanguageModelV4[]): Identity {
  const [first] = models as readonly [LanguageModelV4]
  const isMixed = models.some(({ provider }) => provider !== first.provider)
  if (isMixed) return { provider: mixedProvider, modelId: models.map(modelId).join(' | '), isMixed }
  return { provider: first.provider, modelId: first.modelId, isMixed }
}

/** A model with this identity. */
export function modelAs({ provider, modelId: id }: Identity, calls: Calls): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId: id,
    supportedUrls: {},
    doGenerate: (options) => calls.generate(options),
    doStream: (options) => calls.stream(options),
  }
}

function memberOf(model: LanguageModelV4, identity: Identity): Member {
  const id = modelId(model)
  const requestOf = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => (identity.isMixed ? requestFor(model, options) : options)
  // A member that has the common name need not be named in the reply.
  const isNamed = id === `${identity.provider}/${identity.modelId}`
  return {
    id,
    async generate(options) {
      const result = await model.doGenerate(requestOf(options))
      return isNamed ? result : { ...result, providerMetadata: signed(id, result.providerMetadata) }
    },
    async stream(options) {
      const result = await model.doStream(requestOf(options))
      if (isNamed) return result
      const reader = result.stream.getReader()
      const next = async (): Promise<Part | undefined> => {
        const part = await nextOf(reader)
        return part?.type === 'finish' ? { ...part, providerMetadata: signed(id, part.providerMetadata) } : part
      }
      return { ...result, stream: pullStream({ next, cancel: () => drop(reader) }) }
    },
  }
}

/** Names the model that answered, where the agent looks for it. */
const signed = (model: string, metadata: SharedV4ProviderMetadata | undefined): SharedV4ProviderMetadata => ({
  ...metadata,
  loom: { ...metadata?.['loom'], model },
})
