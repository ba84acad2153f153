// language-model/index.d.ts
/**
 * The language model specification v4 of the AI SDK as structural types: every model object that implements it is accepted, and Loom's own models are
 * accepted wherever one is expected. A program compiles with these types whether or not the AI SDK is installed.
 *
 * SPEC-1. Each type here and its namesake in `@ai-sdk/provider` are assignable to each other (test/types/language-model.test-d.ts).
 */
import type { JsonObject, JsonSchema } from './json.ts';
import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from './prompt.ts';
import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart, LanguageModelV4StreamResult } from './reply.ts';
export type { Json, JsonObject, JsonSchema } from './json.ts';
export type { LanguageModelV4CustomPart, LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ReasoningFilePart, LanguageModelV4ReasoningPart, LanguageModelV4TextPart, LanguageModelV4ToolApprovalResponsePart, LanguageModelV4ToolCallPart, LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart, SharedV4FileData, SharedV4ProviderMetadata, SharedV4ProviderOptions, } from './prompt.ts';
export type { LanguageModelV4Content, LanguageModelV4File, LanguageModelV4FinishReason, LanguageModelV4GenerateResult, LanguageModelV4Reasoning, LanguageModelV4ResponseMetadata, LanguageModelV4Source, LanguageModelV4StreamPart, LanguageModelV4StreamResult, LanguageModelV4Text, LanguageModelV4ToolApprovalRequest, LanguageModelV4ToolCall, LanguageModelV4ToolResult, LanguageModelV4Usage, SharedV4Warning, } from './reply.ts';
/** A tool that the model may call. */
export interface LanguageModelV4FunctionTool {
    type: 'function';
    name: string;
    description?: string;
    inputSchema: JsonSchema;
    inputExamples?: {
        input: JsonObject;
    }[];
    strict?: boolean;
    providerOptions?: SharedV4ProviderOptions;
}
/** A tool that the provider runs itself. */
export interface LanguageModelV4ProviderTool {
    type: 'provider';
    id: `${string}.${string}`;
    name: string;
    args: Record<string, unknown>;
}
/** Whether the model may, must or must not call a tool. */
export type LanguageModelV4ToolChoice = {
    type: 'auto' | 'none' | 'required';
} | {
    type: 'tool';
    toolName: string;
};
/** What a model is called with. */
export interface LanguageModelV4CallOptions {
    prompt: LanguageModelV4Prompt;
    maxOutputTokens?: number;
    temperature?: number;
    stopSequences?: string[];
    topP?: number;
    topK?: number;
    presencePenalty?: number;
    frequencyPenalty?: number;
    responseFormat?: {
        type: 'text';
    } | {
        type: 'json';
        schema?: JsonSchema;
        name?: string;
        description?: string;
    };
    seed?: number;
    tools?: (LanguageModelV4FunctionTool | LanguageModelV4ProviderTool)[];
    toolChoice?: LanguageModelV4ToolChoice;
    includeRawChunks?: boolean;
    abortSignal?: AbortSignal;
    headers?: Record<string, string | undefined>;
    reasoning?: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
    providerOptions?: SharedV4ProviderOptions;
}
/** A language model. */
export interface LanguageModelV4 {
    readonly specificationVersion: 'v4';
    readonly provider: string;
    readonly modelId: string;
    supportedUrls: PromiseLike<Record<string, RegExp[]>> | Record<string, RegExp[]>;
    doGenerate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult>;
    doStream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult>;
}
/** What models of the specifications v2 and v3 have in common: what they stream is read by one reader. */
interface OlderModel {
    readonly provider: string;
    readonly modelId: string;
    supportedUrls: PromiseLike<Record<string, RegExp[]>> | Record<string, RegExp[]>;
    doGenerate(options: never): PromiseLike<object>;
    doStream(options: never): PromiseLike<{
        stream: ReadableStream<OlderStreamPart>;
    }>;
}
/** A model of specification v3. */
export interface LanguageModelV3 extends OlderModel {
    readonly specificationVersion: 'v3';
}
/** A model of specification v2. */
export interface LanguageModelV2 extends OlderModel {
    readonly specificationVersion: 'v2';
}
/** Files were data, not tagged; v2 counted tokens in flat fields and named its finish reason in one word. */
export type OlderStreamPart = Exclude<LanguageModelV4StreamPart, {
    type: 'file' | 'finish' | 'stream-start' | 'source' | 'tool-result' | 'tool-approval-request';
}> | {
    type: 'file';
    mediaType: string;
    data: string | Uint8Array;
} | {
    type: 'finish';
    usage: OlderUsage;
    finishReason: string | {
        unified: string;
    };
} | {
    type: 'stream-start' | 'source' | 'tool-result' | 'tool-approval-request';
};
interface OlderUsage {
    inputTokens: number | undefined | {
        total: number | undefined;
        cacheRead: number | undefined;
        cacheWrite: number | undefined;
    };
    outputTokens: number | undefined | {
        total: number | undefined;
        reasoning: number | undefined;
    };
    reasoningTokens?: number | undefined;
    cachedInputTokens?: number | undefined;
}

