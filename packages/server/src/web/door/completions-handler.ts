/**
 * OpenAI's chat completions: agents as models, for any client that speaks that protocol.
 *
 * COMPLETE-1. A run that waits for people is never shown as an answer: it finishes with `tool_calls`, one for each question, named `loom_answer`. A message of
 *     the role `tool` with the id of such a call answers the question, and the same run goes on.
 */
import type { Question, Result, RunHandle } from '@loom-agent/agent'
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { type Auth, hasScope, type Identity, type Scope } from '../access/identity.ts'
import { originHeaders, type Places, requirePlace } from '../access/origins.ts'
import { problemOf } from '../route/problem.ts'
import { readJson } from '../route/read-request.ts'
import { type Admission, type AdmissionLimits, createAdmission } from '../service/admission.ts'
import { mayUse, rootOf, threadNotFound } from '../service/find-thread.ts'
import type { ServedAgent } from '../service/served-agent.ts'
import { answerFunction, type CompletionRequest, readAnswer, readCompletionRequest } from './completion-request.ts'

/** Which agents are models, and for whom. */
export interface CompletionsOptions extends Places {
  /** The agents; their names are the names of models. */
  readonly agents: readonly ServedAgent[]
  /** Finds out who sends a request. It needs the scope `run`, to answer questions `answer`, and to list models `read`. */
  readonly auth: Auth
  /** How many runs there may be at once, of all and of each; default as for `createHandler`. */
  readonly limits?: Pick<AdmissionLimits, 'runs' | 'runsEach'> | undefined
  /** Bytes of a request; default 4 MiB. */
  readonly longestBody?: number | undefined
  /** Notified of errors that no client is told about; default: the console. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** An error as clients of the protocol read it. */
function errorResponse(error: unknown): Response {
  const { status, detail, code, hint } = problemOf(error)
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return Response.json({ error: { message: detail, type, code, param: null, hint } }, { status })
}

function requireScope(identity: Identity | undefined, scope: Scope): Identity {
  if (!identity) throw new LoomError('LOOM_ACCESS_DENIED', 'This server does not know your key.', { context: { status: 401 } })
  if (hasScope(identity, scope)) return identity
  throw new LoomError('LOOM_ACCESS_DENIED', `This needs the scope ${scope}.`, { context: { status: 403, scope } })
}

/** Serves agents as models: `POST .../chat/completions`, `GET .../models`. */
export function completionsHandler(options: CompletionsOptions): (request: Request) => Promise<Response> {
  const { agents, auth, longestBody = 4 << 20, onError = (error: unknown) => console.error(error) } = options
  if (typeof auth !== 'function')
    throw new LoomError('LOOM_OPTION_INVALID', 'Chat completions need auth: a function that returns who sends a request.')
  const admission = createAdmission(options.limits)
  const respond = async (request: Request): Promise<Response> => {
    requirePlace(request, options)
    const { pathname } = new URL(request.url)
    const identity = await auth(request)
    if (request.method === 'GET' && pathname.endsWith('/models')) {
      requireScope(identity, 'read')
      return Response.json({ object: 'list', data: agents.map(({ name }) => ({ id: name, object: 'model', created: 0, owned_by: 'loom' })) })
    }
    if (request.method !== 'POST' || !pathname.endsWith('/chat/completions')) {
      throw new LoomError('LOOM_ROUTE_NOT_FOUND', 'There are POST /chat/completions and GET /models here.', { context: { status: 404 } })
    }
    const known = requireScope(identity, 'run')
    const asked = readCompletionRequest(await readJson(request, longestBody))
    const agent = agents.find(({ name }) => name === asked.model)
    if (!agent) throw noModel(asked.model, agents)
    const handle = await begin({ agent, admission, identity: known }, asked)
    return asked.isStream ? streamed(handle, asked, onError) : completed(asked.model, await handle.result())
  }
  return async (request) => {
    const response = await respond(request).catch((error: unknown) => {
      if (!isLoomError(error)) onError(error)
      return errorResponse(error)
    })
    for (const [name, value] of Object.entries(originHeaders(request, options))) response.headers.set(name, value)
    return response
  }
}

function noModel(model: string, agents: readonly ServedAgent[]): LoomError {
  const known = agents.map(({ name }) => name)
  return new LoomError('LOOM_ROUTE_NOT_FOUND', `There is no model ${JSON.stringify(model.slice(0, 200))} here. There are ${known.join(', ')}.`, {
    context: { model: model.slice(0, 200), known },
  })
}

/** Who asks which agent. */
interface Asking {
  readonly agent: ServedAgent
  readonly admission: Admission
  readonly identity: Identity
}

/** Starts a run, or answers the questions of one, which goes on then. */
async function begin({ agent, admission, identity }: Asking, asked: CompletionRequest): Promise<RunHandle<unknown>> {
  const { answers, thread, input } = asked
  if (answers.size > 0) return goOn(agent, requireScope(identity, 'answer'), answers)
  if (thread === undefined ? identity.threads !== undefined : !mayUse(identity, thread)) throw threadNotFound(thread ?? 'without a name')
  const leave = admission.enterRun(identity.name)
  try {
    const handle = agent.start(input, { thread })
    handle.result().then(leave, leave)
    return handle
  } catch (error) {
    leave()
    throw error
  }
}

/** Gives the answers, all of one tree of threads. */
async function goOn(agent: ServedAgent, identity: Identity, answers: ReadonlyMap<string, string>): Promise<RunHandle<unknown>> {
  const roots = new Set<string>()
  for (const question of answers.keys()) {
    const thread = question.slice(0, question.indexOf('#'))
    const head = await agent.journal.head(thread)
    const root = head?.seq ? await rootOf(agent.journal, head) : undefined
    if (!root || root.summary.agent !== agent.name || !mayUse(identity, root.thread)) throw threadNotFound(thread)
    roots.add(root.thread)
  }
  const [root = '', ...others] = roots
  if (others.length > 0) throw new LoomError('LOOM_REQUEST_INVALID', 'Answer questions of one conversation at a time.')
  for (const [question, text] of answers) await agent.answer(question, readAnswer(text, identity.name))
  const handle = agent.resume(root)
  handle.result().catch(() => {})
  return handle
}

/** A question as a call of a function that the client has to make. */
const callOf = ({ id, prompt, kind, call }: Question) => ({
  id,
  type: 'function',
  function: { name: answerFunction, arguments: JSON.stringify({ kind, prompt, ...(call && { tool: call.tool, input: call.input }) }) },
})

/** How the protocol says that a run rests. */
function finishOf(result: Result<unknown>): string {
  if (result.questions.length > 0 && result.status === 'waiting') return 'tool_calls'
  if (result.status !== 'stopped') return 'stop'
  return result.kind === 'filtered' ? 'content_filter' : 'length'
}

const usageOf = ({ usage }: Result<unknown>) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
})

