/** Models: AI SDK language model objects of any version in use, or an id that the umbrella resolves. Types only: nothing of the AI SDK is loaded. */
import { LoomError } from '@loom-agent/kernel'
import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  OlderStreamPart,
} from '../language-model/index.ts'
import { callUser, ignoreWithin } from '../platform/call-user.ts'
import { chain } from '../platform/chain.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'

/** A model object. */
export type ModelObject = LanguageModelV4 | LanguageModelV3 | LanguageModelV2
/** A model object, or its id (`provider/name`). */
export type Model = ModelObject | string
/** What any of the versions streams. */
export type StreamPart = LanguageModelV4StreamPart | OlderStreamPart
/** The wire version that messages are rendered for. */
export type SpecVersion = ModelObject['specificationVersion']
/** What a request depends on of the model it is made for. */
export type ModelIdentity = Pick<ModelObject, 'specificationVersion' | 'provider' | 'modelId'>

/** Settings of a model call. They are journaled, so nothing secret belongs here. */
export interface ModelSettings
  extends Pick<
    LanguageModelV4CallOptions,
    | 'maxOutputTokens'
    | 'temperature'
    | 'topP'
    | 'topK'
    | 'presencePenalty'
    | 'frequencyPenalty'
    | 'stopSequences'
    | 'seed'
    | 'reasoning'
    | 'toolChoice'
    | 'providerOptions'
  > {}

const anyNumber = expected.finite(Number.NEGATIVE_INFINITY)

/** What settings must be. */
export const settingsShape: Shape & Record<keyof ModelSettings, Expected> = {
  maxOutputTokens: expected.whole(1),
  temperature: expected.finite(0),
  topP: expected.number(0, 1),
  topK: expected.finite(0),
  presencePenalty: anyNumber,
  frequencyPenalty: anyNumber,
  stopSequences: expected.list(expected.text, 'a list of texts'),
  seed: anyNumber,
  reasoning: expected.oneOf('provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  toolChoice: expected.object,
  providerOptions: expected.object,
}

/** Turns an id into a model object. */
export type ModelResolver = (id: string) => ModelObject | Promise<ModelObject>

/** The id under which runs record a model. */
export function modelId(model: ModelIdentity | string): string {
  return typeof model === 'string' ? model : `${model.provider}/${model.modelId}`
}

/** Refuses what is not a model. */
export function checkModel(model: unknown): void {
  if (typeof model === 'string') return
  const { specificationVersion: version, doStream } = (typeof model === 'object' && model !== null ? model : {}) as Partial<ModelObject>
  if ((version === 'v2' || version === 'v3' || version === 'v4') && typeof doStream === 'function') return
  ignoreWithin(model)
  const advice = 'Give an AI SDK language model (v2, v3 or v4), such as anthropic("..."), or an id such as "anthropic/...".'
  throw new LoomError(
    'LOOM_MODEL_INVALID',
    `This is not a model${version === undefined ? '' : ` Loom knows (specification ${String(version)}, ${typeof doStream === 'function' ? 'with' : 'without'} doStream)`}. ${advice}`,
    { context: { version: version === undefined ? null : String(version) } },
  )
}

const checked = (model: ModelObject): ModelObject => {
  checkModel(model)
  return model
}

/** The model object behind a model. */
export function resolveModel(model: Model | undefined, resolver: ModelResolver | undefined): ModelObject | Promise<ModelObject> {
  if (typeof model === 'object') return model
  if (resolver)
    return chain(
      callUser(() => resolver(model ?? '')),
      checked,
    )
  if (model === undefined) throw new LoomError('LOOM_MODEL_MISSING', 'The agent has no model. Give one: agent({ model }).')
  const advice = 'Import agent from "loom-agent", which resolves ids, or give a model object.'
  throw new LoomError('LOOM_MODEL_UNRESOLVED', `Nothing here turns the id "${model}" into a model. ${advice}`, { context: { model } })
}
