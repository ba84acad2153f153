/**
 * From the history to the wire: each entry becomes a message once, in the specification version of the model.
 *
 * Without an audience everything is rendered as it was said. For a model only what its vendor takes is rendered: nothing that only another vendor
 * understands, system texts at the front only, no blank texts, and no reasoning that nothing follows.
 */
import type { CallPart, CallResult, Entry, FilePart, Json, Message, Output, Part, ToolSpec } from '@loom-agent/kernel'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { beginsWithThought, isFilled, partsFor, type WirePart } from '../model/adapt.ts'
import type { SpecVersion } from '../model/model.ts'
import type { Vendor } from '../model/vendor.ts'
import { createWireIds, wireName } from '../model/wire-names.ts'
import { wireSchemaOf } from '../model/wire-schema.ts'
import { textOf } from '../types/text-of.ts'
import { namesFound } from './searched.ts'

/** The longest piece of unreadable arguments that a model is shown again. */
const malformedShown = 2000

/** Renders entries one after another and keeps the wire's call ids unique. */
export interface Renderer {
  render(entry: Entry): LanguageModelV4Message | undefined
  /** Notes that something was said that is no entry. */
  open(): void
  /** Whether the exchange with the latest calls started without reasoning of the vendor's own. */
  readonly isUnthought: boolean
}

/** The model that messages are rendered for. */
export interface Audience {
  readonly vendor: Vendor
  readonly tools: readonly ToolSpec[]
}

/** A renderer for one conversation: providers may repeat call ids across turns, the wire may not. */
export function createRenderer(spec: SpecVersion, audience?: Audience): Renderer {
  const ids = createWireIds()
  const wrapped = new Set(audience?.tools.flatMap(({ name, schema }) => (wireSchemaOf(schema).isWrapped ? [name] : [])))
  const deferred = new Set(spec === 'v4' && audience ? audience.tools.flatMap(({ name, deferred }) => (deferred ? [name] : [])) : [])
  let current = new Map<string, string>()
  let imported = 0
  let isOpen = false
  /** How the exchange under way started; undefined before the first message of the assistant. */
  let began: 'with a thought' | 'without' | undefined

  const callOf = (part: CallPart, place: string, key: string): WirePart => {
    const id = ids.of(part.id, place)
    current.set(key, id)
    const input = wrapped.has(part.name) && part.malformed === undefined ? { value: part.input } : inputOf(part)
    return wirePart({ input, toolCallId: id, toolName: wireName(part.name), type: 'tool-call', ...options(part.meta) })
  }

  const assistant = (parts: readonly Part[], turn: number): LanguageModelV4Message | undefined => {
    current = new Map()
    let index = 0
    const whole = parts.flatMap((part): WirePart[] => {
      if (part.type === 'provider' && !isSentBack(part.part)) return []
      if (part.type !== 'call') return [contentOf(part, spec)]
      return [turn === 0 ? callOf(part, `i${imported++}`, part.id) : callOf(part, `${turn}.${index}`, `${turn}.${index++}`)]
    })
    const content = audience ? partsFor(audience.vendor, whole) : whole
    if (content.length === 0) return undefined
    began ??= beginsWithThought(content) ? 'with a thought' : 'without'
    return wire({ role: 'assistant', content })
  }

  const fromUser = ({ role, parts }: Exclude<Message, { role: 'tool' }>): LanguageModelV4Message | undefined => {
    const whole = parts.map((part) => contentOf(part, spec))
    const content = audience ? whole.filter(isFilled) : whole
    if (audience && content.length === 0) return undefined
    const text = textOf(parts)
    if (role === 'system' && !(audience && isOpen)) return wire({ role, content: text })
    began = undefined
    return wire({ role: 'user', content: role === 'system' ? [{ type: 'text', text: `System message: ${text}` }] : content })
  }

  return {
    render({ message, turn, origin }) {
      if (message.role === 'tool') {
        const results = message.results.map((result) => {
          const id = current.get(result.call || result.id) ?? result.id
          return referencePart(result, id, deferred) ?? resultPart(result, id, spec)
        })
        return wire({ role: 'tool', content: results })
      }
      const rendered = message.role === 'assistant' ? assistant(message.parts, origin === 'reply' ? turn : 0) : fromUser(message)
      isOpen ||= rendered !== undefined && rendered.role !== 'system'
      return rendered
    },
    open() {
      isOpen = true
    },
    get isUnthought() {
      return began === 'without'
    },
  }
}

/** The versions differ in few places, and the renderer handles those. */
const wire = (message: { role: string; content: unknown }): LanguageModelV4Message => message as LanguageModelV4Message

/** Parts have more fields than the renderer looks at. Those of every turn have them in order: the digest need not sort them. */
const wirePart = (part: WirePart & { readonly [key: string]: unknown }): WirePart => part

const options = (meta: unknown): object => (meta === undefined ? {} : { providerOptions: meta })

function inputOf({ input, malformed }: CallPart): Json {
  if (malformed !== undefined) return { malformedArguments: malformed.slice(0, malformedShown) }
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { value: input }
}

function contentOf(part: Part, spec: SpecVersion): WirePart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...options(part.meta) }
    case 'data':
      return { type: 'text', text: JSON.stringify(part.data) }
    case 'file':
      return wirePart({
        type: 'file',
        mediaType: part.mediaType,
        data: fileData(part, spec),
        ...(part.name && { filename: part.name }),
        ...options(part.meta),
      })
    case 'provider':
      return providerPart(part.part)
    case 'call':
      return wirePart({ type: 'tool-call', toolCallId: part.id, toolName: wireName(part.name), input: inputOf(part) })
  }
}

function fileData({ data }: FilePart, spec: SpecVersion): unknown {
  const url = typeof data === 'object' && 'url' in data ? new URL(data.url) : undefined
  if (spec !== 'v4') return url ?? data
  return url ? { type: 'url', url } : { type: 'data', data }
}

/** Whether a provider wants a part to be sent back; sources and the like are for people. */
const isSentBack = (part: Json): boolean => ['custom', 'reasoning-file', 'tool-call', 'tool-result'].includes((part as { type: string }).type)

/** A part that only the provider understands goes back as it came, its metadata under the prompt's name for it. */
function providerPart(part: Json): WirePart {
  const { providerMetadata, result, input, ...rest } = part as { providerMetadata?: Json; result?: Json; input?: Json; type: string }
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
  return { output: outputPart(result.output, spec), toolCallId: id, toolName: wireName(result.name), type: 'tool-result' }
}

/** The result of a search for tools, where the provider shows those that it refers to. */
function referencePart(result: CallResult, id: string, deferred: ReadonlySet<string>): unknown {
  const names = deferred.size > 0 ? namesFound(result).filter((name) => deferred.has(name)) : []
  if (names.length === 0) return undefined
  const value = names.map((toolName) => ({ type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName } } }))
  return { output: { type: 'content', value }, toolCallId: id, toolName: wireName(result.name), type: 'tool-result' }
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
