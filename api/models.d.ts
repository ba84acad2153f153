// answer-tool/answer-tool.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/**
 * Makes a model answer by a tool when the answer has to fit a schema.
 *
 * @example
 * const model = answerTool()(ollama('qwen3'))
 */
export declare function answerTool(): Wrapper;

// call/stream.d.ts
/** The streams of models, and how to map and watch them. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@loom-agent/agent/language-model';
/** What a model streams. */
export type Part = LanguageModelV4StreamPart;
/** The stream of a model. */
export type Parts = ReadableStream<Part>;
/** Reads the next part; undefined at the end. */
export type Read = () => Promise<Part | undefined>;
/** How a call ended. `cancelled` means that the reader cancelled the stream, which says nothing about the model. */
export type Ending = {
    readonly kind: 'finished';
    readonly usage: LanguageModelV4Usage;
} | {
    readonly kind: 'failed';
    readonly error: unknown;
} | {
    readonly kind: 'cancelled';
};
/** A stream of the parts that `next` returns, one at a time. Nothing is read ahead of the reader. */
export declare function pullStream(source: {
    readonly next: Read;
    readonly cancel: () => void;
}): Parts;
/** The next part; undefined at the end. */
export declare function nextOf(reader: ReadableStreamDefaultReader<Part>): Promise<Part | undefined>;
/** A list as a stream. */
export declare function streamOf(parts: readonly Part[]): Parts;
/** A stream of what `next` returns. `next` reads the parts of another stream, which is cancelled when `next` fails or the reader cancels. */
export declare function derived(stream: Parts, next: (read: Read) => Promise<Part | undefined>, onCancel?: () => void): Parts;
/** The stream with the parts that `map` returns for each part. */
export declare function mapped(stream: Parts, map: (part: Part) => readonly Part[] | Promise<readonly Part[]>): Parts;
/** Cancels a stream that has no reader any more. */
export declare function drop(reader: ReadableStreamDefaultReader<Part>): void;
/** The same stream; `ended` is called once with how it ended. */
export declare function watch(stream: Parts, ended: (ending: Ending) => void): Parts;
/** How a call ends with this part; undefined when it continues. */
export declare function endingOf(part: Part): Ending | undefined;
/** Whether a part is content of the reply. The start and the end of a block are not. */
export declare function isContent(part: Part): boolean;

// call/wrapper.d.ts
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult, LanguageModelV4StreamResult } from '@loom-agent/agent/language-model';
import { type Ending, type Part } from './stream.ts';
/** Wraps a model. */
export type Wrapper = (model: LanguageModelV4) => LanguageModelV4;
/** The two ways in which a model is called. */
export interface Calls {
    /** Returns the reply in one piece. */
    generate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult>;
    /** Returns the reply as a stream. */
    stream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult>;
}
/** What a model says of itself. */
export type ModelIdentity = Pick<LanguageModelV4, 'specificationVersion' | 'provider' | 'modelId' | 'supportedUrls'>;
/** A model that calls `calls`, under the name of the model that it wraps. */
export declare function wrapModel(model: ModelIdentity, calls: Calls): LanguageModelV4;
/** Refuses models of other versions of the specification. */
export declare function checkVersion(model: {
    readonly specificationVersion?: unknown;
    readonly modelId?: unknown;
}): void;
/** Another request for a call, and what becomes of its reply; without `result` and `part` the reply stays as it is. */
export interface Translation {
    readonly call: LanguageModelV4CallOptions;
    readonly result?: (result: LanguageModelV4GenerateResult) => LanguageModelV4GenerateResult;
    readonly part?: (part: Part) => readonly Part[];
}
/** A model whose calls are translated. */
export declare function translateModel(model: LanguageModelV4, translate: (options: LanguageModelV4CallOptions) => Translation): LanguageModelV4;
/** Waits until a call may start, or throws. Returns a function that is called exactly once, when the reply has been read to its end. */
export type Gate = (options: LanguageModelV4CallOptions) => OnEnd | Promise<OnEnd>;
/** Called with how a call ended. */
export type OnEnd = (ending: Ending) => void;
/** A model whose calls pass a gate. */
export declare function gateModel(model: LanguageModelV4, gate: Gate): LanguageModelV4;
/**
 * Composes wrappers into one; the first is the outermost.
 *
 * @example
 * const model = compose(breaker(), throttle({ rpm: 60 }), timeouts())(anthropic('claude-sonnet-5-5'))
 */
