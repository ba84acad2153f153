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

// call/call-job.d.ts
/** What the stages of the pipeline pass to each other. */
import type { Call, Draft, Frame, Json, JsonObject, Outbox, Taint } from '@loom-agent/kernel';
import type { Cancellation } from '../platform/cancellation.ts';
import type { ReadyTool } from '../tool/toolbox.ts';
/** A call on its way through the stages; each fills in what it finds out. */
export interface CallJob {
    readonly call: Call;
    readonly cancellation: Cancellation;
    /** The tool, with the effect class that these arguments have. */
    tool: ReadyTool;
    readonly input: Json;
    /** The input as the schema made it. */
    value: unknown;
    /** The lock that the tool chose for these arguments. */
    lock: string | undefined;
    /** Digest of tool definition, canonical arguments and deciding rules; only where a rule or a human decided. */
    digest: string | undefined;
    allowedBy: string | undefined;
    /** Code was asked for the verdict: it is asked again when the call is admitted (ADMIT-2). */
    isConditional: boolean;
    /** By what it is tainted when it sends something out. */
    taint: Taint | undefined;
    /** Milliseconds that the stages took; those that took none are left out. */
    times: JsonObject | undefined;
}
/** What ends a call before it is executed: its result, or a question. */
export type Refusal = readonly Draft[];
/** What the stages before execution came to: a call that may run, or what ends it. */
export type Prepared = CallJob | Refusal;
/** Whether a call ends here. */
export declare function isRefusal(found: object): found is Refusal;
/** Whether questions of the run are denied instead of asked. */
export declare function isUnattended({ run }: Frame): boolean;
/** A call that ends before it was executed: an error result the model can read and repair. */
export declare function refuse(call: Call, errorType: string, text: string): Refusal;
/** A call that new code cannot go on with: a human decides. */
export declare function incompatible(frame: Frame, call: Call, problem: string): Refusal;
/** Makes an intent durable, unless there is none any more: again while contributors are faster, and not at all once the run is to stop. */
export declare function intend(outbox: Outbox, draft: () => Draft | undefined, cancellation: Cancellation): Promise<boolean | 'refused'>;

// call/call-work.d.ts
/** What performing calls needs. The thread driver has all of it and is passed as it is. */
import type { Call, Journal, Outbox } from '@loom-agent/kernel';
import type { Channel } from '../bus/bus.ts';
import type { Definition } from '../definition/definition.ts';
import type { RunContext } from '../definition/run-context.ts';
import type { CompiledPolicy } from '../permission/compile-policy.ts';
import type { Cancellation } from '../platform/cancellation.ts';
import type { CallJob, Prepared, Refusal } from './call-job.ts';
import type { ChildRunner } from './child-runner.ts';
import type { Deadlines } from './deadlines.ts';
import type { RunCalls } from './run-calls.ts';
import type { Scheduler } from './scheduler.ts';
import type { StandIns } from './stand-in.ts';
/** A call in flight. */
export interface CallInFlight {
    stage: 'preparing' | 'ready' | 'queued' | 'running';
    job: CallJob | undefined;
    readonly cancellation: Cancellation;
    /** Gives up the place in the queue. */
    leaveQueue: (() => void) | undefined;
}
/** A call in flight that is to be admitted. */
export interface Admission {
    readonly inFlight: CallInFlight;
    /** Starts it: from then on the rules see it when they judge others. */
    readonly run: () => void;
    /** Gives its place back. */
    readonly leave: () => void;
    /** Ends it, or asks about it. */
    readonly refuse: (refusal: Refusal) => void;
}
/** The calls in flight, by id. */
export type CallsInFlight = Map<string, CallInFlight>;
/** Passes the hook points around a call. */
export interface CallHookPoints {
    passBefore(work: CallWork, call: Call, cancellation: Cancellation): Promise<Prepared>;
    /** Must not reject. */
    passAfter(work: CallWork, call: Call, cancellation: Cancellation): Promise<void>;
}
/** The parts that the stages before execution use: they look at a call, and perform nothing. */
export interface PreparingWork {
    readonly definition: Definition;
    readonly context: Pick<RunContext, 'toolbox' | 'deps'>;
    readonly outbox: Pick<Outbox, 'frame'>;
    /** The agent's own policy first, then those of its ancestors, then that of a fork. */
    readonly policies: readonly (CompiledPolicy | undefined)[];
    /** What calls get instead of being run, where the thread is a fork, or a child in one. */
    readonly standIns: StandIns | undefined;
    /** What rules see of the run, where they may look. */
    readonly runCalls?: RunCalls | undefined;
}
/** The parts that performing calls uses. */
export interface CallWork extends PreparingWork {
    readonly context: RunContext;
    readonly outbox: Outbox;
    /** Where the thread is. */
    readonly journal: Journal;
    readonly channel: Channel;
    readonly scheduler: Scheduler;
    readonly deadlines: Deadlines;
    readonly children: ChildRunner;
    /** How hook points are passed, where the agent has hooks. */
    readonly hookPoints: CallHookPoints | undefined;
    /** Whether the lease is certainly valid. It is asked right before code of a tool is entered (CALL-3). */
    readonly mayEnter: () => boolean;
    /** Hook points that were passed and changed nothing, so that no event records them. */
    readonly passed: Set<string>;
    readonly calls: CallsInFlight;
    /** Called when a call in flight has ended. */
    readonly settled: () => void;
}

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

// call/deadlines.d.ts
/**
 * Deadlines of many calls with one timer: a call that ends in time costs none. They are durations (CLOCK-3).
 *
 * DEADLINE-2. A driver has one timer for all its calls. It is set for the earliest deadline and stays when that is removed: what ends in time sets none
 *     and clears none.
 */
import type { Clock } from '@loom-agent/kernel';
/** One deadline. */
export interface Deadline {
    readonly at: number;
    readonly onTime: () => void;
}
/** The deadlines of one driver. */
export interface Deadlines {
    /** Calls back after so many milliseconds. */
    add(ms: number, onTime: () => void): Deadline;
    remove(deadline: Deadline): void;
    /** Ends the timer. */
    close(): void;
}
/** Makes deadlines on a clock; there are none yet. */
export declare function createDeadlines(clock: Clock): Deadlines;

// call/execute.d.ts
/** Stage 5: run the body, within its time, until it ends, is aborted or suspends. */
import type { Draft, ToolOutcome } from '@loom-agent/kernel';
import { type Cancellation } from '../platform/cancellation.ts';
import { type ChangedFiles } from '../types/noted.ts';
import type { CallJob } from './call-job.ts';
import type { CallWork } from './call-work.ts';
/** What a body that threw says that it has changed. */
interface Changed {
    readonly changed?: ChangedFiles | undefined;
}
/** How a body ended. */
export type Executed = {
    readonly kind: 'returned';
    readonly value: unknown;
}
/** `advice` says what it had begun and did not wait for, which has ended since. */
 | ({
    readonly kind: 'threw';
    readonly error: unknown;
    readonly advice?: string;
} & Changed) | {
    readonly kind: 'timed-out';
    readonly ms: number;
} | ({
    readonly kind: 'aborted';
    readonly reason: string;
} & Changed) | {
    readonly kind: 'suspended';
};
/** How a body ended that was not suspended. */
export type Ended = Exclude<Executed, {
    kind: 'suspended';
}>;
/** What entering a body came to: the end of the body, whether or not it is known what its children have done, or facts that are no end. */
export type Entered = Ended | {
    readonly kind: 'in-doubt';
    readonly outcome: ToolOutcome;
} | {
    readonly kind: 'facts';
    readonly drafts: readonly Draft[];
};
/** A body to run. */
export interface Execution {
    /** Enters the body. */
    readonly enter: () => unknown;
    /** Whose deadlines count, and who is shown its progress. */
    readonly work: Pick<CallWork, 'deadlines' | 'channel' | 'outbox' | 'context'>;
    readonly job: CallJob;
    readonly timeout: number;
    readonly cancellation: Cancellation;
    /** Resolves when only waits are outstanding in a durable body. */
    readonly suspended?: Promise<void>;
    /** Whether time that passes now is not the body's own: an agent that it has called is working. */
    readonly excused?: () => boolean;
}
/** Runs a body and calls back once with its end: at once when the body returns a value at once. */
export declare function execute(execution: Execution, done: (executed: Executed) => void): void;
export {};

