/** The request of a turn: settings, messages, tools, and what a hook changed. */

import type { Frame, Run } from '@loom-agent/kernel'
import type { Prompt } from '../context/prompt.ts'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { applyRequestPatch } from '../model/apply-request-patch.ts'
import { boundedOutput, isBudgeted, leftOf } from '../model/budget.ts'
import { type ModelIdentity, type ModelSettings, modelId } from '../model/model.ts'
import { wireToolsOf, withoutThinking } from '../model/request.ts'
import type { Schema } from '../types/schema.ts'
import type { ModelWork } from './model-work.ts'

/** What a request is made of besides the frame. */
export interface RequestSource {
  readonly prompt: Prompt
  readonly model: ModelIdentity
  /** The schema that the answer must fit. */
  readonly output: Schema | undefined
}

let format: typeof import('../model/output-format.ts') | undefined

/** Loads how answers are asked for that must fit a schema; undefined when it is loaded. A request with an output schema needs it. */
export function loadOutputFormat(): Promise<void> | undefined {
  if (format) return undefined
  return import('../model/output-format.ts').then((loaded) => {
    format = loaded
  })
}

/** The request of a turn, by the code at work. */
export function buildRequest(work: Pick<ModelWork, 'definition' | 'context' | 'prompt'>, frame: Frame, run: Run): LanguageModelV4CallOptions {
  const { definition, context, prompt } = work
  return requestOf({ prompt, model: context.model, output: definition.options.output }, frame, run)
}

/** The request of a turn, with what a hook changed about this one. */
export function requestOf({ prompt, model, output }: RequestSource, frame: Frame, run: Run): LanguageModelV4CallOptions {
  prompt.update(frame, model.specificationVersion, modelId(model))
  const settings = run.settings as ModelSettings
  const most = isBudgeted(run) ? boundedOutput(settings.maxOutputTokens, [leftOf(run).tokens]) : undefined
  const request: LanguageModelV4CallOptions = {
    ...settings,
    ...(most !== undefined && { maxOutputTokens: most }),
    prompt: prompt.messages(),
    ...(frame.context.tools.length > 0 && {
      tools: wireToolsOf(frame.context.tools),
      toolChoice: settings.toolChoice ?? { type: 'auto' },
    }),
    ...(output !== undefined && format?.formatOf(output, settings, model)),
  }
  const patched = run.patch ? applyRequestPatch(request, run.patch) : request
  return prompt.isUnthought() ? withoutThinking(patched, model) : patched
}
