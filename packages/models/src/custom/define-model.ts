/** Custom models, in a few lines. */
import { checkModelOptions, checkOptions, expected, type Shape, shown } from '@loom-agent/agent/kit'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4Usage,
} from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'
import { type Part, type Parts, pullStream } from '../call/stream.ts'

/** A request to a custom model. */
export interface ModelRequest {
  /** The text of the last message of the user. */
  readonly text: string
  /** The whole conversation. */
  readonly messages: readonly LanguageModelV4Message[]
  /** The tools that the model may call. */
  readonly tools: readonly LanguageModelV4FunctionTool[]
  /** Aborts when the run no longer needs the reply. */
  readonly signal: AbortSignal | undefined
  /** The whole request as the model interface defines it, with settings and the response format. */
  readonly options: LanguageModelV4CallOptions
}

/** A tool call in a reply. */
export interface ModelCall {
  /** The name of the tool. */
  readonly tool: string
  /** The input of the tool; default `{}`. */
  readonly input?: unknown
  /** The id of the call; default: made from the place of the reply and of the call. */
  readonly id?: string
}

/** A reply of a custom model, or a piece of one. A string is a reply of text. */
export type GeneratedReply =
  | string
  | {
      /** Text for the user. */
      readonly text?: string
      /** Reasoning that is not part of the answer. */
      readonly reasoning?: string
      /** Calls of tools. */
      readonly calls?: readonly ModelCall[]
      /** Tokens, if they are known. */
      readonly usage?: { readonly input: number; readonly output: number }
      /** Why the reply ended; default: `tool-calls` after calls, else `stop`. */
      readonly finish?: 'stop' | 'length' | 'content-filter' | 'tool-calls'
    }

/** The options of `defineModel`: an id, and either `generate` or `stream`. */
export interface ModelDefinition {
  /** `provider/name`, or a name alone. */
  readonly id: string
  /** Returns the reply in one piece. */
  readonly generate?: (request: ModelRequest) => GeneratedReply | Promise<GeneratedReply>
  /** Yields the pieces of the reply. */
  readonly stream?: (request: ModelRequest) => AsyncIterable<GeneratedReply> | Iterable<GeneratedReply>
}

const definitionShape: Shape = {
  id: expected.required({ ...expected.name, words: 'an id, such as "mine/echo"' }),
  generate: expected.function,
  stream: expected.function,
}

/**
 * Makes a model from a function.
 *
 * @example
 * const echo = defineModel({ id: 'mine/echo', generate: ({ text }) => `You said: ${text}` })
 */
export function defineModel(definition: ModelDefinition): LanguageModelV4 {
  checkModelOptions('defineModel', definition, definitionShape)
  const { id, generate, stream } = definition
  if ((generate === undefined) === (stream === undefined)) {
    throw new LoomError('LOOM_MODEL_INVALID', `defineModel ${id}: give generate or stream, and not both.`, { context: { id } })
  }
  const slash = id.indexOf('/')
  const answer = async function* (options: LanguageModelV4CallOptions): AsyncGenerator<Part> {
    const request = requestOf(options)
    const pieces = generate ? once(generate(request)) : (stream?.(request) ?? refuse(undefined))
    if (typeof pieces !== 'object' || !(Symbol.asyncIterator in pieces || Symbol.iterator in pieces)) refuse(pieces)
    yield* partsOf(pieces, options)
  }
  return {
    specificationVersion: 'v4',
    provider: slash > 0 ? id.slice(0, slash) : 'custom',
    modelId: slash > 0 ? id.slice(slash + 1) : id,
    supportedUrls: {},
    doStream: async (options) => ({ stream: streamFrom(answer(options)) }),
    doGenerate: async (options) => gather(answer(options)),
  }
}

async function* once(reply: GeneratedReply | Promise<GeneratedReply>): AsyncGenerator<GeneratedReply> {
  yield await reply
}

function requestOf(options: LanguageModelV4CallOptions): ModelRequest {
  const last = options.prompt.findLast(({ role }) => role === 'user') as Extract<LanguageModelV4Message, { role: 'user' }> | undefined
  const tools = (options.tools ?? []).filter((tool): tool is LanguageModelV4FunctionTool => tool.type === 'function')
  const text = last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
  return { text, messages: options.prompt, tools, signal: options.abortSignal, options }
}