// language-model/json.d.ts
/** JSON and JSON Schema as providers exchange them. */
/** A JSON value. */
export type Json = null | string | number | boolean | Readonly<JsonObject> | readonly Json[];
/** A JSON object. */
export type JsonObject = {
    [key: string]: Json | undefined;
};
/** The types that JSON Schema knows. */
export type JsonSchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
/** A JSON Schema (draft 7), with the keywords that describe structure; other keywords are allowed and passed on. */
export interface JsonSchema {
    $id?: string | undefined;
    $schema?: string | undefined;
    $ref?: string | undefined;
    title?: string | undefined;
    description?: string | undefined;
    type?: JsonSchemaType | JsonSchemaType[] | undefined;
    properties?: {
        [key: string]: JsonSchema | boolean;
    } | undefined;
    required?: string[] | undefined;
    additionalProperties?: JsonSchema | boolean | undefined;
    items?: JsonSchema | boolean | (JsonSchema | boolean)[] | undefined;
    anyOf?: (JsonSchema | boolean)[] | undefined;
    oneOf?: (JsonSchema | boolean)[] | undefined;
    allOf?: (JsonSchema | boolean)[] | undefined;
    not?: JsonSchema | boolean | undefined;
    format?: string | undefined;
    pattern?: string | undefined;
}

