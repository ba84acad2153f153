/**
 * Checks values against a JSON Schema. Loaded, with the library, by the first of them.
 *
 * SCHEMA-1. A check takes steps in proportion to the size of the value, whatever its shape. Only two things in a schema can take more. A reference can
 *     lead back to where it came from, by many ways for each level of the value: how often references are followed is bounded by the size of the value.
 *     `uniqueItems` compares all pairs of a list: lists of more than 1,000 items are compared by their texts instead.
 */
import { dereference, validate } from '@cfworker/json-schema'
import { canonicalJson, type Json, type JsonObject } from '@loom-agent/kernel'
import type { StandardSchemaV1 } from '@standard-schema/spec'

type Result = StandardSchemaV1.Result<unknown>

/** How often references are followed for any value, and for each value inside of it. */
const most = { references: 10_000, referencesEach: 100 }

/** Items of a list that are compared pair by pair. */
const compared = 1_000

/** Errors that only say that a deeper one follows. */
const followed = new Set(['properties', 'items', 'allOf', 'if'])

/** Makes the check of a JSON Schema. */
export function createJsonCheck(json: JsonObject): (value: unknown) => Result {
  const repeating: Json[] = []
  const text = JSON.stringify(json)
  const usesLists = text.includes('"uniqueItems":true')
  const usesReferences = text.includes('"$ref":')
  const schema = (usesLists ? comparingTexts(json, repeating) : json) as Parameters<typeof dereference>[0]
  const schemas = dereference(schema)
  return (value) => {
    if (usesLists) repeating.splice(0, Infinity, ...longRepeating(value))
    const lookup = usesReferences ? counted(schemas, value) : schemas
    const { valid, errors } = validate(value, schema, '7', lookup, false)
    if (valid) return { value }
    const found = errors.filter(({ keyword }) => !followed.has(keyword))
    return { issues: found.map(({ instanceLocation, error }) => ({ message: error, path: instanceLocation.split('/').slice(1) })) }
  }
}

/** Schemas by name, of which so many may be asked for as the size of the value allows. It is measured when there are many. */
function counted<T extends object>(schemas: T, value: unknown): T {
  let left = most.references
  let isMeasured = false
  return new Proxy(schemas, {
    get(target, name) {
      left -= 1
      if (left < 0 && !isMeasured) {
        isMeasured = true
        left = most.referencesEach * sizeOf(value)
      }
      if (left < 0) throw new Error('it is nested too deeply to be checked against its schema, which has many ways from level to level. Nest it less')
      return Reflect.get(target, name)
    },
  })
}

/** A schema in which lists that are too long to be compared pair by pair are compared with those that are known to repeat an item. */
function comparingTexts(schema: Json, repeating: readonly Json[]): Json {
  if (Array.isArray(schema)) return schema.map((part) => comparingTexts(part, repeating))
  if (typeof schema !== 'object' || schema === null) return schema
  const {
    uniqueItems,
    allOf = [],
    ...copy
  } = eachField(schema as JsonObject, (part, name) => {
    if (plain.has(name)) return part
    if (!named.has(name) || typeof part !== 'object' || part === null) return comparingTexts(part, repeating)
    return eachField(part as JsonObject, (inner) => comparingTexts(inner, repeating))
  })
  const others = Array.isArray(allOf) ? allOf : []
  if (uniqueItems === true)
    return { ...copy, allOf: [...others, { if: { minItems: compared + 1 }, else: { uniqueItems } }, { not: { enum: repeating } }] }
  return { ...copy, ...(uniqueItems === undefined ? {} : { uniqueItems }), ...(others.length > 0 ? { allOf } : {}) }
}

/** Keywords that hold values, and keywords that hold schemas by name. */
const plain = new Set(['enum', 'const', 'default', 'examples'])
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependencies', 'dependentSchemas'])

const eachField = (fields: JsonObject, change: (field: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field === undefined ? field : change(field, name)]))

/** The long lists in a value that hold an item twice. */
function longRepeating(value: unknown): Json[] {
  const found: Json[] = []
  for (const part of partsOf(value)) {
    if (!Array.isArray(part) || part.length <= compared) continue
    if (new Set(part.map((item: Json) => canonicalJson(item))).size < part.length) found.push(part as Json)
  }
  return found
}

function sizeOf(value: unknown): number {
  let size = 0
  for (const _ of partsOf(value)) size += 1
  return size
}

/** A value and everything inside of it, each object once, without recursion. */
function* partsOf(value: unknown): Generator<unknown> {
  const seen = new Set<object>()
  const open = [value]
  while (open.length > 0) {
    const part = open.pop()
    if (typeof part === 'object' && part !== null) {
      if (seen.has(part)) continue
      seen.add(part)
      for (const inner of Object.values(part)) open.push(inner)
    }
    yield part
  }
}
