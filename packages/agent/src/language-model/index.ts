/**
 * The language model specification v4 of the AI SDK as structural types: every model object that implements it is accepted, and Loom's own models are
 * accepted wherever one is expected. A program compiles with these types whether or not the AI SDK is installed.
 *
 * SPEC-1. Each type here and its namesake in `@ai-sdk/provider` are assignable to each other (test/types/language-model.test-d.ts).
 */
import type { JsonObject, JsonSchema } from './json.ts'
import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from './prompt.ts'
import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart, LanguageModelV4StreamResult } from './reply.ts'

export type { Json, JsonObject, JsonSchema } from './json.ts'
export type {
  LanguageModelV4CustomPart,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningFilePart,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolApprovalResponsePart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4FileData,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
} from './prompt.ts'
export type {
  LanguageModelV4Content,
  LanguageModelV4File,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Reasoning,
  LanguageModelV4ResponseMetadata,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Text,
  LanguageModelV4ToolApprovalRequest,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
  LanguageModelV4Usage,
  SharedV4Warning,
} from './reply.ts'

/** A tool that the model may call. */
export interface LanguageModelV4FunctionTool {
  type: 'function'
  name: string
  description?: string
  inputSchema: JsonSchema
  inputExamples?: { input: JsonObject }[]
  strict?: boolean
  providerOptions?: SharedV4ProviderOptions
}

/** A tool that the provider runs itself. */
export interface LanguageModelV4ProviderTool {
  type: 'provider'
  id: `${string}.${string}`
  name: string
  args: Record<string, unknown>
}

/** Whether the model may, must or must not call a tool. */
export type LanguageModelV4ToolChoice = { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string }

/** What a model is called with. */
export interface LanguageModelV4CallOptions {
  prompt: LanguageModelV4Prompt
  maxOutputTokens?: number
  temperature?: number
  stopSequences?: string[]
  topP?: number
  topK?: number
  presencePenalty?: number
  frequencyPenalty?: number
  responseFormat?: { type: 'text' } | { type: 'json'; schema?: JsonSchema; name?: string; description?: string }
  seed?: number
  tools?: (LanguageModelV4FunctionTool | LanguageModelV4ProviderTool)[]
  toolChoice?: LanguageModelV4ToolChoice
  includeRawChunks?: boolean
  abortSignal?: AbortSignal
  headers?: Record<string, string | undefined>
  reasoning?: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  providerOptions?: SharedV4ProviderOptions
}

/** A language model. */
export interface LanguageModelV4 {
  readonly specificationVersion: 'v4'
  readonly provider: string
  readonly modelId: string
  supportedUrls: PromiseLike<Record<string, RegExp[]>> | Record<string, RegExp[]>
  doGenerate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult>
  doStream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult>
}

/** What models of the specifications v2 and v3 have in common: what they stream is read by one reader. */
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
