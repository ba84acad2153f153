// answer-tool/answer-tool.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/**
 * Makes a model answer by a tool where an answer has to fit a schema.
 *
 * @example
 * const model = answerTool()(ollama('qwen3'))
 */
export declare function answerTool(): Wrapper;

// call/stream.d.ts
/** The streams of models, looked at while they pass. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@loom-agent/agent/language-model';
/** What a model streams. */
export type Part = LanguageModelV4StreamPart;
/** The stream of a model. */
export type Parts = ReadableStream<Part>;
/** How a call ended. `left` is a reader who went away: it tells nothing about the model. */
export type Ending = {
    readonly kind: 'finished';
    readonly usage: LanguageModelV4Usage;
} | {
    readonly kind: 'failed';
    readonly error: unknown;
} | {
    readonly kind: 'left';
};
/** A stream of what is pulled, one part at a time. Nothing is read ahead of whoever reads it. */
export declare function pullStream(source: {
    readonly next: () => Promise<Part | undefined>;
    readonly cancel: () => void;
}): Parts;
/** Parts, one by one; undefined at the end. */
export declare function nextOf(reader: ReadableStreamDefaultReader<Part>): Promise<Part | undefined>;
/** A list as a stream. */
export declare function streamOf(parts: readonly Part[]): Parts;
/** The stream with something else for each part. */
export declare function mapped(stream: Parts, listener: (part: Part) => readonly Part[]): Parts;
/** Lets go of a stream that nobody reads any more. */
export declare function drop(reader: ReadableStreamDefaultReader<Part>): void;
/** The same stream; `ended` is told once how it ended. */
export declare function watch(stream: Parts, ended: (ending: Ending) => void): Parts;
/** How a call ends with a part; undefined when it goes on. */
export declare function endingOf(part: Part): Ending | undefined;
/** Whether a part is something that the model says; that it begins to, or has, is nothing. */
export declare function isSaid(part: Part): boolean;

// call/wrapper.d.ts
/**
 * Wrapping models: a model in front of another one.
 *
 * Nothing here tries again by itself. The agent alone retries: its attempts are facts in the journal, and two who retry multiply.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult, LanguageModelV4StreamResult } from '@loom-agent/agent/language-model';
import { type Ending } from './stream.ts';
/** Makes a model of a model. */
export type Wrapper = (model: LanguageModelV4) => LanguageModelV4;
/** The two ways in which a model is called. */
export interface Calls {
    generate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult>;
    stream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult>;
}
/** A model that is called as given and is known as another one. */
export declare function wrapModel(model: LanguageModelV4, calls: Calls): LanguageModelV4;
/** Refuses models whose calls cannot be told apart from others. */
export declare function checkVersion(model: {
    readonly specificationVersion?: unknown;
    readonly modelId?: unknown;
}): void;
/** Asks for leave to call. What it answers is told how the call ended, exactly once, when all of the reply was read. */
export type Gate = (options: LanguageModelV4CallOptions) => Leave | Promise<Leave>;
/** Is told how a call ended. */
export type Leave = (ending: Ending) => void;
/** A model whose calls pass a gate. */
export declare function gateModel(model: LanguageModelV4, gate: Gate): LanguageModelV4;
/**
 * One wrapper of many; the first is the outermost.
 *
 * @example
 * const model = compose(breaker(), rateLimit({ rpm: 60 }), timeouts())(anthropic('claude-sonnet-5-5'))
 */
export declare function compose(...wrappers: readonly Wrapper[]): Wrapper;

// custom/batch.d.ts
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@loom-agent/agent/language-model';
/** What became of one request. */
export type BatchItem = {
    readonly status: 'done';
    readonly text: string;
    readonly result: LanguageModelV4GenerateResult;
} | {
    readonly status: 'failed';
    readonly error: unknown;
};
/** How a batch is worked off. */
export interface BatchOptions {
    /** How many calls at once; default 5. */
    readonly concurrency?: number;
    /** Ends the calls under way and begins no more; what was done is kept. */
    readonly signal?: AbortSignal;
}
/**
 * Asks a model many things that have nothing to do with each other. The items are in the order of the requests; one that fails is told apart
 * and holds up nobody. Nothing is tried again.
 *
 * @example
 * const items = await batch(model, reviews.map((review) => `Is this friendly? ${review}`), { concurrency: 8 })
 */
