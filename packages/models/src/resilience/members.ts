/** Models that stand for several: what they are called, and how each of them is asked. */
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

/** Several models, ready to be asked; a list of none is refused. */
export function membersOf(what: string, models: readonly LanguageModelV4[]): { readonly members: readonly Member[]; readonly face: Face } {
  if (models.length === 0) throw new LoomError('LOOM_OPTION_INVALID', `${what} needs at least one model. Give a list of models.`)
  for (const model of models) checkVersion(model)
  const face = faceOf(models)
  return { face, members: models.map((model) => memberOf(model, face)) }
}

/** What several models are known as. */
interface Face {
  readonly provider: string
  readonly modelId: string
  readonly isMixed: boolean
}

/** Models of one provider go by its name; of several, by a name that says so, and each sees to what is its own. */
function faceOf(models: readonly LanguageModelV4[]): Face {
  const [first] = models as readonly [LanguageModelV4]
  const isMixed = models.some(({ provider }) => provider !== first.provider)
  if (isMixed) return { provider: mixedProvider, modelId: models.map(modelId).join(' | '), isMixed }
  return { provider: first.provider, modelId: first.modelId, isMixed }
}

/** A model as it is known, and as it is called. */
export function facing({ provider, modelId: id }: Face, calls: Calls): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId: id,
    supportedUrls: {},
    doGenerate: (options) => calls.generate(options),
    doStream: (options) => calls.stream(options),
  }
}

function memberOf(model: LanguageModelV4, face: Face): Member {
  const id = modelId(model)
  const asked = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => (face.isMixed ? requestFor(model, options) : options)
  // Whoever goes by the name of all need not be named.
  const isNamed = id === `${face.provider}/${face.modelId}`
  return {
    id,
    async generate(options) {
      const result = await model.doGenerate(asked(options))
      return isNamed ? result : { ...result, providerMetadata: signed(id, result.providerMetadata) }
    },
    async stream(options) {
      const result = await model.doStream(asked(options))
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

/** Says who has answered, where the agent looks for it. */
const signed = (model: string, metadata: SharedV4ProviderMetadata | undefined): SharedV4ProviderMetadata => ({
  ...metadata,
  loom: { ...metadata?.['loom'], model },
})
