/** Recorded replies and failures, as a model would send them. */
import { modelFailedWords } from '@loom-agent/agent/kit'
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@loom-agent/agent/language-model'
import { type EventOf, type Json, LoomError, type LoomErrorCode, type ModelReply, type Part, type Usage } from '@loom-agent/kernel'

/** A stream of the recorded reply. */
export function streamOfReply(reply: ModelReply): ReadableStream<LanguageModelV4StreamPart> {
  const { parts, usage, finish, model, meta, warnings = [] } = reply
  const unified = finish as Extract<LanguageModelV4StreamPart, { type: 'finish' }>['finishReason']['unified']
  return streamOf([
    loosely({ type: 'stream-start', warnings }),
    ...(model === undefined ? [] : [{ type: 'response-metadata', modelId: model } as const]),
    ...parts.flatMap(partsOf),
    { type: 'finish', usage: usageOf(usage), finishReason: { unified, raw: finish }, ...metaOf(meta) },
  ])
}

function streamOf(parts: readonly LanguageModelV4StreamPart[], failing?: () => Promise<never>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      if (!failing) controller.close()
    },
    // The parts are read before the failure is.
    pull: () => failing?.(),
  })
}

const metaOf = (meta: unknown): object => (meta === undefined ? {} : { providerMetadata: meta })

function partsOf(part: Part, index: number): LanguageModelV4StreamPart[] {
  const id = String(index)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [
        { type: `${part.type}-start`, id, ...metaOf(part.meta) },
        ...(part.text === '' ? [] : [{ type: `${part.type}-delta`, id, delta: part.text } as const]),
        { type: `${part.type}-end`, id },
      ]
    case 'call':
      return [
        { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.malformed ?? JSON.stringify(part.input), ...metaOf(part.meta) },
      ]
    case 'file':
      return [loosely({ type: 'file', mediaType: part.mediaType, data: fileData(part.data), ...metaOf(part.meta) })]
    case 'provider':
      return [loosely(part.part as object)]
    case 'data':
      return []
  }
}

/** Parts that Loom keeps unchanged are sent unchanged. */
const loosely = (part: object): LanguageModelV4StreamPart => part as LanguageModelV4StreamPart

const fileData = (data: Json | object): object =>
  typeof data === 'string' ? { type: 'data', data } : { type: 'url', url: (data as { readonly url?: string }).url }

function usageOf({ input, output, cacheRead, cacheWrite, reasoning }: Usage): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite },
    outputTokens: { total: output, text: undefined, reasoning },
  }
}

/** The failure as a model would have thrown it: what Loom makes of it is what was recorded. */
export function errorOfFailure({ data: { attempt, error, retryAt }, time }: EventOf<'model.failed'>): Error {
  const retryAfterMs = retryAt === undefined ? undefined : Math.max(0, retryAt - time)
  const { code, message, context = {} } = error
  if (!message.startsWith(modelFailedWords)) {
    return new LoomError(code as LoomErrorCode, message, { context: { ...context, ...(retryAfterMs !== undefined && { retryAfterMs }) } })
  }
  const { status } = context
  return Object.assign(new Error(message.slice(modelFailedWords.length)), {
    ...(typeof status === 'number' && { statusCode: status }),
    // An attempt that came after another was worth one; whether the last would have been is not known.
    isRetryable: retryAt !== undefined || attempt > 1,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** What the model had sent before it failed, and then its failure, which may come later. */
export function streamOfFailure(
  { data: { partial = '' } }: EventOf<'model.failed'>,
  failing: () => Promise<never>,
): ReadableStream<LanguageModelV4StreamPart> {
  const said: readonly LanguageModelV4StreamPart[] =
    partial === ''
      ? []
      : [
          { type: 'text-start', id: '0' },
          { type: 'text-delta', id: '0', delta: partial },
        ]
  return streamOf(said, failing)
}
