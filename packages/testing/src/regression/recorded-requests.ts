/** What the model was sent, turn by turn, put together again from what was new in each request. */
import type { Json, JsonObject } from '@loom-agent/kernel'
import type { FixtureRequest } from './fixture.ts'

/** A request as it was recorded. */
export interface RecordedRequest {
  readonly turn: number
  /** All its messages; valid until the next request is looked for. */
  readonly messages: readonly Json[]
  readonly settings: JsonObject
}

/** The requests of a thread. Turns are asked for in order, so each message is put in its place once. */
export type RecordedRequests = (turn: number) => RecordedRequest | undefined

/** The requests of a recorded thread. */
export function recordedRequests(requests: readonly FixtureRequest[]): RecordedRequests {
  let at = 0
  let messages: Json[] = []
  const takeNext = ({ rebased, messages: added }: FixtureRequest): void => {
    if (rebased) messages = []
    for (const message of added) messages.push(message)
    at += 1
  }
  return (turn) => {
    const last = requests[at - 1]
    // Drivers are replayed more than once where the first way did not lead through the record.
    if (last && last.turn > turn) {
      at = 0
      messages = []
    }
    for (let next = requests[at]; next && next.turn <= turn; next = requests[at]) takeNext(next)
    const found = requests[at - 1]
    return found?.turn === turn ? { turn, messages, settings: found.settings } : undefined
  }
}
