/** A model that proposes one call and nothing else: how a tool is tried by hand, under all rules that hold for a model's calls. */
import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/** A model that calls a tool once. */
export function oneCallModel(tool: string, input: unknown): LanguageModelV4 {
  const call = { type: 'tool-call', toolCallId: 'tried', toolName: tool, input: JSON.stringify(input) } as const
  const finishReason = { unified: 'tool-calls', raw: undefined } as const
  return {
    specificationVersion: 'v4',
    provider: 'loom',
    modelId: 'by-hand',
    supportedUrls: {},
    doGenerate() {
      return Promise.reject(new LoomError('LOOM_MODEL_FAILED', 'A call by hand is streamed only.'))
    },
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] })
          controller.enqueue(call)
          controller.enqueue({ type: 'finish', usage, finishReason })
          controller.close()
        },
      }),
    }),
  }
}
