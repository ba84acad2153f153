/**
 * What webhooks receive: a delivery for each run that is done, waits, fails or is stopped, and for each question.
 *
 * DELIVERY-1. The id of a delivery follows from the webhook, the thread and the event: it is the same however often it is sent, and by whichever process.
 * DELIVERY-2. A delivery has what a receiver needs to know where to look. What was said is read with a key.
 */
import type { EventOf, EventType, JsonObject, LoomEvent } from '@loom-agent/kernel'
import { digestOf } from '../web/access/secret.ts'

/** What a webhook can be told about. */
export type WebhookKind = 'done' | 'waiting' | 'asked' | 'failed' | 'stopped'

/** What is sent. */
export interface Delivery {
  /** The same whenever it is sent again. */
  readonly id: string
  readonly kind: WebhookKind
  readonly thread: string
  readonly incarnation: string
  /** The event that it is about. */
  readonly seq: number
  /** When that was stored, in milliseconds since 1970. */
  readonly time: number
  readonly run?: string | undefined
  readonly agent?: string | undefined
  /** The thread that has started this one. */
  readonly parent?: string | undefined
  /** What kind of rest it is: the question, what it waits for, why it failed or was stopped. */
  readonly data: JsonObject
}

/** The thread of the events. */
export interface Origin {
  readonly thread: string
  readonly incarnation: string
  readonly agent?: string | undefined
  readonly parent?: string | undefined
}

/** Which deliveries there are, and for which webhook. */
export interface Wanted {
  readonly webhook: string
  readonly on: ReadonlySet<WebhookKind>
}

/** What is told of an event. */
type Told<T extends EventType> = (event: EventOf<T>, origin: Origin) => { readonly kind: WebhookKind; readonly data: JsonObject }

const longestPrompt = 2000

const told: { readonly [T in EventType]?: Told<T> } = {
  'run.finished': () => ({ kind: 'done', data: {} }),
  'run.failed': ({ data: { error } }) => ({ kind: 'failed', data: { code: error.code, message: error.message } }),
  'run.stopped': ({ data: { kind, reason } }) => ({ kind: 'stopped', data: { kind, reason } }),
  'run.suspended': ({ data: { reason, until } }) => ({ kind: 'waiting', data: { reason, ...(until !== undefined && { until }) } }),
  'question.asked': ({ data }, { thread, incarnation }) => {
    const question = `${thread}#${data.id}${incarnation === thread ? '' : `@${incarnation}`}`
    const { kind, prompt, expires } = data
    return {
      kind: 'asked',
      data: { question, kind, prompt: prompt.slice(0, longestPrompt).toWellFormed(), ...(expires !== undefined && { expires }) },
    }
  },
}

/** The deliveries of events, in their order. Of children only questions are told: their runs are parts of another. */
export async function deliveriesOf(events: readonly LoomEvent[], origin: Origin, { webhook, on }: Wanted): Promise<readonly Delivery[]> {
  const found: Delivery[] = []
  for (const event of events) {
    const tell = told[event.type] as Told<EventType> | undefined
    const said = tell?.(event, origin)
    if (!said || !on.has(said.kind) || (origin.parent !== undefined && said.kind !== 'asked')) continue
    const { thread, incarnation, agent, parent } = origin
    const { seq, time, run } = event
    const id = `msg_${(await digestOf(JSON.stringify([webhook, thread, incarnation, seq]))).slice(0, 32)}`
    found.push({ id, kind: said.kind, thread, incarnation, seq, time, run, agent, parent, data: said.data })
  }
  return found
}
