/** Recorded messages as an input: `agent.start` makes the recorded messages of it. */
import type { Input, InputPart, UserMessage, UserMessages } from '@loom-agent/agent'
import type { CallResult, FilePart, Message, Output, Part } from '@loom-agent/kernel'

type Content = Exclude<UserMessage['content'], string>[number]

/** An input that makes the given messages. */
export function inputOf(messages: readonly Message[]): Input {
  return messages.map(userMessage) satisfies UserMessages
}

function userMessage(message: Message): UserMessage {
  if (message.role === 'tool') return { role: 'tool', content: message.results.map(resultContent) }
  return { role: message.role, content: message.parts.map(partContent) }
}

const optionsOf = (part: { readonly meta?: unknown }): { providerOptions?: unknown } =>
  part.meta === undefined ? {} : { providerOptions: part.meta }

function partContent(part: Part): Content {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...optionsOf(part) }
    case 'file':
      return {
        type: 'file',
        mediaType: part.mediaType,
        data: dataOf(part.data),
        ...(part.name !== undefined && { name: part.name }),
        ...optionsOf(part),
      }
    case 'data':
      return { type: 'data', data: part.data }
    case 'call':
      return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input, ...optionsOf(part) }
    case 'provider':
      return part.part as object as Content
  }
}

const dataOf = (data: FilePart['data']): unknown =>
  typeof data === 'string' ? { type: 'data', data } : 'url' in data ? { type: 'url', url: data.url } : { type: 'data', data: '' }

const resultContent = ({ id, name, output }: CallResult): Content => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: name,
  output: outputContent(output),
})

function outputContent(output: Output): unknown {
  switch (output.type) {
    case 'error':
      return { type: 'error-text', value: output.value }
    case 'denied':
      return { type: 'execution-denied', reason: output.value }
    case 'parts':
      return { type: 'content', value: output.value.map(partContent) }
    default:
      return output
  }
}

/** Parts that a tool has given, as it gave them. */
export function contentOf(parts: readonly Part[]): readonly InputPart[] {
  return parts.map(partContent) as readonly object[] as readonly InputPart[]
}