export declare function batch(model: LanguageModelV4, requests: readonly (string | LanguageModelV4CallOptions)[], options?: BatchOptions): Promise<readonly BatchItem[]>;

// custom/define-model.d.ts
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@loom-agent/agent/language-model';
/** What a model is asked. */
export interface ModelRequest {
    /** The text of the last message of the user. */
    readonly text: string;
    readonly messages: readonly LanguageModelV4Message[];
    readonly tools: readonly LanguageModelV4FunctionTool[];
    readonly signal: AbortSignal | undefined;
    /** Everything else: settings, the format of the answer. */
    readonly options: LanguageModelV4CallOptions;
}
/** A call that a model makes. */
export interface ModelCall {
    readonly tool: string;
    readonly input?: unknown;
    readonly id?: string;
}
/** A reply, or a piece of one. A text is a reply of text. */
export type ModelReply = string | {
    readonly text?: string;
    readonly reasoning?: string;
    readonly calls?: readonly ModelCall[];
    /** Tokens, where they are known. */
    readonly usage?: {
        readonly input: number;
        readonly output: number;
    };
    /** Default: `tool-calls` after calls, else `stop`. */
    readonly finish?: 'stop' | 'length' | 'content-filter' | 'tool-calls';
};
/** What `defineModel` takes: an id (`provider/name`), and one way to answer. */
export interface ModelDefinition {
    readonly id: string;
    readonly generate?: (request: ModelRequest) => ModelReply | Promise<ModelReply>;
    /** Pieces, as they come. */
    readonly stream?: (request: ModelRequest) => AsyncIterable<ModelReply> | Iterable<ModelReply>;
}
/**
 * Makes a model of a function.
 *
 * @example
 * const echo = defineModel({ id: 'mine/echo', generate: ({ text }) => `You said: ${text}` })
 */
export declare function defineModel(definition: ModelDefinition): LanguageModelV4;

// index.d.ts
/** Loom's models: every provider by its id, prices, resilience, models of one's own, and one model that needs no key. */
export { answerTool } from './answer-tool/answer-tool.ts';
export { type Calls, compose, type Wrapper } from './call/wrapper.ts';
export { type BatchItem, type BatchOptions, batch } from './custom/batch.ts';
export { defineModel, type ModelCall, type ModelDefinition, type ModelReply, type ModelRequest } from './custom/define-model.ts';
export { type OfflineOptions, offlineModel } from './offline/index.ts';
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
export { fallback, type ModelFallbackEvent, type ModelFallbackOptions } from './resilience/fallback.ts';
export { type Health, type ModelPool, type PoolOptions, pool } from './resilience/pool.ts';
export { type ProductionOptions, productionDefaults, productionModel } from './resilience/production.ts';
export { type RateLimitOptions, rateLimit } from './resilience/rate-limit.ts';
export { type TimeoutOptions, timeouts } from './resilience/timeouts.ts';
export { infoOf, type Modality, type ModelInfo, type ModelPrice, type ModelTable, type Rates } from './table/model-info.ts';
export { priceOf } from './table/price.ts';
export { modelTable } from './table/table.ts';
export { type ExplainTools, explainTools } from './text-tools/protocol.ts';
export { type TextToolsOptions, textTools } from './text-tools/text-tools.ts';

// offline/index.d.ts
/** A model of fixed rules, for trying things out with no key. */
export { type OfflineOptions, offlineModel } from './offline-model.ts';

// offline/offline-model.d.ts
/**
 * A model without a network: fixed rules that calculate and call tools. It is no language model, and says so.
 *
 * OFFLINE-4. It is deterministic: the same messages, tools and environment give the same reply.
 */
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import { type Environment } from '../provider/environment.ts';
/** What `offlineModel()` takes. */
export interface OfflineOptions {
    /** The id under which runs record it; default `rules`. */
    readonly modelId?: string;
    /** Where it looks for the names of keys; default: the environment of the process, read when it answers. */
    readonly env?: () => Environment;
}
/**
 * A model for trying things out with no key: rule-based, with real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt')
 */
export declare function offlineModel({ modelId, env }?: OfflineOptions): LanguageModelV4;

// provider/environment.d.ts
/** The environment as a port: it is read when a model is asked for, never on import, and not at all where there is none. */
/** Variables by name. */
export type Environment = {
    readonly [name: string]: string | undefined;
};
/** The environment of the process; empty where there is no process. */
export declare function systemEnvironment(): Environment;
/** A variable that says something. */
export declare function settingOf(env: Environment, name: string): string | undefined;

