/**
 * What is given to a journal is checked when it is given, against a table of what each option must be.
 *
 * OPTION-2. An unknown name is refused with the names there are; a value that does not fit is refused with what it is and what is expected.
 */
import { LoomError, type Summary } from '@loom-agent/kernel'

/** What the value of an option must be. */
export interface Expected {
  /** Its description, as it follows "Give". */
  readonly words: string
  /** Whether a value is one. */
  readonly fits: (value: unknown) => boolean
  /** Set when the option may not be left out. */
  readonly required?: boolean
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One of some words. */
export const oneOf = (...words: readonly string[]): Expected => ({
  words: `one of ${words.join(', ')}`,
  fits: (value) => (words as readonly unknown[]).includes(value),
})

/** A text that is not blank and may not be left out. */
export const requiredText = (words: string): Expected => ({
  words,
  fits: (value) => typeof value === 'string' && value.trim() !== '',
  required: true,
})

/** A number from a smallest one on. */
export const numberFrom = (min: number): Expected => ({
  words: `a number of at least ${min}`,
  fits: (value) => typeof value === 'number' && value >= min,
})

/** Options inside of options, or an object of functions. */
export const anObject: Expected = { words: 'an object', fits: isObject }

/** A callback. */
export const aFunction: Expected = { words: 'a function', fits: (value) => typeof value === 'function' }

/** The journal that a function works on. */
export const aJournal: Expected = {
  words: 'a journal, such as agent.journal or sqlite("loom.db")',
  fits: (value) => isObject(value) && 'read' in value && 'head' in value,
  required: true,
}

/** Throws unless it is a journal, such as when an agent is given; `what` names the function in the message. */
export function requireJournal(what: string, journal: unknown): void {
  checkOptions(what, { journal }, { journal: aJournal })
}

/** Throws unless the given options are those of the table; `what` names them in the message. */
export function checkOptions(what: string, given: unknown, table: Readonly<Record<string, Expected>>): void {
  const names = Object.keys(table).join(', ')
  if (!isObject(given)) {
    const message = `${what} takes an object of options, not ${shown(given)}. It has: ${names}.`
    throw new LoomError('LOOM_OPTION_INVALID', message, { context: { what } })
  }
  for (const [key, value] of Object.entries(given)) {
    const option = Object.hasOwn(table, key) ? table[key] : undefined
    if (!option) throw new LoomError('LOOM_OPTION_UNKNOWN', `${what} has no option "${key}". It has: ${names}.`, { context: { what, key } })
    if (value !== undefined && !option.fits(value)) throw unfit(what, key, { value, option })
  }
  for (const [key, option] of Object.entries(table)) {
    const value = Object.entries(given).find(([name]) => name === key)?.[1]
    if (option.required && value === undefined) throw unfit(what, key, { value, option })
  }
}

/** Refuses what is no path of the file system. An address would become the name of a file; it may hold a password, and is not repeated. */
export function checkPath(what: string, path: string, words: string): void {
  checkOptions(what, { path }, { path: requiredText(words) })
  const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(path) ?? []
  if (scheme === undefined) return
  const advice = /^postgres/i.test(scheme) ? 'For PostgreSQL use postgres() of @loom-agent/journals/postgres.' : `Give ${words}.`
  throw new LoomError('LOOM_OPTION_INVALID', `${what}: path is an address that begins with ${scheme}://. ${advice}`, { context: { what, scheme } })
}

function unfit(what: string, key: string, { value, option }: { value: unknown; option: Expected }): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', `${what}: ${key} is ${shown(value)}. Give ${option.words}.`, { context: { what, key } })
}

/** The statuses that a thread can have. */
export const statuses: readonly Summary['status'][] = ['idle', 'running', 'waiting', 'done', 'failed', 'stopped', 'partial']
/** A value in a message: texts and lists of texts in quotes, what is no plain value by its kind, long ones cut. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  const isText = (one: unknown): boolean => typeof one === 'string'
  const isList = Array.isArray(value)
  const text = isText(value) || (isList && value.every(isText)) ? JSON.stringify(value) : isList ? `a list of ${value.length}` : String(value)
  return text.length > 200 ? `${text.slice(0, 200).toWellFormed()}...` : text
}
