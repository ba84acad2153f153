/** Identifies identical requests. */

import type { Hash } from '@loom-agent/agent'
import { completePorts } from '@loom-agent/agent'
import { modelId } from '@loom-agent/agent/kit'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { canonicalJson, type Json } from '@loom-agent/kernel'

let platformHash: Hash | undefined

/** The digest of everything that a reply depends on. Headers are left out: they hold keys and traces, and change from call to call. */
export function requestKey(kind: 'generate' | 'stream', model: LanguageModelV4, options: LanguageModelV4CallOptions): string {
  const { abortSignal: _, headers: __, includeRawChunks: ___, ...request } = options
  platformHash ??= completePorts().hash
  return platformHash(canonicalJson([kind, modelId(model), plain(request)]))
}

/** As JSON; bytes by their digits, addresses by their text. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, (_, field: unknown) => (field instanceof Uint8Array ? { bytes: [...field].join() } : field))) as Json
}