export declare function compose(...wrappers: readonly Wrapper[]): Wrapper;

// custom/batch.d.ts
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@loom-agent/agent/language-model';
/** The outcome of one request. */
export type BatchItem = {
    readonly status: 'done';
    /** The text of the reply. */
    readonly text: string;
    /** The whole result of the model. */
    readonly result: LanguageModelV4GenerateResult;
} | {
    readonly status: 'failed';
    /** What the model threw, or the abort. */
    readonly error: unknown;
};
/** The options of a batch. */
export interface BatchOptions {
    /** How many calls at once; default 5. */
    readonly concurrency?: number;
    /** Ends the calls in flight and starts no more; finished items are kept. */
    readonly signal?: AbortSignal;
}
/**
 * Sends independent requests to a model. The items are in the order of the requests; a request that fails has the status `failed` and does not stop the
 * others. Nothing is retried.
 *
 * @example
 * const items = await batch(model, reviews.map((review) => `Is this friendly? ${review}`), { concurrency: 8 })
 */
export declare function batch(model: LanguageModelV4, requests: readonly (string | LanguageModelV4CallOptions)[], options?: BatchOptions): Promise<readonly BatchItem[]>;

// custom/define-model.d.ts
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@loom-agent/agent/language-model';
/** A request to a custom model. */
export interface ModelRequest {
    /** The text of the last message of the user. */
    readonly text: string;
    /** The whole conversation. */
    readonly messages: readonly LanguageModelV4Message[];
    /** The tools that the model may call. */
    readonly tools: readonly LanguageModelV4FunctionTool[];
    /** Aborts when the run no longer needs the reply. */
    readonly signal: AbortSignal | undefined;
    /** The whole request as the model interface defines it, with settings and the response format. */
    readonly options: LanguageModelV4CallOptions;
}
/** A tool call in a reply. */
export interface ModelCall {
    /** The name of the tool. */
    readonly tool: string;
    /** The input of the tool; default `{}`. */
    readonly input?: unknown;
    /** The id of the call; default: made from the place of the reply and of the call. */
    readonly id?: string;
}
/** A reply of a custom model, or a piece of one. A string is a reply of text. */
export type GeneratedReply = string | {
    /** Text for the user. */
    readonly text?: string;
    /** Reasoning that is not part of the answer. */
    readonly reasoning?: string;
    /** Calls of tools. */
    readonly calls?: readonly ModelCall[];
    /** Tokens, if they are known. */
    readonly usage?: {
        readonly input: number;
        readonly output: number;
    };
    /** Why the reply ended; default: `tool-calls` after calls, else `stop`. */
    readonly finish?: 'stop' | 'length' | 'content-filter' | 'tool-calls';
};
/** The options of `defineModel`: an id, and either `generate` or `stream`. */
export interface ModelDefinition {
    /** `provider/name`, or a name alone. */
    readonly id: string;
    /** Returns the reply in one piece. */
    readonly generate?: (request: ModelRequest) => GeneratedReply | Promise<GeneratedReply>;
    /** Yields the pieces of the reply. */
    readonly stream?: (request: ModelRequest) => AsyncIterable<GeneratedReply> | Iterable<GeneratedReply>;
}
/**
 * Makes a model from a function.
 *
 * @example
 * const echo = defineModel({ id: 'mine/echo', generate: ({ text }) => `You said: ${text}` })
 */
export declare function defineModel(definition: ModelDefinition): LanguageModelV4;

