/** How formats of keys and tokens are stated. */
import type { Alphabet } from './alphabets.ts'

/**
 * What else must hold of a value. `mixed`: it looks random, because others begin like this too. `jwt`: it has a dot inside. `inside`: it may begin
 * anywhere. `cased`: capitals and small letters are the same in the beginning.
 */
export type Condition = 'mixed' | 'jwt' | 'inside' | 'cased'

/** One format. */
export type Format = readonly [whose: string, prefix: string, alphabet: Alphabet, least: number, condition?: Condition]

/** A format that is known by a mark inside: so many characters before it, and what follows it. */
export interface Marked {
  readonly whose: string
  readonly before: Alphabet
  /** How many characters there are before the mark, at least and at most. */
  readonly reach: readonly [number, number]
  readonly mark: string
  readonly after: Alphabet
  readonly least: number
  readonly most: number
}
