/** Replies in Google's generateContent format: parts, a few in every chunk. */
import { type Loose, parsed } from './loose.ts'
import type { Ready, ReplyFormat, StreamEvent, WireFinish } from './reply.ts'
import { seal } from './seal.ts'

const finishes: Readonly<Record<WireFinish, string>> = { stop: 'STOP', length: 'MAX_TOKENS', 'tool-calls': 'STOP', 'content-filter': 'SAFETY' }

/** A model that thought signs its first call, or the last piece of its answer. */
function partsOf({ number, model, reasoning, text, calls }: Ready): readonly Loose[] {
  const signs = reasoning.length > 0 || /gemini-3/.test(model)
  const signed = { thoughtSignature: seal(`thought ${number}`) }
  const last = calls.length === 0 ? text.length - 1 : -1
  return [
    ...reasoning.map((piece) => ({ text: piece, thought: true })),
    ...text.map((piece, index) => ({ text: piece, ...(signs && index === last && signed) })),
    ...calls.map(({ id, tool, json }, index) => ({
      functionCall: { id, name: tool, args: parsed(json) ?? {} },
      ...(signs && index === 0 && signed),
    })),
  ]
}

function usageOf({ usage }: Ready): Loose {
  const { input, cacheRead, cacheWrite, output, reasoning } = usage
  const prompt = input + cacheRead + cacheWrite
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: prompt + output,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  }
}

function responseOf(ready: Ready, parts: readonly Loose[], isLast: boolean): Loose {
  const ended = isLast ? { finishReason: finishes[ready.finish] } : {}
  return {
    candidates: [{ content: { parts, role: 'model' }, ...ended, index: 0 }],
    ...(isLast && { usageMetadata: usageOf(ready) }),
    modelVersion: ready.model,
    responseId: `response-${ready.number}`,
  }
}

/** GenerateContent of Google. */
export const googleFormat: ReplyFormat = {
  events(ready): readonly StreamEvent[] {
    const parts = partsOf(ready)
    const chunks = parts.length === 0 ? [[]] : parts.map((part) => [part])
    return chunks.map((chunk, index) => ({ data: responseOf(ready, chunk, index === chunks.length - 1) }))
  },
  whole: (ready) => responseOf(ready, partsOf(ready), true),
}
