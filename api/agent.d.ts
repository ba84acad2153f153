// agent-type.d.ts
/** The agent, as users hold it. */
import type { Journal } from '@loom-agent/kernel';
import type { AgentOptions, OptionsOf, RunOptions } from './definition/agent-options.ts';
import type { Fork, ForkOptions, ForkPlan } from './fork/fork-types.ts';
import type { Recovered, RecoverOptions } from './run/recover-types.ts';
import type { RunHandle } from './run/run-handle.ts';
import type { Replayed, ReplayOptions } from './travel/replay-types.ts';
import type { SignedAnswer } from './types/answer.ts';
import type { AnyAgent } from './types/any-agent.ts';
import type { Input, UserMessages } from './types/input.ts';
import type { Result } from './types/result.ts';
import type { RunEvent } from './types/run-event.ts';
import type { Infer, Schema } from './types/schema.ts';
/** An agent. One kind, always durable; the journal decides how long what it did is remembered. */
export interface Agent<Deps = unknown, Output = string, HasDeps extends boolean = false> extends AnyAgent<Output> {
    readonly journal: Journal;
    /** Runs an input to its end, or to a question that nobody here answers. */
    run(input: Input, ...options: OptionsOf<Deps, HasDeps>): Promise<Result<Output>>;
    /** Starts a run and returns its handle at once. */
    start(input: Input, ...options: OptionsOf<Deps, HasDeps>): RunHandle<Output>;
    /** The events and signals of a fresh run. */
    stream(input: Input, ...options: OptionsOf<Deps, HasDeps>): AsyncIterableIterator<RunEvent>;
    /** Goes on with a thread: after a crash, an answer, a pause, a failure or a raised limit. Any process, any time. */
    resume(thread: string, ...options: OptionsOf<Deps, HasDeps, Omit<RunOptions<Deps>, 'thread' | 'whenBusy'>>): RunHandle<Output>;
    /** Answers a question of a thread of this agent, or of a child of one, and wakes it. */
    answer(questionId: string, answer: SignedAnswer): Promise<void>;
    /** Drives on what a process that is gone has left: once, or again and again with `every`. Threads whose driver lives are left alone. */
    recover(options?: RecoverOptions): Promise<readonly Recovered[]>;
    /** Another way for a thread to go from `thread@seq` on; the thread itself is only read. */
    fork(at: string, options?: ForkOptions): Promise<Fork<Output>>;
    /** What such a fork would reuse, run and risk; nothing is made. */
    planFork(at: string, options?: ForkOptions): Promise<ForkPlan>;
    /** What a thread would have sent to the model with other options, turn by turn; no model, tool or hook is called. */
    replay(thread: string, options?: ReplayOptions): Promise<Replayed<Output>>;
    /** The same for many threads, one after another. */
    replayAll(threads: Iterable<string> | AsyncIterable<string>, options?: ReplayOptions): AsyncGenerator<Replayed<Output>, void>;
    /** The conversation as AI SDK messages. */
    messages(thread: string): Promise<UserMessages>;
    /** What the model would be sent next, without sending it. */
    preview(input: Input, options?: RunOptions<Deps>): Promise<{
        readonly system: string;
        readonly messages: UserMessages;
        readonly tools: readonly string[];
    }>;
    /** The same agent with other options. */
    with(options: Partial<AgentOptions<Deps>>): Agent<Deps, Output, HasDeps>;
}
/** What an output schema makes of `result.output`. */
export type OutputOf<S extends Schema | undefined> = S extends Schema ? Infer<S> : string;

// agent.d.ts
import type { Agent, OutputOf } from './agent-type.ts';
import type { AgentHost, AgentOptions } from './definition/agent-options.ts';
import type { Schema } from './types/schema.ts';
/** A function that defines agents for the given dependencies. */
export type DefineAgent<Deps> = <S extends Schema | undefined = undefined, Key extends keyof AgentOptions = never>(options: AgentOptions<Deps, S> & Named<Key>) => Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>;
/** Options of which only the names are known: whether `deps` is among them decides what a run must bring. */
type Named<Key extends string> = {
    readonly [K in Key]?: unknown;
};
/**
 * Makes an agent. Without an argument in a typed call, `agent<Deps>()` returns an `agent` for those dependencies.
 *
 * @example
 * const math = agent({ name: 'math', instructions: 'Be exact.', model, tools: { add } })
 * console.log((await math.run('2+2?')).text)
 */
export interface AgentFactory {
    <Deps>(): DefineAgent<Deps>;
    <S extends Schema | undefined = undefined, Deps = unknown, Key extends keyof AgentOptions = never>(options: AgentOptions<Deps, S> & Named<Key>): Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>;
}
/** The factory for a host: the umbrella passes its model resolver in here. */
export declare function createAgentFactory(host: AgentHost): AgentFactory;
/** Makes an agent whose models are objects. */
export declare const agent: AgentFactory;
export {};

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

