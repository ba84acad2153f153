/** How formats of keys and tokens are stated. */
import type { Alphabet } from './alphabets.ts'

/**
 * What else must hold of a value. `mixed`: it looks random, because others begin like this too. `jwt`: it has a dot inside. `inside`: it may begin
 * anywhere. `cased`: capitals and small letters are the same in the beginning.
 */
export type Condition = 'mixed' | 'jwt' | 'inside' | 'cased'

/** One format. */
export type Format = readonly [whose: string, prefix: string, alphabet: Alphabet, least: number, condition?: Condition]

/** So many characters of an alphabet, at least and at most. */
export type Some = readonly [alphabet: Alphabet, least: number, most: number]

/** A format that is known by a mark inside. */
export type Marked = readonly [whose: string, before: Some, mark: string, after: Some]
