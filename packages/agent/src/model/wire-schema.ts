/**
 * Schemas on the wire. Vendors take an object at the top and nothing else: any other schema travels as the field `value` of one, and what the
 * model makes of it is taken out again before it is used.
 */
import type { Json, JsonObject } from '@loom-agent/kernel'

/** A schema as vendors take it. */
export interface WireSchema {
  readonly schema: JsonObject
  /** Whether what was asked for is the field `value` of what the model sends. */
  readonly isWrapped: boolean
}

const known = new WeakMap<JsonObject, WireSchema>()

/** The schema as vendors take it. Made once of each. */
export function wireSchemaOf(json: JsonObject): WireSchema {
  const before = known.get(json)
  if (before) return before
  const isWrapped = !isPlainObject(json)
  const schema: JsonObject = isWrapped ? wrap(json) : { type: 'object', ...(json['properties'] === undefined && { properties: {} }), ...json }
  const made = { schema, isWrapped }
  known.set(json, made)
  return made
}

/** Whether a value is an object with fields. */
export const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the model sent, without what it travelled in. */
export function unwrap(value: Json): Json {
  return isObject(value) && Object.keys(value).join() === 'value' ? (value['value'] as Json) : value
}

const alternatives = ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', '$ref']

/** An object with nothing beside it at the top; a schema that says nothing of its type is taken for one. */
function isPlainObject(json: JsonObject): boolean {
  return (json['type'] === undefined || json['type'] === 'object') && !alternatives.some((key) => key in json)
}

const movedTop = '#/definitions/value'

function wrap(json: JsonObject): JsonObject {
  const { definitions, $defs, ...own } = redirect(json) as JsonObject
  const isRecursive = JSON.stringify([own, definitions, $defs]).includes(`"$ref":"${movedTop}"`)
  return {
    type: 'object',
    properties: { value: isRecursive ? { $ref: movedTop } : own },
    required: ['value'],
    ...((definitions !== undefined || isRecursive) && {
      definitions: { ...(definitions as JsonObject | undefined), ...(isRecursive && { value: own }) },
    }),
    ...($defs !== undefined && { $defs }),
  }
}

/** Redirects references to the top, so that they keep their meaning. */
function redirect(json: Json | undefined): Json {
  if (Array.isArray(json)) return json.map(redirect)
  if (!isObject(json)) return json ?? null
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, key === '$ref' && value === '#' ? movedTop : redirect(value)]))
}
