/** The messages between people, models and tools, as plain data. */
import type { Json, JsonObject } from './json.ts'

/** What a provider attached to a part; stored and sent back unchanged. */
export type ProviderMetadata = JsonObject
type Meta = { readonly meta?: ProviderMetadata }

/** A value kept beside the event because it is big: the digest by which `journal.blob` finds it, and its size in bytes. */
export type BlobRef = { readonly $blob: string; readonly bytes: number }

/** A file by value (base64), by blob or by address; an image is a file whose media type says so. */
export type FilePart = Meta & Readonly<{ type: 'file'; mediaType: string; data: string | BlobRef | { readonly url: string }; name?: string }>

/** A tool call as the model proposed it. */
export type CallPart = Meta & {
  readonly type: 'call'
  /** The provider's id: data, never Loom's name for the call. */
  readonly id: string
  /** The name of the tool. */
  readonly name: string
  /** The arguments; `null` when they are not JSON. */
  readonly input: Json
  /** The argument text when it is not JSON. */
  readonly malformed?: string
  /** A fact from the moment of the reply, so that a redeploy does not reorder open calls. */
  readonly serial?: true
}

/** A piece of a message; `provider` keeps verbatim what Loom does not interpret (sources, provider-executed calls). */
export type Part =
  | (Meta & {
      readonly type: 'text' | 'reasoning'
      /** The words. */
      readonly text: string
    })
  | { readonly type: 'data'; readonly data: Json }
  | { readonly type: 'provider'; readonly part: Json }
  | FilePart
  | CallPart

/** The output of a call, as the model reads it. */
export type Output =
  | {
      readonly type: 'text' | 'error' | 'denied'
      /** What the model reads: words, JSON or parts. */
      readonly value: string
    }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'parts'; readonly value: readonly Part[] }

/** The result of one call inside a tool message. */
export type CallResult = {
  /** Loom's id of the call, `turn.index`; empty in messages that came from outside. */
  readonly call: string
  /** The provider's id of the call. */
  readonly id: string
  /** The name of the tool. */
  readonly name: string
  /** What the model reads. */
  readonly output: Output
}

/** A message of the conversation. */
export type Message =
  | {
      /** The author of the message. */
      readonly role: 'system' | 'user' | 'assistant'
      /** What the message holds, in order. */
      readonly parts: readonly Part[]
    }
  | {
      readonly role: 'tool'
      /** The results of all calls of the reply before, in call order. */
      readonly results: readonly CallResult[]
    }

/** A tool as the model is shown it. */
export type ToolSpec = {
  /** The name that the model calls it by. */
  readonly name: string
  /** What the model reads about it. */
  readonly description?: string
  /** The JSON Schema of its arguments. */
  readonly schema: JsonObject
  /** The provider shows it to the model when a result refers to it, and not before. */
  readonly deferred?: true
}

/** What an argument of a tool names: a path of a file, a command of a shell, an address of the web, or a host. */
export type ArgumentKind = 'path' | 'command' | 'url' | 'host'
/** What arguments of a tool name, by the names of the arguments. */
export type ArgumentKinds = { readonly [argument: string]: ArgumentKind }

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

/** A piece of a reply as it was streamed, `ms` milliseconds after the model was called; `id` is the provider's id of the call whose arguments it is of. */
export type StreamedDelta = Readonly<{ type: 'text-delta' | 'reasoning-delta' | 'input-delta'; text: string; ms: number; id?: string }>
