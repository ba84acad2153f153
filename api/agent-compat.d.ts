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

// compat/agent.d.ts
import type { Agent as LoomAgent } from '../agent-type.ts';
import type { RunOptions } from '../definition/agent-options.ts';
import type { Model } from '../model/model.ts';
import type { RunHandle } from '../run/run-handle.ts';
import type { Input } from '../types/input.ts';
import type { AgentEvent } from './events/agent-event.ts';
import { type AgentStreamResponse } from './events/stream-response.ts';
import { type CompatOptions } from './options.ts';
import { type Task } from './task.ts';
/**
 * An agent by its documented name. `AgentExecutor` is another name of it.
 *
 * @example
 * const math = Agent.create(llm, { systemPrompt: 'Be exact.', tools: [add] })
 * console.log(await math.run('2+2?'))
 */
export declare class Agent {
    #private;
    /** Loom's own agent: everything that this class does not offer. */
    readonly loom: LoomAgent;
    constructor(options: CompatOptions);
    /** Makes an agent of a model and options. */
    static create(llm: Model, options?: Omit<CompatOptions, 'llm' | 'llmProvider'>): Agent;
    /** Makes an agent step by step. */
    static builder(llm: Model): AgentBuilder;
    /** Text in, text out; throws when there is no text to give. What a limit or a loop left unfinished is given as far as it goes. */
    run(input: Input, options?: RunOptions): Promise<string>;
    /** The events of a new run. */
    stream(input: Input, options?: RunOptions): AsyncGenerator<AgentEvent, void>;
    /** The events of a new run: the recursion, turn by turn. */
    tt(input: Input, options?: RunOptions): AsyncGenerator<AgentEvent, void>;
    /** The seven stream types of a new run. */
    execute(input: Input, options?: RunOptions): AsyncGenerator<AgentStreamResponse, void>;
    /** Starts a run and returns its handle at once, for an EventBus or a SteeringControl. */
    start(input: Input, options?: RunOptions): RunHandle;
    /** Goes on with a thread after a crash, an answer, a pause, a failure or a raised limit; of a run that is over, returns its end. */
    resume(threadId: string): AsyncGenerator<AgentEvent, void>;
    /** A task in, a task out; how the task ended is in its status, never thrown. */
    executeTask(task: Task, options?: RunOptions): Promise<Task>;
}
/** Options one after another. Every step makes a new builder, so that one can be the start of several agents. */
export declare class AgentBuilder {
    #private;
    constructor(options: CompatOptions);
    /** Sets the name of the agent. */
    withName(nodeId: string): AgentBuilder;
    /** Sets the instructions. */
    withSystemPrompt(systemPrompt: string): AgentBuilder;
    /** Sets the tools, as a list or keyed by name. */
    withTools(tools: NonNullable<CompatOptions['tools']>): AgentBuilder;
    /** Sets the limit of turns for each run; default 50. */
    withMaxIterations(maxIterations: number): AgentBuilder;
    /** Sets the hooks, in the order in which they are called. */
    withHooks(hooks: NonNullable<CompatOptions['hooks']>): AgentBuilder;
    /** Sets permissions as a map of tool names to verdicts. */
    withPermissionPolicy(permissionPolicy: NonNullable<CompatOptions['permissionPolicy']>): AgentBuilder;
    /** Sets permissions as a policy of Loom. */
    withToolPolicy(toolPolicy: NonNullable<CompatOptions['toolPolicy']>): AgentBuilder;
    /** Sets the journal; default: in memory. */
    withEventJournal(eventJournal: NonNullable<CompatOptions['eventJournal']>): AgentBuilder;
    /** Sets the thread of all runs; default: a new one for each. */
    withThreadId(threadId: string): AgentBuilder;
    /** Ends runs only through the tool `done`. */
    withRequireDoneTool(requireDoneTool?: boolean): AgentBuilder;
    /** The agent. */
    build(): Agent;
}

// compat/defaults.d.ts
/** The numbers that the original Python project fixes. Times are milliseconds. */
/** Defaults of the original Python project; the mapping page says which of them are in force. */
export declare const defaults: {
    readonly maxIterations: 50;
    readonly childMaxIterations: 10;
    readonly maxConcurrency: 10;
    readonly toolTimeout: 120000;
    readonly outputLimit: 10000;
    readonly loopWindow: 5;
    readonly retry: {
        readonly attempts: 3;
        readonly delay: 1000;
        readonly factor: 2;
        readonly cap: 60000;
    };
    readonly circuitBreaker: {
        readonly failureRate: 0.5;
        readonly openFor: 60000;
    };
    readonly requestsPerMinute: 60;
    readonly contextWindow: 200000;
    readonly compression: {
        readonly trigger: 0.92;
        readonly warning: 0.8;
        readonly target: 0.75;
        readonly sectionTokens: 512;
    };
    readonly aggressiveCompression: {
        readonly trigger: 0.8;
        readonly target: 0.5;
        readonly sectionTokens: 256;
    };
    readonly exportInterval: 60000;
    readonly backupInterval: 300000;
    readonly ports: {
        readonly api: 8000;
        readonly metrics: 9091;
    };
};

