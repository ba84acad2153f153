// context/strategy.d.ts
/** The context strategy: a replaceable policy of what the model is shown. */
import type { EventData, Failure, Frame, RetrievedDocument, ToolSpec } from '@loom-agent/kernel';
/** What a strategy may look at. */
export interface ContextRequest {
    readonly frame: Frame;
    readonly instructions: string;
    readonly tools: readonly ToolSpec[];
    /** Why earlier bytes will change anyway; a strategy that has cuts to make makes them now. */
    readonly rebase: string | undefined;
    readonly signal: AbortSignal;
}
/** What a strategy decides. Without a rebase the context grows by what is new in the history, and by nothing else. */
export interface ContextPlan {
    readonly rebase?: {
        readonly reason: string;
        /** Index of the first history entry to keep; a call and its result are never parted. */
        readonly keepFrom?: number;
        /** Text that stands in for what is left out. */
        readonly lead?: string;
    };
    readonly compressed?: EventData['context.compressed'];
    readonly compressionFailed?: Failure;
    readonly retrieved?: {
        readonly query: string;
        readonly documents: readonly RetrievedDocument[];
    };
}
/**
 * Decides before every model call what the context holds.
 *
 * Contract: must not change the frame, must not throw for want of room, and must be deterministic for the same frame: replay asks it again.
 */
export interface ContextStrategy {
    readonly name: string;
    assemble(request: ContextRequest): ContextPlan | Promise<ContextPlan>;
}
/** The strategy without a strategy: everything, in order, append-only. */
export declare const everything: ContextStrategy;

// definition/agent-definition.d.ts
import type { AnyAgent } from '../types/any-agent.ts';
import type { Definition } from './definition.ts';
/** Remembers what an agent is made of. */
export declare function registerAgent<A extends AnyAgent>(agent: A, definition: Definition): A;
/** What an agent is made of. Throws for what is no agent of this process. */
export declare function definitionOf(agent: AnyAgent): Definition;

