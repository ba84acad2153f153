/** From the history to the wire: each entry becomes a message once, in the version the model speaks. */
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { CallPart, CallResult, Entry, FilePart, Json, Message, Output, Part } from '@loom-agent/kernel'
import type { SpecVersion } from '../model/model.ts'

/** The longest piece of unreadable arguments that a model is shown again. */
const malformedShown = 2000

/** Renders entries one after another and keeps the wire's call ids unique. */
export interface Renderer {
  render(entry: Entry): LanguageModelV4Message | undefined
}

/** A renderer for one conversation: providers may repeat call ids across turns, the wire may not. */
export function createRenderer(spec: SpecVersion): Renderer {
  const used = new Set<string>()
  let current = new Map<string, string>()

  const wireId = (part: CallPart, call: string): string => {
    const id = part.id === '' || used.has(part.id) ? `${part.id === '' ? 'call' : part.id}_${call.replace('.', '_')}` : part.id
    used.add(id)
    current.set(call, id)
    return id
  }

  const assistant = (parts: readonly Part[], turn: number): LanguageModelV4Message | undefined => {
    current = new Map()
    let index = 0
    const content = parts.flatMap((part): unknown[] => {
      if (part.type === 'provider' && !isSentBack(part.part)) return []
      if (part.type !== 'call') return [contentOf(part, spec)]
      const id = turn === 0 ? part.id : wireId(part, `${turn}.${index++}`)
      return [{ type: 'tool-call', toolCallId: id, toolName: part.name, input: inputOf(part), ...options(part.meta) }]
    })
    return content.length > 0 ? wire({ role: 'assistant', content }) : undefined
  }

  return {
    render({ message, turn, origin }) {
      if (message.role === 'tool') {
        return wire({
          role: 'tool',
          content: message.results.map((result) => resultPart(result, current.get(result.call) ?? result.id, spec)),
        })
      }
      if (message.role === 'assistant') return assistant(message.parts, origin === 'reply' ? turn : 0)
      if (message.role === 'system') return wire({ role: 'system', content: textOfAll(message) })
      return wire({ role: 'user', content: message.parts.map((part) => contentOf(part, spec)) })
    },
  }
}

/** The versions differ in few places, and the renderer has seen to those. */
const wire = (message: { role: string; content: unknown }): LanguageModelV4Message => message as LanguageModelV4Message

const options = (meta: unknown): object => (meta === undefined ? {} : { providerOptions: meta })

const textOfAll = (message: Exclude<Message, { role: 'tool' }>): string =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

function inputOf({ input, malformed }: CallPart): Json {
  if (malformed !== undefined) return { malformedArguments: malformed.slice(0, malformedShown) }
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { value: input }
}

function contentOf(part: Part, spec: SpecVersion): unknown {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...options(part.meta) }
    case 'data':
      return { type: 'text', text: JSON.stringify(part.data) }
    case 'file':
      return {
        type: 'file',
        mediaType: part.mediaType,
        data: fileData(part, spec),
        ...(part.name && { filename: part.name }),
        ...options(part.meta),
      }
    case 'provider':
      return providerPart(part.part)
    case 'call':
      return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: inputOf(part) }
  }
}

function fileData({ data }: FilePart, spec: SpecVersion): unknown {
  const url = typeof data === 'object' && 'url' in data ? new URL(data.url) : undefined
  if (spec !== 'v4') return url ?? data
  return url ? { type: 'url', url } : { type: 'data', data }
}

/** What a provider wants to see again; sources and the like are for people. */
const isSentBack = (part: Json): boolean => ['custom', 'reasoning-file', 'tool-call', 'tool-result'].includes((part as { type: string }).type)

/** A part that only the provider understands goes back as it came, its metadata under the prompt's name for it. */
function providerPart(part: Json): unknown {
  const { providerMetadata, result, input, ...rest } = part as { providerMetadata?: Json; result?: Json; input?: Json; type?: string }
  const value = result === undefined ? {} : { output: { type: 'json', value: result } }
  const parsed = typeof input === 'string' ? { input: parseLoosely(input) } : input === undefined ? {} : { input }
  return { ...rest, ...value, ...parsed, ...options(providerMetadata) }
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function resultPart(result: CallResult, id: string, spec: SpecVersion): unknown {
  return { type: 'tool-result', toolCallId: id, toolName: result.name, output: outputPart(result.output, spec) }
}

function outputPart(output: Output, spec: SpecVersion): unknown {
  switch (output.type) {
    case 'text':
    case 'json':
      return output
    case 'error':
      return { type: 'error-text', value: output.value }
    case 'denied':
      return spec === 'v2' ? { type: 'error-text', value: output.value } : { type: 'execution-denied', reason: output.value }
    case 'parts':
      return { type: 'content', value: output.value.map((part) => contentOf(part, spec)) }
  }
}
