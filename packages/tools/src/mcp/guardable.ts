/**
 * What guards look at of a server's reply before it is recorded.
 *
 * MCP-16. Guards look at the words of a result and of a failure. Ids of tasks, states that are sent back and the bytes of files stay as the server gave them.
 */
import type { Json, JsonObject } from '@loom-agent/kernel'
import type { Reply } from './reply.ts'

/** The fields that hold bytes. */
const bytes = new Set(['data', 'blob'])

/** What of the record of a step guards look at. */
export function guardablePart(record: Json): { readonly texts: Json; put(left: unknown, notes: readonly Json[]): Json } | undefined {
  const reply = record as Reply
  if (reply.kind === 'failed') return { texts: reply.message, put: (left) => ({ ...reply, message: wordsOf(left) }) }
  if (reply.kind !== 'result') return undefined
  return {
    texts: split(reply.result, false),
    put: (left, guards) => ({ ...reply, guards, result: left instanceof Error ? withheld(left) : merged(left as Json, reply.result) }),
  }
}

const wordsOf = (left: unknown): string => (left instanceof Error ? left.message : String(left))

const withheld = ({ message }: Error): JsonObject => ({ content: [{ type: 'text', text: message }], isError: true })

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A result without the bytes of its blocks. */
function split(value: JsonObject, isBlock: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      if (isBlock && bytes.has(key)) return [key, '']
      if (key === 'content' && !isBlock && Array.isArray(field))
        return [key, field.map((block: Json) => (isObject(block) ? split(block, true) : block))]
      return [key, isBlock && key === 'resource' && isObject(field) ? split(field, true) : field]
    }),
  )
}

/** What guards have left, with the bytes of the result as it was. */
function merged(left: Json, given: JsonObject): JsonObject {
  const blocks = Array.isArray(given['content']) ? (given['content'] as readonly Json[]) : []
  const kept = isObject(left) && Array.isArray(left['content']) ? (left['content'] as readonly Json[]) : []
  return { ...(left as JsonObject), ...(blocks.length > 0 && { content: kept.map((block, index) => withBytes(block, blocks[index])) }) }
}

function withBytes(left: Json, given: Json | undefined): Json {
  if (!isObject(left) || !isObject(given)) return left
  const own = Object.fromEntries(Object.entries(given).filter(([key]) => bytes.has(key)))
  return { ...left, ...own, ...(left['resource'] !== undefined && { resource: withBytes(left['resource'], given['resource']) }) }
}