// provider/packages.d.ts
/** The packages of providers: each is loaded by the first model that needs it. */
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
/** What a provider's package is configured with. */
export interface ProviderSettings {
    readonly apiKey?: string;
    readonly baseURL?: string;
    readonly fetch?: typeof fetch;
}
/** What the package for endpoints that speak chat completions is configured with. */
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
    readonly '@ai-sdk/anthropic': {
        createAnthropic(settings: ProviderSettings): MakeModel;
    };
    readonly '@ai-sdk/openai': {
        createOpenAI(settings: ProviderSettings): {
            readonly responses: MakeModel;
            readonly chat: MakeModel;
        };
    };
    readonly '@ai-sdk/google': {
        createGoogle(settings: ProviderSettings): MakeModel;
    };
    readonly '@ai-sdk/openai-compatible': {
        createOpenAICompatible(settings: EndpointSettings): {
            readonly chatModel: MakeModel;
        };
    };
}
/** Loads a package. */
export type LoadPackage = <Name extends keyof ProviderPackages>(name: Name) => Promise<ProviderPackages[Name]>;
/** Imports a package as it is installed beside this one. */
export declare const importPackage: LoadPackage;
/** Loads a package; one that is not there is an error that says how to get it. Some bundlers put an empty module in its place. */
export declare function orInstall(load: LoadPackage): LoadPackage;
export {};

// provider/provider.d.ts
/** Providers: whose models there are, what they are configured with, and how one of their models is made. */
import type { ModelObject } from '@loom-agent/agent';
import { LoomError } from '@loom-agent/kernel';
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
    /** Further variables that show that somebody means to use it. */
    readonly signs: readonly string[];
    /** The model that is used when only the provider is named. */
    readonly defaultModel?: string;
    make(name: string, making: Making): Promise<ModelObject>;
}
/** A provider of one's own: an endpoint that speaks chat completions, an AI SDK provider, or a function. */
export type ProviderSource = {
    readonly baseURL: string;
    readonly apiKey?: string;
    /** The variable that holds the key. */
    readonly key?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Whether the endpoint takes JSON Schemas; default: no. */
    readonly jsonSchema?: boolean;
} | {
    languageModel(name: string): ModelObject;
} | ((name: string) => ModelObject | Promise<ModelObject>);
/** The error of a provider without a key: it names the variable. */
export declare function missingKey(provider: string, keys: readonly string[]): LoomError;
/** The providers that Loom knows. `openai` means the responses API; `openai.chat` is chat completions. */
export declare const knownProviders: Readonly<Record<string, Provider>>;
/** A provider of somebody's own, as Loom uses it. */
export declare function providerOf(provider: string, source: ProviderSource): Provider;

// registry/accepts.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import { type Wrapper } from '../call/wrapper.ts';
import type { Modality } from '../table/model-info.ts';
/**
 * Refuses requests with media that a model does not take, with `LOOM_INPUT_INVALID`, before they are sent. Models by their ids do so by
 * themselves where the table knows what they take.
 *
 * @example
 * const reader = accepts(['text', 'image'])(ollama('llava'))
 */
export declare function accepts(input: readonly Modality[]): Wrapper;
/** The model; what it does not take is refused under its id. */
export declare function accepting(model: LanguageModelV4, known: {
    readonly id: string;
    readonly input: readonly Modality[];
}): LanguageModelV4;
/** Whether a model was not asked because of media that another one might take. */
export declare function isMediaRefusal(error: unknown): boolean;

// registry/choice.d.ts
import type { JsonObject, LoomErrorCode } from '@loom-agent/kernel';
import { type Environment } from '../provider/environment.ts';
import type { Provider } from '../provider/provider.ts';
/** What came of it. */
export type Choice = {
    readonly kind: 'model';
    readonly id: string;
    readonly because: string;
} | {
    readonly kind: 'offline';
    readonly because: string;
} | {
    readonly kind: 'error';
    readonly code: LoomErrorCode;
    readonly message: string;
    readonly context: JsonObject;
};
/** What the choice depends on. */
export interface ChoiceFacts {
    readonly env: Environment;
    readonly providers: Readonly<Record<string, Pick<Provider, 'keys' | 'signs' | 'defaultModel'>>>;
}
/** The model that is meant when an agent has none. `LOOM_PROVIDER` and `LOOM_MODEL` say; else the one provider whose key is set. */
export declare function chooseModel(facts: ChoiceFacts): Choice;