// fork/fork-types.d.ts
/** Forks, as users see them: what is asked for, what it would come to, and what is made. */
import type { EffectClass, ForkEffects, Limits } from '@loom-agent/kernel';
import type { RunOptions } from '../definition/agent-options.ts';
import type { Model } from '../model/model.ts';
import type { RunHandle } from '../run/run-handle.ts';
import type { Input } from '../types/input.ts';
/**
 * Something that a fork makes different. An edit of a fact cuts the thread just before that fact, wherever the fork was asked for.
 *
 * - `input`: somebody says something else from here on
 * - `result`: a call gave something else
 * - `deny`: a call was not permitted
 * - `instructions`: the agent gets other instructions
 * - `model`: another model goes on
 * - `remove-turn`: a turn, and what followed from it, did not happen
 */
export type Edit = {
    readonly kind: 'input';
    readonly input: Input;
} | {
    readonly kind: 'result';
    readonly call: string;
    readonly result: unknown;
} | {
    readonly kind: 'deny';
    readonly call: string;
    readonly reason?: string;
} | {
    readonly kind: 'instructions';
    readonly text: string;
} | {
    readonly kind: 'model';
    readonly model: Model;
} | {
    readonly kind: 'remove-turn';
    readonly turn: number;
};
/** A call that the parent made after the cut, and that the fork may make again. */
export interface PlannedCall {
    readonly call: string;
    readonly tool: string;
    readonly effect: EffectClass;
    /** What would become of it in the fork, were it made again with the same arguments. */
    readonly fate: 'runs' | 'recorded' | 'stubbed' | 'asked';
}
/** What a fork comes to. */
export interface ForkPlan {
    readonly from: string;
    readonly effects: ForkEffects;
    /** What is shared with the parent: events, turns, and the tokens and micro-units that are not spent again. */
    readonly reused: {
        readonly events: number;
        readonly turns: number;
        readonly tokens: number;
        readonly cost: number;
    };
    /** What the parent spent after the cut: the best guess of what going on may cost. `cost` is undefined where a price is unknown. */
    readonly estimate: {
        readonly turns: number;
        readonly tokens: number;
        readonly cost: number | undefined;
    };
    /** Calls that the parent made after the cut. */
    readonly calls: readonly PlannedCall[];
    /** Those among them that would change the world without anybody being asked. */
    readonly unsafe: readonly PlannedCall[];
    /** Calls and questions that are open at the cut and are decided anew. */
    readonly reopened: readonly string[];
}
/** How a thread is forked. */
export interface ForkOptions {
    /** The id of the fork; default: made up. */
    readonly thread?: string;
    readonly edit?: Edit | readonly Edit[];
    /** What becomes of effects after the cut; default `ask`: those that change the world are asked about. */
    readonly effects?: ForkEffects;
    /** What the run that goes on may spend. Without it, it spends nothing until somebody grants it. */
    readonly limits?: Limits;
}
/** A fork: a thread of its own. */
export interface Fork<Output = string> {
    readonly thread: string;
    /** Where it was cut. */
    readonly from: string;
    readonly plan: ForkPlan;
    /** Goes on from the cut. */
    resume(options?: Omit<RunOptions<never>, 'thread' | 'whenBusy'>): RunHandle<Output>;
}

// hook/built-in/analytics.d.ts
/** One record for each run. */
import { type Usage } from '@loom-agent/kernel';
import { type ObservingHook } from './observing-hook.ts';
/** What a run came to. */
export interface RunRecord {
    readonly thread: string;
    readonly run: string;
    readonly agent: string;
    readonly outcome: 'done' | 'stopped' | 'failed';
    /** Why it stopped or failed. */
    readonly reason?: string;
    readonly turns: number;
    /** For each tool how often it was called, and how often the result was an error. */
    readonly calls: {
        readonly [tool: string]: {
            readonly count: number;
            readonly errors: number;
        };
    };
    /** With those of its children. */
    readonly tokens: Usage;
    /** Integer micro-units; absent when a price is not known. */
    readonly cost?: number;
    /** Milliseconds of driving: waiting for people does not count. */
    readonly duration: number;
}
/** Where records go. */
export interface AnalyticsOptions {
    /** Takes each record. What it throws is its own problem. */
    readonly sink: (record: RunRecord) => unknown;
}
/**
 * Passes one record to the sink whenever a run ends. It is made of the run's own facts, so it is whole also when other processes drove the run before.
 *
 * A run that is resumed after a failure or a limit is recorded again at its next end: thread and run name it.
 *
 * @example
 * agent({ model, hooks: [analytics({ sink: (record) => rows.push(record) })] })
 */
export declare function analytics(options: AnalyticsOptions): ObservingHook;

// hook/built-in/caching.d.ts
/**
 * Results that are known already.
 *
 * CACHE-1. Only successes of calls that ran and whose effect is `pure` or `read` are kept: nothing that changes the world is ever left out.
 * CACHE-2. A result is given only where it was got: another thread may be another user, with other dependencies and other permissions.
 */
