/** Everything that a model reads of a request, as texts: messages, results, files, and the descriptions of tools. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@loom-agent/agent/language-model'

/** All texts of a request, in order; those of tools come first. */
export function textsOf({ prompt, tools = [] }: LanguageModelV4CallOptions): readonly string[] {
  const described = tools.flatMap((tool) => (tool.type === 'function' ? [tool.description ?? '', JSON.stringify(tool.inputSchema)] : []))
  return [...described, ...prompt.flatMap(saidIn)].filter((text) => text !== '')
}

function saidIn({ role, content }: LanguageModelV4Message): readonly string[] {
  if (role === 'system') return [content]
  // What the model itself has said and called is no instruction.
  if (role === 'assistant') return []
  return content.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    if (part.type === 'file') return [textOfFile(part)]
    return part.type === 'tool-result' ? [textOfOutput(part.output)] : []
  })
}

/** The latest result of each tool. */
export function latestResults({ prompt }: LanguageModelV4CallOptions): ReadonlyMap<string, string> {
  const results = new Map<string, string>()
  for (const { role, content } of prompt) {
    if (role !== 'tool') continue
    for (const part of content) if (part.type === 'tool-result') results.set(part.toolName, textOfOutput(part.output))
  }
  return results
}

type Content = Exclude<Extract<LanguageModelV4Message, { role: 'user' | 'tool' }>['content'][number], { type: 'text' }>
type FilePart = Extract<Content, { type: 'file' }>
type ResultPart = Extract<Content, { type: 'tool-result' }>

function textOfFile({ mediaType, data }: FilePart): string {
  if (!mediaType.startsWith('text/')) return ''
  const { data: bytes } = data as { readonly data?: unknown }
  if (bytes instanceof Uint8Array) return new TextDecoder().decode(bytes)
  if (typeof bytes !== 'string') return ''
  return atob(bytes)
}

function textOfOutput(output: ResultPart['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    default:
      return ''
  }
}
