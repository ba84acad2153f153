/** Models of the specifications v2 and v3, as far as they differ from v4: what they stream is read by one reader. */
import type { LanguageModelV4StreamPart } from './reply.ts'

interface OlderModel {
  readonly provider: string
  readonly modelId: string
  supportedUrls: PromiseLike<Record<string, RegExp[]>> | Record<string, RegExp[]>
  doGenerate(options: never): PromiseLike<object>
  doStream(options: never): PromiseLike<{ stream: ReadableStream<OlderStreamPart> }>
}

/** A model of specification v3. */
export interface LanguageModelV3 extends OlderModel {
  readonly specificationVersion: 'v3'
}

/** A model of specification v2. */
export interface LanguageModelV2 extends OlderModel {
  readonly specificationVersion: 'v2'
}

/** Files were data, not tagged; v2 counted tokens in flat fields and named its finish reason in one word. */
export type OlderStreamPart =
  | Exclude<LanguageModelV4StreamPart, { type: 'file' | 'finish' | 'stream-start' | 'source' | 'tool-result' | 'tool-approval-request' }>
  | { type: 'file'; mediaType: string; data: string | Uint8Array }
  | { type: 'finish'; usage: OlderUsage; finishReason: string | { unified: string } }
  | { type: 'stream-start' | 'source' | 'tool-result' | 'tool-approval-request' }

interface OlderUsage {
  inputTokens: number | undefined | { total: number | undefined; cacheRead: number | undefined; cacheWrite: number | undefined }
  outputTokens: number | undefined | { total: number | undefined; reasoning: number | undefined }
  reasoningTokens?: number | undefined
  cachedInputTokens?: number | undefined
}