import { type Clock } from '@loom-agent/kernel';
import { type Hook } from '../hook.ts';
/** What is kept, and how long. */
export interface CachingOptions {
    /** Results kept at most, the least recently used goes first; default 1,000. */
    readonly max?: number;
    /** Milliseconds that a result is good for; default 300,000. */
    readonly ttl?: number;
    /** Only these tools; default: every `pure` and `read` tool. */
    readonly tools?: readonly string[];
    /** Gives results of one thread to others too: for tools whose results are the same for everybody. */
    readonly shared?: boolean;
    readonly clock?: Pick<Clock, 'now'>;
}
/**
 * Gives a call the result of an earlier one of the same tool with the same arguments, whatever their order. The call is journaled with its
 * result and is not run.
 *
 * Put it after hooks that change arguments: it looks at the arguments it is given. A cached answer is permitted like any other call.
 *
 * @example
 * agent({ model, tools: { search }, hooks: [caching({ ttl: 60_000 })] })
 */
export declare function caching(options?: CachingOptions): Hook;

// hook/built-in/context-injection.d.ts
import type { Hook, HookContext } from '../hook.ts';
/** What is said, and how often. */
export interface ContextInjectionOptions<Deps = unknown> {
    /** A text, or a function of the situation; nothing is said when it is empty. */
    readonly say: string | ((context: HookContext<Deps>) => string | undefined | Promise<string | undefined>);
    /** Once a run (default), or every turn. What was said stays in the history, so every turn costs. */
    readonly every?: 'turn' | 'run';
}
/**
 * Adds a message for the model at the beginning of each run or turn, after the input: the time, the user's settings, a reminder.
 *
 * @example
 * agent({ model, hooks: [contextInjection({ say: () => `It is ${new Date().toISOString()}.` })] })
 */
export declare function contextInjection<Deps = unknown>(options: ContextInjectionOptions<Deps>): Hook<Deps>;

// hook/built-in/cost-budget.d.ts
import type { Hook } from '../hook.ts';
/** What a run may spend. */
export interface CostBudgetOptions {
    /** Integer micro-units, as `ports.price` counts them. Replies whose price is not known count nothing. */
    readonly cost?: number;
    /** Tokens in and out. */
    readonly tokens?: number;
    /** What reaching the budget does: end the run with what there is, or ask whether to go on. */
    readonly onReached: 'stop' | 'ask';
}
/**
 * Gives each run a budget, as limits that are journaled with it. A stricter limit of the run stays; one that is raised later is not lowered again.
 *
 * @example
 * agent({ model, hooks: [costBudget({ tokens: 50_000, onReached: 'ask' })] })
 */
export declare function costBudget(options: CostBudgetOptions): Hook;

// hook/built-in/human-approval.d.ts
import { type Hook, type ProposedCall } from '../hook.ts';
/** Which calls need a human. */
export interface HumanApprovalOptions {
    /** Names of tools, or a function of the call. */
    readonly tools: readonly string[] | ((call: ProposedCall) => boolean);
    /** Why it is asked; shown with the question. */
    readonly reason?: string;
}
/**
 * Asks a human before the given tools run. The question shows the tool and its arguments; it is durable, and anyone may answer it from any process.
 *
 * Approved, the call goes on; answered with `respond(value)`, the model gets the value; rejected, the call is skipped and the model sees why.
 * Where nobody is there to answer (`unattended: 'deny'`) it is skipped at once. Permissions say the same by rules, with expiry and
 * several approvers.
 *
 * @example
 * agent({ model, tools: { pay }, hooks: [humanApproval({ tools: ['pay'], reason: 'it costs money' })] })
 */
export declare function humanApproval(options: HumanApprovalOptions): Hook;

// hook/built-in/logging-hook.d.ts
/** Lines about what happens. */
import { type EventType, type JsonObject } from '@loom-agent/kernel';
import type { ObservingHook } from './observing-hook.ts';
/** One line, for people and for machines. */
export interface LogEntry {
    readonly text: string;
    readonly time: number;
    readonly thread: string;
    readonly run?: string | undefined;
    readonly turn?: number | undefined;
    readonly type: EventType;
    readonly error: boolean;
    /** What the event holds: inputs, arguments, outputs. Only when verbose. */
    readonly data?: JsonObject;
}
/** Where lines go, and how many there are. */
export interface LoggingOptions {
    /** Takes each entry; default: its text goes to `console.error`. What it throws is its own problem. */
    readonly log?: (entry: LogEntry) => unknown;
    /** Every event, with what it holds. Without it no line has anything of what people, models and tools said. */
    readonly verbose?: boolean;
}
/**
 * Writes a line for what happens to runs, turns, model calls, tools and questions.
 *
 * @example
 * agent({ model, hooks: [loggingHook()] })
 * agent({ model, hooks: [loggingHook({ verbose: true, log: (entry) => lines.push(JSON.stringify(entry)) })] })
 */
export declare function loggingHook(options?: LoggingOptions): ObservingHook;

