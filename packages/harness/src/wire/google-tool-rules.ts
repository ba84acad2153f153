/** What Google refuses about the functions that a model may call. */
import { type Loose, loose } from './loose.ts'
import { each, firstRefusal, onBody, valuesAt } from './places.ts'
import { isOfType, schemaNodes } from './schema-nodes.ts'
import type { Check, Refusal, RuleRows } from './wire.ts'

const declarations = 'tools[*].functionDeclarations[*]'
/** Google answers with the names of its own fields. */
const asProto = (at: string): string => at.replace('functionDeclarations', 'function_declarations')

/** Checks every schema inside `parameters`, which takes a part of JSON Schema only. `parametersJsonSchema` takes all of it. */
const eachSchema = (check: (node: Loose, at: string) => Refusal): Check =>
  each(declarations, ({ parameters }, at) =>
    firstRefusal(schemaNodes(parameters), ({ node, path }) => check(node, `${asProto(at)}.parameters${placeOf(path)}`)),
  )

/** A path as the vendor writes it: `.properties[tags].items`. */
const placeOf = (path: readonly string[]): string =>
  path.reduce((place, key, index) => (path[index - 1] === 'properties' || /^\d+$/.test(key) ? `${place}[${key}]` : `${place}.${key}`), '')

const knownKeys: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'properties', 'required', 'anyOf', 'propertyOrdering', 'default'],
  ...['maxItems', 'minItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'minimum', 'maximum'],
])

const knownTypes: ReadonlySet<string> = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'])

/** The rules about functions. */
export const googleToolRules: RuleRows = {
  'google/function-name': each(declarations, ({ name }, at) => {
    const wanted =
      'Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), ' +
      'with a maximum length of 64.'
    const isGood = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(String(name))
    return !isGood && `* GenerateContentRequest.${asProto(at)}.name: Invalid function name. ${wanted}\n`
  }),
  'google/schema-keys': eachSchema((node, at) => {
    const key = Object.keys(node).find((name) => !knownKeys.has(name))
    return key !== undefined && `Invalid JSON payload received. Unknown name "${key}" at '${at}': Cannot find field.`
  }),
  'google/schema-one-type': eachSchema(({ type }, at) => {
    const said = `Invalid JSON payload received. Unknown name "type" at '${at}': Proto field is not repeating, cannot start list.`
    return Array.isArray(type) && said
  }),
  'google/schema-type-known': eachSchema(({ type }, at) => {
    const isUnknown = typeof type === 'string' && !knownTypes.has(type.toUpperCase())
    return isUnknown && `Invalid value at '${at}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${type}"`
  }),
  'google/arrays-have-items': eachSchema((node, at) => {
    return isOfType(node, 'array') && node['items'] === undefined && `* GenerateContentRequest.${at}.items: missing field.\n`
  }),
  'google/objects-have-properties': eachSchema((node, at) => {
    const isBare = isOfType(node, 'object') && Object.keys(loose(node['properties'])).length === 0
    return isBare && `* GenerateContentRequest.${at}.properties: should be non-empty for OBJECT type\n`
  }),
  'google/json-without-functions': onBody((body, { path }) => {
    const isJson = loose(body['generationConfig'])['responseMimeType'] === 'application/json'
    const isBoth = isJson && valuesAt(body, declarations).length > 0 && !/gemini-3/.test(path)
    return isBoth && "Function calling with a response mime type: 'application/json' is unsupported"
  }),
}