// call/format.d.ts
/** Stage 6: turn what a body returned into what the model reads. Cutting and redaction happen here, before anything is stored. */
import { type Blobs, type FileFacts, type Outbox, type ToolOutcome } from '@loom-agent/kernel';
import type { OutputLimits } from '../types/content-parts.ts';
import type { CallJob } from './call-job.ts';
import type { Executed } from './execute.ts';
/** What formatting needs to know about the call. */
export interface FormatOptions {
    readonly tool: string;
    readonly behaviour: OutputLimits & {
        readonly wholeLimit: number;
    };
    /** The id of the call, where the model has a tool that reads the rest of a long result. */
    readonly more?: string | undefined;
    /** The call whose body was entered, and where it is as it is now; absent where none was. */
    readonly body?: {
        readonly job: Pick<CallJob, 'call' | 'tool'>;
        readonly outbox: Pick<Outbox, 'frame'>;
    };
}
/** How the text of a failed call begins. Recorded tests read these words back: what a body did follows from them. */
export declare const failedWords: (tool: string) => string;
/** How the text of a call ends whose body has thrown. */
export declare const failedAdvice = "Check the arguments or try another way.";
/** What the text of a call has whose body was not in time. */
export declare const lateWords = "did not end within";
/** Before why the value of a body cannot be read. */
export declare const unreadableWords: (tool: string) => string;
/** Behind it. */
export declare const unreadableAdvice = "Do not rely on it.";
type Ended = Exclude<Executed, {
    kind: 'suspended';
}>;
/** An outcome, what its call has changed, and the bytes that these refer to. */
export interface Formatted {
    readonly outcome: ToolOutcome;
    readonly facts?: FileFacts;
    readonly blobs?: Blobs | undefined;
}
/** The outcome of a call: always something that the model can read. Never throws. */
export declare function format(executed: Ended, options: FormatOptions): Formatted;
export {};

// call/parent-record.d.ts
/**
 * What the parent of a fork recorded after the cut: the outcomes of calls, and the answers that people gave.
 *
 * STANDIN-1. Each entry of the record is used once. Which ones are used follows from the facts of the fork, so that another driver of the fork goes on
 *     where the last one stopped, and what was taken and then dropped is given again, in the order of the record.
 * STANDIN-2. A call takes its outcome from the record, and the arguments that counted, without looking at the other calls of its reply.
 * STANDIN-3. An approval lets nothing run that the rules of the fork ask about: it is bound to the rules under which it was given. A rejection and a given
 *     result need no such bond, because nothing runs.
 */
import { type Answer, type Blobs, type Call, type Json, type LoomEvent, type QuestionData, type Seq, type ToolOutcome } from '@loom-agent/kernel';
import { type Moment } from '../types/moment.ts';
/** An answer, and the person who gave it. */
type Vote = Readonly<{
    answer: Answer;
    by?: string;
}>;
/** The answers that settled a question: one, or those of several approvers. */
export interface SettlingAnswers {
    /** The call that the question was about. */
    readonly call: string | undefined;
    readonly votes: readonly Vote[];
    /** What it was bound to. */
    readonly digest: string | undefined;
}
/** How a call ended, and the arguments that counted where they are not those that the model proposed: a human or a hook has changed them. */
export interface RecordedCall {
    readonly outcome: ToolOutcome;
    readonly input: Json | undefined;
    /** What the outcome refers to. */
    readonly blobs: Blobs | undefined;
}
/** Something that the parent recorded, and where. */
interface Recorded<T> {
    readonly seq: Seq;
    readonly at: string;
    readonly value: T;
}
/** Entries of one kind by what they are about, in the order of the record. */
type Entries<T> = Map<string, Recorded<T>[]>;
/** What of a parent's record a fork has not used. */
export interface ParentRecord {
    readonly outcomes: Entries<RecordedCall>;
    readonly answers: Entries<SettlingAnswers>;
    /** For each entry that was taken, by its moment, what makes it available again. */
    readonly taken: Map<string, () => void>;
}
/** The moments of the parent that the own events of a fork name: what it has used. */
export declare function usedBy(event: LoomEvent): unknown;
/** Where the parent was cut, and what the fork has used of its record. */
export interface RecordRange {
    readonly parent: Moment;
    readonly used: ReadonlySet<unknown>;
}
/** Collects the record of a parent: `add` takes all its events in order, also those before the cut. */
export declare function createParentRecord({ parent, used }: RecordRange): {
    record: ParentRecord;
    add: (event: LoomEvent, blobs?: Blobs) => void;
};
/** Takes the outcome of the same call from the record. */
export declare function takeOutcome({ outcomes, taken }: ParentRecord, call: Call): RecordedCall | undefined;
/** Takes the answers to the same question from the record (STANDIN-3). */
export declare function takeAnswers({ answers, taken }: ParentRecord, question: QuestionData, call: Call | undefined): Recorded<SettlingAnswers> | undefined;
/** Makes available again what was taken at a moment of the parent. */
export declare function putBack({ taken }: ParentRecord, at: unknown): void;
export {};

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

// call/scheduler.d.ts
/** The scheduler: which call runs now. Places are limited, locks exclude, priority orders those that wait. */
import type { Locks } from '../definition/locks.ts';
/** A request for a place. */
export interface Admission {
    readonly priority: number;
    readonly lock?: string | undefined;
}
/** Gives places to calls. */
export interface Scheduler {
    /** Calls back when there is a place, at once if one is free; otherwise returns a function that gives up the wait. */
    enter(admission: Admission, go: () => void): (() => void) | undefined;
    /** Gives the place back, once. */
    leave(admission: Admission): void;
}
/** A scheduler with this many places. A lock is taken from all the given owners at once: those of the agent, and of the agents that it works for. */
export declare function createScheduler(places: number, owners: readonly Locks[]): Scheduler;

// call/stand-in.d.ts
/** Effects after the cut of a fork: taken from the parent's record, left out, or asked about. They hold in the children of the fork too. */
import { type Call, type Draft, type EffectClass, type ForkEffects, type Frame, type Journal } from '@loom-agent/kernel';
import { type CompiledPolicy } from '../permission/compile-policy.ts';
import type { Refusal } from './call-job.ts';
import { type ParentRecord } from './parent-record.ts';
/** What the calls of a fork get instead of being run, and what it asks about. */
export interface StandIns {
    /** Those that a fork adds to the policies of its agent. */
    readonly policies: readonly (CompiledPolicy | undefined)[];
    /** What a call gets from the record of the parent instead of being run. */
    take(call: Call): Refusal | undefined;
    /** Whether calls of this class are left out: nobody is asked about them. */
    stubs(effect: EffectClass): boolean;
    /** What a call that might have run gets instead where it is left out. */
    stub(call: Call, effect: EffectClass): Refusal | undefined;
    /** The same drafts, each question that was answered in the record of the parent followed by its answers. */
    withAnswers(drafts: readonly Draft[], call: Call | undefined): readonly Draft[];
    /** Makes available again what drafts had taken from the record: they were dropped before they were durable. */
    putBack(drafts: readonly Draft[]): void;
    /** Throws for a step that changes the world in a tool that says that it does not: nobody was asked about it. */
    checkStep(step: {
        readonly name: string;
        readonly effect: EffectClass;
    }, tool: {
        readonly name: string;
        readonly effect: EffectClass;
    }): void;
}
/** The stand-ins of a fork, or of a child in one. A child has no record of its own to take from. */
export declare function createStandIns(journal: Journal, frame: Frame, effects: ForkEffects): Promise<StandIns>;
/** The stand-ins of a fork with these effects, and with what its parent recorded. */
export declare function standInsOf(effects: ForkEffects, record: ParentRecord | undefined): StandIns;

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

