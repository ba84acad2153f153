/** The model of the benches: no latency, O(1), and it checks that the whole history is in every prompt. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { argumentsOf } from './payload.ts'

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

/** How a bench model behaves. */
export interface BenchModelOptions {
  readonly turns: number
  /** Messages that are there before the first reply: instructions and input. */
  readonly before?: number
  /** Called at the start of each request with its number, from 1. */
  readonly onRequest?: (number: number) => void
}

/** A model that calls the tool `look` once a turn, then answers. */
export function benchModel({ turns, before = 2, onRequest }: BenchModelOptions): LanguageModelV4 {
  let requests = 0
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('the benches stream')),
    async doStream({ prompt }) {
      if (prompt.length !== before + 2 * requests) throw new Error(`the prompt has ${prompt.length} messages, not ${before + 2 * requests}`)
      requests += 1
      onRequest?.(requests)
      return { stream: streamOf(requests <= turns ? callParts(requests) : answerParts) }
    },
  }
}

const finish = (unified: 'tool-calls' | 'stop'): LanguageModelV4StreamPart => ({ type: 'finish', usage, finishReason: { unified, raw: unified } })

const callParts = (turn: number): readonly LanguageModelV4StreamPart[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'tool-call', toolCallId: `call-${turn}`, toolName: 'look', input: argumentsOf(turn) },
  finish('tool-calls'),
]

const answerParts: readonly LanguageModelV4StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'done' },
  { type: 'text-end', id: '0' },
  finish('stop'),
]

/** Parts that are there at once. */
export function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}
