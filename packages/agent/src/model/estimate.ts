/** Estimates the tokens of a request. Too high rather than too low: budgets are reserved by it. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../language-model/index.ts'

/** Bytes of a token where tokens are small: code, numbers, Chinese. English has more. */
const bytesPerToken = 3
/** Only the vendor knows the tokens of a file; an image of common size has about this many. */
const tokensPerFile = 1500

/** Messages that are weighed as they are rendered, each once. */
export interface Weighed {
  weight(scale: (message: LanguageModelV4Message) => number): number
}

const encoder = new TextEncoder()
const toolLists = new WeakMap<object, number>()

/** About how many tokens a request has. What was rendered is measured once; only messages that a hook has changed are measured every time. */
export function estimateTokens({ prompt, tools }: LanguageModelV4CallOptions, rendered: Weighed | undefined): number {
  const messages = rendered ? rendered.weight(tokensOf) : prompt.reduce((sum, message) => sum + tokensOf(message), 0)
  return messages + (tools ? tokensOfTools(tools) : 0)
}

const tokensOf = ({ content }: LanguageModelV4Message): number => measure(content)

/** A thread sends the same list again. */
function tokensOfTools(tools: object): number {
  const tokens = toolLists.get(tools) ?? measure(tools)
  toolLists.set(tools, tokens)
  return tokens
}

function measure(content: unknown): number {
  let files = 0
  // Only parts are files. Arguments and results inside them are data, whatever they look like.
  const withoutFiles = (parts: readonly unknown[]): readonly unknown[] =>
    parts.map((part) => {
      const { output } = part as { readonly output?: { readonly type?: unknown; readonly value?: unknown } }
      if (output?.type === 'content' && Array.isArray(output.value)) return { ...(part as object), output: withoutFiles(output.value) }
      if (!isFile(part)) return part
      files += 1
      return null
    })
  const text = JSON.stringify(Array.isArray(content) ? withoutFiles(content) : content)
  return Math.ceil(encoder.encode(text).length / bytesPerToken) + files * tokensPerFile
}

const isFile = (part: unknown): boolean => typeof part === 'object' && part !== null && 'mediaType' in part && 'data' in part
