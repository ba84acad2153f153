/**
 * Server-sent events.
 *
 * SSE-1. A message is taken from its source when the client has taken the one before: a slow client costs the memory of one message here.
 */
import { systemClock } from '@loom-agent/agent'
import { isLoomError } from '@loom-agent/kernel'
import { problemOf } from '../route/problem.ts'
import type { Call } from '../route/route.ts'
import type { StreamMessage } from './message.ts'

/** What a stream is made of. */
export interface EventStream {
  /** The next message; undefined at the end. */
  next(): Promise<StreamMessage | undefined>
  /** Ends what it is made of; `next` returns undefined then. */
  close(): void
}

const written = ({ event, data, cursor }: StreamMessage): string =>
  `${cursor === undefined ? '' : `id: ${cursor}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The response that streams what `open` opens. It counts as one stream of the server until the client leaves. */
export function eventStream({ service, request }: Pick<Call, 'service' | 'request'>, open: (signal: AbortSignal) => EventStream): Response {
  const over = new AbortController()
  const leave = service.admission.enterStream(() => over.abort())
  let source: EventStream
  try {
    source = open(over.signal)
  } catch (error) {
    leave()
    throw error
  }
  const encoder = new TextEncoder()
  let cancelBeat = (): void => {}
  const end = (): void => {
    cancelBeat()
    leave()
    request.signal.removeEventListener('abort', abort)
    over.abort()
    source.close()
  }
  const abort = (): void => over.abort()
  over.signal.addEventListener('abort', end, { once: true })
  request.signal.addEventListener('abort', abort, { once: true })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const beat = (): void => {
        // A client that has not taken what is there gets no comments on top.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': \n\n'))
        cancelBeat = systemClock.at(systemClock.now() + service.heartbeat, beat)
      }
      beat()
    },
    async pull(controller) {
      const message = await source.next().catch((error: unknown): StreamMessage => {
        if (!isLoomError(error)) service.onError(error)
        end()
        return { event: 'problem', data: problemOf(error) }
      })
      if (message) controller.enqueue(encoder.encode(written(message)))
      else end()
      if (over.signal.aborted) controller.close()
    },
    cancel: end,
  })
  if (request.signal.aborted) over.abort()
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' } })
}
