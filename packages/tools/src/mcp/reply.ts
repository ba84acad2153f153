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
  | {
      readonly kind: 'result'
      readonly result: JsonObject
      /** What guards have said of it before it was recorded. */
      readonly guards?: readonly Json[]
    }
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
