/** Replies of the language model specification v4: whole, or as a stream of parts. */
import type { Json, JsonObject } from './json.ts'
import type { SharedV4FileDataData, SharedV4FileDataUrl, SharedV4ProviderMetadata } from './prompt.ts'

interface ReplyPart {
  providerMetadata?: SharedV4ProviderMetadata
}

/** Text of a reply. */
export type LanguageModelV4Text = ReplyPart & { type: 'text'; text: string; citations?: LanguageModelV4Citation[] }

/** A place in the text that a source stands behind. */
export interface LanguageModelV4Citation {
  source: LanguageModelV4Source
  startIndex?: number
  endIndex?: number
  citedText?: string
}

/** Reasoning of a reply. */
export type LanguageModelV4Reasoning = ReplyPart & { type: 'reasoning'; text: string }

/** A file that the model made. */
export type LanguageModelV4File = ReplyPart & { type: 'file'; mediaType: string; data: SharedV4FileDataData | SharedV4FileDataUrl }

/** A file of the model's reasoning. */
export type LanguageModelV4ReasoningFile = ReplyPart & {
  type: 'reasoning-file'
  mediaType: string
  data: SharedV4FileDataData | SharedV4FileDataUrl
}

/** A part that only its provider understands. */
export type LanguageModelV4CustomContent = ReplyPart & { type: 'custom'; kind: `${string}.${string}` }

/** A source that the model used. */
export type LanguageModelV4Source =
  | (ReplyPart & { type: 'source'; sourceType: 'url'; id: string; url: string; title?: string })
  | (ReplyPart & { type: 'source'; sourceType: 'document'; id: string; mediaType: string; title: string; filename?: string })

/** A provider's own approval request. */
export type LanguageModelV4ToolApprovalRequest = ReplyPart & { type: 'tool-approval-request'; approvalId: string; toolCallId: string }

/** A tool call; its input is JSON text. */
export type LanguageModelV4ToolCall = ReplyPart & {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: string
  providerExecuted?: boolean
  dynamic?: boolean
}

/** The result of a tool that the provider ran itself. */
export type LanguageModelV4ToolResult = ReplyPart & {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  result: NonNullable<Json>
  isError?: boolean
  preliminary?: boolean
  dynamic?: boolean
}

/** A part of a whole reply. */
export type LanguageModelV4Content =
  | LanguageModelV4Text
  | LanguageModelV4Reasoning
  | LanguageModelV4CustomContent
  | LanguageModelV4ReasoningFile
  | LanguageModelV4File
  | LanguageModelV4ToolApprovalRequest
  | LanguageModelV4Source
  | LanguageModelV4ToolCall
  | LanguageModelV4ToolResult

/** Why the model stopped: in the words of the specification, and in the provider's own. */
export interface LanguageModelV4FinishReason {
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other'
  raw: string | undefined
}

/** Tokens of a call, as far as the provider counted them. */
export interface LanguageModelV4Usage {
  inputTokens: { total: number | undefined; noCache: number | undefined; cacheRead: number | undefined; cacheWrite: number | undefined }
  outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined }
  raw?: JsonObject
}

/** What a provider says about its response. */
export interface LanguageModelV4ResponseMetadata {
  id?: string
  timestamp?: Date
  modelId?: string
}

/** Something that the provider could not do as asked. */
export type SharedV4Warning =
  | { type: 'unsupported' | 'compatibility'; feature: string; details?: string }
  | { type: 'deprecated'; setting: string; message: string }
  | { type: 'other'; message: string }

/** A whole reply. */
export interface LanguageModelV4GenerateResult {
  content: LanguageModelV4Content[]
  structuredOutputText?: string
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
  providerMetadata?: SharedV4ProviderMetadata
  request?: { url?: string; body?: unknown }
  response?: LanguageModelV4ResponseMetadata & { headers?: Record<string, string>; body?: unknown }
  warnings: SharedV4Warning[]
}

/** A reply as a stream. */
export interface LanguageModelV4StreamResult {
  stream: ReadableStream<LanguageModelV4StreamPart>
  request?: { url?: string; body?: unknown }
  response?: { headers?: Record<string, string> }
}

/** A part of a streamed reply. Consumers pass over the types that they do not know. */
export type LanguageModelV4StreamPart =
  | (ReplyPart & { type: 'text-start' | 'reasoning-start' | 'reasoning-end'; id: string })
  | (ReplyPart & { type: 'text-end'; id: string; citations?: LanguageModelV4Citation[] })
  | (ReplyPart & { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string })
  | (ReplyPart & {
      type: 'tool-input-start'
      id: string
      toolName: string
      inputEncoding?: 'json' | 'text'
      providerExecuted?: boolean
      dynamic?: boolean
      title?: string
    })
  | (ReplyPart & { type: 'tool-input-delta'; id: string; delta: string })
  | (ReplyPart & { type: 'tool-input-end'; id: string })
  | Exclude<LanguageModelV4Content, { type: 'text' | 'reasoning' }>
  | { type: 'stream-start'; warnings: SharedV4Warning[] }
  | ({ type: 'response-metadata' } & LanguageModelV4ResponseMetadata)
  | (ReplyPart & { type: 'finish'; usage: LanguageModelV4Usage; finishReason: LanguageModelV4FinishReason })
  | { type: 'ping' }
  | { type: 'raw'; rawValue: unknown }
  | { type: 'error'; error: unknown }