// hook/built-in/metrics-hook.d.ts
import { type ObservingHook } from './observing-hook.ts';
/** What was counted. Durations are milliseconds. */
export interface Metrics {
    /** Turns that were entered. */
    readonly turns: number;
    /** Attempts count: a reply after two failures is three calls and two errors. */
    readonly modelCalls: number;
    /** Calls that have their result, whatever it is. */
    readonly toolCalls: number;
    /** Failed model calls, error results of tools, failed runs. */
    readonly errors: number;
    readonly tokens: {
        readonly input: number;
        readonly output: number;
    };
    /** `run` is the time of driving: waiting for people does not count. */
    readonly durations: {
        readonly model: number;
        readonly tools: number;
        readonly run: number;
    };
}
/** A hook that counts. */
export interface MetricsHook extends ObservingHook {
    /** The counts of one run; without one, of everything this hook has seen. */
    metrics(of?: {
        readonly thread: string;
        readonly run: string;
    }): Metrics;
}
/**
 * Counts turns, calls, errors, tokens and time, for each run and in all. Runs of children count where their own agent has the hook.
 *
 * @example
 * const counter = metricsHook()
 * await agent({ model, hooks: [counter] }).run('2+2?')
 * counter.metrics().modelCalls // 1
 */
export declare function metricsHook(options?: {
    readonly keep?: number;
}): MetricsHook;

// hook/built-in/observing-hook.d.ts
/** Hooks that only look. */
import type { Frame, LoomEvent } from '@loom-agent/kernel';
import type { Hook } from '../hook.ts';
/**
 * A hook that takes part in no point and is notified of what has happened.
 *
 * What it sees is durable and seen once, also how a run ended, which no point shows. It adds no commit to a turn.
 */
export interface ObservingHook extends Hook {
    /** Called with every durable event of the agent's threads, with the frame after the batch it came in. */
    observe(event: LoomEvent, frame: Frame): void;
}
/** The events that end a run. */
export declare const endings: ReadonlySet<LoomEvent['type']>;

// hook/built-in/rate-limit.d.ts
/**
 * A limit on model calls per minute.
 *
 * RATE-1. In any sixty seconds at most `perMinute` calls begin, over all runs that share the hook: each call takes the first moment that keeps this.
 * RATE-2. An aborted wait gives its moment back; those behind it keep theirs, so RATE-1 holds without anybody being woken.
 */
import { type Clock } from '@loom-agent/kernel';
import type { Hook } from '../hook.ts';
/** How many calls, and how long to wait. */
export interface RateLimitOptions {
    /** Model calls that may begin in any sixty seconds. */
    readonly perMinute: number;
    /** Milliseconds that a call may have to wait; default 600,000. A longer wait fails the run at once; it can be resumed. */
    readonly maxWait?: number;
    readonly clock?: Clock;
}
/**
 * Lets a turn wait before its model call until the rate allows it. A stop ends the wait.
 *
 * One hook is one limit: give the same hook to every agent that shares it. A hook that is called again for the same turn counts again, which is
 * the safe side; attempts that Loom makes after a failed one are not seen by hooks and wait by their own rule.
 *
 * @example
 * const limit = rateLimit({ perMinute: 60 })
 * agent({ model, hooks: [limit] })
 */
export declare function rateLimit(options: RateLimitOptions): Hook;

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

// index.d.ts
/** Loom's agents: everything a program needs to define agents and tools and to run them durably. */
export { type AgentFactory, agent, createAgentFactory, type DefineAgent } from './agent.ts';
export type { Agent } from './agent-type.ts';
export { type ContextPlan, type ContextRequest, type ContextStrategy, everything } from './context/strategy.ts';
export type { AgentHost, AgentOptions, Observer, Resolver, RunOptions, Situation } from './definition/agent-options.ts';
export type { Edit, Fork, ForkOptions, ForkPlan, PlannedCall } from './fork/fork-types.ts';
export { type AnalyticsOptions, analytics, type RunRecord } from './hook/built-in/analytics.ts';
export { type CachingOptions, caching } from './hook/built-in/caching.ts';
export { type ContextInjectionOptions, contextInjection } from './hook/built-in/context-injection.ts';
export { type CostBudgetOptions, costBudget } from './hook/built-in/cost-budget.ts';
export { type HumanApprovalOptions, humanApproval } from './hook/built-in/human-approval.ts';
export { type LogEntry, type LoggingOptions, loggingHook } from './hook/built-in/logging-hook.ts';
export { type Metrics, type MetricsHook, metricsHook } from './hook/built-in/metrics-hook.ts';
export type { ObservingHook } from './hook/built-in/observing-hook.ts';
export { type RateLimitOptions, rateLimit } from './hook/built-in/rate-limit.ts';
export { answerWith, type Hook, type HookContext, skip, suspend } from './hook/hook.ts';
export type { Model, ModelObject, ModelResolver, ModelSettings } from './model/model.ts';
export { explainPermission, type ImaginedCall, type PolicyCase, safeMode, testPolicy } from './permission/explain.ts';
export type { CallFacts, Judgement, Policy, Rule, Verdict } from './permission/policy.ts';
export { completePorts, type Ports, systemClock } from './platform/ports.ts';
export { type BreakerEvent, type BreakerOptions, type CircuitBreaker, circuitBreaker } from './resilience/circuit-breaker.ts';
export { type FallbackEvent, type FallbackOptions, fallback } from './resilience/fallback.ts';
export { type RetryEvent, type RetryOptions, retry } from './resilience/retry.ts';
export type { Recovered, RecoverOptions } from './run/recover-types.ts';
export type { RunHandle } from './run/run-handle.ts';
export { type Checked, type DurableContext, type Schedule, type Tool, type ToolContext, type ToolDefinition, tool } from './tool/define.ts';
export type { ToolLike, ToolSet } from './tool/tool-set.ts';
export type { Divergence, Replayed, ReplayMode, ReplayOptions, ReplayReport, Sent, TurnReplay } from './travel/replay-types.ts';
export { compareMoments, type Found, frameOf, searchThread, type TurnSummary, turnsOf } from './travel/travel.ts';
export { type AskOptions, approve, edit, reject, respond, type SignedAnswer } from './types/answer.ts';
export type { AnyAgent } from './types/any-agent.ts';
export type { Behaviour } from './types/behaviour.ts';
export { type Content, content } from './types/content.ts';
export type { Input, InputPart, UserMessage, UserMessages } from './types/input.ts';
export { type Moment, nameMoment, parseMoment } from './types/moment.ts';
export type { Question } from './types/question.ts';
export type { Done, Failed, Result, Stopped, Waiting } from './types/result.ts';
export type { RunEvent } from './types/run-event.ts';
export { jsonSchema, type Schema } from './types/schema.ts';
export { isSignal, type Signal } from './types/signal.ts';
export { type EventKind, type KindListeners, kindOf, subscribe } from './view/kinds.ts';
export { createStatistics, type Figures, type Statistics, type StatisticsHook, statisticsOf } from './view/statistics.ts';

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