// compat/errors.d.ts
/** The names of all errors in the original Python project. */
export declare const errorNames: readonly ['LoomException', 'ToolException', 'ToolNotFoundError', 'ToolUnavailableError', 'ToolValidationError', 'ToolExecutionTimeout', 'PermissionDeniedError', 'LLMException', 'LLMRateLimitError', 'LLMContextLengthError', 'MemoryException', 'CompressionFailedError', 'ExecutionAbortedError', 'CircuitBreakerOpenError'];
/** The name of an error in the original Python project. */
export type ErrorName = (typeof errorNames)[number];
/** The name of an error in the original Python project, by its code or by the error type of a tool result. */
export declare function errorNameOf(code: string): ErrorName;

// compat/events/agent-event.d.ts
/** The 29 events of the original Python project, as types: names in upper case, values in lower case, and what each carries. */
import type { Failure, Json, Usage } from '@loom-agent/kernel';
/** Every event type by its name in the original Python project. */
export declare const AgentEventType: {
    readonly PHASE_START: 'phase_start';
    readonly PHASE_END: 'phase_end';
    readonly CONTEXT_ASSEMBLY_START: 'context_assembly_start';
    readonly CONTEXT_ASSEMBLY_COMPLETE: 'context_assembly_complete';
    readonly COMPRESSION_APPLIED: 'compression_applied';
    readonly RETRIEVAL_START: 'retrieval_start';
    readonly RETRIEVAL_PROGRESS: 'retrieval_progress';
    readonly RETRIEVAL_COMPLETE: 'retrieval_complete';
    readonly LLM_START: 'llm_start';
    readonly LLM_DELTA: 'llm_delta';
    readonly LLM_COMPLETE: 'llm_complete';
    readonly LLM_TOOL_CALLS: 'llm_tool_calls';
    readonly TOOL_CALLS_START: 'tool_calls_start';
    readonly TOOL_EXECUTION_START: 'tool_execution_start';
    readonly TOOL_PROGRESS: 'tool_progress';
    readonly TOOL_RESULT: 'tool_result';
    readonly TOOL_ERROR: 'tool_error';
    readonly TOOL_CALLS_COMPLETE: 'tool_calls_complete';
    readonly ITERATION_START: 'iteration_start';
    readonly ITERATION_END: 'iteration_end';
    readonly RECURSION: 'recursion';
    readonly RECURSION_TERMINATED: 'recursion_terminated';
    readonly AGENT_FINISH: 'agent_finish';
    readonly MAX_ITERATIONS_REACHED: 'max_iterations_reached';
    readonly EXECUTION_CANCELLED: 'execution_cancelled';
    readonly ERROR: 'error';
    readonly RECOVERY_ATTEMPT: 'recovery_attempt';
    readonly RECOVERY_SUCCESS: 'recovery_success';
    readonly RECOVERY_FAILED: 'recovery_failed';
};
/** The type of an event. */
export type AgentEventType = (typeof AgentEventType)[keyof typeof AgentEventType];
/** A part of a turn that has a beginning and an end. */
export type EventPhase = 'context_assembly' | 'llm_call' | 'tool_execution' | 'resume';
/** A call as the original Python project shows it; the id is Loom's own. */
export interface ToolCall {
    /** Loom's own id of the call: `turn.index`. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** The arguments. */
    readonly arguments: Json;
}
/** A result as the original Python project shows it. */
export interface ToolResult {
    /** Loom's own id of the call: `turn.index`. */
    readonly toolCallId: string;
    /** The name of the tool. */
    readonly toolName: string;
    /** How the call ended. */
    readonly status: 'success' | 'error' | 'warning';
    /** What the model reads, as text. */
    readonly content: string;
    /** Whether the call ended with an error. */
    readonly isError: boolean;
    /** Milliseconds that the tool ran. */
    readonly executionTimeMs: number;
    /** The kind of error, whether the result was empty, and milliseconds by stage. */
    readonly metadata: {
        readonly errorType?: string;
        readonly emptyResponse?: boolean;
        readonly stageBreakdown?: Json;
    };
}
/** The counts of a run. */
export interface RunTotals {
    readonly iterations: number;
    readonly toolCalls: number;
    readonly errors: number;
}
/** An attempt to recover from a failure. */
export interface RecoveryStep {
    readonly strategy: 'retry' | 'takeover' | 'compression';
    readonly attempt: number;
}
/** What each event carries besides its origin. */
export interface AgentEventPayloads {
    readonly phase_start: {
        readonly phase: EventPhase;
    };
    readonly phase_end: {
        readonly phase: EventPhase;
    };
    readonly context_assembly_start: object;
    readonly context_assembly_complete: {
        readonly rebase?: string;
        readonly tools?: readonly string[];
    };
    readonly compression_applied: {
        readonly tokensBefore?: number;
        readonly tokensAfter?: number;
        readonly summary: string;
    };
    readonly retrieval_start: {
        readonly query: string;
    };
    readonly retrieval_progress: {
        readonly id: string;
        readonly title?: string;
        readonly score?: number;
    };
    readonly retrieval_complete: {
        readonly query: string;
        readonly documentCount: number;
    };
    readonly llm_start: {
        readonly attempt: number;
        readonly model?: string;
    };
    readonly llm_delta: {
        readonly content: string;
    };
    readonly llm_complete: {
        readonly content: string;
        readonly usage: Usage;
        readonly cost?: number;
        readonly finish: string;
    };
    readonly llm_tool_calls: {
        readonly toolCalls: readonly ToolCall[];
    };
    readonly tool_calls_start: {
        readonly toolCalls: readonly ToolCall[];
    };
    readonly tool_execution_start: {
        readonly toolCall: ToolCall;
    };
    readonly tool_progress: {
        readonly toolCall: ToolCall;
        readonly status: unknown;
    };
    readonly tool_result: {
        readonly toolResult: ToolResult;
    };
    readonly tool_error: {
        readonly toolResult: ToolResult;
    };
    readonly tool_calls_complete: {
        readonly resultsCount: number;
    };
    readonly iteration_start: {
        readonly parentTurnId?: string;
    };
    readonly iteration_end: object;
    readonly recursion: {
        /** The moments `thread@seq` at which the turns were entered. */
        readonly from: string;
        readonly to: string;
        readonly depth: number;
        readonly tools: readonly string[];
        /** Messages of the run so far. */
        readonly messageCount: number;
        /** A repetition that was noticed: a warning, or a note to the model as well. */
        readonly loop?: {
            readonly level: 'warn' | 'nudge';
            readonly tool: string;
            readonly count: number;
        };
    };
    readonly recursion_terminated: RunTotals & {
        readonly reason: string;
        readonly kind: 'loop' | 'budget' | 'limit' | 'length' | 'filtered';
        readonly content: string;
        readonly lastTools: readonly string[];
    };
    readonly agent_finish: RunTotals & {
        readonly content: string;
        readonly output?: Json;
    };
    readonly max_iterations_reached: RunTotals & {
        readonly max: number;
        readonly reason: string;
        readonly content: string;
    };
    readonly execution_cancelled: {
        /** True when the run only waits: for an answer, a time or a resumption. */
        readonly interrupt: boolean;
        readonly reason: string;
        readonly correlationId: string;
        readonly questions: readonly {
            readonly id: string;
            readonly prompt: string;
        }[];
    };
    readonly error: {
        readonly error: Failure;
        readonly stage: EventPhase | 'run';
    };
    readonly recovery_attempt: RecoveryStep & {
        readonly error: Failure;
        readonly at: number | undefined;
    };
    readonly recovery_success: RecoveryStep;
    readonly recovery_failed: RecoveryStep & {
        readonly error: Failure;
    };
}
/** Where an event belongs. */
export interface EventOrigin {
    /** The id of the thread. */
    readonly thread: string;
    /** The id of the run on its thread. */
    readonly run: string;
    /** Milliseconds since 1970; a signal has the time of the latest fact. */
    readonly timestamp: number;
    /** The turn, counted from 1 in its run; in its thread when the run's start was not seen. */
    readonly iteration: number;
    /** The name of the turn: `thread/turn`. */
    readonly turnId: string;
}
/** An event of one type. */
export type AgentEventOf<T extends AgentEventType> = EventOrigin & {
    /** What has happened. */
    readonly type: T;
} & AgentEventPayloads[T];
/** Any event. */
export type AgentEvent = {
    [T in AgentEventType]: AgentEventOf<T>;
}[AgentEventType];
/** Whether a run has come to its end. A cancelled run has; one that only waits has not. */
export declare function isTerminal(event: AgentEvent): boolean;
/** Whether an event is a piece of what the model says. */
export declare function isLlmContent(event: AgentEvent): event is AgentEventOf<'llm_delta'>;
/** Whether an event is about calls. */
export declare function isToolEvent(event: AgentEvent): boolean;

