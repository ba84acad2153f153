/** Prompts of the language model specification v4: what a model is sent. */
import type { Json, JsonObject } from './json.ts'

/** Options for providers, by provider name. */
export type SharedV4ProviderOptions = Record<string, JsonObject>

/** What a provider says about a part, by provider name. */
export type SharedV4ProviderMetadata = Record<string, JsonObject>

/** A file as bytes or base64 text. */
export interface SharedV4FileDataData {
  type: 'data'
  data: Uint8Array | string
}

/** A file at an address. */
export interface SharedV4FileDataUrl {
  type: 'url'
  url: URL
  originalUrl?: string
}

/** A file in any of the forms that a prompt can carry. */
export type SharedV4FileData =
  | SharedV4FileDataData
  | SharedV4FileDataUrl
  | { type: 'reference'; reference: Record<string, string> & { type?: never } }
  | { type: 'text'; text: string }

interface PromptPart {
  providerOptions?: SharedV4ProviderOptions
}

/** Text in a message. */
export interface LanguageModelV4TextPart extends PromptPart {
  type: 'text'
  text: string
}

/** Reasoning in a message of the assistant. */
export interface LanguageModelV4ReasoningPart extends PromptPart {
  type: 'reasoning'
  text: string
}

/** A file that belongs to the assistant's reasoning. */
export interface LanguageModelV4ReasoningFilePart extends PromptPart {
  type: 'reasoning-file'
  data: SharedV4FileDataData | SharedV4FileDataUrl
  mediaType: string
}

/** A part that only its provider understands. */
export interface LanguageModelV4CustomPart extends PromptPart {
  type: 'custom'
  kind: `${string}.${string}`
}

/** A file in a message. */
export interface LanguageModelV4FilePart extends PromptPart {
  type: 'file'
  filename?: string
  data: SharedV4FileData
  mediaType: string
}

/** A tool call in a message of the assistant; its input is parsed. */
export interface LanguageModelV4ToolCallPart extends PromptPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  providerExecuted?: boolean
}

/** The result of a tool call. */
export interface LanguageModelV4ToolResultPart extends PromptPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: LanguageModelV4ToolResultOutput
}

/** The answer to a provider's own approval request. */
export interface LanguageModelV4ToolApprovalResponsePart extends PromptPart {
  type: 'tool-approval-response'
  approvalId: string
  approved: boolean
  reason?: string
}

/** What a tool call came to. */
export type LanguageModelV4ToolResultOutput =
  | { type: 'text' | 'error-text'; value: string; providerOptions?: SharedV4ProviderOptions }
  | { type: 'json' | 'error-json'; value: Json; providerOptions?: SharedV4ProviderOptions }
  | { type: 'execution-denied'; reason?: string; providerOptions?: SharedV4ProviderOptions }
  | { type: 'content'; value: ToolResultContent[] }

type ToolResultContent =
  | { type: 'text'; text: string; providerOptions?: SharedV4ProviderOptions }
  | { type: 'file'; data: SharedV4FileData; mediaType: string; filename?: string; providerOptions?: SharedV4ProviderOptions }
  | { type: 'custom'; providerOptions?: SharedV4ProviderOptions }

/** One message of a prompt. */
export type LanguageModelV4Message = (
  | { role: 'system'; content: string }
  | { role: 'user'; content: (LanguageModelV4TextPart | LanguageModelV4FilePart)[] }
  | { role: 'assistant'; content: AssistantPart[] }
  | { role: 'tool'; content: (LanguageModelV4ToolResultPart | LanguageModelV4ToolApprovalResponsePart)[] }
) & { providerOptions?: SharedV4ProviderOptions }

type AssistantPart =
  | LanguageModelV4TextPart
  | LanguageModelV4FilePart
  | LanguageModelV4CustomPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ReasoningFilePart
  | LanguageModelV4ToolCallPart
  | LanguageModelV4ToolResultPart

/** The messages that a model is sent. */
export type LanguageModelV4Prompt = LanguageModelV4Message[]