// registry/registry.d.ts
/** The registry: models by their ids. */
import type { ModelObject } from '@loom-agent/agent';
import { type Usage } from '@loom-agent/kernel';
import { type Environment } from '../provider/environment.ts';
import { type LoadPackage } from '../provider/packages.ts';
import { type ProviderSource } from '../provider/provider.ts';
import { type ModelInfo, type ModelTable } from '../table/model-info.ts';
import { type Choice } from './choice.ts';
/** What `createModels` takes. */
export interface ModelsOptions {
    /** Default: the environment of the process, read when a model is asked for. */
    readonly env?: Environment | (() => Environment);
    /** Providers of one's own by name; one that is known may be replaced. */
    readonly providers?: Readonly<Record<string, ProviderSource>>;
    /** What is known about further models, or known better. */
    readonly table?: ModelTable;
    /** How requests are sent; default: the platform's own, which keeps connections open. */
    readonly fetch?: typeof fetch;
    /** How the packages of providers are loaded. */
    readonly load?: LoadPackage;
    /** Milliseconds; default: the platform's clock. Prices may end. */
    readonly now?: () => number;
}
/** Models by their ids. */
export interface Models {
    /** The model behind an id (`provider/name`). Without one, what the environment says. */
    readonly resolveModel: (id?: string) => Promise<ModelObject>;
    /** What would be chosen without an id, and why. */
    readonly choose: () => Choice;
    /** What is known about a model. */
    readonly info: (id: string) => ModelInfo | undefined;
    /** The price of a call in integer micro-units; undefined when it is not known. */
    readonly price: (id: string, usage: Usage) => number | undefined;
    readonly providers: readonly string[];
}
/**
 * A registry of models.
 *
 * @example
 * const models = createModels({ providers: { vllm: { baseURL: 'http://gpu:8000/v1' } } })
 * const agent = createAgentFactory({ resolveModel: models.resolveModel })
 * agent({ model: 'vllm/qwen3' })
 */
export declare function createModels(options?: ModelsOptions): Models;

// resilience/breaker.d.ts
/** A circuit breaker for a model: stops calling what keeps failing, and finds out with one call whether it works again. */
import { type BreakerOptions } from '@loom-agent/agent';
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
/** A model behind a circuit. */
export type BrokenModel = LanguageModelV4 & {
    readonly status: 'closed' | 'open' | 'half-open';
};
/**
 * Puts a circuit in front of a model. A call has failed when its stream has, also in the middle; aborts, readers who leave and refusals tell
 * nothing. While the circuit is open, calls fail at once with `LOOM_CIRCUIT_OPEN`, which says when to try again.
 *
 * Every model that the wrapper is given has a circuit of its own.
 *
 * @example
 * const careful = breaker({ failureRate: 0.5, minimum: 5 })(model)
 */
export declare function breaker(options?: BreakerOptions): (model: LanguageModelV4) => BrokenModel;

// resilience/cache.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/** Where replies are kept, by the digest of their request. */
export interface ReplyStore {
    get(key: string): string | undefined | Promise<string | undefined>;
    set(key: string, reply: string): void | Promise<void>;
}
/** How replies are kept. */
export interface CacheOptions {
    /** Default: the last 1,000 in memory. */
    readonly store?: ReplyStore;
}
/**
 * Answers a request that is the same in every way as an earlier one with the earlier reply, also as a stream. A failure is never kept, nor is
 * a reply that was cut off or filtered. What comes from the cache has used no tokens, and says so in its metadata under `loom.cached`.
 *
 * A store that fails is passed over: the model is asked.
 *
 * @example
 * const cheap = cache({ store: redisStore })(model)
 */
export declare function cache(options?: CacheOptions): Wrapper;
/** The last so many replies, in memory. */
export declare function memoryReplies(most?: number): ReplyStore;

// resilience/coalesce.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/**
 * Lets requests that are the same in every way, and under way at the same time, share one call. Each gets the whole reply. Who aborts leaves
 * alone; the call itself is aborted when the last one has left.
 *
 * @example
 * const shared = coalesce()(model)
 */
export declare function coalesce(): Wrapper;

// resilience/concurrency.d.ts
import { type Wrapper } from '../call/wrapper.ts';
/**
 * Lets so many calls through at once; the others wait in line, first come first served. A call has ended when its stream was read or left.
 *
 * All models that the wrapper is given share the places.
 *
 * @example
 * const four = concurrency(4)
 * const [a, b] = [four(sonnet), four(haiku)]
 */
