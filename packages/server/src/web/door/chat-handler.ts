/**
 * A chat of the AI SDK: the protocol of `useChat`, served from the journal.
 *
 * CHAT-1. The journal is the conversation. Of the messages that a client sends, the last one is read; what it says about earlier ones changes nothing.
 * CHAT-2. A client that leaves, or calls `stop()`, stops nothing: it can come back. The stop route stops the run.
 */
import { approve, questions, reject } from '@loom-agent/agent'
import { isLoomError, LoomError, type LoomEvent, readEvents, type Seq } from '@loom-agent/kernel'
import { type Auth, hasScope, type Identity, type Scope } from '../access/identity.ts'
import { originHeaders, type Places, requirePlace } from '../access/origins.ts'
import { problemResponse } from '../route/problem.ts'
import { readJson } from '../route/read-request.ts'
import { type Admission, type AdmissionLimits, createAdmission } from '../service/admission.ts'
import { mayUse, threadNotFound } from '../service/find-thread.ts'
import type { ServedAgent } from '../service/served-agent.ts'
import { startOf } from '../service/started-run.ts'
import { createUiChunks, questionChunks, type UiChunk } from './ui-chunks.ts'
import { uiMessagesOf } from './ui-messages.ts'
import { readUiRequest, type UiRequest } from './ui-request.ts'

/** Who may chat, and on which threads. */
export interface ChatOptions extends Places {
  /** Finds out who sends a request. A chat needs the scope `read`, speaking and stopping `run`, and approving `answer`. */
  readonly auth: Auth
  /** The thread of a chat; default: the id of the chat. Users whose chats must not be guessed get threads of their own here. */
  readonly thread?: ((chat: string, identity: Identity) => string) | undefined
  /** How many runs there may be at once, of all and of each; default as for `createHandler`. */
  readonly limits?: Pick<AdmissionLimits, 'runs' | 'runsEach'> | undefined
  /** Bytes of a request; default 4 MiB: clients send the whole conversation. */
  readonly longestBody?: number | undefined
  /** Notified of errors that no client is told about; default: the console. */
  readonly onError?: ((error: unknown) => void) | undefined
}

interface Chat {
  readonly admission: Admission
  readonly agent: ServedAgent
  readonly identity: Identity
  readonly thread: string
  readonly signal: AbortSignal
}

/** A run, and where its stream begins. */
interface Shown {
  readonly run: string
  readonly from: Seq
  /** The id of the message that the client goes on with, or begins. */
  readonly message: string
}

function denied(status: 401 | 403, message: string): LoomError {
  return new LoomError('LOOM_ACCESS_DENIED', message, { context: { status } })
}

async function identityOf(request: Request, auth: Auth, scope: Scope): Promise<Identity> {
  const identity = await auth(request)
  if (!identity) throw denied(401, 'This chat does not know who you are.')
  if (!hasScope(identity, scope))
    throw denied(403, `This needs the scope ${scope}, and ${identity.name} has ${identity.scopes.join(', ') || 'none'}.`)
  return identity
}

/**
 * Serves the chats of an agent: `POST` to speak and to approve, `GET .../{chat}/messages` for what was
 * said, `GET .../{chat}/stream` to come back to a run under way, `POST .../{chat}/stop` to stop it.
 *
 * @example
 * const handler = chatHandler(clerk, { auth: (request) => userOf(request) })
 */
export function chatHandler(agent: ServedAgent, options: ChatOptions): (request: Request) => Promise<Response> {
  const { auth, thread = (chat: string) => chat, longestBody = 4 << 20, onError = (error: unknown) => console.error(error) } = options
  if (typeof auth !== 'function') throw new LoomError('LOOM_OPTION_INVALID', 'A chat needs auth: a function that returns who sends a request.')
  const admission = createAdmission(options.limits)
  const chatOf = (request: Request, identity: Identity, chat: string): Chat => {
    const name = thread(chat, identity)
    if (!mayUse(identity, name)) throw threadNotFound(name)
    return { admission, agent, identity, thread: name, signal: request.signal }
  }
  const respond = async (request: Request): Promise<Response> => {
    requirePlace(request, options)
    const [, encoded = '', action] = /\/([^/]+)\/(stream|stop|messages)$/.exec(new URL(request.url).pathname) ?? []
    if (request.method === 'GET' && (action === 'stream' || action === 'messages')) {
      const chat = chatOf(request, await identityOf(request, auth, 'read'), nameIn(encoded))
      return action === 'stream' ? comeBack(chat) : readMessages(chat)
    }
    if (request.method !== 'POST' || action === 'stream' || action === 'messages') {
      const message = 'A chat has POST, GET /{chat}/messages, GET /{chat}/stream and POST /{chat}/stop.'
      throw new LoomError('LOOM_ROUTE_NOT_FOUND', message, { context: { status: 405 } })
    }
    if (action === 'stop') return stopRun(chatOf(request, await identityOf(request, auth, 'run'), nameIn(encoded)))
    // Of somebody who is not known nothing is read.
    const sender = await identityOf(request, auth, 'read')
    const asked = await readUiRequest(await readJson(request, longestBody))
    if (!hasScope(sender, asked.kind === 'say' ? 'run' : 'answer')) throw denied(403, `${sender.name} may not do that here.`)
    const chat = chatOf(request, sender, asked.chat)
    return asked.kind === 'say' ? speak(chat, asked) : answerAll(chat, asked)
  }
  return async (request) => {
    const response = await respond(request).catch((error: unknown) => {
      if (!isLoomError(error)) onError(error)
      return problemResponse(error)
    })
    for (const [name, value] of Object.entries(originHeaders(request, options))) response.headers.set(name, value)
    return response
  }
}

