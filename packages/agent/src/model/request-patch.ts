/** What `beforeModelCall` changed about one request, as a patch: what stays in front, and what follows instead. */
import type { Json, JsonObject } from '@loom-agent/kernel'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { toJson } from '../platform/normalize.ts'
import { checkMessage } from './check-message.ts'
import type { ModelSettings } from './model.ts'

/** The request that is about to be sent; what is returned holds for this request only. */
export interface ModelRequest {
  readonly messages: readonly LanguageModelV4Message[]
  readonly settings: ModelSettings
}

/** The patch that makes one request of another. Messages that are the same objects are not looked into. */
export function requestPatch(returned: Partial<ModelRequest>, before: ModelRequest, former: JsonObject | undefined): JsonObject | undefined {
  const patch: Record<string, Json> = {}
  if (returned.settings) patch['settings'] = { ...(former?.['settings'] as JsonObject | undefined), ...(toJson(returned.settings) as JsonObject) }
  else if (former?.['settings'] !== undefined) patch['settings'] = former['settings']
  if (returned.messages) {
    let keep = 0
    while (keep < before.messages.length && keep < returned.messages.length && before.messages[keep] === returned.messages[keep]) keep += 1
    patch['keep'] = keep
    const inserted = returned.messages.slice(keep)
    inserted.forEach(checkMessage)
    patch['insert'] = toJson(inserted)
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}