// permission/explain.d.ts
/** Asking a policy what it would say, without running anything. */
import type { EffectClass, Json } from '@loom-agent/kernel';
import { type Judgement, type Policy, type Verdict } from './policy.ts';
/** A call that is only imagined. */
export interface ImaginedCall {
    readonly tool: string;
    readonly input?: Json;
    readonly effect?: EffectClass;
    readonly thread?: string;
    readonly deps?: unknown;
}
/**
 * Says what a policy makes of a call, and by which rules.
 *
 * @example
 * await explainPermission({ bash: 'ask', default: 'deny' }, { tool: 'bash' })   // { verdict: 'ask', decidedBy: ['bash'] }
 */
export declare function explainPermission(policy: Policy, call: ImaginedCall): Promise<Judgement>;
/** A case of a policy test. */
export interface PolicyCase extends ImaginedCall {
    readonly expect: Verdict;
}
/** Runs cases against a policy; returns those that came out otherwise. */
export declare function testPolicy(policy: Policy, cases: readonly PolicyCase[]): Promise<readonly (PolicyCase & {
    readonly got: Judgement;
})[]>;
/** Safe mode: what only reads runs, everything else asks; an approval for the whole thread is remembered by the thread. */
export declare function safeMode(): Policy;

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

// resilience/circuit-breaker.d.ts
/**
 * A circuit breaker: stops calling what keeps failing, and finds out with one call whether it works again.
 *
 * BREAKER-1. It opens only when enough calls of the recent past are known: one failure is no rate.
 * BREAKER-2. What was long ago does not count: calls expire with the window.
 * BREAKER-3. While it is half open exactly one call, the probe, goes through. Only the probe closes the circuit or opens it again.
 */
import { type Clock } from '@loom-agent/kernel';
/** What happens to a circuit. */
export type BreakerEvent = {
    readonly type: 'opened';
    readonly calls: number;
    readonly failures: number;
    readonly retryAt: number;
} | {
    readonly type: 'probing';
} | {
    readonly type: 'closed';
};
/** When a circuit opens and closes. */
export interface BreakerOptions {
    /** The part of recent calls that must have failed; default .5. */
    readonly failureRate?: number;
    /** Calls that must be known before the rate means anything; default 5. */
    readonly minimum?: number;
    /** Milliseconds that count as recent; default 60,000. */
    readonly window?: number;
    /** Counts the last so many calls at most; default: all that are recent. */
    readonly calls?: number;
    /** Milliseconds without calls after opening; default 60,000. */
    readonly openFor?: number;
    /** What the errors say; default `the function`. */
    readonly name?: string;
    /** Whether an error speaks against what is called; default: unless it is final (an abort, a refusal, a code that says never). */
    readonly isFailure?: (error: unknown) => boolean;
    readonly onEvent?: (event: BreakerEvent) => void;
    readonly clock?: Pick<Clock, 'now'>;
}
/** A guarded function. */
export interface CircuitBreaker<Args extends readonly unknown[], T> {
    (...args: Args): Promise<T>;
    readonly status: 'closed' | 'open' | 'half-open';
}
/**
 * Guards a function. While the circuit is open, calls fail at once with `LOOM_CIRCUIT_OPEN`, which says when to try again.
 *
 * @example
 * const search = circuitBreaker(searchTheWeb, { name: 'search' })
 * await search('weaving')
 */