/** The id of a chat, as the path has it. */
function nameIn(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    const message = `${JSON.stringify(encoded.slice(0, 100))} is not encoded as addresses are.`
    throw new LoomError('LOOM_REQUEST_INVALID', message, { context: { chat: encoded.slice(0, 100) } })
  }
}

/** Starts a run, and streams it. */
async function speak(chat: Chat, { id, input }: Extract<UiRequest, { kind: 'say' }>): Promise<Response> {
  const leave = chat.admission.enterRun(chat.identity.name)
  try {
    const handle = chat.agent.start(input, { thread: chat.thread, id })
    handle.result().then(leave, leave)
    const { run, seq } = await startOf(handle, id)
    return stream(chat, { run, from: seq, message: messageId(chat, run) })
  } catch (error) {
    leave()
    throw error
  }
}

const messageId = ({ thread }: Chat, run: string): string => `${thread}:${run}`

/** Gives the answers, and streams what follows from them. */
async function answerAll(chat: Chat, { answers, message, seen }: Extract<UiRequest, { kind: 'answer' }>): Promise<Response> {
  const { agent, thread, identity } = chat
  const head = await agent.journal.head(thread)
  if (!head?.seq) throw threadNotFound(thread)
  const by = identity.name
  for (const { question, isApproved, reason } of answers) {
    if (!question.startsWith(`${thread}#`)) throw threadNotFound(question)
    await agent.answer(question, isApproved ? approve({ by }) : reject(reason, { by }))
  }
  const run = message.slice(message.lastIndexOf(':') + 1)
  return stream(chat, { run, from: Math.min(seen ?? head.seq, head.seq) + 1, message })
}

/** Streams the run under way from its start, for a client that was away. Without one there is nothing to come back to. */
async function comeBack(chat: Chat): Promise<Response> {
  const { agent, thread } = chat
  const head = await agent.journal.head(thread)
  if (head?.summary.status !== 'running') return new Response(null, { status: 204 })
  let begun: { readonly run: string; readonly from: Seq } | undefined
  for await (const event of readEvents(agent.journal, thread)) {
    if (event.type === 'run.started') begun = { run: event.data.run, from: event.seq }
  }
  return begun ? stream(chat, { ...begun, message: messageId(chat, begun.run) }) : new Response(null, { status: 204 })
}

/** What was said, as a page shows it before it comes back to the run under way. A chat that has not begun has no messages. */
async function readMessages({ agent, thread }: Chat): Promise<Response> {
  const head = await agent.journal.head(thread)
  const events: LoomEvent[] = []
  for await (const event of readEvents(agent.journal, thread)) events.push(event)
  const open = head?.seq ? await questions(agent.journal, { thread }) : []
  return Response.json({ messages: uiMessagesOf(thread, events, open) }, { headers: { 'cache-control': 'no-store' } })
}

async function stopRun({ agent, thread, identity }: Chat): Promise<Response> {
  const head = await agent.journal.head(thread)
  if (!head?.seq) throw threadNotFound(thread)
  if (head.summary.status === 'running' || head.summary.status === 'waiting') await agent.stop(thread, 'Stopped in the chat.', { by: identity.name })
  return new Response(null, { status: 204 })
}

/** The chunks of a run, until it ends or asks. */
async function* chunksOf({ agent, thread, signal }: Chat, { run, from, message }: Shown): AsyncGenerator<UiChunk, void> {
  const chunks = createUiChunks()
  let seq = from - 1
  const metadata = (status: string): UiChunk => ({ type: 'message-metadata', messageMetadata: { loom: { thread, run, seq, status } } })
  yield { type: 'start', messageId: message }
  for await (const event of agent.watch(thread, { from, until: 'rest', signal })) {
    if (event.run !== run) continue
    if ('seq' in event) ({ seq } = event)
    const isOver = event.type === 'run.finished' || event.type === 'run.failed' || event.type === 'run.stopped'
    if (isOver) yield metadata(event.type.slice('run.'.length))
    yield* chunks(event)
    if (isOver) return
    if (event.type !== 'run.suspended' || event.data.reason !== 'question') continue
    const open = await questions(agent.journal, { thread })
    // A resolver of the agent may have answered.
    if (open.length === 0) continue
    yield metadata('waiting')
    yield* questionChunks(thread, open)
    yield { type: 'finish-step' }
    yield { type: 'finish', finishReason: 'tool-calls' }
    return
  }
  if (!signal.aborted) yield* [metadata('waiting'), { type: 'finish', finishReason: 'other' }]
}

/** The response that streams a run as the AI SDK reads it. */
function stream(chat: Chat, shown: Shown): Response {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, chat.signal])
  const chunks = chunksOf({ ...chat, signal }, shown)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (!done) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`))
      if (!signal.aborted) controller.enqueue(encoder.encode('data: [DONE]\n\n'))
      controller.close()
    },
    cancel: () => over.abort(),
  })
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-vercel-ai-ui-message-stream': 'v1',
  }
  return new Response(body, { headers })
}