// compat/events/collect.d.ts
/** Collecting events, and reading the collection. */
import { type AgentEvent, type AgentEventOf, type AgentEventType, type ToolResult } from './agent-event.ts';
/** Events that were collected. */
export interface EventCollection {
    /** All events, in order. */
    readonly events: readonly AgentEvent[];
    /** The events of one type. */
    filter<T extends AgentEventType>(type: T): readonly AgentEventOf<T>[];
    /** The text of the model: every complete reply, and what there is of the one under way. Text of a failed attempt does not count. */
    llmContent(): string;
    /** The results of all calls, errors included. */
    toolResults(): readonly ToolResult[];
    /** The errors of runs and of calls. */
    errors(): readonly AgentEventOf<'error' | 'tool_error'>[];
    /** The final text, or as much of it as there was when the run stopped; undefined while the run has not ended. */
    finalResponse(): string | undefined;
}
/**
 * Collects the events of a stream until it ends.
 *
 * @example
 * const seen = await collectEvents(agentEvents(run.events()))
 * console.log(seen.toolResults().length, seen.finalResponse())
 */
export declare function collectEvents(events: AsyncIterable<AgentEvent> | Iterable<AgentEvent>): Promise<EventCollection>;

// compat/events/filter.d.ts
/**
 * Filtering events.
 *
 * COMPAT-3. Batching joins adjacent pieces of text, and nothing else: the order of events does not change.
 */