// index.d.ts
/** Loom's models: models of all providers by id, prices, resilience, custom models, and an offline model that needs no key. */
export { answerTool } from './answer-tool/answer-tool.ts';
export { type Calls, compose, type Wrapper } from './call/wrapper.ts';
export { type BatchItem, type BatchOptions, batch } from './custom/batch.ts';
export { defineModel, type GeneratedReply, type ModelCall, type ModelDefinition, type ModelRequest } from './custom/define-model.ts';
export { type OfflineOptions, offlineModel } from './offline/offline-model.ts';
export type { Environment } from './provider/environment.ts';
export type { LoadPackage, ProviderPackages } from './provider/packages.ts';
export type { ProviderSource } from './provider/provider.ts';
export { accepts } from './registry/accepts.ts';
export { type Choice, type ChoiceFacts, chooseModel } from './registry/choice.ts';
export { createModels, type Models, type ModelsOptions } from './registry/registry.ts';
export { type BrokenModel, breaker } from './resilience/breaker.ts';
export { type CacheOptions, cache, memoryReplies, type ReplyStore } from './resilience/cache.ts';
export { coalesce } from './resilience/coalesce.ts';
export { concurrency } from './resilience/concurrency.ts';
export { fallbackModel, type ModelFallbackEvent, type ModelFallbackOptions } from './resilience/fallback-model.ts';
export { type Health, type ModelPool, type PoolOptions, pool } from './resilience/pool.ts';
export { type ProductionOptions, productionDefaults, productionModel } from './resilience/production.ts';
export { type ThrottleOptions, throttle } from './resilience/throttle.ts';
export { type TimeoutOptions, timeouts } from './resilience/timeouts.ts';
export { infoOf, type Modality, type ModelInfo, type ModelPrice, type ModelTable, type Rates } from './table/model-info.ts';
export { priceOf } from './table/price.ts';
export { modelTable } from './table/table.ts';
export { type ExplainTools, explainTools } from './text-tools/protocol.ts';
export { type TextToolsOptions, textTools } from './text-tools/text-tools.ts';

// offline/offline-model.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import { type Environment } from '../provider/environment.ts';
/** The options of `offlineModel()`. */
export interface OfflineOptions {
    /** The id under which runs record it; default `rules`. */
    readonly modelId?: string;
    /** The environment variables, or a function that returns them: where it looks for the names of keys; default: those of the process, read for each answer. */
    readonly env?: Environment | (() => Environment);
}
/**
 * A model for trying Loom without a key: rule-based, with real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt')
 */
export declare function offlineModel(options?: OfflineOptions): LanguageModelV4;

// provider/environment.d.ts
/** The environment as a port: it is read when a model is resolved, never on import. Platforms without one have an empty environment. */
/** Variables by name. */
export type Environment = {
    readonly [name: string]: string | undefined;
};
/** The environment of the process; empty where there is no process. */
export declare function systemEnvironment(): Environment;
/** The value of a variable; undefined when it is not set or blank. */
export declare function settingOf(env: Environment, name: string): string | undefined;

// provider/packages.d.ts
/** The packages of providers: the first model that needs one loads it. */
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
/** The settings of a provider's package. */
export interface ProviderSettings {
    readonly apiKey?: string;
    readonly baseURL?: string;
    readonly fetch?: typeof fetch;
}
/** The settings of the package for endpoints with the chat completions API. */
export interface EndpointSettings extends ProviderSettings {
    readonly name: string;
    readonly baseURL: string;
    readonly includeUsage?: boolean;
    readonly headers?: Record<string, string>;
    readonly supportsStructuredOutputs?: boolean;
}
type MakeModel = (name: string) => LanguageModelV4;
/** The packages that models are made with, as far as they are used. Structural, so that a program compiles without them. */
export interface ProviderPackages {
    /** Models of Anthropic. */
    readonly '@ai-sdk/anthropic': {
        createAnthropic(settings: ProviderSettings): MakeModel;
    };
    /** Models of OpenAI. */
    readonly '@ai-sdk/openai': {
        createOpenAI(settings: ProviderSettings): {
            readonly responses: MakeModel;
            readonly chat: MakeModel;
        };
    };
    /** Models of Google. */
    readonly '@ai-sdk/google': {
        createGoogle(settings: ProviderSettings): MakeModel;
    };
    /** Models behind any endpoint with the chat completions API. */
    readonly '@ai-sdk/openai-compatible': {
        createOpenAICompatible(settings: EndpointSettings): {
            readonly chatModel: MakeModel;
        };
    };
}
/** Loads a package. */
export type LoadPackage = <Name extends keyof ProviderPackages>(name: Name) => Promise<ProviderPackages[Name]>;
/**
 * Loads packages with `load`, or else imports them as they are installed beside this one; a missing one is an error that says how to install it. Each
 * import is written out, so that bundlers include a package that is installed, and is in a `try`, so that they accept one that is not. Some bundlers
 * replace it by an empty module.
 */