// context/searched.d.ts
/** Tools that the model has to find before it is shown them, as contexts and requests see them. */
import type { CallResult, ToolSpec } from '@loom-agent/kernel';
/** The name that models call the search by. */
export declare const toolSearchName = "tool_search";
/** The names of the tools that the result of a search refers to; none for any other result. */
export declare function namesFound({ name, output }: Pick<CallResult, 'name' | 'output'>): readonly string[];
/** Whether the provider of a model has deferred tools. */
export declare const hasDeferredTools: (model: string) => boolean;
/** The tools that have to be found, as a provider is sent them that shows them when a result refers to them. */
export declare function deferredSpecs(searched: ReadonlyMap<string, ToolSpec>): readonly ToolSpec[];

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

// definition/agent-definition.d.ts
import { type AnyAgent } from '../types/any-agent.ts';
import type { Definition } from './definition.ts';
/** Registers the definition of an agent. */
export declare function registerAgent<A extends AnyAgent>(agent: A, definition: Definition): A;
/** The definition of an agent. Throws for a value that is no agent of this installation. */
export declare function definitionOf(agent: AnyAgent): Definition;

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

// definition/fork-model.d.ts
/** The model that a fork goes on with. */
import { type Frame } from '@loom-agent/kernel';
import { type ModelObject } from '../model/model.ts';
import type { RunOverrides } from './agent-options.ts';
import type { Definition } from './definition.ts';
/** What this process may have the model from: what the caller gave for the run, and the models that forks were made with here, by their ids. */
export interface ModelSource {
    readonly overrides: RunOverrides;
    readonly models?: ReadonlyMap<string, ModelObject>;
}
/** Throws when this process cannot resolve the model that a fork goes on with: then it must not acquire the thread. */
export declare function requireForkModel(definition: Definition, frame: Frame, source: ModelSource): Promise<void>;
/** The model of a fork's run: the one that the caller gave, or the one that the fork was made with. */
export declare function modelOfFork({ options, host }: Definition, { thread, model: id }: {
    readonly thread: string;
    readonly model: string;
}, { overrides, models }: ModelSource): ModelObject | Promise<ModelObject>;

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

// definition/run-context.d.ts
/** What code supplies to a run: dependencies, instructions, tools, the model. Behaviour, never facts about the past. */
import { type Frame, type Run } from '@loom-agent/kernel';
import type { LayerText } from '../context/layers.ts';
import { type ModelObject } from '../model/model.ts';
import { type Toolbox } from '../tool/toolbox.ts';
import type { Definition, ErasedOptions } from './definition.ts';
import type { ModelSource } from './fork-model.ts';
/** The code side of one run, resolved once per driver. */
export interface RunContext {
    readonly run: string;
    readonly deps: unknown;
    readonly metadata: {
        readonly [key: string]: unknown;
    };
    readonly instructions: string;
    /** What stands in the system text behind the instructions; absent: nothing. */
    readonly layers?: readonly LayerText[];
    readonly toolbox: Toolbox;
    readonly model: ModelObject;
}
/** A run, and what it may have its code from. */
export interface RunSource extends ModelSource {
    readonly run: Run;
    /** The dependencies of the run above, where this is a child. */
    readonly inheritedDeps?: unknown;
}
/** Resolves what code supplies to a run; at once where nothing has to be waited for. */
export declare function resolveRun(definition: Definition, frame: Frame, source: RunSource): RunContext | Promise<RunContext>;
/** The layers behind the instructions; undefined where there are none. Loaded on use: most agents have instructions alone. */
export declare function layersFor(options: ErasedOptions['layers'], { brought }: Toolbox): Promise<readonly LayerText[]> | undefined;
/** Loads how the model of a fork is found. Loaded on use: most threads are no forks with a model of their own. */
export declare function loadForkModels(): Promise<typeof import('./fork-model.ts')>;
/** A run that was given dependencies cannot go on without them. */
export declare function checkDeps(run: Pick<Run, 'id' | 'request'>, deps: unknown): void;

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

// explain/explain-requests.d.ts
/** Every request of a thread, explained: what checkers compare with what models received. */
import type { Frame, LoomEvent } from '@loom-agent/kernel';
import type { LanguageModelV4Message } from '../language-model/index.ts';
import { type Assembled, type Attempted } from './context-fold.ts';
import type { ContextPart } from './explanation.ts';
/** A request, and its parts. */
export interface ExplainedRequest {
    /** The context that it was made of. */
    readonly assembled: Assembled;
    /** The intent of the call; undefined when no request was made of the context. */
    readonly attempt: Attempted | undefined;
    /** The frame that the request was made of. */
    readonly frame: Frame;
    /** The messages as the facts have them. */
    readonly messages: readonly LanguageModelV4Message[];
    /** Whether the messages have the digest that was recorded. */
    readonly isVerified: boolean;
    /** Every part, with its fate. */
    readonly parts: readonly ContextPart[];
}
/** The requests of the events of one thread, in order. */
export declare function explainRequests(thread: string, events: Iterable<LoomEvent>): readonly ExplainedRequest[];

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

// explain/tokens.d.ts
/**
 * Tokens of what a request holds, counted as strategies count them: estimated by script, and calibrated by what vendors counted before.
 *
 * EXPLAIN-4. The tokens of a request are those that a strategy sees for it, and the tokens of its parts are whole numbers that have this sum.
 */
import type { Entry, Frame } from '@loom-agent/kernel';
import { type RequestScale } from '../context/tokens.ts';
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '../language-model/index.ts';
import type { ContextPart } from './explanation.ts';
/** The tokens of a message as it was sent, before calibration. */
export declare const tokensOfMessage: (message: LanguageModelV4Message) => number;
/** The tokens of a tool as it was sent, before calibration. */
export declare const tokensOfTool: (tool: LanguageModelV4FunctionTool) => number;
/** The tokens of a list of tools, before calibration. A thread sends the same list again. */
export declare function tokensOfTools(tools: readonly LanguageModelV4FunctionTool[]): number;
/** The tokens that an entry has when it is shown whole, before calibration. */
export declare const tokensOfEntry: ({ message }: Entry) => number;
/** The tokens of a request that was made of a frame, with all that it holds. */
export declare function requestTokens(frame: Frame, { prompt, tools }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): number;
/** Parts whose tokens are estimates, with calibrated ones. Each is rounded together with those before it, so that the sum is the one of the request. */
export declare function calibrateParts(parts: readonly ContextPart[], { total, factor }: RequestScale): readonly ContextPart[];
/** Tokens that are estimated and not sent, calibrated. */
export declare const sizeOf: (estimated: number, factor: number) => number;

// fork/file-history.d.ts
/**
 * What a thread has recorded of files: a fold over its events.
 *
 * FILES-1. A change counts from the event after which it was made: the end of its step, or of its call where no step has it. One whose step has begun and has
 *     not ended may or may not have been made.
 * FILES-2. What a look at the files has found may have been made by somebody else at the same time. What a call has changed whose performer was lost was looked
 *     at by nobody: it is named.
 */
import type { FileChange, LoomEvent, Seq } from '@loom-agent/kernel';
/** A change of a file, and when it was made. */
export interface RecordedChange {
    readonly seq: Seq;
    readonly time: number;
    readonly change: FileChange;
    /** Whether it was certainly made. */
    readonly isCertain: boolean;
    /** It was found by a look at the files before and after, which does not tell who changed them. */
    readonly isSeen?: true;
}
/** A call that may have changed more than it has recorded. */
export interface Unseen {
    readonly seq: Seq;
    readonly time: number;
    /** The call, or who else it was, and why. */
    readonly words: string;
}
/** A child, and when it was begun. */
export interface RecordedChild {
    readonly seq: Seq;
    readonly time: number;
    readonly child: string;
}
/** What a thread has recorded of files, and its children, which have records of their own. */
export interface FileHistory {
    readonly changes: readonly RecordedChange[];
    readonly unseen: readonly Unseen[];
    readonly children: readonly RecordedChild[];
}
/** What the events of a thread say of files, in their order. */
export declare function fileHistory(events: readonly LoomEvent[]): FileHistory;

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