export declare function circuitBreaker<Args extends readonly unknown[], T>(fn: (...args: Args) => T | PromiseLike<T>, options?: BreakerOptions): CircuitBreaker<Args, T>;

// resilience/fallback.d.ts
/** What happens on the way to a fallback. */
export type FallbackEvent = {
    readonly type: 'attempt';
    readonly of: 'primary' | 'secondary';
} | {
    readonly type: 'success';
    readonly of: 'primary' | 'secondary';
} | {
    readonly type: 'failed';
    readonly of: 'primary' | 'secondary';
    readonly error: unknown;
};
/** When the second way is taken. */
export interface FallbackOptions {
    /** Only after errors that are not final (default). With `false`, after any error. */
    readonly recoverableOnly?: boolean;
    readonly onEvent?: (event: FallbackEvent) => void;
}
/**
 * Calls the first function and, when it fails, the second, which gets the error. If both fail, the second error is thrown.
 *
 * @example
 * const answer = await fallback(() => ask(bigModel), () => ask(smallModel))
 */
export declare function fallback<T, U = T>(primary: () => T | PromiseLike<T>, secondary: (error: unknown) => U | PromiseLike<U>, options?: FallbackOptions): Promise<T | U>;

// resilience/retry.d.ts
/** Retrying: the same thing again, after a while. */
import type { Clock, Random } from '@loom-agent/kernel';
/** What happens while something is retried. */
export type RetryEvent = {
    readonly type: 'attempt';
    readonly attempt: number;
} | {
    readonly type: 'success';
    readonly attempt: number;
}
/** `retryIn` is the wait before the next attempt; without it this was the last. */
 | {
    readonly type: 'failed';
    readonly attempt: number;
    readonly error: unknown;
    readonly retryIn?: number;
};
/** How something is retried. */
export interface RetryOptions {
    /** Attempts in all; default 3. */
    readonly attempts?: number;
    /** Milliseconds before the second attempt; default 1,000. */
    readonly delay?: number;
    /** What each further delay is multiplied by; default 2. */
    readonly factor?: number;
    /** The longest wait; default 60,000. An error that asks for a longer one is final: trying sooner would be in vain. */
    readonly cap?: number;
    /** The part of a delay that is left to chance, from 0 (default: none) to 1 (all of it). A wait that was asked for is kept. */
    readonly jitter?: number;
    /** Milliseconds that an error asks to wait; default: what its Retry-After says. */
    readonly retryAfter?: (error: unknown) => number | null | undefined;
    /** Whether to try again; default: unless the error is final (an abort, a refusal, a code that says never). */
    readonly shouldRetry?: (error: unknown, attempt: number) => boolean | Promise<boolean>;
    /** Called before each wait. */
    readonly onRetry?: (error: unknown, next: {
        readonly attempt: number;
        readonly delay: number;
    }) => void;
    readonly onEvent?: (event: RetryEvent) => void;
    /** Ends a wait at once. */
    readonly signal?: AbortSignal;
    readonly clock?: Clock;
    readonly random?: Random;
}
/**
 * Calls a function until it succeeds: three times, after one second and after two, or when the error says to. The last error is thrown as it is.
 *
 * @example
 * const page = await retry(() => fetchPage(url), { attempts: 5, signal })
 */
export declare function retry<T>(fn: (attempt: number) => T | PromiseLike<T>, options?: RetryOptions): Promise<T>;

// run/recover-types.d.ts
/** Recovery, as users see it. */
import type { LoomError } from '@loom-agent/kernel';
import type { Result } from '../types/result.ts';
/** How recovery looks for threads. */
export interface RecoverOptions {
    /** Looks again after this many milliseconds, until the signal is aborted; without it, once. */
    readonly every?: number;
    readonly signal?: AbortSignal;
    /** Called for each thread that was driven, or could not be. */
    readonly onRecovered?: (recovered: Recovered) => void;
}
/** What became of a thread that was found unfinished: `held` by a driver that lives, `refused` for the reason given. */
export interface Recovered {
    readonly thread: string;
    readonly status: Result<unknown>['status'] | 'held' | 'refused';
    readonly error?: LoomError;
}

// run/run-handle.d.ts
/** The handle of a run, as users hold it. */
import type { SignedAnswer } from '../types/answer.ts';
import type { Result } from '../types/result.ts';
import type { RunEvent } from '../types/run-event.ts';
/** A run under way, here or elsewhere. Dropping the handle changes nothing. */
export interface RunHandle<Output = string> {
    readonly thread: string;
    /** Events and signals from `from` on (default: from where the handle began), until the run ends or waits. */
    events(options?: {
        from?: number;
        nested?: boolean;
    }): AsyncIterableIterator<RunEvent>;
    /** The text of the answer as it comes. */
    text(): AsyncIterableIterator<string>;
    result(): Promise<Result<Output>>;
    answer(questionId: string, answer: SignedAnswer): Promise<void>;
    steer(input: string, options?: {
        priority?: number;
        by?: string;
    }): Promise<void>;
    pause(options?: {
        by?: string;
    }): Promise<void>;
    stop(reason?: string, options?: {
        by?: string;
    }): Promise<void>;
}

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

