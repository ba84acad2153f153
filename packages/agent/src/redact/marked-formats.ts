/**
 * Keys and tokens that are known by a mark inside them. One format a line: whose it is, the alphabet and the number of characters before the mark, at
 * least and at most, the mark, and the same for what follows it.
 */
import { alphabets } from './alphabets.ts'
import type { Marked } from './format.ts'

const { alnum, dashed, digits, dotted, hex, token, word } = alphabets
const unbounded = Number.POSITIVE_INFINITY

/** All formats that are known by a mark inside. */
export const markedFormats: readonly Marked[] = [
  ['Terraform', [alnum, 14, 14], '.atlasv1.', [dotted, 40, unbounded]],
  ['Azure clients', [token, 4, 4], 'Q~', [token, 31, 34]],
  ['MaxMind', [word, 36, 36], '_mmk', [digits, 0, 0]],
  ['Mailchimp', [hex, 32, 32], '-us', [digits, 1, 2]],
  ['Telegram bots', [digits, 5, 16], ':', [dashed, 35, 35]],
  ['Facebook applications', [digits, 15, 16], '|', [dashed, 27, 40]],
  ['Facebook applications, encoded', [digits, 15, 16], '%7C', [dashed, 27, 40]],
  ['Dropbox', [alnum, 11, 11], 'AAAAAAAAAA', [dotted, 43, 43]],
  ['Discord bots', [dashed, 23, 28], '.', [dotted, 33, 80]],
]
