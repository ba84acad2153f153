/** Messages that a hook puts into a request. */
import { expected } from '../platform/expected.ts'
import { shown } from '../platform/normalize.ts'

const wanted = "{ role: 'system', content: 'text' } or { role: 'user' | 'assistant' | 'tool', content: [{ type: 'text', text }] }"

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => expected.object.fits(value)

/** Throws unless a message can be sent to a model. */
export function checkMessage(message: unknown): void {
  const { role, content } = isFields(message) ? message : ({} as Fields)
  const isList = Array.isArray(content) && content.every((part) => isFields(part) && typeof part['type'] === 'string')
  if (role === 'system' ? typeof content === 'string' : ['user', 'assistant', 'tool'].includes(String(role)) && isList) return
  throw new Error(`one of its messages is ${shown(message)}, where ${wanted} was expected`)
}
