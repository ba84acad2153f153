/** Estimates the tokens of a request as it is sent. */
import type { FilePart } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../language-model/index.ts'
import { tokensInFile } from './message-tokens.ts'
import { tokensInText } from './text-tokens.ts'

/** Messages that are weighed as they are rendered, each once. */
export interface Weighed {
  weight(scale: (message: LanguageModelV4Message) => number): number
}

/** Budgets are reserved by it, so it is too high rather than too low: the tokenizers of some vendors make half as many tokens again. */
const margin = 1.5

const toolLists = new WeakMap<object, number>()

/** The most tokens that a request has. What was rendered is measured once; only messages that a hook has changed are measured every time. */
export function estimateTokens({ prompt, tools }: LanguageModelV4CallOptions, rendered: Weighed | undefined): number {
  const messages = rendered ? rendered.weight(tokensOf) : prompt.reduce((sum, message) => sum + tokensOf(message), 0)
  return Math.ceil(margin * (messages + (tools ? tokensOfTools(tools) : 0)))
}

/** About how many tokens a message has on the wire: its text, and the names and marks around it. */
export const tokensOf = ({ content }: LanguageModelV4Message): number => Math.ceil(measure(content))

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
      files += tokensInFile({ mediaType: String(part.mediaType), data: dataOf(part.data) })
      return null
    })
  const text = JSON.stringify(Array.isArray(content) ? withoutFiles(content) : content)
  return tokensInText(text) + files
}

interface WireFile {
  readonly mediaType: unknown
  readonly data: unknown
}

const isFile = (value: unknown): value is WireFile => typeof value === 'object' && value !== null && 'mediaType' in value && 'data' in value

/** Versions of the specification have the bytes, an address, or one of them in an object. */
function dataOf(data: unknown): FilePart['data'] {
  if (typeof data === 'string') return data
  if (data instanceof Uint8Array) return { $blob: '', bytes: data.length }
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined
  return inner === undefined ? { url: '' } : dataOf(inner)
}