export declare function concurrency(limit: number): Wrapper;

// resilience/fallback.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
/** What happens on the way to an answer. Models go by their ids. */
export type ModelFallbackEvent = {
    readonly type: 'answered';
    readonly model: string;
} | {
    readonly type: 'failed';
    readonly model: string;
    readonly error: unknown;
};
/** How another model is chosen. */
export interface ModelFallbackOptions {
    readonly onEvent?: (event: ModelFallbackEvent) => void;
}
/**
 * The first of several models that answers. The next one is asked when a model fails in a way that another might not (an overload, a broken
 * connection, an open circuit, media that it does not take), and only until somebody has heard a word: from then on a failure is a failure.
 *
 * Who answered is told by `onEvent`, by `model.replied` in the journal, and in the reply's metadata under `loom.model`.
 *
 * @example
 * const model = fallback([breaker()(sonnet), gpt, local])
 */
export declare function fallback(models: readonly LanguageModelV4[], options?: ModelFallbackOptions): LanguageModelV4;

// resilience/pool.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import type { Clock } from '@loom-agent/kernel';
/** How a model of a pool is doing. */
export interface Health {
    readonly model: string;
    /** Degraded below 80 % of good calls, unhealthy below half or after five failures in a row. */
    readonly state: 'healthy' | 'degraded' | 'unhealthy';
    readonly inFlight: number;
    /** Of the last calls that told something about the model. */
    readonly calls: number;
    readonly failures: number;
}
/** A pool. */
export type ModelPool = LanguageModelV4 & {
    health(): readonly Health[];
};
/** How a pool judges its models. */
export interface PoolOptions {
    /** How many calls of a model are looked at; default 100. */
    readonly window?: number;
    /** Milliseconds for which an unhealthy model is left alone; default 60,000. */
    readonly rest?: number;
    readonly clock?: Pick<Clock, 'now'>;
}
/**
 * Spreads calls over models: the healthiest, of these the least busy, of these the one that has waited longest. A model that is unhealthy
 * rests, then one call finds out how it is. Nothing is tried again: when the agent does, the pool chooses anew.
 *
 * @example
 * const model = pool([east('gpt-6.1-sol'), west('gpt-6.1-sol')])
 */
export declare function pool(models: readonly LanguageModelV4[], options?: PoolOptions): ModelPool;