export declare function packageLoader(load: LoadPackage | undefined): LoadPackage;
export {};

// provider/provider.d.ts
/** The known providers: their configuration, and how their models are made. */
import type { ModelObject } from '@loom-agent/agent';
import { type Environment } from './environment.ts';
import type { LoadPackage } from './packages.ts';
/** What a model is made with. */
export interface Making {
    readonly env: Environment;
    readonly load: LoadPackage;
    readonly fetch: typeof fetch | undefined;
}
/** A provider. */
export interface Provider {
    /** The variables of which one holds the key; none when it needs no key. */
    readonly keys: readonly string[];
    /** Further variables that show that the user wants this provider. */
    readonly signs: readonly string[];
    /** The model that is used when only the provider is named. */
    readonly defaultModel?: string;
    make(name: string, making: Making): Promise<ModelObject>;
}
/** A custom provider: an endpoint with the chat completions API, an AI SDK provider, or a function. */
export type ProviderSource = {
    /** The address of the endpoint. */
    readonly baseURL: string;
    /** The key itself; `key` is safer. */
    readonly apiKey?: string;
    /** The environment variable that holds the key. */
    readonly key?: string;
    /** Headers of every request. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Whether the endpoint takes JSON Schemas; default: no. */
    readonly jsonSchema?: boolean;
} | {
    /** Returns a model by its name. */
    languageModel(name: string): ModelObject;
} | ((name: string) => ModelObject | Promise<ModelObject>);
/** The providers that Loom knows. `openai` means the responses API; `openai.chat` is chat completions. */
export declare const knownProviders: Readonly<Record<string, Provider>>;
/** A custom provider as Loom uses it. */
export declare function providerOf(provider: string, source: ProviderSource): Provider;

// registry/accepts.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import { type Wrapper } from '../call/wrapper.ts';
import type { Modality } from '../table/model-info.ts';
/**
 * Refuses requests with media that a model does not take, with `LOOM_INPUT_INVALID`, before they are sent. Models by id do so
 * already when the table says what they take.
 *
 * @example
 * const reader = accepts(['text', 'image'])(ollama('llava'))
 */
export declare function accepts(input: readonly Modality[]): Wrapper;
/** The model; media that it does not take are refused with its id in the message. */
export declare function accepting(model: LanguageModelV4, known: {
    readonly id: string;
    readonly input: readonly Modality[];
}): LanguageModelV4;
/** Whether an error is a refusal of media that another model might take. */
export declare function isMediaRefusal(error: unknown): boolean;

// registry/choice.d.ts
import type { JsonObject, LoomErrorCode } from '@loom-agent/kernel';
import { type Environment } from '../provider/environment.ts';
import type { Provider } from '../provider/provider.ts';
/** The choice, or the error. */
export type Choice = {
    readonly kind: 'model';
    /** The id of the model: `provider/name`. */
    readonly id: string;
    /** The reason, in words. */
    readonly because: string;
} | {
    readonly kind: 'offline';
    /** The reason, in words. */
    readonly because: string;
} | {
    readonly kind: 'error';
    /** The code of the error. */
    readonly code: LoomErrorCode;
    /** What is missing, and what to do. */
    readonly message: string;
    /** The variables that were looked at and found, by name. */
    readonly context: JsonObject;
};
/** What the choice depends on. */
export interface ChoiceFacts {
    /** The environment variables. */
    readonly env: Environment;
    /** The known providers by name. */
    readonly providers: Readonly<Record<string, Pick<Provider, 'keys' | 'signs' | 'defaultModel'>>>;
}
/** Returns the model for an agent without one: what `LOOM_PROVIDER` and `LOOM_MODEL` say, or else the only provider whose key is set. */
export declare function chooseModel(facts: ChoiceFacts): Choice;