const count = expected.finite(0)
const callShape: Shape = { tool: expected.required(expected.name), input: expected.anything, id: expected.text }
const replyShape: Shape = {
  text: expected.text,
  reasoning: expected.text,
  calls: { words: 'a list of { tool, input }', fits: Array.isArray },
  usage: expected.options({ input: expected.required(count), output: expected.required(count) }),
  finish: expected.oneOf('stop', 'length', 'content-filter', 'tool-calls'),
}

/** Refuses what is no reply. */
function checkReply(reply: Exclude<GeneratedReply, string>): Exclude<GeneratedReply, string> {
  try {
    checkOptions('the reply', reply, replyShape)
    for (const call of reply.calls ?? []) checkOptions('a call', call, callShape)
    return reply
  } catch (error) {
    return refuse(reply, (error as LoomError).message)
  }
}

function refuse(returned: unknown, problem = ''): never {
  const reply = shown(returned)
  const advice =
    'Return a text, or { text, reasoning, calls: [{ tool, input }], usage: { input, output }, finish }; from stream, an iterable of them.'
  const message = `A custom model returned what is no reply: ${reply}. ${problem === '' ? '' : `${problem} `}${advice}`
  throw new LoomError('LOOM_MODEL_INVALID', message, { context: { reply } })
}

/** The stream parts of a reply that comes in pieces. */
async function* partsOf(
  pieces: AsyncIterable<GeneratedReply> | Iterable<GeneratedReply>,
  { prompt }: LanguageModelV4CallOptions,
): AsyncGenerator<Part> {
  let block: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  let blocks = 0
  let calls = 0
  let usage: LanguageModelV4Usage = usageOf(undefined)
  let finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | undefined
  const write = (kind: 'text' | 'reasoning', delta: string | undefined): Part[] => {
    if (delta === undefined || delta === '') return []
    const opened: Part[] = block?.kind === kind ? [] : close()
    if (block?.kind !== kind) {
      block = { kind, id: String(blocks++) }
      opened.push({ type: `${kind}-start`, id: block.id })
    }
    return [...opened, { type: `${kind}-delta`, id: block.id, delta }]
  }
  const close = (): Part[] => {
    const ended: Part[] = block ? [{ type: `${block.kind}-end`, id: block.id }] : []
    block = undefined
    return ended
  }
  yield { type: 'stream-start', warnings: [] }
  for await (const piece of pieces) {
    const reply = typeof piece === 'string' ? { text: piece } : checkReply(piece)
    yield* write('reasoning', reply.reasoning)
    yield* write('text', reply.text)
    for (const { tool, input = {}, id } of reply.calls ?? []) {
      yield* close()
      // The place of the reply and of the call: the same conversation gives the same ids.
      const toolCallId = id ?? `call_${prompt.length}_${calls}`
      calls += 1
      yield { type: 'tool-call', toolCallId, toolName: tool, input: typeof input === 'string' ? input : JSON.stringify(input) }
    }
    if (reply.usage) usage = usageOf(reply.usage)
    finish = reply.finish ?? finish
  }
  yield* close()
  yield { type: 'finish', usage, finishReason: { unified: finish ?? (calls > 0 ? 'tool-calls' : 'stop'), raw: undefined } }
}

const usageOf = (usage: { readonly input: number; readonly output: number } | undefined): LanguageModelV4Usage => ({
  inputTokens: { total: usage?.input, noCache: usage?.input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: usage?.output, text: usage?.output, reasoning: undefined },
})

function streamFrom(parts: AsyncGenerator<Part>): Parts {
  const next = async (): Promise<Part | undefined> => {
    const { done, value } = await parts.next()
    return done ? undefined : value
  }
  return pullStream({ next, cancel: () => void parts.return(undefined).catch(() => {}) })
}

/** A reply in one piece. */
async function gather(parts: AsyncGenerator<Part>): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4GenerateResult['content'] = []
  const texts = new Map<string, { type: 'text' | 'reasoning'; text: string }>()
  for await (const part of parts) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const block = { type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const), text: '' }
      texts.set(part.id, block)
      content.push(block)
    } else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const block = texts.get(part.id)
      if (block) block.text += part.delta
    } else if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'finish') return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] }
  }
  throw new Error('the reply has no end')
}
