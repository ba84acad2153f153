/** A check of a value against a JSON Schema at work, and how keywords are read. */
import { isLoomError, type Json, LoomError } from '@loom-agent/kernel'
import { type TextPattern, textPattern } from './text-pattern.ts'

/** A schema as it was parsed, with the address that its reference was resolved to. */
export type CheckedSchema = { readonly [keyword: string]: Json } & { readonly __absolute_ref__?: string }
/** Patterns by their texts. */
export type Patterns = Map<string, TextPattern>

/** A check at work. */
export interface Check {
  readonly schemas: { readonly [address: string]: unknown }
  readonly patterns: Patterns
  readonly issues: { readonly message: string; readonly path: readonly PropertyKey[] }[]
  /** Notes that a reference is followed; throws where there were too many. */
  readonly follow: () => void
  /** Checks a value, at a place, against a schema. */
  readonly value: (checked: Checked, evaluated?: Evaluated) => boolean
  /** Notes steps that were taken; throws where there were too many. */
  readonly spend: (steps: number) => void
}

/** Where a value is: a name or an index in what is around it. */
export interface Place {
  readonly around: Place | undefined
  readonly name: string | number
}

/** What is checked: a value at a place against a schema. */
export interface Checked<Value = unknown> {
  readonly schema: unknown
  readonly value: Value
  readonly place: Place | undefined
}

/** Names and indexes of a value that some schema has spoken of. */
export type Evaluated = Set<string | number>

/** Notes a problem; false. */
export function problem(check: Check, { place }: { readonly place: Place | undefined }, message: string): false {
  const path: (string | number)[] = []
  for (let at = place; at; at = at.around) path.push(at.name)
  check.spend(1 + path.length)
  check.issues.push({ message, path: path.reverse() })
  return false
}

/** What is under a keyword; undefined where nothing is. */
export const under = (schema: CheckedSchema, keyword: string): Json | undefined => (Object.hasOwn(schema, keyword) ? schema[keyword] : undefined)

/** The same where it is a list. */
export function listUnder(schema: CheckedSchema, keyword: string): readonly Json[] {
  const found = under(schema, keyword)
  return Array.isArray(found) ? found : []
}

/** The same where it is an object: its names and what is under them. */
export function namedUnder(schema: CheckedSchema, keyword: string): readonly (readonly [string, Json])[] {
  const found = under(schema, keyword)
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (Object.entries(found) as [string, Json][]) : []
}

/** A pattern of a schema that can be asked. */
export function patternOf(source: string): TextPattern {
  try {
    return textPattern(source)
  } catch (cause) {
    throw refused(source, cause)
  }
}

/** Whether a text has a match of a pattern. */
export function isMatch(check: Check, pattern: string, text: string): boolean {
  try {
    return (check.patterns.get(pattern) ?? patternOf(pattern))(text, check.spend)
  } catch (cause) {
    throw refused(pattern, cause)
  }
}

function refused(source: string, cause: unknown): LoomError {
  if (isLoomError(cause)) return cause
  const pattern = source.length > 200 ? `${source.slice(0, 200).toWellFormed()}...` : source
  const words = `its schema has the pattern ${JSON.stringify(pattern)}, which is not asked: ${(cause as Error).message}`
  return new LoomError('LOOM_SCHEMA_UNSUPPORTED', `${words}. Use a simpler pattern.`, { cause, context: { pattern } })
}

/** Whether a schema lets a value through, without a word where it does not. */
export function isValid(check: Check, checked: Checked, evaluated?: Evaluated): boolean {
  const said = check.issues.length
  const valid = check.value(checked, evaluated)
  check.issues.length = said
  return valid
}
