/**
 * A connection that goes both ways, such as a WebSocket: a client asks for routes and follows topics over it.
 *
 * SOCKET-1. What is sent waits until the client has taken what was sent before: a client that does not read costs one message of each of its topics.
 * SOCKET-2. A request over a connection is the same as one over HTTP, from the same sender: the same routes, scopes, checks and bounds.
 */
import { isLoomError, LoomError } from '@loom-agent/kernel'
import type { Identity } from '../access/identity.ts'
import { problemOf } from '../route/problem.ts'
import type { Service } from '../service/service.ts'
import { createMerge, type Merge } from './merge.ts'
import { prepareTopic, problemMessage, readTopics } from './topics.ts'

/** What a connection stands on. */
export interface ConnectionSource {
  readonly service: Service
  readonly identity: Identity
  /** Sends a text. Resolves when there is room for another. */
  send(text: string): Promise<void>
  /** Answers a request of the sender of this connection. */
  request(method: string, path: string, body: unknown): Promise<Response>
  /** Ends the connection. */
  end(): void
}

/** What a client sends. */
type Asked =
  | { readonly id: string; readonly follow: string; readonly after?: string }
  | { readonly id: string; readonly leave: true }
  | { readonly id: string; readonly method: string; readonly path: string; readonly body?: unknown }

/** An open connection. */
export interface Connection {
  /** Takes what the client has sent. */
  receive(text: string): void
  /** The client has left. */
  close(): void
}

/** Requests and topics of one connection that are under way at once. A client that goes on asking although it was refused as often is cut off. */
const most = 64

interface Open {
  readonly source: ConnectionSource
  readonly merge: Merge
  readonly topics: Map<string, AbortController>
  underWay: number
}

function invalid(message: string): LoomError {
  return new LoomError('LOOM_REQUEST_INVALID', message, { context: { status: 400 } })
}

/** Reads what a client has sent. */
function read(text: string): Asked {
  let asked: { readonly [name: string]: unknown } | null
  try {
    asked = JSON.parse(text) as typeof asked
  } catch {
    throw invalid('What was sent is no JSON.')
  }
  const { id, follow, leave, after, method, path, body } = asked ?? {}
  if (typeof id !== 'string' || id === '' || id.length > 100) throw invalid('What was sent needs an id: a text of 1 to 100 characters.')
  if (typeof follow === 'string' && (after === undefined || typeof after === 'string')) return { id, follow, ...(after !== undefined && { after }) }
  if (leave === true) return { id, leave }
  if (typeof method === 'string' && typeof path === 'string' && path.startsWith('/')) return { id, method, path, body }
  throw invalid('What was sent is neither { id, follow, after }, nor { id, leave: true }, nor { id, method, path, body }.')
}

const idIn = (text: string): string | undefined => /"id"\s*:\s*"([^"\\]{1,100})"/.exec(text)?.[1]

/** Opens a connection. Its topics are merged, and sent one message after another. */
export function openConnection(source: ConnectionSource): Connection {
  const merge = createMerge({ isOpen: true, failed: problemMessage })
  const open: Open = { source, merge, topics: new Map(), underWay: 0 }
  void sendAll(open)
  return {
    receive(text) {
      void answer(open, text).catch(source.end)
    },
    close() {
      merge.close()
      for (const over of open.topics.values()) over.abort()
      open.topics.clear()
    },
  }
}

/** Sends what the topics have, as fast as the client takes it. */
async function sendAll({ source, merge }: Open): Promise<void> {
  try {
    for (;;) {
      const merged = await merge.next()
      if (!merged) return
      const { cursor, event, data } = merged.message
      await source.send(JSON.stringify({ id: merged.source, event, data, ...(cursor !== undefined && { cursor }) }))
    }
  } catch (error) {
    if (!isLoomError(error)) source.service.onError(error)
    source.end()
  }
}

async function answer(open: Open, text: string): Promise<void> {
  const { source } = open
  const refuse = (error: unknown): Promise<void> => {
    if (!isLoomError(error)) source.service.onError(error)
    return source.send(JSON.stringify({ id: idIn(text) ?? null, event: 'problem', data: problemOf(error) }))
  }
  if (open.underWay >= 2 * most) return source.end()
  const isFull = open.underWay + open.topics.size >= most
  open.underWay += 1
  try {
    if (isFull) throw new LoomError('LOOM_SERVER_BUSY', 'This connection has as much under way as it may have. Wait for replies, or leave topics.')
    const asked = read(text)
    if ('follow' in asked) await follow(open, asked)
    else if ('leave' in asked) leave(open, asked.id)
    else await relay(open, asked)
  } catch (error) {
    await refuse(error)
  } finally {
    open.underWay -= 1
  }
}

/** Adds a topic under the id that the client gives it. */
async function follow({ source, merge, topics }: Open, { id, follow: name, after }: Extract<Asked, { follow: string }>): Promise<void> {
  const [topic, ...others] = readTopics(name)
  if (!topic || others.length > 0) throw invalid('Follow one topic under one id.')
  const prepared = await prepareTopic(source, topic, after)
  topics.get(id)?.abort()
  const over = new AbortController()
  topics.set(id, over)
  merge.add(id, prepared.open(over.signal))
}

function leave({ merge, topics }: Open, id: string): void {
  topics.get(id)?.abort()
  topics.delete(id)
  merge.remove(id)
}

/** Answers a request with what its route returns. Streams are topics here. */
async function relay({ source }: Open, { id, method, path, body }: Extract<Asked, { method: string }>): Promise<void> {
  const response = await source.request(method, path, body)
  const type = response.headers.get('content-type') ?? ''
  if (type === 'text/event-stream') {
    await response.body?.cancel()
    throw invalid('Follow a topic instead of asking for a stream: { id, follow }.')
  }
  const data: unknown = type.includes('json') ? await response.json() : await response.text()
  await source.send(JSON.stringify({ id, event: response.ok ? 'reply' : 'problem', data, status: response.status }))
}