// travel/replay-types.d.ts
/** Replays, as users see them: what is asked for, and what was found. */
import type { Json } from '@loom-agent/kernel';
import type { AgentOptions } from '../definition/agent-options.ts';
import type { Fork, ForkOptions } from '../fork/fork-types.ts';
/** When a replay ends: at the first turn that differs, or with the record, whatever would have been said. */
export type ReplayMode = 'stop-at-divergence' | 'continue-recorded';
/** What the model was sent, or would have been. */
export interface Sent {
    readonly messages: number;
    /** An estimate: a token for every four characters. */
    readonly tokens: number;
    /** Why earlier bytes changed, when they did. */
    readonly rebase?: string;
}
/** One turn, as it was and as it would have been. */
export interface TurnReplay {
    readonly turn: number;
    /** The moment before its context was assembled: where a fork would take the other way. */
    readonly at: string;
    readonly recorded: Sent;
    readonly replayed: Sent;
    /** Micro-units that the recorded call cost; undefined where the price is unknown. */
    readonly cost: number | undefined;
    readonly differs: boolean;
    /** What would not have been sent, and what would have been sent instead or besides. */
    readonly left: readonly string[];
    readonly added: readonly string[];
}
/** Where the two ways part. */
export interface Divergence {
    readonly turn: number;
    readonly at: string;
    /** The first message that differs. */
    readonly message: number;
    readonly recorded: Json | undefined;
    readonly replayed: Json | undefined;
}
/** What a replay found. */
export interface ReplayReport {
    readonly thread: string;
    readonly mode: ReplayMode;
    readonly turns: readonly TurnReplay[];
    readonly divergence: Divergence | undefined;
}
/** How a thread is replayed. */
export interface ReplayOptions {
    /** What is different: another context strategy, other instructions, other tools. */
    readonly with?: Partial<Pick<AgentOptions<never>, 'context' | 'instructions' | 'tools' | 'deps' | 'model' | 'settings'>>;
    /** Default `continue-recorded`. With `continue-live` the other way is taken for real, in a fork, from the first turn that differs. */
    readonly mode?: ReplayMode | 'continue-live';
    /** For `continue-live`: what the fork may do and spend. */
    readonly fork?: Pick<ForkOptions, 'thread' | 'effects' | 'limits'>;
}
/** What a replay found; `fork` is where the other way is taken, with `continue-live` and a difference. */
export type Replayed<Output = string> = ReplayReport & {
    readonly fork?: Fork<Output>;
};

// travel/travel.d.ts
/** Time travel: a thread at any moment, its turns, the difference of two moments, and where something was said. All of it only reads. */
import { type Difference, type Frame, type Journal, type LoomEvent, type Seq } from '@loom-agent/kernel';
/** One turn of a thread: from where it was entered to its last event. */
export interface TurnSummary {
    readonly turn: number;
    readonly run: string;
    readonly from: Seq;
    readonly to: Seq;
    readonly time: number;
    /** What the model said. */
    readonly text: string;
    readonly calls: readonly {
        readonly call: string;
        readonly tool: string;
        readonly status: 'open' | 'success' | 'error' | 'warning' | 'denied';
    }[];
    readonly tokens: number;
    readonly cost: number | undefined;
}
/** A place in a thread where something was found. */
export interface Found {
    readonly at: string;
    readonly type: LoomEvent['type'];
    /** The words around it. */
    readonly excerpt: string;
}
/** The frame of a thread at `thread@seq`. */
export declare function frameOf(journal: Journal, at: string): Promise<Frame>;
/** Where two moments differ, of one thread or of two. */
export declare function compareMoments(journal: Journal, before: string, after: string): Promise<readonly Difference[]>;
/** The turns of a thread, in order. */
export declare function turnsOf(journal: Journal, thread: string): Promise<readonly TurnSummary[]>;
/** Where a thread says something, whatever its letters' case: every event whose data holds the words. */
export declare function searchThread(journal: Journal, thread: string, words: string): Promise<readonly Found[]>;

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

// types/content.d.ts
/** Results of tools that have several parts. */
import type { InputPart } from './input.ts';
/** A result of several parts, such as text and images. */
export interface Content {
    readonly kind: 'content';
    readonly parts: readonly InputPart[];
}
/** Makes a result of several parts, such as text and images. */
export declare function content(parts: readonly InputPart[]): Content;