// definition/agent-options.d.ts
/** What users give to agents and runs. */
import type { Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel';
import type { ContextStrategy } from '../context/strategy.ts';
import type { Hook } from '../hook/hook.ts';
import type { Model, ModelResolver, ModelSettings } from '../model/model.ts';
import type { Policy } from '../permission/policy.ts';
import type { Ports } from '../platform/ports.ts';
import type { ToolSet } from '../tool/tool-set.ts';
import type { SignedAnswer } from '../types/answer.ts';
import type { Behaviour } from '../types/behaviour.ts';
import type { Question } from '../types/question.ts';
import type { Schema } from '../types/schema.ts';
/** What instructions, tools and dependencies given as functions may look at. */
export interface Situation<Deps = unknown> {
    readonly thread: string;
    readonly metadata: {
        readonly [key: string]: unknown;
    };
    readonly deps: Deps;
    /** The thread as it is when the run is taken up. */
    readonly frame: Frame;
}
/** An observer: called with every durable event of an agent's threads and the frame after its batch. It cannot change anything. */
export type Observer = (event: LoomEvent, frame: Frame) => void;
/** What `agent()` takes. */
export interface AgentOptions<Deps = unknown, S extends Schema | undefined = undefined> {
    /** How the agent is called in journals and by other agents; default `agent`. */
    readonly name?: string;
    /** What the agent is for; shown to agents that may call it. */
    readonly description?: string;
    /** The system prompt, or a function that returns it for a run. */
    readonly instructions?: string | ((situation: Situation<Deps>) => string | Promise<string>);
    /** The model that answers: an AI SDK model object, or an id where something resolves ids. */
    readonly model?: Model;
    /** Settings of every model call. They are journaled. */
    readonly settings?: ModelSettings;
    /** What the model may call, or a function that returns it for a run. */
    readonly tools?: ToolSet<Deps> | ((situation: Situation<Deps>) => ToolSet<Deps> | Promise<ToolSet<Deps>>);
    /** The form of the answer; types `result.output`. */
    readonly output?: S;
    /** Given to tools and hooks, never journaled. A function lets any process resume. */
    readonly deps?: Deps | ((situation: Pick<Situation, 'thread' | 'metadata'>) => Deps | Promise<Deps>);
    /** Which calls run, ask or are denied. */
    readonly permissions?: Policy;
    /** Code that runs at the nine points of a turn, in order. */
    readonly hooks?: readonly Hook<Deps>[];
    /** What a run may use at most. */
    readonly limits?: Limits;
    /** What the model is shown of the thread; default: everything. */
    readonly context?: ContextStrategy;
    /** Where the facts are kept; default: in memory. */
    readonly journal?: Journal;
    /** How the agent behaves where people, time and failure are concerned. */
    readonly behaviour?: Behaviour;
    /** Answers questions in this process. */
    readonly onQuestion?: Resolver;
    /** Called with every durable event of this agent's threads, with the frame after its batch; cannot change anything. */
    readonly observers?: readonly Observer[];
    /** Replacements for the platform's clock, ids, randomness, hash and prices. */
    readonly ports?: Partial<Ports>;
}
/** Answers questions in process; `undefined` leaves them to somebody else. */
export type Resolver = (question: Question) => SignedAnswer | undefined | Promise<SignedAnswer | undefined>;
/** What a run may be given; all of it may differ from run to run. */
export interface RunOptions<Deps = unknown> {
    /** The thread to run on; default: a new one. */
    readonly thread?: string;
    /** The dependencies of this run. */
    readonly deps?: Deps;
    /** Another model for this run. */
    readonly model?: Model;
    /** Other tools for this run. */
    readonly tools?: ToolSet<Deps>;
    /** Settings that differ for this run. */
    readonly settings?: ModelSettings;
    /** Limits that differ for this run. */
    readonly limits?: Limits;
    /** Stops the run when it is aborted. */
    readonly signal?: AbortSignal;
    /** Journaled with the run; shown to functions, hooks and permissions. */
    readonly metadata?: {
        readonly [key: string]: unknown;
    };
    /** Answers the questions of this run in this process. */
    readonly onQuestion?: Resolver;
    /** What happens when the thread is busy; default: as the agent's behaviour says. */
    readonly whenBusy?: Behaviour['whenBusy'];
}
/** What code supplies to one run instead of what the agent has. Never journaled. */
export type RunOverrides = Pick<RunOptions<never>, 'deps' | 'model' | 'tools'>;
/** The options of a run: they may be left out unless they must bring the dependencies that the agent was not given. */
export type OptionsOf<Deps, HasDeps, Options = RunOptions<Deps>> = unknown extends Deps ? [options?: Options] : HasDeps extends true ? [options?: Options] : [options: Options & {
    readonly deps: Deps;
}];
/** What the umbrella passes to `agent()`. */
export interface AgentHost {
    readonly resolveModel?: ModelResolver;
    /** The price of a model call in integer micro-units; undefined when it is not known. `ports.price` of an agent comes first. */
    readonly price?: Ports['price'];
}

// definition/definition.d.ts
/** The definition of an agent: its options, checked and compiled once. */
import { type Journal, type Limits } from '@loom-agent/kernel';
import { type ContextStrategy } from '../context/strategy.ts';
import { type HookTable } from '../hook/hook.ts';
import { type CompiledPolicy } from '../permission/policy.ts';
import { type Ports } from '../platform/ports.ts';
import { type Toolbox } from '../tool/toolbox.ts';
import { type CompleteBehaviour } from '../types/behaviour.ts';
import { type Schema } from '../types/schema.ts';
import type { AgentHost, AgentOptions, Observer } from './agent-options.ts';
/** Options whose types have done their work. */
export type ErasedOptions = AgentOptions<never, Schema | undefined>;
/** An agent, ready to run. */
export interface Definition {
    readonly options: ErasedOptions;
    readonly host: AgentHost;
    readonly name: string;
    readonly description: string;
    readonly journal: Journal;
    readonly ports: Ports;
    /** Undefined when the tools are a function of the situation. */
    readonly toolbox: Toolbox | undefined;
    readonly policy: CompiledPolicy | undefined;
    readonly hooks: HookTable;
    /** The agent's observers, and those that hooks bring along. */
    readonly observers: readonly Observer[];
    readonly context: ContextStrategy;
    readonly limits: Limits;
    readonly behaviour: CompleteBehaviour;
    /** Distinguishes this agent from a later version of itself. */
    fingerprint(): string;
}
/** Checks options and makes them an agent's definition. */
export declare function define(options: ErasedOptions, host: AgentHost): Definition;

// hook/hook.d.ts
/**
 * Hooks: the nine points of a turn at which people may look and change.
 *
 * A return value replaces, `undefined` leaves. Hooks chain in list order, each seeing what the one before made. What they changed is
 * journaled as a patch, so replay calls no hook. Until a later event is durable a hook may be called again: it must have no effects of its own.
 */
import type { Answer, Frame, HookPoint, Json, Limits, LoomEvent, Output, Part, ToolOutcome } from '@loom-agent/kernel';
import type { ModelSettings } from '../model/model.ts';
import type { ModelRequest } from '../model/request-patch.ts';
/** What every hook is given. */
export interface HookContext<Deps = unknown> {
    readonly thread: string;
    readonly turn: number;
    readonly frame: Frame;
    readonly deps: Deps;
    readonly metadata: {
        readonly [key: string]: unknown;
    };
    readonly signal: AbortSignal;
    /** The answer, when this hook had suspended the run. */
    readonly answer: Answer | undefined;
}
/** What may change between the parts of a turn: a message of the user's side, settings, limits. */
export interface RunPatch {
    readonly say?: string;
    readonly settings?: ModelSettings;
    readonly limits?: Limits;
}
/** What may change about the assembled context. Other instructions make a rebase. */
export interface ContextPatch extends RunPatch {
    readonly instructions?: string;
}
/** A call about to be executed. */
export interface ProposedCall {
    readonly id: string;
    readonly tool: string;
    readonly input: Json;
}
/** A call that has ended. */
export interface EndedCall extends ProposedCall {
    readonly status: ToolOutcome['status'];
    readonly output: Output;
    readonly errorType?: string | undefined;
    readonly ms?: number | undefined;
}
/** Stops the run until somebody answers; the hook is then called once more, with the answer. */
export interface Suspended {
    readonly kind: 'suspend';
    readonly reason: string;
}
/** Leaves a call out; the model sees why. */
export interface Skipped {
    readonly kind: 'skip';
    readonly reason: string;
}
/** Gives a call its result without running it. */
export interface Answered {
    readonly kind: 'answer';
    readonly output: Output;
}
/** Answers a call instead of running it, from `beforeToolExecution`: a cached result, a stand-in. */
export declare function answerWith(output: Output): Answered;
/** Asks, from any hook, for a human's answer before the run goes on. */
export declare function suspend(reason: string): Suspended;
/** Skips a call, from `beforeToolExecution`. */
export declare function skip(reason: string): Skipped;
/** What a hook may answer. */
export type HookAnswer<T> = T | Suspended | undefined | void | Promise<T | Suspended | undefined | void>;
/** A hook: any of the nine methods, and `observe` for those that only look. */
export interface Hook<Deps = unknown> {
    readonly name?: string;
    readonly beforeIterationStart?: (context: HookContext<Deps>) => HookAnswer<RunPatch>;
    readonly beforeContextAssembly?: (context: HookContext<Deps>) => HookAnswer<RunPatch>;
    readonly afterContextAssembly?: (context: HookContext<Deps>, assembled: {
        readonly instructions: string;
        readonly tools: readonly string[];
    }) => HookAnswer<ContextPatch>;
    readonly beforeModelCall?: (context: HookContext<Deps>, request: ModelRequest) => HookAnswer<Partial<ModelRequest>>;
    readonly afterModelReply?: (context: HookContext<Deps>, reply: {
        readonly parts: readonly Part[];
    }) => HookAnswer<{
        readonly parts: readonly Part[];
    }>;
    readonly beforeToolExecution?: (context: HookContext<Deps>, call: ProposedCall) => HookAnswer<{
        readonly input: Json;
    } | Skipped | Answered>;
    readonly afterToolExecution?: (context: HookContext<Deps>, call: EndedCall) => HookAnswer<{
        readonly output: Output;
        readonly status?: ToolOutcome['status'];
    }>;
    readonly beforeRecursion?: (context: HookContext<Deps>, next: {
        readonly turn: number;
    }) => HookAnswer<RunPatch>;
    readonly afterIterationEnd?: (context: HookContext<Deps>) => HookAnswer<RunPatch>;
    /** Called with every durable event of the agent's threads and the frame after its batch; cannot change anything. */
    readonly observe?: (event: LoomEvent, frame: Frame) => void;
}
type HookMethod = (context: HookContext, subject?: unknown) => HookAnswer<object>;
/** For each point the hooks that have a say in it, in list order. */
export type HookTable = {
    readonly [P in HookPoint]?: readonly {
        readonly name: string;
        readonly index: number;
        readonly call: HookMethod;
    }[];
};
/** Sorts hooks by point, so that a point nobody uses costs one look. */
export declare function hookTable(hooks: readonly Hook<never>[], points: readonly HookPoint[]): HookTable;
export {};

// kit.d.ts
/** What the other packages of Loom build on. No part of the public API: it may change with any release. */
export { definitionOf } from './definition/agent-definition.ts';
export type { Definition } from './definition/definition.ts';
export { requestFor } from './model/adapt.ts';
export { modelId } from './model/model.ts';
export { mixedProvider } from './model/vendor.ts';
export { checkOptions, nearest } from './platform/options.ts';
export { notify } from './resilience/notify.ts';
export { checkNumbers } from './resilience/number-option.ts';
export { mayRecover } from './resilience/recoverable.ts';
export { abortedBy } from './resilience/sleep.ts';

// model/adapt.d.ts
/** What may be sent to whom: messages in the form that one vendor takes, whichever vendor made them. */
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
/** The parts of a reply that may be sent to a vendor. Reasoning belongs to the vendor that made it, and is nothing without what came of it. */
export declare function partsFor(vendor: Vendor, parts: readonly WirePart[]): readonly WirePart[];
/** Whether a reply begins with a thought that is signed. */
export declare function beginsWithThought(parts: readonly WirePart[]): boolean;
/**
 * A request that was made for several vendors, as one of them takes it. A model that stands for several passes this to each of them.
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

// model/request-patch.d.ts
/** What `beforeModelCall` changed about one request, as a patch: what stays in front, and what follows instead. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { JsonObject } from '@loom-agent/kernel';
import type { ModelSettings } from './model.ts';
/** The request that is about to be sent; what is returned holds for this request only. */
export interface ModelRequest {
    readonly messages: readonly LanguageModelV4Message[];
    readonly settings: ModelSettings;
}
/** The patch that makes one request of another. Messages that are the same objects are not looked into. */
export declare function requestPatch(returned: Partial<ModelRequest>, before: ModelRequest, former: JsonObject | undefined): JsonObject | undefined;
/** The request with the patch applied. */
export declare function applyRequestPatch(request: LanguageModelV4CallOptions, patch: JsonObject): LanguageModelV4CallOptions;

// model/vendor.d.ts
/** Whose model it is, as far as its id shows: what a vendor left in a thread is for that vendor alone. */
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

// permission/policy.d.ts
/**
 * Policies: what people write about permissions, checked and made ready.
 *
 * PERM-1. deny > ask > allow, and the strictest of all matching rules wins: order and specificity do not matter.
 * PERM-2. `default` holds only when no rule matches; a policy without a default denies.
 * PERM-3. A policy that cannot be meant is refused when it is given, never when a call is judged.
 */
import { type EffectClass, type Json, type JsonObject } from '@loom-agent/kernel';
export type Verdict = 'allow' | 'ask' | 'deny';
/** What a call is judged by. `input` is what the tool would get, as JSON. */
export interface CallFacts {
    readonly tool: string;
    readonly effect: EffectClass;
    readonly input: Json;
    readonly thread: string;
    readonly deps: unknown;
}
/** One rule. It matches when the name, the effect, every argument pattern and `when` do. */
export interface Rule {
    /** A name, or a pattern in which * stands for anything. */
    readonly tool: string;
    readonly verdict: Verdict;
    readonly effect?: EffectClass | readonly EffectClass[];
    /** Patterns for top-level arguments: a text with *, or a value that must be equal. */
    readonly input?: JsonObject;
    readonly when?: (call: CallFacts) => boolean | Promise<boolean>;
    readonly reason?: string;
    /** How many people must approve. */
    readonly approvers?: number;
    /** Milliseconds after which an unanswered question counts as rejected. */
    readonly expires?: number;
}
/** A policy: tool names and their verdicts, or rules. In shadow mode verdicts are recorded and not enforced. */
export type Policy = {
    readonly [tool: string]: Verdict;
} | {
    readonly rules: readonly Rule[];
    readonly default?: Verdict;
    readonly shadow?: boolean;
};
/** What the rules say of a call, and which of them decided. */
export interface Judgement {
    readonly verdict: Verdict;
    readonly decidedBy: readonly string[];
    readonly reason?: string;
    readonly approvers?: number;
    readonly expires?: number;
    readonly shadow?: true;
}
/** A judgement, and what follows from it. */
export interface Ruling {
    readonly judgement: Judgement;
    /** Everything that the deciding rules say: what an approval under them is bound to. */
    readonly basis: readonly string[];
    /** Who is named as having allowed a call; empty when nobody had to say anything. */
    readonly allowedBy: string;
}
/** A rule ready to match. */
export interface CompiledRule extends Rule {
    readonly id: string;
    readonly content: string;
}
/** A policy ready to judge. */
export interface CompiledPolicy {
    /** Rulings that follow from the tool alone, once made. */
    readonly known: Map<string, Ruling>;
    readonly rules: readonly CompiledRule[];
    readonly defaultVerdict: Verdict;
    readonly shadow: boolean;
}
/** Whether a word is a verdict. */
export declare function isVerdict(value: unknown): value is Verdict;
/** Checks a policy and makes it ready to judge. */
export declare function compilePolicy(policy: Policy): CompiledPolicy;

// platform/options.d.ts
/** Refuses keys that are not options, and names the nearest one that is. */
export declare function checkOptions(what: string, given: object, known: readonly string[]): void;
/** The known word nearest to a word, when it is near enough to be meant. */
export declare function nearest(word: string, known: readonly string[]): string | undefined;

// platform/ports.d.ts
/** The ports of an agent and what they are by default: the platform's clock, randomness and hash. */
import type { Clock, Frame, Hash, Ids, Random, Usage } from '@loom-agent/kernel';
/** Everything impure that an agent uses besides its journal, model and tools. */
export interface Ports {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly random: Random;
    readonly hash: Hash;
    /** The price of a model call in integer micro-units; undefined when it is not known. */
    readonly price: (model: string, usage: Usage) => number | undefined;
    /** Turns on checks that cost time, such as entering a durable body once more at its first wait. */
    readonly development: boolean;
    /** For tests: replaces the live frame after each commit by one folded from the journal. */
    readonly refold?: (frame: Frame) => Promise<Frame>;
    /** For tests: every step of a durable body ends the entry, and the body is entered again. */
    readonly reenter?: boolean;
}
/** The clock of the platform. */
export declare const systemClock: Clock;
/** The given ports, completed by those of the platform. */
export declare function completePorts(given?: Partial<Ports>): Ports;

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
/** The error of an aborted wait. */
export declare function abortedBy(signal: AbortSignal | undefined): LoomError;

// tool/define.d.ts
/** Tools as people write them. */
import { type EffectClass } from '@loom-agent/kernel';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type Verdict } from '../permission/policy.ts';
import type { Answer, AskOptions } from '../types/answer.ts';
import type { AnyAgent } from '../types/any-agent.ts';
import type { Result } from '../types/result.ts';
import { type Infer, type Schema } from '../types/schema.ts';
/** What a tool's body is given besides its input. */
export interface ToolContext<Deps = unknown> {
    readonly thread: string;
    /** Loom's own id of the call: turn.index. */
    readonly call: string;
    /** Stable over retries and restarts of this call, and of no other: give it to a service that can recognise a repeated request. */
    readonly key: string;
    readonly signal: AbortSignal;
    readonly deps: Deps;
    /** Emits progress to viewers; nothing of it is kept. */
    progress(data: unknown): void;
}
/** What the body of a durable tool has besides: what may outlive the process. */
export interface DurableContext<Deps = unknown> extends ToolContext<Deps> {
    /** Runs a function once and remembers its result under the name; entered again, the body gets the record. */
    step<T>(name: string, run: (step: {
        readonly key: string;
        readonly signal: AbortSignal;
    }) => T | Promise<T>, options?: {
        effect?: EffectClass;
    }): Promise<T>;
    /** Asks a human. Neither throws nor settles while nobody has answered. */
    ask(prompt: string, options?: AskOptions): Promise<Answer>;
    /** Runs an agent as a child of this call. */
    run<Output>(agent: AnyAgent<Output>, input: string, options?: {
        name?: string;
    }): Promise<Result<Output>>;
    /** Sleeps without holding a process. */
    sleep(ms: number): Promise<void>;
}
/** When and beside what a call may run. */
export interface Schedule<Input> {
    /** May run beside other calls; default: only `pure` and `read` tools do. */
    readonly parallel?: boolean;
    /** Calls with the same key never run at once. */
    readonly lock?: string | ((input: Input) => string);
    /** Milliseconds; default 120,000. */
    readonly timeout?: number;
    /** Higher goes first among calls that wait for a place. */
    readonly priority?: number;
}
/** What the outside world says of a call whose performer was lost. */
export type Checked = {
    readonly status: 'done';
    readonly result: unknown;
} | {
    readonly status: 'not-done';
} | {
    readonly status: 'unknown';
};
/** What `tool()` takes. */
export interface ToolDefinition<S extends Schema, Deps, D extends boolean> {
    readonly name?: string;
    readonly description?: string;
    readonly input?: S;
    /** What may be done when the outcome is not known; default `unsafe`: never run twice. */
    readonly effect?: EffectClass;
    /** The body may wait and is entered again from its first line; code outside steps must have no effects. */
    readonly durable?: D;
    readonly permission?: Verdict | ((input: Infer<S>, context: {
        readonly thread: string;
        readonly deps: Deps;
    }) => Verdict | Promise<Verdict>);
    readonly available?: boolean | ((context: {
        readonly thread: string;
        readonly deps: Deps;
    }) => boolean);
    /** For `reconcilable` tools: whether the call with this key happened. */
    check?(key: string, context: ToolContext<Deps>): Checked | Promise<Checked>;
    readonly schedule?: Schedule<Infer<S>>;
    /** Does the work. A generator's yields are progress, its return value is the result. */
    run(input: Infer<S>, context: D extends true ? DurableContext<Deps> : ToolContext<Deps>): unknown;
}
/** A tool that an agent can be given. */
export interface Tool<Deps = unknown> {
    readonly kind: 'tool';
    readonly name: string;
    readonly definition: ErasedDefinition;
    /** Only a type: what the tool needs of the agent's dependencies. */
    readonly needs?: (deps: Deps) => void;
}
/** A definition whose types have done their work. */
export interface ErasedDefinition extends Omit<ToolDefinition<Schema, unknown, boolean>, 'run' | 'permission' | 'schedule' | 'check' | 'available'> {
    readonly permission?: Verdict | ((input: unknown, context: {
        readonly thread: string;
        readonly deps: unknown;
    }) => Verdict | Promise<Verdict>);
    readonly available?: boolean | ((context: {
        readonly thread: string;
        readonly deps: unknown;
    }) => boolean);
    readonly schedule?: Schedule<unknown>;
    readonly check?: (key: string, context: ToolContext) => Checked | Promise<Checked>;
    readonly run: (input: unknown, context: DurableContext) => unknown;
}
/** The schema of a tool without input. */
export type NoInput = StandardSchemaV1<unknown, Record<string, never>>;
/** A function that defines tools for the given dependencies. */
export type DefineTool<Deps> = <S extends Schema = NoInput, const D extends boolean = false>(definition: ToolDefinition<S, Deps, D>) => Tool<Deps>;
/**
 * Defines a tool. Without an argument it returns a `tool` whose `ctx.deps` has the given type.
 *
 * @example
 * const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
 */