// kit.d.ts
/** What the other packages of Loom build on. It is no part of the public API and may change with any release. */
export { type ChildOwner, type ChildRequest, type ChildRunner, parked } from './call/child-runner.ts';
export { failedAdvice, failedWords, lateWords, unreadableAdvice, unreadableWords } from './call/format.ts';
export { createPrompt } from './context/prompt.ts';
export { toolSearchName } from './context/searched.ts';
export { definitionOf } from './definition/agent-definition.ts';
export type { RunOverrides } from './definition/agent-options.ts';
export type { Definition } from './definition/definition.ts';
export { type ExplainedRequest, explainRequests } from './explain/explain-requests.ts';
export { requestTokens } from './explain/tokens.ts';
export { fileHistory } from './fork/file-history.ts';
export { requestFor } from './model/adapt.ts';
export { modelFailedWords } from './model/failure.ts';
export { memberIdsOf, standingFor } from './model/members.ts';
export { modelId } from './model/model.ts';
export { outputSchemaOf, wireToolsOf } from './model/request.ts';
export { mixedName, mixedProvider } from './model/vendor.ts';
export { wireName } from './model/wire-names.ts';
export { areKinds } from './permission/matcher.ts';
export { callUser, notify } from './platform/call-user.ts';
export { type CheckOptions, type Expected, expected, nearest, type Shape } from './platform/expected.ts';
export { jsonDepth } from './platform/json-depth.ts';
export { jsonText, shown } from './platform/normalize.ts';
export { checkModelOptions, checkOptions } from './platform/options.ts';
export { marked } from './platform/shorten.ts';
export { shortenedOf } from './platform/shortened.ts';
export { localQuestionId } from './question/find-question.ts';
export { questionIdOf } from './question/questions.ts';
export { type RedactOptions, redactJson, redactText } from './redact/redact.ts';
export { createRedactStream, type RedactStream } from './redact/redact-stream.ts';
export { createCircuit } from './resilience/circuit-breaker.ts';
export { createRateLimiter } from './resilience/rate-limiter.ts';
export { mayRecover } from './resilience/recoverable.ts';
export { abortedBy } from './resilience/sleep.ts';
export { createWaitQueue } from './resilience/wait-queue.ts';
export { type ChildEnd, recordEnd } from './run/child-end.ts';
export { type ChildStart, childStart } from './run/child-start.ts';
export { driveAlone, instanceOf } from './run/drive-alone.ts';
export { loadOnUse } from './run/load-on-use.ts';
export { type LateChanges, recordChanges } from './run/record-changes.ts';
export { type Children, runChild } from './run/run-child.ts';
export type { StartRequest } from './run/run-input.ts';
export { startInput } from './run/start-input.ts';
export type { AgentInstance } from './thread/agent-instance.ts';
export { isContributed } from './thread/contributed.ts';
export { withoutCode } from './thread/without-code.ts';
export { type Caution, withCaution } from './tool/caution.ts';
export { checkToolName, type ErasedDefinition, isTool, redefineTool, toolDefinitionOf } from './tool/define.ts';
export { readMoreName, withReadMore } from './tool/read-more-tool.ts';
export { searchedTool } from './tool/searched-tool.ts';
export { workOf } from './tool/thread-record.ts';
export { compileTools } from './tool/toolbox.ts';
export { storedFrame } from './travel/stored-frame.ts';
export { changingStep, withChanges } from './types/changed-files.ts';
export { isContent } from './types/content.ts';
export { toMessages } from './types/input.ts';
export { type ChangedFiles, type Noted, noted, notesOf } from './types/noted.ts';
export { childIdOf } from './types/thread-id.ts';

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

// model/adapt.d.ts
/** Which parts may be sent to which vendor: messages in the form that one vendor takes, whichever vendor made them. */
import type { JsonObject } from '@loom-agent/kernel';
import type { LanguageModelV4CallOptions } from '../language-model/index.ts';
import { type ModelObject } from './model.ts';
import { type Vendor } from './vendor.ts';
/** A part of a message on the wire, as far as it matters here. */
export interface WirePart {
    readonly type: string;
    readonly text?: string;
    readonly kind?: string;
    readonly providerOptions?: JsonObject;
}
/** Vendors refuse a blank text, unless it carries metadata of theirs. */
export declare function isFilled({ type, text, providerOptions }: WirePart): boolean;
/** The parts of a reply that may be sent to a vendor. Reasoning is for the vendor that made it, and only when something follows it. */
export declare function partsFor(vendor: Vendor, parts: readonly WirePart[]): readonly WirePart[];
/** Whether a reply begins with signed reasoning. */
export declare function beginsWithThought(parts: readonly WirePart[]): boolean;
/**
 * A request that was made for several vendors, as one of them takes it. A model that stands for several passes this to each of them.
 *
 * @example
 * const answered = await second.doStream(requestFor(second, options))
 */
export declare function requestFor(model: ModelObject, options: LanguageModelV4CallOptions): LanguageModelV4CallOptions;

// model/failure.d.ts
/** What a model's failure means: the same whether it was thrown before the stream, thrown while reading, or sent as a part of it. */
import { type Failure } from '@loom-agent/kernel';
/** A failure, and whether another attempt may help. */
export interface ModelFailure {
    readonly failure: Failure;
    readonly retryable: boolean;
    /** Milliseconds that the provider asked to wait. */
    readonly retryAfter?: number | undefined;
}
/** How the message of a failure of the model begins. Recorded tests read it back. */
export declare const modelFailedWords = "The model failed: ";
/** Judges what a model threw or sent as an error. An error that cannot even be looked at is a failure of the model like any other. */
export declare function judgeFailure(thrown: unknown, now: number): ModelFailure;

// model/members.d.ts
/** The models that one model stands for. */
import { type ModelIdentity } from './model.ts';
/** The ids of all models that may reply when this one is called: its own, or those that it stands for. */
export declare function memberIdsOf(model: ModelIdentity): readonly string[];
/** The model, which stands for the models of these ids. A copy of it does, too. */
export declare function standingFor<M extends object>(model: M, ids: readonly string[]): M;

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

// model/request.d.ts
/** The request of a turn, in a form that every vendor takes. */
import type { ToolSpec } from '@loom-agent/kernel';
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '../language-model/index.ts';
import { type Schema } from '../types/schema.ts';
import { type ModelIdentity } from './model.ts';
import { type WireSchema } from './wire-schema.ts';
/** The schema of an answer, as it travels. Made once of each. */
export declare function outputSchemaOf(output: Schema): WireSchema;
/** Tools are rendered once: the frame keeps the same list between rebases. */
export declare function wireToolsOf(specs: readonly ToolSpec[]): LanguageModelV4FunctionTool[];
/**
 * The request without thinking, where Anthropic would refuse it: with a budget for thoughts, the turn that began the open calls must begin
 * with a thought, and one that another vendor began has none.
 */
export declare function withoutThinking(request: LanguageModelV4CallOptions, model: ModelIdentity): LanguageModelV4CallOptions;

// model/vendor.d.ts
/** The vendor of a model, as far as the model's id shows it: metadata of a vendor is sent to that vendor only. */
import type { JsonObject } from '@loom-agent/kernel';
/** A vendor, as far as rendering messages for it depends on it. */
export interface Vendor {
    /** The id of the model, as runs record it: `provider/name`. */
    readonly id: string;
    /** Whether metadata may come from this vendor. What carries none may come from any vendor. */
    mayOwn(meta: JsonObject | undefined): boolean;
    /** Whether calls without reasoning are refused. */
    readonly wantsReasoning: boolean;
}
/** The provider of a model that stands for several: each of them takes what is its own. */
export declare const mixedProvider = "mixed";
/** The name of a model that stands for several, which have these ids. */
export declare const mixedName: (ids: readonly string[]) => string;
/** The ids of the models behind an id: several where it is that of a model that stands for models of several providers. */
export declare function idsBehind(id: string): readonly string[];
/** The vendor behind a model's id. */
export declare function vendorOf(id: string): Vendor;