import type { Clock } from '@loom-agent/kernel';
import { type AgentEvent, type AgentEventType } from './agent-event.ts';
/** Which events are wanted, and how pieces of text are joined. */
export interface EventFilter {
    /** Only these; all when absent. */
    readonly allowed?: readonly AgentEventType[];
    /** None of these; default: none is left out. */
    readonly blocked?: readonly AgentEventType[];
    /** Joins up to `size` pieces of text (default 10), or as many as come within `ms` milliseconds (default 100). */
    readonly batch?: {
        readonly size?: number;
        readonly ms?: number;
        readonly clock?: Clock;
    };
}
/** The wanted events of a stream, in order. */
export declare function filterEvents(events: AsyncIterable<AgentEvent>, filter: EventFilter): AsyncGenerator<AgentEvent, void>;

// compat/events/node-events.d.ts
/** The four events of a node: thinking, tool_call, tool_result and message, as a projection. */
import type { RunEvent } from '../../types/run-event.ts';
import type { ToolCall, ToolResult } from './agent-event.ts';
/** An event of a node. */
export type NodeEvent = {
    /** The id of the thread. */
    readonly thread: string;
} & ({
    readonly type: 'thinking' | 'message';
    /** What the model thought or said. */
    readonly text: string;
} | {
    readonly type: 'tool_call';
    /** The call that was started. */
    readonly toolCall: ToolCall;
} | {
    readonly type: 'tool_result';
    /** The result of a call. */
    readonly toolResult: ToolResult;
});
/** The node events of a stream. Thinking is the model's reasoning, and its text beside calls. */
export declare function nodeEvents(events: AsyncIterable<RunEvent>): AsyncGenerator<NodeEvent, void>;

// compat/events/projection.d.ts
/**
 * The event stream of the original Python project, as a projection of Loom's events and signals.
 *
 * COMPAT-1. Starts and ends are paired: a phase, a turn or the calls of a turn that begin also end before the run does.
 * COMPAT-2. A stream without signals has the same events, from the facts; only the live progress of tools is missing.
 */
import { type Frame } from '@loom-agent/kernel';
import type { RunEvent } from '../../types/run-event.ts';
import type { AgentEvent } from './agent-event.ts';
/**
 * The events of the original Python project for a stream of events and signals, those of children included where the stream has them.
 *
 * To join a run in the middle, give the frame after which the stream begins; events up to it are passed over.
 *
 * @example
 * for await (const event of agentEvents(run.events())) if (event.type === AgentEventType.LLM_DELTA) write(event.content)
 */
export declare function agentEvents(events: AsyncIterable<RunEvent>, options?: {
    after?: Frame;
}): AsyncGenerator<AgentEvent, void>;
/**
 * Creates a projection of the events of many threads, one event at a time.
 *
 * It keeps the frame of each thread that is under way. A run that can have no further event is forgotten: memory does not grow with the stream.
 */
export declare function createProjection(after?: Frame): (event: RunEvent) => readonly AgentEvent[];

