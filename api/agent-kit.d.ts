// kit.d.ts
/** What the other packages of Loom build on. No part of the public API: it may change with any release. */
export { requestFor } from './model/adapt.ts';
export { modelId } from './model/model.ts';
export { mixedProvider } from './model/vendor.ts';
export { checkOptions, nearest } from './platform/options.ts';
export { notify } from './resilience/notify.ts';
export { checkNumbers } from './resilience/number-option.ts';
export { mayRecover } from './resilience/recoverable.ts';
export { abortedBy } from './resilience/sleep.ts';

// model/adapt.d.ts
/** What may be sent to whom: messages in the form that one vendor takes, whoever made them. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { JsonObject } from '@loom-agent/kernel';
import { type ModelObject } from './model.ts';
import { type Vendor } from './vendor.ts';
/** A part of a message on the wire, as far as it matters here. */
export interface WirePart {
    readonly type: string;
    readonly text?: string;
    readonly kind?: string;
    readonly providerOptions?: JsonObject;
}
/** Vendors refuse a text without a word in it, unless it carries something of theirs. */
export declare function isFilled({ type, text, providerOptions }: WirePart): boolean;
/** The parts of a reply that may be sent to a vendor. Reasoning belongs to whoever made it, and is nothing without what came of it. */
export declare function partsFor(vendor: Vendor, parts: readonly WirePart[]): readonly WirePart[];
/** Whether a reply begins with a thought that is signed. */
export declare function beginsWithThought(parts: readonly WirePart[]): boolean;
/**
 * A request that was made for several vendors, as one of them takes it. A model that stands for several hands each of them this.
 *
 * @example
 * const answered = await second.doStream(requestFor(second, options))
 */
export declare function requestFor(model: ModelObject, options: LanguageModelV4CallOptions): LanguageModelV4CallOptions;

// model/model.d.ts
/** Models: AI SDK language model objects of any version in use, or an id that the umbrella resolves. Types only: nothing of the AI SDK is loaded. */
import type { LanguageModelV2, LanguageModelV2StreamPart, LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
/** A model object. */
export type ModelObject = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;
/** A model object, or its id (`provider/name`). */
export type Model = ModelObject | string;
/** What any of the versions streams. */
export type StreamPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart | LanguageModelV2StreamPart;
/** The wire version that messages are rendered for. */
export type SpecVersion = ModelObject['specificationVersion'];
/** Settings of a model call. They are journaled, so nothing secret belongs here. */
export interface ModelSettings extends Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'temperature' | 'topP' | 'topK' | 'presencePenalty' | 'frequencyPenalty' | 'stopSequences' | 'seed' | 'reasoning' | 'toolChoice' | 'providerOptions'> {
}
/** The names of all settings. */
export declare const settingKeys: readonly (keyof ModelSettings)[];
/** Turns an id into a model object. */
export type ModelResolver = (id: string) => ModelObject | Promise<ModelObject>;
/** The id under which runs record a model. */
export declare function modelId(model: Model): string;
/** Refuses what is not a model. */
export declare function checkModel(model: unknown): void;
/** The model object behind a model. */
export declare function resolveModel(model: Model | undefined, resolver: ModelResolver | undefined): ModelObject | Promise<ModelObject>;

// model/vendor.d.ts
/** Whose model it is, as far as its id tells: what a vendor left in a thread is for that vendor alone. */
import type { JsonObject } from '@loom-agent/kernel';
/** A vendor, as one who renders messages for it needs to know it. */
export interface Vendor {
    /** The id of the model, as runs record it: `provider/name`. */
    readonly id: string;
    /** Whether metadata may come from this vendor. What carries none may come from anybody. */
    mayOwn(meta: JsonObject | undefined): boolean;
    /** Whether calls without reasoning are refused. */
    readonly wantsReasoning: boolean;
}
/** The provider of a model that stands for several: each of them sees to what is its own. */
export declare const mixedProvider = "mixed";
/** The vendor behind a model's id. */
export declare function vendorOf(id: string): Vendor;

// platform/options.d.ts
/** Refuses keys that are not options, and names the nearest one that is. */
export declare function checkOptions(what: string, given: object, known: readonly string[]): void;
/** The known word nearest to a word, when it is near enough to be meant. */
export declare function nearest(word: string, known: readonly string[]): string | undefined;

// resilience/notify.d.ts
/** Telling those who only listen. */
/** Calls a listener that cannot change what happens, and so cannot break it: what it throws is its own problem. */
export declare function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void;

// resilience/number-option.d.ts
/** Where a number has to lie. */
export interface Bounds {
    readonly min: number;
    readonly max?: number;
    readonly required?: true;
}
/** Refuses numbers that nobody could mean. */
export declare function checkNumbers(what: string, options: object, bounds: {
    readonly [name: string]: Bounds;
}): void;

// resilience/recoverable.d.ts
/**
 * Whether another attempt may help against whatever was thrown.
 *
 * Aborts, codes of Loom that say `never`, and refusals by HTTP status are final. An error that says nothing about itself may be recovered from.
 */
export declare function mayRecover(error: unknown): boolean;

// resilience/sleep.d.ts
/** Sleeping that an abort ends at once. */
import { type Clock, LoomError } from '@loom-agent/kernel';
/** What a sleeper listens to. */
export interface Sleeper {
    readonly clock: Clock;
    readonly signal?: AbortSignal | undefined;
}
/** Sleeps until a moment. Rejects with `LOOM_ABORTED` as soon as the signal aborts; leaves no timer and no listener behind. */
export declare function sleepUntil(time: number, { clock, signal }: Sleeper): Promise<void>;
/** The error of whoever was aborted. */
export declare function abortedBy(signal: AbortSignal | undefined): LoomError;
