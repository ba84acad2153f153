/** What a server replies to a call, as it is recorded: every kind of it is JSON. */
import type { Answer, Json, JsonObject } from '@loom-agent/kernel'

/** Something that a server asks a person. */
export type Asked =
  | { readonly message: string; readonly schema: JsonObject }
  /** It asks for something that no person can give, such as a reply of a model. */
  | { readonly refused: string }

/** What people answered, by the names that the server gave its questions. */
export type Given = { readonly [name: string]: Answer }

/** What a server replies. */
export type Reply =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | {
      readonly kind: 'failed'
      /** `refused` and `not-sent`: it did not happen. The others: nobody knows. */
      readonly why: 'refused' | 'not-sent' | 'timeout' | 'lost' | 'broken'
      readonly message: string
    }
  | {
      readonly kind: 'input'
      readonly asks: { readonly [name: string]: Asked }
      /** What is sent back with the answers (2026). */
      readonly state?: string
      /** The request that is held open for the answer (2025). */
      readonly held?: string
      /** The task whose result is asked for. */
      readonly task?: string
    }
  | { readonly kind: 'task'; readonly task: string; readonly every: number; readonly unreached?: true }
  /** The request that was held is not there any more. */
  | { readonly kind: 'gone' }

/** Characters of a result that is taken: it is recorded before the limits of results shorten it. */
const mostCharacters = 8 * 1024 * 1024

/** A result that is not too long to be recorded. */
export function boundedResult(result: JsonObject): Reply {
  const { length } = JSON.stringify(result)
  if (length <= mostCharacters) return { kind: 'result', result }
  return { kind: 'failed', why: 'broken', message: `sent a result of ${length} characters; ${mostCharacters} are taken` }
}

/** Says what guards leave of a value. */
type Look = <V>(value: V) => Promise<V>

/** A reply as guards leave it: what it says. Its ids and its state are sent back, so that they stay; so do the bytes of files, as in any result. */
export async function guardedReply(reply: Reply, look: Look): Promise<Reply> {
  if (reply.kind === 'failed') return { ...reply, message: await look(reply.message) }
  if (reply.kind !== 'result') return reply
  const { content, ...rest } = reply.result
  const left = await look(rest)
  if (!Array.isArray(content)) return { kind: 'result', result: content === undefined ? left : { ...left, content: await look(content) } }
  const blocks: Json[] = []
  for (const block of content) blocks.push(await guardedBlock(block as Json, look))
  return { kind: 'result', result: { ...left, content: blocks } }
}

/** A block of content without the bytes of a picture, of sound or of a resource. */
async function guardedBlock(block: Json, look: Look): Promise<Json> {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return look(block)
  const { data, resource, ...rest } = block as JsonObject
  const isMedia = rest['type'] === 'image' || rest['type'] === 'audio'
  return {
    ...(await look(rest)),
    ...(data !== undefined && { data: isMedia ? data : await look(data) }),
    ...(resource !== undefined && { resource: await guardedResource(resource, look) }),
  }
}

async function guardedResource(resource: Json, look: Look): Promise<Json> {
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource)) return look(resource)
  const { blob, ...rest } = resource as JsonObject
  return { ...(await look(rest)), ...(blob !== undefined && { blob }) }
}
