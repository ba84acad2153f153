/** What OpenAI asks of names, and of the schemas of tools and answers, on both of its wires. */
import { type Loose, loose } from './loose.ts'
import { each, firstRefusal } from './places.ts'
import { isOfType, schemaNodes } from './schema-nodes.ts'
import type { Check, Complaint, Refusal } from './wire.ts'

/** A schema: whose it is as OpenAI writes it, and how a complaint about it is marked. */
export interface OwnedSchema {
  readonly schema: unknown
  readonly called: string
  readonly param: string
  readonly code?: string
}

/** Judges a schema. */
export type SchemaCheck = (owned: OwnedSchema) => Refusal

/** Checks the parameters of every function at a place, or of the strict ones only. */
export const onParameters = (check: SchemaCheck, place: string, which: 'all' | 'strict'): Check =>
  each(place, ({ type = 'function', name, parameters, strict }, at) => {
    const isMeant = type === 'function' && (which === 'all' || strict === true)
    const code = 'invalid_function_parameters'
    return isMeant && check({ schema: parameters, called: `function '${name}'`, param: `${at}.parameters`, code })
  })

const complaintOf = ({ called, param, code }: OwnedSchema, wrong: string): Complaint => {
  return { message: `Invalid schema for ${called}: ${wrong}`, param, ...(code !== undefined && { code }) }
}

/** Checks every schema inside a schema; `wrong` returns what is wrong with it. */
const eachNode =
  (wrong: (node: Loose) => string | false): SchemaCheck =>
  (owned) =>
    firstRefusal(schemaNodes(owned.schema), ({ node, path }) => {
      const said = wrong(node)
      const keys = path.map((key) => `'${key}'`)
      return said && complaintOf(owned, `In context=(${keys.length === 1 ? `${keys[0]},` : keys.join(', ')}), ${said}`)
    })

/** Strict schemas are closed: objects say that nothing else is allowed. */
export const openObject: SchemaCheck = eachNode(
  (node) =>
    isOfType(node, 'object') && node['additionalProperties'] !== false && "'additionalProperties' is required to be supplied and to be false.",
)

/** Strict schemas have no optional properties. */
export const optionalProperty: SchemaCheck = eachNode(({ required, properties }) => {
  const listed: readonly unknown[] = Array.isArray(required) ? required : []
  const missing = Object.keys(loose(properties)).find((key) => !listed.includes(key))
  const said = `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
  return missing !== undefined && said
})

/** Arrays say what is in them. */
export const arrayWithoutItems: SchemaCheck = eachNode(
  (node) => isOfType(node, 'array') && node['items'] === undefined && 'array schema missing items.',
)

/** Parameters are an object. */
export const notAnObject: SchemaCheck = (owned) => {
  const { type } = loose(owned.schema)
  const got = typeof type === 'string' ? type : 'None'
  const said = `schema must be a JSON Schema of 'type: "object"', got 'type: "${got}"'.`
  return owned.schema !== undefined && type !== 'object' && complaintOf(owned, said)
}

/** The complaint about a text that is too long. */
export function tooLong(param: string, text: unknown, most: number): Refusal {
  const { length } = String(text)
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`
  return length > most && { message, param, code: 'string_above_max_length' }
}
