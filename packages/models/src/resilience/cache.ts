/** A cache of replies. */
import { checkOptions, expected } from '@loom-agent/agent/kit'
import type { LanguageModelV4GenerateResult, LanguageModelV4Usage, SharedV4ProviderMetadata } from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'
import { mapped, type Part, type Parts, streamOf } from '../call/stream.ts'
import { type Wrapper, wrapModel } from '../call/wrapper.ts'
import { requestKey } from './request-key.ts'

/** A store of replies, by the digest of their request. */
export interface ReplyStore {
  /** Returns the reply of a request; undefined if there is none. */
  get(key: string): string | undefined | Promise<string | undefined>
  /** Stores the reply of a request. */
  set(key: string, reply: string): void | Promise<void>
}

/** The options of a cache. */
export interface CacheOptions {
  /** Where replies are kept; default: the last 1,000 in memory. */
  readonly store?: ReplyStore
}

/**
 * Answers a request that is identical to an earlier one with the earlier reply, also as a stream. A failure is never kept, nor is a reply that was cut
 * off or filtered. A reply from the cache has used no tokens, and its metadata have `loom.cached`.
 *
 * When the store fails, the model is called.
 *
 * @example
 * const cheap = cache({ store: redisStore })(model)
 */
export function cache(options: CacheOptions = {}): Wrapper {
  checkOptions('cache', options, { store: expected.object })
  const { store = memoryReplies() } = options
  return (model) =>
    wrapModel(model, {
      async generate(call) {
        const key = requestKey('generate', model, call)
        const known = await look<LanguageModelV4GenerateResult>(store, key)
        if (known) return { ...known, usage: nothing, providerMetadata: fromCache(known.providerMetadata) }
        const { request: _, response: __, ...result } = await model.doGenerate(call)
        if (isWhole(result.finishReason.unified)) await keep(store, key, result)
        return result
      },
      async stream(call) {
        const key = requestKey('stream', model, call)
        const known = await look<readonly Part[]>(store, key)
        if (known) return { stream: streamOf(known.map(replayed)) }
        const result = await model.doStream(call)
        return { ...result, stream: recorded(result.stream, (parts) => keep(store, key, parts)) }
      },
    })
}

/** A store of the last `most` replies in memory. */
export function memoryReplies(most = 1000): ReplyStore {
  const replies = new Map<string, string>()
  return {
    get(key) {
      const reply = replies.get(key)
      if (reply !== undefined) {
        replies.delete(key)
        replies.set(key, reply)
      }
      return reply
    },
    set(key, reply) {
      replies.delete(key)
      replies.set(key, reply)
      for (const oldest of replies.keys()) {
        if (replies.size <= most) break
        replies.delete(oldest)
      }
    },
  }
}

const isWhole = (reason: string): boolean => reason === 'stop' || reason === 'tool-calls'

const nothing: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

const fromCache = (metadata: SharedV4ProviderMetadata | undefined): SharedV4ProviderMetadata => ({
  ...metadata,
  loom: { ...metadata?.['loom'], cached: true },
})

const replayed = (part: Part): Part =>
  part.type === 'finish' ? { ...part, usage: nothing, providerMetadata: fromCache(part.providerMetadata) } : part

async function look<T>(store: ReplyStore, key: string): Promise<T | undefined> {
  try {
    const text = await store.get(key)
    return text === undefined ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** Keeps a reply, unless JSON cannot hold it. */
async function keep(store: ReplyStore, key: string, reply: unknown): Promise<void> {
  try {
    await store.set(key, JSON.stringify(reply, refuseBytes))
  } catch {
    // The caller gets its reply even if it could not be kept.
  }
}

function refuseBytes(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) throw new LoomError('LOOM_INPUT_INVALID', 'Bytes cannot be kept as JSON.')
  return value
}

/** The stream; when it has ended well its parts are kept, before the reader gets the last one. */
function recorded(stream: Parts, whole: (parts: readonly Part[]) => Promise<void>): Parts {
  const parts: Part[] = []
  let isBroken = false
  return mapped(stream, async (part) => {
    if (part.type === 'error') isBroken = true
    if (part.type !== 'raw' && part.type !== 'ping' && part.type !== 'response-metadata') parts.push(part)
    if (part.type === 'finish' && !isBroken && isWhole(part.finishReason.unified)) await whole(parts)
    return [part]
  })
}