// model/wire-names.d.ts
/**
 * Names on the wire. Ids and names that a model made up are sent back to its vendor, or to another one, and vendors accept only some of them.
 *
 * NAME-1. An id has 1 to 40 letters, digits, underscores and dashes, and no two calls between two rebases have the same.
 * NAME-2. The same history gives the same names, in any process.
 */
/** Gives calls their ids on the wire. */
export interface WireIds {
    /** The id of a call: the provider's own where every vendor takes it, one made of it and of the call's place elsewhere. */
    of(id: string, place: string): string;
}
/** Ids for one conversation. */
export declare function createWireIds(): WireIds;
/** The name of a tool as a call may bear it: a name that vendors would refuse is changed into one that they take. */
export declare function wireName(name: string): string;

// model/wire-schema.d.ts
/**
 * Schemas on the wire. Vendors take an object at the top and nothing else: any other schema travels as the field `value` of one, and what the
 * model makes of it is taken out again before it is used.
 */
import type { Json, JsonObject } from '@loom-agent/kernel';
/** A schema as vendors take it. */
export interface WireSchema {
    readonly schema: JsonObject;
    /** Whether what was asked for is the field `value` of what the model sends. */
    readonly isWrapped: boolean;
}
/** The schema as vendors take it. Made once of each. */
export declare function wireSchemaOf(json: JsonObject): WireSchema;
/** Whether a value is an object with fields. */
export declare const isObject: (value: Json | undefined) => value is JsonObject;
/** What the model sent, without what it travelled in. */
export declare function unwrap(value: Json): Json;

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

// platform/call-user.d.ts
/** Calls code of a user. Throws what it throws; a promise has to be awaited at once. */
export declare function callUser<T>(call: () => T): Awaited<T> | Promise<Awaited<T>>;
/** The same for what every turn does, such as tools and models: no promise is added, and the caller makes what it catches `readable`. */
export declare function enterUser<T>(call: () => T): Awaited<T> | Promise<Awaited<T>>;
/** Calls code of a user whose value is needed at once (USER-4). */
export declare function callUserNow<T>(call: () => T): T;
/** What was thrown, or an error in its place where reading it throws. */
export declare function readable(thrown: unknown): unknown;
/** Calls a listener, and ignores what it throws or rejects with (USER-3). */
export declare function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void;
/** A promise that code of a user need not await: that it rejects is known otherwise. */
export declare function handled<T>(promise: Promise<T>): Promise<T>;
/** Ignores what a value that may be a promise rejects with. */
export declare function ignore(value: unknown): void;
/** Ignores what the promises in a structure reject with, where nobody waits for them: it is refused, or a listener returned it. Calls no getter. */
export declare function ignoreWithin(unawaited: unknown): void;

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

// platform/json-depth.d.ts
/** Arguments that are nested deeper are refused: recursion over them could exhaust the stack. */
export declare const deepestJson = 64;
/** Arguments of one call that have more characters are refused: parsing them, and a schema that looks at them, could take long. */
export declare const longestInput: number;
/** What keeps the JSON text of a value that came from outside from being taken; undefined where nothing does. */
export declare function jsonProblem(text: string, longest: number): string | undefined;
/** How deep brackets are nested in a JSON text. */
export declare function jsonDepth(text: string): number;

// platform/normalize.d.ts
/**
 * Values of users become JSON once, here, before they enter an event: memory and disk behave alike (JSON-1).
 *
 * NORMAL-1. It takes a bounded number of steps, also where a value holds the same part many times over, and each of those parts again: written out, forty
 *     lists of two are more than any memory holds. What has more than five million parts is unreadable, as what throws is.
 */
import { type Json } from '@loom-agent/kernel';
/** A value as JSON: big integers as digits, maps as objects, sets as arrays, errors as name and message; cycles and functions are named. */
export declare function toJson(value: unknown): Json;
/** A JSON text as a value that stays what it is when it is written again: parsing makes minus zeros and infinities, and JSON has none. */
export declare function parseJson(text: string): Json;
/** The JSON text of a value that need not be JSON. Never throws. */
export declare function jsonText(value: unknown): string;
/** A text as it is, anything else as JSON. Never throws. */
export declare function toText(value: unknown): string;
/** A value in a message: texts in quotes, long ones cut. Never throws. */
export declare function shown(value: unknown): string;
/** A text that ends like a sentence, so that another may follow. */
export declare function toSentence(text: string): string;
/** What a thrown value says, whatever was thrown, without secrets (SECRET-1). */
export declare function messageOf(thrown: unknown): string;

// platform/options.d.ts
/** Checks of what is given to Loom: options, and what hooks, strategies and durable bodies return or ask for. */
import { type CheckOptions } from './expected.ts';
/** Refuses options that are unknown or do not fit. */
export declare const checkOptions: CheckOptions;
/** The same for the definition of a tool. */
export declare const checkToolOptions: CheckOptions;
/** The same for models: their definitions, and what they reply. */
export declare const checkModelOptions: CheckOptions;

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

// platform/shorten.d.ts
/** Long results are shortened before they are stored: the head and the tail are kept, and a mark between them says how much is left out. */
/** A shortened text: its two ends, and how many characters are left out between them. */
export interface Shortened {
    readonly head: string;
    readonly tail: string;
    readonly left: number;
    /** The call whose result can be read further; undefined where the mark names none. */
    readonly call?: string | undefined;
}
/** The length of the head, for two ends that have this length together. */
export declare const headOf: (length: number) => number;
/** A text of at most `limit` characters and the mark; no character is cut in half. With a call, the mark says how the rest can be read. */
export declare function shorten(text: string, limit: number, call?: string): string;
/** The text that two ends and the mark between them make. */
export declare function marked({ head, tail, left, call }: Shortened): string;

// platform/shortened.d.ts
/** Reading a shortened text back. */
import { type Shortened } from './shorten.ts';
/** The parts of a text that was shortened; undefined when it was not: a text that only contains the mark does not have the lengths that shortening gives. */
export declare function shortenedOf(text: string): Shortened | undefined;

// question/find-question.d.ts
/** Finding the question that an answer is for. */
import { type Frame, LoomError } from '@loom-agent/kernel';
/** The thread of a question. */
export declare function threadOfQuestion(id: string): string;
/** The error for an id whose thread is not there: `question.asked` has the id of a question inside its thread, and that is easily taken for the whole. */
export declare function withoutThread(error: unknown, id: string): unknown;
/** The id of a question inside its thread. A question of another incarnation is not one of this thread. */
export declare function localQuestionId(frame: Frame, id: string): string;
/** The ids of the open questions of a thread. */
export declare const openIn: (frame: Frame) => readonly string[];
/** The error for a question that a thread does not have; it lists those that are open. */
export declare function questionNotFound(frame: Frame, id: string, open?: readonly string[]): LoomError;

// question/questions.d.ts
/**
 * The open questions of a frame, and the ids by which they are answered.
 *
 * QUESTION-1. The id of a question names the incarnation of its thread: an answer never reaches another thread that has taken the name.
 */
import { type Frame } from '@loom-agent/kernel';
import type { Question } from '../types/question.ts';
import type { SignalWait } from '../types/result.ts';
/** The open questions of a thread, in the order in which they were asked. */
export declare function questionsOf(frame: Frame): readonly Question[];
/** How the id of a question ends. In format 1 a thread has no incarnation of its own. */
export declare const suffixOf: ({ thread, incarnation }: Frame) => string;
/** The id by which a question of the thread is answered in any process. */
export declare const questionIdOf: (frame: Frame, local: string) => string;
/** The signals that a thread's calls wait for. */
export declare function waitsOf({ thread, run }: Frame): readonly SignalWait[];

