/**
 * Options are checked when they are given, against a table of what each of them must be.
 *
 * OPTION-1. An unknown name is refused with the nearest known one; a value that does not fit is refused with what it is and what is expected.
 * OPTION-3. Of an object a refusal names the fields, never their values: they may be secrets.
 */
import { isLoomError, type Json, LoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { ignoreWithin, readable } from './call-user.ts'
import { messageOf, toSentence } from './normalize.ts'

/** What the value of an option must be. */
export interface Expected {
  /** Its description, as it follows "Give". */
  readonly words: string
  /** Whether a value is one. */
  readonly fits: (value: unknown) => boolean
  /** Set when the option may not be left out. */
  readonly required?: boolean
  /** The options that the value has itself. */
  readonly shape?: Shape
  /** Of a list: what each item must be. */
  readonly item?: Expected
}

/** What each option must be, by its name. */
export type Shape = Readonly<Record<string, Expected>>

/** Throws unless the given options have the shape; `what` names them in the message. */
export type CheckOptions = (what: string, given: unknown, shape: Shape) => void

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const hasMethods = (value: unknown, names: readonly string[]): value is Record<string, unknown> =>
  isObject(value) && names.every((name) => typeof value[name] === 'function')

const range = (min: number, max: number): string =>
  max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : min === Number.NEGATIVE_INFINITY ? '' : `of at least ${min}`

/** What values of options may be expected to be. */
export interface Expectations
  extends Readonly<Record<'anything' | 'text' | 'name' | 'flag' | 'function' | 'object' | 'signal' | 'clock' | 'journal', Expected>> {
  /** A number in a range; infinity where there is no largest. */
  number(min?: number, max?: number): Expected
  /** A number that is not infinite. */
  finite(min: number): Expected
  /** A whole number. */
  whole(min: number): Expected
  /** One of some words. */
  oneOf(...words: readonly string[]): Expected
  /** A list whose items all fit. */
  list(item: Expected, words: string): Expected
  /** One thing or another. */
  either(one: Expected, other: Expected): Expected
  /** What may not be left out. */
  required(given: Expected): Expected
  /** Options inside of options. */
  options(shape: Shape): Expected
}

/** A list that is longer is none: one with holes may have any length, and each place is looked at. */
export const longestList = 1_000_000
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length <= longestList

/** What values of options may be expected to be. */
export const expected: Expectations = {
  anything: { words: 'any value', fits: () => true },
  text: { words: 'a text', fits: (value) => typeof value === 'string' },
  name: { words: 'a text that is not blank', fits: (value) => typeof value === 'string' && value.trim() !== '' },
  flag: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  function: { words: 'a function', fits: (value) => typeof value === 'function' },
  object: { words: 'an object', fits: (value) => !(value instanceof Promise) && isObject(value) && !hasMethods(value, ['getTime']) },
  signal: { words: 'an AbortSignal', fits: (value) => hasMethods(value, ['addEventListener']) && typeof value['aborted'] === 'boolean' },
  clock: { words: 'a clock with now() and at()', fits: (value) => hasMethods(value, ['now', 'at']) },
  journal: { words: 'a journal, such as agent.journal or sqlite("loom.db")', fits: (value) => hasMethods(value, ['read', 'head']) },
  number: (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY) => ({
    words: `a number ${range(min, max)}`.trim(),
    fits: (value) => typeof value === 'number' && value >= min && value <= max,
  }),
  finite: (min) => expected.number(min, Number.MAX_SAFE_INTEGER),
  whole: (min) => ({ words: `a whole number ${range(min, Number.MAX_SAFE_INTEGER)}`, fits: (value) => isWhole(value, min) }),
  oneOf: (...words) => ({ words: `one of ${words.join(', ')}`, fits: (value) => (words as readonly unknown[]).includes(value) }),
  list: (item, words) => ({ words, item, fits: (value) => isList(value) && value.every((one) => item.fits(one)) }),
  either: (one, other) => ({ words: `${one.words}, or ${other.words}`, fits: (value) => one.fits(value) || other.fits(value) }),
  required: (given) => ({ ...given, required: true }),
  options: (shape) => ({ words: `an object of ${Object.keys(shape).join(', ')}`, fits: (value) => expected.object.fits(value), shape }),
}

const isWhole = (value: unknown, min: number): boolean => Number.isSafeInteger(value) && (value as number) >= min

/** How a checker advises and fails. */
export interface Checking {
  /** Advice about an unknown name; undefined: the nearest known name. */
  readonly advise?: (name: string, known: readonly string[]) => string | undefined
  /** The code for a value that does not fit; default `LOOM_OPTION_INVALID`. */
  readonly code?: LoomErrorCode
  /** The text of a value in messages, where it is no object and no list. */
  readonly show: (value: unknown) => string
}

/** Makes a function that checks options. */
export function optionChecker({ advise = () => undefined, code = 'LOOM_OPTION_INVALID', show: showPlain }: Checking): CheckOptions {
  const show = (value: unknown): string => {
    if (Array.isArray(value)) return `a list of ${value.length}`
    return expected.object.fits(value)
      ? `{${Object.keys(value as object)
          .join(', ')
          .slice(0, 200)}}`
      : showPlain(value)
  }
  const refuse = (message: string, context: { readonly [name: string]: Json }): never => {
    throw new LoomError(code, message, { context })
  }
  // Of a list the first item that does not fit is named.
  const refuseValue = ({ what, name }: { what: string; name: string }, value: unknown, { words, item }: Expected): never => {
    const index = item && isList(value) ? value.findIndex((one) => !item.fits(one)) : -1
    const [place, found] = index < 0 ? [name, value] : [`${name}[${index}]`, (value as readonly unknown[])[index]]
    return refuse(`${what}: ${place} is ${show(found)}. Give ${words}.`, { what, key: name })
  }
  const check = ({ what, path }: { what: string; path: string }, given: unknown, shape: Shape): void => {
    const known = Object.keys(shape)
    const place = path === '' ? what : `${what}.${path.slice(0, -1)}`
    if (!expected.object.fits(given))
      return refuse(`${place} takes an object of options, not ${show(given)}. It has: ${known.join(', ')}.`, { what, path })
    for (const key of Object.keys(given as object)) {
      if (Object.hasOwn(shape, key)) continue
      const near = nearest(key, known)
      const hint = advise(key, known) ?? (near === undefined ? `Options of ${place}: ${known.join(', ')}.` : `Did you mean "${near}"?`)
      throw new LoomError('LOOM_OPTION_UNKNOWN', `${place} has no option "${key}". ${hint}`, { context: { what: place, key } })
    }
    for (const [key, one] of Object.entries(shape)) {
      const { fits, required, shape: inner } = one
      const value = (given as Record<string, unknown>)[key]
      if (value === undefined && !required) continue
      if (value === undefined || !fits(value)) refuseValue({ what, name: `${path}${key}` }, value, one)
      if (inner) check({ what, path: `${path}${key}.` }, value, inner)
    }
  }
  return (what, given, shape) => {
    try {
      check({ what, path: '' }, given, shape)
    } catch (thrown) {
      ignoreWithin(given)
      if (isLoomError(readable(thrown))) throw thrown
      refuse(`${what} was given something that cannot be read: ${toSentence(messageOf(readable(thrown)))}`, { what })
    }
  }
}

/** The known word nearest to a word, when it is near enough to be a misspelling. A word that is much longer or shorter is not compared. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const farthest = Math.max(2, word.length / 3)
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > farthest) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), farthest)
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance }
  }
  return best && best.distance <= farthest ? best.candidate : undefined
}

/** How many characters differ; infinity as soon as it is clear that they are more than `farthest`. */
function editDistance(a: string, b: string, farthest: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const distance = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      next.push(distance)
      least = Math.min(least, distance)
    }
    if (least > farthest) return Number.POSITIVE_INFINITY
    row = next
  }
  return row[b.length] ?? 0
}