// compat/events/stream-response.d.ts
/** The seven stream types of the original Python project's executor. */
import type { RunEvent } from '../../types/run-event.ts';
import type { ToolCall, ToolResult } from './agent-event.ts';
/** The seven types. */
export declare const streamTypes: readonly ['stream_start', 'text_delta', 'tool_calls_start', 'tool_result', 'agent_finish', 'aborted', 'error'];
/** An item of the executor's stream. */
export type AgentStreamResponse = {
    readonly type: 'stream_start';
    /** The id of the thread. */
    readonly thread: string;
    /** The id of the run on its thread. */
    readonly run: string;
} | {
    readonly type: 'text_delta';
    /** The next piece of text, the final text, or what went wrong. */
    readonly content: string;
} | {
    readonly type: 'tool_calls_start';
    /** The calls of the turn. */
    readonly toolCalls: readonly ToolCall[];
} | {
    readonly type: 'tool_result';
    /** The result of one call. */
    readonly result: ToolResult;
} | {
    readonly type: 'agent_finish';
    readonly content: string;
    /** Why it ended before the model was done, or was aborted. */
    readonly reason?: string;
    /** Turns that the run took. */
    readonly iterations: number;
    /** The limit of turns, where it was reached. */
    readonly maxIterations?: number;
} | {
    readonly type: 'aborted';
    readonly reason: string;
    /** Whether the run only waits. */
    readonly interrupt: boolean;
} | {
    readonly type: 'error';
    /** The code of the error. */
    readonly code: string;
    readonly content: string;
};
/**
 * The stream of the original Python project's executor.
 *
 * @example
 * for await (const response of streamResponses(run.events())) if (response.type === 'text_delta') write(response.content)
 */
export declare function streamResponses(events: AsyncIterable<RunEvent>): AsyncGenerator<AgentStreamResponse, void>;

// compat/hooks.d.ts
import { type LoggingOptions } from '../hook/built-in/logging-hook.ts';
import type { ObservingHook } from '../hook/built-in/observing-hook.ts';
import { type Hook, type ProposedCall } from '../hook/hook.ts';
/** Asks a user whether a call may run; a promise is waited for. */
export type AskUser = (message: string, call: ProposedCall) => boolean | Promise<boolean>;
/**
 * A human in the loop: the named tools run only when a user allows it.
 *
 * With a callback the user is asked here and now; without one the question is durable and anybody may answer it, from any process.
 */
export declare class HITLHook implements Hook {
    /** Its name in events and errors. */
    readonly name: string;
    /** Asks about the named tools. */
    readonly beforeToolExecution: NonNullable<Hook['beforeToolExecution']>;
    constructor(dangerousTools: readonly string[], askUserCallback?: AskUser);
}
/** Writes a line for what happens. */
export declare class LoggingHook implements ObservingHook {
    /** Its name in events and errors. */
    readonly name: string;
    /** Writes a line about an event. */
    readonly observe: ObservingHook['observe'];
    constructor(options?: LoggingOptions);
}
/** Counts turns, model calls, tool calls and errors. */
export declare class MetricsHook implements ObservingHook {
    #private;
    /** Its name in events and errors. */
    readonly name: string;
    /** Counts an event. */
    readonly observe: ObservingHook['observe'];
    constructor();
    /** What was counted so far. */
    getMetrics(): {
        readonly iterations: number;
        readonly llmCalls: number;
        readonly toolExecutions: number;
        readonly errors: number;
    };
}

// compat/index.d.ts
/** The names of the original Python project, over Loom's own. Thin, tested, and mapped name by name in docs/compat.md. */
export { Agent, Agent as AgentExecutor, AgentBuilder } from './agent.ts';
export { defaults } from './defaults.ts';
export { type ErrorName, errorNameOf, errorNames } from './errors.ts';
export { type AgentEvent, type AgentEventOf, AgentEventType, isLlmContent, isTerminal, isToolEvent, type ToolCall, type ToolResult, } from './events/agent-event.ts';
export { collectEvents, type EventCollection } from './events/collect.ts';
export { type EventFilter, filterEvents } from './events/filter.ts';
export { type NodeEvent, nodeEvents } from './events/node-events.ts';
export { agentEvents } from './events/projection.ts';
export { type AgentStreamResponse, streamResponses } from './events/stream-response.ts';
export { type AskUser, HITLHook, LoggingHook, MetricsHook } from './hooks.ts';
export { InterruptException, type LifecycleHook, lifecycleHook, SkipToolException } from './lifecycle-hook.ts';
export { type NodeCallbacks, type NodeState, nodeHook, nodeStateOf } from './node-hook.ts';
export type { CompatOptions } from './options.ts';
export { blacklistPolicy, PermissionManager, type PermissionMap, permissionMap, toolNames, whitelistPolicy } from './permissions.ts';
export { EventBus, SteeringControl, type SteeringEvent } from './steering.ts';
export { createTask, type Task, type TaskStatus } from './task.ts';
export { ExecutionPhase, executionPhaseOf, type TurnState, turnStateOf } from './turn-state.ts';

