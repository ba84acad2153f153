/**
 * Wraps a model in another one.
 *
 * No wrapper retries. Only the agent does: its attempts are facts in the journal, and two layers of retries would multiply.
 */
import { memberIdsOf, standingFor } from '@loom-agent/agent/kit'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'
import { type Ending, mapped, type Part, watch } from './stream.ts'

/** Wraps a model. */
export type Wrapper = (model: LanguageModelV4) => LanguageModelV4

/** The two ways in which a model is called. */
export interface Calls {
  /** Returns the reply in one piece. */
  generate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult>
  /** Returns the reply as a stream. */
  stream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult>
}

/** What a model says of itself. */
export type ModelIdentity = Pick<LanguageModelV4, 'specificationVersion' | 'provider' | 'modelId' | 'supportedUrls'>

/** A model that calls `calls`, under the name of the model that it wraps. */
export function wrapModel(model: ModelIdentity, calls: Calls): LanguageModelV4 {
  checkVersion(model)
  const wrapped: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (options) => calls.generate(options),
    doStream: (options) => calls.stream(options),
  }
  return standingFor(wrapped, memberIdsOf(model))
}

/** Refuses models of other versions of the specification. */
export function checkVersion(model: { readonly specificationVersion?: unknown; readonly modelId?: unknown }): void {
  if (model?.specificationVersion === 'v4') return
  const advice = 'Update the package of its provider.'
  throw new LoomError(
    'LOOM_MODEL_INVALID',
    `Only models of the specification v4 can be wrapped; this one is ${String(model?.specificationVersion)}. ${advice}`,
    { context: { version: String(model?.specificationVersion) } },
  )
}

/** Another request for a call, and what becomes of its reply; without `result` and `part` the reply stays as it is. */
export interface Translation {
  readonly call: LanguageModelV4CallOptions
  readonly result?: (result: LanguageModelV4GenerateResult) => LanguageModelV4GenerateResult
  readonly part?: (part: Part) => readonly Part[]
}

/** A model whose calls are translated. */
export function translateModel(model: LanguageModelV4, translate: (options: LanguageModelV4CallOptions) => Translation): LanguageModelV4 {
  return wrapModel(model, {
    async generate(options) {
      const { call, result } = translate(options)
      const reply = await model.doGenerate(call)
      return result ? result(reply) : reply
    },
    async stream(options) {
      const { call, part } = translate(options)
      const reply = await model.doStream(call)
      return part ? { ...reply, stream: mapped(reply.stream, part) } : reply
    },
  })
}

/** Waits until a call may start, or throws. Returns a function that is called exactly once, when the reply has been read to its end. */
export type Gate = (options: LanguageModelV4CallOptions) => OnEnd | Promise<OnEnd>
/** Called with how a call ended. */
export type OnEnd = (ending: Ending) => void

/** A model whose calls pass a gate. */
export function gateModel(model: LanguageModelV4, gate: Gate): LanguageModelV4 {
  return wrapModel(model, {
    async generate(options) {
      const onEnd = await gate(options)
      try {
        const result = await model.doGenerate(options)
        onEnd({ kind: 'finished', usage: result.usage })
        return result
      } catch (error) {
        onEnd({ kind: 'failed', error })
        throw error
      }
    },
    async stream(options) {
      const onEnd = await gate(options)
      try {
        const result = await model.doStream(options)
        return { ...result, stream: watch(result.stream, onEnd) }
      } catch (error) {
        onEnd({ kind: 'failed', error })
        throw error
      }
    },
  })
}

/**
 * Composes wrappers into one; the first is the outermost.
 *
 * @example
 * const model = compose(breaker(), throttle({ rpm: 60 }), timeouts())(anthropic('claude-sonnet-5-5'))
 */
export function compose(...wrappers: readonly Wrapper[]): Wrapper {
  return (model) => wrappers.reduceRight((inner, wrap) => wrap(inner), model)
}