export declare function tool<Deps>(): DefineTool<Deps>;
export declare function tool<S extends Schema = NoInput, const D extends boolean = false, Deps = unknown>(definition: ToolDefinition<S, Deps, D>): Tool<Deps>;
/** Providers accept these names and no others. */
export declare function checkToolName(name: string): void;
/** Whether a value is a tool. */
export declare function isTool(value: unknown): value is Tool;

// tool/tool-set.d.ts
/** The tools that an agent is given. */
import type { AnyAgent } from '../types/any-agent.ts';
import type { Tool } from './define.ts';
/** What can stand in `tools`: a tool, an agent, or a plain function. */
export type ToolLike<Deps> = Tool<Deps> | AnyAgent | ((input: never) => unknown);
/** Tools as a list, or keyed by name. */
export type ToolSet<Deps> = readonly ToolLike<Deps>[] | {
    readonly [name: string]: ToolLike<Deps>;
};

// tool/toolbox.d.ts
/** The toolbox: the tools of a run, checked and ready. Compiled once per agent, not per turn. */
import { type EffectClass, type ToolSpec } from '@loom-agent/kernel';
import { type ErasedDefinition } from './define.ts';
import type { ToolSet } from './tool-set.ts';
/** A tool in a toolbox. */
export interface ReadyTool {
    readonly name: string;
    readonly definition: ErasedDefinition;
    readonly effect: EffectClass;
    readonly serial: boolean;
    readonly spec: ToolSpec;
}
/** Tools by name, in the order in which they were given. */
export interface Toolbox {
    readonly tools: ReadonlyMap<string, ReadyTool>;
    readonly specs: readonly ToolSpec[];
}
/** Checks and compiles tools. */
export declare function compileTools(set: ToolSet<never> | undefined): Toolbox;

