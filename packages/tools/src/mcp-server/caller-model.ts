/** The model of a served tool: it calls the tool with the arguments that a client gave, and answers when it has the result. It is code, and no language model. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@loom-agent/agent/language-model'

type Usage = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage']

const usage: Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/** What the input of a run says that is to be called. */
export interface Called {
  readonly tool: string
  readonly input: unknown
}

/** Makes the model. The same thread gives the same replies, in any process. */
export function callerModel(): LanguageModelV4 {
  const partsFor: (options: Parameters<LanguageModelV4['doStream']>[0]) => readonly LanguageModelV4StreamPart[] = ({ prompt }) => {
    const last = prompt.at(-1)
    const text = last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : undefined
    if (text === undefined) {
      return [
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'Called.' },
        { type: 'text-end', id: '0' },
        { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } },
      ]
    }
    const { tool, input } = JSON.parse(text) as Called
    return [
      { type: 'tool-call', toolCallId: 'call_0', toolName: tool, input: JSON.stringify(input) },
      { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: undefined } },
    ]
  }
  return {
    specificationVersion: 'v4',
    provider: 'loom',
    modelId: 'mcp-call',
    supportedUrls: {},
    doStream: async (options) => ({ stream: streamOf([{ type: 'stream-start', warnings: [] }, ...partsFor(options)]) }),
    doGenerate: () => Promise.reject(new Error('It is streamed only.')),
  }
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}
