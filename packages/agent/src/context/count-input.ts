/** Counting the tokens of an input. Loaded on use. */
import { tokensInMessage } from '../model/message-tokens.ts'
import { tokensInText } from '../model/text-tokens.ts'
import { loadTokenizer } from '../model/tokenizer.ts'
import { type Input, toMessages } from '../types/input.ts'
import type { CountTokensOptions } from './count-tokens.ts'

/** About how many tokens an input has. */
export async function countInput(input: Input, options: CountTokensOptions): Promise<number> {
  const count = options.exact ? await loadTokenizer() : tokensInText
  if (typeof input === 'string') return Math.round(count(input))
  return Math.round(toMessages(input).reduce((sum, message) => sum + tokensInMessage(message, count), 0))
}
