/** Tokens of messages and tools in the form in which they are sent: those of a message that is sent whole are those of the message itself. */
import type { FilePart } from '@loom-agent/kernel'
import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '../language-model/index.ts'
import { aroundCall, aroundMessage, aroundTool, type CountText, evened, tokensInFile } from './message-tokens.ts'

/** A part of a message, in any version of the specification. */
interface WirePart {
  readonly type?: unknown
  readonly text?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly output?: { readonly type?: unknown; readonly value?: unknown; readonly reason?: unknown }
}

/** The tokens of a message as it is sent. */
export function tokensInWireMessage({ content }: LanguageModelV4Message, count: CountText): number {
  if (typeof content === 'string') return evened(count(content))
  let tokens = aroundMessage
  for (const part of content) tokens += tokensInPart(part, count)
  return evened(tokens)
}

/** The tokens of a tool as it is sent. */
export function tokensInWireTool({ name, description = '', inputSchema }: LanguageModelV4FunctionTool, count: CountText): number {
  return evened(aroundTool + count(name) + count(description) + count(JSON.stringify(inputSchema)))
}

function tokensInPart(part: WirePart, count: CountText): number {
  const { type, text, toolName, input, output } = part
  if (type === 'text' || type === 'reasoning') return count(String(text))
  if (type === 'tool-call') return aroundCall + count(String(toolName)) + count(JSON.stringify(input) ?? '')
  if (type === 'tool-result' && output) return aroundCall + count(String(toolName)) + tokensInOutput(output, count)
  return isWireFile(part) ? tokensInWireFile(part) : count(JSON.stringify(part))
}

function tokensInOutput({ type, value, reason }: NonNullable<WirePart['output']>, count: CountText): number {
  if (type === 'content' && Array.isArray(value)) {
    let tokens = 0
    for (const part of value) tokens += tokensInPart(part as WirePart, count)
    return tokens
  }
  const text = value ?? reason ?? ''
  return count(typeof text === 'string' && type !== 'json' ? text : JSON.stringify(text))
}

/** A file as it is sent. */
export interface WireFile {
  readonly mediaType: unknown
  readonly data: unknown
}

/** Whether a part is a file. Only parts are: arguments and results inside them are data, whatever they look like. */
export const isWireFile = (part: unknown): part is WireFile => typeof part === 'object' && part !== null && 'mediaType' in part && 'data' in part

/** The tokens of a file, by its kind and its size. */
export const tokensInWireFile = ({ mediaType, data }: WireFile): number => tokensInFile({ mediaType: String(mediaType), data: dataOf(data) })

/** Versions of the specification have the bytes, an address, or one of them in an object. */
function dataOf(data: unknown): FilePart['data'] {
  if (typeof data === 'string') return data
  if (data instanceof Uint8Array) return { $blob: '', bytes: data.length }
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined
  return inner === undefined ? { url: '' } : dataOf(inner)
}