// registry/registry.d.ts
/** The registry: models by id. */
import type { ModelDescription, ModelObject } from '@loom-agent/agent';
import { type Usage } from '@loom-agent/kernel';
import { type Environment } from '../provider/environment.ts';
import { type LoadPackage } from '../provider/packages.ts';
import { type ProviderSource } from '../provider/provider.ts';
import { type ModelInfo, type ModelTable } from '../table/model-info.ts';
import { type Choice } from './choice.ts';
/** The options of `createModels`. */
export interface ModelsOptions {
    /** The environment variables, or a function that returns them; default: the environment of the process, read when a model is resolved. */
    readonly env?: Environment | (() => Environment);
    /** Custom providers by name; a known provider may be replaced. */
    readonly providers?: Readonly<Record<string, ProviderSource>>;
    /** Facts about further models; they replace those of the built-in table. */
    readonly table?: ModelTable;
    /** Sends the requests; default: `fetch` of the platform, which keeps connections open. */
    readonly fetch?: typeof fetch;
    /** Loads the packages of providers; default: `import`. */
    readonly load?: LoadPackage;
    /** The time in milliseconds, because prices may end; default: `Date.now`. */
    readonly now?: () => number;
}
/** Models by id. */
export interface Models {
    /** Returns the model of an id (`provider/name`), or the one that the environment names. */
    readonly resolveModel: (id?: string) => Promise<ModelObject>;
    /** Returns what would be chosen without an id, and why. */
    readonly choose: () => Choice;
    /** Returns the known facts about a model. */
    readonly info: (id: string) => ModelInfo | undefined;
    /** Returns the price of a call in integer micro-units; undefined when it is not known. Throws `LOOM_PRICE_UNKNOWN` when it has ended. */
    readonly price: (id: string, usage: Usage) => number | undefined;
    /** Returns what is known of the size of a model, for context strategies; undefined when nothing is. */
    readonly describeModel: (id: string) => ModelDescription | undefined;
    /** The names of all providers. */
    readonly providers: readonly string[];
}
/**
 * Creates a registry of models.
 *
 * @example
 * const models = createModels({ providers: { vllm: { baseURL: 'http://gpu:8000/v1' } } })
 * const agent = createAgentFactory(models)
 * agent({ model: 'vllm/qwen3' })
 */
export declare function createModels(options?: ModelsOptions): Models;

// resilience/breaker.d.ts
/** A circuit breaker for a model: stops calling a model that keeps failing, and tests with one call whether it works again. */
import type { BreakerOptions } from '@loom-agent/agent';
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
/** A model behind a circuit breaker, with the state of the circuit. */
export type BrokenModel = LanguageModelV4 & {
    readonly status: 'closed' | 'open' | 'half-open';
};
/**
 * Puts a circuit breaker in front of a model. A call has failed when its stream has, also in the middle; aborts, cancelled streams and refusals do not
 * count. While the circuit is open, calls fail at once with `LOOM_CIRCUIT_OPEN`, which says when to try again.
 *
 * Each wrapped model has its own circuit.
 *
 * @example
 * const careful = breaker({ failureRate: 0.5, minimum: 5 })(model)
 */
export declare function breaker(options?: BreakerOptions): (model: LanguageModelV4) => BrokenModel;

