/** Marks for prompt caches, which few vendors take: how requests are marked is loaded on use. */
import type { Prompt } from '../context/prompt.ts'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { type ModelIdentity, modelId } from '../model/model.ts'

let marking: typeof import('../model/cache-marks.ts') | undefined

/** Loads how requests are marked. */
export async function loadMarking(): Promise<typeof import('../model/cache-marks.ts')> {
  marking ??= await import('../model/cache-marks.ts')
  return marking
}

/** Loads what requests for a model need; undefined when there is nothing to wait for. */
export function prepareMarks({ provider, modelId: name }: ModelIdentity): Promise<unknown> | undefined {
  return marking || !`${provider} ${name}`.includes('anthropic') ? undefined : loadMarking()
}

/** The request as it is sent: with marks for the vendor's cache, where it takes any. What hooks look at has none. `prepareMarks` has loaded it. */
export function markedRequest(
  { prompt, model }: { readonly prompt: Prompt; readonly model: ModelIdentity },
  request: LanguageModelV4CallOptions,
): LanguageModelV4CallOptions {
  return marking?.takesMarks(modelId(model), request) ? marking.withMarks(request, prompt.rebased()) : request
}
