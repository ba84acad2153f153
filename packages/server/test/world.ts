/** A handler over agents that do a little of everything, and requests to it. */
import { type Agent, type AgentOptions, agent, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { createHandler, type HandlerOptions, type Identity } from '@loom-agent/server'
import { type ScriptStep, scriptedModel } from '@loom-agent/testing'

/** What is sent besides the path. */
export interface Sending {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly as?: Identity | undefined
  readonly signal?: AbortSignal
}

/** Sends a request to a handler. */
export type Send = (route: string, sending?: Sending) => Promise<Response>

export const admin: Identity = { name: 'ann', scopes: ['admin'] }

/** A handler that believes what the header says about the sender: `as` of a request. */
export function sender(options: Omit<HandlerOptions, 'auth'>): { readonly send: Send; readonly handle: (request: Request) => Promise<Response> } {
  const senders = new WeakMap<Request, Identity | undefined>()
  const handle = createHandler({ onError: () => {}, ...options, auth: (request) => senders.get(request) })
  const send: Send = (route, sending = {}) => {
    const [method = 'GET', path = ''] = route.split(' ')
    const { body, headers = {}, signal } = sending
    const request = new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    senders.set(request, 'as' in sending ? sending.as : admin)
    return handle(request)
  }
  return { send, handle }
}

export const pay = tool({ name: 'pay', description: 'Pays.', permission: 'ask', run: () => 'paid' })
export const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })

/** An agent that follows a script. */
export const clerkOf = (script: readonly ScriptStep[], journal: Journal = memoryJournal(), options: Pick<AgentOptions, 'workspace'> = {}): Agent =>
  agent({ name: 'clerk', description: 'Helps.', model: scriptedModel(script), tools: { pay, look }, journal, ...options })

/** The JSON of a response, as a caller expects it. */
export const jsonOf = async <T>(response: Response | Promise<Response>): Promise<T> => (await (await response).json()) as T

/** A message of a stream. */
export interface SeenMessage {
  readonly id?: string
  readonly event: string
  readonly data: { readonly [key: string]: unknown }
}

/** The messages of a stream, one after another. */
export async function* messagesOf(response: Response): AsyncGenerator<SeenMessage, void> {
  let text = ''
  for await (const piece of (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream())) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1]
      const event = /^event: (.*)$/m.exec(block)?.[1]
      if (event !== undefined) yield { ...(id !== undefined && { id }), event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') }
    }
  }
}