/** What says where the run is in the journal. */
const placeOf = ({ thread, run, status }: Result<unknown>) => ({ thread, run, status })

/** A run that has failed has no completion. */
function requireCompletion(result: Result<unknown>): void {
  if (result.status === 'failed')
    throw new LoomError('LOOM_RUN_FAILED', result.error.message, { context: { thread: result.thread, code: result.error.code } })
}

const head = (model: string, thread: string, object: string) => ({ id: `chatcmpl-${thread}`, object, created: Math.floor(Date.now() / 1000), model })

function completed(model: string, result: Result<unknown>): Response {
  requireCompletion(result)
  const calls = result.status === 'waiting' ? result.questions.map(callOf) : []
  const message = {
    role: 'assistant',
    content: result.text === '' && calls.length > 0 ? null : result.text,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finishOf(result) }
  return Response.json({ ...head(model, result.thread, 'chat.completion'), choices: [choice], usage: usageOf(result), loom: placeOf(result) })
}

/** The pieces of a completion. A text that was taken back cannot be: what follows it is a new paragraph. */
async function* piecesOf(handle: RunHandle<unknown>, { model, wantsUsage }: CompletionRequest): AsyncGenerator<object, void> {
  const first = head(model, handle.thread, 'chat.completion.chunk')
  const chunk = (delta: object, finish: string | null = null) => ({ ...first, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })
  yield chunk({ role: 'assistant', content: '' })
  for await (const content of handle.text()) yield chunk({ content })
  const result = await handle.result()
  requireCompletion(result)
  const calls = result.status === 'waiting' ? result.questions.map((question, index) => ({ index, ...callOf(question) })) : []
  if (calls.length > 0) yield chunk({ tool_calls: calls })
  yield { ...chunk({}, finishOf(result)), loom: placeOf(result) }
  if (wantsUsage) yield { ...first, choices: [], usage: usageOf(result) }
}

function streamed(handle: RunHandle<unknown>, asked: CompletionRequest, onError: (error: unknown) => void): Response {
  const pieces = piecesOf(handle, asked)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const write = (data: string): void => controller.enqueue(encoder.encode(`data: ${data}\n\n`))
      try {
        const { done, value } = await pieces.next()
        if (!done) return write(JSON.stringify(value))
        write('[DONE]')
      } catch (error) {
        if (!isLoomError(error)) onError(error)
        const { detail, code } = problemOf(error)
        write(JSON.stringify({ error: { message: detail, type: 'server_error', code, param: null } }))
      }
      controller.close()
    },
    cancel: () => void pieces.return(),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' } })
}