// types/answer.d.ts
/** Answers to questions, as people give them. */
import type { Answer, Json, Limits } from '@loom-agent/kernel';
import type { Schema } from './schema.ts';
export type { Answer };
/** An answer together with who gave it. */
export interface SignedAnswer {
    readonly answer: Answer;
    readonly by?: string | undefined;
}
/** Yes: go ahead, also for the same tool on the whole thread; a limit is raised by as much again or to the given limits. */
export declare function approve(options?: {
    scope?: 'thread';
    limits?: Limits;
    by?: string;
}): SignedAnswer;
/** Yes, but with these arguments. */
export declare function edit(input: unknown, options?: {
    by?: string;
}): SignedAnswer;
/** No. The model sees the reason and may try something else. */
export declare function reject(reason?: string, options?: {
    by?: string;
}): SignedAnswer;
/** Here is the result; nothing is run. */
export declare function respond(value: unknown, options?: {
    by?: string;
}): SignedAnswer;
/** How a durable body may ask. */
export interface AskOptions {
    /** Distinguishes several questions of one body; default: their order. */
    readonly name?: string;
    readonly show?: Json;
    /** What a `respond` must fit. */
    readonly schema?: Schema;
    /** Milliseconds after which nobody answering counts as reject. */
    readonly expires?: number;
    readonly approvers?: number;
}