// types/input.d.ts
/** Inputs: a text, parts, or earlier messages. */
import { type Message } from '@loom-agent/kernel';
/** A part of a user's message. */
export type InputPart = {
    readonly type: 'text';
    readonly text: string;
} | {
    readonly type: 'image';
    readonly image: string | URL | Uint8Array;
    readonly mediaType?: string;
} | {
    readonly type: 'file';
    readonly data: string | URL | Uint8Array;
    readonly mediaType: string;
    readonly name?: string;
} | {
    readonly type: 'data';
    readonly data: unknown;
};
/** The AI SDK's message form, as `agent.messages()` gives it and any AI SDK app has it. */
export type UserMessages = readonly UserMessage[];
export interface UserMessage {
    readonly role: 'system' | 'user' | 'assistant' | 'tool';
    readonly content: string | readonly {
        readonly type: string;
        readonly [key: string]: unknown;
    }[];
}
/** What a run takes. */
export type Input = string | readonly InputPart[] | UserMessages;
/** An input as messages of the conversation. */
export declare function toMessages(input: Input): readonly Message[];
/** A user's message of one text. */
export declare function textMessage(text: string): Message;
/** Bytes as base64, in slices that fit the stack. */
export declare function toBase64(bytes: Uint8Array): string;

// types/moment.d.ts
/** `thread@seq`: the name of a moment. */
import { type Seq } from '@loom-agent/kernel';
/** A thread, and the last event that counts. */
export interface Moment {
    readonly thread: string;
    readonly seq: Seq;
}
/** Reads `thread@seq`. The seq is what follows the last @: a thread's name may hold others. */
export declare function parseMoment(text: string): Moment;
/** Writes `thread@seq`. */
export declare function nameMoment({ thread, seq }: Moment): string;

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

// types/run-event.d.ts
/** What a run emits. */
import type { LoomEvent } from '@loom-agent/kernel';
import type { Signal } from './signal.ts';
/** A durable event, or a live and provisional signal. */
export type RunEvent = LoomEvent | Signal;

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

// types/signal.d.ts
/** Signals: live and provisional. They name the attempt they belong to; a newer attempt retracts them. */
/** Where a signal belongs. */
export interface SignalPlace {
    readonly thread: string;
    readonly run: string;
    readonly turn: number;
}
interface FromModel extends SignalPlace {
    readonly attempt: number;
}
interface FromCall extends SignalPlace {
    readonly call: string;
    readonly tool: string;
}
/** What a viewer may see before it is a fact. */
export type Signal = (FromModel & {
    readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end';
}) | (FromModel & {
    readonly type: 'text-delta' | 'reasoning-delta';
    readonly text: string;
}) | (FromModel & {
    readonly type: 'input-start';
    readonly id: string;
    readonly tool: string;
}) | (FromModel & {
    readonly type: 'input-delta';
    readonly id: string;
    readonly text: string;
}) | (FromModel & {
    readonly type: 'input-end';
    readonly id: string;
}) | (FromCall & {
    readonly type: 'tool-start' | 'tool-end';
}) | (FromCall & {
    readonly type: 'tool-delta';
    readonly data: unknown;
})
/** Signals were dropped for this viewer; events never are. */
 | (SignalPlace & {
    readonly type: 'gap';
});
/** Whether something that a run emitted is a signal. */
export declare function isSignal(event: {
    readonly type: string;
}): event is Signal;
export {};

// view/kinds.d.ts
/** Events and signals by kind: control, permission, progress or error. */
import type { RunEvent } from '../types/run-event.ts';
/** The four kinds. */
export type EventKind = 'control' | 'permission' | 'progress' | 'error';
/** The kind of an event or signal. A call that ended with an error is an error. */
export declare function kindOf(event: RunEvent): EventKind;
/** A listener for each kind. */
export type KindListeners = {
    readonly [K in EventKind]?: (event: RunEvent) => void;
};
/**
 * Calls the listener of each event's kind until the stream ends. To leave early, end the stream: `events.return()`.
 *
 * Resolves when the stream ends; rejects with what a listener throws.
 */
export declare function subscribe(events: AsyncIterable<RunEvent>, listeners: KindListeners): Promise<void>;

// view/statistics.d.ts
/** Statistics of runs and tools: a fold over events. */
import type { LoomEvent } from '@loom-agent/kernel';
import type { Hook } from '../hook/hook.ts';
/** How often something ended, how often well, and how long it took on average. The rate and the mean of nothing are undefined. */
export interface Figures {
    readonly count: number;
    readonly successRate: number | undefined;
    /** Milliseconds; the time that a run waits does not count. */
    readonly meanMs: number | undefined;
}
/** Figures of runs, and of each tool. */
export interface Statistics {
    /** Every end counts: a run that failed and was resumed has ended twice. */
    readonly runs: Figures;
    readonly tools: {
        readonly [tool: string]: Figures;
    };
}
/** A hook that keeps statistics. */
export interface StatisticsHook extends Hook {
    /** Adds a durable event. */
    observe(event: LoomEvent): void;
    /** The statistics so far. */
    read(): Statistics;
}
/** The statistics of the given events, of one thread or of many. */
export declare function statisticsOf(events: Iterable<LoomEvent>): Statistics;
/**
 * Creates a hook that keeps statistics of an agent's runs and tools.
 *
 * @example
 * const statistics = createStatistics()
 * agent({ model, hooks: [statistics] })
 */
export declare function createStatistics(): StatisticsHook;
