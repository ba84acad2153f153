/** What the fields of events may be, as functions of a value. */

/** Whether a value is one of its kind. */
export type Fits = (value: unknown) => boolean

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Fits>>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first field of an object that is not what it must be; undefined if all are. Fields of later versions are not looked at. */
export function wrongField(value: unknown, fields: Fields): string | undefined {
  if (!isObject(value)) return 'data'
  // As a key of its own it is data that no event has; copied by an assignment it would be a prototype.
  if (Object.hasOwn(value, '__proto__')) return '__proto__'
  return Object.keys(fields).find((name) => !fields[name]?.(Object.hasOwn(value, name) ? value[name] : undefined))
}

/** An object with these fields. */
export const fielded =
  (fields: Fields): Fits =>
  (value) =>
    isObject(value) && wrongField(value, fields) === undefined

/** A value that may be absent. */
export const maybe =
  (fits: Fits): Fits =>
  (value) =>
    value === undefined || fits(value)

/** A list of values. */
export const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits)

/** An object of values, by any names. */
export const namesOf =
  (fits: Fits): Fits =>
  (value) =>
    isObject(value) && !Object.hasOwn(value, '__proto__') && Object.values(value).every(fits)

/** One of some values. */
export const word =
  (...words: readonly unknown[]): Fits =>
  (value) =>
    words.includes(value)

/** One of several kinds. */
export const either =
  (...kinds: readonly Fits[]): Fits =>
  (value) =>
    kinds.some((fits) => fits(value))

/** A text. */
export const text: Fits = (value) => typeof value === 'string'

const unnamed = /[\p{Cc}\p{Cs}]/u

/** A text that names something: not empty, not long, and without characters that a database could not keep. */
export const name: Fits = (value) => typeof value === 'string' && value.length > 0 && value.length <= 1000 && !unnamed.test(value)

/** Whether a text can name a thread, as agents name theirs. */
export const threadName: Fits = (value) =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 && !/[#@\p{Cc}\p{Cs}]/u.test(value) && value.trim() === value

/** A number of something, from 0 on. */
export const count: Fits = (value) => Number.isSafeInteger(value) && (value as number) >= 0

/** A number of something, from 1 on. */
export const positive: Fits = (value) => Number.isSafeInteger(value) && (value as number) >= 1

/** A number that can be added to others. */
export const amount: Fits = (value) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER

/** Any JSON value. */
export const json: Fits = (value) => value !== undefined

/** Any object. */
export const object: Fits = isObject

/** True, where it is there. */
export const isSet: Fits = (value) => value === undefined || value === true