// types/any-agent.d.ts
/** An agent as tools and types see it: its name and what it returns, nothing of how it works. */
/** An agent of any dependencies, known by its output. */
export interface AnyAgent<Output = unknown> {
    readonly kind: 'agent';
    readonly name: string;
    /** What the agent is for; shown to agents that may call it. */
    readonly description: string;
    /** Only a type. */
    readonly gives?: Output;
}
/** Whether a value is an agent. */
export declare function isAgent(value: unknown): value is AnyAgent;

// types/behaviour.d.ts
/** How an agent behaves where people, time and failure are concerned. */
export interface Behaviour {
    /** What happens when nobody answers a question; default `wait`. */
    readonly unattended?: 'wait' | 'deny';
    /** What a second input on a busy thread does; default `queue`. */
    readonly whenBusy?: 'queue' | 'steer' | 'reject';
    /** Model attempts per turn; default 3. */
    readonly attempts?: number;
    /** How often an answer that does not fit `output` is sent back; default 2. */
    readonly repairs?: number;
    /** Calls that run at once; default 10. */
    readonly concurrency?: number;
    /** The run ends only through this tool; one reminder is given. */
    readonly requireDone?: string;
    /** Characters of a tool's output that reach the model; default 10,000. */
    readonly outputLimit?: number;
    /** Milliseconds without a word from the model before the attempt counts as failed; default 60,000. */
    readonly modelIdle?: number;
    /** Milliseconds that work has to end after a stop; default 2,000. */
    readonly grace?: number;
}
/** Behaviour with every default filled in. */
export type CompleteBehaviour = Required<Omit<Behaviour, 'requireDone'>> & Pick<Behaviour, 'requireDone'>;
/** The names of all options of behaviour. */
export declare const behaviourKeys: readonly ['unattended', 'whenBusy', 'attempts', 'repairs', 'concurrency', 'requireDone', 'outputLimit', 'modelIdle', 'grace'];
/** No default of the framework is without a bound. */
export declare const defaultBehaviour: CompleteBehaviour;