// resilience/cache.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/** A store of replies, by the digest of their request. */
export interface ReplyStore {
    /** Returns the reply of a request; undefined if there is none. */
    get(key: string): string | undefined | Promise<string | undefined>;
    /** Stores the reply of a request. */
    set(key: string, reply: string): void | Promise<void>;
}
/** The options of a cache. */
export interface CacheOptions {
    /** Where replies are kept; default: the last 1,000 in memory. */
    readonly store?: ReplyStore;
}
/**
 * Answers a request that is identical to an earlier one with the earlier reply, also as a stream. A failure is never kept, nor is a reply that was cut
 * off or filtered. A reply from the cache has used no tokens, and its metadata have `loom.cached`.
 *
 * When the store fails, the model is called.
 *
 * @example
 * const cheap = cache({ store: redisStore })(model)
 */
export declare function cache(options?: CacheOptions): Wrapper;
/** A store of the last `most` replies in memory. */
export declare function memoryReplies(most?: number): ReplyStore;

// resilience/coalesce.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/**
 * Lets identical requests that are in flight at the same time share one call. Each gets the whole reply. The abort of one does not affect the others; the
 * call itself is aborted with the last one.
 *
 * @example
 * const shared = coalesce()(model)
 */
export declare function coalesce(): Wrapper;

// resilience/concurrency.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/**
 * Limits the calls in flight; the others wait, first come first served. A call has ended when its stream was read to its end or cancelled.
 *
 * All models that the wrapper is given share the limit.
 *
 * @example
 * const four = concurrency(4)
 * const [a, b] = [four(sonnet), four(haiku)]
 */
export declare function concurrency(limit: number): Wrapper;

// resilience/fallback-model.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
/** What happens until there is an answer. */
export type ModelFallbackEvent = {
    readonly type: 'answered';
    /** The id of the model that answered. */
    readonly model: string;
} | {
    readonly type: 'failed';
    /** The id of the model that failed. */
    readonly model: string;
    /** What it threw. */
    readonly error: unknown;
};
/** The options of a fallback. */
export interface ModelFallbackOptions {
    /** Called when a model has answered or failed. */
    readonly onEvent?: (event: ModelFallbackEvent) => void;
}
/**
 * Uses the first of several models that answers. The next one is called when a model fails in a way that another might not (an overload, a broken
 * connection, an open circuit, media that it does not take), and only before the reader has received content: after that a failure is a failure.
 *
 * `onEvent`, `model.replied` in the journal, and `loom.model` in the metadata of the reply name the model that answered.
 *
 * @example
 * const model = fallbackModel([breaker()(sonnet), gpt, local])
 */
export declare function fallbackModel(models: readonly LanguageModelV4[], options?: ModelFallbackOptions): LanguageModelV4;

// resilience/pool.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import type { Clock } from '@loom-agent/kernel';
/** The health of a model in a pool. */
export interface Health {
    /** The id of the model. */
    readonly model: string;
    /** Degraded below 80 % of good calls, unhealthy below half or after five failures in a row. */
    readonly state: 'healthy' | 'degraded' | 'unhealthy';
    /** Calls in flight. */
    readonly inFlight: number;
    /** How many of the last calls count; aborts and refusals do not. */
    readonly calls: number;
    /** How many of them failed. */
    readonly failures: number;
}
/** A pool of models. */
export type ModelPool = LanguageModelV4 & {
    /** Returns the health of each model. */
    health(): readonly Health[];
};
/** The options of a pool. */
export interface PoolOptions {
    /** How many of the last calls of a model count; default 100. */
    readonly window?: number;
    /** Milliseconds for which an unhealthy model gets no calls; default 60,000. */
    readonly rest?: number;
    /** The clock; default: the clock of the platform. */
    readonly clock?: Pick<Clock, 'now'>;
}
/**
 * Spreads calls over models: the healthiest, of these the least busy, of these the least recently used. An unhealthy model gets no calls for a while, and
 * then one call tests it. The pool does not retry: when the agent does, the pool chooses again.
 *
 * @example
 * const model = pool([east('gpt-6.1-sol'), west('gpt-6.1-sol')])
 */
export declare function pool(models: readonly LanguageModelV4[], options?: PoolOptions): ModelPool;