// language-model/prompt.d.ts
/** Prompts of the language model specification v4: what a model is sent. */
import type { Json, JsonObject } from './json.ts';
/** Options for providers, by provider name. */
export type SharedV4ProviderOptions = Record<string, JsonObject>;
/** What a provider says about a part, by provider name. */
export type SharedV4ProviderMetadata = Record<string, JsonObject>;
/** A file as bytes or base64 text. */
export interface SharedV4FileDataData {
    type: 'data';
    data: Uint8Array | string;
}
/** A file at an address. */
export interface SharedV4FileDataUrl {
    type: 'url';
    url: URL;
    originalUrl?: string;
}
/** A file in any of the forms that a prompt can carry. */
export type SharedV4FileData = SharedV4FileDataData | SharedV4FileDataUrl | {
    type: 'reference';
    reference: Record<string, string> & {
        type?: never;
    };
} | {
    type: 'text';
    text: string;
};
interface PromptPart {
    providerOptions?: SharedV4ProviderOptions;
}
/** Text in a message. */
export interface LanguageModelV4TextPart extends PromptPart {
    type: 'text';
    text: string;
}
/** Reasoning in a message of the assistant. */
export interface LanguageModelV4ReasoningPart extends PromptPart {
    type: 'reasoning';
    text: string;
}
/** A file that belongs to the assistant's reasoning. */
export interface LanguageModelV4ReasoningFilePart extends PromptPart {
    type: 'reasoning-file';
    data: SharedV4FileDataData | SharedV4FileDataUrl;
    mediaType: string;
}
/** A part that only its provider understands. */
export interface LanguageModelV4CustomPart extends PromptPart {
    type: 'custom';
    kind: `${string}.${string}`;
}
/** A file in a message. */
export interface LanguageModelV4FilePart extends PromptPart {
    type: 'file';
    filename?: string;
    data: SharedV4FileData;
    mediaType: string;
}
/** A tool call in a message of the assistant; its input is parsed. */
export interface LanguageModelV4ToolCallPart extends PromptPart {
    type: 'tool-call';
    toolCallId: string;
    toolName: string;
    input: unknown;
    providerExecuted?: boolean;
}
/** The result of a tool call. */
export interface LanguageModelV4ToolResultPart extends PromptPart {
    type: 'tool-result';
    toolCallId: string;
    toolName: string;
    output: LanguageModelV4ToolResultOutput;
}
/** The answer to a provider's own approval request. */
export interface LanguageModelV4ToolApprovalResponsePart extends PromptPart {
    type: 'tool-approval-response';
    approvalId: string;
    approved: boolean;
    reason?: string;
}
/** What a tool call came to. */
export type LanguageModelV4ToolResultOutput = {
    type: 'text' | 'error-text';
    value: string;
    providerOptions?: SharedV4ProviderOptions;
} | {
    type: 'json' | 'error-json';
    value: Json;
    providerOptions?: SharedV4ProviderOptions;
} | {
    type: 'execution-denied';
    reason?: string;
    providerOptions?: SharedV4ProviderOptions;
} | {
    type: 'content';
    value: ToolResultContent[];
};
type ToolResultContent = {
    type: 'text';
    text: string;
    providerOptions?: SharedV4ProviderOptions;
} | {
    type: 'file';
    data: SharedV4FileData;
    mediaType: string;
    filename?: string;
    providerOptions?: SharedV4ProviderOptions;
} | {
    type: 'custom';
    providerOptions?: SharedV4ProviderOptions;
};
/** One message of a prompt. */
export type LanguageModelV4Message = ({
    role: 'system';
    content: string;
} | {
    role: 'user';
    content: (LanguageModelV4TextPart | LanguageModelV4FilePart)[];
} | {
    role: 'assistant';
    content: AssistantPart[];
} | {
    role: 'tool';
    content: (LanguageModelV4ToolResultPart | LanguageModelV4ToolApprovalResponsePart)[];
}) & {
    providerOptions?: SharedV4ProviderOptions;
};
type AssistantPart = LanguageModelV4TextPart | LanguageModelV4FilePart | LanguageModelV4CustomPart | LanguageModelV4ReasoningPart | LanguageModelV4ReasoningFilePart | LanguageModelV4ToolCallPart | LanguageModelV4ToolResultPart;
/** The messages that a model is sent. */
export type LanguageModelV4Prompt = LanguageModelV4Message[];
export {};