// resilience/production.d.ts
/** A model as it goes into production. */
import type { BreakerOptions } from '@loom-agent/agent';
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import type { Clock } from '@loom-agent/kernel';
import { type RateLimitOptions } from './rate-limit.ts';
import { type TimeoutOptions } from './timeouts.ts';
/** What differs from the defaults. */
export interface ProductionOptions {
    readonly rateLimit?: Omit<RateLimitOptions, 'clock'>;
    readonly breaker?: Omit<BreakerOptions, 'clock'>;
    readonly timeouts?: Omit<TimeoutOptions, 'clock'>;
    readonly clock?: Clock;
}
/** The defaults: 60 requests a minute; a circuit that opens for a minute when half of five or more calls failed; the usual time-outs. */
export declare const productionDefaults: {
    /** A call that would wait longer fails, and the agent waits instead: its wait is in the journal, and outlives the process. */
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
 * A model with a circuit, a rate limit and time-outs. It does not retry: the agent does, three times, and writes it down.
 *
 * @example
 * const model = productionModel(anthropic('claude-sonnet-5-5'), { rateLimit: { rpm: 500 } })
 */
export declare function productionModel(model: LanguageModelV4, options?: ProductionOptions): LanguageModelV4;

// resilience/rate-limit.d.ts
import { type Clock } from '@loom-agent/kernel';
import { type Wrapper } from '../call/wrapper.ts';
/** What a vendor allows. */
export interface RateLimitOptions {
    /** Requests a minute. */
    readonly rpm?: number;
    /** Tokens a minute, of requests and replies; estimated when a call begins, settled by what the vendor counted. */
    readonly tpm?: number;
    /** Milliseconds that a call may wait; default: as long as it takes. One that would wait longer fails with `LOOM_RATE_LIMITED` at once. */
    readonly maxWait?: number;
    readonly clock?: Clock;
}
/**
 * Makes calls wait until the vendor would take them: first come first served, and an abort ends the wait.
 *
 * All models that the wrapper is given share the limit, as all models of an account do.
 *
 * @example
 * const limit = rateLimit({ rpm: 60, tpm: 100_000 })
 */
export declare function rateLimit(options: RateLimitOptions): Wrapper;

// resilience/timeouts.d.ts
import { type Clock } from '@loom-agent/kernel';
import { type Wrapper } from '../call/wrapper.ts';
/** How long a model may take, in milliseconds. */
export interface TimeoutOptions {
    /** Until it says something; default 60,000. */
    readonly firstToken?: number;
    /** Between two parts of its reply; default 60,000. */
    readonly idle?: number;
    /** For the whole reply; default 600,000. */
    readonly total?: number;
    readonly clock?: Clock;
}
/**
 * Ends calls that take too long with `LOOM_MODEL_TIMEOUT`, and closes their connection. A reply in one piece has only the total time.
 *
 * @example
 * const patient = timeouts({ firstToken: 120_000 })(model)
 */
export declare function timeouts(options?: TimeoutOptions): Wrapper;

// table/model-info.d.ts
/** What is known about a model. What is not known is left out: an unknown price is no price, never 0. */
/** A kind of content. */
export type Modality = 'text' | 'image' | 'audio' | 'video' | 'pdf';
/** Prices in integer micro-units for a million tokens: 3 dollars are 3,000,000. What is read from a cache or written to one costs as input unless it is said. */
export interface Rates {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
}
/** The price of a model, and where it was read. */
export interface ModelPrice extends Rates {
    /** For requests of more input tokens than this, all of the request costs that much. */
    readonly long?: Rates & {
        readonly above: number;
    };
    /** The last day on which it holds, where the vendor named one; after it the price is not known. */
    readonly until?: string;
    /** The day on which it was read. */
    readonly date: string;
    readonly source: string;
}
/** What is known about a model. */
export interface ModelInfo {
    /** Tokens of a request and its reply together. */
    readonly contextWindow?: number;
    readonly outputLimit?: number;
    readonly price?: ModelPrice;
    readonly input?: readonly Modality[];
    readonly output?: readonly Modality[];
    /** Whether it calls tools by itself; one that does not is given a text protocol. */
    readonly tools?: boolean;
    /** Whether it can be held to a JSON Schema. */
    readonly jsonSchema?: boolean;
    /** A public page that says so. */
    readonly source: string;
}
/** Models by `provider/name`. */
export type ModelTable = Readonly<Record<string, ModelInfo>>;
/** Looks a model up: by its own name, or by the one without a date. Providers may be given as their packages name them (`openai.responses`). */
export declare function infoOf(table: ModelTable, id: string): ModelInfo | undefined;

// table/price.d.ts
/** Prices, in exact integers. */
import type { Usage } from '@loom-agent/kernel';
import { type ModelTable } from './model-info.ts';
/** What a call costs in integer micro-units (a dollar has 1,000,000), rounded once, at the end; undefined when the price is not known. */
export declare function priceOf(table: ModelTable, id: string, { usage, now }: {
    readonly usage: Usage;
    readonly now: number;
}): number | undefined;

// table/table.d.ts
import type { ModelTable } from './model-info.ts';
/** All known models. */
export declare const modelTable: ModelTable;

// text-tools/protocol.d.ts
/** The text protocol: how a model that calls no tools by itself is told of them, and how it sees its own calls and their results again. */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@loom-agent/agent/language-model';
/** The text that explains the tools. Replaceable: `textTools({ explain })`. */
export type ExplainTools = (tools: readonly LanguageModelV4FunctionTool[], choice: LanguageModelV4CallOptions['toolChoice']) => string;
/** What the model is told unless somebody says it better. */
export declare const explainTools: ExplainTools;
/** The prompt without calls and results: both become text. */
export declare function asText(prompt: readonly LanguageModelV4Message[], explanation: string): LanguageModelV4Message[];

// text-tools/text-tools.d.ts
import { type Wrapper } from '../call/wrapper.ts';
import { type ExplainTools } from './protocol.ts';
/** How tools are explained. */
export interface TextToolsOptions {
    /** The text that explains the tools; default: visible in `explainTools`. */
    readonly explain?: ExplainTools;
}
/**
 * Gives a model without tool calls a text protocol for them.
 *
 * @example
 * const model = textTools()(ollama('gemma3'))
 */
export declare function textTools(options?: TextToolsOptions): Wrapper;
