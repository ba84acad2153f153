/** Keys and tokens that are known by a mark inside them: what stands before it, the mark, and what follows. */
import { type Alphabet, alphabets } from './alphabets.ts'
import type { Marked } from './format.ts'

const { alnum, dashed, digits, dotted, hex, token, word } = alphabets

const marked = (whose: string, before: readonly [Alphabet, number, number], mark: string, after: readonly [Alphabet, number, number]): Marked => ({
  whose,
  before: before[0],
  reach: [before[1], before[2]],
  mark,
  after: after[0],
  least: after[1],
  most: after[2],
})

const unbounded = Number.POSITIVE_INFINITY

/** All formats that are known by a mark inside. */
export const markedFormats: readonly Marked[] = [
  marked('Terraform', [alnum, 14, 14], '.atlasv1.', [dotted, 40, unbounded]),
  marked('Azure clients', [token, 4, 4], 'Q~', [token, 31, 34]),
  marked('MaxMind', [word, 36, 36], '_mmk', [digits, 0, 0]),
  marked('Mailchimp', [hex, 32, 32], '-us', [digits, 1, 2]),
  marked('Telegram bots', [digits, 5, 16], ':', [dashed, 35, 35]),
  marked('Facebook applications', [digits, 15, 16], '|', [dashed, 27, 40]),
  marked('Facebook applications, encoded', [digits, 15, 16], '%7C', [dashed, 27, 40]),
  marked('Dropbox', [alnum, 11, 11], 'AAAAAAAAAA', [dotted, 43, 43]),
  marked('Discord bots', [dashed, 23, 28], '.', [dotted, 33, 80]),
]
