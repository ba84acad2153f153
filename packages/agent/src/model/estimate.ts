/** About how many tokens a request has. Rather too many than too few: budgets are reserved by it. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'

/** Bytes of a token where tokens are small: code, numbers, Chinese. English has more. */
const bytesPerToken = 3
/** What a file takes only its vendor knows; an image of common size takes about this. */
const tokensPerFile = 1500

const encoder = new TextEncoder()
const messages = new WeakMap<LanguageModelV4Message, number>()
const toolLists = new WeakMap<object, number>()

/** About how many tokens a request has. Messages and tools are measured once: the same objects are sent again. */
export function estimateTokens({ prompt, tools }: LanguageModelV4CallOptions): number {
  let sum = tools ? once(toolLists, tools, measure) : 0
  for (const message of prompt) sum += once(messages, message, ({ content }) => measure(content))
  return sum
}

function once<K extends object>(known: WeakMap<K, number>, key: K, count: (key: K) => number): number {
  const found = known.get(key) ?? count(key)
  known.set(key, found)
  return found
}

function measure(content: unknown): number {
  let files = 0
  const text = JSON.stringify(content, (_, value: unknown) => {
    if (!isFile(value)) return value
    files += 1
    return null
  })
  return Math.ceil(encoder.encode(text).length / bytesPerToken) + files * tokensPerFile
}

const isFile = (value: unknown): boolean => typeof value === 'object' && value !== null && 'mediaType' in value && 'data' in value
