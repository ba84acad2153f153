/**
 * Schemas on the wire. Vendors take an object at the top and nothing else: any other schema travels as the field `value` of one, and what the
 * model makes of it is taken out again before it is used.
 */
import type { Json, JsonObject } from '@loom-agent/kernel'

/** A schema as vendors take it. */
export interface WireSchema {
  readonly schema: JsonObject
  /** The same for a vendor that enforces it to the letter; undefined where that could not say what the schema says. */
  readonly strict: JsonObject | undefined
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
  const made = { schema, strict: isEnforceable(schema) ? (close(schema) as JsonObject) : undefined, isWrapped }
  known.set(json, made)
  return made
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

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

/** Keywords whose fields are schemas. */
const groups = ['properties', '$defs', 'definitions']
/** Keywords that may stand in a schema that a vendor enforces. */
const enforced = new Set([
  ...[...groups, 'type', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf', 'enum', 'const', 'description', 'title', '$ref'],
  ...['pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
])
const formats: readonly unknown[] = [undefined, 'date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
/** How deep a schema may be that a vendor enforces. */
const deepest = 5

/**
 * Whether a vendor can enforce a schema. It wants all properties required and none besides: optional properties and free-form objects
 * cannot be said there, and making them required and nullable would make answers that the schema refuses.
 */
function isEnforceable(node: Json | undefined, depth = 0): boolean {
  if (!isObject(node) || depth > deepest * 2 || !formats.includes(node['format'])) return false
  return Object.keys(node).every((key) => enforced.has(key)) && isClosable(node) && below(node).every((child) => isEnforceable(child, depth + 1))
}

function below(node: JsonObject): readonly (Json | undefined)[] {
  const fields = groups.flatMap((key) => Object.values((node[key] as JsonObject | undefined) ?? {}))
  const lists = ['anyOf', 'oneOf'].flatMap((key) => (node[key] as readonly Json[] | undefined) ?? [])
  return [...fields, ...lists, ...('items' in node ? [node['items']] : [])]
}

function isClosable({ type, properties, required, additionalProperties = false }: JsonObject): boolean {
  const isOfObjects = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (!isOfObjects || !isObject(properties)) return !isOfObjects && properties === undefined
  const listed: readonly Json[] = Array.isArray(required) ? required : []
  return additionalProperties === false && Object.keys(properties).every((name) => listed.includes(name))
}

/** Closes every object. One of several closed alternatives fits or none does: `anyOf` then says what `oneOf` said, and vendors understand it. */
function close(node: Json | undefined): Json {
  if (!isObject(node)) return node ?? null
  const entries = Object.entries(node).map(([key, value]): [string, Json] => {
    if (groups.includes(key)) return [key, Object.fromEntries(Object.entries(value as JsonObject).map(([name, child]) => [name, close(child)]))]
    if (key === 'anyOf' || key === 'oneOf') return ['anyOf', (value as readonly Json[]).map(close)]
    return [key, key === 'items' ? close(value) : (value ?? null)]
  })
  return { ...Object.fromEntries(entries), ...(node['properties'] !== undefined && { additionalProperties: false }) }
}
