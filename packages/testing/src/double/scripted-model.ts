/** A model that follows a script: the same words, calls, stalls and failures every time, streamed or generated. */
import { checkModelOptions, checkOptions, type Expected, expected, type Shape } from '@loom-agent/agent/kit'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@loom-agent/agent/language-model'

/** A call that a scripted reply proposes. */
export interface ScriptedCall {
  /** The name of the tool. */
  readonly tool: string
  /** An object; a text is sent as it is, JSON or not. */
  readonly input?: unknown
  /** The provider's id; default: made up, unique. */
  readonly id?: string
  /** The provider's metadata of the call. */
  readonly meta?: Record<string, Record<string, string>>
}

/** One reply. */
export interface ScriptedReply {
  /** The text of the reply. */
  readonly text?: string
  /** What the model thought before; sent first. */
  readonly reasoning?: string
  /** The calls it proposes, after the text. */
  readonly calls?: readonly ScriptedCall[]
  /** The tokens it reports; default 10 of input and 5 of output. */
  readonly usage?: { readonly input?: number; readonly output?: number; readonly cacheRead?: number }
  /** Why the reply ended; default `tool-calls` with calls, else `stop`. */
  readonly finish?: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other'
  /** Parts that are sent before the finish, as they are. */
  readonly parts?: readonly LanguageModelV4StreamPart[]
  /** Deltas that the text is cut into; default: one a word. */
  readonly deltas?: readonly string[]
  /** Throws before the first part. */
  readonly throws?: unknown
  /** Sends an error part after this many parts. */
  readonly errorAfter?: { readonly parts: number; readonly error: unknown }
  /** The stream is closed after this many parts, without a finish. */
  readonly cutAfter?: number
  /** The stream fails with this error after its last part, instead of being closed. */
  readonly tornBy?: unknown
  /** Sends nothing more after this many parts, until aborted. */
  readonly stallAfter?: number
  /** Waits for this before the first part. */
  readonly until?: Promise<unknown>
}

/** What a model says: a text alone is a reply too. */
type Said = string | ScriptedReply

/** A reply, a text, or a function of the request and its number (from 1), which may be asynchronous. */
export type ScriptStep = Said | ((request: LanguageModelV4CallOptions, number: number) => Said | Promise<Said>)

/** A scripted model: a LanguageModelV4, with what it was asked. */
export interface ScriptedModel extends LanguageModelV4 {
  /** Every request, as it was handed over. */
  readonly requests: readonly LanguageModelV4CallOptions[]
  /** Throws unless the whole script was used. */
  assertComplete(): void
}

/**
 * Makes a model from a script: one step a request. After the last step, a function is called for every further request; anything else is an error.
 *
 * @example
 * const model = scriptedModel([{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
 */
export function scriptedModel(script: ScriptStep | readonly ScriptStep[], options: { modelId?: string } = {}): ScriptedModel {
  checkOptions('scriptedModel', options, { modelId: expected.text })
  const steps = Array.isArray(script) ? (script as readonly ScriptStep[]) : [script as ScriptStep]
  const requests: LanguageModelV4CallOptions[] = []
  const reply = (request: LanguageModelV4CallOptions, number: number): ScriptedReply | Promise<ScriptedReply> => {
    const last = steps.at(-1)
    const step = steps[number - 1] ?? (typeof last === 'function' ? last : undefined)
    if (step === undefined) throw new Error(`The script has ${steps.length} steps, and this is request ${number}.`)
    const said = typeof step === 'function' ? step(request, number) : step
    return isPromise(said) ? said.then(replyOf) : replyOf(said)
  }
  const stream = async (request: LanguageModelV4CallOptions): Promise<ReadableStream<LanguageModelV4StreamPart>> => {
    const number = requests.push(request)
    const given = reply(request, number)
    const said = isPromise(given) ? await given : given
    await said.until
    if ('throws' in said) throw said.throws
    return streamOf(said, partsOf(said, number), request.abortSignal)
  }
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: options.modelId ?? 'script',
    supportedUrls: {},
    requests,
    assertComplete() {
      if (requests.length < steps.length) throw new Error(`The script has ${steps.length} steps, ${requests.length} were used.`)
    },
    async doGenerate(request) {
      return generated(await stream(request))
    },
    doStream: async (request) => ({ stream: await stream(request) }),
  }
}