// types/question.d.ts
/** Questions, as people see them. */
import type { Json, QuestionData } from '@loom-agent/kernel';
/** An open question. */
export interface Question {
    /** Thread, place and ordinal: valid in any process. */
    readonly id: string;
    readonly thread: string;
    readonly kind: QuestionData['kind'];
    readonly prompt: string;
    /** The call it is about, with the tool's name and the arguments as they would be used. */
    readonly call?: {
        readonly id: string;
        readonly tool: string;
        readonly input: Json;
    };
    readonly show?: Json;
    readonly expires?: number;
    /** How many must approve, and how many have. */
    readonly approvers: number;
    readonly approvals: number;
}

// types/result.d.ts
/** What a run came to. */
import type { Failure, Json, Usage } from '@loom-agent/kernel';
import type { Question } from './question.ts';
interface Ended {
    readonly thread: string;
    readonly run: string;
    /** The answer, or as much of it as there is. */
    readonly text: string;
    readonly usage: Usage;
    /** Integer micro-units; undefined when a price is not known. */
    readonly cost: number | undefined;
    readonly turns: number;
    /** Open questions, also those of children. */
    readonly questions: readonly Question[];
}
/** Done: the model has answered. */
export interface Done<Output> extends Ended {
    readonly status: 'done';
    readonly output: Output;
}
/** Waiting: somebody has to answer, or a time has to come. Never to be taken for an empty answer. */
export interface Waiting extends Ended {
    readonly status: 'waiting';
    readonly until: number | undefined;
}
/** Stopped: by somebody, a limit, a budget or a loop. What there is so far is in `text`. */
export interface Stopped extends Ended {
    readonly status: 'stopped';
    readonly kind: 'cancelled' | 'limit' | 'budget' | 'loop';
    readonly reason: string;
}
/** Failed: `resume` tries again from where it failed. */
export interface Failed extends Ended {
    readonly status: 'failed';
    readonly error: Failure;
}
/** What a run came to; narrow on `status`. */
export type Result<Output = string> = Done<Output> | Waiting | Stopped | Failed;
/** A result as a parent records it. */
export type ChildValue = {
    readonly status: 'done' | 'stopped' | 'failed';
    readonly text: string;
    readonly output?: Json;
    readonly kind?: Stopped['kind'];
    readonly reason?: string;
    readonly turns: number;
};
export {};

