/**
 * Reading streams of a server, again and again.
 *
 * CLIENT-1. A stream that is cut off is opened again behind the last message that has a cursor: no event is missed, and none comes twice. What was only
 *     live in between is not repeated: events replace it.
 */
import { LoomError } from '@loom-agent/kernel'

/** A message of a stream. */
export interface ServerMessage {
  /** `event`, `signal`, `thread`, `removed`, `end`, or `problem` of one topic. */
  readonly event: string
  /** What it carries. */
  readonly data: unknown
  /** What the stream continues behind; signals have none. */
  readonly cursor?: string
}

/** The messages of a stream, until it ends or is left. */
export type Stream = AsyncIterableIterator<ServerMessage, void>

/** Opens the stream behind a cursor. Throws a `LoomError` for a problem that trying again does not solve. */
export type OpenStream = (after: string | undefined) => Promise<Response>

/** Milliseconds before a stream is opened again: the first time, and at most. */
const pauses = { first: 100, most: 5000 }

/** The blocks of a response, as they come. */
async function* blocksOf(response: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

/** The message of a block; undefined for a comment. */
function messageOf(block: string): ServerMessage | undefined {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
  const event = fields.get('event')
  const cursor = fields.get('id')
  if (event === undefined) return undefined
  return { event, data: JSON.parse(fields.get('data') ?? 'null') as unknown, ...(cursor !== undefined && { cursor }) }
}

/** The error of a problem as it was sent. */
export function errorOf(problem: unknown): LoomError {
  const {
    code = 'LOOM_RUN_FAILED',
    detail = 'The server has failed.',
    context = {},
  } = (problem ?? {}) as { code?: never; detail?: string; context?: never }
  return new LoomError(code, detail, { context })
}

/** Whether an error is one of the server, and not of the way there. */
const isFinal = (error: unknown): boolean => error instanceof LoomError && error.retry !== 'later'

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal?.addEventListener('abort', over, { once: true })
  })
}

/** Reads a stream, and opens it again when it was cut off, until it ends or the signal is aborted. */
export async function* readStream(open: OpenStream, after: string | undefined, signal: AbortSignal | undefined): AsyncGenerator<ServerMessage, void> {
  let cursor = after
  for (let wait = pauses.first; !signal?.aborted; wait = Math.min(wait * 2, pauses.most)) {
    try {
      for await (const block of blocksOf(await open(cursor))) {
        const message = messageOf(block)
        if (!message) continue
        cursor = message.cursor ?? cursor
        wait = pauses.first / 2
        yield message
        if (message.event === 'end') return
        if (message.event === 'problem' && !isTopic(message)) throw errorOf(message.data)
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isFinal(error)) throw error
    }
    await pause(wait, signal)
  }
}

/** A problem of one topic: the others go on. */
const isTopic = ({ data }: ServerMessage): boolean => typeof data === 'object' && data !== null && 'topic' in data