// resilience/production.d.ts
/** A model with the protections for production. */
import type { BreakerOptions } from '@loom-agent/agent';
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import type { Clock } from '@loom-agent/kernel';
import { type ThrottleOptions } from './throttle.ts';
import { type TimeoutOptions } from './timeouts.ts';
/** Options that replace the defaults. */
export interface ProductionOptions {
    /** The rate limit; default: 60 requests a minute, a wait of at most 45,000 ms. */
    readonly rateLimit?: Omit<ThrottleOptions, 'clock'>;
    /** The circuit breaker; default: opens for a minute when half of five or more calls failed. */
    readonly breaker?: Omit<BreakerOptions, 'clock'>;
    /** The time-outs; default: those of `timeouts()`. */
    readonly timeouts?: Omit<TimeoutOptions, 'clock'>;
    /** The clock of all three; default: the clock of the platform. */
    readonly clock?: Clock;
}
/** The defaults: 60 requests a minute; a circuit that opens for a minute when half of five or more calls failed; the usual time-outs. */
export declare const productionDefaults: {
    /** A call that would wait longer fails, and the agent waits instead: its wait is in the journal, and survives the process. */
    readonly rateLimit: {
        readonly rpm: 60;
        readonly maxWait: 45000;
    };
    readonly breaker: {
        readonly failureRate: 0.5;
        readonly minimum: 5;
        readonly window: 60000;
        readonly openFor: 60000;
    };
    readonly timeouts: {
        readonly firstToken: 60000;
        readonly idle: 60000;
        readonly total: 600000;
    };
};
/**
 * A model with a circuit breaker, a rate limit and time-outs. It does not retry: the agent does, three times, and records it in the journal.
 *
 * @example
 * const model = productionModel(anthropic('claude-sonnet-5-5'), { rateLimit: { rpm: 500 } })
 */
export declare function productionModel(model: LanguageModelV4, options?: ProductionOptions): LanguageModelV4;

// resilience/throttle.d.ts
import type { Clock } from '@loom-agent/kernel';
import { type Wrapper } from '../call/wrapper.ts';
/** The limits of a vendor. */
export interface ThrottleOptions {
    /** Requests a minute; default: no limit. */
    readonly rpm?: number;
    /** Tokens a minute, of requests and replies: estimated when a call starts, corrected by what the vendor counted; default: no limit. */
    readonly tpm?: number;
    /** Milliseconds that a call may wait; default: no limit. A call that would wait longer fails with `LOOM_RATE_LIMITED` at once. */
    readonly maxWait?: number;
    /** The clock; default: the clock of the platform. */
    readonly clock?: Clock;
}
/**
 * Makes calls wait until the vendor would accept them: first come first served, and an abort ends the wait.
 *
 * All models that the wrapper is given share the limit, as all models of an account do.
 *
 * @example
 * const limit = throttle({ rpm: 60, tpm: 100_000 })
 */
export declare function throttle(options: ThrottleOptions): Wrapper;

// resilience/timeouts.d.ts
import { type Clock } from '@loom-agent/kernel';
import { type Wrapper } from '../call/wrapper.ts';
/** How long a model may take, in milliseconds. */
export interface TimeoutOptions {
    /** Until the first content; default 60,000. */
    readonly firstToken?: number;
    /** Between two parts of its reply; default 60,000. */
    readonly idle?: number;
    /** For the whole reply; default 600,000. */
    readonly total?: number;
    /** The clock; default: the clock of the platform. */
    readonly clock?: Clock;
}
/**
 * Ends calls that take too long with `LOOM_MODEL_TIMEOUT`, and closes their connection. For a reply in one piece only `total` counts.
 *
 * @example
 * const patient = timeouts({ firstToken: 120_000 })(model)
 */
export declare function timeouts(options?: TimeoutOptions): Wrapper;

