/** The real providers, pointed at a wire server. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { WireServer } from '../../src/wire/server.ts'
import type { Wire } from '../../src/wire/wire.ts'

/** The model that each wire is driven with. */
export const modelIds: Readonly<Record<Wire, string>> = {
  'openai-chat': 'gpt-4.1',
  'openai-compatible': 'deepseek-reasoner',
  'openai-responses': 'gpt-5',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro-preview',
}

/** A provider's model on a wire. */
export function modelOn(wire: Wire, { baseURLs }: WireServer): LanguageModelV4 {
  const [baseURL, apiKey, id] = [baseURLs[wire], 'key', modelIds[wire]]
  if (wire === 'openai-chat') return createOpenAI({ baseURL, apiKey }).chat(id)
  if (wire === 'openai-responses') return createOpenAI({ baseURL, apiKey }).responses(id)
  if (wire === 'anthropic') return createAnthropic({ baseURL, apiKey })(id)
  if (wire === 'google') return createGoogle({ baseURL, apiKey })(id)
  return createOpenAICompatible({ name: 'deepseek', baseURL, apiKey, includeUsage: true }).chatModel(id)
}

/** A request with one tool. */
export const question: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'Be exact.' },
    { role: 'user', content: [{ type: 'text', text: 'How is it in Bern?' }] },
  ],
  tools: [{ type: 'function', name: 'weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }],
  maxOutputTokens: 4000,
}

/** All parts of a stream, and what it throws while it is read. */
export async function partsOf(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions = question,
): Promise<{ readonly parts: readonly LanguageModelV4StreamPart[]; readonly thrown?: unknown }> {
  const parts: LanguageModelV4StreamPart[] = []
  try {
    const { stream } = await model.doStream(options)
    const reader = stream.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
    return { parts }
  } catch (thrown) {
    return { parts, thrown }
  }
}

/** The parts of a type. */
export const ofType = <T extends LanguageModelV4StreamPart['type']>(
  parts: readonly LanguageModelV4StreamPart[],
  type: T,
): readonly Extract<LanguageModelV4StreamPart, { type: T }>[] =>
  parts.filter((part): part is Extract<LanguageModelV4StreamPart, { type: T }> => part.type === type)