// redact/alphabets.d.ts
/** Sets of characters that secrets are made of, as bits: whether a character belongs to a set is one look into a table. */
/** A set of characters. */
export type Alphabet = number;
type AlphabetName = 'digits' | 'hex' | 'capitals' | 'letters' | 'alnum' | 'word' | 'dashed' | 'dotted' | 'base64' | 'token' | 'path' | 'dollars' | 'name';
/** The sets, by name. */
export declare const alphabets: Readonly<Record<AlphabetName, Alphabet>>;
/** Whether the character with this code belongs to a set. The code of no character, NaN, belongs to none. */
export declare const isIn: (alphabet: Alphabet, code: number) => boolean;
export {};

// redact/find-keys.d.ts
import type { Reader } from './reader.ts';
/** A part of a text that must not be shown. */
export interface Span {
    readonly start: number;
    readonly end: number;
}
/** The key of a known format that begins here, without its beginning. */
export declare function keyAt(reader: Reader, at: number): Span | undefined;
/** The key of a known format that has its mark here; it begins before the mark, and not before `from`. */
export declare function markedAt(reader: Reader, at: number, from: number): Span | undefined;

// redact/find.d.ts
import { type Span } from './find-keys.ts';
import type { Reader } from './reader.ts';
/**
 * What a text is. In a `message` of an error, values under names of secrets need not look random. In a message that is `foreign`, what looks random is
 * a secret under no name too.
 */
export type TextKind = 'text' | 'message' | 'foreign';
/** The secrets in a text. */
export declare function findSecrets(reader: Reader, kind: TextKind): readonly Span[];

// redact/reader.d.ts
/**
 * Reads a text for the redaction.
 *
 * REDACT-1. Reading is linear in the length of the text, by construction: a run of characters of one alphabet is read once, and its end is known to
 *     also when it is asked about from another place in it; the way to the next character of a kind as well. Whatever else looks around does so within a bound.
 */
import { type Alphabet } from './alphabets.ts';
/** A text, and what is known of it. */
export interface Reader {
    readonly text: string;
    /** How many characters were looked at, however often: the measure of the work. */
    steps: number;
    /** Where the run of characters of an alphabet ends that begins here. */
    readonly endOf: (alphabet: Alphabet, from: number) => number;
    /** Where the run begins that ends before this place; at most so many characters before it. */
    readonly startOf: (alphabet: Alphabet, before: number, most: number) => number;
    /** The next place at which one of these characters stands; the length of the text when there is none. */
    readonly next: (characters: string, from: number) => number;
}
/** A reader of a text. */
export declare function createReader(text: string): Reader;

// redact/redact-stream.d.ts
import { type RedactOptions } from './redact.ts';
/** A redaction that takes a text piece by piece. */
export interface RedactStream {
    /** Takes a piece; returns what can be shown now. */
    push(piece: string): string;
    /** The text has ended; returns the rest. */
    end(): string;
}
/** A redaction for a text that comes in pieces. */
export declare function createRedactStream({ kind, markOf }?: RedactOptions): RedactStream;

// redact/redact.d.ts
/**
 * Redaction: secrets in texts are replaced by marks.
 *
 * REDACT-4. Redacting twice is redacting once: no mark, and nothing beside one, is taken for a secret.
 */
import type { Json } from '@loom-agent/kernel';
import { type TextKind } from './find.ts';
/** Replaces what must not be kept. Must return the same for the same text, and leave its own output unchanged. */
export type Redact = (text: string) => string;
/** How a redaction reads and what it leaves. */
export interface RedactOptions {
    /** What the text is; `text` unless given. */
    readonly kind?: TextKind;
    /** What stands in place of a secret; begins with `[`. */
    readonly markOf?: (secret: string) => string;
}
/** What stands in place of a secret, unless another mark is given. */
export declare const redactedMark = "[redacted]";
/** A text without the secrets in it; the same text when there are none. */
export declare function redactText(text: string, { kind, markOf }?: RedactOptions): string;
/** A value without the secrets in its texts; what stands under the name of a secret is one. The same value when there are none. */
export declare function redactJson<T extends Json>(value: T, options?: RedactOptions): T;

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

// resilience/rate-limiter.d.ts
/**
 * The limit on calls and tokens a minute: of the `rateLimit` hook, and of models that are throttled.
 *
 * RATE-1. In any sixty seconds at most `rpm` calls start, with at most `tpm` tokens. A call with more tokens starts when no other call counts.
 * RATE-2. Calls start in their order. An aborted one leaves the queue, and those behind it move up.
 */
import { type Clock } from '@loom-agent/kernel';
/** The limits. */
export interface RateLimits {
    readonly rpm?: number | undefined;
    readonly tpm?: number | undefined;
    /** Milliseconds that a call may wait; a call that would wait longer fails at once. */
    readonly maxWait?: number | undefined;
    readonly clock: Clock;
}
/** A call: when it started, or would start as far as is known while it waits. Its tokens may be corrected when they are known. */
export interface LimitedCall {
    time: number;
    tokens: number;
}
/** Lets calls start. */
export interface RateLimiter {
    /** Resolves when a call with so many tokens may start. */
    enter(tokens: number, signal: AbortSignal | undefined): Promise<LimitedCall>;
}
/** A limiter without calls. */
export declare function createRateLimiter(limits: RateLimits): RateLimiter;

// resilience/recoverable.d.ts
/**
 * Whether another attempt may help after this error.
 *
 * Aborts, codes of Loom that say `never`, and refusals by HTTP status are final. An error that says nothing about itself may be recovered from.
 */
export declare function mayRecover(error: unknown): boolean;

// resilience/sleep.d.ts
/** Sleeping that an abort ends at once. */
import { type Clock, LoomError } from '@loom-agent/kernel';
/** What ends a sleep: the clock, or a signal before. */
export interface SleepOptions {
    readonly clock: Clock;
    readonly signal?: AbortSignal | undefined;
}
/** Sleeps until a moment. Rejects with `LOOM_ABORTED` as soon as the signal aborts; leaves no timer and no listener behind. */
export declare function sleepUntil(time: number, { clock, signal }: SleepOptions): Promise<void>;
/** The error of an aborted wait. */
export declare function abortedBy(signal: AbortSignal | undefined): LoomError;

// resilience/wait-queue.d.ts
/** A queue of calls that wait for a `Value`; each says with a `Request` what it waits for. */
export interface WaitQueue<Request, Value> {
    /** Resolves when it is the caller's turn. Rejects with `LOOM_ABORTED` as soon as the signal aborts. */
    wait(request: Request, signal: AbortSignal | undefined): Promise<Value>;
    /** What the first waiting call waits for; undefined when no call waits. */
    first(): Request | undefined;
    /** What all waiting calls wait for, in their order. */
    requests(): readonly Request[];
    /** Resolves the first waiting call, if there is one. */
    next(value: Value): void;
}
/** An empty queue. */
export declare function createWaitQueue<Request, Value>(): WaitQueue<Request, Value>;

// run/child-end.d.ts
/** The end of a child, as its parent records it. */
import { type EventData, type LoomError, type StepRecord } from '@loom-agent/kernel';
import type { ChildOwner } from '../call/child-runner.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import type { Result } from '../types/result.ts';
type EndedResult = Exclude<Result<unknown>, {
    status: 'waiting';
}>;
/** The end of a child as its parent records it. */
export type ChildEnd = Pick<EventData['child.finished'], 'value' | 'error' | 'taint' | 'usage' | 'cost' | 'calls' | 'children'>;
/** Records how a child ended; undefined where no record is wanted any more, or it cannot be made. Only the parent's driver does. */
export declare function recordEnd({ outbox, call, key }: ChildOwner, child: string, end: ChildEnd): Promise<StepRecord | undefined>;
/** The end that a result stands for. */
export declare function endOf(instance: AgentInstance, result: EndedResult, child: string): Promise<ChildEnd>;
/** Records the end of a child that was asked to stop. Of one that has not ended, what it has spent is recorded, and that its end is not known. */
export declare function recordStopped(instance: AgentInstance, owner: ChildOwner, child: string): Promise<void>;
/** Records that a child could not be started. */
export declare function refuse({ outbox, call, key }: ChildOwner, child: string, cause: LoomError): Promise<StepRecord>;
export {};