// language-model/reply.d.ts
/** Replies of the language model specification v4: whole, or as a stream of parts. */
import type { Json, JsonObject } from './json.ts';
import type { SharedV4FileDataData, SharedV4FileDataUrl, SharedV4ProviderMetadata } from './prompt.ts';
interface ReplyPart {
    providerMetadata?: SharedV4ProviderMetadata;
}
/** Text of a reply. */
export type LanguageModelV4Text = ReplyPart & {
    type: 'text';
    text: string;
    citations?: LanguageModelV4Citation[];
};
/** A place in the text that a source stands behind. */
export interface LanguageModelV4Citation {
    source: LanguageModelV4Source;
    startIndex?: number;
    endIndex?: number;
    citedText?: string;
}
/** Reasoning of a reply. */
export type LanguageModelV4Reasoning = ReplyPart & {
    type: 'reasoning';
    text: string;
};
/** A file that the model made. */
export type LanguageModelV4File = ReplyPart & {
    type: 'file';
    mediaType: string;
    data: SharedV4FileDataData | SharedV4FileDataUrl;
};
/** A file of the model's reasoning. */
export type LanguageModelV4ReasoningFile = ReplyPart & {
    type: 'reasoning-file';
    mediaType: string;
    data: SharedV4FileDataData | SharedV4FileDataUrl;
};
/** A part that only its provider understands. */
export type LanguageModelV4CustomContent = ReplyPart & {
    type: 'custom';
    kind: `${string}.${string}`;
};
/** A source that the model used. */
export type LanguageModelV4Source = (ReplyPart & {
    type: 'source';
    sourceType: 'url';
    id: string;
    url: string;
    title?: string;
}) | (ReplyPart & {
    type: 'source';
    sourceType: 'document';
    id: string;
    mediaType: string;
    title: string;
    filename?: string;
});
/** A provider's own approval request. */
export type LanguageModelV4ToolApprovalRequest = ReplyPart & {
    type: 'tool-approval-request';
    approvalId: string;
    toolCallId: string;
};
/** A tool call; its input is JSON text. */
export type LanguageModelV4ToolCall = ReplyPart & {
    type: 'tool-call';
    toolCallId: string;
    toolName: string;
    input: string;
    providerExecuted?: boolean;
    dynamic?: boolean;
};
/** The result of a tool that the provider ran itself. */
export type LanguageModelV4ToolResult = ReplyPart & {
    type: 'tool-result';
    toolCallId: string;
    toolName: string;
    result: NonNullable<Json>;
    isError?: boolean;
    preliminary?: boolean;
    dynamic?: boolean;
};
/** A part of a whole reply. */
export type LanguageModelV4Content = LanguageModelV4Text | LanguageModelV4Reasoning | LanguageModelV4CustomContent | LanguageModelV4ReasoningFile | LanguageModelV4File | LanguageModelV4ToolApprovalRequest | LanguageModelV4Source | LanguageModelV4ToolCall | LanguageModelV4ToolResult;
/** Why the model stopped: in the words of the specification, and in the provider's own. */
export interface LanguageModelV4FinishReason {
    unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';
    raw: string | undefined;
}
/** Tokens of a call, as far as the provider counted them. */
export interface LanguageModelV4Usage {
    inputTokens: {
        total: number | undefined;
        noCache: number | undefined;
        cacheRead: number | undefined;
        cacheWrite: number | undefined;
    };
    outputTokens: {
        total: number | undefined;
        text: number | undefined;
        reasoning: number | undefined;
    };
    raw?: JsonObject;
}
/** What a provider says about its response. */
export interface LanguageModelV4ResponseMetadata {
    id?: string;
    timestamp?: Date;
    modelId?: string;
}
/** Something that the provider could not do as asked. */
export type SharedV4Warning = {
    type: 'unsupported' | 'compatibility';
    feature: string;
    details?: string;
} | {
    type: 'deprecated';
    setting: string;
    message: string;
} | {
    type: 'other';
    message: string;
};
/** A whole reply. */
export interface LanguageModelV4GenerateResult {
    content: LanguageModelV4Content[];
    structuredOutputText?: string;
    finishReason: LanguageModelV4FinishReason;
    usage: LanguageModelV4Usage;
    providerMetadata?: SharedV4ProviderMetadata;
    request?: {
        url?: string;
        body?: unknown;
    };
    response?: LanguageModelV4ResponseMetadata & {
        headers?: Record<string, string>;
        body?: unknown;
    };
    warnings: SharedV4Warning[];
}
/** A reply as a stream. */
export interface LanguageModelV4StreamResult {
    stream: ReadableStream<LanguageModelV4StreamPart>;
    request?: {
        url?: string;
        body?: unknown;
    };
    response?: {
        headers?: Record<string, string>;
    };
}
/** A part of a streamed reply. Consumers pass over the types that they do not know. */
export type LanguageModelV4StreamPart = (ReplyPart & {
    type: 'text-start' | 'reasoning-start' | 'reasoning-end';
    id: string;
}) | (ReplyPart & {
    type: 'text-end';
    id: string;
    citations?: LanguageModelV4Citation[];
}) | (ReplyPart & {
    type: 'text-delta' | 'reasoning-delta';
    id: string;
    delta: string;
}) | (ReplyPart & {
    type: 'tool-input-start';
    id: string;
    toolName: string;
    inputEncoding?: 'json' | 'text';
    providerExecuted?: boolean;
    dynamic?: boolean;
    title?: string;
}) | (ReplyPart & {
    type: 'tool-input-delta';
    id: string;
    delta: string;
}) | (ReplyPart & {
    type: 'tool-input-end';
    id: string;
}) | Exclude<LanguageModelV4Content, {
    type: 'text' | 'reasoning';
}> | {
    type: 'stream-start';
    warnings: SharedV4Warning[];
} | ({
    type: 'response-metadata';
} & LanguageModelV4ResponseMetadata) | (ReplyPart & {
    type: 'finish';
    usage: LanguageModelV4Usage;
    finishReason: LanguageModelV4FinishReason;
}) | {
    type: 'ping';
} | {
    type: 'raw';
    rawValue: unknown;
} | {
    type: 'error';
    error: unknown;
};
export {};