// compat/lifecycle-hook.d.ts
/** Hooks in the form of the original Python project: a frame first, and exceptions that interrupt a run or skip a call. */
import type { Frame } from '@loom-agent/kernel';
import { type ContextPatch, type Hook, type RunPatch, type Skipped, type Suspended } from '../hook/hook.ts';
import type { LanguageModelV4Message } from '../language-model/index.ts';
import type { ToolCall, ToolResult } from './events/agent-event.ts';
/** Stops the run until there is an answer. Thrown by a lifecycle hook, or returned by any hook: it is the value of `suspend(reason)`. */
export declare class InterruptException extends Error implements Suspended {
    /** Always `InterruptException`. */
    readonly name: string;
    readonly kind = "suspend";
    /** The question that the run waits with. */
    readonly reason: string;
    constructor(reason: string);
}
/** Leaves a call out. Thrown by a lifecycle hook, or returned by any hook before a call: it is the value of `skip(reason)`. */
export declare class SkipToolException extends Error implements Skipped {
    /** Always `SkipToolException`. */
    readonly name: string;
    readonly kind = "skip";
    /** Why the call is skipped; shown to the model. */
    readonly reason: string;
    constructor(reason: string);
}
type Returned<T> = T | undefined | void | Promise<T | undefined | void>;
/** A hook of the original Python project: any of the nine methods. What a method returns replaces, `undefined` leaves. */
export interface LifecycleHook {
    /** Its name in events and errors; default `lifecycle hook`. */
    readonly name?: string;
    /** Before a turn is entered. */
    beforeIterationStart?(frame: Frame): Returned<RunPatch>;
    /** Before the context is assembled. */
    beforeContextAssembly?(frame: Frame): Returned<RunPatch>;
    /** After the context is assembled; may change the instructions. */
    afterContextAssembly?(frame: Frame, snapshot: {
        readonly instructions: string;
        readonly tools: readonly string[];
    }): Returned<ContextPatch>;
    /** Before a request is sent; may replace its messages. */
    beforeLlmCall?(frame: Frame, messages: readonly LanguageModelV4Message[]): Returned<readonly LanguageModelV4Message[]>;
    /** After the reply; may replace its text and its calls. */
    afterLlmResponse?(frame: Frame, response: string, toolCalls: readonly ToolCall[]): Returned<{
        readonly response?: string;
        readonly toolCalls?: readonly ToolCall[];
    }>;
    /** Before a call runs. Only the arguments may change: a call keeps its name and its id. */
    beforeToolExecution?(frame: Frame, toolCall: ToolCall): Returned<ToolCall>;
    /** After a call ended; may replace its result. */
    afterToolExecution?(frame: Frame, toolResult: ToolResult): Returned<Pick<ToolResult, 'content' | 'isError'>>;
    /** Before the next turn. */
    beforeRecursion?(frame: Frame, next: {
        readonly turn: number;
    }): Returned<RunPatch>;
    /** After a turn has ended. */
    afterIterationEnd?(frame: Frame): Returned<RunPatch>;
}
/** Makes a hook of Loom's of a lifecycle hook. */
export declare function lifecycleHook(given: LifecycleHook): Hook;
export {};

// compat/node-hook.d.ts
/** Nodes of the original Python project: their lifecycle methods as a hook, and their state. */
import { type Failure, type Frame } from '@loom-agent/kernel';
import { type Hook, type ProposedCall } from '../hook/hook.ts';
/** The state of a node. A run that waits is idle: no process drives it. A run that was stopped before it was done has failed. */
export type NodeState = 'idle' | 'running' | 'completed' | 'failed';
/** The run that a callback is about. */
export interface NodeRun {
    /** The id of the thread. */
    readonly thread: string;
    /** The id of the run on its thread. */
    readonly run: string;
}
/** What a callback that decides returns: `false` denies, anything else allows. */
export type Consent = boolean | undefined | void | Promise<boolean | undefined | void>;
/** The lifecycle methods. The first three must not throw; those that decide may be called again after a crash. */
export interface NodeCallbacks {
    /** Called before the first turn of a run. */
    onStart?(run: NodeRun): void;
    /** Called when a run is done. */
    onComplete?(run: NodeRun & {
        readonly text: string;
    }): void;
    /** Called when a run failed or was stopped. */
    onError?(run: NodeRun & {
        readonly error: Failure;
    }): void;
    /** Called once for all the calls of a reply. Denied, each of them is skipped, and the model may plan anew. */
    onPlanning?(plan: NodeRun & {
        readonly turn: number;
        readonly calls: readonly ProposedCall[];
    }): Consent;
    /** Called for every call. A denied call is skipped, and the model gets the reason as its result. */
    onToolCallRequest?(call: NodeRun & ProposedCall): Consent;
}
/** The state of the latest run of a thread, from its frame: runs share nothing. */
export declare function nodeStateOf({ run }: Frame): NodeState;
/**
 * Makes a hook of lifecycle methods.
 *
 * @example
 * agent({ model, tools, hooks: [nodeHook({ onToolCallRequest: ({ tool }) => tool !== 'delete_file' })] })
 */
export declare function nodeHook(callbacks: NodeCallbacks): Hook;