// types/schema.d.ts
/** Schemas: any Standard Schema that can also say its JSON Schema, or a JSON Schema as it is. */
import { type JsonObject } from '@loom-agent/kernel';
import type { StandardSchemaV1 } from '@standard-schema/spec';
/** A Standard Schema, as zod, valibot and arktype give them. */
export type Schema = StandardSchemaV1;
/** What a schema lets through. */
export type Infer<S extends Schema> = StandardSchemaV1.InferOutput<S>;
/** What a schema said of a value. */
export type Validated = {
    readonly kind: 'valid';
    readonly value: unknown;
} | {
    readonly kind: 'invalid';
    readonly problem: string;
};
/** Validates a value; synchronous when the schema is. */
export declare function validate(schema: Schema, value: unknown): Validated | Promise<Validated>;
/** The JSON Schema of what a schema accepts. */
export declare function jsonSchemaOf(schema: Schema, what: string): JsonObject;
/** Whether a value is a Standard Schema. */
export declare function isSchema(value: unknown): value is Schema;
/**
 * A JSON Schema as a schema. Values are checked against it, or by `validate` where another schema knows better.
 *
 * @example
 * tool({ name: 'add', input: jsonSchema<{ a: number }>({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }), run: ({ a }) => a })
 */
export declare function jsonSchema<T = unknown>(json: JsonObject, options?: {
    validate?: Schema;
}): StandardSchemaV1<unknown, T>;
