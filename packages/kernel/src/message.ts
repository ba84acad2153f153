/** What people, models and tools say to each other, as plain data. */
import type { Json, JsonObject } from './json.ts'

/** What a provider attached to a part; stored and sent back unchanged. */
export type ProviderMetadata = JsonObject
type Meta = { readonly meta?: ProviderMetadata }

/** A value kept beside the event because it is big. */
export type BlobRef = { readonly $blob: string; readonly bytes: number }

/** A file by value (base64), by blob or by address; an image is a file whose media type says so. */
export type FilePart = Meta & Readonly<{ type: 'file'; mediaType: string; data: string | BlobRef | { readonly url: string }; name?: string }>

/** A tool call as the model proposed it. */
export type CallPart = Meta & {
  readonly type: 'call'
  /** The provider's id: data, never Loom's name for the call. */
  readonly id: string
  readonly name: string
  readonly input: Json
  /** The argument text when it is not JSON. */
  readonly malformed?: string
  /** A fact from the moment of the reply, so that a redeploy does not reorder open calls. */
  readonly serial?: true
}

/** A piece of a message; `provider` keeps verbatim what Loom does not interpret (sources, provider-executed calls). */
export type Part =
  | (Meta & { readonly type: 'text' | 'reasoning'; readonly text: string })
  | { readonly type: 'data'; readonly data: Json }
  | { readonly type: 'provider'; readonly part: Json }
  | FilePart
  | CallPart

/** What a call gave the model. */
export type Output =
  | { readonly type: 'text' | 'error' | 'denied'; readonly value: string }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'parts'; readonly value: readonly Part[] }

/** One answered call inside a tool message; `id` is the provider's. */
export type CallResult = { readonly call: string; readonly id: string; readonly name: string; readonly output: Output }

/** A message of the conversation. */
export type Message =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly parts: readonly Part[] }
  | { readonly role: 'tool'; readonly results: readonly CallResult[] }

/** A tool as the model is told of it. */
export type ToolSpec = { readonly name: string; readonly description?: string; readonly schema: JsonObject }

/** Tokens of one or many model calls; what a provider does not say counts 0. */
export type Usage = {
  /** All tokens that were sent, cached ones included. */
  readonly input: number
  /** All tokens that came back, those of reasoning included. */
  readonly output: number
  /** Tokens of the input that were read from a cache. */
  readonly cacheRead?: number
  /** Tokens of the input that were written to a cache. */
  readonly cacheWrite?: number
  /** Tokens of the output that were reasoning. */
  readonly reasoning?: number
}

/** The sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = { input: a.input + b.input, output: a.output + b.output }
  for (const key of ['cacheRead', 'cacheWrite', 'reasoning'] as const) if (a[key] || b[key]) sum[key] = (a[key] ?? 0) + (b[key] ?? 0)
  return sum
}

/** The text of a message's parts, without reasoning. */
export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
