// agent-type.d.ts
/** The agent, as users see it. */
import type { Journal } from '@loom-agent/kernel';
import type { AgentOptions, OptionsOf, RunOptions } from './definition/agent-options.ts';
import type { ExplainAt } from './explain/explain-with.ts';
import type { ExplainWhat, Explanation } from './explain/explanation.ts';
import type { Fork, ForkOptions, ForkPlan, RewindOptions, RewindPlan, Rewound } from './fork/fork-types.ts';
import type { WatchOptions } from './look/watch-options.ts';
import type { ControlOptions } from './run/control-drafts.ts';
import type { Recovered, RecoverOptions } from './run/recover-types.ts';
import type { RunHandle } from './run/run-handle.ts';
import type { AdoptOptions } from './thread/adoption.ts';
import type { Preview, PreviewOptions } from './travel/preview.ts';
import type { ReplayAllOptions, ReplayedThread, ThreadSelection } from './travel/replay-all.ts';
import type { OutcomeVerdict } from './travel/replay-outcome.ts';
import type { Replayed, ReplayOptions } from './travel/replay-types.ts';
import type { SignedAnswer } from './types/answer.ts';
import type { AnyAgent } from './types/any-agent.ts';
import type { Input, UserMessages } from './types/input.ts';
import type { Result } from './types/result.ts';
import type { RunEvent } from './types/run-event.ts';
import type { Infer, Recorded, Schema } from './types/schema.ts';
import type { SignalArguments } from './types/wait.ts';
/** An agent. One kind, always durable; the journal decides how long what it did is remembered. */
export interface Agent<Deps = unknown, Output = string, HasDeps extends boolean = false> extends AnyAgent<Output, HasDeps extends true ? unknown : Deps> {
    /** Where the facts of its threads are kept. */
    readonly journal: Journal;
    /** Runs an input to its end, or to a question that this process does not answer. */
    run(input: Input, ...options: OptionsOf<Deps, HasDeps>): Promise<Result<Output>>;
    /** Starts a run and returns its handle at once. */
    start(input: Input, ...options: OptionsOf<Deps, HasDeps>): RunHandle<Output>;
    /** The events and signals of a fresh run. */
    stream(input: Input, ...options: OptionsOf<Deps, HasDeps>): AsyncIterableIterator<RunEvent>;
    /** Goes on with a thread: after a crash, an answer, a pause, a failure or a raised limit. Any process, any time. */
    resume(thread: string, ...options: OptionsOf<Deps, HasDeps, Omit<RunOptions<Deps>, 'thread' | 'id' | 'permissions' | 'whenBusy'>>): RunHandle<Output>;
    /**
     * The events of a thread from `from` on (default 1), and its signals where this agent object drives it. Looks and never drives: nothing is resumed,
     * retried, answered or appended. Follows until the iterator is returned or `signal` is aborted; with `until: 'rest'` until the run ends or waits.
     */
    watch(thread: string, options?: WatchOptions): AsyncIterableIterator<RunEvent>;
    /** Answers a question of a thread of this agent, or of a child of one, and wakes it. */
    answer(questionId: string, answer: SignedAnswer, options?: AdoptOptions): Promise<void>;
    /** Sends a signal to a thread of this agent, or to a child of one, and wakes it: the first open `ctx.waitFor` of that name gets the value, or the next. */
    signal(thread: string, ...sent: SignalArguments): Promise<void>;
    /** Asks for a shorter context of a thread: its strategy compresses before the next model call, however full the window is. */
    compact(thread: string, options?: ControlOptions): Promise<void>;
    /** Stops the run of a thread, also one that no process drives: nothing that was lost is run again. Resolves when it has ended. Queued inputs go on. */
    stop(thread: string, reason?: string, options?: {
        by?: string;
    }): Promise<Result<Output>>;
    /** Drives on the unfinished threads of processes that are gone: once, or repeatedly with `every`. Threads with a live driver are left alone. */
    recover(options?: RecoverOptions): Promise<readonly Recovered[]>;
    /**
     * Takes on no new work (`LOOM_DRAINING`) and hands on what this agent drives: each thread is released when what is in flight has ended, or after
     * `grace` milliseconds (default 20,000). Agents that were made from one another drain together. Resolves when all is released; then the process may end.
     */
    drain(options?: {
        grace?: number | undefined;
    }): Promise<void>;
    /** Forks a thread at `thread@seq`; the thread itself is only read. */
    fork(at: string, options?: ForkOptions): Promise<Fork<Output, Deps, HasDeps>>;
    /** What such a fork would reuse, run and risk; nothing is made. */
    planFork(at: string, options?: ForkOptions): Promise<ForkPlan>;
    /**
     * Forks a thread at `thread@seq`, and puts the files of the agent's workspace back as they were then: those that agents have changed. What people changed
     * since stays as it is, and is named in `conflicts`. With `thread`, it can be said again after a crash.
     */
    rewind(at: string, options?: RewindOptions): Promise<Rewound<Output, Deps, HasDeps>>;
    /** What such a rewind would do; nothing is made or changed. */
    planRewind(at: string, options?: RewindOptions): Promise<RewindPlan>;
    /** What a thread would have sent to the model with other options, turn by turn; no model, tool or hook is called. */
    replay(thread: string, options?: ReplayOptions<Deps>): Promise<Replayed<Output, Deps, HasDeps>>;
    /**
     * The same for many threads, by their ids or a query: several at a time, each yielded when it is done. A thread that cannot be replayed is reported and
     * ends no other. With `continue-live` every fork is driven to its end, and a judge compares how it ended with the record.
     */
    replayAll<Verdict = OutcomeVerdict>(threads: ThreadSelection, options?: ReplayAllOptions<Verdict, Deps>): AsyncGenerator<ReplayedThread<Output, Verdict, Deps, HasDeps>, void>;
    /**
     * What the request of a moment `thread@seq`, or of a turn, held, what it did not hold, and why; with something to look for, also where that is and what
     * would have kept it. Its hints can be given to `replay`.
     */
    explain(at: ExplainAt, what?: ExplainWhat): Promise<Explanation>;
    /** The conversation as AI SDK messages. */
    messages(thread: string): Promise<UserMessages>;
    /** What the model would be sent next, or would have been after a moment `at` (`thread@seq`), without sending it. No model is asked. */
    preview(input: Input, options?: PreviewOptions<Deps>): Promise<Preview>;
    /** The same agent with other options. In this process the two drain together, and calls of both respect the same locks. */
    with<Key extends keyof AgentOptions = never>(options: Partial<AgentOptions<Deps>> & Named<Key>): Agent<Deps, Output, 'deps' extends Key ? true : HasDeps>;
}
/** Options of which only the names are known: whether `deps` is among them decides what a run, or a parent, must bring. */
export type Named<Key extends string> = {
    readonly [K in Key]?: unknown;
};
/** What an output schema makes of `result.output`: what it lets through, as the journal returns it. */
export type OutputOf<S extends Schema | undefined> = S extends Schema ? Recorded<Infer<S>> : string;

// agent.d.ts
/** agent(): one kind of agent, always durable. */
import type { Agent, Named, OutputOf } from './agent-type.ts';
import type { AgentHost, AgentOptions } from './definition/agent-options.ts';
import type { Schema } from './types/schema.ts';
/** A function that defines agents for the given dependencies. */
export type DefineAgent<Deps> = <S extends Schema | undefined = undefined, Key extends keyof AgentOptions = never>(options: AgentOptions<Deps, S> & Named<Key>) => Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>;
/**
 * Makes an agent. Without an argument in a typed call, `agent<Deps>()` returns an `agent` for those dependencies.
 *
 * @example
 * const math = agent({ name: 'math', instructions: 'Be exact.', model, tools: { add } })
 * console.log(done(await math.run('2+2?')).text)
 */
export interface AgentFactory {
    <Deps>(): DefineAgent<Deps>;
    <S extends Schema | undefined = undefined, Deps = unknown, Key extends keyof AgentOptions = never>(options: AgentOptions<Deps, S> & Named<Key>): Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>;
}
/** The factory for a host: the umbrella passes its model resolver in here. */
export declare function createAgentFactory(host: AgentHost): AgentFactory;
/** Makes an agent whose models are objects. */
export declare const agent: AgentFactory;

// bus/bus.d.ts
/** The in-process bus: commits and signals of the threads that this process drives. `journal.watch` hints at those of others. */
import type { Frame, Incarnation, LoomEvent } from '@loom-agent/kernel';
import type { Signal } from '../types/signal.ts';
/** Called with what was committed and the frame after it. */
export type CommitListener = (events: readonly LoomEvent[], frame: Frame) => void;
/** Follows a thread event by event and signal by signal. */
export interface Viewing {
    push(item: LoomEvent | Signal): void;
    /** A reply is being streamed: what there is of it so far, for a viewer that joins in the middle. */
    join(soFar: SoFar): void;
}
/** A thread that this process begins to drive. */
export interface DrivenThread {
    /** The id of the thread. */
    readonly thread: string;
    readonly incarnation: Incarnation;
    /** The thread that has started it as its child. */
    readonly parent: string | undefined;
}
/** What one thread emits. */
export interface Channel {
    /** Whether the thread is viewed; signals are made only then. */
    isViewed(): boolean;
    signal(signal: Signal): void;
    commit(events: readonly LoomEvent[], frame: Frame): void;
    /** Remembers the reply that is being streamed; undefined when there is none. */
    setReply(soFar: SoFar | undefined): void;
    /** The thread is driven no longer. */
    close(): void;
}
/** What there is so far of the reply that is being streamed. */
type SoFar = () => Signal | undefined;
/** Connects threads, known by their incarnations, with their subscribers. Each subscription returns the function that ends it. */
export interface Bus {
    onCommit(incarnation: Incarnation, listener: CommitListener): () => void;
    view(incarnation: Incarnation, viewing: Viewing): () => void;
    /** Calls the listener each time this process begins to drive a child of the thread of this id, before anything of the child is emitted. */
    onChild(parent: string, listener: (child: DrivenThread) => void): () => void;
    channel(driven: DrivenThread): Channel;
}
/** A bus without subscribers. */
export declare function createBus(): Bus;
export {};

// call/child-runner.d.ts
/** Children as calls see them. */
import type { Outbox, StepRecord, Taint } from '@loom-agent/kernel';
import type { Cancellation } from '../platform/cancellation.ts';
import type { AnyAgent } from '../types/any-agent.ts';
/** The call, and the key in its body, that a child belongs to. */
export interface ChildOwner {
    /** The outbox of the driver of the call's thread. */
    readonly outbox: Outbox;
    /** The id of the call. */
    readonly call: string;
    /** The key of the child in the body. */
    readonly key: string;
}
/** A child to start or to go on with. */
export interface ChildRequest extends ChildOwner {
    /** The child's thread, where `child.started` is recorded already. */
    readonly existing: string | undefined;
    /** The agent that the child is. */
    readonly agent: AnyAgent;
    /** What the call that starts it brings by itself. */
    readonly brought: Taint | undefined;
    /** What the child is asked. */
    readonly input: string;
    /** Digest of the input: the key of the child stands for it. */
    readonly digest: string;
    /** The dependencies of the run that starts it. */
    readonly deps: unknown;
    /** What stops the child. */
    readonly cancellation: Cancellation;
}
/** Why a child is cancelled that its caller no longer waits for: it is stopped, though the run goes on. */
export declare const callerEnded = "the tool that started it has ended";
/** What running a child returns when the child waits. */
export declare const parked: StepRecord;
/** Runs the children of one driver. */
export interface ChildRunner {
    /** Drives the child until it ends; returns `parked` when it waits. */
    run(request: ChildRequest): Promise<StepRecord>;
    /**
     * Asks a child to stop, in whichever process it is driven, and waits until it has stopped or its grace period is over. Records its end for a call that
     * waits; a call in flight does that itself.
     */
    stop(child: string, reason: string, waiting: ChildOwner | undefined): Promise<void>;
    /** Records what is known of a child that was asked to stop and is waited for no longer: its end, or else what it has spent. */
    leave(child: string, owner: ChildOwner): Promise<void>;
    /** Resolves when no child that had waited is being moved on: until then its parent stays with this driver, which records the child's end. */
    idle(): Promise<void>;
    /** Whether a child was left to the next driver of the thread, because this process is draining: it may not even be stored. */
    hasLeft(): boolean;
    /** Stops watching children that wait; they go on waiting. */
    close(): void;
}

// call/explain-permission.d.ts
import type { Judgement, Policy, Verdict } from '../permission/policy.ts';
import type { ImaginedCall } from './imagined-call.ts';
/**
 * Returns the verdict of a policy on a call, and the rules that decided.
 *
 * @example
 * await explainPermission({ bash: 'ask', default: 'deny' }, { tool: 'bash' })   // { verdict: 'ask', decidedBy: ['bash'] }
 * await explainPermission({ 'bash(git log *)': 'allow' }, { tool: tools.bash, input: { command: 'git log -3' } })
 */
export declare function explainPermission(policy: Policy, call: ImaginedCall): Promise<Judgement>;
/** A case of a policy test. */
export interface PolicyCase extends ImaginedCall {
    /** The verdict that the policy must give. */
    readonly expect: Verdict;
}
/** Runs cases against a policy; returns those with another verdict than expected. */
export declare function testPolicy(policy: Policy, cases: readonly PolicyCase[]): Promise<readonly (PolicyCase & {
    readonly got: Judgement;
})[]>;

// call/imagined-call.d.ts
/** A call that is not made, as rules would judge it. Loaded with how calls are judged. */
import { type EffectClass, type Json } from '@loom-agent/kernel';
import type { JudgedCall, OwnVerdict } from '../permission/judge.ts';
import type { CallMatcher } from '../permission/matcher.ts';
import type { AdmittedCall, Verdict } from '../permission/policy.ts';
import { type Tool } from '../tool/define.ts';
/** A call that is not made, only judged. */
export interface ImaginedCall {
    /** The tool itself, which brings what rules look at besides the arguments; or its name, and what is said of it here. */
    readonly tool: string | Tool<never>;
    /** The name by which the agent has the tool, where that is not the tool's own. */
    readonly name?: string;
    /** The other name by which rules know the tool, where it has one. */
    readonly ruleName?: string;
    /** The arguments; default: an empty object. */
    readonly input?: Json;
    /** The effect class of the tool; default `unsafe`. */
    readonly effect?: EffectClass;
    /** The tool's own `permission`, where it declares one. */
    readonly permission?: Verdict;
    /** The matcher of the tool, for rules such as `bash(git log *)`. */
    readonly matcher?: CallMatcher;
    /** The id of the thread. */
    readonly thread?: string;
    /** The dependencies of the run. */
    readonly deps?: unknown;
    /** The calls that the run has made before; default: none. */
    readonly calls?: Iterable<AdmittedCall>;
}
/** What rules judge, and the tool's own verdict. */
export interface Imagined {
    readonly call: JudgedCall;
    readonly own: OwnVerdict | undefined;
}
/** The call as it would be judged. */
export declare function imagine(given: ImaginedCall): Promise<Imagined>;

// call/run-calls.d.ts
/**
 * The calls that a run has admitted so far, as rules see them, and the order in which calls are admitted. Loaded with how calls are judged.
 *
 * ADMIT-1. The rules of an agent see the calls that were admitted in its run and in the runs of its children, theirs, and so on: those that were started,
 *     whatever came of them, with the arguments as the schema made them. A fork has those of the past that it shares, also of the children that had
 *     ended there. They are read from frames, and nothing is copied for a rule that does not look.
 * ADMIT-2. Where a verdict may change, calls are admitted one at a time in the whole tree: each is judged again when all before it are started or
 *     refused, and only a stricter verdict counts.
 */
import { type Frame, type Head, type Journal, type Json, type Outbox, type ToolStart } from '@loom-agent/kernel';
import type { CompiledPolicy } from '../permission/compile-policy.ts';
import type { AdmittedCall } from '../permission/policy.ts';
import type { Toolbox } from '../tool/toolbox.ts';
/** How the children of a thread are found where no driver of this process has started them. */
export interface ThreadReading {
    load(thread: string): Promise<{
        readonly frame: Frame;
    }>;
    /** A page of the children of a thread. */
    childrenOf(thread: string, after: string | undefined): Promise<readonly Pick<Head, 'thread'>[]>;
    /** The children that had ended in the past that a fork shares: they are the children of another thread. */
    sharedChildrenOf(fork: Frame): Promise<readonly string[]>;
}
/** The calls of a run, for one driver of its thread. */
export interface RunCalls {
    /** Those of the thread whose call started this one. */
    readonly parent: RunCalls | undefined;
    /** What the next admission in the tree waits for. */
    readonly admissions: {
        last: Promise<void> | undefined;
    };
    /** The children, by thread. */
    readonly children: Map<string, ChildCalls>;
    /** The calls of the run and of its children. */
    admitted(): Iterable<AdmittedCall>;
    /** What the start of a call records for rules that look at it later: the arguments as the schema made them, where that differs. */
    judged(value: unknown, input: Json): Pick<ToolStart, 'judged'>;
    /** Resolves when the children of earlier drivers are known; undefined when they are. */
    ready(): Promise<unknown> | undefined;
    /** The driver has its outbox: from now on the frame is read there. */
    attach(outbox: Pick<Outbox, 'frame'>): void;
    /** The driver ends: what the parent needs to know of this thread stays with it. */
    close(): void;
}
/** A child of a run: the turn whose call started it, and what it has admitted. While it is driven that is read where its driver has it. */
interface ChildCalls {
    readonly turn: number;
    readonly calls: RunCalls | readonly AdmittedCall[];
}
/** What decides whether rules may look at the calls of a run, and how they are found. */
interface Looking {
    readonly policies: readonly (CompiledPolicy | undefined)[];
    readonly definition: {
        readonly toolbox: Toolbox | undefined;
    };
    readonly runtime: {
        readonly journal: Journal;
        readonly threads: Pick<ThreadReading, 'load'>;
    };
    readonly runCalls?: RunCalls | undefined;
}
/** The calls of the run of a thread, whose driver begins with this frame, where the agent or one above it has rules that may look. */
export declare function runCallsOf({ policies, definition, runtime, runCalls: parent }: Looking, start: Frame): RunCalls | undefined;
export {};

// context/brought.d.ts
/** What a tool brings into the context besides itself: layers of the system text, and items that its calls ask for. */
import type { ContextItem } from '@loom-agent/kernel';
import type { LayerText } from './layers.ts';
import type { Todo } from './todos.ts';
/** What one tool brings. */
export interface Brought {
    /** The name of the tool. */
    readonly tool: string;
    readonly layers: readonly LayerText[];
    /** The item that a call with these arguments asks for; undefined where it asks for none. */
    readonly opens?: (input: unknown) => ContextItem | undefined;
    /** How the list of tasks is shown that the calls of the tool set; absent for tools that set none. */
    readonly showTodos?: (todos: readonly Todo[]) => string;
}

// context/calibration.d.ts
/**
 * How a vendor's counts relate to estimated ones.
 *
 * CALIBRATE-1. What is learned is a fold over the entries of a history and the context in force, and over nothing else: a driver that resumes and a replay
 *     learn the same.
 * CALIBRATE-2. A usage that cannot be true (none, less than before, several times more than was added) is not learned from.
 *
 * Between two replies without a rebase in between a request only grows, so the difference of their usage is what the entries in between really have;
 * what a vendor adds to every request is no part of it.
 */
import type { Entry } from '@loom-agent/kernel';
/** A reply, and what its request had: by the vendor, and the entries before the reply. */
interface Asked {
    readonly index: number;
    readonly rebases: number;
    readonly input: number;
}
/** What was learned from the replies so far. */
export interface Calibration {
    /** The last reply that had a usage. */
    asked: Asked | undefined;
    /** The reply that the next difference is taken from. */
    since: Asked | undefined;
    /** The sums of differences, by the vendor and by the estimate; older ones weigh less, because the model may have changed. */
    actual: number;
    estimated: number;
}
/** Nothing is learned yet. */
export declare function noCalibration(): Calibration;
/** Takes in an entry; `estimated` is the sum of all entries between two indexes. */
export declare function learn(calibration: Calibration, { entry: { reply, rebases }, index }: {
    readonly entry: Entry;
    readonly index: number;
}, estimated: (from: number, to: number) => number): void;
/** What the last request under the context in force had: by the vendor, and estimated. */
export interface LastRequest {
    readonly actual: number;
    readonly estimated: number;
}
/** By how much estimates are to be multiplied. */
export declare function factorOf({ actual, estimated }: Calibration, last: LastRequest | undefined): number;
/** The tokens of the last request beyond the estimate: what the vendor adds, and how far the estimate of what stands in front is off. */
export declare function restOf(factor: number, last: LastRequest | undefined): number;
export {};

// context/compress-options.d.ts
/** How a context is compressed, and what a summary of it is made of. */
import type { ContextSummary } from '@loom-agent/kernel';
import type { Model } from '../model/model.ts';
import type { Shares } from './zones.ts';
/** When and how far a context is compressed. */
export interface CompressOptions {
    /** The share of the budget at which the context is compressed; default 0.92. */
    readonly trigger?: number;
    /** The share from which it is compressed along with any other rebase; default 0.8. */
    readonly warn?: number;
    /** The share that it is compressed to; below the trigger; default 0.75, or 0.85 of a trigger that is low; and less when the last compression was a few turns ago. */
    readonly target?: number;
    /** The most tokens of each of the eight sections of a summary; default 512. */
    readonly perSection?: number;
    /** The most tokens of a request; default: the window of the model, without what is reserved for the reply. */
    readonly max?: number;
    /** Tokens that are reserved for the reply; default: what the model replies at most, or, where that is not known, 4,096 tokens or an eighth of the window; never more than a quarter of it. */
    readonly reserve?: number;
    /** Of these tools only the latest results are shown whole when the context is compressed, by name and number. */
    readonly ephemeral?: Readonly<Record<string, number>>;
    /** The most that zones may have, as shares of the budget: `skills`, `memory`, `reminders`, `history`. What is over is cut at the next rebase. */
    readonly shares?: Shares;
    /** The model that writes summaries. Default: none; sentences that matter are taken from the conversation. */
    readonly model?: Model;
}
/** Options with every default filled in. */
export type CompleteCompressOptions = Required<Pick<CompressOptions, 'trigger' | 'warn' | 'target' | 'perSection'>> & CompressOptions;
/** The summary that another one takes the place of. */
export interface Former {
    /** The entries before this one are in it. */
    readonly to: number;
    /** Its number; undefined where there is none. */
    readonly number: number | undefined;
    readonly summary: ContextSummary | undefined;
    /** Its tokens. */
    readonly tokens: number;
}
/** What a summary is made of. */
export interface Summarizing {
    readonly options: CompleteCompressOptions;
    readonly former: Former;
    /** The entries before this one are summarized. */
    readonly to: number;
    /** The share of the budget that the context is compressed to. */
    readonly target: number;
    /** The most tokens of a section. */
    readonly perSection: number;
}

// context/compress.d.ts
import type { CompressOptions } from './compress-options.ts';
import { type ContextStrategy } from './strategy.ts';
/** Compresses early and far: for windows that are small, or dear. */
export declare const aggressive: CompressOptions;
/**
 * Keeps a conversation within the window of its model. Without a window that is known, and without `max`, it compresses when somebody asks for
 * it, and after a request that was too long.
 *
 * @example
 * agent({ model: 'openai/gpt-5.4', context: compress({ model: 'openai/gpt-5.4-mini' }) })
 */
export declare function compress(given?: CompressOptions): ContextStrategy;

// context/count-input.d.ts
import { type Input } from '../types/input.ts';
/** The options of `countTokens`. */
export interface CountTokensOptions {
    /** Counts with the tokenizer of OpenAI's models instead of estimating. It needs the package `gpt-tokenizer`. Default false. */
    readonly exact?: boolean;
}
/** About how many tokens an input has. */
export declare function countInput(input: Input, options: CountTokensOptions): Promise<number>;

// context/count-tokens.d.ts
import type { Input } from '../types/input.ts';
import type { CountTokensOptions } from './count-input.ts';
/**
 * Returns about how many tokens a text has, or messages with what vendors write around them.
 *
 * @example
 * await countTokens('How many tokens is this?') // an estimate, by its scripts
 * await countTokens('How many tokens is this?', { exact: true }) // as models of OpenAI count
 */
export declare function countTokens(input: Input, options?: CountTokensOptions): Promise<number>;

// context/define-strategy.d.ts
/** Strategies that judge one entry at a time. */
import { type Entry, type Trim } from '@loom-agent/kernel';
import { type ContextRequest, type ContextStrategy } from './strategy.ts';
/** What becomes of an entry: it is kept, left out for a reason, or kept with its results cut. */
export type EntryDecision = 'keep' | {
    /** Why it is left out. */
    readonly drop: string;
} | {
    /** Which results are cut, and how far. */
    readonly trim: Omit<Trim, 'rule'>;
};
/** A strategy that judges one entry at a time. */
export interface StrategyDefinition {
    /** Its name in events; the rule by which entries are left out. */
    readonly name: string;
    /** Whether the context is to be cut now; otherwise it only grows. Cut rarely: a cut makes what a provider has cached invalid. */
    when(request: ContextRequest): boolean;
    /** What becomes of an entry when it is cut. What must stay is kept in any case. */
    judge(entry: Entry, index: number, request: ContextRequest): EntryDecision;
}
/**
 * Makes a strategy of two functions: when to cut, and what becomes of each entry.
 *
 * @example
 * const noLogs = defineStrategy({
 *   name: 'no logs',
 *   when: ({ tokens }) => tokens.shown() > 20_000,
 *   judge: (entry) => (entry.origin === 'note' ? { drop: 'Notes are for one turn.' } : 'keep'),
 * })
 */
export declare function defineStrategy(definition: StrategyDefinition): ContextStrategy;

// context/describe-layers.d.ts
/** The layers of a system text as people are shown them. */
import type { Frame } from '@loom-agent/kernel';
import { type LayerText, type SystemText } from './layers.ts';
/** A layer of the system text, and how many tokens it has. */
export interface SystemLayer extends LayerText {
    /** Its tokens, estimated. */
    readonly tokens: number;
}
/** Who gave the system text of a rebase that has no layers, by the frame before it. */
export declare function systemBy({ fork, run }: Frame, system: string): 'agent' | 'hook' | 'fork';
/** The layers of a system text as people are shown them; `origin` says who gave one without layers. */
export declare function describeLayers(context: SystemText, origin: string): readonly SystemLayer[];

// context/layers.d.ts
/**
 * The system text by layers: the instructions, and what else stands in it, each with who gave it.
 *
 * LAYER-1. The layers in their order are the system text: no character of it belongs to none, and what is not composed of layers has none.
 */
import type { Context } from '@loom-agent/kernel';
/** A layer of the system text. */
export interface LayerText {
    /** Its name: `instructions`, `skills`, `framework`, or one of your own. */
    readonly name: string;
    /** Who gave it: `agent`, `hook`, `fork`, or `loom`. */
    readonly origin: string;
    /** What the model reads. */
    readonly text: string;
}
/** A system text, and where its layers end; without layers, it is instructions alone. */
export type SystemText = Pick<Context, 'system' | 'layers'>;
/** The layer of the agent's own instructions. */
export declare const instructionsLayer = "instructions";
/** The system text of instructions and the layers behind them, among which other instructions do not count. A layer without text is left out. */
export declare function composeSystem(instructions: LayerText, layers?: readonly LayerText[]): SystemText;
/** The layers of a system text; undefined where it has none. What separates two of them is left out. */
export declare function layersIn({ system, layers }: SystemText): readonly LayerText[] | undefined;
/** The instructions that a context has. */
export declare function instructionsIn(context: SystemText): string;

// context/message-list.d.ts
/** The messages of a prompt: a list that only grows until it is cleared, with its digest and its weight. */
import { type Entry } from '@loom-agent/kernel';
import type { LanguageModelV4Message } from '../language-model/index.ts';
/** Where a message of a prompt comes from. An entry is given as it is shown: with its results cut where a trim cuts them. */
export type Source = {
    readonly of: 'system' | 'gap';
} | {
    readonly of: 'summary';
    readonly segment: number;
} | {
    readonly of: 'entry';
    readonly index: number;
    readonly entry: Entry;
};
/** Is called with the place of a message that is added, and where it comes from. */
export type OnShown = (message: number, source: Source) => void;
/** The messages of a prompt. */
export interface MessageList {
    /** Whether somebody wants to know where messages come from. */
    readonly isWatched: boolean;
    /** Adds a message as it is. */
    put(message: LanguageModelV4Message, source: Source | undefined): void;
    /** Adds a message; vendors want no two of the assistant after each other, and none of it first. */
    add(message: LanguageModelV4Message, source: Source | undefined): void;
    /** The messages themselves: the list grows. */
    shown(): LanguageModelV4Message[];
    /** Changes with every message. */
    digest(): string;
    /** The sum of what messages weigh. Each is weighed once, so the same scale must be given every time. */
    weight(scale: (message: LanguageModelV4Message) => number): number;
    /** Starts another list. */
    clear(): void;
}
/** A list without messages. */
export declare function createMessageList(onShown?: OnShown): MessageList;

// context/model-facts.d.ts
/** What a strategy may know of the model that the context is made for. */
import type { Usage } from '@loom-agent/kernel';
import type { ModelResolver } from '../model/model.ts';
import { type Priced } from '../model/price.ts';
/** What is known of a model's size; what is not known is left out. */
export interface ModelDescription {
    /** Tokens of a request and its reply together. */
    readonly window?: number | undefined;
    /** The most tokens of a reply. */
    readonly output?: number | undefined;
}
/** Returns what is known of a model; undefined when it is not known. */
export type DescribeModel = (id: string) => ModelDescription | undefined | Promise<ModelDescription | undefined>;
/** The model that a context is made for. */
export interface ContextModel {
    /** Its id: `provider/name`. */
    readonly id: string;
    /** Tokens of a request and its reply together: as the agent's `window` says, or else as the host knows; undefined when it is not known. */
    readonly window: number | undefined;
    /** The most tokens of a reply; undefined when it is not known. */
    readonly output: number | undefined;
    /** The price of a call in integer micro-units, of this model or of the one that `other` names; undefined when it is not known. */
    price(usage: Usage, other?: string): number | undefined;
}
/** What knows models. The definition of an agent has it and is passed as it is. */
export interface ModelKnowledge extends Priced {
    readonly host: {
        readonly describeModel?: DescribeModel;
        readonly loadPrices?: () => Promise<void> | undefined;
        readonly resolveModel?: ModelResolver;
    };
    readonly options: {
        readonly window?: number | undefined;
        readonly ports?: {
            readonly price?: unknown;
        } | undefined;
    };
}
/** What is known of the model of an id; at once where nothing has to be loaded. A host that fails knows nothing: its run goes on without. */
export declare function learnModel(knowledge: ModelKnowledge, id: string): ContextModel | Promise<ContextModel>;

