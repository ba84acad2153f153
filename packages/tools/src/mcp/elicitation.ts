/** What servers ask people, and how answers are given back to them. */
import type { Answer, Json, JsonObject } from '@loom-agent/kernel'
import { checkable, visibleJson } from './definition.ts'
import { cut, visible } from './plain-text.ts'
import type { Asked } from './reply.ts'

const most = { message: 2_000, schema: 16_384 }

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a request of a server asks a person. Only forms can be asked: no address is opened, and no model replies. */
export function askedOf(method: unknown, params: unknown): Asked {
  if (method === 'sampling/createMessage') return { refused: 'it asked for a reply of the model, which servers are not given' }
  if (method !== 'elicitation/create' || !isObject(params))
    return { refused: `it asked for ${visible(String(method)).text.slice(0, 80)}, which it is not given` }
  const { mode = 'form', message, requestedSchema } = params
  if (mode !== 'form') return { refused: 'it asked to have an address opened, which is not done' }
  const schema = isObject(requestedSchema) ? (visibleJson(requestedSchema as JsonObject) as JsonObject) : { type: 'object', properties: {} }
  if (JSON.stringify(schema).length > most.schema) return { refused: `its form has more than ${most.schema} characters` }
  return { message: cut(visible(String(message ?? '')).text, most.message), schema: checkable(schema) }
}

/** What a server is told about an answer. */
export function elicitedBy(answer: Answer | undefined): { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: JsonObject } {
  if (answer?.kind === 'respond')
    return { action: 'accept', content: isObject(answer.value) ? (answer.value as JsonObject) : { value: answer.value } }
  if (answer?.kind === 'edit') return { action: 'accept', content: isObject(answer.input) ? (answer.input as JsonObject) : {} }
  if (answer?.kind === 'approve') return { action: 'accept', content: {} }
  return { action: answer ? 'decline' : 'cancel' }
}

/** An approval says yes to what the form has as defaults. */
export function withDefaults(answer: Answer, { schema }: { readonly schema: JsonObject }): Answer {
  if (answer.kind !== 'approve') return answer
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const value = Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => (isObject(field) && 'default' in field ? [[name, field['default'] as Json]] : [])),
  )
  return { kind: 'respond', value }
}
