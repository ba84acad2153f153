/** What OpenAI asks of the schemas of tools and answers, on both of its wires. */
import { type Loose, loose } from './loose.ts'
import { isOfType, type SchemaNode, schemaNodes } from './schema-nodes.ts'
import { type Complaint, firstComplaint } from './wire.ts'

/** Whose schema it is, as OpenAI writes it, and how a complaint about it is marked. */
export interface SchemaOwner {
  readonly called: string
  readonly param: string
  readonly code?: string
}

/** Names that OpenAI takes. */
export const openaiName: RegExp = /^[a-zA-Z0-9_-]{1,64}$/

const complaintAt = ({ called, param, code }: SchemaOwner, { path }: SchemaNode, wrong: string): Complaint => {
  const keys = path.map((key) => `'${key}'`)
  const context = keys.length === 1 ? `(${keys[0]},)` : `(${keys.join(', ')})`
  return { message: `Invalid schema for ${called}: In context=${context}, ${wrong}`, param, ...(code !== undefined && { code }) }
}

/** Strict schemas are closed: objects say that nothing else is allowed. */
export function openObject(schema: unknown, owner: SchemaOwner): Complaint | undefined {
  return firstComplaint(schemaNodes(schema), (found) => {
    const isOpen = isOfType(found.node, 'object') && found.node['additionalProperties'] !== false
    return isOpen ? complaintAt(owner, found, "'additionalProperties' is required to be supplied and to be false.") : undefined
  })
}

/** Strict schemas have no optional properties. */
export function optionalProperty(schema: unknown, owner: SchemaOwner): Complaint | undefined {
  return firstComplaint(schemaNodes(schema), (found) => {
    const { required } = found.node
    const listed: readonly unknown[] = Array.isArray(required) ? required : []
    const missing = Object.keys(loose(found.node['properties'])).find((key) => !listed.includes(key))
    const wrong = `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
    return missing === undefined ? undefined : complaintAt(owner, found, wrong)
  })
}

/** Arrays say what is in them. */
export function arrayWithoutItems(schema: unknown, owner: SchemaOwner): Complaint | undefined {
  return firstComplaint(schemaNodes(schema), (found) => {
    const isBare = isOfType(found.node, 'array') && found.node['items'] === undefined
    return isBare ? complaintAt(owner, found, 'array schema missing items.') : undefined
  })
}

/** Parameters are an object. */
export function notAnObject(schema: unknown, { called, param, code }: SchemaOwner): Complaint | undefined {
  if (schema === undefined) return undefined
  const { type } = loose(schema) as Loose
  if (type === 'object') return undefined
  const got = typeof type === 'string' ? type : 'None'
  const message = `Invalid schema for ${called}: schema must be a JSON Schema of 'type: "object"', got 'type: "${got}"'.`
  return { message, param, ...(code !== undefined && { code }) }
}
