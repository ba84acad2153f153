/** The most tokens that a request may have, as budgets reserve them: by its JSON, which has more than vendors count. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../language-model/index.ts'
import { tokensInText } from './text-tokens.ts'
import { isWireFile, tokensInWireFile } from './wire-tokens.ts'

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

/** The tokens of the JSON of a message. */
const tokensOf = ({ content }: LanguageModelV4Message): number => Math.ceil(measure(content))

/** A thread sends the same list again. */
function tokensOfTools(tools: object): number {
  const tokens = toolLists.get(tools) ?? measure(tools)
  toolLists.set(tools, tokens)
  return tokens
}

function measure(content: unknown): number {
  let files = 0
  const withoutFiles = (parts: readonly unknown[]): readonly unknown[] =>
    parts.map((part) => {
      const { output } = part as { readonly output?: { readonly type?: unknown; readonly value?: unknown } }
      if (output?.type === 'content' && Array.isArray(output.value)) return { ...(part as object), output: withoutFiles(output.value) }
      if (!isWireFile(part)) return part
      files += tokensInWireFile(part)
      return null
    })
  const text = JSON.stringify(Array.isArray(content) ? withoutFiles(content) : content)
  return tokensInText(text) + files
}
