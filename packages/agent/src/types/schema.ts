/** Schemas: any Standard Schema that also has a JSON Schema, or a JSON Schema as it is. */
import { type Json, type JsonObject, LoomError } from '@loom-agent/kernel'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { enterUser, ignoreWithin } from '../platform/call-user.ts'
import { chain } from '../platform/chain.ts'
import { messageOf, toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { loadJsonCheck } from './load-json-check.ts'

/** A Standard Schema, as zod, valibot and arktype give them. */
export type Schema = StandardSchemaV1
/** What a schema lets through. */
export type Infer<S extends Schema> = StandardSchemaV1.InferOutput<S>

/** A value as the journal returns it: as JSON has it. A date is a text then, a set is a list, and nothing is `null`. */
export type Recorded<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null
    ? T
    : T extends void
      ? null
      : T extends { toJSON(...args: never[]): infer R }
        ? Recorded<R>
        : T extends bigint | symbol | Uint8Array | ((...args: never[]) => unknown)
          ? string
          : T extends ReadonlyMap<unknown, infer V>
            ? { [key: string]: Recorded<V> }
            : T extends ReadonlySet<infer V>
              ? Recorded<V>[]
              : T extends readonly unknown[]
                ? { [K in keyof T]: Recorded<T[K]> }
                : { [K in keyof T]: Recorded<Exclude<T[K], undefined>> | Extract<T[K], undefined> }

/** The verdict of a schema on a value. The problem is a clause without a full stop, so that a sentence can go on with it. */
export type Validated = { readonly kind: 'valid'; readonly value: unknown } | { readonly kind: 'invalid'; readonly problem: string }

/** Validates a value; synchronous when the schema is. A schema that throws has refused the value. */
export function validate(schema: Schema, value: unknown): Validated | Promise<Validated> {
  try {
    const result = enterUser(() => schema['~standard'].validate(value))
    return result instanceof Promise ? result.then(verdictOf).catch(threw) : verdictOf(result)
  } catch (error) {
    return threw(error)
  }
}

const threw = (error: unknown): Validated => ({ kind: 'invalid', problem: clauseOf(messageOf(error)) })

function verdictOf(result: StandardSchemaV1.Result<unknown>): Validated {
  if (!result.issues) return { kind: 'valid', value: result.value }
  ignoreWithin(result.issues)
  return { kind: 'invalid', problem: problemsOf(result.issues) }
}

/** How many problems of a value are named, and with how many characters: one value may have as many as it has parts, and each may quote it. */
const most = { problems: 20, characters: 500 }

function problemsOf(issues: readonly StandardSchemaV1.Issue[]): string {
  const named = issues.slice(0, most.problems).map((issue) => cut(problemOf(issue)))
  return [...named, ...(issues.length > named.length ? [`and ${issues.length - named.length} more`] : [])].join('; ')
}

const cut = (text: string): string => (text.length > most.characters ? `${text.slice(0, most.characters).toWellFormed()}...` : text)

function problemOf({ path = [], message }: StandardSchemaV1.Issue): string {
  const place = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.')
  return place === '' ? clauseOf(message) : `${place}: ${clauseOf(message)}`
}

/** A text without the full stop at its end. */
function clauseOf(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (trimmed[end - 1] === '.') end -= 1
  return trimmed.slice(0, end)
}

/** The JSON Schema of what a schema accepts. */
export function jsonSchemaOf(schema: Schema, what: string): JsonObject {
  const standard = schema['~standard'] as Partial<StandardJSONSchemaV1.Props>
  if (!standard.jsonSchema) {
    const vendor = schema['~standard'].vendor
    const advice = 'Wrap it: jsonSchema(<the JSON Schema>, { validate: schema }).'
    throw new LoomError('LOOM_SCHEMA_UNSUPPORTED', `The schema of ${what} (${vendor}) cannot say its JSON Schema. ${advice}`, {
      context: { what, vendor },
    })
  }
  try {
    const { $schema: _, ...json } = toJson(standard.jsonSchema.input({ target: 'draft-07' })) as JsonObject
    return trimPatterns(json) as JsonObject
  } catch (cause) {
    throw new LoomError('LOOM_SCHEMA_UNSUPPORTED', `The schema of ${what} has no JSON Schema. Use types that JSON has.`, {
      cause,
      context: { what },
    })
  }
}

/** Leaves out patterns beside a format: they cost tokens and add nothing. */
function trimPatterns(json: Json | undefined): Json {
  if (Array.isArray(json)) return json.map(trimPatterns)
  if (typeof json !== 'object' || json === null) return json ?? null
  const object = json as JsonObject
  const kept = Object.entries(object).filter(([key]) => key !== 'pattern' || typeof object['format'] !== 'string')
  return Object.fromEntries(kept.map(([key, value]) => [key, trimPatterns(value)]))
}

/** Whether a value is a Standard Schema. */
export function isSchema(value: unknown): value is Schema {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value
}

/**
 * A JSON Schema as a schema. Values are checked against it, or by `validate` where another schema knows better.
 *
 * @example
 * tool({ name: 'add', input: jsonSchema<{ a: number }>({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }), run: ({ a }) => a })
 */
export function jsonSchema<T = unknown>(json: JsonObject, options: { validate?: Schema } = {}): StandardSchemaV1<T, T> {
  checkOptions('jsonSchema', options, { validate: { words: 'a Standard Schema (zod, valibot, ...)', fits: isSchema } })
  const check = options.validate?.['~standard'].validate ?? checkOf(json)
  const standard = { version: 1, vendor: 'loom', validate: check, jsonSchema: { input: () => json, output: () => json } }
  return { '~standard': standard as StandardSchemaV1.Props<T, T> }
}

/** The check of a JSON Schema. Synchronous once what it needs is loaded, so that a checked call costs no extra commit. */
function checkOf(json: JsonObject): (value: unknown) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>> {
  let check: ((value: unknown) => StandardSchemaV1.Result<unknown>) | undefined
  return (value) =>
    chain(loadJsonCheck(), (createJsonCheck) => {
      check ??= createJsonCheck(json)
      return check(value)
    })
}