// run/child-start.d.ts
import type { ChildRequest } from '../call/child-runner.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import type { StartRequest } from './run-input.ts';
/** How deep a child is in its tree; the root is at 0. */
export declare const depthIn: ({ outbox: { frame } }: ChildRequest) => number;
/** A child in its place in the tree, and the request that starts it. */
export interface ChildStart {
    /** The agent of the child, in its place. */
    readonly instance: AgentInstance;
    /** What its run is started with. */
    readonly request: StartRequest;
}
/** How a child is started. */
export declare function childStart(instance: AgentInstance, request: ChildRequest, child: string): Promise<ChildStart>;

// run/drive-alone.d.ts
/**
 * One epoch of one thread, driven by itself on a journal that needs to hold nothing else: what replays of recorded threads are made of.
 *
 * ALONE-1. The driver is the one of every run. What differs is given: the journal, the epoch, and how children are driven.
 */
import { type Epoch, type Frame, type Journal } from '@loom-agent/kernel';
import type { RunOverrides } from '../definition/agent-options.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import type { AnyAgent } from '../types/any-agent.ts';
/** The agent as the root of a tree. */
export declare function instanceOf(agent: AnyAgent): AgentInstance;
/** An epoch to drive. */
export interface LoneEpoch {
    /** The thread before it is acquired. */
    readonly frame: Frame;
    readonly epoch: Epoch;
    readonly journal: Journal;
    readonly childRunner: AgentInstance['childRunner'];
    /** Why a run that was paused or had failed goes on. */
    readonly resume: string | undefined;
    /** What code supplies to runs, by their ids. */
    readonly overrides: ReadonlyMap<string, RunOverrides>;
}
/** Drives one epoch. Resolves when the thread is released. */
export declare function driveAlone(instance: AgentInstance, { frame, epoch, journal, childRunner, resume, overrides }: LoneEpoch): Promise<void>;

// run/load-on-use.d.ts
/** Loads what runs load on use. A replay does it first: it takes what is still to come for missing, and must not wait for code. */
export declare function loadOnUse(): Promise<void>;

// run/record-changes.d.ts
/** Recording what was changed after a call had its result, with the journal alone. Loaded on use. */
import { type Journal, type LoomEvent } from '@loom-agent/kernel';
import type { ChangedFiles } from '../types/noted.ts';
/** What was changed, and by whom. */
export interface LateChanges {
    /** Who changed it, such as a background job: what it has changed is recorded once. */
    readonly by: string;
    /** What was changed, by what the thread has recorded. */
    readonly changed: (events: readonly LoomEvent[]) => ChangedFiles | Promise<ChangedFiles>;
}
/** Records what was changed on a thread, unless it is recorded. Appends nothing where nothing was. */
export declare function recordChanges(journal: Journal, thread: string, { by, changed }: LateChanges): Promise<void>;

// run/run-child.d.ts
/** Running a child: from its start to the record of its end. Ids follow from the parent's incarnation; a child that was started is found by its record. */
import { type StepRecord } from '@loom-agent/kernel';
import { type ChildRequest } from '../call/child-runner.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import { type ChildEnd } from './child-end.ts';
/** The children of one driver of a thread. */
export interface Children {
    /** The agent of that driver. */
    readonly instance: AgentInstance;
    /** For each child that waits, what ends the watch over it. */
    readonly watches: Map<string, () => void>;
    /** Children that had waited and are being moved on. */
    readonly movingOn: Set<Promise<void>>;
    /** A child is left to the next driver of this thread, because this process is draining. */
    hasLeft: boolean;
    /** Drives a child until it ends or waits; given where children are not driven but replayed. */
    readonly drive?: (request: ChildRequest, child: string) => Promise<ChildEnd | 'waiting'>;
}
/** Starts a child, or goes on with the existing one; returns `parked` when it waits. */
export declare function runChild(children: Children, request: ChildRequest): Promise<StepRecord>;
/** Stops a child that waits: it has no driver that could see a request, so it is driven to its end here. Ending needs none of its agent's code. */
export declare function stopChild(instance: AgentInstance, child: string, reason: string): Promise<void>;
/** Waits as long as a child has to stop: its own grace period begins after that of its parent. What takes longer is left to the child's next driver. */
export declare function withinGrace({ runtime, definition }: AgentInstance, work: Promise<unknown>): Promise<void>;
export { recordStopped } from './child-end.ts';

