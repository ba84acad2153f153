/**
 * Wrapping models: a model in front of another one.
 *
 * Nothing here tries again by itself. The agent alone retries: its attempts are facts in the journal, and two who retry multiply.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'
import { type Ending, watch } from './stream.ts'

/** Makes a model of a model. */
export type Wrapper = (model: LanguageModelV4) => LanguageModelV4

/** The two ways in which a model is called. */
export interface Calls {
  generate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult>
  stream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult>
}

/** A model that is called as given and is known as another one. */
export function wrapModel(model: LanguageModelV4, calls: Calls): LanguageModelV4 {
  checkVersion(model)
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (options) => calls.generate(options),
    doStream: (options) => calls.stream(options),
  }
}

/** Refuses models whose calls cannot be told apart from others. */
export function checkVersion(model: { readonly specificationVersion?: unknown; readonly modelId?: unknown }): void {
  if (model?.specificationVersion === 'v4') return
  const advice = 'Update the package of its provider.'
  throw new LoomError(
    'LOOM_MODEL_INVALID',
    `Only models of the specification v4 can be wrapped; this one is ${String(model?.specificationVersion)}. ${advice}`,
  )
}

/** Asks for leave to call. What it answers is told how the call ended, exactly once, when all of the reply was read. */
export type Gate = (options: LanguageModelV4CallOptions) => Leave | Promise<Leave>
/** Is told how a call ended. */
export type Leave = (ending: Ending) => void

/** A model whose calls pass a gate. */
export function gateModel(model: LanguageModelV4, gate: Gate): LanguageModelV4 {
  return wrapModel(model, {
    async generate(options) {
      const leave = await gate(options)
      try {
        const result = await model.doGenerate(options)
        leave({ kind: 'finished', usage: result.usage })
        return result
      } catch (error) {
        leave({ kind: 'failed', error })
        throw error
      }
    },
    async stream(options) {
      const leave = await gate(options)
      try {
        const result = await model.doStream(options)
        return { ...result, stream: watch(result.stream, leave) }
      } catch (error) {
        leave({ kind: 'failed', error })
        throw error
      }
    },
  })
}

/**
 * One wrapper of many; the first is the outermost.
 *
 * @example
 * const model = compose(breaker(), rateLimit({ rpm: 60 }), timeouts())(anthropic('claude-sonnet-5-5'))
 */
export function compose(...wrappers: readonly Wrapper[]): Wrapper {
  return (model) => wrappers.reduceRight((inner, wrap) => wrap(inner), model)
}
