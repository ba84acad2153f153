/** Loom's language model types and those of the AI SDK are assignable to each other (SPEC-1). Compiled, never run. */
import type * as sdk from '@ai-sdk/provider'
import type * as loom from '@loom-agent/agent/language-model'
import type { ModelObject } from 'loom-agent'
import { expectTypeOf, test } from 'vitest'

test('a model of the AI SDK is a model of Loom, whatever its version', () => {
  expectTypeOf<sdk.LanguageModelV4>().toExtend<ModelObject>()
  expectTypeOf<sdk.LanguageModelV3>().toExtend<ModelObject>()
  expectTypeOf<sdk.LanguageModelV2>().toExtend<ModelObject>()
})

test('a model of Loom is a model of the AI SDK', () => {
  expectTypeOf<loom.LanguageModelV4>().toExtend<sdk.LanguageModelV4>()
})

test('requests go both ways, so that a model of one kind may wrap a model of the other', () => {
  expectTypeOf<sdk.LanguageModelV4CallOptions>().toExtend<loom.LanguageModelV4CallOptions>()
  expectTypeOf<loom.LanguageModelV4CallOptions>().toExtend<sdk.LanguageModelV4CallOptions>()
  expectTypeOf<sdk.LanguageModelV4Message>().toExtend<loom.LanguageModelV4Message>()
  expectTypeOf<loom.LanguageModelV4Message>().toExtend<sdk.LanguageModelV4Message>()
})

test('replies go both ways, whole and part by part', () => {
  expectTypeOf<sdk.LanguageModelV4GenerateResult>().toExtend<loom.LanguageModelV4GenerateResult>()
  expectTypeOf<loom.LanguageModelV4GenerateResult>().toExtend<sdk.LanguageModelV4GenerateResult>()
  expectTypeOf<sdk.LanguageModelV4StreamPart>().toExtend<loom.LanguageModelV4StreamPart>()
  expectTypeOf<loom.LanguageModelV4StreamPart>().toExtend<sdk.LanguageModelV4StreamPart>()
})
