/** Counting the tokens of texts and messages. */
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { Input } from '../types/input.ts'
import type { CountTokensOptions } from './count-input.ts'

/**
 * Returns about how many tokens a text has, or messages with what vendors write around them.
 *
 * @example
 * await countTokens('How many tokens is this?') // an estimate, by its scripts
 * await countTokens('How many tokens is this?', { exact: true }) // as models of OpenAI count
 */
export async function countTokens(input: Input, options: CountTokensOptions = {}): Promise<number> {
  checkOptions('countTokens', options, { exact: expected.flag })
  const { countInput } = await import('./count-input.ts')
  return countInput(input, options)
}
