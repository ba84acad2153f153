/** Counting the tokens of an input. Loaded on use. */
import { tokensInMessage } from '../model/message-tokens.ts'
import { tokensInText } from '../model/text-tokens.ts'
import { loadTokenizer } from '../model/tokenizer.ts'
import { type Input, toMessages } from '../types/input.ts'

/** The options of `countTokens`. */
export interface CountTokensOptions {
  /** Counts with the tokenizer of OpenAI's models instead of estimating. It needs the package `gpt-tokenizer`. Default false. */
  readonly exact?: boolean
}

/** About how many tokens an input has. */
export async function countInput(input: Input, options: CountTokensOptions): Promise<number> {
  const count = options.exact ? await loadTokenizer() : tokensInText
  if (typeof input === 'string') return Math.round(count(input))
  return Math.round(toMessages(input).reduce((sum, message) => sum + tokensInMessage(message, count), 0))
}