// context/pipeline.d.ts
import { type ContextStrategy } from './strategy.ts';
/**
 * Asks strategies after each other: each sees the context as those before it left it, and what it wants of the history counts.
 *
 * @example
 * agent({ context: pipeline(compress(), reminders()) })
 */
export declare function pipeline(...strategies: readonly ContextStrategy[]): ContextStrategy;

// context/prompt.d.ts
/**
 * The prompt: the rendered context of a thread, a cache of the shell.
 *
 * PROMPT-1. Between two rebases it only grows: the messages of one request are a prefix of those of the next.
 * PROMPT-2. A turn touches only what it adds; no earlier message is looked at, cloned or converted again.
 * PROMPT-3. What was handed to a model is never changed afterwards.
 */
import { type Frame } from '@loom-agent/kernel';
import type { LanguageModelV4Message } from '../language-model/index.ts';
import type { SpecVersion } from '../model/model.ts';
import { type OnShown } from './message-list.ts';
/** The rendered context of one thread. */
export interface Prompt {
    /** Brings the prompt up to the frame's context, for the model of the given id. */
    update(frame: Frame, spec: SpecVersion, model?: string): void;
    /** The messages as a request gets them. */
    messages(): LanguageModelV4Message[];
    /** The messages themselves, for readers that do not keep them: the list grows. */
    current(): readonly LanguageModelV4Message[];
    /** Changes with every message that was added since the last rebase. */
    digest(): string;
    /** The sum of what messages weigh. Each is weighed once (PROMPT-2), so the same scale must be given every time. */
    weight(scale: (message: LanguageModelV4Message) => number): number;
    /** How often it was rendered from its start: between two renderings it only grew. */
    renderings(): number;
    /** How many of the messages, from the first on, a rebase decides about; 0 when it shows the history as it is. */
    rebased(): number;
    /** Whether the exchange with the latest calls started without reasoning of the model's own vendor. */
    isUnthought(): boolean;
}
/** An empty prompt. `onShown` is called with the place of each message that is added, and where it comes from: what explains a request reads it. */
export declare function createPrompt(onShown?: OnShown): Prompt;

// context/reminders.d.ts
import { type ContextStrategy } from './strategy.ts';
import { type Reminder, type ReminderFacts } from './texts.ts';
/** When reminders are given, and what they say. */
export interface ReminderOptions {
    /** Which ones; default: all. */
    readonly only?: readonly Reminder[];
    /** Other texts. */
    readonly texts?: Partial<Record<Reminder, (facts: ReminderFacts) => string>>;
    /** The least number of turns between two reminders of a kind; default 10. */
    readonly every?: number;
}
/**
 * Appends reminders to the context; combine it with another strategy by `pipeline`.
 *
 * @example
 * agent({ context: pipeline(compress(), reminders()) })
 */
export declare function reminders(options?: ReminderOptions): ContextStrategy;

// context/sections.d.ts
/** The eight sections of a summary, and how a summary is written and read back. */
import type { ContextSummary } from '@loom-agent/kernel';
/** The sections, in the order in which a summary has them, and the points that each of them is to hold. */
export declare const sections: {
    readonly background_context: 'what the task is about: people, names, files, numbers and rules that were given';
    readonly key_decisions: 'what was decided, and why; alternatives that were rejected';
    readonly tool_usage_log: 'which tools were called on what, with the ids of calls whose results matter';
    readonly user_intent_evolution: 'what the user asked for, in order, and how it changed';
    readonly execution_results: 'what calls and steps brought: facts, values, names, places';
    readonly errors_and_solutions: 'what failed, why, and what helped';
    readonly open_issues: 'what is not solved, not known or not answered yet';
    readonly future_plans: 'what is to be done next, in order';
};
/** The name of a section. */
export type Section = keyof typeof sections;
/** The names of the sections, in order. */
export declare const sectionNames: readonly Section[];
/** The points of each section. */
export type Points = {
    readonly [S in Section]: readonly string[];
};
/** Where a summary stands in its thread. */
export type Covered = Readonly<Pick<ContextSummary, 'from' | 'to'> & {
    time: number;
    by: 'model' | 'extract';
}>;
/**
 * The text of a summary, as the model reads it.
 *
 * SUMMARY-1. It says that it is one, when and how it was made and which events it stands for, so that nobody takes it for what was said.
 */
export declare function writeSummary(points: Points, { from, to, time, by }: Covered): string;
/** The points of a summary, by section. Lines before the first heading belong to none; a heading that is not known belongs to the section before. */
export declare function readSummary(text: string): Points;
/** A list for each section, all of them empty. */
export declare function emptySections<T>(): Record<Section, T[]>;

// context/strategy.d.ts
/** The context strategy: a replaceable policy of what the model is shown. */
import type { ContextBudget, ContextItem, ContextSummary, Failure, Frame, RetrievedDocument, Segment, Seq, ToolSpec, Usage } from '@loom-agent/kernel';
import type { Model, ModelObject } from '../model/model.ts';
import { type Expected } from '../platform/expected.ts';
import type { ContextModel } from './model-facts.ts';
import type { TodoList } from './todos.ts';
import type { ContextTokens } from './tokens.ts';
/** What a strategy may look at. */
export interface ContextRequest {
    /** The thread as it is now. */
    readonly frame: Frame;
    /** The instructions of the run. */
    readonly instructions: string;
    /** The tools that the model will be shown. */
    readonly tools: readonly ToolSpec[];
    /** Why earlier bytes will change anyway; a strategy that has cuts to make makes them now. */
    readonly rebase: string | undefined;
    /** Aborts when the run is to stop. */
    readonly signal: AbortSignal;
    /** The model that is asked next. */
    readonly model: ContextModel;
    /** How many tokens something has, by estimates that the model's own counts have corrected. */
    readonly tokens: ContextTokens;
    /** What the run has used so far. */
    readonly usage: Usage;
    /** The dependencies of the run. */
    readonly deps: unknown;
    /** The indexes of the entries that are shown in any case: the last input, pins, the latest calls with their results. */
    essentials(): readonly number[];
    /** The list of tasks, where the agent has the tool `todo()` and a call has set one. */
    todos(): TodoList | undefined;
    /** The model object behind a model: strategies may ask one. It throws in a replay, which asks none. */
    resolveModel(model: Model): ModelObject | Promise<ModelObject>;
    /** Present in a replay alone: the summary of a range of events that was recorded. A strategy asks no model then. */
    readonly recorded?: (from: Seq, to: Seq) => ContextSummary | undefined;
}
/** What a strategy decides. Without a rebase the context grows by what is new in the history, and by nothing else. */
export interface ContextPlan {
    /** Changes earlier bytes of the context, and why; absent: the context only grows. */
    readonly rebase?: {
        readonly reason: string;
        /** What is shown of the history, in order. What they do not cover is shown whole; so is whatever must stay. Absent: as it is now. */
        readonly segments?: readonly Segment[];
        /** Instead of segments: the index of the first history entry to keep. */
        readonly keepFrom?: number;
        /** With `keepFrom`: a text that stands in for what is left out. */
        readonly lead?: string;
        /** The tokens that the decision was made by. */
        readonly budget?: ContextBudget;
    };
    /** Added at the end of the context, where they stay until a rebase leaves them out. */
    readonly items?: readonly ContextItem[];
    /** Summaries that were made; the number of the first, for segments, is `frame.summaries.length`. */
    readonly compressed?: ContextSummary | readonly ContextSummary[];
    /** Why a summary could not be made; the run goes on without it. */
    readonly compressionFailed?: Failure;
    /** In a replay: whether a summary stands in for one that a model would have written. It is no fact: reports of replays have it. */
    readonly estimated?: boolean;
    /** What was looked up, to be shown to the model. */
    readonly retrieved?: {
        readonly query: string;
        readonly documents: readonly RetrievedDocument[];
    };
}
/**
 * Decides before every model call what the context holds.
 *
 * Contract: must not change the frame, must not throw because there is too much, and must be deterministic for the same frame: replay asks it again.
 */
export interface ContextStrategy {
    /** Its name in events. */
    readonly name: string;
    /** Decides what the next model call is sent. */
    assemble(request: ContextRequest): ContextPlan | Promise<ContextPlan>;
}
/** A strategy has a name, which events and fingerprints hold. */
export declare const expectedStrategy: Expected;
/** A strategy in messages. */
export declare const strategyWords: ({ name }: ContextStrategy) => string;
/** The plan of a context that only grows. */
export declare const extend: ContextPlan;
/** The strategy that shows everything, in order, append-only. What an agent does that is given none is in `standard.ts`. */
export declare const everything: ContextStrategy;

// context/texts.d.ts
import type { Todo } from './todos.ts';
/** The system text with which a model is asked for a summary. */
export declare function compressionPrompt(perSection: number): string;
/** The kinds of reminders: tasks that were not looked at for long, failing calls, a context that is compressed often, a budget that is nearly used. */
export type Reminder = 'todos' | 'errors' | 'compression' | 'budget';
/** What a reminder is about. */
export interface ReminderFacts {
    /** How many there are: open tasks, failed calls, compressions, or percent of the budget. */
    readonly count: number;
    /** Of how many, or in how many turns. */
    readonly of: number;
    /** The limit that is nearly used. */
    readonly limit?: string;
}
/** What reminders say. */
export declare const reminderTexts: Readonly<Record<Reminder, (facts: ReminderFacts) => string>>;
/** What the framework says about skills and tasks: the layers of the system text can be replaced by `layers`, the others by options of their tools. */
export declare const frameworkTexts: {
    /** The layer `skills`. */
    skills: (skills: readonly {
        readonly name: string;
        readonly description: string;
    }[]) => string;
    /** In the layer `framework`, where there are skills. */
    openSkill: (tool: string) => string;
    /** The item of a skill that was opened. */
    skill: ({ name, body }: {
        readonly name: string;
        readonly body: string;
    }) => string;
    /** In the layer `framework`, where there is a list of tasks. */
    keepTodos: (tool: string) => string;
    /** The item that shows the list when earlier messages with it have left the context. */
    todos: (todos: readonly Todo[]) => string;
};

// context/todos.d.ts
/**
 * The list of tasks of a thread.
 *
 * TODO-1. The list is a fold over the journal: the arguments of the latest call of its tool that succeeded. No process keeps it, so forks, replays and
 *     other processes have the same one.
 */
import { type Frame } from '@loom-agent/kernel';
/** How far a task is. */
export type TodoStatus = 'pending' | 'in_progress' | 'done';
/** A task of the list. */
export interface Todo {
    /** Its id: as the model gave it, or its place in the list. */
    readonly id: string;
    /** What is to be done. */
    readonly text: string;
    /** How far it is. */
    readonly status: TodoStatus;
}
/** The list of tasks, and when it was set. */
export interface TodoList {
    /** The tasks, in order. */
    readonly todos: readonly Todo[];
    /** The turn of the call that set them. */
    readonly turn: number;
    /** The index of the entry in the history that has the result of that call. */
    readonly entry: number;
}
/** Every status. */
export declare const todoStatuses: readonly TodoStatus[];
/** The tasks in the arguments of a call; undefined where they have another form. A task without an id gets the first number that no other has. */
export declare function readTodos(input: unknown): readonly Todo[] | undefined;
/** Whether a task is not done. */
export declare const isOpen: ({ status }: Todo) => boolean;
/** What was read of a history so far. Each entry is looked at once. */
export interface TodoReading {
    read: number;
    list: TodoList | undefined;
}
/** Takes in the entries that are new, and returns the latest list; `isTodo` tells the tool by its name. */
export declare function readList(reading: TodoReading, { history }: Frame, isTodo: (tool: string) => boolean): TodoList | undefined;
/**
 * The list of tasks of a thread at a moment; undefined when there is none.
 *
 * @example
 * const list = todosOf(await frameOf(journal, 'user-123@42'))
 * console.log(list?.todos.filter(({ status }) => status !== 'done'))
 */
export declare function todosOf({ history }: Frame, tool?: string): TodoList | undefined;

// context/tokens.d.ts
/**
 * The tokens of what a model is shown.
 *
 * TOKENS-1. An entry is counted once in a process, however many turns and readers ask for it: entries never change.
 * TOKENS-2. Between two rebases a turn counts only what it adds.
 */
import { type Context, type Frame, type Segment, type Trim } from '@loom-agent/kernel';
import { type CountText } from '../model/message-tokens.ts';
import { type Calibration } from './calibration.ts';
/** Counts tokens of a thread; estimated, and calibrated by what the vendor counted for earlier requests of the thread. */
export interface ContextTokens {
    /** The tokens of an entry of the history, by its index; with `trims`, of what they leave of it. */
    entry(index: number, trims?: readonly Trim[]): number;
    /** The tokens of a text. */
    text(text: string): number;
    /** The tokens of the system text and the tools. */
    fixed(): number;
    /** The tokens of the whole request, as it would be sent now. */
    shown(): number;
    /** The tokens of the whole request, if these segments were shown of the history. */
    showing(segments: readonly Segment[]): number;
    /** The same counts by an exact tokenizer, where the package `gpt-tokenizer` is installed; otherwise these. It is loaded on first use, and large. */
    exact(): Promise<ContextTokens>;
}
/** The counts of one thread, by one counter. */
interface Ledger {
    /** The tokens of all entries before an index; as many as were read, and one. */
    readonly sums: number[];
    readonly calibration: Calibration;
    /** What the segments in force show: the segments, their tokens, and the entry after them. */
    cut: {
        readonly segments: readonly Segment[];
        readonly tokens: number;
        readonly end: number;
    } | undefined;
}
/** Ledgers by their counters. */
export type Ledgers = Map<CountText, Ledger>;
/** What is counted. */
export interface Counted {
    readonly frame: Frame;
    /** The system text and the tools of the next request. */
    readonly next: Pick<Context, 'system' | 'tools'>;
    readonly ledgers: Ledgers;
}
/** Turns estimates of what a request of a frame holds into the counts that strategies see. */
export interface RequestScale {
    /** By how much estimates are multiplied. */
    readonly factor: number;
    /** The tokens of the whole request, of the sum of the estimates of its parts. */
    total(estimated: number): number;
}
/** The scales of the requests of one thread, for frames that follow each other. */
export declare function createScales(count?: CountText): (frame: Frame) => RequestScale;
/** Counts of a thread; nothing is counted before it is asked for. */
export declare function contextTokens(counted: Counted, count?: CountText): ContextTokens;
export {};

// context/window-strategy.d.ts
import { type ContextStrategy } from './strategy.ts';
/** How much of the conversation is shown; one of the two. */
export interface WindowOptions {
    /** The last turns. */
    readonly turns?: number;
    /** The last entries that have so many tokens together. */
    readonly tokens?: number;
}
/**
 * Shows the last turns, or the last entries that fit, and always the last input. It cuts when twice as much is shown, so that a provider's cache stays
 * valid in between.
 *
 * @example
 * agent({ context: window({ turns: 20 }) })
 */
export declare function window(options: WindowOptions): ContextStrategy;

// context/zones.d.ts
/**
 * Zones of the context, and their shares of the budget.
 *
 * ZONE-1. Of a zone that has more than its share, the latest entries stay. What must stay in any case is never cut.
 */
import { type Entry, type Segment } from '@loom-agent/kernel';
import type { ContextPlan, ContextRequest } from './strategy.ts';
/** A zone that may have a share: texts of skills, memories and retrieved documents, reminders and lists of tasks, the conversation itself. */
export type Zone = 'skills' | 'memory' | 'reminders' | 'history';
/** Shares of the budget by zone, from 0 to 1. */
export type Shares = {
    readonly [Z in Zone]?: number;
};
/** Every zone. */
export declare const zones: readonly Zone[];
/** The zone of an entry. */
export declare function zoneOf({ origin, item }: Entry): Zone;
/** What a cut by zones is made for. */
export interface ZoneOptions {
    /** The index of the first entry that may be cut. */
    readonly after: number;
    readonly shares: Shares;
    /** The most tokens of a request. */
    readonly max: number;
}
/** Entries that are left out, by index, with the rule and the reason. */
export type Cut = ReadonlyMap<number, Readonly<{
    rule: string;
    reason: string;
}>>;
/**
 * The entries that zones have too much of, and lists of tasks that a later one took the place of. The conversation is not cut here: what is old of it
 * becomes a summary.
 */
export declare function cutZones(request: ContextRequest, { after, shares, max }: ZoneOptions): Cut;
/** The segments of entries of which some are dropped; `segment` makes that of a range that is shown. */
export declare function zoneSegments(cut: Cut, [from, to]: readonly [from: number, to: number], segment: (from: number, to: number) => readonly Segment[]): readonly Segment[];
/** Cuts zones along with a rebase that is made anyway. */
export declare function planZones(request: ContextRequest, shares: Shares, max: number): ContextPlan;

