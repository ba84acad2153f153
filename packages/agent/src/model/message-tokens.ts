/** Tokens of messages, calls, results, files and tools, as far as their texts show them. */
import type { CallPart, FilePart, Json, Message, Output, Part, ToolSpec } from '@loom-agent/kernel'

/** Counts the tokens of a text; not rounded, where it is an estimate. */
export type CountText = (text: string) => number

/** What vendors write around a message, around a call or its result, and around a tool, in tokens. */
export const aroundMessage = 4
export const aroundCall = 6
export const aroundTool = 8

/** A count in steps of 1/1024: sums of such counts are exact, in whatever order they are added. */
export const evened = (tokens: number): number => Math.round(tokens * 1024) / 1024

/** Only the vendor knows the tokens of a picture; one of common size has about this many. */
const tokensPerImage = 1500
/** Of a file by its address, nothing is known. */
const tokensPerAddress = 1500
/** Bytes of a token in documents, and in sound and film as vendors bill their seconds. */
const bytesPerToken = { text: 4, application: 40, audio: 500, video: 1000 } as const

/** The tokens of a message. */
export function tokensInMessage(message: Message, count: CountText): number {
  const within =
    message.role === 'tool'
      ? sum(message.results, ({ name, output }) => aroundCall + count(name) + tokensInOutput(output, count))
      : sum(message.parts, (part) => tokensInPart(part, count))
  return evened(aroundMessage + within)
}

/** The tokens of a list of tools. */
export function tokensInTools(tools: readonly ToolSpec[], count: CountText): number {
  return sum(tools, ({ name, description = '', schema }) => evened(aroundTool + count(name) + count(description) + count(JSON.stringify(schema))))
}

/** The tokens of a file, by its kind and its size. */
export function tokensInFile({ mediaType, data }: Pick<FilePart, 'mediaType' | 'data'>): number {
  const [kind = ''] = mediaType.split('/')
  if (kind === 'image') return tokensPerImage
  if (typeof data === 'object' && 'url' in data) return tokensPerAddress
  const bytes = typeof data === 'string' ? (data.length * 3) / 4 : data.bytes
  return Math.max(16, bytes / (bytesPerToken[kind as keyof typeof bytesPerToken] ?? bytesPerToken.application))
}

function tokensInPart(part: Part, count: CountText): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return count(part.text)
    case 'data':
      return count(JSON.stringify(part.data))
    case 'provider':
      return count(JSON.stringify(part.part))
    case 'file':
      return tokensInFile(part)
    case 'call':
      return tokensInCall(part, count)
  }
}

const tokensInCall = ({ name, input, malformed }: CallPart, count: CountText): number =>
  aroundCall + count(name) + (malformed === undefined ? count(jsonText(input)) : count(malformed))

function tokensInOutput(output: Output, count: CountText): number {
  if (output.type === 'parts') return sum(output.value, (part) => tokensInPart(part, count))
  return count(output.type === 'json' ? jsonText(output.value) : output.value)
}

const jsonText = (value: Json): string => JSON.stringify(value)

function sum<T>(values: readonly T[], tokensOf: (value: T) => number): number {
  let tokens = 0
  for (const value of values) tokens += tokensOf(value)
  return tokens
}
