/** Sending a request of which only the beginning of the reply is wanted. */
import { exchange } from './exchange.ts'
import type { Outgoing } from './outgoing.ts'

/** How a request was replied to. */
export interface ReplyHead {
  /** The status; 0 where there was none. */
  readonly status: number
  /** The headers, by their names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Sends a request, and returns how it was replied to. The body of the reply is not read. */
export async function sendRequest(outgoing: Outgoing): Promise<ReplyHead> {
  const reply = await exchange(outgoing)
  reply.destroy()
  return { status: reply.statusCode ?? 0, headers: reply.headers }
}