// compat/options.d.ts
/** The options of an agent of the original Python project, and their counterparts. */
import { type Journal } from '@loom-agent/kernel';
import type { AgentOptions } from '../definition/agent-options.ts';
import type { Hook } from '../hook/hook.ts';
import type { Model } from '../model/model.ts';
import type { Policy } from '../permission/policy.ts';
import type { ToolSet } from '../tool/tool-set.ts';
import { type PermissionMap } from './permissions.ts';
/** The options of an agent in the original Python project. Everything else that Loom offers is an option of `agent()`. */
export interface CompatOptions {
    /** The model that answers: an AI SDK model object, or an id where something resolves ids. */
    readonly llm?: Model;
    /** The same as `llm`. */
    readonly llmProvider?: Model;
    /** The agent's name; default `agent`. */
    readonly nodeId?: string;
    /** The instructions; default: none. */
    readonly systemPrompt?: string;
    /** The same as `systemPrompt`. */
    readonly systemInstructions?: string;
    /** None when it is empty or absent. */
    readonly tools?: ToolSet<unknown>;
    /** Turns of a run; default 50. */
    readonly maxIterations?: number;
    /** Calls that run at once; default 10. */
    readonly maxConcurrency?: number;
    /** The run ends only through the tool `done`; one reminder is given. Default false. */
    readonly requireDoneTool?: boolean;
    /** Permissions as a map of tool names to verdicts; not together with `toolPolicy`. */
    readonly permissionPolicy?: PermissionMap;
    /** Permissions as a policy of Loom; not together with `permissionPolicy`. */
    readonly toolPolicy?: Policy;
    /** Hooks in the original form are given through `lifecycleHook(...)`. */
    readonly hooks?: readonly Hook[];
    /** Where the facts are kept; default: in memory. */
    readonly eventJournal?: Journal;
    /** The thread of all runs; a fresh one each when absent. */
    readonly threadId?: string;
    /** The temperature of model calls; default: the provider's. */
    readonly temperature?: number;
    /** Output tokens of a model call at most; default: the provider's. */
    readonly maxTokens?: number;
}
/** The options that are understood. */
export declare const compatOptionKeys: readonly (keyof CompatOptions)[];
/** The options that are not understood here, and what to do instead. */
export declare const movedOptions: {
    readonly [option: string]: string;
};
/** The options of an agent of Loom's. */
export declare function agentOptionsOf(options: CompatOptions): AgentOptions;

// compat/permissions.d.ts
/** Permissions by the names of the original Python project: its maps, tool names and policies. */
import { type Json } from '@loom-agent/kernel';
import type { Policy, Rule, Verdict } from '../permission/policy.ts';
/** Tool names of the original Python project, with Loom's names. Names that are the same are not listed. */
export declare const toolNames: {
    readonly [original: string]: readonly string[];
};
/** A map of tool names to verdicts; a value that is none of the three denies. */
export type PermissionMap = {
    readonly [tool: string]: Verdict | (string & {});
};
/** A permission map of the original Python project as a policy: its tool names also mean Loom's, and an unknown value denies. */
export declare function permissionMap(map: PermissionMap): {
    readonly rules: readonly Rule[];
    readonly default: Verdict;
};
/** A permission map with a method to check calls; it is a policy itself. */
export declare class PermissionManager {
    /** One rule for each tool name of the map. */
    readonly rules: readonly Rule[];
    /** The verdict on all other tools. */
    readonly default: Verdict;
    constructor(map: PermissionMap);
    /** The verdict of the map on a call, without running anything. */
    check(tool: string, input?: Json): Promise<Verdict>;
}
/** Allows the named tools and denies all others. */
export declare function whitelistPolicy(tools: readonly string[]): Policy;
/** Denies the named tools and allows all others. */
export declare function blacklistPolicy(tools: readonly string[]): Policy;