const callShape: Shape = { tool: expected.required(expected.text), input: expected.anything, id: expected.text, meta: expected.object }
const replyShape: Shape & Record<keyof ScriptedReply, Expected> = {
  text: expected.text,
  reasoning: expected.text,
  calls: { words: 'a list of { tool, input }', fits: Array.isArray },
  usage: expected.options({ input: expected.anything, output: expected.anything, cacheRead: expected.anything }),
  finish: expected.oneOf('stop', 'length', 'content-filter', 'tool-calls', 'error', 'interrupted', 'other'),
  parts: { words: 'a list of stream parts', fits: Array.isArray },
  deltas: expected.list(expected.text, 'a list of texts'),
  throws: expected.anything,
  errorAfter: expected.object,
  cutAfter: expected.number(0),
  tornBy: expected.anything,
  stallAfter: expected.number(0),
  until: { words: 'a promise', fits: (value) => value instanceof Promise },
}

/** Whether a value is still to come: a promise of any realm. */
const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise

/** The reply that a step stands for. Refuses what is none: a script with a misspelt field would test something else. */
function replyOf(said: Said): ScriptedReply {
  if (typeof said === 'string') return { text: said }
  checkModelOptions('A reply of scriptedModel', said, replyShape)
  for (const call of said.calls ?? []) checkModelOptions('A call of scriptedModel', call, callShape)
  return said
}

function partsOf(reply: ScriptedReply, number: number): LanguageModelV4StreamPart[] {
  const { text = '', reasoning = '', calls = [] } = reply
  const deltas = reply.deltas ?? (text === '' ? [] : text.split(/(?<=\s)/))
  const unified = reply.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')
  return [
    { type: 'stream-start', warnings: [] },
    ...(reasoning === '' ? [] : block('reasoning', [reasoning])),
    ...(deltas.length === 0 ? [] : block('text', deltas)),
    ...calls.flatMap((call, index) => callParts(call, `call-${number}-${index}`)),
    ...(reply.parts ?? []),
    { type: 'finish', usage: usageOf(reply), finishReason: { unified, raw: unified } },
  ]
}

function block(kind: 'text' | 'reasoning', deltas: readonly string[]): LanguageModelV4StreamPart[] {
  return [
    { type: `${kind}-start`, id: '0' },
    ...deltas.map((delta): LanguageModelV4StreamPart => ({ type: `${kind}-delta`, id: '0', delta })),
    { type: `${kind}-end`, id: '0' },
  ]
}

function callParts({ tool, input = {}, id, meta }: ScriptedCall, made: string): LanguageModelV4StreamPart[] {
  const toolCallId = id ?? made
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return [
    { type: 'tool-input-start', id: toolCallId, toolName: tool },
    { type: 'tool-input-delta', id: toolCallId, delta: text },
    { type: 'tool-input-end', id: toolCallId },
    { type: 'tool-call', toolCallId, toolName: tool, input: text, ...(meta && { providerMetadata: meta }) },
  ]
}

function usageOf({ usage = {} }: ScriptedReply): LanguageModelV4Usage {
  const { input = 10, output = 5, cacheRead } = usage
  return {
    inputTokens: { total: input, noCache: input - (cacheRead ?? 0), cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

/** Parts that come at once are there at once; a stall ends with the abort. */
function streamOf(
  reply: ScriptedReply,
  parts: readonly LanguageModelV4StreamPart[],
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const { stallAfter, cutAfter, errorAfter } = reply
  const sent = Math.min(stallAfter ?? parts.length, cutAfter ?? parts.length, errorAfter?.parts ?? parts.length)
  return new ReadableStream({
    start(controller) {
      for (const part of parts.slice(0, sent)) controller.enqueue(part)
      if (errorAfter) controller.enqueue({ type: 'error', error: errorAfter.error })
      if ('tornBy' in reply) return controller.error(reply.tornBy)
      if (stallAfter === undefined) return controller.close()
      const abort = (): void => controller.error(signal?.reason ?? new DOMException('aborted', 'AbortError'))
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
      return undefined
    },
  })
}

/** The parts of a stream as one result. An error part, or the end without a finish, rejects as a failed request does. */
async function generated(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  const blocks = new Map<string, string>()
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        blocks.set(part.id, `${blocks.get(part.id) ?? ''}${part.delta}`)
        break
      case 'text-end':
      case 'reasoning-end':
        content.push({ type: part.type === 'text-end' ? 'text' : 'reasoning', text: blocks.get(part.id) ?? '' })
        blocks.delete(part.id)
        break
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'file':
      case 'reasoning-file':
      case 'source':
      case 'custom':
        content.push(part)
        break
      case 'error':
        throw part.error
      case 'finish':
        return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] }
      default:
    }
  }
  throw new Error('The reply of the scripted model breaks off before its finish.')
}