// definition/agent-options.d.ts
/** The options of agents and runs. */
import type { Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel';
import type { DescribeModel } from '../context/model-facts.ts';
import type { ContextStrategy } from '../context/strategy.ts';
import type { Guard } from '../guard/guard.ts';
import type { Hook } from '../hook/hook.ts';
import type { Model, ModelResolver, ModelSettings } from '../model/model.ts';
import type { Policy, RunLayer } from '../permission/policy.ts';
import type { Ports } from '../platform/ports.ts';
import type { ToolSet } from '../tool/tool-set.ts';
import type { SignedAnswer } from '../types/answer.ts';
import type { Behaviour } from '../types/behaviour.ts';
import type { InputTaint } from '../types/input-taint.ts';
import type { Question } from '../types/question.ts';
import type { Schema } from '../types/schema.ts';
import type { Workspace } from '../types/workspace.ts';
/** What instructions, tools and dependencies given as functions may look at. */
export interface Situation<Deps = unknown> {
    /** The id of the thread. */
    readonly thread: string;
    /** What the run was given as `metadata`. */
    readonly metadata: {
        readonly [key: string]: unknown;
    };
    /** The dependencies of the run. */
    readonly deps: Deps;
    /** The thread as it is when driving starts. */
    readonly frame: Frame;
}
/**
 * An observer: called, in order and once in this process, with the durable events of threads that the agent object has loaded, from then on, and the frame
 * after their batch. Events of a process that was lost may reach no observer: where none may be missed, use the feed. It cannot change anything.
 */
export type Observer = (event: LoomEvent, frame: Frame) => void;
/** What `agent()` takes. */
export interface AgentOptions<Deps = unknown, S extends Schema | undefined = undefined> {
    /** How the agent is called in journals and by other agents; default `agent`. */
    readonly name?: string;
    /** What the agent is for; shown to agents that may call it. */
    readonly description?: string;
    /** The system prompt, or a function that returns it for a run. */
    readonly instructions?: string | ((situation: Situation<Deps>) => string | Promise<string>);
    /** Layers of the system text behind the instructions, by name: a text, `false` to leave one out, or a function of the text that Loom has for it. */
    readonly layers?: {
        readonly [name: string]: LayerOption;
    };
    /** The model that answers: an AI SDK model object, or an id where something resolves ids. */
    readonly model?: Model;
    /** Settings of every model call. They are journaled. */
    readonly settings?: ModelSettings;
    /** What the model may call, or a function that returns it for a run. */
    readonly tools?: ToolSet<Deps> | ((situation: Situation<Deps>) => ToolSet<Deps> | Promise<ToolSet<Deps>>);
    /** The form of the answer; types `result.output`. */
    readonly output?: S;
    /** Given to tools, hooks and children, never journaled. A function lets any process resume. */
    readonly deps?: Deps | ((situation: Pick<Situation, 'thread' | 'metadata'>) => Deps | Promise<Deps>);
    /** Which calls run, ask or are denied. */
    readonly permissions?: Policy;
    /** Code that looks at inputs, results and replies before they are stored, in order. */
    readonly guards?: readonly Guard[];
    /** Code that runs at the nine points of a turn, in order. */
    readonly hooks?: readonly Hook<Deps>[];
    /** What a run may use at most. */
    readonly limits?: Limits;
    /** What the model is shown of the thread; default: `compress()` for a model whose window is known, and otherwise everything. */
    readonly context?: ContextStrategy;
    /** Tokens of a request and its reply together, as context strategies count with them; default: what is known of the model. */
    readonly window?: number;
    /** Where the facts are kept; default: in memory. */
    readonly journal?: Journal;
    /** How the agent behaves where people, time and failure are concerned. */
    readonly behaviour?: Behaviour;
    /** Answers questions in this process. */
    readonly onQuestion?: Resolver;
    /** Called with the durable events of threads that this agent object has loaded, with the frame after their batch; cannot change anything. */
    readonly observers?: readonly Observer[];
    /** What is stored besides the facts that runs need; default: nothing. */
    readonly record?: RecordOptions;
    /** The folder whose files `rewind` puts back; default: none. The tools that change its files are given to the agent as well. */
    readonly workspace?: Workspace;
    /** Replacements for the platform's clock, ids, randomness, hash and prices. */
    readonly ports?: Partial<Ports>;
}
/** A layer of the system text: a text, `false` to leave it out, or a function of the text that Loom has for it, which is empty for layers of your own. */
export type LayerOption = string | false | ((text: string) => string);
/** What is stored besides the facts that runs need. */
export interface RecordOptions {
    /**
     * Whether the deltas of replies are stored, with their times, as `model.streamed` events: at most 262,144 characters an attempt. They are stored with
     * the reply or the failure of the attempt, in the same commit. Default false.
     */
    readonly deltas?: boolean;
}
/** Answers questions in this process; `undefined` leaves a question open. */
export type Resolver = (question: Question) => SignedAnswer | undefined | Promise<SignedAnswer | undefined>;
/** What a run may be given; all of it may differ from run to run. */
export interface RunOptions<Deps = unknown> {
    /** The thread to run on; default: a new one. */
    readonly thread?: string | undefined;
    /**
     * The caller's id of this start, 1 to 200 characters: said again with the same input, it attaches to the run that is there, finished or not, and with
     * another input it is refused. Without `thread`, it also names the thread.
     */
    readonly id?: string | undefined;
    /** The dependencies of this run. */
    readonly deps?: Deps | undefined;
    /** Another model for this run. */
    readonly model?: Model | undefined;
    /** Other tools for this run. */
    readonly tools?: ToolSet<Deps> | undefined;
    /** Settings that differ for this run. */
    readonly settings?: ModelSettings | undefined;
    /** Limits that differ for this run. */
    readonly limits?: Limits | undefined;
    /** What this run may do less than its agent; recorded with the run, so that it holds in every process that goes on with it, and for its children. */
    readonly permissions?: RunLayer | undefined;
    /** Stops the run when it is aborted. */
    readonly signal?: AbortSignal | undefined;
    /** Journaled with the run; shown to functions, hooks and permissions. */
    readonly metadata?: {
        readonly [key: string]: unknown;
    } | undefined;
    /** Answers the questions of this run in this process. */
    readonly onQuestion?: Resolver | undefined;
    /** Goes on with a thread of an agent of another name, or one that was imported, which belongs to this one from then on; default: such a thread is refused. */
    readonly adopt?: boolean | undefined;
    /** Keeps the input in the context for good, whatever a strategy leaves out. */
    readonly pin?: boolean | undefined;
    /** What the input holds that others wrote, or that is private: recorded with it, and read by its thread. Default: nothing, as far as its parts say nothing. */
    readonly taint?: InputTaint | undefined;
    /** What happens when the thread is busy; default: as the agent's behaviour says. */
    readonly whenBusy?: Behaviour['whenBusy'] | undefined;
}
/** What code supplies to one run instead of what the agent has. Never journaled. */
export type RunOverrides = Pick<RunOptions<never>, 'deps' | 'model' | 'tools'>;
/** The options of a run: they may be left out unless they must bring the dependencies that the agent was not given. */
export type OptionsOf<Deps, HasDeps, Options = RunOptions<Deps>> = unknown extends Deps ? [options?: Options] : HasDeps extends true ? [options?: Options] : [options: Options & {
    readonly deps: Deps;
}];
/** What the umbrella passes to `agent()`. */
export interface AgentHost {
    /** Turns the id of a model into a model object; absent: only model objects can be used. */
    readonly resolveModel?: ModelResolver;
    /** The price of a model call in integer micro-units; undefined when it is not known. `ports.price` of an agent comes first. */
    readonly price?: Ports['price'];
    /** Loads what `price` looks prices up in, before a run with a limit of money calls its model; undefined when that is loaded. */
    readonly loadPrices?: () => Promise<void> | undefined;
    /** What is known of a model's size, for context strategies; it may be loaded first. `window` of an agent comes first. */
    readonly describeModel?: DescribeModel;
}

// definition/definition.d.ts
/** The definition of an agent: its options, checked and compiled once. */
import { type Journal, type Limits } from '@loom-agent/kernel';
import { type ContextStrategy } from '../context/strategy.ts';
import type { Guard } from '../guard/guard.ts';
import { type HookTable } from '../hook/hook.ts';
import { type RuledTool } from '../permission/check-rules.ts';
import { type CompiledPolicy } from '../permission/compile-policy.ts';
import { type Ports } from '../platform/ports.ts';
import { type ReadMoreListing, type Toolbox } from '../tool/toolbox.ts';
import { type CompleteBehaviour } from '../types/behaviour.ts';
import type { Schema } from '../types/schema.ts';
import type { AgentHost, AgentOptions, Observer } from './agent-options.ts';
import { type Locks } from './locks.ts';
/** Options without their type parameters. */
export type ErasedOptions = AgentOptions<never, Schema | undefined>;
/** An agent, ready to run. */
export interface Definition {
    /** The options as they were given. */
    readonly options: ErasedOptions;
    /** What resolves the agent's models. */
    readonly host: AgentHost;
    /** The name of the agent; default `agent`. */
    readonly name: string;
    /** What the agent is for; default empty. */
    readonly description: string;
    /** Where the facts are kept; default: in memory. */
    readonly journal: Journal;
    /** The platform, with what the options replace. */
    readonly ports: Ports;
    /** Undefined when the tools are a function of the situation. */
    readonly toolbox: Toolbox | undefined;
    /** Whether the model has the tool that reads results again, which is no part of the toolbox. */
    readonly readMore: ReadMoreListing;
    /** The compiled permissions; undefined when there are none. */
    readonly policy: CompiledPolicy | undefined;
    /** The guards, in order. */
    readonly guards: readonly Guard[];
    /** The hooks, by point. */
    readonly hooks: HookTable;
    /** The agent's observers, and those that hooks bring along. */
    readonly observers: readonly Observer[];
    /** The context strategy; default: compression where the window of the model is known, and otherwise everything. */
    readonly context: ContextStrategy;
    /** The limits of a run, with defaults. */
    readonly limits: Limits;
    /** The behaviour, with defaults. */
    readonly behaviour: CompleteBehaviour;
    /** The locks of its calls, shared by all agents that were made from one. */
    readonly locks: Locks;
    /** Distinguishes this agent from a later version of itself. */
    fingerprint(): string;
}
/** Checks options and makes them an agent's definition. */
export declare function define(options: ErasedOptions, host: AgentHost, locks?: Locks): Definition;
/** The tools as rules look at them; none where they are not known yet. */
export declare function ruledTools(toolbox: Toolbox | undefined): readonly RuledTool[];

// definition/locks.d.ts
/** The locks of an agent: calls that name the same one exclude each other, in all its runs in this process. */
/** Which locks are held, and what waits for one. */
export interface Locks {
    readonly held: Set<string>;
    /** Called when a lock is given back. */
    readonly freed: Set<() => void>;
}
/** Locks, all of them free. */
export declare function createLocks(): Locks;

// explain/assemblies.d.ts
/** The contexts of a thread as JSON lines: what an export to another program is made of. */
import type { Journal } from '@loom-agent/kernel';
import type { AssemblyRecord } from './read-assemblies.ts';
/**
 * Every context of a thread, in order.
 *
 * @example
 * for await (const { turn, tokens } of assembliesOf(journal, 'user-123')) console.log(turn, tokens)
 */
export declare function assembliesOf(journal: Journal, thread: string): AsyncGenerator<AssemblyRecord, void>;
/**
 * The same as JSON lines, each with its line end.
 *
 * @example
 * await writeFile('contexts.jsonl', Readable.from(exportAssemblies(journal, 'user-123')))
 */
export declare function exportAssemblies(journal: Journal, thread: string): AsyncGenerator<string, void>;

// explain/context-fold.d.ts
/**
 * The contexts of a thread: a fold over its events.
 *
 * EXPLAIN-1. Everything that is said about a request follows from recorded facts: no agent, model, tool, hook or strategy is asked.
 */
import { type ContextBudget, type Entry, type EventOf, type Frame, type LoomEvent, type Seq } from '@loom-agent/kernel';
/** A request that was made of a context, and the frame before it. */
export interface Attempted {
    readonly event: EventOf<'model.requested'>;
    readonly before: Frame;
    /** The hook that changed the messages of this one request. */
    readonly hook: string | undefined;
}
/** The rebase that is in force. */
export interface RebaseInForce {
    readonly seq: Seq;
    readonly turn: number;
    readonly reason: string;
    readonly budget: ContextBudget | undefined;
    /** Who gave the system text. */
    readonly systemBy: 'agent' | 'hook' | 'fork';
}
/** A context that was assembled, and the requests that were made of it. */
export interface Assembled {
    readonly event: EventOf<'context.assembled'>;
    readonly after: Frame;
    readonly rebase: RebaseInForce | undefined;
    readonly requests: readonly Attempted[];
}
/** Something that a hook has replaced before the model could be sent it. */
export interface Overwritten {
    readonly what: 'reply' | 'result';
    /** The seq of the event that replaced it. */
    readonly seq: Seq;
    readonly turn: number;
    readonly hook: string | undefined;
    /** The entry as it would have been. */
    readonly entry: Entry;
}
/** Folds events one after another. */
export interface ContextFold {
    /** Takes the next event; returns the context that is complete with it. */
    take(event: LoomEvent): Assembled | undefined;
    /** The last context, when there are no more events. */
    end(): Assembled | undefined;
    /** The frame after the last event. */
    frame(): Frame;
    /** What hooks have replaced so far. */
    readonly overwritten: readonly Overwritten[];
}
/** The fold of a thread before its first event. */
export declare function createContextFold(thread: string): ContextFold;

// explain/explain-with.d.ts
/** Explaining the request of a moment from the record of its thread. Loaded on use. */
import { type Journal } from '@loom-agent/kernel';
import type { ContextStrategy } from '../context/strategy.ts';
import type { ExplainWhat, Explanation } from './explanation.ts';
/** Which request is asked about: that of a moment `thread@seq`, or that of a turn. */
export type ExplainAt = string | {
    /** The id of the thread. */
    readonly thread: string;
    /** The number of the turn. */
    readonly turn: number;
};
/** What an explanation is made with. */
interface ExplainOptions {
    readonly what: ExplainWhat | undefined;
    /** The strategy that hints change. */
    readonly strategy?: ContextStrategy;
}
/** Explains a request. With a strategy, hints come with one that keeps more. */
export declare function explainWith(journal: Journal, at: ExplainAt, { what, strategy }: ExplainOptions): Promise<Explanation>;
export {};

// explain/explain.d.ts
/** explain: what a model was sent at a moment, what it was not sent, and why. */
import type { Journal } from '@loom-agent/kernel';
import type { ExplainAt } from './explain-with.ts';
import type { ExplainWhat, Explanation } from './explanation.ts';
/**
 * What the request of a moment held, what it did not hold, and why: of everything, and of what is looked for. Needs the journal alone; nothing is called.
 *
 * @example
 * const { words, hints } = await explain(journal, 'user-123@42', 'launch code')
 * console.log(words, hints[0]?.words)
 */
export declare function explain(journal: Journal, at: ExplainAt, what?: ExplainWhat): Promise<Explanation>;

// explain/explanation.d.ts
/** Explanations, as users see them: what became of everything that a request could have held. */
import type { ContextBudget, Entry, Seq } from '@loom-agent/kernel';
import type { ContextStrategy } from '../context/strategy.ts';
/**
 * The kind of a part of the context: the system text, a tool, a summary, words for what is not shown (`gap`), a message that a hook put into the request
 * (`inserted`), or an entry of the history by its origin.
 */
export type PartKind = 'system' | 'tool' | 'summary' | 'gap' | 'inserted' | Entry['origin'];
/** A result that was shown in part. */
export interface CutResult {
    /** The id of the call, `turn.index`. */
    readonly call: string;
    /** The name of the tool. */
    readonly tool: string;
    /** The rule of the trim. */
    readonly rule: string;
    /** How many characters of the result are left. */
    readonly left: number;
    /** How many characters it had. */
    readonly of: number;
}
/** A part that takes room in the request. */
export interface RoomTaken {
    /** What kind of part it is. */
    readonly kind: PartKind;
    /** The index of the entry in the history, for parts that are entries. */
    readonly entry?: number;
    /** How the part begins. */
    readonly text: string;
    /** The tokens that it takes. */
    readonly tokens: number;
}
/** What became of a part. `message` is the index of the message in the request that has it. */
export type Fate = {
    /** Which of the fates it is. */
    readonly as: 'verbatim';
    /** Absent for tools, which are no messages. */
    readonly message?: number;
} | {
    readonly as: 'trimmed';
    readonly message: number;
    /** The results that were cut. */
    readonly cuts: readonly CutResult[];
} | {
    readonly as: 'summarised';
    /** The message that has the summary; absent when a hook took it out. */
    readonly message?: number;
    /** The number of the summary among those of the thread; absent for a text of the strategy's own. */
    readonly summary?: number;
    /** The section that shares words with the part. */
    readonly section?: string;
    /** The line of that section that shares most words with the part. */
    readonly line?: string;
    /** What the summary says that it left out of an earlier one, where that shares words with the part. */
    readonly leftOut?: string;
} | {
    readonly as: 'dropped';
    /** The rule that dropped it. */
    readonly rule: string;
    /** Why, in words. */
    readonly reason: string;
    /** The tokens that the decision was made by. */
    readonly budget?: ContextBudget;
    /** The largest parts that were sent instead. */
    readonly took: readonly RoomTaken[];
} | {
    readonly as: 'not yet';
    /** The seq of the event that brought it. */
    readonly seq: Seq;
} | {
    readonly as: 'never eligible';
    /** Why it could not be sent, in words. */
    readonly because: string;
    /** The hook that took it out of the request. */
    readonly hook?: string;
} | {
    readonly as: 'replaced';
    /** What stands in its place, in words. */
    readonly by: string;
    /** The seq of the event that replaced it. */
    readonly seq?: Seq;
};
/** A part of the context, and what became of it. */
export interface ContextPart {
    /** What kind of part it is. */
    readonly kind: PartKind;
    /** The index of the entry in the history, for parts that are entries. */
    readonly entry?: number;
    /** The seq of the event that brought the entry. */
    readonly seq?: Seq;
    /** The turn in which it was first there. */
    readonly turn?: number;
    /** The name of the tool or of the layer of the system text, the number of the summary, or the id of the item. */
    readonly name?: string;
    /** Who gave a layer of the system text (`agent`, `hook`, `fork`, `loom`), or where an item comes from. */
    readonly origin?: string;
    /** Set for an item that is not to be trusted. */
    readonly trust?: 'untrusted';
    /** Its first characters. */
    readonly text: string;
    /** The tokens that it takes in the request; 0 when it is not there. */
    readonly tokens: number;
    /** The tokens that it would take whole. */
    readonly size: number;
    /** What became of it. */
    readonly fate: Fate;
}
/** What is looked for: a text, the id of a call or of an item, the seq of an entry; a text alone is an id where there is one like it. */
export type ExplainWhat = string | number | {
    /** A text, compared without case and spaces. */
    readonly text: string;
} | {
    /** The seq of the event that brought an entry. */
    readonly seq: Seq;
} | {
    /** The id of a call. */
    readonly call: string;
} | {
    /** The id of an item. */
    readonly item: string;
};
/** A place where something stands that was looked for. */
export interface FoundPart {
    /** The part that has it. */
    readonly part: ContextPart;
    /** What became of the words that were looked for: they may share the fate of the part, or have one of their own. */
    readonly fate: Fate;
    /** In what of the part it stands. */
    readonly where: 'text' | 'reasoning' | 'arguments' | 'result' | 'data' | 'all of it';
    /** The words around it. */
    readonly excerpt: string;
    /** Whether all that was looked for stands in the request here. */
    readonly isShown: boolean;
}
/** The place of an entry among those of its origin, counted from 0: it is the same under every strategy. */
export type EntryName = {
    /** Where the entry comes from. */
    readonly origin: Entry['origin'];
    /** Its place among the entries of that origin. */
    readonly number: number;
} | {
    /** The id of the item that the entry is. */
    readonly item: string;
};
/** A change of what a strategy shows. */
export type ContextChange = {
    /** What is kept: entries, results of a tool, or so many tokens or turns more. */
    readonly kind: 'pin';
    /** The entries to keep, with the calls and results that belong to them. */
    readonly entries: readonly EntryName[];
} | {
    readonly kind: 'results';
    /** The tool whose results are kept whole. */
    readonly tool: string;
} | {
    readonly kind: 'tokens' | 'turns';
    /** How many more tokens, estimated and not calibrated, or turns, are kept. */
    readonly more: number;
};
/** A change that would have kept what was looked for. */
export interface ContextHint {
    /** The change, as data: `keepMore(strategy, change)` makes it. */
    readonly change: ContextChange;
    /** How many more tokens the request would have had. */
    readonly tokens: number;
    /** The change in words. */
    readonly words: string;
    /** What `agent.replay` takes as `with`, where the agent was asked. */
    readonly with?: {
        readonly context: ContextStrategy;
    };
}
/** What a request held, what it did not hold, and why. */
export interface Explanation {
    /** The thread that was asked about. */
    readonly thread: string;
    /** The turn of the request. */
    readonly turn: number;
    /** The moment when its context was assembled: `thread@seq`. */
    readonly at: string;
    /** The request that was made of the context; absent when none was. */
    readonly request?: {
        /** The moment of its `model.requested` event. */
        readonly at: string;
        /** The id of the model. */
        readonly model: string;
        /** Which attempt of its turn it was, from 1. */
        readonly attempt: number;
        /** Whether the messages have the digest that was recorded with the request. */
        readonly isVerified: boolean;
    };
    /** The rebase that decided what is shown of earlier entries. */
    readonly rebase?: {
        /** The moment of the rebase: `thread@seq`. */
        readonly at: string;
        /** The turn of the rebase. */
        readonly turn: number;
        /** Its cause. */
        readonly reason: string;
        /** The tokens that it was made by. */
        readonly budget?: ContextBudget;
    };
    /** How many messages the request had. */
    readonly messages: number;
    /** The tokens of the request, as strategies count them (estimated, and calibrated by usage): of all parts, and by kind. */
    readonly tokens: {
        readonly total: number;
        readonly by: {
            readonly [K in PartKind]?: number;
        };
    };
    /** Every part, in the order of the request. */
    readonly parts: readonly ContextPart[];
    /** What was looked for; absent when nothing was. */
    readonly asked?: {
        /** In words. */
        readonly what: string;
        /** Whether all of it stands somewhere in the request. */
        readonly isShown: boolean;
        /** Where it stands in the thread; of many places, the latest hundred. */
        readonly found: readonly FoundPart[];
        /** How many places there are. */
        readonly count: number;
    };
    /** All of this in words. */
    readonly words: string;
    /** What would have kept it, the cheapest first; empty when it was there, or when no strategy can show it. */
    readonly hints: readonly ContextHint[];
}

// explain/keep-more.d.ts
/** A strategy that shows more than another one: what a hint proposes. */
import type { ContextStrategy } from '../context/strategy.ts';
import type { ContextChange } from './explanation.ts';
/**
 * The strategy, changed so that it keeps more: it decides as before, and its rebases show whole what the change asks for.
 *
 * @example
 * const [hint] = (await explain(journal, 'user-123@42', 'the launch code')).hints
 * if (hint) console.log(renderReplay(await worker.replay('user-123', { with: { context: keepMore(strategy, hint.change) } })))
 */
export declare function keepMore(strategy: ContextStrategy, change: ContextChange): ContextStrategy;

// explain/presence-matrix.d.ts
import type { Tracked } from './prompt-tracker.ts';
/** Whether an entry is in a request: whole, with a result cut, as part of a summary, left out by a segment, or not sent for another reason. */
export type PresenceKind = 'in' | 'trimmed' | 'summary' | 'dropped' | 'absent';
/** Turns that follow each other in which an entry has one value, the last one included. */
export interface PresenceRange {
    /** The first of the turns. */
    readonly from: number;
    /** The last of the turns. */
    readonly to: number;
    /** The value. */
    readonly as: PresenceKind;
}
/** Entries with the same values in all turns. */
export interface MatrixRow {
    readonly from: number;
    readonly to: number;
    readonly turns: PresenceRange[];
}
/** Collects values request by request. */
export interface PresenceMatrix {
    /** Adds the next request. */
    add(tracked: Tracked): void;
    /** All rows, in the order of the history. */
    rows(): readonly MatrixRow[];
}
/** A matrix before the first request. */
export declare function createMatrix(): PresenceMatrix;

// explain/presence.d.ts
/** The presence of entries over the turns of a thread. */
import type { Journal } from '@loom-agent/kernel';
import type { ExplainWhat } from './explanation.ts';
import type { Presence } from './read-presence.ts';
/**
 * Which entries of a thread were in the requests of which turns: of all entries, or of those that are looked for. Of several contexts of one turn the last
 * counts.
 *
 * @example
 * for (const { from, to, turns } of (await presenceOf(journal, 'user-123')).rows) console.log(from, to, turns)
 */
export declare function presenceOf(journal: Journal, thread: string, what?: ExplainWhat): Promise<Presence>;

// explain/prompt-tracker.d.ts
/** The prompt of a thread from request to request, with where each of its messages comes from. */
import type { Frame } from '@loom-agent/kernel';
import type { Source } from '../context/message-list.ts';
import type { LanguageModelV4Message } from '../language-model/index.ts';
import type { Assembled, Attempted } from './context-fold.ts';
/** A request as it was sent, and where its messages come from. */
export interface Tracked {
    /** The frame that the request was made of. */
    readonly frame: Frame;
    readonly model: string;
    /** Whether the rendered messages have the digest that was recorded; false without a request. */
    readonly isVerified: boolean;
    /** The messages before a hook changed them, and where each comes from. */
    readonly rendered: readonly LanguageModelV4Message[];
    readonly sources: readonly Source[];
    /** How often the messages were rendered from the start; between two renderings they only grew. */
    readonly renderings: number;
    /** The place of a rendered message in the request; -1 when a hook took it out. */
    placeOf(message: number): number;
    /** The message at a place of the request. */
    messageAt(place: number): LanguageModelV4Message;
    /** Messages that a hook put into the request, with their places. */
    readonly inserted: readonly {
        readonly place: number;
        readonly message: LanguageModelV4Message;
    }[];
    /** How many messages of the front no hook has changed. */
    readonly keep: number;
    /** How many messages the request has. */
    readonly length: number;
}
/** Follows the prompt of one thread. */
export interface PromptTracker {
    /** The request of a context: of the given attempt, or as it would be. What it returns holds until the next update. */
    update(assembled: Assembled, attempt: Attempted | undefined): Tracked;
}
/** A tracker before the first request. The version of the model's specification is not recorded: the digest of the messages shows it. */
export declare function createPromptTracker(): PromptTracker;

// explain/read-assemblies.d.ts
/** Reading the contexts of a thread, one by one. Loaded on use. */
import type { Journal, Segment } from '@loom-agent/kernel';
/** One context of a thread, as plain data. */
export interface AssemblyRecord {
    /** The moment when it was assembled: `thread@seq`. */
    readonly at: string;
    /** Its turn. */
    readonly turn: number;
    /** When it was assembled, in milliseconds since 1970. */
    readonly time: number;
    /** The moment of the last request that was made of it; absent when none was. */
    readonly request?: string;
    /** The id of the model. */
    readonly model: string;
    /** The attempts that were made with it. */
    readonly attempts: number;
    /** How many messages the request had. */
    readonly messages: number;
    /** The tokens of the request, as strategies count them. */
    readonly tokens: number;
    /** How many entries of the history there were. */
    readonly entries: number;
    /** The rebase, where there was one: its cause, what it shows of the history, and by which budget. */
    readonly rebase?: {
        readonly reason: string;
        readonly segments: readonly Segment[];
        readonly budget?: object;
    };
    /** The ids of the items that were added. */
    readonly items?: readonly string[];
    /** The hook that changed the messages. */
    readonly hook?: string;
}
/** Every context of a thread, in order. */
export declare function readAssemblies(journal: Journal, thread: string): AsyncGenerator<AssemblyRecord, void>;

// explain/read-presence.d.ts
/**
 * Reading the presence of entries over the turns of a thread, in ranges of entries and of turns. Loaded on use.
 *
 * EXPLAIN-3. It is linear in the length of the thread: a turn looks at what it adds, and a rebase at what it shows and at what changes.
 */
import { type Journal, type Seq } from '@loom-agent/kernel';
import type { ExplainWhat } from './explanation.ts';
import { type PresenceRange } from './presence-matrix.ts';
/** What entries that follow each other have in common over the turns. */
export interface PresenceRow {
    /** The index of the first entry in the history. */
    readonly from: number;
    /** The index of the last entry. */
    readonly to: number;
    /** The seq of the event that brought the first entry. */
    readonly seq: Seq;
    /** How the first entry begins. */
    readonly text: string;
    /** The turns, in order and without a gap, from the one in which they first could be sent. */
    readonly turns: readonly PresenceRange[];
}
/** Which entries were in which requests. */
export interface Presence {
    /** The thread. */
    readonly thread: string;
    /** The number of its last turn that has a context. */
    readonly turn: number;
    /** The entries, in the order of the history. */
    readonly rows: readonly PresenceRow[];
}
/** Which entries of a thread were in the requests of which turns. */
export declare function readPresence(journal: Journal, thread: string, what?: ExplainWhat): Promise<Presence>;

// explain/render-explanation.d.ts
import type { Explanation } from './explanation.ts';
import type { Presence } from './read-presence.ts';
/** How an explanation is rendered. */
export interface RenderExplanationOptions {
    /** Whether colours are used; default false. */
    readonly color?: boolean;
    /** Characters of a line, at most; default 100. */
    readonly width?: number;
    /** Parts that are listed, at most; default 60. What is left out is counted. */
    readonly parts?: number;
}
/**
 * An explanation as a picture of text: the request as a bar by kind, then its parts with marks, then what was looked for and the hints.
 *
 * @example
 * console.log(renderExplanation(await explain(journal, 'user-123@42'), { color: true }))
 */
export declare function renderExplanation(explanation: Explanation, options?: RenderExplanationOptions): string;
/**
 * The presence of entries as lines of text: one for each row.
 *
 * @example
 * console.log(renderPresence(await presenceOf(journal, 'user-123', 'launch code')))
 */
export declare function renderPresence({ thread, turn, rows }: Presence): string;

// fork/fork-types.d.ts
/** Forks, as users see them: what is asked for, what it would come to, and what is made. */
import type { EffectClass, FileChange, FileConflict, ForkEffects, ForkOf, Limits, LoomEvent } from '@loom-agent/kernel';
import type { OptionsOf, RunOptions } from '../definition/agent-options.ts';
import type { Model } from '../model/model.ts';
import type { RunHandle } from '../run/run-handle.ts';
import type { Input } from '../types/input.ts';
/**
 * Something that a fork makes different. An edit of a fact cuts the thread just before that fact, wherever the fork was asked for.
 *
 * - `input`: another input from here on
 * - `result`: a call returned something else
 * - `deny`: a call was not permitted
 * - `instructions`: the agent gets other instructions, in all runs of the fork; they replace those of hooks too
 * - `model`: another model replies, in all runs of the fork for which no other model is given
 * - `remove-turn`: a turn, and what followed from it, did not happen
 */
export type Edit = {
    readonly kind: 'input';
    /** What the run is asked instead. */
    readonly input: Input;
} | {
    readonly kind: 'result';
    /** The call, by its id `turn.index`. */
    readonly call: string;
    /** What it returned instead. */
    readonly result: unknown;
} | {
    readonly kind: 'deny';
    /** The call, by its id `turn.index`. */
    readonly call: string;
    /** Shown to the model. */
    readonly reason?: string;
} | {
    readonly kind: 'instructions';
    /** The system text from the cut on. */
    readonly text: string;
} | {
    readonly kind: 'model';
    /** Replies from the cut on. Another process finds it by its id, or is given it: `resume(thread, { model })`. */
    readonly model: Model;
} | {
    readonly kind: 'remove-turn';
    /** The number of the turn that did not happen. */
    readonly turn: number;
};
/** A call that the parent had open at the cut, or that its model proposed after the cut on the same run: the fork may make it again. */
export interface PlannedCall {
    /** The call, by its id `turn.index`. */
    readonly call: string;
    /** The name of the tool. */
    readonly tool: string;
    /** The effect class of the tool; `unsafe` where it is not known. */
    readonly effect: EffectClass;
    /**
     * What would happen to it in the fork, if it were made again with the same arguments.
     *
     * - `runs`: it is executed
     * - `recorded`: it gets its result from the record of the parent
     * - `stubbed`: it is left out, and the model reads that
     * - `asked`: people are asked about it first
     * - `denied`: a policy does not permit it
     * - `refused`: there is no such tool now, it is not available, or the arguments do not fit
     * - `skipped`: a hook of the agent skipped it in the parent, or answered for it
     */
    readonly fate: 'runs' | 'recorded' | 'stubbed' | 'asked' | 'denied' | 'refused' | 'skipped';
}
/** What a fork would reuse, run and risk. */
export interface ForkPlan {
    /** Where it is cut: `thread@seq`. */
    readonly from: string;
    /** What happens to effects after the cut. */
    readonly effects: ForkEffects;
    /** What is shared with the parent: events, turns, and the tokens and micro-units that are not spent again. `cost` is undefined where a price is unknown. */
    readonly reused: {
        readonly events: number;
        readonly turns: number;
        readonly tokens: number;
        readonly cost: number | undefined;
    };
    /** What the parent spent on the same run after the cut: the best guess of what going on may cost. `cost` is undefined where a price is unknown. */
    readonly estimate: {
        readonly turns: number;
        readonly tokens: number;
        readonly cost: number | undefined;
    };
    /** Calls that are open at the cut, and those that the parent's model proposed after it on the same run; each of them once. */
    readonly calls: readonly PlannedCall[];
    /** Those among them that would change the world without a question: they run and are neither `pure` nor `read`, or a step or a child of them was not. */
    readonly unsafe: readonly PlannedCall[];
    /** Calls and questions that are open at the cut and are decided anew. */
    readonly reopened: readonly string[];
}
/** How a thread is forked. */
export interface ForkOptions {
    /** The id of the fork; default: made up. */
    readonly thread?: string;
    /** What is different from the cut on; default: nothing. */
    readonly edit?: Edit | readonly Edit[];
    /** What happens to effects after the cut; default `ask`: those that change the world are asked about. */
    readonly effects?: ForkEffects;
    /** What the run that goes on may spend. Without it the run asks before it spends anything; a run that an `input` edit starts has the agent's limits. */
    readonly limits?: Limits;
}
/** Where and how a thread is cut. */
export interface Cut {
    readonly moment: ForkOf;
    readonly edits: readonly Edit[];
    readonly effects: ForkEffects;
    readonly limits: Limits | undefined;
    /** All events of the parent. */
    readonly events: readonly LoomEvent[];
    /** The thread that has the moment is quarantined. */
    readonly quarantined: true | undefined;
}
/** A fork: a thread of its own. */
export interface Fork<Output = string, Deps = unknown, HasDeps extends boolean = false> {
    /** The id of the fork. */
    readonly thread: string;
    /** Where it was cut. */
    readonly from: string;
    /** What it reuses, runs and risks. */
    readonly plan: ForkPlan;
    /** Goes on from the cut. */
    resume(...options: OptionsOf<Deps, HasDeps, Omit<RunOptions<Deps>, 'thread' | 'id' | 'permissions' | 'whenBusy'>>): RunHandle<Output>;
}
/** How a thread is rewound. */
export interface RewindOptions extends ForkOptions {
    /** The thread whose files the folder has, where it is a fork of this one; default: the thread itself. */
    readonly from?: string;
}
/** What a rewind does to files. */
interface RewoundFiles {
    /** The moment whose files the folder had: the end of a thread. */
    readonly folder: string;
    /** The files that are put back: what they had, and what they get. */
    readonly files: readonly FileChange[];
    /** Files that stay as they are, and why. */
    readonly conflicts: readonly FileConflict[];
    /** Calls that may have changed more files than are known. */
    readonly unseen: readonly string[];
    /** The paths among `files` that were changed while a command ran: by it, or by somebody else meanwhile. What goes is in the journal. */
    readonly shared: readonly string[];
}
/** What a rewind would do. */
export interface RewindPlan extends RewoundFiles {
    /** What the fork would reuse, run and risk. */
    readonly fork: ForkPlan;
}
/** A fork whose files were put back. */
export interface Rewound<Output = string, Deps = unknown, HasDeps extends boolean = false> extends Fork<Output, Deps, HasDeps>, RewoundFiles {
}
/** A rewind by an agent whose types are not known. */
export type ErasedRewound = Rewound<unknown, never, true>;
/** A fork of an agent whose types are not known. */
export type ErasedFork = Fork<unknown, never, true>;
export {};

// guard/guard.d.ts
/** Guards: code that looks at what comes in and what goes out, before it is stored. */
import { type Expected } from '../platform/expected.ts';
/** What a guard says of a text: another text, that it may not pass, that a person decides, or a warning; nothing lets it pass. */
export type GuardVerdict = {
    /** Stands in place of the text, everywhere. */
    readonly rewrite: string;
} | {
    /** Why the text may not pass. */
    readonly block: string;
} | {
    /** What a person is asked. */
    readonly ask: string;
} | {
    /** What people should know; the text passes. */
    readonly warn: string;
} | undefined | void;
/** Where a text stands. */
export interface GuardedPlace {
    /** The id of the thread. */
    readonly thread: string;
    /** Whether it is an input, the result of a call, or what the model writes. */
    readonly at: 'input' | 'result' | 'output';
    /** The tool whose result it is. */
    readonly tool?: string;
    /** The step of its body that came to it. */
    readonly step?: string;
    /** The name under which it stands in a result that is JSON. */
    readonly name?: string;
}
/** Looks at what the model writes while it is written. */
export interface GuardStream {
    /** Takes a piece; returns what can be shown now, or why the reply is blocked. */
    push(piece: string): string | {
        readonly block: string;
    };
    /** The text has ended; returns the rest. */
    end(): string | {
        readonly block: string;
    };
}
/** Looks at a text. */
export type LookAt = (text: string, place: GuardedPlace) => GuardVerdict | Promise<GuardVerdict>;
/** A guard: any of the four methods. The guards of an agent are asked in order, and each sees what those before it have left. */
export interface Guard {
    /** Its name in records and messages. */
    readonly name: string;
    /** Looks at what users and other programs say, before it is stored. */
    readonly input?: LookAt;
    /** Looks at the result of a call, before it is stored; at each text of one that is JSON. */
    readonly result?: LookAt;
    /** Looks at a whole text of the model, before it is shown and stored. */
    readonly output?: LookAt;
    /** Looks at it in pieces instead, so that less is held back. */
    readonly stream?: (place: GuardedPlace) => GuardStream;
    /** What happens when the guard throws or does not answer in time: `block` (default), or `pass`. */
    readonly onError?: 'block' | 'pass';
}
/** What a guard said of a text, as it is recorded. */
export type GuardNote = {
    /** The name of the guard. */
    readonly guard: string;
    /** What it said. */
    readonly verdict: 'rewrite' | 'block' | 'ask' | 'warn';
    /** Why, in its words. */
    readonly reason?: string;
};
/** What stands in place of a text that a guard has blocked. */
export declare const withheldText: (guard: string, reason: string) => string;
/** What the guards of an agent must be. */
export declare const guardsShape: Expected;

// hook/built-in/analytics.d.ts
/** One record for each run. */
import type { Usage } from '@loom-agent/kernel';
import { type ObservingHook } from './observing-hook.ts';
/** What is recorded of a run. */
export interface RunRecord {
    /** The id of the thread. */
    readonly thread: string;
    /** The id of the run on its thread. */
    readonly run: string;
    /** The name of the agent. */
    readonly agent: string;
    /** How the run ended. */
    readonly outcome: 'done' | 'stopped' | 'failed';
    /** Why it stopped or failed. */
    readonly reason?: string;
    /** Turns that the run took. */
    readonly turns: number;
    /** For each tool how often it was called, and how often the result was an error. */
    readonly calls: {
        readonly [tool: string]: {
            readonly count: number;
            readonly errors: number;
        };
    };
    /** Tokens of its model calls, those of its children included. */
    readonly tokens: Usage;
    /** Integer micro-units; absent when a price is not known. */
    readonly cost?: number;
    /** Milliseconds of driving: waiting for people does not count. */
    readonly duration: number;
}
/** Where records go. */
export interface AnalyticsOptions {
    /** Takes each record. What it throws is ignored. */
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
 * CACHE-1. Only successes of calls that ran and whose effect is `pure` or `read` are kept: a call that changes the world is never left out.
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
    /** Shares results between threads, for tools whose results are the same for all users; default `false`. */
    readonly shared?: boolean;
    /** Replaces the platform's clock. */
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
/** Something that is added to the context. */
import type { Hook, HookContext } from '../hook.ts';
/** What is added, and how often. */
export interface ContextInjectionOptions<Deps = unknown> {
    /** A text, or a function of the situation; nothing is added when it is empty. */
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
    /** Integer micro-units, as `ports.price` counts them. A model without a known price is refused, unless the run's `limits.unpriced` allows it. */
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
/** A human's approval before a call. */
import { type Hook, type ProposedCall } from '../hook.ts';
/** Which calls need a human. */
export interface HumanApprovalOptions {
    /** Names of tools, with * for anything as in policies, or a function of the call. */
    readonly tools: readonly string[] | ((call: ProposedCall) => boolean);
    /** Why it is asked; shown with the question. */
    readonly reason?: string;
}
/**
 * Asks a human before the given tools run. The question shows the tool and its arguments; it is durable, and anyone may answer it from any process. The
 * answer holds for the arguments as the tool gets them: where other hooks change them, the question is asked again.
 *
 * Approved, the call goes on; answered with `respond(value)`, the model gets the value; rejected, the call is skipped and the model sees why.
 * Where nobody is there to answer (`unattended: 'deny'`) it is skipped at once. Permissions do the same by rules, with expiry and
 * several approvers.
 *
 * @example
 * agent({ model, tools: { pay }, hooks: [humanApproval({ tools: ['pay'], reason: 'it costs money' })] })
 */
export declare function humanApproval(options: HumanApprovalOptions): Hook;

// hook/built-in/logging-hook.d.ts
/** Lines about what happens. */
import type { EventType, JsonObject } from '@loom-agent/kernel';
import { type ObservingHook } from './observing-hook.ts';
/** One line, for people and for machines. */
export interface LogEntry {
    /** The line to print. */
    readonly text: string;
    /** When the event was stored, in milliseconds since 1970. */
    readonly time: number;
    /** The id of the thread. */
    readonly thread: string;
    /** The run it belongs to. */
    readonly run?: string | undefined;
    /** The turn it belongs to. */
    readonly turn?: number | undefined;
    /** The type of the event. */
    readonly type: EventType;
    /** Whether it is a failure. */
    readonly error: boolean;
    /** What the event holds: inputs, arguments, outputs. Only when verbose. */
    readonly data?: JsonObject;
}
/** Where lines go, and how many there are. */
export interface LoggingOptions {
    /** Takes each entry; default: its text goes to `console.error`. What it throws is ignored. */
    readonly log?: (entry: LogEntry) => unknown;
    /** Writes every event with its data; default `false`: no line quotes what people, models and tools said. */
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
    /** Tokens of all model calls. */
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
/** Hooks that only observe. */
import { type Frame, type LoomEvent, type Output } from '@loom-agent/kernel';
import type { Hook } from '../hook.ts';
/**
 * A hook that takes part in no point and is notified of what has happened.
 *
 * What it sees is durable and seen once in this process, also how a run ended, which no point shows. It adds no commit to a turn.
 */
export interface ObservingHook extends Hook {
    /** Called with the durable events of threads that the agent object has loaded, with the frame after the batch they came in. */
    observe(event: LoomEvent, frame: Frame): void;
}
/** The events that end a run. */
export declare const endings: ReadonlySet<LoomEvent['type']>;
/** The tool of a call: of this turn, or of the one that has just been closed; undefined when it is not known. */
export declare function toolOf({ run, history }: Frame, id: string): string | undefined;
/** The calls of the run that have their results, oldest first: those in the history, and those of a turn that is not closed. */
export declare function endedCalls({ history, run }: Frame): readonly {
    readonly name: string;
    readonly output: Output;
}[];

// hook/built-in/rate-limit.d.ts
/** A hook that limits model calls per minute, over all runs that share it (RATE-1, RATE-2). */
import type { Clock } from '@loom-agent/kernel';
import type { Hook } from '../hook.ts';
/** How many calls, and how long to wait. */
export interface RateLimitOptions {
    /** Model calls that may begin in any sixty seconds. */
    readonly perMinute: number;
    /** Milliseconds that a call may have to wait; default 600,000. A longer wait fails the run at once; it can be resumed. */
    readonly maxWait?: number;
    /** Replaces the platform's clock. */
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
 * Hooks: the nine points of a turn at which code may look and change.
 *
 * A return value replaces, `undefined` leaves. Hooks chain in list order, each seeing what the one before made. What they changed is
 * journaled as a patch, so replay calls no hook. Until a later event is durable a hook may be called again: it must have no effects of its own.
 */
import type { Answer, Frame, Json, Limits, LoomEvent, Output, Part, ToolOutcome } from '@loom-agent/kernel';
import type { ModelSettings } from '../model/model.ts';
import type { ModelRequest } from '../model/request-patch.ts';
import type { HookPoint } from './points.ts';
/** What every hook is given. */
export interface HookContext<Deps = unknown> {
    /** The id of the thread. */
    readonly thread: string;
    /** The number of the turn. */
    readonly turn: number;
    /** The thread as it is now. */
    readonly frame: Frame;
    /** The dependencies of the run. */
    readonly deps: Deps;
    /** What the run was given as `metadata`. */
    readonly metadata: {
        readonly [key: string]: unknown;
    };
    /** Aborts when the run is to stop. */
    readonly signal: AbortSignal;
    /** The answer, when this hook had suspended the run. */
    readonly answer: Answer | undefined;
}
/** What may change between the parts of a turn: a message of the user's side, settings, limits. */
export interface RunPatch {
    /** A message that is added for the model. */
    readonly say?: string;
    /** Settings of the next model calls. */
    readonly settings?: ModelSettings;
    /** Limits of the run. */
    readonly limits?: Limits;
}
/** What may change about the assembled context. Other instructions make a rebase. */
export interface ContextPatch extends RunPatch {
    /** The system text from now on. */
    readonly instructions?: string;
}
/** A call about to be executed. */
export interface ProposedCall {
    /** Loom's own id of the call: `turn.index`. */
    readonly id: string;
    /** The name of the tool. */
    readonly tool: string;
    /** The arguments. */
    readonly input: Json;
}
/** A call that has ended. */
export interface EndedCall extends ProposedCall {
    /** How it ended. */
    readonly status: ToolOutcome['status'];
    /** What the model reads. */
    readonly output: Output;
    /** The kind of error, where it is one. */
    readonly errorType?: string | undefined;
    /** Milliseconds that it ran. */
    readonly ms?: number | undefined;
}
/** Stops the run until there is an answer; the hook is then called once more, with the answer. Only `suspend()` makes one. */
export interface Suspended {
    readonly kind: 'suspend';
    readonly reason: string;
}
/** Leaves a call out; the model sees why. Only `skip()` makes one. */
export interface Skipped {
    readonly kind: 'skip';
    readonly reason: string;
}
/** Gives a call its result without running it. Only `answerWith()` makes one. */
export interface Answered {
    readonly kind: 'answer';
    readonly output: Output;
}
/** Marks a decision of a hook. */
export declare function markDecision<D extends Suspended | Skipped | Answered>(made: D): D;
/** Whether `suspend()`, `skip()` or `answerWith()` made a value (BAND-1). */
export declare function isDecision(value: unknown): value is Suspended | Skipped | Answered;
/** Answers a call instead of running it, from `beforeToolExecution`: a cached result, a stand-in. */
export declare function answerWith(output: Output): Answered;
/** Asks a human, from any hook, before the run goes on. */
export declare function suspend(reason: string): Suspended;
/** Skips a call, from `beforeToolExecution`. */
export declare function skip(reason: string): Skipped;
/** What a hook may return. */
export type HookReturn<T> = T | Suspended | undefined | void | Promise<T | Suspended | undefined | void>;
/** A hook: any of the nine methods, and `observe` for hooks that change nothing. */
export interface Hook<Deps = unknown> {
    /** Its name in events and errors. */
    readonly name?: string;
    /** Before a turn is entered; may change the limits. */
    readonly beforeIterationStart?: (context: HookContext<Deps>) => HookReturn<RunPatch>;
    /** Before the context is assembled. */
    readonly beforeContextAssembly?: (context: HookContext<Deps>) => HookReturn<RunPatch>;
    /** After it; may change the instructions. */
    readonly afterContextAssembly?: (context: HookContext<Deps>, assembled: {
        readonly instructions: string;
        readonly tools: readonly string[];
    }) => HookReturn<ContextPatch>;
    /** Before a request is sent; may change it. */
    readonly beforeModelCall?: (context: HookContext<Deps>, request: ModelRequest) => HookReturn<Partial<ModelRequest>>;
    /** After the reply; may replace its parts. */
    readonly afterModelReply?: (context: HookContext<Deps>, reply: {
        readonly parts: readonly Part[];
    }) => HookReturn<{
        readonly parts: readonly Part[];
    }>;
    /** Before a call runs; may change its input, skip it, or answer in its place. */
    readonly beforeToolExecution?: (context: HookContext<Deps>, call: ProposedCall) => HookReturn<{
        readonly input: Json;
    } | Skipped | Answered>;
    /** After a call ended; may replace its output. */
    readonly afterToolExecution?: (context: HookContext<Deps>, call: EndedCall) => HookReturn<{
        readonly output: Output;
        readonly status?: ToolOutcome['status'];
    }>;
    /** Before the next turn. */
    readonly beforeRecursion?: (context: HookContext<Deps>, next: {
        readonly turn: number;
    }) => HookReturn<RunPatch>;
    /** After a turn has ended. */
    readonly afterIterationEnd?: (context: HookContext<Deps>) => HookReturn<RunPatch>;
    /** Called with the durable events of threads that the agent object has loaded, and the frame after their batch; cannot change anything. */
    readonly observe?: (event: LoomEvent, frame: Frame) => void;
}
type HookMethod = (context: HookContext, subject?: unknown) => HookReturn<object>;
/** For each point its hooks, in list order. */
export type HookTable = {
    readonly [P in HookPoint]?: readonly {
        readonly name: string;
        readonly index: number;
        readonly call: HookMethod;
    }[];
};
/** Sorts hooks by point, so that a point without hooks costs one lookup. */
export declare function hookTable(hooks: readonly Hook<never>[], points: readonly HookPoint[]): HookTable;
export {};

// hook/points.d.ts
/**
 * The nine lifecycle points of a turn, and when they are passed.
 *
 * HOOK-2. Replay calls no hooks: the patch that `hook.applied` stores is the fact. A patch holds what changes, never the whole.
 */
import { type Effect, type Frame, type Run } from '@loom-agent/kernel';
/** The nine lifecycle points of a turn, in order. A point is passed once a later event is durable; until then its hooks may be called again. */
export declare const hookPoints: readonly ['beforeIterationStart', 'beforeContextAssembly', 'afterContextAssembly', 'beforeModelCall', 'afterModelReply', 'beforeToolExecution', 'afterToolExecution', 'beforeRecursion', 'afterIterationEnd'];
/** The name of a lifecycle point of a turn. */
export type HookPoint = (typeof hookPoints)[number];
/** The points that are passed before an effect is performed. */
export declare function pointsBefore(effect: Effect, frame: Frame, run: Run): readonly HookPoint[];

// index.d.ts
/** Loom's agents: everything a program needs to define agents and tools and to run them durably. */
export { type AgentFactory, agent, createAgentFactory, type DefineAgent } from './agent.ts';
export type { Agent } from './agent-type.ts';
export { explainPermission, type PolicyCase, testPolicy } from './call/explain-permission.ts';
export type { ImaginedCall } from './call/imagined-call.ts';
export { aggressive, compress } from './context/compress.ts';
export type { CompressOptions } from './context/compress-options.ts';
export type { CountTokensOptions } from './context/count-input.ts';
export { countTokens } from './context/count-tokens.ts';
export { defineStrategy, type EntryDecision, type StrategyDefinition } from './context/define-strategy.ts';
export type { SystemLayer } from './context/describe-layers.ts';
export type { ContextModel, DescribeModel, ModelDescription } from './context/model-facts.ts';
export { pipeline } from './context/pipeline.ts';
export { type ReminderOptions, reminders } from './context/reminders.ts';
export { type Section, sectionNames } from './context/sections.ts';
export { type ContextPlan, type ContextRequest, type ContextStrategy, everything, } from './context/strategy.ts';
export type { Reminder, ReminderFacts } from './context/texts.ts';
export { type Todo, type TodoList, type TodoStatus, todosOf } from './context/todos.ts';
export type { ContextTokens } from './context/tokens.ts';
export { type WindowOptions, window } from './context/window-strategy.ts';
export type { Shares, Zone } from './context/zones.ts';
export type { AgentHost, AgentOptions, LayerOption, Observer, Resolver, RunOptions, Situation } from './definition/agent-options.ts';
export { assembliesOf, exportAssemblies } from './explain/assemblies.ts';
export { explain } from './explain/explain.ts';
export type { ExplainAt } from './explain/explain-with.ts';
export type { ContextChange, ContextHint, ContextPart, CutResult, EntryName, ExplainWhat, Explanation, Fate, FoundPart, PartKind, RoomTaken, } from './explain/explanation.ts';
export { keepMore } from './explain/keep-more.ts';
export { presenceOf } from './explain/presence.ts';
export type { PresenceKind, PresenceRange } from './explain/presence-matrix.ts';
export type { AssemblyRecord } from './explain/read-assemblies.ts';
export type { Presence, PresenceRow } from './explain/read-presence.ts';
export { type RenderExplanationOptions, renderExplanation, renderPresence } from './explain/render-explanation.ts';
export type { Edit, Fork, ForkOptions, ForkPlan, PlannedCall, RewindOptions, RewindPlan, Rewound } from './fork/fork-types.ts';
export type { Guard, GuardedPlace, GuardNote, GuardStream, GuardVerdict, LookAt } from './guard/guard.ts';
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
export { type HookPoint, hookPoints } from './hook/points.ts';
export type { Found, SearchQuery } from './look/find-words.ts';
export { type FollowOptions, followFeed } from './look/follow-feed.ts';
export { questions } from './look/questions.ts';
export { readEvents } from './look/read-events.ts';
export type { QuestionQuery } from './look/read-questions.ts';
export type { RequestAt, RequestAtOptions } from './look/render-request.ts';
export { requestAt } from './look/request-at.ts';
export { searchThread, searchThreads } from './look/search-threads.ts';
export { threads } from './look/threads.ts';
export { watch } from './look/watch.ts';
export type { WatchOptions } from './look/watch-options.ts';
export type { Model, ModelObject, ModelResolver, ModelSettings } from './model/model.ts';
export { loadTokenizer } from './model/tokenizer.ts';
export type { CallMatcher, CallPart, PartPattern } from './permission/matcher.ts';
export type { AdmittedCall, CallFacts, Judgement, Layer, LayerRules, LeastVerdict, Mode, Policy, PolicyOptions, Rule, RuleList, RunLayer, Verdict, VerdictMap, } from './permission/policy.ts';
export { safeMode } from './permission/safe-mode.ts';
export { memoryJournal } from './platform/memory-journal.ts';
export { completePorts, type Hash, type Ids, type Ports, type Random, systemClock } from './platform/ports.ts';
export { type BreakerEvent, type BreakerOptions, type CircuitBreaker, circuitBreaker } from './resilience/circuit-breaker.ts';
export { type FallbackEvent, type FallbackOptions, fallback } from './resilience/fallback.ts';
export { type RetryEvent, type RetryOptions, retry } from './resilience/retry.ts';
export { type AdoptionOptions, adopt } from './run/adopt.ts';
export { answer } from './run/answer.ts';
export type { BreakpointOptions, BreakRequest } from './run/break-requests.ts';
export { setBreakpoints, step } from './run/breakpoints.ts';
export { compact, pause, steer, stop } from './run/control.ts';
export type { ControlOptions, SteerOptions } from './run/control-drafts.ts';
export { done } from './run/done.ts';
export type { Recovered, RecoverOptions } from './run/recover-types.ts';
export type { RunHandle } from './run/run-handle.ts';
export { setLabels } from './run/set-labels.ts';
export { signal } from './run/signal.ts';
export type { Cursor } from './stream/cursor.ts';
export { type Checked, type DurableContext, type PermissionContext, type Schedule, type Tool, type ToolContext, type ToolDefinition, tool, } from './tool/define.ts';
export { type Skill, type SkillsOptions, skills } from './tool/skills.ts';
export type { ToolTaint } from './tool/taint.ts';
export { type TodoOptions, todo } from './tool/todo.ts';
export type { ToolLike, ToolSet } from './tool/tool-set.ts';
export { type Difference, diffFrames } from './travel/diff-frames.ts';
export type { DriveForkOptions, LiveReplay } from './travel/drive-fork.ts';
export { judgeStrategy, type StrategyRules, type StrategyVerdict, type StrategyViolation } from './travel/judge-strategy.ts';
export type { Preview, PreviewOptions } from './travel/preview.ts';
export type { TurnSummary } from './travel/read-moments.ts';
export { type RenderReplayOptions, renderReplay } from './travel/render-replay.ts';
export { renderReplays } from './travel/render-replays.ts';
export type { ReplayAllOptions, ReplayedThread, ReplayProgress, ThreadSelection } from './travel/replay-all.ts';
export { compareOutcomes, type Judge, type JudgedOutcomes, type OutcomeVerdict, type ReplayOutcome, type RunOutcome, } from './travel/replay-outcome.ts';
export { summarizeReplays } from './travel/replay-summary.ts';
export type { Divergence, EntryChange, EntryChanges, EssentialLost, Replayed, ReplayMode, ReplayOptions, ReplayReport, ReplayTotals, ReportLimits, Saved, Sent, ToolDifference, ToolNames, TurnReplay, } from './travel/replay-types.ts';
export type { AnyReplayed, ReplaySummary, ThreadReplay } from './travel/sum-replays.ts';
export { compareMoments, frameAt, frameOf, turnsOf } from './travel/travel.ts';
export { type AskOptions, approve, edit, reject, respond, type SignedAnswer } from './types/answer.ts';
export type { AnyAgent } from './types/any-agent.ts';
export type { Behaviour } from './types/behaviour.ts';
export { type Content, content } from './types/content.ts';
export type { Input, InputPart, UserMessage, UserMessages } from './types/input.ts';
export type { InputTaint } from './types/input-taint.ts';
export { type Moment, nameMoment, parseMoment } from './types/moment.ts';
export type { Question } from './types/question.ts';
export type { ReplyBounds } from './types/reply-bounds.ts';
export type { ChildResult, Done, Failed, Finish, ModelWarning, Result, SignalWait, Source, Step, StepCall, Stopped, Waiting } from './types/result.ts';
export type { RunEvent } from './types/run-event.ts';
export { jsonSchema, type Schema } from './types/schema.ts';
export { isSignal, type Signal } from './types/signal.ts';
export type { TaintLabel } from './types/taint-label.ts';
export type { Received, WaitOptions } from './types/wait.ts';
export type { FileToPut, FoundFile, Workspace } from './types/workspace.ts';
export { type BrokenCache, type CacheLoss, type CacheReport, type CacheReportOptions, cacheReport, type RebaseCost, type RunCache, } from './view/cache-report.ts';
export { type EventKind, type KindListeners, kindOf, subscribe } from './view/kinds.ts';
export { createStatistics, type Figures, type Statistics, type StatisticsHook, statisticsOf } from './view/statistics.ts';

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

// look/find-words.d.ts
/** Finding words in the events of threads. Loaded on use. */
import { type Journal, type LoomEvent, type ThreadQuery } from '@loom-agent/kernel';
/** A place in a thread where something was found. */
export interface Found {
    /** Where: `thread@seq`. */
    readonly at: string;
    /** The type of the event. */
    readonly type: LoomEvent['type'];
    /** The words around it. */
    readonly excerpt: string;
}
/** Which threads are searched. */
export type SearchQuery = ThreadQuery & {
    /** Called with the error of a thread that cannot be read; default: the log has it. */
    readonly onError?: (error: unknown) => void;
};
/** Every event whose data holds the words, in the threads that a query asks for. */
export declare function findInThreads(journal: Journal, words: string, query: SearchQuery): AsyncGenerator<Found, void>;
/** Every event of a thread whose data holds the words. */
export declare function findInThread(journal: Journal, thread: string, words: string): Promise<readonly Found[]>;

// look/follow-feed.d.ts
/** Follows the feed of a journal: what was committed and removed, and what will be. */
import type { FeedEntry, FeedQuery, Journal } from '@loom-agent/kernel';
/** Where to begin, which entries to show, and when to stop. */
export interface FollowOptions extends Omit<FeedQuery, 'limit'> {
    /** Ends the iteration. */
    readonly signal?: AbortSignal | undefined;
    /** The time between two looks at a feed that has nothing new, in milliseconds, at least 1; default 1,000. */
    readonly every?: number | undefined;
}
/**
 * Every entry of the feed after `from`, and then those to come, until the signal aborts. The `position` of an entry is what to continue from: store it
 * when the entry is dealt with. One page is in memory, however slow the caller is.
 *
 * @example
 * for await (const { position, thread, kind, status } of followFeed(journal, { from, signal })) await index(thread, kind, status, position)
 */
export declare function followFeed(journal: Pick<Journal, 'feed'>, options?: FollowOptions): AsyncGenerator<FeedEntry, void>;

// look/questions.d.ts
/** The open questions of a journal: an inbox. */
import type { Journal } from '@loom-agent/kernel';
import type { Question } from '../types/question.ts';
import type { QuestionQuery } from './read-questions.ts';
/**
 * The questions that are open, of a thread, of an agent's threads or of all, with those of children. Needs the journal alone. All threads are listed, and
 * those that run, wait or have failed are read one after another. A question that has expired is listed until a driver has recorded that.
 *
 * @example
 * for (const { id, prompt } of await questions(journal, { agent: 'clerk' })) console.log(id, prompt)
 */
export declare function questions(journal: Journal, query?: QuestionQuery): Promise<readonly Question[]>;

// look/read-events.d.ts
/** Reading the events of a thread. */
import { type Journal, type LoomEvent, type ReadRange } from '@loom-agent/kernel';
/**
 * Every event of a thread from `from` on, in pages of at most `limit`. All are of one incarnation: when that is removed meanwhile, the next page throws
 * `LOOM_THREAD_NOT_FOUND`.
 *
 * @example
 * for await (const event of readEvents(journal, 'user-123')) console.log(event.seq, event.type)
 */
export declare function readEvents(journal: Journal, thread: string, range?: ReadRange): AsyncGenerator<LoomEvent, void>;

// look/read-questions.d.ts
/** Reading the open questions of threads and of their children. Loaded on use. */
import type { Journal } from '@loom-agent/kernel';
import type { Question } from '../types/question.ts';
/** Whose questions are wanted; default: all. */
export interface QuestionQuery {
    /** Those of this thread and of its children. */
    readonly thread?: string | undefined;
    /** Those of the threads of this agent and of their children. */
    readonly agent?: string | undefined;
}
/** The questions that are open, of a thread, of an agent's threads or of all. */
export declare function readQuestions(journal: Journal, query: QuestionQuery): Promise<readonly Question[]>;

// look/render-request.d.ts
/**
 * What the model was sent at a moment, rendered again from the record. Loaded on use.
 *
 * LOOK-5. A request is a function of the frame before it, the model's id and the version of the model's specification. The version is not recorded; the
 *     digest of the messages is, and it shows which version they were rendered for. Where several have that digest, the newest is taken: they differ in no
 *     message then, and at most in whether the options for a schema that cannot be enforced are repeated under the name of the provider.
 */
import { type Journal } from '@loom-agent/kernel';
import { type SystemLayer } from '../context/describe-layers.ts';
import type { LanguageModelV4CallOptions } from '../language-model/index.ts';
import type { Ports } from '../platform/ports.ts';
/** A request that a model was sent. */
export interface RequestAt {
    /** The moment of its `model.requested` event: `thread@seq`. */
    readonly at: string;
    /** The id of the model: `provider/name`. */
    readonly model: string;
    /** Which attempt of its turn it was, from 1. */
    readonly attempt: number;
    /** What the model was called with: `prompt`, `tools`, settings. */
    readonly request: LanguageModelV4CallOptions;
    /** The layers of the system text, in order, before hooks change the request. */
    readonly layers: readonly SystemLayer[];
    /** Whether the messages, as they are before hooks change them, have the digest that was recorded with the request. */
    readonly isVerified: boolean;
}
/** What the record does not have. */
export interface RequestAtOptions {
    /** The price of a call, as the agent had it in its ports. It matters where a limit of money has bounded the length of the answer. */
    readonly price?: Ports['price'] | undefined;
}
/** Renders the request of a moment, or else the last one before it. */
export declare function renderRequest(journal: Journal, at: string, options: RequestAtOptions): Promise<RequestAt>;

// look/request-at.d.ts
/** What the model was sent at a moment. */
import type { Journal } from '@loom-agent/kernel';
import type { RequestAt, RequestAtOptions } from './render-request.ts';
/**
 * What the model was sent at `thread@seq`: by the request of that moment, or else by the last one before it. Needs the journal alone. The schema of an
 * answer is the one with which the run was started.
 *
 * @example
 * const { request } = await requestAt(journal, 'user-123@42')
 * console.log(request.prompt, request.tools, request.temperature)
 */
export declare function requestAt(journal: Journal, at: string, options?: RequestAtOptions): Promise<RequestAt>;

// look/search-threads.d.ts
/** Searches the events of one thread, or of many. */
import type { Journal } from '@loom-agent/kernel';
import type { Found, SearchQuery } from './find-words.ts';
/**
 * Every event whose data holds the words, in any letter case, in the threads that a query asks for and in its order. One page of events is in memory at
 * a time. A thread that is removed meanwhile is left out from there on, and so is one that is damaged, which is reported to `onError`.
 *
 * @example
 * for await (const { at, excerpt } of searchThreads(journal, 'order 4711', { sort: 'latest' })) console.log(at, excerpt)
 */
export declare function searchThreads(journal: Journal, words: string, query?: SearchQuery): AsyncGenerator<Found, void>;
/** Every event of a thread whose data holds the words, in any letter case. */
export declare function searchThread(journal: Journal, thread: string, words: string): Promise<readonly Found[]>;

// look/threads.d.ts
/** The threads of a journal. */
import type { Head, Journal, ThreadQuery } from '@loom-agent/kernel';
/**
 * The threads that a query asks for, in its order, page by page; `limit` is how many at most. A thread that begins or changes meanwhile may be left out.
 *
 * @example
 * for await (const { thread, summary } of threads(journal, { agent: 'clerk', status: 'waiting', sort: 'latest' })) console.log(thread, summary.labels)
 */
export declare function threads(journal: Journal, query?: ThreadQuery): AsyncGenerator<Head, void>;

// look/watch-options.d.ts
/** How a thread is watched. */
import type { Cursor } from '../stream/cursor.ts';
/** How a thread is watched. */
export interface WatchOptions {
    /**
     * Where to begin: the seq of the first event, default 1, or with `nested` an object that has for each thread the seq of its first event. To continue,
     * give for each thread the seq after that of the last event that was seen.
     */
    readonly from?: Cursor | undefined;
    /** Whether the events of children are included; each event names its `thread`. Children that are open at `from` are included too. */
    readonly nested?: boolean | undefined;
    /**
     * When to end. `'rest'`: when the run is done, has failed, was stopped or waits, and none is queued. Default: when the iterator is returned or the
     * signal is aborted; the next run of the thread is shown too.
     */
    readonly until?: 'rest' | undefined;
    /** Ends the iteration. */
    readonly signal?: AbortSignal | undefined;
}

// look/watch.d.ts
/** Watching a thread with the journal alone. */
import type { Journal, LoomEvent } from '@loom-agent/kernel';
import type { WatchOptions } from './watch-options.ts';
/**
 * The events of a thread, whatever process drives it. Needs the journal alone, and never drives, resumes, retries or answers anything. Signals are
 * emitted by the process that drives the thread: there, `agent.watch` has them too.
 *
 * @example
 * for await (const event of watch(journal, 'user-123', { from: 42, until: 'rest' })) console.log(event.seq, event.type)
 */
export declare function watch(journal: Journal, thread: string, options?: WatchOptions): AsyncIterableIterator<LoomEvent>;

// model/message-tokens.d.ts
/** Tokens of messages, calls, results, files and tools, as far as their texts show them. */
import type { FilePart, Message, ToolSpec } from '@loom-agent/kernel';
/** Counts the tokens of a text; not rounded, where it is an estimate. */
export type CountText = (text: string) => number;
/** What vendors write around a message, around a call or its result, and around a tool, in tokens. */
export declare const aroundMessage = 4;
export declare const aroundCall = 6;
export declare const aroundTool = 8;
/** A count in steps of 1/1024: sums of such counts are exact, in whatever order they are added. */
export declare const evened: (tokens: number) => number;
/** The tokens of a message. */
export declare function tokensInMessage(message: Message, count: CountText): number;
/** The tokens of a list of tools. */
export declare function tokensInTools(tools: readonly ToolSpec[], count: CountText): number;
/** The tokens of a file, by its kind and its size. */
export declare function tokensInFile({ mediaType, data }: Pick<FilePart, 'mediaType' | 'data'>): number;

// model/model.d.ts
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart, OlderStreamPart } from '../language-model/index.ts';
import { type Expected, type Shape } from '../platform/expected.ts';
/** A model object. */
export type ModelObject = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;
/** A model object, or its id (`provider/name`). */
export type Model = ModelObject | string;
/** What any of the versions streams. */
export type StreamPart = LanguageModelV4StreamPart | OlderStreamPart;
/** The wire version that messages are rendered for. */
export type SpecVersion = ModelObject['specificationVersion'];
/** What a request depends on of the model it is made for. */
export type ModelIdentity = Pick<ModelObject, 'specificationVersion' | 'provider' | 'modelId'>;
/** Settings of a model call. They are journaled, so nothing secret belongs here. */
export interface ModelSettings extends Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'temperature' | 'topP' | 'topK' | 'presencePenalty' | 'frequencyPenalty' | 'stopSequences' | 'seed' | 'reasoning' | 'toolChoice' | 'providerOptions'> {
}
/** What settings must be. */
export declare const settingsShape: Shape & Record<keyof ModelSettings, Expected>;
/** Turns an id into a model object. */
export type ModelResolver = (id: string) => ModelObject | Promise<ModelObject>;
/** The id under which runs record a model. */
export declare function modelId(model: ModelIdentity | string): string;
/** Refuses what is not a model. */
export declare function checkModel(model: unknown): void;
/** The model object behind a model. */
export declare function resolveModel(model: Model | undefined, resolver: ModelResolver | undefined): ModelObject | Promise<ModelObject>;

// model/price.d.ts
/**
 * What calls of models cost.
 *
 * PRICE-2. A reply is never lost for its price: a price that is not known is an unknown cost.
 */
import type { Usage } from '@loom-agent/kernel';
import type { Ports } from '../platform/ports.ts';
/** What prices are looked up in. The definition of an agent has it and is passed as it is. */
export interface Priced {
    readonly ports: Pick<Ports, 'price'>;
}
/** The price of a call in whole micro-units. An error, or a value that is no price, counts as an unknown price (PRICE-2). */
export declare function priceOf(priced: Priced, model: string, usage: Usage): number | undefined;
/** The price of a call, or why it is not known. */
export declare function lookUpPrice({ ports }: Priced, model: string, usage: Usage): {
    readonly price?: number;
    readonly error?: unknown;
};
/** The most that a call may cost, whichever of the models behind the id replies; undefined when the price of one is not known. */
export declare function highestPrice(price: (id: string) => number | undefined, model: string): number | undefined;

// model/request-patch.d.ts
/** What `beforeModelCall` changed about one request, as a patch: what stays in front, and what follows instead. */
import type { JsonObject } from '@loom-agent/kernel';
import type { LanguageModelV4Message } from '../language-model/index.ts';
import type { ModelSettings } from './model.ts';
/** The request that is about to be sent; what is returned holds for this request only. */
export interface ModelRequest {
    readonly messages: readonly LanguageModelV4Message[];
    readonly settings: ModelSettings;
}
/** The patch that makes one request of another. Messages that are the same objects are not looked into. */
export declare function requestPatch(returned: Partial<ModelRequest>, before: ModelRequest, former: JsonObject | undefined): JsonObject | undefined;

// model/tokenizer.d.ts
import type { CountText } from './message-tokens.ts';
/**
 * Loads an exact counter of tokens, o200k, which is exact for OpenAI's models and close for others. It needs the package `gpt-tokenizer`.
 *
 * @example
 * const writer = agent({ model, context, ports: { countTokens: await loadTokenizer() } })
 */
export declare function loadTokenizer(): Promise<CountText>;

// permission/check-rules.d.ts
/** Checking the rules of a policy against the tools of an agent: their patterns, and their examples (PERM-3). */
import type { JsonObject } from '@loom-agent/kernel';
import { type CompiledPolicy } from './compile-policy.ts';
import { type NamedTool } from './judge-parts.ts';
import type { ErasedMatcher } from './matcher.ts';
/** A tool, as far as rules look at it. */
export interface RuledTool extends NamedTool {
    readonly matcher?: ErasedMatcher | undefined;
    /** The JSON Schema of its arguments. */
    readonly schema?: JsonObject;
}
/** Throws for a rule whose pattern a tool cannot use, and for one that its own examples contradict. */
export declare function checkRules({ rules }: CompiledPolicy, tools: readonly RuledTool[]): void;

// permission/compile-policy.d.ts
/**
 * Policies, checked and compiled.
 *
 * PERM-1. deny > ask > allow, and the strictest of all matching rules wins: order and specificity do not matter.
 * PERM-2. `default` holds only when no rule matches; a policy without a default denies.
 * PERM-3. A policy that is not valid is refused when it is given, never when a call is judged; and so is a rule that can name no tool.
 * PERM-19. A layer only makes verdicts stricter: its rules count beside those of the others, and its default where none of its own rules matches.
 */
import { type EffectClass } from '@loom-agent/kernel';
import { type Expected } from '../platform/expected.ts';
import { type ErasedMatcher, type PartPattern } from './matcher.ts';
import { type Mode, type Policy, type Rule, type Ruling, type Verdict } from './policy.ts';
/** A rule ready to match. */
export interface CompiledRule extends Rule {
    readonly id: string;
    readonly content: string;
    /** The number of its layer. */
    readonly layer: number;
    /** What it says about the parts of a call, where it does. */
    readonly pattern?: string;
    /** The pattern as a matcher has compiled it. */
    readonly compiled: WeakMap<ErasedMatcher, PartPattern>;
}
/** The verdict of a layer on calls that none of its rules matches. */
export interface LayerDefault {
    readonly verdict: Verdict;
    readonly id: string;
}
/** The ruling on calls of a tool that have this effect class, where the tool's own verdict is this one. */
export interface KnownRuling {
    readonly effect: EffectClass;
    readonly ruleName: string | undefined;
    readonly own: Verdict | undefined;
    readonly ruling: Ruling;
}
/** A policy ready to judge. */
export interface CompiledPolicy {
    /** Rulings that follow from the tool alone, once made, by its name. */
    readonly known: Map<string, KnownRuling[]>;
    readonly rules: readonly CompiledRule[];
    /** By the number of the layer; undefined where it leaves such calls to the others. */
    readonly defaults: readonly (LayerDefault | undefined)[];
    readonly mode: Mode;
    readonly shadow: boolean;
    readonly keepDenials: boolean;
    /** Whether a rule asks code, so that a verdict may change. */
    readonly isConditional: boolean;
    /** What the run was given besides, which is judged by itself (PERM-20). */
    readonly layer?: CompiledPolicy;
    /** It stands for an agent without a policy. */
    readonly isAbsent?: true;
    /** A fork has added it to those of its agent: no agent above has it. */
    readonly isOfFork?: true;
}
/** What a verdict must be. */
export declare const verdict: Expected;
/** Throws what a policy that is not valid is refused with. */
export declare function refusePolicy(problem: string): never;
/** Checks a policy and makes it ready to judge. */
export declare function compilePolicy(policy: Policy): CompiledPolicy;
/** The mode of two that trusts less. */
export declare const stricterMode: (one: Mode, other: Mode) => Mode;

// permission/judge-parts.d.ts
import type { CompiledRule } from './compile-policy.ts';
import type { CallPart, ErasedMatcher, PartPattern } from './matcher.ts';
/** A tool, as rules name it. */
export interface NamedTool {
    readonly name: string;
    readonly ruleName?: string | undefined;
}
/** Whether a rule is about a tool, by either of its names. */
export declare function namesTool({ tool }: CompiledRule, { name, ruleName }: NamedTool): boolean;
/** The rule if it holds for a part; a pattern that fails has denied (PERM-6). */
export declare function meetsPart(rule: CompiledRule, matcher: ErasedMatcher, part: CallPart): readonly CompiledRule[];
/** The pattern of a rule, compiled once for each matcher. Throws where it can match nothing. */
export declare function patternOf(rule: CompiledRule, matcher: ErasedMatcher): PartPattern;

// permission/judge.d.ts
/**
 * Judging calls.
 *
 * PERM-4. A tool's own verdict applies when no rule of the policy matches it, and before the default.
 *     A policy that keeps denials, such as a mode, never loosens a tool's own `deny`.
 * PERM-5. A child is judged by its own policy and by every ancestor's: its authority only ever shrinks.
 * PERM-6. What cannot be judged is denied: a rule that throws, a `when` that returns no boolean, a value that is no verdict.
 * PERM-15. Who asks is who answers: what a rule of an ancestor asks is another question than what the same rule of the agent asks, and no approval of
 *     the one holds for the other.
 * PERM-7. A policy in shadow mode changes nothing: the call is judged as if the policy were not there, and its verdict is noted.
 * PERM-16. Each part of a call is judged by itself, and the strictest verdict counts: what allows one part allows no other.
 * PERM-17. A mode settles only what a tool's own verdict or a default asks; `plan` denies whatever changes the world. Rules are never loosened by a mode.
 * PERM-18. The least verdict of a tool, such as that on a protected path, is loosened by no mode and by no approval for the thread that has another
 *     reason; an `ask` gives way to a rule that allows and names what the call asks for, and a `deny` to nothing.
 */
import type { EffectClass, JsonObject } from '@loom-agent/kernel';
import type { CompiledPolicy } from './compile-policy.ts';
import { type NamedTool } from './judge-parts.ts';
import type { CallPart, ErasedMatcher } from './matcher.ts';
import type { CallFacts, Ruling, Verdict } from './policy.ts';
/** A call to be judged. Its facts are collected only where a rule looks at them. */
export interface JudgedCall {
    readonly tool: string;
    /** The other name by which rules know the tool. */
    readonly ruleName?: string | undefined;
    readonly effect: EffectClass;
    /** The JSON Schema of its arguments, where there is one: a body may fill in the defaults that it declares. */
    readonly schema?: JsonObject;
    /** How rules name what its calls ask for, where the tool says it. */
    readonly matcher?: ErasedMatcher | undefined;
    /** What it asks for, part by part; called only where the tool has a matcher. */
    parts?(): readonly CallPart[] | Promise<readonly CallPart[]>;
    /** What its taint demands at least of the agent's own policy. */
    readonly least?: OwnVerdict | undefined;
    /** For the policy of the agent, or of the ancestor so many above it. */
    facts(level: number): CallFacts;
}
/** A tool's own verdict. */
export interface OwnVerdict {
    readonly verdict: Verdict;
    /** Why, where it is not what the tool's author wrote down. */
    readonly reason?: string;
    /** Set when it is the least that the call meets (PERM-18). */
    readonly isLeast?: true;
}
/** Judges a call by the agent's own policy, which comes first, and by those of all its ancestors. Synchronous unless a rule is not. */
export declare function judgeAll(policies: readonly (CompiledPolicy | undefined)[], call: JudgedCall, own: OwnVerdict | undefined): Ruling | Promise<Ruling>;
/** A tool, as far as rulings are known by it. */
interface JudgedTool extends NamedTool {
    readonly effect: EffectClass;
}
/** The ruling on a call of this tool, where one policy is in force and has judged such a call before by the tool alone. */
export declare function knownRuling(policies: readonly (CompiledPolicy | undefined)[], tool: JudgedTool, own: OwnVerdict | undefined): Ruling | undefined;
/** Judges a call by one policy, and by the layer that the run was given; asynchronous only when a rule that might match has a `when`. */
export declare function judge(policy: CompiledPolicy | undefined, call: JudgedCall, own: OwnVerdict | undefined): Ruling | Promise<Ruling>;
export {};

// permission/matcher.d.ts
/**
 * What a call asks for, part by part, and how rules such as `bash(git log *)` name it.
 *
 * A tool brings its own matcher: only it knows what its arguments mean. A command has sub-commands, a path has segments, an address has a host.
 */
import type { ArgumentKinds } from '@loom-agent/kernel';
/** One part of a call, as the matcher of its tool made it. Only that matcher looks further into it. */
export interface CallPart {
    /** The part as people read it, such as `git log -1`. */
    readonly text: string;
    /** Whether it only changes files of the workspace that are not protected: the mode `accept-edits` allows that. */
    readonly isEdit?: boolean;
    /** Whether it runs in a sandbox of the operating system, which keeps it from the world outside: the mode `auto` allows that. */
    readonly isSandboxed?: true;
}
/** A pattern of a rule, ready to match. */
export interface PartPattern<Part extends CallPart = CallPart> {
    /** Whether the part is exactly what the pattern names. Rules that allow ask this. */
    names(part: Part): boolean;
    /** Whether the part may be what the pattern was written against. Rules that deny or ask ask this; it must be true for whatever cannot be told. */
    mayMean(part: Part): boolean;
}
/** How the calls of a tool are matched by the patterns of rules. */
export interface CallMatcher<Input = never, Part extends CallPart = CallPart> {
    /** What its arguments name, where they name places that people know: it is shown with questions, and recorded with calls; default: nothing. */
    readonly kinds?: ArgumentKinds;
    /** The parts of a call. Each is judged by itself, and the strictest verdict counts. */
    parts(input: Input): readonly Part[] | Promise<readonly Part[]>;
    /** Makes a pattern ready to match. Must throw, with a sentence, where the pattern can match nothing. */
    compile(pattern: string): PartPattern<Part>;
}
/** A matcher without its type parameters. */
export type ErasedMatcher = CallMatcher<unknown, CallPart>;
/** Whether a value is a matcher. */
export declare function isMatcher(value: unknown): boolean;
/** Whether a value says what arguments name. */
export declare function areKinds(value: unknown): value is ArgumentKinds;
/** What the arguments of one call name, of those that it has; undefined where none does. */
export declare function kindsIn(input: unknown, matcher: ErasedMatcher | undefined): ArgumentKinds | undefined;
/** Splits `bash(git log *)` into the name of the tool and the pattern; a name alone has none. */
export declare function splitRule(text: string): {
    readonly tool: string;
    readonly pattern?: string;
};

// permission/policy.d.ts
/** Policies, as users write them, and what they come to. */
import type { EffectClass, Json, JsonObject } from '@loom-agent/kernel';
/** What happens to a call: it runs, a human is asked, or it is denied. */
export type Verdict = 'allow' | 'ask' | 'deny';
/** The least that a call meets, whatever the rules say; otherwise it is judged as if its tool had no `permission`. */
export interface LeastVerdict {
    /** Rules and defaults may be stricter, never looser; `allow` demands nothing. */
    readonly atLeast: Verdict;
    /** Why, shown to the human or the model. An approval for the whole thread covers calls with the same reason. */
    readonly reason?: string;
}
/** A call that was admitted: it was started, whatever came of it. */
export interface AdmittedCall {
    /** The id of the thread that made it: that of the run, or of a child. */
    readonly thread: string;
    /** Loom's own id of the call: `turn.index`. */
    readonly id: string;
    /** The name of the tool. */
    readonly tool: string;
    /** The arguments, as the schema made them. */
    readonly input: Json;
    /** How it ended; `running` until it has. */
    readonly status: 'running' | 'success' | 'error' | 'warning';
}
/** What a call is judged by. `input` is what the tool would get, as JSON. */
export interface CallFacts {
    /** The name of the tool. */
    readonly tool: string;
    /** The effect class of the tool. */
    readonly effect: EffectClass;
    /** The arguments, as the schema made them. */
    readonly input: Json;
    /** The id of the thread. */
    readonly thread: string;
    /** The dependencies of the run. */
    readonly deps: unknown;
    /** The calls that the run and its children have made so far, without this one. A rule of an ancestor sees those of the ancestor's run. */
    readonly calls: Iterable<AdmittedCall>;
}
/** One rule. It matches when the name, the effect, every pattern and `when` do. */
export interface Rule {
    /** A name, or a pattern in which * stands for anything. For a tool with a matcher also what its calls ask for, in brackets: `bash(git log *)`. */
    readonly tool: string;
    /** What happens to the calls that match. */
    readonly verdict: Verdict;
    /** Only tools of these effect classes. */
    readonly effect?: EffectClass | readonly EffectClass[];
    /** Patterns for top-level arguments: a text with *, or a value that must be equal. */
    readonly input?: JsonObject;
    /** Only calls for which it returns `true`; a rule that throws denies. */
    readonly when?: (call: CallFacts) => boolean | Promise<boolean>;
    /** Shown to the human, or to the model. */
    readonly reason?: string;
    /** How many people must approve. */
    readonly approvers?: number;
    /** Milliseconds after which an unanswered question counts as rejected. */
    readonly expires?: number;
    /** Arguments that the rule must meet, and others that it must not. They are checked when the agent is created; only a rule with `input` or a pattern in brackets, without `when`, can have some. */
    readonly examples?: {
        readonly meets?: readonly Json[];
        readonly others?: readonly Json[];
    };
}
/**
 * How far a policy trusts what no rule names: `plan` denies whatever changes the world; `accept-edits` runs edits of the workspace that would be asked
 * about, `auto` also what runs in a sandbox of the operating system, and `bypass` whatever would be.
 */
export type Mode = 'plan' | 'default' | 'accept-edits' | 'auto' | 'bypass';
/** Names of tools, and their verdicts. */
export interface VerdictMap {
    readonly [tool: string]: Verdict;
}
/** Rules, and the verdict where none matches. */
export interface RuleList {
    /** All rules that match a call count; the strictest verdict wins. Default: none. */
    readonly rules?: readonly Rule[];
    /** The verdict where no rule matches. Without it a policy denies such calls, and a layer leaves them to the other layers. */
    readonly default?: Verdict;
}
/** What a policy may say besides its rules. */
export interface PolicyOptions {
    /** Judges and notes, and enforces nothing. */
    readonly shadow?: boolean;
    /** A tool whose own `permission` is `deny` stays denied, whatever the rules say; default false. A mode such as `safeMode()` sets it. */
    readonly keepDenials?: boolean;
    /** Settles questions that come from a tool's own `permission` or from the default; default `default`: they are asked. */
    readonly mode?: Mode;
}
/** One layer of a policy, such as that of a company, a user or a project. */
export type Layer = VerdictMap | LayerRules;
/** The rules of a layer. */
export interface LayerRules extends RuleList {
    /** The most that the mode of the policy may be; default: any. */
    readonly mostMode?: Mode;
}
/** What one run may do less than its agent: names and verdicts, or rules without code. It is recorded with the run. */
export type RunLayer = VerdictMap | (Omit<LayerRules, 'rules'> & {
    /** Rules without `when` and `examples`. */
    readonly rules?: readonly Omit<Rule, 'when' | 'examples'>[];
});
/** A policy: names of tools and their verdicts, rules, or layers of these. In shadow mode verdicts are recorded and not enforced. */
export type Policy = VerdictMap | (RuleList & PolicyOptions) | (PolicyOptions & {
    /** Policies by name, all of which count: a layer can only make the verdict of the others stricter. */
    readonly layers: {
        readonly [name: string]: Layer;
    };
});
/** The verdict of a policy on a call, and the rules that decided. */
export interface Judgement {
    /** The strictest verdict of all rules that match. */
    readonly verdict: Verdict;
    /** The rules that decided, by their ids. */
    readonly decidedBy: readonly string[];
    /** The reasons of the deciding rules, shown to the human or the model. */
    readonly reason?: string;
    /** How many people must approve. */
    readonly approvers?: number;
    /** Milliseconds after which an unanswered question counts as rejected. */
    readonly expires?: number;
    /** The policy only watches: this verdict is noted and not enforced. */
    readonly shadow?: true;
}
/** A judgement, and what follows from it. */
export interface Ruling {
    readonly judgement: Judgement;
    /** The whole text of the deciding rules: what an approval under them is bound to. */
    readonly basis: readonly string[];
    /** The rules that are recorded as having allowed a call; empty when only a default did. */
    readonly allowedBy: string;
    /** Whose policy decided: 0 is the agent's own, 1 its parent's, and so on; the highest, where several agree. */
    readonly level?: number;
}
/** Whether a value is a verdict. */
export declare function isVerdict(value: unknown): value is Verdict;
/** The least verdict of a call that a value is; undefined where it is none. */
export declare function leastVerdictIn(value: unknown): LeastVerdict | undefined;

// permission/safe-mode.d.ts
import type { Policy } from './policy.ts';
/** Safe mode: what only reads runs, everything else asks, and a tool that denies itself stays denied; an approval for the whole thread is remembered by the thread. */
export declare function safeMode(): Policy;

// platform/cancellation.d.ts
/** Cancelling work: it is asked to end, and no longer waited for when it does not. No signal, listener or timer is made before it is needed. */
import { type Clock } from '@loom-agent/kernel';
/** The cancellation of one piece of work. */
export interface Cancellation {
    readonly clock: Clock;
    /** Milliseconds that the work has to end. */
    readonly grace: number;
    isAborted: boolean;
    reason: string | undefined;
    /** Whether the grace period has started; it is counted from the work's beginning at the earliest. */
    isLimited: boolean;
    controller: AbortController | undefined;
    giveUp: (() => void) | undefined;
    cancelTimer: (() => void) | undefined;
}
/** The cancellation of work that has not begun. */
export declare function createCancellation(clock: Clock, grace: number): Cancellation;
/** The signal that the work may listen to. Made on demand: most work never asks for it. */
export declare function signalOf(cancellation: Cancellation): AbortSignal;
/** Asks the work to end, and starts its grace period. */
export declare function abort(cancellation: Cancellation, reason?: string): void;
/** Starts the grace period without asking the work to end: it has this long, and no longer. */
export declare function startGracePeriod(cancellation: Cancellation): void;
/** Calls back when the grace period of the work is over. `endWait` ends it. */
export declare function limitWait(cancellation: Cancellation, giveUp: () => void): void;
/** The work has ended, or is no longer waited for. */
export declare function endWait(cancellation: Cancellation): void;
/** The work's own end, or LOOM_ABORTED when its grace period is over. What it does after that is ignored. */
export declare function waitFor<T>(cancellation: Cancellation, work: PromiseLike<T>): Promise<T>;

// platform/expected.d.ts
/**
 * Options are checked when they are given, against a table of what each of them must be.
 *
 * OPTION-1. An unknown name is refused with the nearest known one; a value that does not fit is refused with what it is and what is expected.
 * OPTION-3. Of an object a refusal names the fields, never their values: they may be secrets.
 */
import { type LoomErrorCode } from '@loom-agent/kernel';
/** What the value of an option must be. */
export interface Expected {
    /** Its description, as it follows "Give". */
    readonly words: string;
    /** Whether a value is one. */
    readonly fits: (value: unknown) => boolean;
    /** Set when the option may not be left out. */
    readonly required?: boolean;
    /** The options that the value has itself. */
    readonly shape?: Shape;
    /** Of a list: what each item must be. */
    readonly item?: Expected;
}
/** What each option must be, by its name. */
export type Shape = Readonly<Record<string, Expected>>;
/** Throws unless the given options have the shape; `what` names them in the message. */
export type CheckOptions = (what: string, given: unknown, shape: Shape) => void;
/** What values of options may be expected to be. */
export interface Expectations extends Readonly<Record<'anything' | 'text' | 'name' | 'flag' | 'function' | 'object' | 'signal' | 'clock' | 'journal', Expected>> {
    /** A number in a range; infinity where there is no largest. */
    number(min?: number, max?: number): Expected;
    /** A number that is not infinite. */
    finite(min: number): Expected;
    /** A whole number. */
    whole(min: number): Expected;
    /** One of some words. */
    oneOf(...words: readonly string[]): Expected;
    /** A list whose items all fit. */
    list(item: Expected, words: string): Expected;
    /** One thing or another. */
    either(one: Expected, other: Expected): Expected;
    /** What may not be left out. */
    required(given: Expected): Expected;
    /** Options inside of options. */
    options(shape: Shape): Expected;
}
/** A list that is longer is none: one with holes may have any length, and each place is looked at. */
export declare const longestList = 1000000;
/** What values of options may be expected to be. */
export declare const expected: Expectations;
/** How a checker advises and fails. */
export interface Checking {
    /** Advice about an unknown name; undefined: the nearest known name. */
    readonly advise?: (name: string, known: readonly string[]) => string | undefined;
    /** The code for a value that does not fit; default `LOOM_OPTION_INVALID`. */
    readonly code?: LoomErrorCode;
    /** The text of a value in messages, where it is no object and no list. */
    readonly show: (value: unknown) => string;
}
/** Makes a function that checks options. */
export declare function optionChecker({ advise, code, show: showPlain }: Checking): CheckOptions;
/** The known word nearest to a word, when it is near enough to be a misspelling. A word that is much longer or shorter is not compared. */
export declare function nearest(word: string, known: readonly string[]): string | undefined;

// platform/memory-journal.d.ts
/** The journal in memory: the reference implementation of the contract. It keeps encoded batches, not live objects (JOURNAL-5). */
import type { Journal } from '@loom-agent/kernel';
/**
 * A journal that lasts as long as the object: the default of every agent. It keeps named threads and those that run or wait; of the others the last 1,000
 * that finished (`LOOM_THREAD_DROPPED`). `now` is its clock; default: that of the platform.
 */
export declare function memoryJournal(options?: {
    readonly now?: () => number;
}): Journal;

// platform/ports.d.ts
/** The ports of an agent and what they are by default: the platform's clock, randomness and hash. */
import type { Clock, Frame, Usage } from '@loom-agent/kernel';
import { type Expected, type Shape } from './expected.ts';
/** Makes ids that are never made twice. */
export type Ids = () => string;
/** A number in [0, 1). */
export type Random = () => number;
/** A collision-resistant digest of a text. */
export type Hash = (text: string) => string;
/** Everything impure that an agent uses besides its journal, model and tools. Each port has a default of the platform. */
export interface Ports {
    /** The time, and timers. */
    readonly clock: Clock;
    /** Makes ids that are used once. */
    readonly ids: Ids;
    /** A number from 0 to below 1. */
    readonly random: Random;
    /** Digests a text; default SHA-256. */
    readonly hash: Hash;
    /** The price of a model call in integer micro-units; undefined when it is not known. */
    readonly price: (model: string, usage: Usage) => number | undefined;
    /** Counts the tokens of a text for context strategies; default: an estimate by its scripts. */
    readonly countTokens?: (text: string) => number;
    /** Turns on checks that cost time, such as entering a durable body once more at its first wait. */
    readonly development: boolean;
    /** For tests: replaces the live frame after each commit by one folded from the journal. */
    readonly refold?: (frame: Frame) => Promise<Frame>;
    /** For tests: every step of a durable body ends the entry, and the body is entered again. */
    readonly reenter?: boolean;
}
/** What ports must be. */
export declare const portsShape: Shape & Record<keyof Ports, Expected>;
/** The clock of the platform. */
export declare const systemClock: Clock;
/** The given ports, completed by those of the platform. */
export declare function completePorts(given?: Partial<Ports>): Ports;

// resilience/circuit-breaker.d.ts
/**
 * A circuit breaker: stops calling what keeps failing, and finds out with one call whether it works again.
 *
 * BREAKER-1. It opens only when enough calls of the recent past are known: one failure is no rate.
 * BREAKER-2. Old calls do not count: they expire with the window.
 * BREAKER-3. While it is half open exactly one call, the probe, goes through. Only the probe closes the circuit or opens it again.
 */
import { type Clock } from '@loom-agent/kernel';
/** What happens to a circuit. */
export type BreakerEvent = {
    readonly type: 'opened';
    /** Recent calls that count. */
    readonly calls: number;
    /** Those among them that failed. */
    readonly failures: number;
    /** When the next call probes, in milliseconds since 1970. */
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
    /** Counts the last so many calls at most; default 10,000. */
    readonly calls?: number;
    /** Milliseconds without calls after opening; default 60,000. */
    readonly openFor?: number;
    /** The name of the function in errors; default `the function`. */
    readonly name?: string;
    /** Whether an error counts as a failure of the function; default: unless it is final (an abort, a refusal, a code that says never). */
    readonly isFailure?: (error: unknown) => boolean;
    /** Notified when the circuit opens, probes and closes. */
    readonly onEvent?: (event: BreakerEvent) => void;
    /** Replaces the platform's clock. */
    readonly clock?: Pick<Clock, 'now'>;
}
/** A guarded function. */
export interface CircuitBreaker<Args extends readonly unknown[], T> {
    (...args: Args): Promise<T>;
    /** Whether calls go through (`closed`), fail at once (`open`), or one probes (`half-open`). */
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
/** Permission to call, which takes the outcome of the call. */
interface Pass {
    succeeded(): void;
    /** An error that does not count as a failure is inconclusive. */
    failed(error: unknown): void;
    wasInconclusive(): void;
}
/** A circuit by itself, for calls that end in other ways than by returning. */
export interface Circuit {
    /** Lets a call through, or throws. */
    enter(): Pass;
    status(): 'closed' | 'open' | 'half-open';
}
/** A closed circuit; `what` names it in errors about its options. */
export declare function createCircuit(what: string, options: BreakerOptions): Circuit;
export {};

// resilience/fallback.d.ts
/** Falling back: a second function when the first fails. */
/** What `fallback` notifies its listener of. */
export type FallbackEvent = {
    readonly type: 'attempt' | 'success';
    /** Which of the two ways. */
    readonly of: 'primary' | 'secondary';
} | {
    readonly type: 'failed';
    /** Which of the two ways. */
    readonly of: 'primary' | 'secondary';
    /** What it threw. */
    readonly error: unknown;
};
/** When the second way is taken. */
export interface FallbackOptions {
    /** Only after errors that are not final (default). With `false`, after any error. */
    readonly recoverableOnly?: boolean;
    /** Notified of each attempt and its outcome. */
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
/** Retrying: calling a function again after a while. */
import type { Clock } from '@loom-agent/kernel';
import { type Random } from '../platform/ports.ts';
/** What happens while something is retried. */
export type RetryEvent = {
    readonly type: 'attempt' | 'success';
    /** The number of the attempt, from 1. */
    readonly attempt: number;
} | {
    readonly type: 'failed';
    /** The number of the attempt, from 1. */
    readonly attempt: number;
    /** What it threw. */
    readonly error: unknown;
    /** Milliseconds before the next attempt; without it this was the last. */
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
    /** The longest wait in milliseconds; default 60,000. An error that asks for a longer one is final: an earlier attempt would fail. */
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
    /** Notified of each attempt and its outcome. */
    readonly onEvent?: (event: RetryEvent) => void;
    /** Ends a wait at once. */
    readonly signal?: AbortSignal;
    /** Replaces the platform's clock. */
    readonly clock?: Clock;
    /** Replaces `Math.random` for `jitter`. */
    readonly random?: Random;
}
/**
 * Calls a function until it succeeds: three times, after one second and after two, or when the error says to. The last error is thrown as it is.
 *
 * @example
 * const page = await retry(() => fetchPage(url), { attempts: 5, signal })
 */
export declare function retry<T>(fn: (attempt: number) => T | PromiseLike<T>, options?: RetryOptions): Promise<T>;

// run/adopt.d.ts
/** Adopts threads that were imported. */
import type { Journal } from '@loom-agent/kernel';
/** By whom a thread is adopted. */
export interface AdoptionOptions {
    /** The name of the agent that the thread belongs to from then on; default: the one that its record names. */
    readonly agent?: string | undefined;
}
/**
 * Ends the quarantine of a thread that was imported, and of its children: from then on it can be driven, changed and answered like any other. That is a fact of
 * the thread, `thread.adopted`. Returns false when the thread is not quarantined, and appends nothing then. Adopt only what you trust: what a record says
 * happened is believed.
 *
 * @example
 * await importThread(journal, lines)
 * await adopt(journal, 'user-1')
 */
export declare function adopt(journal: Journal, thread: string, options?: AdoptionOptions): Promise<boolean>;

// run/answer.d.ts
/** Answering a question with the journal alone. */
import type { Journal } from '@loom-agent/kernel';
import type { SignedAnswer } from '../types/answer.ts';
/**
 * Answers a question. Needs the journal alone. Checks what the journal knows: that the question is open and has not expired, that the answer fits its kind
 * and its JSON Schema, and that approvers are named. What only the agent's code can check, the process that drives the thread checks: edited arguments,
 * refinements of a schema, and whether an approved call is still the one that was asked about. Resolves when the answer is durable; a process that has
 * the agent drives the thread on.
 *
 * @example
 * const [question] = await questions(journal, { thread: 'user-123' })
 * if (question) await answer(journal, question.id, approve({ by: 'ann' }))
 */
export declare function answer(journal: Journal, questionId: string, given: SignedAnswer): Promise<void>;

// run/break-requests.d.ts
/** Breakpoints as users ask for them, and as the kernel has them. */
import { type Breakpoint } from '@loom-agent/kernel';
import { type HookPoint } from '../hook/points.ts';
/** Where runs stop; all that it names must hold. */
export interface BreakRequest {
    /** Its id; default: made of what it names. */
    readonly id?: string | undefined;
    /** At this point of a turn. Points at which nothing is done in between are one place. */
    readonly hook?: HookPoint | undefined;
    /** Before calls of this tool. */
    readonly tool?: string | undefined;
    /** From this cost of a run on, in integer micro-units; it stops once. */
    readonly cost?: number | undefined;
    /** In children of this depth and deeper, before their first turn. */
    readonly depth?: number | undefined;
    /** After a call, a request or a run has ended in an error. */
    readonly error?: boolean | undefined;
    /** It stops a run once, and is gone then. */
    readonly once?: boolean | undefined;
}
/** Who sets breakpoints. */
export interface BreakpointOptions {
    /** Recorded with them. */
    readonly by?: string | undefined;
}
/** Breakpoints, and who sets them. */
export type BreakpointArguments = [breakpoints: readonly BreakRequest[], options?: BreakpointOptions];
/** Where a run stops next, and who says so. */
export type StepArguments = [how: 'into' | 'over' | 'out', options?: BreakpointOptions];
/** The id under which a step is armed. */
export declare const stepId = "step";
/** Checks what was asked for, and makes facts of it. */
export declare function breakpointsOf(requests: readonly BreakRequest[]): readonly Breakpoint[];
/** The breakpoints that a child at a depth gets from those of its parent. */
export declare const inherited: (breakpoints: readonly Breakpoint[]) => readonly Breakpoint[];

// run/breakpoints.d.ts
/** Breakpoints with the journal alone: where the runs of a thread stop, and stepping from one stop to the next. */
import type { Journal } from '@loom-agent/kernel';
import type { BreakpointArguments, StepArguments } from './break-requests.ts';
/**
 * Sets where the runs of a thread stop, in place of the breakpoints before; `[]` removes them. Also of its open children, and those that it starts. A run
 * that stops is paused, whichever process drives it: `agent.resume(thread)` goes on.
 *
 * @example
 * await setBreakpoints(journal, 'user-123', [{ tool: 'pay' }, { error: true, once: true }])
 */
export declare function setBreakpoints(journal: Journal, thread: string, ...given: BreakpointArguments): Promise<void>;
/**
 * Says where a run that has stopped is to stop next; `agent.resume` of the root of its tree goes on then. `into`: at the next place, also of a child.
 * `over`: at the next place of this thread. `out`: at the next place of the thread above, when this one has ended.
 *
 * @example
 * await step(journal, 'user-123', 'over')
 * await agent.resume('user-123').result()
 */
export declare function step(journal: Journal, thread: string, ...given: StepArguments): Promise<void>;

// run/control-drafts.d.ts
/** What steering, pausing and stopping append. */
import { type Draft, type Frame } from '@loom-agent/kernel';
import type { RunOptions } from '../definition/agent-options.ts';
import { type InputTaint } from '../types/input-taint.ts';
/** Who asks. */
export interface ControlOptions {
    /** The person or program that asks; recorded as given. */
    readonly by?: string | undefined;
}
/** Who asks, and how urgently. */
export interface SteerOptions extends ControlOptions {
    /** The message of the highest priority is read first; default 0. */
    readonly priority?: number | undefined;
    /** What the message holds that others wrote, or that is private; default nothing. */
    readonly taint?: InputTaint | undefined;
}
/** A request to a run. */
export type RunRequestDraft = Extract<Draft, {
    readonly type: 'run.stop-requested' | 'run.pause-requested';
}>;
/** A message for the next turn. */
export declare function steerDraft(input: string, options: SteerOptions): Draft;
/** The message for the run of this id. One that is queued is refused: the message would reach the run that is under way. */
export declare function steerTo({ run, queue, thread }: Frame, id: string | undefined, message: Draft): readonly Draft[];
/** The request to pause a run. */
export declare function pauseDraft(options: ControlOptions): RunRequestDraft;
/** The request to make the context shorter before the next model call. */
export declare function compactDraft(options: ControlOptions): Draft;
/** The request to stop a run. */
export declare function stopDraft(reason?: string, options?: ControlOptions): RunRequestDraft;
/** The stop of a run whose signal was aborted; a queued one is named. Nothing while the signal is not. */
export declare const stopIfAborted: ({ signal }: RunOptions<never>, run?: string) => readonly RunRequestDraft[];
/** Why a signal was aborted, in words. An `abort()` without a reason has one of the platform's, which says nothing more. */
export declare function abortReason(signal: AbortSignal): string;
/** The request as the run of this id gets it: a queued one is named. Nothing for a run that has ended, or was asked already. */
export declare function requestTo({ run, queue }: Frame, id: string | undefined, request: RunRequestDraft): readonly Draft[];

// run/control.d.ts
/** Steering, pausing, stopping and compacting with the journal alone. */
import type { Journal } from '@loom-agent/kernel';
import type { AgentInstance } from '../thread/agent-instance.ts';
import { type ControlOptions, type SteerOptions } from './control-drafts.ts';
/** A message, and how it is sent. */
type SteerArguments = [input: string, options?: SteerOptions];
/** Why a run is stopped, and who asks. */
type StopArguments = [reason?: string, options?: ControlOptions];
/**
 * Adds a message for the next turn of a thread. Needs the journal alone. Resolves when the message is durable: the driver of the thread shows it to the
 * model before its next call. A thread without a run under way shows it to its next run.
 *
 * @example
 * await steer(journal, 'user-123', 'Answer in French.', { by: 'ann' })
 */
export declare function steer(journal: Journal, thread: string, ...[input, options]: SteerArguments): Promise<void>;
/**
 * Asks the run of a thread to pause at its next safe point. Needs the journal alone. Resolves when the request is durable; `agent.resume` continues the
 * run. Appends nothing when no run is under way, or when it was asked to pause already.
 *
 * @example
 * await pause(journal, 'user-123', { by: 'ann' })
 */
export declare function pause(journal: Journal, thread: string, options?: ControlOptions): Promise<void>;
/**
 * Asks the run of a thread to stop. Needs the journal alone. Resolves when the request is durable: the driver of the thread aborts what is under way and
 * ends the run. One that no process drives is ended by `agent.recover`, or by `agent.stop`. Appends nothing when no run is under way, or when it was asked
 * to stop already.
 *
 * @example
 * await stop(journal, 'user-123', 'The customer has called.', { by: 'ann' })
 */
export declare function stop(journal: Journal, thread: string, ...[reason, options]: StopArguments): Promise<void>;
/**
 * Asks for a shorter context. Needs the journal alone. Resolves when the request is durable: the strategy of the thread's agent compresses before the next
 * model call, however full the window is. Appends nothing when that was asked for already.
 *
 * @example
 * await compact(journal, 'user-123', { by: 'ann' })
 */
export declare function compact(journal: Journal, thread: string, options?: ControlOptions): Promise<void>;
/** The same for a thread of an agent: that of another one is refused (ADOPT-1). */
export declare function compactOwn(instance: AgentInstance, thread: string, options?: ControlOptions): Promise<void>;
export {};

// run/done.d.ts
import type { ChildResult, Done, Result } from '../types/result.ts';
/**
 * Returns a result that is done. Throws a `LoomError` for any other, which says what to do: the failure of a run that failed, how to go on with it, and what
 * was thrown as its cause; `LOOM_RUN_NOT_DONE` for one that waits, with its questions, or was stopped, with the reason.
 *
 * @example
 * const { text } = done(await math.run('2+2?'))
 */
export declare function done<Output>(result: Result<Output>): Done<Output>;
export declare function done<Output>(result: ChildResult<Output>): Extract<ChildResult<Output>, {
    status: 'done';
}>;

// run/recover-types.d.ts
/** Recovery, as users see it. */
import type { LoomError } from '@loom-agent/kernel';
import type { Result } from '../types/result.ts';
/** How recovery looks for threads. */
export interface RecoverOptions {
    /** Milliseconds between two looks, until the signal is aborted; default: looks once. */
    readonly every?: number | undefined;
    /** Called with each look, for what else is to be done again and again, such as starting what is due: `() => startDue([clerk])` of `@loom-agent/server`. */
    readonly alongside?: (() => unknown) | undefined;
    /** Ends the recovery: no other thread is taken, and it resolves. Threads under way go on; `drain` hands them on. */
    readonly signal?: AbortSignal | undefined;
    /** Called for each thread that was driven, or could not be; with `every`, nothing else names all of them. What it throws is ignored. */
    readonly onRecovered?: ((recovered: Recovered) => void) | undefined;
    /**
     * Called when a look of a recovery with `every` fails as a whole, such as when the journal cannot be reached; the next look follows all the same. What
     * it throws is ignored. Default: a warning on the console, when the message changes.
     */
    readonly onError?: ((error: unknown) => void) | undefined;
}
/** What was done about a thread that was found unfinished. */
export interface Recovered {
    /** The id of the thread. */
    readonly thread: string;
    /** The status of its run; `held` when its driver is alive, `refused` when it could not be driven, `restored` when it was a fork whose files were put back. */
    readonly status: Result<unknown>['status'] | 'held' | 'refused' | 'restored';
    /** Why it was refused. */
    readonly error?: LoomError;
}

// run/run-handle.d.ts
/** The handle of a run, as users see it. */
import type { Cursor } from '../stream/cursor.ts';
import type { SignedAnswer } from '../types/answer.ts';
import type { Result } from '../types/result.ts';
import type { RunEvent } from '../types/run-event.ts';
import type { SignalArguments } from '../types/wait.ts';
import type { SteerOptions } from './control-drafts.ts';
/** A run under way, here or elsewhere. Dropping the handle changes nothing. */
export interface RunHandle<Output = string> {
    /** The id of the thread. */
    readonly thread: string;
    /**
     * Events and signals from `from` on, until the run ends or waits. Default: from where the handle began, or of a start that was made before, from where
     * that began. With `nested` those of children too; `from` may then have a seq for each thread.
     */
    events(options?: {
        from?: Cursor;
        nested?: boolean;
    }): AsyncIterableIterator<RunEvent>;
    /**
     * The text of the answer, piece by piece. After a failed attempt it goes on where the next one says more; where that says something else, it
     * follows whole, as a new paragraph. Throws `LOOM_RUN_FAILED` at the end when the run has failed.
     */
    text(): AsyncIterableIterator<string>;
    /** Resolves when the run ends or waits. Of a run that waited, called again: its newest result, however it was moved on. */
    result(): Promise<Result<Output>>;
    /** Answers a question of the thread or of one of its children; resolves when the answer is durable. */
    answer(questionId: string, answer: SignedAnswer): Promise<void>;
    /** Sends a signal to the thread: the first open `ctx.waitFor` of that name gets the value, or the next. Resolves when it is durable. */
    signal(...sent: SignalArguments): Promise<void>;
    /** Adds a message for the next turn; the highest priority goes first (default 0). */
    steer(input: string, options?: SteerOptions): Promise<void>;
    /** Pauses the run at its next safe point, a queued one before its first turn; only `resume` goes on. Resolves when the request is durable. */
    pause(options?: {
        by?: string;
    }): Promise<void>;
    /** Stops the run, also one that is queued; the signal reaches model, tools and children. Resolves when the request is durable. */
    stop(reason?: string, options?: {
        by?: string;
    }): Promise<void>;
}

// run/set-labels.d.ts
/** Changes the labels of a thread. */
import type { Journal, JsonObject } from '@loom-agent/kernel';
/**
 * Sets labels of a thread, whether it is driven or not, and removes those that are null; others stay. Labels are found by `threads` and `feed`. Appends
 * nothing when the thread has these labels already. A thread has at most 100 labels, and at most 16 KiB of them.
 *
 * @example
 * await setLabels(journal, 'user-123', { team: 'billing', urgent: null })
 */
export declare function setLabels(journal: Journal, thread: string, labels: JsonObject): Promise<void>;

// run/signal.d.ts
/** Sending a signal with the journal alone. */
import type { Journal } from '@loom-agent/kernel';
import type { SignalArguments } from '../types/wait.ts';
/**
 * Sends a signal to a thread: the first open `ctx.waitFor` of that name gets the value, or the next one that starts. Needs the journal alone. Resolves
 * when the signal is durable; a process that has the agent drives the thread on.
 *
 * @example
 * await signal(journal, 'order-17', 'payment', { paid: true })
 */
export declare function signal(journal: Journal, thread: string, ...sent: SignalArguments): Promise<void>;

// stream/cursor.d.ts
import { type Expected } from '../platform/expected.ts';
/**
 * Where a stream begins: the seq of the first event of its thread, or of several threads of its tree the seq of the first event of each. A thread that is
 * not named begins with its first event. To continue a stream, give for each thread the seq after that of the last event that was seen.
 */
export type Cursor = number | {
    readonly [thread: string]: number;
};
/** What a cursor must be. */
export declare const expectedCursor: Expected;
/** The first seq of the thread that is watched; undefined when the cursor does not say. */
export declare const rootSeq: (cursor: Cursor | undefined, thread: string) => number | undefined;
/** The first seq of another thread of the tree; undefined when the cursor does not say. */
export declare const childSeq: (cursor: Cursor | undefined, thread: string) => number | undefined;

// thread/adoption.d.ts
/**
 * The agent that a thread belongs to.
 *
 * ADOPT-1. A thread that no call started is written and driven by agents of one name only. Another agent may adopt it, and that is a fact.
 * ADOPT-2. A driver whose thread is adopted by another agent starts nothing more, and calls no hook: what is in flight ends and is recorded, and the
 *     thread is released.
 */
import { type Draft, type Frame } from '@loom-agent/kernel';
import type { AgentInstance } from './agent-instance.ts';
/** Whether a caller may go on with the thread of another agent. */
export interface AdoptOptions {
    /** Goes on with a thread of an agent of another name, or one that was imported, which belongs to this one from then on; default: such a thread is refused. */
    readonly adopt?: boolean | undefined;
}
/** What an agent appends before it goes on with a thread: nothing when the thread is its own. Throws for another's that it may not adopt. */
export declare function adoptionOf(instance: AgentInstance, frame: Frame, { adopt }: AdoptOptions): readonly Draft[];
/** Refuses the thread of another agent. Which agent goes on with a child is for the code of its parent to say. */
export declare function requireOwn(instance: AgentInstance, frame: Frame, alternative?: string): void;
/** Whether the thread belongs to an agent of another name. */
export declare const isOther: ({ definition }: AgentInstance, { agent, parent }: Frame) => boolean;

// thread/agent-instance.d.ts
/** An agent at work: as the root of a tree of threads, or as a child in one. */
import type { ForkEffects } from '@loom-agent/kernel';
import type { ChildRunner } from '../call/child-runner.ts';
import type { RunCalls } from '../call/run-calls.ts';
import type { Resolver } from '../definition/agent-options.ts';
import type { Definition } from '../definition/definition.ts';
import type { Locks } from '../definition/locks.ts';
import type { CompiledPolicy } from '../permission/compile-policy.ts';
import type { Runtime } from './runtime.ts';
/** One agent in its place in the tree. */
export interface AgentInstance {
    /** What the agent is made of. */
    readonly definition: Definition;
    /** What the agents of one journal share in this process. */
    readonly runtime: Runtime;
    /** Its own policy first, then those of its ancestors. */
    readonly policies: readonly (CompiledPolicy | undefined)[];
    /** Its own locks first, then those of its ancestors: a call excludes those of all of them. */
    readonly locks: readonly Locks[];
    /** The dependencies of the run above, where this is a child: those of an agent that has none of its own. */
    readonly inheritedDeps?: unknown;
    /** What happens to effects where a thread above is a fork: what it says holds for all its children. */
    readonly forkEffects: ForkEffects | undefined;
    /** What the run of the thread above has admitted, where rules may look at it and this is a child (ADMIT-1). */
    readonly runCalls?: RunCalls | undefined;
    /** What answers questions in this process where the caller of the run gave nothing: of this agent first, then of its ancestors (RESOLVE-5). */
    readonly resolvers: readonly (Resolver | undefined)[];
    /** Where this is a child, the run at the root of its tree: what callers gave for that run holds here (RESOLVE-2). */
    readonly rootRun?: string | undefined;
    /** Makes the runner for the children of a thread. Children need run handles, which are a layer above: so the factory is passed in. */
    readonly childRunner: (instance: AgentInstance) => ChildRunner;
}

// thread/runtime.d.ts
/** What the threads of an agent, those of its children, and those of agents that were made from it, share in this process. */
import type { Epoch, Failure, Head, Incarnation, Outbox } from '@loom-agent/kernel';
import { type Bus } from '../bus/bus.ts';
import type { Resolver, RunOverrides } from '../definition/agent-options.ts';
import type { Definition } from '../definition/definition.ts';
import type { ModelObject } from '../model/model.ts';
import { type ThreadAccess } from './thread-access.ts';
/** A thread that this process may drive. */
export interface Lease {
    readonly thread: string;
    readonly epoch: Epoch;
    /** The thread as it was when it was acquired. */
    readonly head: Head;
}
/** A thread that is being driven, or is about to be. */
export interface Driving {
    /** The outbox of its driver; undefined before the thread is acquired. */
    outbox: Outbox | undefined;
    /** It is driven no longer. */
    readonly end: () => void;
}
/** Called when draining begins, and again when the grace period is over. */
export type DrainListener = (isOver: boolean) => void;
/** Whether the agent is draining, and what that waits for. Shared by all agents that were made from one. */
export interface Drain {
    isDraining: boolean;
    /** One for each thread that is driven here, and for each result that is waited for here. */
    readonly awaited: Set<DrainListener>;
    /** Called when nothing is awaited any more. */
    onEmpty: (() => void)[];
}
/** A resolver that the caller of a run gave, and what it was asked. */
export interface AskedResolver {
    readonly resolver: Resolver;
    /** Questions that were passed to it. */
    readonly asked: Set<string>;
    /** Why it could not answer the last question that it was passed. */
    unanswered: Failure | undefined;
}
/** A run that waits and that nobody follows here: where it is, and how far it was seen. */
export interface LeftRun {
    readonly thread: string;
    readonly incarnation: Incarnation;
    readonly run: string;
    readonly seq: number;
}
/** The shared side of an agent at work. */
export interface Runtime extends ThreadAccess {
    /** The name under which this process leases threads. */
    readonly worker: string;
    readonly bus: Bus;
    /** Threads that this process is claiming just now. */
    readonly claiming: Set<string>;
    /** Threads that this process drives, and under which epoch. */
    readonly driving: Map<Incarnation, Epoch>;
    /** Leases that could not be released, because the journal failed (LEASE-3). */
    readonly unreleased: Map<string, Lease>;
    /** What this process drives, and whether it takes on new work. */
    readonly drain: Drain;
    /** What code supplied to runs in this process, by `runKey`. */
    readonly overrides: Map<string, RunOverrides>;
    /** Those of them that wait while nobody follows them here, the oldest first (DEPS-1). */
    readonly left: Map<string, LeftRun>;
    /** The resolvers of callers that wait for a run in this process, by `runKey` (RESOLVE-2). */
    readonly resolvers: Map<string, Set<AskedResolver>>;
    /** The model objects that forks were made with in this process, by their ids. */
    readonly models: Map<string, ModelObject>;
}
/** The runtime of an agent that has not run yet. One that was made from another has the same, unless it has another journal or other ports. */
export declare function createRuntime({ journal, ports, options }: Definition, from?: {
    readonly definition: Definition;
    readonly runtime: Runtime;
}): Runtime;
/** Names a run of a thread in this process. */
export declare const runKey: (incarnation: Incarnation, run: string) => string;

// thread/thread-access.d.ts
/** The threads of a journal, and the clock that what they record is compared with. */
import type { Journal } from '@loom-agent/kernel';
import type { Ports } from '../platform/ports.ts';
import { type ThreadCache } from './thread-cache.ts';
/** What readers and contributors need of a journal. */
export interface ThreadAccess {
    readonly journal: Journal;
    /** The ports, with the clock of the journal's store (CLOCK-4). */
    readonly ports: Ports;
    readonly threads: ThreadCache;
}
/** Access to the threads of a journal, none of which is in memory. */
export declare function createThreadAccess(journal: Journal, given: Ports): ThreadAccess;

// thread/thread-cache.d.ts
/**
 * The thread cache: frames and prompts of the threads that this process uses, shared by readers, contributors and drivers.
 *
 * THREADS-1. There is one cached thread for each thread that is in use: all its users see the same frame.
 * THREADS-2. It is a cache: losing an entry costs a fold and nothing else. At most `keptIdle` unused ones stay in memory.
 * THREADS-3. A cached thread that has events is of one incarnation forever. When that is removed, its users get an error, and later users get the
 *            thread that has its name then.
 */
import { type Clock, type Frame, type Incarnation, type Journal, type Seq } from '@loom-agent/kernel';
import { type Prompt } from '../context/prompt.ts';
/** A thread in memory. */
export interface CachedThread {
    frame: Frame;
    prompt: Prompt;
    /** Its name was made here: no caller gave one. */
    readonly isAnonymous?: true;
    /** The last seq that observers of this process were notified of; events from before the thread was first used here do not count. */
    observed: number;
    /** This process may have driven the thread before, and have lost it from memory: how far observers were notified is in the journal (THREADS-2). */
    isFoldedAnew: boolean;
}
/** A cached thread that stays in memory until it is unpinned. */
export interface PinnedThread {
    readonly cached: CachedThread;
    readonly unpin: () => void;
}
/** The threads in memory. */
export interface ThreadCache {
    /** The thread with its frame up to date. Throws `LOOM_THREAD_NOT_FOUND` when it is another incarnation than the given one. */
    load(thread: string, incarnation?: Incarnation): Promise<CachedThread>;
    /** The same, and keeps it in memory. */
    pin(thread: string, incarnation?: Incarnation): Promise<PinnedThread>;
    /** A new thread under a name that was made for it, kept in memory. Nothing is read. */
    pinNew(thread: string): PinnedThread;
}
/** How a thread is read. */
type Reading = Pick<Journal, 'head' | 'read'>;
/** The cache of a journal, empty. The clock is set by the heads that are read. */
export declare function createThreadCache(journal: Journal, clock?: Clock): ThreadCache;
/** Whether an error says that a thread, or this incarnation of it, is not there any more. */
export declare function isRemoved(error: unknown): boolean;
/**
 * Folds what was appended since, up to the head where it is known: then no page is read that is known to be empty. Throws `LOOM_THREAD_NOT_FOUND` when
 * the thread was removed.
 */
export declare function foldNews(journal: Reading, cached: CachedThread, head?: Seq): Promise<Frame>;
export {};

// tool/define.d.ts
/** Tools, as users define them. */
import { type EffectClass } from '@loom-agent/kernel';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type CallMatcher, type CallPart, type ErasedMatcher } from '../permission/matcher.ts';
import { type AdmittedCall, type LeastVerdict, type Verdict } from '../permission/policy.ts';
import type { AnswerTo, AskOptions } from '../types/answer.ts';
import type { AnyAgent } from '../types/any-agent.ts';
import type { ChildResult } from '../types/result.ts';
import { type Infer, type Recorded, type Schema } from '../types/schema.ts';
import type { Received, WaitOptions } from '../types/wait.ts';
import { type ToolTaint } from './taint.ts';
/** What a tool's body is given besides its input. */
export interface ToolContext<Deps = unknown> {
    /** The id of the thread. */
    readonly thread: string;
    /** Loom's own id of the call: turn.index. */
    readonly call: string;
    /** Stable over retries and restarts of this call, and of no other: give it to a service that can recognise a repeated request. */
    readonly key: string;
    /** Aborts when the call is to end. */
    readonly signal: AbortSignal;
    /** The dependencies of the run. */
    readonly deps: Deps;
    /** Emits progress to viewers; nothing of it is kept. */
    progress(data: unknown): void;
}
/** Says of a value what guards leave of it; throws where they withhold it. */
type LookAtRecord = <V>(value: V) => Promise<V>;
/** What the body of a durable tool is given besides: work that may outlast the process. */
export interface DurableContext<Deps = unknown> extends ToolContext<Deps> {
    /**
     * Runs a function once and remembers its result under the name; the body gets the record, at once and when it is entered again. The guards of the agent
     * look at it before it is stored: with `guarded: false` at nothing, for data that must come back as it was, such as ids; a function hands what they look
     * at to `look`, and returns the record.
     */
    step<T>(name: string, run: (step: {
        readonly key: string;
        readonly signal: AbortSignal;
    }) => T | Promise<T>, options?: {
        effect?: EffectClass;
        guarded?: false | ((value: Recorded<T>, look: LookAtRecord) => Recorded<T> | Promise<Recorded<T>>);
    }): Promise<Recorded<T>>;
    /** Asks a human. Neither throws nor settles before there is an answer. */
    ask<S extends Schema = Schema>(prompt: string, options?: AskOptions<S>): Promise<AnswerTo<S>>;
    /** Runs an agent as a child of this call. It gets the metadata of this run, and its dependencies unless it has its own. */
    run<Output>(agent: AnyAgent<Output, Deps>, input: string, options?: {
        name?: string;
    }): Promise<ChildResult<Output>>;
    /** Sleeps for milliseconds, without needing a process. */
    sleep(ms: number): Promise<void>;
    /** Waits for a signal of this name, without needing a process: `signal(journal, thread, name, value)` sends it. */
    waitFor<S extends Schema = Schema>(name: string, options?: WaitOptions<S>): Promise<Received<S>>;
}
/** When and beside what a call may run. */
export interface Schedule<Input> {
    /** May run beside other calls; default: only `pure` and `read` tools do. */
    readonly parallel?: boolean;
    /** Calls with the same key never run at once. */
    readonly lock?: string | ((input: Input) => string);
    /** Milliseconds; default 120,000. */
    readonly timeout?: number;
    /** Higher goes first among calls that wait for a place; default 0. */
    readonly priority?: number;
}
/** What a check found out about a call whose performer was lost. */
export type Checked = {
    readonly status: 'done';
    /** What the call would have returned. */
    readonly result: unknown;
} | {
    readonly status: 'not-done';
} | {
    readonly status: 'unknown';
};
/** What a tool's own verdict may look at. */
export interface PermissionContext<Deps = unknown> {
    /** The id of the thread. */
    readonly thread: string;
    /** The dependencies of the run. */
    readonly deps: Deps;
    /** The calls that the run and its children have made so far, without this one. */
    readonly calls: Iterable<AdmittedCall>;
}
/** What `tool()` takes. */
export interface ToolDefinition<S extends Schema, Deps, D extends boolean> {
    /** The name that the model calls it by; default: its key in a record of tools. */
    readonly name?: string;
    /** Another name by which rules may name it, such as `mcp:server/tool`: any text without `*`, brackets and spaces. */
    readonly ruleName?: string;
    /** What approvals are bound to besides its name, its schema and its effect, where what it does is decided elsewhere. */
    readonly version?: string;
    /** What the model reads about it. */
    readonly description?: string;
    /** The schema of its arguments; default: any object. */
    readonly input?: S;
    /** What may be done when the outcome is not known; default `unsafe`: never run twice. A function says it of one call, by its arguments. */
    readonly effect?: EffectClass | ((input: Infer<S>) => EffectClass);
    /** The body may wait and is entered again from its first line; code outside steps must have no effects. */
    readonly durable?: D;
    /** Its own verdict, where no rule of the policy matches, or the least that a call meets; default `allow`. */
    readonly permission?: Verdict | ((input: Infer<S>, context: PermissionContext<Deps>) => Verdict | LeastVerdict | Promise<Verdict | LeastVerdict>);
    /** How rules such as `bash(git log *)` name what its calls ask for; default: they can match its arguments only. */
    readonly matcher?: CallMatcher<Infer<S>, CallPart>;
    /** What its calls bring into their thread, and whether they send something out of it; default: neither. */
    readonly taint?: ToolTaint<Infer<S>>;
    /** Whether it can be used now; default `true`. With `false` the model is not shown it. A function is asked at each call: one that returns `false` refuses that call. */
    readonly available?: boolean | ((context: {
        readonly thread: string;
        readonly deps: Deps;
    }) => boolean);
    /** For `reconcilable` tools: whether the call with this key happened. */
    check?(key: string, context: ToolContext<Deps>): Checked | Promise<Checked>;
    /** When and beside what it may run. */
    readonly schedule?: Schedule<Infer<S>>;
    /** Does the work. A generator's yields are progress, its return value is the result. */
    run(input: Infer<S>, context: D extends true ? DurableContext<Deps> : ToolContext<Deps>): unknown;
}
/** A tool that an agent can be given. */
export interface Tool<Deps = unknown> {
    readonly kind: 'tool';
    /** The name that the model calls it by. */
    readonly name: string;
    /** Only a type: what the tool needs of the agent's dependencies. */
    readonly needs?: (deps: Deps) => void;
}
/** A definition without its type parameters. */
export interface ErasedDefinition extends Omit<ToolDefinition<Schema, unknown, boolean>, 'run' | 'effect' | 'permission' | 'matcher' | 'taint' | 'schedule' | 'check' | 'available'> {
    /** What may be done when the outcome is not known. */
    readonly effect?: EffectClass | ((input: unknown) => EffectClass);
    /** Its own verdict, where no rule of the policy matches, or the least that a call meets; default `allow`. */
    readonly permission?: Verdict | ((input: unknown, context: PermissionContext<unknown>) => Verdict | LeastVerdict | Promise<Verdict | LeastVerdict>);
    /** How rules name what its calls ask for. */
    readonly matcher?: ErasedMatcher;
    /** What its calls bring into their thread, and whether they send something out of it; default: neither. */
    readonly taint?: ToolTaint<unknown>;
    /** Whether it can be used now; default `true`. */
    readonly available?: boolean | ((context: {
        readonly thread: string;
        readonly deps: unknown;
    }) => boolean);
    /** When and beside what it may run. */
    readonly schedule?: Schedule<unknown>;
    /** For `reconcilable` tools: whether the call with this key happened. */
    readonly check?: (key: string, context: ToolContext) => Checked | Promise<Checked>;
    /** Does the work. */
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
/** The definition of a tool. */
export declare function toolDefinitionOf(given: Tool<never>): ErasedDefinition;
/** The tool with another definition. */
export declare function redefineTool<Deps>(given: Tool<Deps>, definition: ErasedDefinition): Tool<Deps>;
/** Whether a value is a tool: it has a body, which no JSON can carry (BAND-1). */
export declare function isTool(value: unknown): value is Tool;
export {};

// tool/skills.d.ts
import type { Tool } from './define.ts';
/** A text about how something is done. */
export interface Skill {
    /** What the model opens it by: lower-case letters, digits and hyphens, at most 64. */
    readonly name: string;
    /** What it is for, in at most 1,024 characters; the model always sees it. */
    readonly description: string;
    /** The text itself; the model sees it once it has opened the skill. */
    readonly body: string;
    /** Where it comes from, such as a path; default `skill`. */
    readonly origin?: string;
    /** Set when somebody wrote it whom the agent should not obey. */
    readonly trust?: 'untrusted';
}
/** How skills are offered. */
export interface SkillsOptions {
    /** The name of the tool that opens them; default `open_skill`. */
    readonly name?: string;
    /** The text of a skill that was opened; default: its body under its name. */
    readonly show?: (skill: Skill) => string;
}
/**
 * Offers skills: their names and descriptions are a layer of the system text, and the tool that this returns opens one. The text of an opened skill is added
 * at the end of the context, where it stays until a rebase leaves it out.
 *
 * @example
 * agent({ tools: [skills([{ name: 'refunds', description: 'How refunds are made.', body: 'First look up the order. ...' }])] })
 */
export declare function skills(list: readonly Skill[], options?: SkillsOptions): Tool;

// tool/taint.d.ts
/** What the calls of a tool bring into their thread, and whether they send something out of it. */
import { type Expected } from '../platform/expected.ts';
import { type TaintLabel } from '../types/taint-label.ts';
/** What the calls of a tool bring into their thread, and whether they send something out of it. */
export interface ToolTaint<Input = never> {
    /**
     * What a result holds; default nothing. A function says it of one call: it is asked about the result with what the body returned, and before a call that
     * sends something out with the arguments alone.
     */
    readonly brings?: TaintLabel | readonly TaintLabel[] | ((input: Input, output?: unknown) => TaintLabel | readonly TaintLabel[] | undefined);
    /** Whether a call sends something to where others may read it, such as the network; default `false`. A function says it of one call. */
    readonly sends?: boolean | ((input: Input) => boolean);
}
/** What the taint of a tool must be. */
export declare const taintShape: Expected;
/** The labels that a declaration or a function of one names; undefined where it names something else. */
export declare function labelsOf(given: TaintLabel | readonly TaintLabel[] | undefined): readonly TaintLabel[] | undefined;

// tool/todo.d.ts
/** The tool with which a model keeps its list of tasks. */
import { type Todo } from '../context/todos.ts';
import type { Tool } from './define.ts';
/** How a list of tasks is kept. */
export interface TodoOptions {
    /** The name of the tool; default `todo`. */
    readonly name?: string;
    /** The text of the list where it is shown again; default: one line for each task. */
    readonly show?: (todos: readonly Todo[]) => string;
}
/**
 * The tool with which a model keeps its list of tasks. The list is part of the journal: `todosOf(frame)` reads it, `reminders()` reminds of a list that was
 * not looked at for long, and a rebase that leaves the list out shows it again.
 *
 * @example
 * agent({ tools: [todo()], context: pipeline(compress(), reminders()) })
 */
export declare function todo(options?: TodoOptions): Tool;

// tool/tool-set.d.ts
/** The tools that an agent is given. */
import type { AnyAgent } from '../types/any-agent.ts';
import type { Tool } from './define.ts';
/** What `tools` may hold: a tool or an agent that needs no other dependencies, or a plain function. */
export type ToolLike<Deps> = Tool<Deps> | AnyAgent<unknown, Deps> | ((input: never) => unknown);
/** Tools as a list, or keyed by name. */
export type ToolSet<Deps> = readonly ToolLike<Deps>[] | {
    readonly [name: string]: ToolLike<Deps>;
};

// tool/toolbox.d.ts
/** The toolbox: the tools of a run, checked and ready. Compiled once per agent, not per turn. */
import { type EffectClass, LoomError, type ToolSpec } from '@loom-agent/kernel';
import type { Brought } from '../context/brought.ts';
import { type ErasedDefinition } from './define.ts';
import type { ToolSet } from './tool-set.ts';
/** A tool in a toolbox. */
export interface ReadyTool {
    readonly name: string;
    readonly ruleName: string | undefined;
    readonly definition: ErasedDefinition;
    readonly effect: EffectClass;
    readonly serial: boolean;
    readonly spec: ToolSpec;
}
/** Tools by name, in the order in which they were given. */
export interface Toolbox {
    readonly tools: ReadonlyMap<string, ReadyTool>;
    /** What the model is shown: all but the tools that are never available, and those that it has to find. */
    readonly specs: readonly ToolSpec[];
    /** The tools that the model has to find, by name; absent where it is shown all. */
    readonly searched?: ReadonlyMap<string, ToolSpec>;
    /** What tools bring into the context besides themselves; empty for most toolboxes. */
    readonly brought: readonly Brought[];
    /** Whether the model can read results again, with Loom's own tool for it. */
    readonly readsMore: boolean;
}
/** Whether Loom's own tool for reading results again is listed: always, never, or beside other tools. */
export type ReadMoreListing = boolean | 'beside tools';
/** Checks and compiles tools. */
export declare function compileTools(set: ToolSet<never> | undefined): Toolbox;
/** The error for what is no tool. */
export declare function notTool(name: string): LoomError;
/** A tool that is ready to be called. */
export declare function readyTool(name: string, definition: ErasedDefinition): ReadyTool;

// travel/diff-frames.d.ts
/** The comparison of two frames. */
/** One place where two frames differ. */
export type Difference = Readonly<{
    path: string;
    before: unknown;
    after: unknown;
}>;
/** Where two frames differ, path by path. What they share by reference is not looked at. */
export declare function diffFrames(before: unknown, after: unknown, path?: string): readonly Difference[];

// travel/drive-fork.d.ts
/**
 * Driving the fork of a replay to its end: the run at the cut, then every later input of the record.
 *
 * REPLAY-4. The fork is given what the record was given, in order: each input when the run before has ended, with the limits and the metadata it had;
 *     messages that were steered into a run with its input, or before the run at the cut goes on; signals when a call waits for them.
 * REPLAY-5. A recorded answer settles a question that asks the same, each answer once. Where the effects are `recorded`, the fork itself takes the answers
 *     that its thread was given (STANDIN-1): it gets here only those that children were given, and that nobody answered in time. Limits, calls in doubt
 *     and parked threads are never answered from the record, and a recorded approval lets a call run only where the fork may run calls anyway (`live`)
 *     or runs none (`stub`).
 * REPLAY-6. Stops, pauses and resumptions of the record are not repeated. Where a run waits for something that the record does not give, the fork is left
 *     there, and the inputs after it are not given.
 */
import { type ForkEffects, type Limits } from '@loom-agent/kernel';
import type { Resolver } from '../definition/agent-options.ts';
import type { ErasedFork } from '../fork/fork-types.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import type { Moment } from '../types/moment.ts';
import type { ReplayOutcome } from './replay-outcome.ts';
/** How a fork is driven on. */
export interface DriveForkOptions {
    /** Answers the questions that the record has no answer to; without it they stay open. */
    readonly onQuestion?: Resolver;
}
/** A fork that was driven on, beside its record. */
export interface LiveReplay {
    /** How the record went on from the first difference. */
    readonly recorded: ReplayOutcome;
    /** How the fork went on. */
    readonly replayed: ReplayOutcome;
    /** Inputs of the record that were not given, because a run before them waits. */
    readonly inputsLeft: number;
}
/** The fork to drive, and what it may do. */
export interface ForkToDrive {
    readonly fork: ErasedFork;
    /** Where the record was cut. */
    readonly cut: Moment;
    readonly effects: ForkEffects;
    readonly limits: Limits | undefined;
    readonly onQuestion: Resolver | undefined;
}
/** Drives a fork on with what its record was given. */
export declare function driveFork(instance: AgentInstance, asked: ForkToDrive): Promise<LiveReplay>;

// travel/judge-strategy.d.ts
import type { ReplaySummary } from './sum-replays.ts';
/** What a strategy must keep to. Pins and last questions must be shown, and every thread must be replayed, whatever the rules are. */
export interface StrategyRules {
    /** By how many percent the requests of a thread may have more tokens than recorded; default 10. */
    readonly tokens?: number;
    /** By how many percent the requests of a thread may cost more than recorded; a cost that is not known breaks it. Default: not judged. */
    readonly cost?: number;
    /** How many entries a thread may lose that the record showed; default: any number. */
    readonly lost?: number;
    /** Whether summaries may stand in for what a model would have written; default true. */
    readonly estimated?: boolean;
}
/** Where a strategy breaks a rule. */
export interface StrategyViolation {
    /** The rule: an option of the rules, or `pin`, `question`, `failed`, or `empty` when no thread was replayed. */
    readonly rule: keyof StrategyRules | 'pin' | 'question' | 'failed' | 'empty';
    /** The thread; absent when there is none. */
    readonly thread?: string;
    /** The first turn, where there is one. */
    readonly turn?: number;
    /** What is wrong, with the values. */
    readonly message: string;
}
/** What a judge says about a strategy. */
export interface StrategyVerdict {
    /** Whether there is no violation. */
    readonly isPassed: boolean;
    /** Every violation, thread by thread. */
    readonly violations: readonly StrategyViolation[];
}
/**
 * Judges a strategy by what replays of recorded threads found.
 *
 * @example
 * const { isPassed, violations } = judgeStrategy(await summarizeReplays(worker.replayAll({}, { with: { context } })), { tokens: 5 })
 */
export declare function judgeStrategy(summary: ReplaySummary, rules?: StrategyRules): StrategyVerdict;

// travel/preview.d.ts
/** Previewing: what the model would be sent next, without sending it and without writing to the journal. */
import { type Message } from '@loom-agent/kernel';
import { type SystemLayer } from '../context/describe-layers.ts';
import type { RunOptions } from '../definition/agent-options.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import type { UserMessages } from '../types/input.ts';
/** What the next request would hold. */
export interface Preview {
    /** The system text. */
    readonly system: string;
    /** The layers of the system text, in order. */
    readonly layers: readonly SystemLayer[];
    /** The messages after the system text. */
    readonly messages: UserMessages;
    /** The names of the tools. */
    readonly tools: readonly string[];
    /** Whether a summary in it stands in for one that a model would write. */
    readonly estimated: boolean;
}
/** The options of a preview: those of the run, and the moment `thread@seq` after which it would start. */
export type PreviewOptions<Deps = unknown> = RunOptions<Deps> & {
    /** The moment; its thread counts instead of `thread`. */
    readonly at?: string | undefined;
};
/** Folds what would be appended, up to the point where the model would be called. */
export declare function previewOf(instance: AgentInstance, messages: readonly Message[], { at, ...options }: PreviewOptions<never>): Promise<Preview>;

// travel/read-moments.d.ts
/** Reading moments and turns of a thread. Loaded on use. */
import type { Frame, Journal, Seq } from '@loom-agent/kernel';
import { type Difference } from './diff-frames.ts';
/** One turn of a thread: from where it was entered to its last event. */
export interface TurnSummary {
    /** The number of the turn on its thread. */
    readonly turn: number;
    /** The run that took it. */
    readonly run: string;
    /** The seq of its first event. */
    readonly from: Seq;
    /** The seq of its last event. */
    readonly to: Seq;
    /** When it was entered, in milliseconds since 1970. */
    readonly time: number;
    /** What the model said. */
    readonly text: string;
    /** What the model called, and what became of it. */
    readonly calls: readonly {
        readonly call: string;
        readonly tool: string;
        readonly status: 'open' | 'success' | 'error' | 'warning' | 'denied';
    }[];
    /** Input and output tokens together, of its replies, failed attempts and children. */
    readonly tokens: number;
    /** Integer micro-units, of the same; `undefined` when a price is not known. */
    readonly cost: number | undefined;
}
/** The frame of a thread at `thread@seq`. */
export declare function readMoment(journal: Journal, at: string): Promise<Frame>;
/** The frame of a thread after its event `upTo`; by default, as it is now. Throws when there is no such thread, or no such event yet. */
export declare function readFrame(journal: Journal, thread: string, upTo?: Seq): Promise<Frame>;
/** Where two moments differ, of one thread or of two. */
export declare function compareFrames(journal: Journal, before: string, after: string): Promise<readonly Difference[]>;
/** The turns of a thread, in order. */
export declare function readTurns(journal: Journal, thread: string): Promise<readonly TurnSummary[]>;

// travel/render-replay.d.ts
/**
 * The report of a replay for people: as plain text, or as Markdown.
 *
 * RENDER-1. Words that are not Loom's own (ids of threads, names of tools, prompts) are code in Markdown: none of them is read as markup. The signs for what
 *     would be left out and added stand in the code too: at the start of an item they would be a list.
 */
import type { EntryChanges, ReplayReport } from './replay-types.ts';
/** How a report is rendered. */
export interface RenderReplayOptions {
    /** Default `text`. */
    readonly format?: 'text' | 'markdown';
    /** Turns that differ and are shown with their messages, at most; default 20. */
    readonly turns?: number;
}
/** The marks of a format. */
export interface Format {
    heading(text: string): string;
    /** A line that belongs to what is above it. */
    item(text: string): string;
    /** Words that are not Loom's own, as one line (RENDER-1). */
    quote(text: string): string;
}
/** The formats of reports. */
export declare const formats: Readonly<Record<'text' | 'markdown', Format>>;
/**
 * Renders a report: what differs first, how the tools differ, and the turns that differ, with what would be left out (-) and added (+).
 *
 * @example
 * console.log(renderReplay(await worker.replay('user-123', { with: { instructions } })))
 */
export declare function renderReplay(report: ReplayReport, options?: RenderReplayOptions): string;
/** Sections, each with its heading first, as one text; those without lines are left out. */
export declare function joined(sections: readonly (readonly string[])[], format: RenderReplayOptions['format']): string;
/** A cost, as people read it. */
export declare const costOf: (cost: number | undefined) => string;
/** A heading, and how many entries each rule is about. */
export declare function ruleLines(title: string, { by }: Omit<EntryChanges, 'listed'>, { heading, item, quote }: Format): readonly string[];

// travel/render-replays.d.ts
import { type RenderReplayOptions } from './render-replay.ts';
import type { ReplaySummary } from './sum-replays.ts';
/**
 * Renders what replays of many threads found: a row for each thread with tokens, what would be saved, and how many entries would be kept and lost; then the
 * sums, and what was lost by which rule.
 *
 * @example
 * console.log(renderReplays(await summarizeReplays(worker.replayAll({}, { with: { context: window({ turns: 20 }) } }))))
 */
export declare function renderReplays(summary: ReplaySummary, options?: Pick<RenderReplayOptions, 'format'>): string;

// travel/replay-all.d.ts
/**
 * Replaying many threads.
 *
 * REPLAY-3. A thread that cannot be replayed is reported and ends no other. At most `concurrency` threads are under way, and no more are begun while the
 *     caller has not taken what is there.
 */
import { type Journal, type ThreadQuery } from '@loom-agent/kernel';
import type { Resolver } from '../definition/agent-options.ts';
import type { ForkOptions } from '../fork/fork-types.ts';
import type { LiveReplay } from './drive-fork.ts';
import { type Judge, type OutcomeVerdict } from './replay-outcome.ts';
import type { ErasedReplayed, Replayed, ReplayOptions } from './replay-types.ts';
/** The threads to replay: their ids, or a query. A query finds threads of the agent that are neither forks nor children. */
export type ThreadSelection = Iterable<string> | AsyncIterable<string> | ThreadQuery;
/** How far a replay of many threads is. */
export interface ReplayProgress {
    /** The thread that is done. */
    readonly thread: string;
    /** How many are done, those that failed included. */
    readonly done: number;
    /** How many failed. */
    readonly failed: number;
    /** How many there are; undefined where that is not known. */
    readonly total: number | undefined;
}
/** How many threads are replayed. */
export interface ReplayAllOptions<Verdict = OutcomeVerdict, Deps = unknown> extends Omit<ReplayOptions<Deps>, 'fork'> {
    /** For `continue-live`: what each fork may do (default `recorded`), and spend, which must be given. */
    readonly fork?: Pick<ForkOptions, 'effects' | 'limits'>;
    /** Threads that are replayed at the same time; default 4. */
    readonly concurrency?: number;
    /** Called after each thread. */
    readonly onProgress?: (progress: ReplayProgress) => void;
    /** For `continue-live`: compares how a thread ended with how its fork did; default: by status and output. */
    readonly judge?: Judge<Verdict>;
    /** For `continue-live`: answers the questions that the record has no answer to; without it they stay open. */
    readonly onQuestion?: Resolver;
}
/** What became of one thread; narrow on `status`. */
export type ReplayedThread<Output = string, Verdict = OutcomeVerdict, Deps = unknown, HasDeps extends boolean = false> = {
    readonly status: 'replayed';
    /** The id of the thread. */
    readonly thread: string;
    /** What the replay found. */
    readonly report: Replayed<Output, Deps, HasDeps>;
    /** For `continue-live`, where something differs: how the record and the fork went on. */
    readonly live?: LiveReplay;
    /** What the judge says about `live`. */
    readonly verdict?: Verdict;
} | {
    readonly status: 'failed';
    readonly thread: string;
    /** Why it could not be replayed, driven or judged. */
    readonly error: Error;
    /** What the replay found before it failed. */
    readonly report?: Replayed<Output, Deps, HasDeps>;
    readonly live?: LiveReplay;
};
/** Throws for options that are not valid. */
export declare function checkReplayAll(name: string, options: ReplayAllOptions<unknown, never>): void;
/** What replays one thread. */
type ReplayOne = (thread: string) => Promise<ErasedReplayed>;
/** Replays threads, so many at a time, and yields what became of each as it is done. */
export declare function replaySelection(threadIds: SelectedThreads, replayOne: ReplayOne, options: ReplayAllOptions<unknown, never>): AsyncGenerator<ReplayedThread<unknown, unknown, never, true>, void>;
/** The threads of a selection, and how many they are where that is known. */
export interface SelectedThreads {
    readonly ids: AsyncIterable<string>;
    readonly total: number | undefined;
}
/**
 * The threads that are asked for. Those of a query are looked up before the first is replayed: a replay that goes on live makes threads, which are not
 * replayed in turn.
 */
export declare function selectThreads(journal: Journal, agent: string, selection: ThreadSelection): Promise<SelectedThreads>;
export {};

// travel/replay-outcome.d.ts
/** How runs of a record and of its replay ended, and how they are compared. */
import { type Json } from '@loom-agent/kernel';
/** How one run ended. */
export interface RunOutcome {
    /** The id of the run on its thread. */
    readonly run: string;
    /** The words of its input; undefined for the run that was under way where the replay goes on. */
    readonly input: string | undefined;
    /** How it ended; `waiting` and `running` have not. */
    readonly status: 'done' | 'waiting' | 'stopped' | 'failed' | 'running';
    /** The answer, or as much of it as there is. */
    readonly text: string;
    /** The answer in the form of `output`, or its text; undefined unless the run is done. */
    readonly output: Json | undefined;
    /** Turns that the run took. */
    readonly turns: number;
    /** Input and output tokens together. */
    readonly tokens: number;
    /** Integer micro-units; undefined where a price is unknown. */
    readonly cost: number | undefined;
}
/** How the runs of a thread ended, from the run of the first difference on. */
export interface ReplayOutcome {
    /** The id of the thread. */
    readonly thread: string;
    /** Its runs, in order. */
    readonly runs: readonly RunOutcome[];
}
/** What a judge compares. */
export interface JudgedOutcomes {
    /** The thread as it is recorded. */
    readonly recorded: ReplayOutcome;
    /** The fork that went on live. */
    readonly replayed: ReplayOutcome;
}
/** Compares how a thread ended with how its replay ended; what it returns is the verdict of the thread. */
export type Judge<Verdict> = (outcomes: JudgedOutcomes) => Verdict | Promise<Verdict>;
/** The verdict of the default judge. */
export type OutcomeVerdict = 'same' | 'different';
/** The default judge: `same` when as many runs ended alike, with equal output. */
export declare const compareOutcomes: Judge<OutcomeVerdict>;

// travel/replay-summary.d.ts
/** What replays of many threads found: thread by thread, and in all. */
import type { AnyReplayed, ReplaySummary } from './sum-replays.ts';
/**
 * Collects what replays found. Texts of messages are left out: a summary stays small, however many threads there are.
 *
 * @example
 * const summary = await summarizeReplays(worker.replayAll({}, { with: { context: compress() } }))
 * console.log(renderReplays(summary))
 */
export declare function summarizeReplays(replays: AsyncIterable<AnyReplayed> | Iterable<AnyReplayed>): Promise<ReplaySummary>;

// travel/replay-types.d.ts
/** Replays, as users see them: what is asked for, and what was found. */
import type { Entry, Json, Seq } from '@loom-agent/kernel';
import type { AgentOptions } from '../definition/agent-options.ts';
import type { Fork, ForkOptions } from '../fork/fork-types.ts';
import type { Difference } from './diff-frames.ts';
import type { DriveForkOptions, LiveReplay } from './drive-fork.ts';
/** When a replay ends: at the first turn that differs, or with the end of the record. */
export type ReplayMode = 'stop-at-divergence' | 'continue-recorded';
/** What the model was sent, or would have been. */
export interface Sent {
    /** How many messages were sent. */
    readonly messages: number;
    /** Its tokens with those of the tools, estimated, and calibrated by what the vendor counted in the record. */
    readonly tokens: number;
    /** Why earlier bytes changed, when they did. */
    readonly rebase?: string;
    /** Whether a summary was made for it that stands in for one that a model would have written. */
    readonly estimated?: boolean;
}
/** The tools that differ in a turn, by name. */
export interface ToolNames {
    /** Tools that would be offered now and were not. */
    readonly added: readonly string[];
    /** Tools that were offered and would not be now. */
    readonly removed: readonly string[];
    /** Tools of the same name with another description or other arguments. */
    readonly changed: readonly string[];
    /** The tools are the same, in another order or with their fields in another order. */
    readonly isReordered: boolean;
    /** How many more tools differ than are named here. */
    readonly more: number;
}
/** How one tool differs. */
export interface ToolDifference {
    /** What became of it. */
    readonly kind: 'added' | 'removed' | 'changed' | 'reordered';
    /** The name of the tool; of tools in another order, their names. */
    readonly name: string;
    /** The description as it was and as it would be, where it differs. */
    readonly description?: {
        readonly recorded: string;
        readonly replayed: string;
    };
    /** Where the JSON Schema of its arguments differs, path by path. */
    readonly schema?: readonly Difference[];
}
/** What requests would have saved; below 0 where they would have taken more. */
export interface Saved {
    /** Tokens, estimated. */
    readonly tokens: number;
    /** Micro-units, by the price of the model, with what a cache would have had; undefined where the price is unknown or there was no reply. */
    readonly cost: number | undefined;
}
/** An entry of the history that would have been shown otherwise. */
export interface EntryChange {
    /** Where it comes from. */
    readonly origin: Entry['origin'];
    /** The seq of the event that brought it. */
    readonly seq: Seq;
    /** How it begins. */
    readonly text: string;
    /** Its tokens when it is shown whole, estimated. */
    readonly tokens: number;
    /** How it is not shown, or not whole: under the new strategy where it would be lost, in the record where it would be kept. */
    readonly as: 'trimmed' | 'summary' | 'dropped' | 'absent';
    /** The rule that says so: of the segment or the trim, `summary`, or `not added`. */
    readonly rule: string;
    /** The first turn in which it is so. */
    readonly turn: number;
    /** In how many turns it is so. */
    readonly turns: number;
}
/** Entries that would have been shown otherwise, each once. */
export interface EntryChanges {
    /** How many there are. */
    readonly entries: number;
    /** Their tokens. */
    readonly tokens: number;
    /** The same by way and rule. */
    readonly by: readonly (Pick<EntryChange, 'as' | 'rule' | 'tokens'> & {
        readonly entries: number;
    })[];
    /** The first fifty of them. */
    readonly listed: readonly EntryChange[];
}
/** Something that must always be shown, and would not have been. */
export interface EssentialLost extends Pick<EntryChange, 'seq' | 'text' | 'as' | 'rule' | 'turn'> {
    /** What it is: pinned, or the last thing that a person said. */
    readonly kind: 'pin' | 'question';
}
/** One turn, as it was and as it would have been. */
export interface TurnReplay {
    /** The number of the turn. */
    readonly turn: number;
    /** The moment before its context was assembled, `thread@seq`: where a fork would differ. */
    readonly at: string;
    /** What was sent. */
    readonly recorded: Sent;
    /** What would be sent now. */
    readonly replayed: Sent;
    /** Micro-units that the recorded call cost; undefined where the price is unknown. */
    readonly cost: number | undefined;
    /** What the replayed request would have saved; below 0 where it would have taken more. */
    readonly saved: Saved;
    /** Whether the two differ, in messages or in tools. */
    readonly differs: boolean;
    /** What was sent and would not be sent now; of many messages, those that came to differ last. */
    readonly left: readonly string[];
    /** What would be sent now and was not sent; of many messages, those that came to differ last. */
    readonly added: readonly string[];
    /** How many more messages differ than `left` and `added` have; messages that read the same count once. Absent when they have all. */
    readonly omitted?: {
        readonly left: number;
        readonly added: number;
    };
    /** The tools that differ; absent when none does. `report.tools` says how. */
    readonly tools?: ToolNames;
}
/** The first difference between the record and the replay. */
export interface Divergence {
    /** The number of the turn. */
    readonly turn: number;
    /** The moment before its context was assembled: `thread@seq`. */
    readonly at: string;
    /** The first message that differs; undefined where only tools do. */
    readonly message: number | undefined;
    /** The message as it was sent; long texts in it are cut. */
    readonly recorded: Json | undefined;
    /** The message as it would be sent now; long texts in it are cut. */
    readonly replayed: Json | undefined;
    /** The two messages around the first character that differs. */
    readonly excerpt?: {
        readonly recorded: string;
        readonly replayed: string;
    };
    /** The tools that differ in this turn. */
    readonly tools?: ToolNames;
}
/** Sums over all turns that were replayed, listed or not. */
export interface ReplayTotals {
    /** How many turns were replayed. */
    readonly turns: number;
    /** How many of them differ. */
    readonly differing: number;
    /** The tokens of all requests as they were and as they would be, estimated. */
    readonly tokens: {
        readonly recorded: number;
        readonly replayed: number;
    };
    /** Micro-units that the recorded calls cost; undefined where a price is unknown. */
    readonly cost: number | undefined;
    /** What all requests would have saved. What summaries cost is no part of it. */
    readonly saved: Saved;
    /** How many summaries were made, would have been made, and of those stand in for what a model would have written. */
    readonly summaries: {
        readonly recorded: number;
        readonly replayed: number;
        readonly estimated: number;
    };
}
/** What a replay found. Its size is bounded, however long the thread is: `totals` count everything, `omitted` what is not listed. */
export interface ReplayReport {
    /** The id of the thread that was replayed. */
    readonly thread: string;
    /** How it was replayed. */
    readonly mode: ReplayMode;
    /** Its turns, in order; of a long thread, those around the first that differs. */
    readonly turns: readonly TurnReplay[];
    /** The first difference; `undefined` when there is none. */
    readonly divergence: Divergence | undefined;
    /** How tools differ, each difference once. */
    readonly tools: readonly ToolDifference[];
    /** Sums over all turns. */
    readonly totals: ReplayTotals;
    /** Entries that the record did not show, or not whole, and the replay would have. */
    readonly kept: EntryChanges;
    /** Entries that the record showed and the replay would not have, or not whole. */
    readonly lost: EntryChanges;
    /** What must always be shown and would not have been; empty unless something is wrong. */
    readonly essentials: readonly EssentialLost[];
    /** What is not listed: turns, messages of listed turns, and differences of tools. */
    readonly omitted: {
        readonly turns: number;
        readonly messages: number;
        readonly tools: number;
    };
}
/** How much a report holds. */
export interface ReportLimits {
    /** Turns that are listed, at most; default 1,000. */
    readonly turns?: number;
    /** Messages that `left` and `added` of one turn have, at most; default 10. */
    readonly messages?: number;
    /** Characters of one message, at most; default 400. */
    readonly characters?: number;
    /** Characters of all messages together, at most; default 200,000. */
    readonly total?: number;
}
/** How a thread is replayed. */
export interface ReplayOptions<Deps = unknown> {
    /** What is different: another context strategy, other instructions, other tools. Also the `deps` that functions among them need. */
    readonly with?: Partial<Pick<AgentOptions<Deps>, 'context' | 'window' | 'instructions' | 'layers' | 'tools' | 'deps' | 'model' | 'settings'>>;
    /** Default `continue-recorded`. With `continue-live` a fork goes on for real from the first turn that differs. */
    readonly mode?: ReplayMode | 'continue-live';
    /** For `continue-live`: what the fork may do and spend. */
    readonly fork?: Pick<ForkOptions, 'thread' | 'effects' | 'limits'>;
    /** How much the report holds. */
    readonly report?: ReportLimits;
}
/** What a replay found, with the fork of `continue-live`. */
export type Replayed<Output = string, Deps = unknown, HasDeps extends boolean = false> = ReplayReport & {
    /** The fork that goes on live; absent when nothing differs or the mode is another. */
    readonly fork?: Fork<Output, Deps, HasDeps>;
    /**
     * Drives the fork to its end instead of `fork.resume()`: the run at the cut, then every later input of the record, in order. Questions get the recorded
     * answers.
     */
    readonly driveFork?: (options?: DriveForkOptions) => Promise<LiveReplay>;
};
/** What a replay by an agent found whose types are not known. */
export type ErasedReplayed = Replayed<unknown, never, true>;

// travel/sum-replays.d.ts
/** Summing up what replays of many threads found. Loaded on use. */
import type { EntryChanges, ReplayReport, ReplayTotals } from './replay-types.ts';
/** What became of one thread, as `replayAll` yields it. */
export type AnyReplayed = {
    /** It could be replayed. */
    readonly status: 'replayed';
    /** The id of the thread. */
    readonly thread: string;
    /** What its replay found. */
    readonly report: ReplayReport;
} | {
    /** It could not. */
    readonly status: 'failed';
    /** The id of the thread. */
    readonly thread: string;
    /** Why not. */
    readonly error: Error;
};
/** One thread of a summary: what its replay found, or why there was none. */
export type ThreadReplay = (Pick<ReplayReport, 'thread' | 'totals' | 'kept' | 'lost' | 'essentials'> & {
    /** Whether it could be replayed. */
    readonly status: 'replayed';
}) | {
    readonly status: 'failed';
    /** The id of the thread. */
    readonly thread: string;
    /** Why it could not be replayed. */
    readonly error: string;
};
/** What replays of many threads found. */
export interface ReplaySummary {
    /** The threads, by their ids. */
    readonly threads: readonly ThreadReplay[];
    /** Sums over all threads that could be replayed. A cost that one thread does not know is not known in all. */
    readonly totals: ReplayTotals;
    /** Entries that the record did not show, or not whole, and the replay would have: those of all threads, by way and rule. */
    readonly kept: Omit<EntryChanges, 'listed'>;
    /** Entries that the record showed and the replay would not have, or not whole. */
    readonly lost: Omit<EntryChanges, 'listed'>;
    /** How many threads could not be replayed. */
    readonly failed: number;
}
/** Collects what replays found. */
export declare function sumReplays(replays: AsyncIterable<AnyReplayed> | Iterable<AnyReplayed>): Promise<ReplaySummary>;

// travel/travel.d.ts
/** Time travel: a thread at any moment, its turns, and the difference of two moments. All of it only reads. */
import type { Frame, Journal, Seq } from '@loom-agent/kernel';
import type { Difference } from './diff-frames.ts';
import type { TurnSummary } from './read-moments.ts';
/** The frame of a thread at `thread@seq`. */
export declare function frameOf(journal: Journal, at: string): Promise<Frame>;
/** The frame of a thread after its event `upTo`; by default, as it is now. Throws when there is no such thread, or no such event yet. */
export declare function frameAt(journal: Journal, thread: string, upTo?: Seq): Promise<Frame>;
/** Where two moments differ, of one thread or of two. */
export declare function compareMoments(journal: Journal, before: string, after: string): Promise<readonly Difference[]>;
/** The turns of a thread, in order. */
export declare function turnsOf(journal: Journal, thread: string): Promise<readonly TurnSummary[]>;

// types/answer.d.ts
/** Answers to questions, as users give them. */
import type { Answer, Json, Limits } from '@loom-agent/kernel';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type Expected, type Shape } from '../platform/expected.ts';
import { type Recorded, type Schema } from './schema.ts';
export type { Answer };
/** An answer together with its author. */
export interface SignedAnswer {
    /** What settles the question. */
    readonly answer: Answer;
    /** The author; needed where several people must approve. */
    readonly by?: string | undefined;
}
/** Approves: the call runs, with `scope` also later calls of the same tool on the thread; a limit is raised by its original value, or to `limits`. */
export declare function approve(options?: {
    scope?: 'thread';
    limits?: Limits;
    by?: string;
}): SignedAnswer;
/** Approves a call with other arguments. */
export declare function edit(input: unknown, options?: {
    by?: string;
}): SignedAnswer;
/** Rejects. The model sees the reason and may try something else. */
export declare function reject(reason?: string, options?: {
    by?: string;
}): SignedAnswer;
/** Gives the result; nothing is run. */
export declare function respond(value: unknown, options?: {
    by?: string;
}): SignedAnswer;
/** An answer to a question with a schema: the value of a `respond` is what the schema accepts. */
export type AnswerTo<S extends Schema> = Exclude<Answer, {
    kind: 'respond';
}> | {
    readonly kind: 'respond';
    readonly value: Given<S>;
};
type Given<S extends Schema> = unknown extends StandardSchemaV1.InferInput<S> ? Json : Recorded<StandardSchemaV1.InferInput<S>>;
/** How a durable body may ask. */
export interface AskOptions<S extends Schema = Schema> {
    /** Distinguishes several questions of one body; default: their order. */
    readonly name?: string;
    /** Shown with the question: what it is about. */
    readonly show?: Json;
    /** What a `respond` must fit; types its value. */
    readonly schema?: S;
    /** Milliseconds after which a missing answer counts as a rejection; default: never. */
    readonly expires?: number;
    /** How many people must approve; default 1. */
    readonly approvers?: number;
}
/** What the options of a question must be. */
export declare const askShape: Shape & Record<keyof AskOptions, Expected>;

// types/any-agent.d.ts
/** An agent as tools and types see it: its name, what it returns and what it needs, nothing of how it works. */
/** An agent, known by its output and by the dependencies that its parent must have for it; by default those may be any. */
export interface AnyAgent<Output = unknown, Needs = never> {
    readonly kind: 'agent';
    /** The name in journals and to other agents. */
    readonly name: string;
    /** What the agent is for; shown to agents that may call it. */
    readonly description: string;
    /** Only a type. */
    readonly gives?: Output;
    /** Only a type: what the agent needs of the dependencies of its parent. */
    readonly needs?: (deps: Needs) => void;
}
/** Whether a value is an agent. */
export declare function isAgent(value: unknown): value is AnyAgent;

// types/behaviour.d.ts
/** How an agent behaves where people, time and failure are concerned. */
import { type Expected, type Shape } from '../platform/expected.ts';
import { type CompleteBounds, type ReplyBounds } from './reply-bounds.ts';
/** How an agent behaves where people, time and failure are concerned. */
export interface Behaviour {
    /** What happens to questions that this process does not answer; default `wait`. */
    readonly unattended?: 'wait' | 'deny';
    /** What a second input on a busy thread does; default `queue`. */
    readonly whenBusy?: 'queue' | 'steer' | 'reject';
    /** Model attempts per turn; default 3. */
    readonly attempts?: number;
    /** How often an answer that does not fit `output` is sent back; default 2. */
    readonly repairs?: number;
    /** Calls that run at once; default 10. */
    readonly concurrency?: number;
    /** The name of the tool through which alone the run ends; one reminder is given. Default: none. */
    readonly requireDone?: string;
    /** Characters of a tool's output that reach the model; default 10,000. */
    readonly outputLimit?: number;
    /** Characters of a longer output that are kept in the journal, so that the rest can be read; default 1,000,000. 0 keeps nothing of it. */
    readonly wholeLimit?: number;
    /** Characters of what a step of a durable tool may return, as JSON; default 1,000,000. A longer value is an error of the step, which has run. */
    readonly stepLimit?: number;
    /**
     * Whether the model is given the tool `read_more`, which reads results again that it was shown in part, or is not shown any more. Default: if the agent has
     * tools, and a `context` other than `everything`.
     */
    readonly readMore?: boolean;
    /** The most that one reply of the model may hold; each bound has a default. */
    readonly reply?: ReplyBounds;
    /** Bytes of files and images in one result of a tool that reach the model; default 2,097,152. */
    readonly mediaLimit?: number;
    /** Milliseconds without a word from the model before the attempt counts as failed; default 60,000. */
    readonly modelIdle?: number;
    /** Milliseconds that work has to end after a stop; default 2,000. */
    readonly grace?: number;
}
/** Behaviour with every default filled in. */
export type CompleteBehaviour = Required<Omit<Behaviour, 'requireDone' | 'readMore' | 'reply'>> & Pick<Behaviour, 'requireDone' | 'readMore'> & {
    readonly reply: CompleteBounds;
};
/** What the options of behaviour must be. */
export declare const behaviourShape: Shape & Record<keyof Behaviour, Expected>;
/** Behaviour with the defaults of what is not given. */
export declare function completeBehaviour(given?: Behaviour): CompleteBehaviour;

// types/content-parts.d.ts
/**
 * The parts of a result that `content()` made, within the limits of outputs.
 *
 * FORMAT-1. All parts together obey the limits: texts, data, names, addresses and metadata that of characters, files that of bytes. What does not fit is
 *     shortened or left out, and the last part says so.
 */
import type { Part } from '@loom-agent/kernel';
import type { CompleteBehaviour } from './behaviour.ts';
import { type InputPart } from './input.ts';
/** How much of a result reaches the model: characters, and bytes of files. */
export type OutputLimits = Pick<CompleteBehaviour, 'outputLimit' | 'mediaLimit'>;
/** The parts of a content, within the limits. */
export declare function contentParts(given: readonly InputPart[], limits: OutputLimits): readonly Part[];

// types/content.d.ts
/**
 * Results of tools that have several parts.
 *
 * BAND-1. What a function of Loom makes for Loom to recognise is known by a symbol (content, decisions of hooks, errors), by its code (tools) or by its
 *     identity (agents). JSON carries none of them: what a tool, a model, a child, a hook or a person passes on as data is data, whatever it looks like.
 */
import type { Part } from '@loom-agent/kernel';
import { type OutputLimits } from './content-parts.ts';
import type { InputPart } from './input.ts';
/** A result of several parts, such as text and images. Only `content()` makes one: an object with these fields is data. */
export interface Content {
    readonly kind: 'content';
    /** The parts, in the order in which the model reads them. */
    readonly parts: readonly InputPart[];
}
/** Makes a result of several parts, such as text and images. */
export declare function content(parts: readonly InputPart[]): Content;
/** Whether `content()` made a value. */
export declare function isContent(value: unknown): value is Content;
/** The parts of a content, within the limits. */
export declare function partsWithin(made: Content, limits: OutputLimits): readonly Part[];

// types/input-taint.d.ts
/**
 * What an input holds that others wrote, or that is private, as its caller says.
 *
 * TAINT-4. Only the caller says where an input comes from: nothing in its text does. What was said is recorded with the input, and its thread has read it.
 */
import { type Taint } from '@loom-agent/kernel';
import { type Expected } from '../platform/expected.ts';
import { type TaintLabel } from './taint-label.ts';
/** What an input or a part of one holds: labels, or by label what people are told that it is, such as `{ untrusted: 'a mail of eve@example.com' }`. */
export type InputTaint = TaintLabel | readonly TaintLabel[] | {
    readonly [Label in TaintLabel]?: string;
};
/** What may have been marked: an input in any of its forms. */
type Marked = string | readonly {
    readonly taint?: unknown;
    readonly content?: unknown;
    readonly name?: unknown;
}[];
/** What the taint of an input must be. */
export declare const inputTaintShape: Expected;
/** What an input holds: what its caller says of all of it, then what is said of its parts. */
export declare function taintOfInput(input: Marked, given: InputTaint | undefined): Taint | undefined;
/** What is said of parts, and of the parts of messages. */
export declare function taintOfParts(input: Marked, otherwise?: string): Taint | undefined;
/** What is said of a thing, which is `what` in words unless it is said otherwise. */
export declare function taintAs(given: InputTaint | undefined, what: string): Taint | undefined;
/** What was recorded, as somebody says it again. */
export declare const saidOf: ({ untrusted, private: secret }: Taint) => InputTaint;
export {};

// types/input.d.ts
/** Inputs: a text, parts, or earlier messages. */
import { type Message } from '@loom-agent/kernel';
import type { InputTaint } from './input-taint.ts';
/** A part of a user's message. */
export type InputPart = MarkedPart & PlainPart;
/** What a caller says of a part. */
interface MarkedPart {
    /** What it holds that others wrote, or that is private; default nothing. */
    readonly taint?: InputTaint | undefined;
}
type PlainPart = {
    readonly type: 'text';
    /** The words. */
    readonly text: string;
} | {
    readonly type: 'image';
    /** An address, base64, or bytes. */
    readonly image: string | URL | Uint8Array;
    /** Such as `image/png`; default `image/*`. */
    readonly mediaType?: string;
} | {
    readonly type: 'file';
    /** An address, base64, or bytes. */
    readonly data: string | URL | Uint8Array;
    /** Such as `application/pdf`. */
    readonly mediaType: string;
    /** The name of the file, shown to the model. */
    readonly name?: string;
} | {
    readonly type: 'data';
    /** Any JSON. */
    readonly data: unknown;
};
/** The AI SDK's message form, as `agent.messages()` gives it and any AI SDK app has it. */
export type UserMessages = readonly UserMessage[];
/** A message in the form of the AI SDK. */
export interface UserMessage {
    /** The author of the message. */
    readonly role: 'system' | 'user' | 'assistant' | 'tool';
    /** A text, or parts as the AI SDK has them. */
    readonly content: string | readonly {
        readonly type: string;
        readonly [key: string]: unknown;
    }[];
}
/** What a run takes. */
export type Input = string | readonly InputPart[] | UserMessages;
/** An input as messages of the conversation. Throws LOOM_INPUT_INVALID, with the path of what cannot be used. */
export declare function toMessages(input: Input): readonly Message[];
/** The same of what is read as a part of something else, whose failure says what it was. */
export declare function readMessages(input: Input): readonly Message[];
/** A user's message of one text. One without words would never be shown to a model. */
export declare function textMessage(text: string): Message;
/** Bytes as base64, in slices that fit the stack. */
export declare function toBase64(bytes: Uint8Array): string;
export {};

// types/moment.d.ts
/** `thread@seq`: the name of a moment. */
import { LoomError, type Seq } from '@loom-agent/kernel';
/** A thread, and the last event that counts. */
export interface Moment {
    /** The id of the thread. */
    readonly thread: string;
    /** The seq of the last event that has happened. */
    readonly seq: Seq;
}
/** Reads `thread@seq`. The seq is what follows the last @: a thread's name may hold others. */
export declare function parseMoment(text: string): Moment;
/** The error for a moment after the last event of its thread. */
export declare function notThereYet({ thread, seq }: Moment, last: Seq): LoomError;
/** Writes `thread@seq`. */
export declare function nameMoment({ thread, seq }: Moment): string;

// types/question.d.ts
/** Questions, as users see them. */
import type { Json, QuestionData } from '@loom-agent/kernel';
/** An open question. */
export interface Question {
    /** Names the question of this thread in any process, and none of another thread that takes the thread's name later. */
    readonly id: string;
    /** The id of the thread that asks. */
    readonly thread: string;
    /** What the question is about: a call, a limit, a hook, and so on. */
    readonly kind: QuestionData['kind'];
    /** The question in words. */
    readonly prompt: string;
    /** The call it is about, with the tool's name and the arguments as they would be used. */
    readonly call?: {
        readonly id: string;
        readonly tool: string;
        readonly input: Json;
    };
    /** How many agents above that of the thread the one is whose policy asks, and who answers; absent where it is the thread's own. */
    readonly above?: number;
    /** For a call: what an approval is bound to, the tool and the deciding rules, then, behind a point, the arguments. */
    readonly digest?: string;
    /** What is shown with the question. */
    readonly show?: Json;
    /** When it counts as rejected, in milliseconds since 1970; absent: never. */
    readonly expires?: number;
    /** How many people must approve. */
    readonly approvers: number;
    /** How many people have approved. */
    readonly approvals: number;
}

// types/reply-bounds.d.ts
/** What one reply of a model may hold. */
import { type Expected, type Shape } from '../platform/expected.ts';
/** The most that one reply of a model may hold. A reply that holds more is cancelled, and the run fails with `LOOM_REPLY_LIMIT`. */
export interface ReplyBounds {
    /** Characters of text and reasoning together; default 16,777,216. */
    readonly characters?: number;
    /** Pieces of the stream, whatever they hold; default 1,000,000. */
    readonly pieces?: number;
    /** Blocks of text and reasoning, calls, sources, files and whatever else a reply is made of; default 10,000. */
    readonly parts?: number;
    /** Calls, with those that the provider makes itself; default 1,000. */
    readonly calls?: number;
    /** Characters of one name, id or media type; default 20,000. */
    readonly name?: number;
    /** Characters of the arguments of all calls, as the model wrote them; default 8,388,608. One call may have 262,144 of them. */
    readonly arguments?: number;
    /** Characters of files, sources, metadata and other data of the provider; default 67,108,864. */
    readonly data?: number;
}
/** Bounds with every default filled in. */
export type CompleteBounds = Required<ReplyBounds>;
/** What the bounds of a reply must be. */
export declare const replyBoundsShape: Shape & Record<keyof ReplyBounds, Expected>;
/** Several times what the largest replies of today's models hold. */
export declare const defaultBounds: CompleteBounds;

// types/result.d.ts
/** The results of runs. */
import type { Failure, FilePart, Json, ModelReply, StopKind, Usage } from '@loom-agent/kernel';
import type { Question } from './question.ts';
/**
 * How a reply ended: `stop` (it is whole), `calls` (it calls tools), `length` (it was cut at its greatest length), `filtered` (a filter withheld it or a
 * part of it), `other` (the provider says nothing else).
 */
export type Finish = 'stop' | 'calls' | 'length' | 'filtered' | 'other';
/** A warning of a provider about a request, such as a setting that it does not know. */
export type ModelWarning = NonNullable<ModelReply['warnings']>[number];
/** A source that a reply names: a page, or a document. */
export type Source = {
    readonly type: 'url';
    /** The provider's id of the source. */
    readonly id: string;
    /** The address of the page. */
    readonly url: string;
    /** Its title, where the provider gives one. */
    readonly title?: string;
} | {
    readonly type: 'document';
    /** The provider's id of the source. */
    readonly id: string;
    /** The title of the document. */
    readonly title: string;
    /** What kind of document it is. */
    readonly mediaType: string;
    /** The name of its file, where the provider gives one. */
    readonly filename?: string;
};
interface CallOfStep {
    /** Loom's id of the call, `turn.index`. */
    readonly id: string;
    /** The name of the tool. */
    readonly tool: string;
    /** The arguments that counted: as the model proposed them, or as a hook or a human changed them. */
    readonly input: Json;
}
interface EndedCall extends CallOfStep {
    /** Milliseconds that its body took; absent when it took none. */
    readonly ms?: number;
}
interface ReturnedCall<Status extends string> extends EndedCall {
    readonly status: Status;
    /** What the tool returned, as the model reads it: a text, JSON, or the parts of `content()`. */
    readonly output: Json;
}
/** A call of a step; narrow on `status`. */
export type StepCall = ReturnedCall<'success'> | ReturnedCall<'warning'> | (EndedCall & {
    readonly status: 'error';
    /** What the model reads about the error. */
    readonly output: string;
    /** The kind of error, such as `failed`, `timeout`, `denied` or `rejected`. */
    readonly errorType: string;
    /** What was thrown, with its stack and its cause. Only in the process that ran the call; not enumerable, never stored. */
    readonly cause?: unknown;
}) | (CallOfStep & {
    readonly status: 'open';
    /** The call has no result yet. */
    readonly output?: undefined;
});
/** One turn of a run: a reply of the model, and the calls that it made. */
export interface Step {
    /** The number of the turn on its thread. */
    readonly turn: number;
    /** The text of the reply, without reasoning. */
    readonly text: string;
    /** The reasoning of the reply, where the provider shows it; else empty. */
    readonly reasoning: string;
    /** How the reply ended. */
    readonly finish: Finish;
    /** The calls of the reply, in order. */
    readonly calls: readonly StepCall[];
    /** Tokens of the reply. */
    readonly usage: Usage;
    /** Integer micro-units; undefined when the price is not known. */
    readonly cost: number | undefined;
    /** The model that replied, where the provider names another than was asked. */
    readonly model?: string;
    /** What the provider warned of. */
    readonly warnings: readonly ModelWarning[];
    /** The sources that the reply names. */
    readonly sources: readonly Source[];
    /** The files that the model made. */
    readonly files: readonly FilePart[];
}
/** What a result says about the turns of its run. It is put together when it is first looked at. */
export interface StepDetails {
    /** The turns of the run with their calls, in order. */
    readonly steps: readonly Step[];
    /** The warnings of all steps, each once. */
    readonly warnings: readonly ModelWarning[];
    /** The sources of all steps, each once. */
    readonly sources: readonly Source[];
    /** The files of all steps. */
    readonly files: readonly FilePart[];
}
interface Ended extends StepDetails {
    /** The id of the thread. */
    readonly thread: string;
    /** The id of the run on its thread: `r1`, `r2`, and so on. */
    readonly run: string;
    /** The answer, or as much of it as there is. */
    readonly text: string;
    /** How the last reply ended; undefined before the first. */
    readonly finish: Finish | undefined;
    /** Tokens of all model calls of the run. */
    readonly usage: Usage;
    /** Integer micro-units; undefined when a price is not known. */
    readonly cost: number | undefined;
    /** Turns that the run took. */
    readonly turns: number;
    /** Open questions, also those of children. */
    readonly questions: readonly Question[];
}
/** Done: the model has answered, and its answer is whole. */
export interface Done<Output> extends Ended {
    readonly status: 'done';
    /** The answer in the form of `output`; the text when the agent has none. */
    readonly output: Output;
    /** How the last reply ended. */
    readonly finish: Finish;
}
/** A durable body that waits for a signal. */
export interface SignalWait {
    /** The thread that the signal is sent to. */
    readonly thread: string;
    /** The name of the signal. */
    readonly signal: string;
    /** When the wait ends without it, in milliseconds since 1970; `undefined`: never. */
    readonly until: number | undefined;
}
/** Waiting: for an answer, a signal, a time, or a caller that resumes it. Its text is not the final answer. */
export interface Waiting extends Ended {
    readonly status: 'waiting';
    /** What it waits for first: an answer to `questions`, a caller that resumes what was paused, a signal of `waits`, or the time `until`. */
    readonly reason: 'question' | 'paused' | 'signal' | 'time';
    /** When it, or a child of it, goes on by itself, in milliseconds since 1970; `undefined` when only an answer, a signal or a caller helps. */
    readonly until: number | undefined;
    /** The signals it waits for, also those of children. */
    readonly waits: readonly SignalWait[];
    /** The threads of the children whose end it waits for. */
    readonly children: readonly string[];
    /** Why `onQuestion` left a question open, where it threw or returned what is no answer. */
    readonly error?: Failure;
}
/** Stopped: by a request, a limit, a budget or a loop, or because the last reply was cut or filtered. The text so far is in `text`. */
export interface Stopped extends Ended {
    readonly status: 'stopped';
    /** What stopped it: `length` says that the last reply was cut at its greatest length, `filtered` that a filter withheld it or a part of it. */
    readonly kind: StopKind;
    /** Why, in words; of a limit also what is pending. */
    readonly reason: string;
    /** The reason of the `AbortSignal` that stopped it. Only in the process that has the signal; not enumerable, never stored. */
    readonly cause?: unknown;
}
/** Failed: `resume` tries again from where it failed. */
export interface Failed extends Ended {
    readonly status: 'failed';
    /** What went wrong; `recoverable` says whether `resume` can help. */
    readonly error: Failure;
    /** What was thrown, with its stack and its cause. Only in the process where the run failed; not enumerable, never stored. */
    readonly cause?: unknown;
}
/** The result of a run; narrow on `status`, or take `done(result)`. */
export type Result<Output = string> = Done<Output> | Waiting | Stopped | Failed;
type ResultOfChild<R extends Done<unknown> | Stopped | Failed> = Omit<R, 'thread' | 'run' | 'usage' | 'cost' | 'questions' | 'finish' | 'cause' | keyof StepDetails>;
/** The result of a child, as `ctx.run` returns it; narrow on `status`. The run of its parent counts its tokens and its cost. */
export type ChildResult<Output = string> = ResultOfChild<Done<Output>> | ((ResultOfChild<Stopped> | ResultOfChild<Failed>) & LeftInDoubt);
/** Whether a child that did not get done may have done more than it says. */
type LeftInDoubt = {
    /** There when it is not known whether one of its last calls happened. */
    readonly inDoubt?: true;
};
/** The result of a child as its parent records it. */
export type ChildRecord = {
    readonly status: 'done' | 'stopped' | 'failed';
    readonly text: string;
    readonly output?: Json;
    readonly kind?: Stopped['kind'];
    readonly reason?: string;
    readonly turns: number;
} & LeftInDoubt;
export {};

// types/run-event.d.ts
/** What a run emits. */
import type { LoomEvent } from '@loom-agent/kernel';
import type { Signal } from './signal.ts';
/** A durable event, or a live and provisional signal. */
export type RunEvent = LoomEvent | Signal;

// types/schema.d.ts
/** Schemas: any Standard Schema that also has a JSON Schema, or a JSON Schema as it is. */
import { type JsonObject } from '@loom-agent/kernel';
import type { StandardSchemaV1 } from '@standard-schema/spec';
/** A Standard Schema, as zod, valibot and arktype give them. */
export type Schema = StandardSchemaV1;
/** What a schema lets through. */
export type Infer<S extends Schema> = StandardSchemaV1.InferOutput<S>;
/** A value as the journal returns it: as JSON has it. A date is a text then, a set is a list, and nothing is `null`. */
export type Recorded<T> = unknown extends T ? T : T extends string | number | boolean | null ? T : T extends void ? null : T extends {
    toJSON(...args: never[]): infer R;
} ? Recorded<R> : T extends bigint | symbol | Uint8Array | ((...args: never[]) => unknown) ? string : T extends ReadonlyMap<unknown, infer V> ? {
    [key: string]: Recorded<V>;
} : T extends ReadonlySet<infer V> ? Recorded<V>[] : T extends readonly unknown[] ? {
    [K in keyof T]: Recorded<T[K]>;
} : {
    [K in keyof T]: Recorded<Exclude<T[K], undefined>> | Extract<T[K], undefined>;
};
/** The verdict of a schema on a value. The problem is a clause without a full stop, so that a sentence can go on with it. */
export type Validated = {
    readonly kind: 'valid';
    readonly value: unknown;
} | {
    readonly kind: 'invalid';
    readonly problem: string;
};
/** Validates a value; synchronous when the schema is. A schema that throws has refused the value. */
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
}): StandardSchemaV1<T, T>;

// types/signal.d.ts
/** Signals: live and provisional. They name the attempt they belong to; a newer attempt retracts them. */
/** Where a signal belongs. */
export interface SignalPlace {
    /** The id of the thread. */
    readonly thread: string;
    /** The run that is under way. */
    readonly run: string;
    /** The turn that is under way. */
    readonly turn: number;
}
interface FromModel extends SignalPlace {
    /** Which attempt at the model; a later attempt retracts the signals of earlier ones. */
    readonly attempt: number;
}
interface ModelSignal extends FromModel {
    readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end';
}
interface ModelDelta extends FromModel {
    readonly type: 'text-delta' | 'reasoning-delta';
    /** The next piece of text. */
    readonly text: string;
    /** Given to a viewer that joins in the middle of a reply, or comes back to it: `text` is all of it so far, in place of what the viewer has. */
    readonly isWhole?: true;
}
/** The model writes the arguments of a call. */
interface ArgumentSignal extends FromModel {
    /** The provider's id of the call. */
    readonly id: string;
}
interface ArgumentStart extends ArgumentSignal {
    readonly type: 'input-start';
    /** The tool that the model calls. */
    readonly tool: string;
}
interface ArgumentDelta extends ArgumentSignal {
    readonly type: 'input-delta';
    /** The next piece of the arguments' JSON. */
    readonly text: string;
}
interface ArgumentEnd extends ArgumentSignal {
    readonly type: 'input-end';
}
interface FromCall extends SignalPlace {
    /** The call, by its id `turn.index`. */
    readonly call: string;
    /** The tool that runs. */
    readonly tool: string;
}
interface CallSignal extends FromCall {
    readonly type: 'tool-start' | 'tool-end';
}
interface CallProgress extends FromCall {
    readonly type: 'tool-delta';
    /** What the tool passed to `progress`, or yielded. */
    readonly data: unknown;
}
/** Signals were dropped for this viewer; events never are. */
interface Gap extends SignalPlace {
    readonly type: 'gap';
}
/** What a viewer may see before it is a fact. */
export type Signal = ModelSignal | ModelDelta | ArgumentStart | ArgumentDelta | ArgumentEnd | CallSignal | CallProgress | Gap;
/** Whether something that a run emitted is a signal. */
export declare function isSignal(event: {
    readonly type: string;
}): event is Signal;
export {};

// types/taint-label.d.ts
/** What inputs and results may hold. */
import { type Expected } from '../platform/expected.ts';
/** What a result may hold: what others wrote, or what is private. */
export type TaintLabel = 'untrusted' | 'private';
/** Both. */
export declare const taintLabels: readonly TaintLabel[];
/** A label, or a list of labels. */
export declare const labelsShape: Expected;

// types/wait.d.ts
/** Waiting for a signal in a durable body. */
import type { Json } from '@loom-agent/kernel';
import type { InputTaint } from './input-taint.ts';
import type { Infer, Schema } from './schema.ts';
/** How a durable body waits for a signal. */
export interface WaitOptions<S extends Schema = Schema> {
    /** When the wait ends without a signal: a date, or milliseconds since 1970, not a duration; default: never. */
    readonly until?: number | Date;
    /** What the value must fit; types it. A value that does not fit throws `LOOM_SIGNAL_INVALID` in the body. */
    readonly schema?: S;
}
/** How a wait ended: the signal came, or its time passed. */
export type Received<S extends Schema = Schema> = {
    readonly status: 'received';
    /** What was sent. */
    readonly value: unknown extends Infer<S> ? Json : Infer<S>;
} | {
    readonly status: 'expired';
};
/** Who sends a signal, and what it holds. */
interface SignalOptions {
    readonly by?: string | undefined;
    readonly taint?: InputTaint | undefined;
}
/** What is sent besides the thread: the name, a value that is stored as JSON, the sender, and what of it others wrote. */
export type SignalArguments = [name: string, value?: unknown, options?: SignalOptions];
export {};

// types/workspace.d.ts
/** Workspaces: folders whose files agents change, as the rest of Loom sees them. */
import type { FileChange, FileConflict, FileMode } from '@loom-agent/kernel';
import { type Expected } from '../platform/expected.ts';
/** What a file is now: the hash of its content and how it is stored, both null where there is none; or why it may not be looked at. */
export type FoundFile = {
    /** The SHA-256 of its content; that of a link is the path that it leads to. */
    readonly hash: string | null;
    /** Its permission bits, or that it is a link. */
    readonly mode: FileMode;
} | {
    /** Why it may not be looked at. */
    readonly refused: string;
};
/** A file that is put back. */
export interface FileToPut {
    /** The state that it must have, and the one that it is to have. */
    readonly change: FileChange;
    /** The content that it is to have; null where it is to be removed, absent where only its permissions are to change. */
    readonly content?: Uint8Array | null | undefined;
    /** Stays the same when the same file is put back again after a crash. */
    readonly key: string;
}
/** Whether only the permissions of a file are to change. */
export declare const isModeOnly: ({ before, after, modes: [was, is] }: FileChange) => boolean;
/** A folder whose files are changed by agents and by people. `workspace()` of `@loom-agent/tools` makes one. */
export interface Workspace {
    /** The name under which changes of its files are recorded. */
    readonly name: string;
    /** What a file is now. */
    look(path: string): Promise<FoundFile>;
    /**
     * Puts one file back, whole or not at all: only from the state that it must have, and with no effect where it has the one that it is to have. Returns what
     * stands in the way, and never rejects for it.
     */
    put(file: FileToPut): Promise<FileConflict | undefined>;
}
/** What a workspace must be. */
export declare const aWorkspace: Expected;

// view/cache-report.d.ts
/**
 * What prompt caches saved and lost: a fold over events.
 *
 * Nothing of it is stored: a rebase names its cause, and the usage of the replies around it shows what it cost.
 */
import { type LoomEvent } from '@loom-agent/kernel';
import type { Ports } from '../platform/ports.ts';
/** What a run sent, and how much of it a cache had. */
export interface RunCache {
    /** The id of the thread. */
    readonly thread: string;
    /** The id of the run. */
    readonly run: string;
    /** How many replies it had. */
    readonly replies: number;
    /** All tokens that were sent. */
    readonly input: number;
    /** Those that were read from a cache. */
    readonly cacheRead: number;
    /** The part of the input that was read from a cache, from 0 to 1; undefined when nothing was sent. */
    readonly hitRate: number | undefined;
}
/** Tokens that were cached, and had to be sent again. */
export interface CacheLoss {
    /** The moment: `thread@seq`. */
    readonly at: string;
    /** The turn that paid for it. */
    readonly turn: number;
    /** Tokens that were cached and were not read any more. */
    readonly tokens: number;
    /** What they cost more than if they had been read, in integer micro-units; undefined without a known price. */
    readonly cost: number | undefined;
}
/** A rebase, its cause, and what it cost in cache. One that no reply has followed has cost nothing yet. */
export interface RebaseCost extends CacheLoss {
    /** Why earlier bytes were changed, as `context.assembled` has it. */
    readonly cause: string;
}
/** A cache that was not read although the context only grew. */
export interface BrokenCache extends CacheLoss {
    /** What changed: the model, the settings or the output schema, the messages by a hook, or nothing but time (more than five minutes); else the vendor did not keep it. */
    readonly by: 'model' | 'settings' | 'hook' | 'time' | 'vendor';
}
/** What prompt caches saved and lost. */
export interface CacheReport {
    /** The part of all input that was read from a cache, from 0 to 1; undefined when nothing was sent. */
    readonly hitRate: number | undefined;
    /** The runs, in the order of their first replies. */
    readonly runs: readonly RunCache[];
    /** The rebases, in order. */
    readonly rebases: readonly RebaseCost[];
    /** Caches that were broken by something else, in order. */
    readonly broken: readonly BrokenCache[];
}
/** The options of `cacheReport`. */
export interface CacheReportOptions {
    /** The price of a call, as the agent has it in its ports; without it no cost is known. */
    readonly price?: Ports['price'];
}
/**
 * What prompt caches saved and lost, by the events of one thread or of many, each from its first on.
 *
 * @example
 * const { hitRate, rebases, broken } = cacheReport(await Array.fromAsync(readEvents(journal, 't')), { price })
 */
export declare function cacheReport(events: Iterable<LoomEvent>, options?: CacheReportOptions): CacheReport;

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
 * Resolves when the stream ends; rejects with what a listener throws or rejects with. The next event comes when a listener has returned.
 */
export declare function subscribe(events: AsyncIterable<RunEvent>, listeners: KindListeners): Promise<void>;

// view/statistics.d.ts
/** Statistics of runs and tools: a fold over events. */
import { type LoomEvent } from '@loom-agent/kernel';
import { type ObservingHook } from '../hook/built-in/observing-hook.ts';
/** How often something ended, how often well, and how long it took on average. The rate and the mean of nothing are undefined. */
export interface Figures {
    /** How many have ended. */
    readonly count: number;
    /** The part that ended well, from 0 to 1; `undefined` when nothing has ended. */
    readonly successRate: number | undefined;
    /** Milliseconds; the time that a run waits does not count, that of its earlier ends does. */
    readonly meanMs: number | undefined;
}
/** Figures of runs, and of each tool. */
export interface Statistics {
    /** Every end counts: a run that failed and was resumed has ended twice. */
    readonly runs: Figures;
    /** Calls by the name of their tool. */
    readonly tools: {
        readonly [tool: string]: Figures;
    };
}
/** A hook that keeps statistics. */
export interface StatisticsHook extends ObservingHook {
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