// run/run-input.d.ts
/** What starting a run appends. */
import type { Breakpoint, Draft, Frame, Guarded, Incarnation, Message, ParentLink, RunRequest, StartId, Taint } from '@loom-agent/kernel';
import type { RunOptions } from '../definition/agent-options.ts';
import type { Definition } from '../definition/definition.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import type { DriveOptions } from '../thread/drive-thread.ts';
/** A run to start, or without messages a thread to go on with. */
export interface StartRequest {
    /** The id of the thread. */
    readonly thread: string;
    /** The input; absent where a run goes on. */
    readonly messages?: readonly Message[];
    /** What the caller gives the run. */
    readonly options: RunOptions<never>;
    /** There when the caller gave the start an id. */
    readonly start?: StartId | undefined;
    /** The call that starts the thread as its child. */
    readonly parent?: ParentLink;
    /** What was read before the input was written. */
    readonly taint?: Taint | undefined;
    /** What guards said of the input. */
    readonly guarded?: readonly Guarded[];
    /** Why the input is refused, where a guard blocked it. */
    readonly refused?: string;
    /** Whether nobody answers questions of the run. */
    readonly unattended?: boolean;
    /** This process has a resolver for the run that neither its options nor its agent name. */
    readonly isAttended?: boolean;
    /** Which thread of this id is meant, where the caller knows it. */
    readonly incarnation?: Incarnation;
    /** The thread's id is new: there is nothing to read. */
    readonly isNew?: boolean;
    /** Stops the run instead of going on with it. */
    readonly stop?: Draft | undefined;
    /** The breakpoints that a child gets from its parent. */
    readonly breakpoints?: readonly Breakpoint[];
    /** No caller asks: a run that is paused or has failed stays as it is (PAUSE-1). */
    readonly isRecovery?: true;
}
/** What a start or a resumption appends, the run it is about, and how the thread is driven then. */
export interface RunInput {
    readonly run: string;
    readonly drafts: readonly Draft[];
    /** Undefined: there is nothing to drive. */
    readonly drive: DriveOptions | undefined;
    /** The start was made before. */
    readonly isRepeated?: true;
}
/** The first run of a thread. A user's run is not on the thread of a child. */
export declare function firstInput(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput;
/** A run that starts at once, after the given facts. */
export declare function inputAtOnce(definition: Definition, request: StartRequest, at: {
    frame: Frame;
    opening: readonly Draft[];
}): RunInput;
/** What stops a run that is about to start: its signal, or a guard that blocked its input. A queued one is named. */
export declare const stopsAtStart: ({ options, refused }: StartRequest, run?: string) => readonly Draft[];
/** The next run of a thread, and what it is asked to do. */
export declare const newRun: (definition: Definition, request: StartRequest, frame: Frame) => {
    readonly run: string;
    readonly request: RunRequest;
};
/** The stop that a request asks for, or that its signal does. */
export declare const stopOf: ({ stop, options }: StartRequest) => Draft | undefined;

// run/start-input.d.ts
/** What starting a run appends to a thread that is there already. Loaded on use: many programs run each thread once. */
import { type Draft, type Frame, LoomError, type Run } from '@loom-agent/kernel';
import type { RunOptions } from '../definition/agent-options.ts';
import type { AgentInstance } from '../thread/agent-instance.ts';
import { type RunInput, type StartRequest } from './run-input.ts';
/** What a request with messages appends. One that a call makes, and that is to stop, stops the child that is there. */
export declare function inputForThread(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput;
/** A stop: the run under way is driven to its end, and needs no dependencies for that. One that has ended, or failed, stays as it is. */
export declare function stopInput(run: Run, stop: Draft): RunInput;
/** A start: a run, a place in the queue, or a message to the run under way. A child that exists already is followed, not started again. */
export declare function startInput(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput;
/** Refuses a thread with events that this version does not know. */
export declare function checkReadable(frame: Frame): void;
/** The error for a thread that only its parent drives. */
export declare function childError(thread: string, advice: string, parent: string): LoomError;
/** The dependencies of a run, where this process has any. */
export declare function depsFor({ definition, runtime }: AgentInstance, { incarnation }: Frame, given: {
    run: string;
    options: RunOptions<never>;
}): unknown;

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

// thread/contributed.d.ts
/** What contributors append; everything else in a journal is a driver's. */
import type { LoomEvent } from '@loom-agent/kernel';
/** Whether a contributor may have appended an event. */
export declare function isContributed({ type, data }: LoomEvent): boolean;

// thread/drive-thread.d.ts
import type { AgentInstance } from './agent-instance.ts';
import { type CachedThread } from './thread-cache.ts';
/** Why a thread is driven although nothing in it calls for a driver. */
export interface DriveOptions {
    /** Something happened outside the thread: a child was answered, a time has come. */
    readonly force?: boolean;
    /** Goes on with a run that was paused or had failed; the cause is recorded. */
    readonly resume?: string;
}
/** How driving ended: the thread is at rest, or another driver holds it. */
export type Driven = 'rests' | 'held';
/** Loads how an epoch is driven. Loaded before the first one, the rules of the redaction beside it: a process that only looks at threads drives none. */
export declare function loadEpochs(): Promise<void>;
/** Drives a thread until it rests, epoch by epoch. The cached thread is up to date afterwards. */
export declare function driveThread(instance: AgentInstance, cached: CachedThread, options: DriveOptions): Promise<Driven>;

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

// thread/without-code.d.ts
/** An agent without its code: ending a run needs none of it. */
import type { Run } from '@loom-agent/kernel';
import type { AgentInstance } from './agent-instance.ts';
/** An agent that can only end a run. */
export declare function withoutCode(instance: AgentInstance, { request: { agent } }: Run): AgentInstance;

// tool/caution.d.ts
/** What people should know before they approve a call, besides its arguments: the words of the program, never of a model. */
import { type ErasedDefinition, type Tool } from './define.ts';
/** Returns what there is to know now; undefined where there is nothing. */
export type Caution = () => Promise<string | undefined>;
/** The tool, with words for the question whether a call of it may run. */
export declare function withCaution<Deps>(given: Tool<Deps>, caution: Caution): Tool<Deps>;
/** What there is to know of calls of a tool; undefined for most tools. */
export declare const cautionOf: (definition: ErasedDefinition) => Caution | undefined;

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

// tool/read-more-tool.d.ts
import { type ReadMoreListing, type ReadyTool, type Toolbox } from './toolbox.ts';
/** The name that models call it by. A tool of the user's with this name takes its place. */
export declare const readMoreName = "read_more";
/** The tool, as a toolbox has it. */
export declare function readMoreTool(): ReadyTool;
/** The toolbox with the tool at its end, where it is listed and no tool of the user's has its name. One toolbox always gives the same. */
export declare function withReadMore(toolbox: Toolbox, listing: ReadMoreListing): Toolbox;

// tool/searched-tool.d.ts
/** Tools that the model has to find before it is shown them. */
import { type ErasedDefinition, type Tool } from './define.ts';
/** Whether a tool is found by a search, and not shown before. */
export declare const isSearched: (definition: ErasedDefinition) => boolean;
/** The tool as one that the model has to find. */
export declare function searchedTool<Deps>(given: Tool<Deps>): Tool<Deps>;

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

// tool/thread-record.d.ts
/** What a tool of Loom's own may read of its thread. */
import type { Frame, Journal } from '@loom-agent/kernel';
import type { ToolContext } from './define.ts';
/** The parts of a context that bodies do not see: what its call is performed with. */
interface Made {
    readonly work: {
        readonly journal: Journal;
        readonly outbox: {
            readonly frame: Frame;
        };
        readonly definition: {
            readonly behaviour: {
                readonly outputLimit: number;
            };
        };
    };
}
/** The key under which contexts have those parts. It is no name, so that no body of a user's reads them by accident. */
export declare const made: unique symbol;
/** What the call of a context is performed with. */
export declare function workOf(context: ToolContext): Made['work'];
export {};

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

// travel/stored-frame.d.ts
/** The frame of a stored thread: a read of the journal. No model, tool or hook is called. */
import { type Frame, type Journal, type Seq } from '@loom-agent/kernel';
/** The frame of a stored thread, now or at an earlier seq; that of a thread without events is the empty one. */
export declare function storedFrame(journal: Journal, thread: string, upTo?: Seq): Promise<Frame>;

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

// types/changed-files.d.ts
/**
 * What bodies say that they have changed of the files of a workspace, and steps that they are about to: facts beside the result, which no model reads.
 *
 * CHANGED-1. Only code that calls these functions states such facts: a result and a step carry them under a symbol, so that data with the same fields is
 *     data (BAND-1).
 */
import type { Blobs, FileFacts } from '@loom-agent/kernel';
import { type ChangedFiles, type Noted } from './noted.ts';
/** Adds what was changed to what a body returns, or throws. Of a file that was named before, what was said first holds. */
export declare function withChanges(value: unknown, changed: ChangedFiles): Noted;
/** What a step is about to change; asked for just before it is recorded that the step begins. */
export type PlanChanges = () => ChangedFiles | Promise<ChangedFiles>;
/** A step that says what it is about to change. */
export declare function changingStep<Given extends readonly unknown[], T>(run: (...given: Given) => T, plan: PlanChanges): (...given: Given) => T;
/** What a step says that it is about to change; undefined for most steps. */
export declare function plannedChanges(run: unknown): PlanChanges | undefined;
/** Changes as an event has them, and the contents that its batch brings. */
export declare function fileFacts({ files: given, kept, unseen }: ChangedFiles): {
    readonly facts: FileFacts;
    readonly blobs: Blobs | undefined;
};

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

// types/noted.d.ts
/** A result with notes on how it came about: they are stored with the call, and the model does not read them. */
import type { Blobs, FileChange, JsonObject } from '@loom-agent/kernel';
/** Files that were changed, or are about to be. */
export interface ChangedFiles {
    /** Each with its content before and after. */
    readonly files: readonly FileChange[];
    /** Those of their contents that are to be stored, by their SHA-256. */
    readonly kept?: Blobs | undefined;
    /** Why there may be more changes than these. */
    readonly unseen?: string | undefined;
}
/** What is noted on a value. */
interface Notes {
    /** What is stored as `meta` of the result. */
    readonly meta?: JsonObject;
    /** The files that the call has changed. */
    readonly changed?: ChangedFiles;
}
/** A value, and the notes on it. */
export interface Noted extends Notes {
    /** What the model reads: anything that a tool may return, also an error. */
    readonly value: unknown;
}
/** Adds notes to what a tool returns. */
export declare const noted: (value: unknown, meta: JsonObject) => Noted;
/** Adds notes, in place of those of their kind. */
export declare function addNotes(value: unknown, notes: Notes): Noted;
/** The value and its notes, where a function of Loom made them. */
export declare function notesOf(returned: unknown): Noted | undefined;
export {};

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

// types/thread-id.d.ts
/** The ids of threads. */
import { LoomError } from '@loom-agent/kernel';
/** Refuses what cannot name a thread: separators of ids, and characters that cannot be seen. */
export declare function checkThread(thread: string): void;
/** The id of a child: `digest` is a hash of the parent's incarnation, the call and the key. */
export declare const childIdOf: (digest: string) => string;
/** Whether an id is one that only children get. */
export declare const isChildId: (thread: string) => boolean;
/** The error for a user's thread under the id of a child. */
export declare function reservedId(thread: string): LoomError;
/** The error for a thread that is not there any more. */
export declare function threadRemoved(thread: string): LoomError;
/** The error for a thread that the journal does not have. */
export declare function threadNotFound(thread: string): LoomError;

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