// table/model-info.d.ts
/** Facts about models. Unknown facts are left out: an unknown price is no price, never 0. */
/** A kind of content. */
export type Modality = 'text' | 'image' | 'audio' | 'video' | 'pdf';
/** Prices in integer micro-units for a million tokens: 3 dollars are 3,000,000. Cache reads and writes cost as input unless they have their own rate. */
export interface Rates {
    /** Input tokens. */
    readonly input: number;
    /** Output tokens. */
    readonly output: number;
    /** Input tokens that are read from a cache; default: as `input`. */
    readonly cacheRead?: number;
    /** Input tokens that are written to a cache; default: as `input`. */
    readonly cacheWrite?: number;
}
/** The price of a model, and where it was read. */
export interface ModelPrice extends Rates {
    /** The rates of the whole request when it has more than `above` input tokens. */
    readonly long?: Rates & {
        readonly above: number;
    };
    /** The last day on which the price is valid, if the vendor named one; after it, asking for the price is an error that names the day. */
    readonly until?: string;
    /** The day on which it was read. */
    readonly date: string;
    /** The page on which it was read. */
    readonly source: string;
}
/** Facts about a model. */
export interface ModelInfo {
    /** Tokens of a request and its reply together. */
    readonly contextWindow?: number;
    /** The most tokens of a reply. */
    readonly outputLimit?: number;
    /** The price of its tokens. */
    readonly price?: ModelPrice;
    /** The kinds of content that it takes. */
    readonly input?: readonly Modality[];
    /** The kinds of content that it returns. */
    readonly output?: readonly Modality[];
    /** Whether it can call tools; a model that cannot gets a text protocol. */
    readonly tools?: boolean;
    /** Whether it takes a JSON Schema for its answer. */
    readonly jsonSchema?: boolean;
    /** A public page with these facts. */
    readonly source: string;
}
/** Models by `provider/name`. */
export type ModelTable = Readonly<Record<string, ModelInfo>>;
/** Looks a model up: by its own name, or by the one without a date. Providers may be given as their packages name them (`openai.responses`). */
export declare function infoOf(table: ModelTable, id: string): ModelInfo | undefined;

// table/price.d.ts
/** Prices, in exact integers. */
import { type Usage } from '@loom-agent/kernel';
import { type ModelTable } from './model-info.ts';
/**
 * Returns the price of a call in integer micro-units (a dollar has 1,000,000), rounded once, at the end; undefined when it is not known. Throws
 * `LOOM_PRICE_UNKNOWN`, which names the day, when the price has ended.
 */
export declare function priceOf(table: ModelTable, id: string, { usage, now }: {
    readonly usage: Usage;
    readonly now: number;
}): number | undefined;

// table/table.d.ts
import type { ModelTable } from './model-info.ts';
/** All known models. */
export declare const modelTable: ModelTable;

// text-tools/protocol.d.ts
/** The text protocol: how tools, calls and results are written for a model that cannot call tools. */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@loom-agent/agent/language-model';
/** Returns the text that explains the tools to the model. How a call is opened changes with every request, and is said at its end. */
export type ExplainTools = (tools: readonly LanguageModelV4FunctionTool[], choice: LanguageModelV4CallOptions['toolChoice']) => string;
/** The default text that explains the tools. */
export declare const explainTools: ExplainTools;
/** A prompt as text, and the mark under which its reply may call. */
export interface TextPrompt {
    readonly prompt: LanguageModelV4Message[];
    readonly mark: string;
}
/** The prompt with calls and results as text, the explanation in the system message and, where the model may call, the mark of the request at its end. */
export declare function asText(prompt: readonly LanguageModelV4Message[], explanation: string, mayCall: boolean): TextPrompt;

// text-tools/text-tools.d.ts
import { type Wrapper } from '../call/wrapper.ts';
import { type ExplainTools } from './protocol.ts';
/** The options of `textTools`. */
export interface TextToolsOptions {
    /** Returns the text that explains the tools; default: `explainTools`. */
    readonly explain?: ExplainTools;
}
/**
 * Lets a model that cannot call tools use them by a text protocol.
 *
 * @example
 * const model = textTools()(ollama('gemma3'))
 */
export declare function textTools(options?: TextToolsOptions): Wrapper;
