/** How an answer is asked for that must fit a schema. Loaded on use, because most agents have no output schema. */
import type { Json, JsonObject } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import type { Schema } from '../types/schema.ts'
import type { ModelIdentity, ModelSettings } from './model.ts'
import { outputSchemaOf } from './request.ts'
import { isObject } from './wire-schema.ts'

type Format = Pick<LanguageModelV4CallOptions, 'responseFormat' | 'providerOptions'>

/**
 * The request for an answer that fits a schema. OpenAI and compatible vendors enforce schemas unless the request says not to, and refuse
 * those that they cannot enforce.
 */
export function formatOf(output: Schema, settings: ModelSettings, model: ModelIdentity): Format {
  const { schema } = outputSchemaOf(output)
  const strict = strictOf(schema)
  const responseFormat = { type: 'json', schema: (strict ?? schema) as never } as const
  if (strict) return { responseFormat }
  const names = new Set(['openai', ...(model.specificationVersion === 'v4' ? [model.provider.split('.')[0] ?? ''] : [])])
  const lenient = [...names].map((name) => [name, { strictJsonSchema: false, ...settings.providerOptions?.[name] }] as const)
  return { responseFormat, providerOptions: { ...settings.providerOptions, ...Object.fromEntries(lenient) } }
}

const strict = new WeakMap<JsonObject, JsonObject | null>()

/** The schema for a vendor that enforces it to the letter; undefined where that could not say what the schema says. Made once of each. */
function strictOf(schema: JsonObject): JsonObject | undefined {
  let made = strict.get(schema)
  if (made === undefined) {
    made = isEnforceable(schema) ? (close(schema) as JsonObject) : null
    strict.set(schema, made)
  }
  return made ?? undefined
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