// compat/steering.d.ts
/** Steering by the names of the original Python project: an adapter of the handle of a run. A request is durable before it is carried out. */
import type { Agent } from '../agent-type.ts';
import type { RunHandle } from '../run/run-handle.ts';
import type { RunEvent } from '../types/run-event.ts';
import { type EventKind } from '../view/kinds.ts';
/** Controls a run: abort, pause, resume, and messages by priority. */
export declare class SteeringControl {
    #private;
    constructor(agent: Pick<Agent, 'journal' | 'resume'>, run: RunHandle);
    /** Stops the run; the signal reaches model, tools and children. */
    abort(reason?: string): Promise<void>;
    /** Stops at the next safe point; nothing polls meanwhile. */
    pause(): Promise<void>;
    /** Resumes a run that was paused. */
    resume(): RunHandle;
    /** Sends the run a message for its next turn; the highest priority goes first. */
    sendMessage(text: string, priority?: number): Promise<void>;
    /** Whether the run was asked to stop, or was stopped. */
    isAborted(): Promise<boolean>;
    /** Whether the run was asked to pause and has not been resumed. */
    isPaused(): Promise<boolean>;
}
/** What can be published: control of the run, or the answer to a permission question. */
export type SteeringEvent = {
    readonly type: 'control';
    /** What to do with the run. */
    readonly action: 'abort' | 'pause' | 'resume';
    /** Why it is aborted, or why a permission is refused. */
    readonly reason?: string;
} | {
    readonly type: 'control';
    readonly action: 'message';
    /** The message for the next turn. */
    readonly text: string;
    /** Higher goes first; default 0. */
    readonly priority?: number;
} | {
    readonly type: 'permission';
    /** The id of the question. */
    readonly question: string;
    /** Whether it is approved or rejected. */
    readonly allow: boolean;
    readonly reason?: string;
};
/** A bus to and from one run: subscribe to events by kind, publish steering. */
export declare class EventBus {
    #private;
    /** The control of the run. */
    readonly steering: SteeringControl;
    constructor(agent: Pick<Agent, 'journal' | 'resume'>, run: RunHandle);
    /** Calls the listener for each event of a kind until the run rests. Returns a function that ends it earlier. What a listener throws is ignored. */
    subscribe(kind: EventKind, listener: (event: RunEvent) => void): () => void;
    /** Carries out the event; resolves when it is durable. */
    publish(event: SteeringEvent): Promise<void>;
}

// compat/task.d.ts
import type { Agent } from '../agent-type.ts';
import type { RunOptions } from '../definition/agent-options.ts';
/** How far a task has come. */
export type TaskStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
/** A task: what is asked of an agent, and its outcome. */
export interface Task {
    /** The id of the task, and of its thread without a `sessionId`. */
    readonly taskId: string;
    /** What kind of task it is; default `execute`. */
    readonly action: string;
    /** What is asked: `content` as the input, or all parameters as JSON. */
    readonly parameters: {
        readonly content?: string;
        readonly [name: string]: unknown;
    };
    /** How far it has come; default `pending`. */
    readonly status: TaskStatus;
    /** The agent that gives the task. */
    readonly sourceAgent?: string;
    /** The agent that executes it; filled in when it is executed. */
    readonly targetAgent?: string;
    /** The task that it is a part of. */
    readonly parentTaskId?: string;
    /** The thread of the task; its own id when absent. */
    readonly sessionId?: string;
    /** The answer, or as much of it as there is. */
    readonly result?: {
        readonly content: string;
    };
    /** Why it failed or was cancelled. */
    readonly error?: string;
    /** Given to the run as its metadata; thread, run and iterations are added afterwards. */
    readonly metadata: {
        readonly [name: string]: unknown;
    };
}
/** Makes a task that is not executed yet. */
export declare function createTask(task: Pick<Task, 'taskId'> & Partial<Task>): Task;
/** Runs a task on its thread; returns the task with its outcome. A task that waits for an answer is still running, and names its questions. */
export declare function executeTask(agent: Agent, task: Task, options?: RunOptions): Promise<Task>;

// compat/turn-state.d.ts
/** Frames as the original Python project shows them: a turn's state, and the phase of execution. */
import type { Frame } from '@loom-agent/kernel';
/** The state of a turn. It is a view of a frame: frames are immutable already, and every earlier one stays valid. */
export interface TurnState {
    /** The number of the turn in its run, from 1. */
    readonly turnCounter: number;
    /** The name of the turn: `thread/turn`. */
    readonly turnId: string;
    /** The name of the turn before; undefined for the first one of the run. */
    readonly parentTurnId: string | undefined;
    /** The limit of turns; infinity when there is none. */
    readonly maxIterations: number;
    /** Whether earlier messages were left out or summed up. */
    readonly compacted: boolean;
    /** The names of the latest 20 calls, oldest first. */
    readonly toolCallHistory: readonly string[];
    /** How many calls of the run ended with an error or were denied. */
    readonly errorCount: number;
    /** The latest 10 results, cut to 200 characters, oldest first. */
    readonly lastOutputs: readonly string[];
    /** Whether this is the last turn that the limit allows. */
    readonly isFinal: boolean;
}
/** The turn state of a frame. */
export declare function turnStateOf(frame: Frame): TurnState;
/** The phases of execution. */
export declare const ExecutionPhase: {
    readonly INITIAL: 'initial';
    readonly CONTEXT_ASSEMBLY: 'context_assembly';
    readonly LLM_CALL: 'llm_call';
    readonly DECISION: 'decision';
    readonly TOOL_EXECUTION: 'tool_execution';
    readonly RECURSION: 'recursion';
    readonly COMPLETED: 'completed';
    readonly TERMINATED: 'terminated';
};
/** The phase that a frame is in. */
export type ExecutionPhase = (typeof ExecutionPhase)[keyof typeof ExecutionPhase];
/** The phase of execution of a frame. */
export declare function executionPhaseOf({ run }: Frame): ExecutionPhase;

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
