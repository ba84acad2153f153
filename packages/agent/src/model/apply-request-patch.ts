/** Applies what `beforeModelCall` changed about a request. */
import type { JsonObject } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../language-model/index.ts'
import type { ModelSettings } from './model.ts'

/** The request with the patch applied. */
export function applyRequestPatch(request: LanguageModelV4CallOptions, patch: JsonObject): LanguageModelV4CallOptions {
  const { settings, keep, insert } = patch as { settings?: ModelSettings; keep?: number; insert?: readonly LanguageModelV4Message[] }
  const prompt = keep === undefined ? request.prompt : [...request.prompt.slice(0, keep), ...(insert ?? [])]
  return { ...request, ...settings, prompt }
}
