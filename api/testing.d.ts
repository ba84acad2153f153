// context/check-assembled.d.ts
/** What a recorded rebase must say, whatever the model received. */
import type { ExplainedRequest } from '@loom-agent/agent/kit';
import type { ContextRule } from './context-rules.ts';
/** Reports that a rule is broken. */
export type Blame = (rule: ContextRule, message: string) => void;
/** Checks the facts of one context. */
export declare function checkAssembled({ assembled, frame }: ExplainedRequest, blame: Blame): void;

// context/check-contexts.d.ts
import type { LoomEvent } from '@loom-agent/kernel';
import { type ReceivedRequest } from './check-sent.ts';
import type { ContextProblem } from './context-rules.ts';
/**
 * Everything that is wrong with the contexts of a thread: its events as read from the journal, and the requests that its models received, in order. Of a
 * fork only what came after the cut is compared.
 *
 * @example
 * assert.deepEqual(checkContexts(await Array.fromAsync(readEvents(worker.journal, 't')), model.requests), [])
 */
export declare function checkContexts(events: readonly LoomEvent[], requests: readonly ReceivedRequest[]): readonly ContextProblem[];

// context/check-sent.d.ts
/** What the model received, compared with what the facts say and with what is explained. */
import { type ExplainedRequest } from '@loom-agent/agent/kit';
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model';
import type { Blame } from './check-assembled.ts';
/** A request as a model received it. */
export type ReceivedRequest = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>;
/** Checks one request. */
export declare function checkSent(explained: ExplainedRequest, { prompt, tools }: ReceivedRequest, blame: Blame): void;

// context/context-rules.d.ts
/** The rules of recorded contexts: what `context.assembled` says is what the model received. */
/** Each rule, in one sentence. */
export declare const contextRules: {
    readonly 'CONTEXT-1': 'Segments follow each other inside of the history, without an end that goes back, and none of them is of nothing.';
    readonly 'CONTEXT-2': 'The last input, what was steered after it, pins and the latest calls are shown, and no segment ends between calls and their results.';
    readonly 'CONTEXT-3': 'What is dropped has a rule and a reason, trims and items are complete, and summaries that are named were made.';
    readonly 'CONTEXT-4': 'A summary covers the events of all entries that it stands for.';
    readonly 'CONTEXT-5': 'The budget agrees with the tokens of the request, as far as an estimate can tell.';
    readonly 'CONTEXT-6': 'The messages have the digest that was recorded with the request.';
    readonly 'CONTEXT-7': 'The model received the messages and the tools that the facts say, and no others.';
    readonly 'CONTEXT-8': 'Every message is explained by one part that is in it, and the tokens of the parts are those of the request.';
    readonly 'CONTEXT-9': 'Every request that a model received is recorded, and every recorded one was received, unless its process was lost.';
    readonly 'CONTEXT-10': 'The layers of the system text cover it without a gap, and each has a name of its own and an origin.';
};
/** The id of a rule. */
export type ContextRule = keyof typeof contextRules;
/** Where a recorded context breaks a rule. */
export interface ContextProblem {
    /** The rule that is broken. */
    readonly rule: ContextRule;
    /** The seq of the `context.assembled` event. */
    readonly seq: number;
    /** The turn of the context. */
    readonly turn: number;
    /** What is wrong, with the values. */
    readonly message: string;
}

// contract/contract-case.d.ts
/** A case of the journal contract, and the rules that cases are about. */
import type { Journal } from '@loom-agent/kernel';
/**
 * What a journal promises: JOURNAL-1 to JOURNAL-7, JOURNAL-13 to JOURNAL-17 and JOURNAL-19 to JOURNAL-24 as the kernel states them, and what its other
 * methods say of themselves.
 */
export declare const contractRules: {
    readonly 'JOURNAL-1': 'Compare-and-append: a batch is stored whole, and only at the head it expects; otherwise nothing changes.';
    readonly 'JOURNAL-2': 'A batch that is stored already returns appended, whatever has happened since.';
    readonly 'JOURNAL-3': 'A batch with an epoch that is not the current one is fenced, even at the right seq; a batch without one is a contributor’s.';
    readonly 'JOURNAL-4': 'Acquiring raises the epoch, by compare-and-set on the epoch the claimant has seen, and not while the holder lives.';
    readonly 'JOURNAL-5': 'What is read was appended: gap-free, in order, and never the writer’s own objects.';
    readonly 'JOURNAL-6': 'A batch or a claim that names another incarnation than the thread’s is fenced; one that begins the thread conflicts.';
    readonly 'JOURNAL-7': 'A fork continues its parent from the cut on; neither begins nor stays without the other.';
    readonly 'JOURNAL-8': 'A watcher of a thread is notified of its head after appends, of its removal, and of nothing after it stops watching. What it throws reaches no writer and no other watcher.';
    readonly 'JOURNAL-9': 'The thread table changes with the append, and is listed without gaps and repetitions.';
    readonly 'JOURNAL-10': 'Blobs are stored with their batch, and only with it.';
    readonly 'JOURNAL-11': 'What is removed is gone, and nothing else.';
    readonly 'JOURNAL-12': 'What was acknowledged is there when a durable journal is opened again.';
    readonly 'JOURNAL-13': 'A read that names an incarnation returns events of that one only; when it is gone, the read says so.';
    readonly 'JOURNAL-14': 'A removal that names a head removes the thread only where that is still its head.';
    readonly 'JOURNAL-15': 'The feed has one entry for every commit and every removal, in an order that is the same for every reader, and skips none.';
    readonly 'JOURNAL-16': 'A cursor whose entry is not in the journal, and was not removed since, is stale.';
    readonly 'JOURNAL-17': 'A thread is removed with its children, and not while one of them is driven or read by a fork outside of them.';
    readonly 'JOURNAL-18': 'Heads have times of the store’s clock, and threads are found and sorted by agent, labels and time.';
    readonly 'JOURNAL-19': 'A page begins at a whole number from 1 on and has room for at least one; anything else is refused.';
    readonly 'JOURNAL-20': 'A release ends the lease that it names, and no other: none of another epoch, none on another thread of the same id.';
    readonly 'JOURNAL-21': 'A lease is valid from the claim to its end, and no other lease is.';
    readonly 'JOURNAL-22': 'A copy that is not whole takes batches that name its epoch, and fences those of contributors.';
    readonly 'JOURNAL-23': 'A quarantined thread takes copies and its adoption, and nothing else; its forks are quarantined too.';
    readonly 'JOURNAL-24': 'The claim of a copy raises the epoch to the one that it names, in one step.';
};
/** The id of a rule of the contract. */
export type ContractRule = keyof typeof contractRules;
/** Closes a journal and opens it again from what it keeps. */
export type Reopen = (journal: Journal) => Promise<Journal>;
/** One case of the contract. It is given an empty journal and throws when the journal breaks the rule. */
export interface ContractCase {
    /** What the case shows, as a sentence. */
    readonly name: string;
    /** The rule that it is about. */
    readonly rule: ContractRule;
    /** Runs the case; `reopen` returns the same journal when it is not durable. */
    run(journal: Journal, reopen: Reopen): Promise<void>;
}

// contract/contract.d.ts
/**
 * The journal contract as a suite: every adapter of Loom runs it, and any other adapter can.
 *
 * The cases are plain functions that throw, so that any test runner can register them and nothing here needs one.
 */
import type { Journal } from '@loom-agent/kernel';
import type { ContractCase } from './contract-case.ts';
/** The cases that hold for a journal with these traits. */
export declare function contractCases(traits: Pick<Journal['traits'], 'durable'>): readonly ContractCase[];
/** A journal to be tested: each case gets an empty one. */
export interface ContractOptions {
    /** The journal's name in the titles of the tests. */
    readonly name: string;
    /** Opens a journal that holds nothing. */
    open(): Promise<Journal>;
    /** Closes a journal and opens it again; only a durable journal has it. */
    reopen?(journal: Journal): Promise<Journal>;
}
/** What the suite needs of a test runner. */
export interface ContractRunner {
    /** Groups the tests that `body` registers. */
    describe(name: string, body: () => void): unknown;
    /** Registers a test. */
    test(name: string, body: () => Promise<void>): unknown;
}
/**
 * Registers the contract with a test runner.
 *
 * @example
 * journalContract({ name: 'memory', open: async () => memoryJournal() }, { describe, test })
 */
export declare function journalContract(options: ContractOptions, { describe, test }: ContractRunner): void;

// crash/chaos.d.ts
/** Chaos for users: their own agent crashes at every crash point, and a report says what that costs. */
import type { AnyAgent, Question, SignedAnswer } from '@loom-agent/agent';
import type { Journal } from '@loom-agent/kernel';
import { type Finding } from './finding.ts';
import type { InputOptions } from './scenario.ts';
import type { CrashStorageFactory } from './storage.ts';
/** What the agent of each process is made with. */
export interface ChaosContext<W extends object> {
    /** The journal of the trial. */
    readonly journal: Journal;
    /** The external world, as this process reaches it: calls of a dead process never arrive. */
    readonly world: W;
}
/** How the agent is tried. */
export interface ChaosOptions<W extends object> {
    /** Given one after another, each when the run before has ended. */
    readonly inputs: readonly string[];
    /**
     * The external world that tools reach: an object whose methods have effects and whose fields show what was done. Each trial has its own.
     * Effects that do not go through it are not seen.
     */
    readonly world?: () => W;
    /** What of the world must be as if nothing had happened; default: its data. */
    readonly observe?: (world: W) => unknown;
    /** How questions are answered; default: approve. A call in doubt is answered by what really happened. */
    readonly answer?: (question: Question) => SignedAnswer | undefined;
    /** What each input comes with. */
    readonly run?: InputOptions;
    /** How many pairs of crashes are tried as well, the second while the next process recovers from the first; default 20. */
    readonly pairs?: number;
    /** Chooses the pairs; default 1. */
    readonly seed?: number;
    /** Milliseconds of real time that tools may need before the clock moves on; default 0, for tools that wait for nothing real. */
    readonly patience?: number;
    /** Where the journal of each trial is kept; default: in memory. */
    readonly journal?: CrashStorageFactory;
}
/** A finding, once, with the first crash that showed it and how many did. */
export interface ChaosFinding extends Finding {
    /** The first crash that showed it. */
    readonly crash: string;
    /** How many trials showed it. */
    readonly times: number;
}
/** What became of an agent under chaos. */
export interface ChaosReport {
    /** Crash points of the uninterrupted run. */
    readonly crashPoints: number;
    /** Trials with crashes. */
    readonly trials: number;
    /** Trials in which a human had to be asked about a call in doubt: the cost of unsafe tools. */
    readonly asked: number;
    /** What is wrong; empty when nothing is. */
    readonly found: readonly ChaosFinding[];
}
/**
 * Runs an agent with a crash at every crash point.
 *
 * @example
 * await assertChaos(({ journal, world }) => agent({ model, tools: [chargeWith(world)], journal }), { inputs: ['Charge 5.'], world: fakeBank })
 */
export declare function chaos<W extends object>(agent: (context: ChaosContext<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport>;
/** A report as text. */
export declare function chaosText({ crashPoints, trials, asked, found }: ChaosReport): string;
/** Runs an agent with a crash at every crash point, and throws the report when something is wrong. */
export declare function assertChaos<W extends object>(agent: (context: ChaosContext<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport>;

// crash/crash-point.d.ts
/** Crash points: the moments at which a process can die so that the next one may notice. */
/** What a process does to the journal or to the world. */
export type Operation = 'append' | 'acquire' | 'release' | 'model' | 'tool' | 'step' | 'check' | 'hook' | 'world';
/** One side of an operation: nothing of it has happened, or all of it has and the process has not received the result. */
export interface CrashPoint {
    /** Counted from 1 within one process. */
    readonly number: number;
    /** Which side of the operation it is. */
    readonly when: 'before' | 'after';
    /** What the process was doing. */
    readonly operation: Operation;
    /** The subject: a thread and its seq, a tool and its call, a hook point. */
    readonly subject: string;
}
/** A crash point as a message shows it. */
export declare function crashPointText({ number, when, operation, subject }: CrashPoint): string;
/**
 * Whether the next process can distinguish a crash here from one at the point before: something outside the process has changed since.
 *
 * A dead process leaves only the journal and its effects. Before an operation both are as they were after the previous one.
 */
export declare function isDistinct({ number, when, operation }: CrashPoint): boolean;

// crash/effect-log.d.ts
import { type SignedAnswer } from '@loom-agent/agent';
import { type EffectClass, type Json } from '@loom-agent/kernel';
/** Where an effect belongs: a call, or a step of one. */
export interface EffectPlace {
    /** The thread of the call. */
    readonly thread: string;
    /** The call, by Loom's own id for it. */
    readonly call: string;
    /** The key of the step. */
    readonly step?: string;
}
/** One execution of a body. */
export interface Execution extends EffectPlace {
    /** The name of the tool. */
    readonly tool: string;
    /** What the effect class of the tool or the step is. */
    readonly effect: EffectClass;
    /** The arguments, in canonical form. */
    readonly input: string;
    /** The idempotency key. */
    readonly key: string;
    /** The number of the process that ran it. */
    readonly process: number;
    /** How it ended; `none` when its process was lost. */
    end: 'none' | 'returned' | 'threw';
    /** What it returned or threw. */
    value: unknown;
    /** How often it called the external world. */
    calls: number;
}
/** One call of the external world. */
export interface WorldCall {
    /** The method and its arguments, as text. */
    readonly text: string;
    /** The execution that called it. */
    readonly by: Execution | undefined;
}
/** The log. */
export interface EffectLog {
    /** Every execution of a body, in order. */
    readonly executions: readonly Execution[];
    /** Every call of the external world, in order. */
    readonly worldCalls: readonly WorldCall[];
    /** Runs a body, and records how it ends. */
    perform(started: Omit<Execution, 'end' | 'value' | 'calls'>, work: () => unknown): unknown;
    /** Records a call of the external world by the body that runs now. */
    call(name: string, args: readonly unknown[]): void;
}
/** An empty log. */
export declare function createEffectLog(): EffectLog;
/** A value as text, in canonical form where it is JSON. */
export declare function textOf(value: unknown): string;
/** The name of a place. */
export declare function placeText({ thread, call, step }: EffectPlace): string;
/** What is known of an effect whose process was lost: done with this value, not done at all, or unknown. */
export type Truth = {
    readonly kind: 'done';
    /** What it returned. */
    readonly value: Json;
} | {
    readonly kind: 'not-done';
} | {
    readonly kind: 'unknown';
};
/** What really became of the effect at a place; `seesWorld` when the log has everything that bodies do outside. */
export declare function truthOf({ executions }: EffectLog, place: EffectPlace, seesWorld: boolean): Truth;
/** The answer to a question about an effect in doubt, by what really became of it; `resolved` holds the places whose outcome is known. */
export declare function answerByTruth(truth: Truth, place: EffectPlace, resolved: Set<string>): SignedAnswer;

// crash/external-world.d.ts
/** The external world: what effects change, and what remains when the process is gone. */
import type { EffectLog } from './effect-log.ts';
import type { SimulatedProcess } from './simulated-process.ts';
/** The world as one process reaches it: every method call is an operation of the process, and calls of a dead process never arrive. */
export declare function worldView<W extends object>(world: W, process: SimulatedProcess, log: EffectLog): W;
/** A world that counts effects. A frozen process receives its results later, so every method may return a promise. */
export interface ExternalWorld {
    /** How often each effect happened. */
    readonly done: Record<string, number>;
    /** The effect that happened under each key. */
    readonly keys: Record<string, string>;
    /** Performs an effect each time it is called. */
    act(what: string): string | Promise<string>;
    /** Performs an effect once for each key. */
    put(what: string, key: string): string | Promise<string>;
    /** Whether an effect happened under the key. */
    has(key: string): boolean | Promise<boolean>;
    /** Counts something that is no effect: requests to a model, looks at the world. */
    tick(what: string): number;
}
/** A world in which nothing has happened. */
export declare function externalWorld(): ExternalWorld;

// crash/finding.d.ts
/** The vocabulary of findings: what every judge of crashes, kills and failing servers reports. */
/** Each kind of finding, in one phrase. */
export declare const findingKinds: {
    readonly lost: 'acknowledged events that the journal does not hold';
    readonly changed: 'acknowledged events that the journal holds differently';
    readonly journal: 'damage, and writes that the journal must refuse';
    readonly history: 'histories that break a rule';
    readonly pairing: 'requests whose calls and results do not pair';
    readonly duplicate: 'effects that happened more often than their class allows';
    readonly missing: 'results without their effect, and intents without an end';
    readonly early: 'effects that began before their intent was durable';
    readonly transcript: 'transcripts that differ from the uninterrupted run';
    readonly ending: 'runs that end differently, or not at all';
    readonly winner: 'acknowledged answers that did not take effect';
    readonly unsteady: 'uninterrupted runs that differ from each other';
    readonly feed: 'commits that a reader of the feed missed, saw twice or saw out of order';
    readonly stuck: 'runs that make no progress, or do not say what they wait for';
    readonly failed: 'processes that failed by themselves';
};
/** A kind of finding. */
export type FindingKind = keyof typeof findingKinds;
/** One violation. */
export interface Finding {
    /** What kind of violation it is. */
    readonly kind: FindingKind;
    /** What is wrong, with values. */
    readonly message: string;
    /** Where it shows: `thread@seq`, or a thread. */
    readonly at?: string;
}
/** A finding as a message shows it. */
export declare function findingText({ kind, message, at }: Finding): string;

// crash/scenario.d.ts
/** Scenarios: the agent, what its user does, and how questions are answered. */
import type { AnyAgent, Question, Result, RunHandle, RunOptions, SignedAnswer } from '@loom-agent/agent';
import type { EventType, Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel';
import type { ExternalWorld } from './external-world.ts';
/** What the agent of each process is made with. */
export interface ProcessContext<W extends object = ExternalWorld> {
    /** The journal, as this process reaches it. */
    readonly journal: Journal;
    /** The external world, as this process reaches it. */
    readonly world: W;
    /** The number of the process within the trial, from 0. */
    readonly process: number;
    /** Resolves when the thread has an event of this type. */
    seen(type: EventType): Promise<void>;
    /** Emits a mark that an interruption may wait for. */
    mark(name: string): void;
}
/** What a user does while a run is active: once, after something has happened, unless the journal shows that it was done. */
export interface Interruption {
    /** An event of the thread, or a mark that a tool emits in this process. */
    readonly after: EventType | {
        readonly mark: string;
    };
    /** The event that shows that it was done. */
    readonly unless: EventType;
    /** What the user does. */
    readonly act: (run: RunHandle<unknown>) => Promise<void>;
}
/** What a user can do in a process. Everything is done once in a trial: the next process does not repeat what the journal shows. */
export interface SimulatedUser {
    /** The thread on which the scenario is played. */
    readonly thread: string;
    /** Gives the next input and follows the run until it rests, answering its questions. */
    input(text: string, options?: InputOptions): Promise<Result<unknown> | undefined>;
    /** Gives inputs one after another without waiting, then follows all of their runs. */
    inputs(...texts: readonly string[]): Promise<void>;
    /** Announces an interruption. */
    meanwhile(interruption: Interruption): void;
    /** Raises limits, and follows the run. */
    raise(limits: Limits): Promise<void>;
    /** Resumes a run that has failed, and follows it. */
    again(): Promise<void>;
    /** The events of the thread now. */
    events(): Promise<readonly LoomEvent[]>;
    /** The frame of the thread now. */
    frame(): Promise<Frame>;
}
/** What an input may come with. One with an id is given again by every process. */
export type InputOptions = Pick<RunOptions, 'id' | 'deps' | 'limits' | 'metadata' | 'settings'>;
/** What happens on a thread: its agent, its user and the answers to its questions. */
export interface CrashScenario<W extends object = ExternalWorld> {
    /** The scenario's name in reports. */
    readonly name: string;
    /** The external world, before anything has happened in it. */
    readonly world: () => W;
    /** Makes the agent of a process. */
    readonly agent: (context: ProcessContext<W>) => AnyAgent;
    /** What the user does. Every process of a trial plays it from the beginning. */
    readonly play: (user: SimulatedUser) => Promise<unknown>;
    /** How questions are answered; calls in doubt are answered by what really happened. Undefined leaves a question open. Default: approve. */
    readonly answer?: (question: Question) => SignedAnswer | undefined;
    /** How questions about calls in doubt are answered instead. */
    readonly doubt?: (question: Question) => SignedAnswer;
    /** What of the world must be as after the uninterrupted run; default: its data. */
    readonly observe?: (world: W) => unknown;
}

// crash/simulated-process.d.ts
/** A simulated process: it can die, or freeze for a while, in the middle of whatever it does. */
import type { Ids } from '@loom-agent/agent';
import type { Clock } from '@loom-agent/kernel';
import type { CrashPoint, Operation } from './crash-point.ts';
/** What happens to a process at a crash point: it continues, it dies, or it freezes until the promise settles. */
export type Fate = 'live' | 'die' | Promise<void>;
/** How a process is set up. */
export interface ProcessOptions {
    /** Its number within the trial, from 0. */
    readonly number: number;
    /** The clock that all processes share. */
    readonly clock: Clock;
    /** How far its own clock is ahead, in milliseconds; default 0. */
    readonly skew?: number;
    /** What happens to it at a crash point. */
    readonly fate: (point: CrashPoint) => Fate;
    /** Called whenever the process does something. */
    readonly progressed: () => void;
}
/** A process. From its death on no pending operation returns, and nothing that it still tries has an effect. */
export interface SimulatedProcess {
    /** Its number within the trial, from 0. */
    readonly number: number;
    /** Its own clock. */
    readonly clock: Clock;
    /** Makes ids that name the process: `p0.1`. */
    readonly ids: Ids;
    /** The crash points that it has passed or died at. */
    readonly passed: readonly CrashPoint[];
    /** Resolves when it has died. */
    readonly died: Promise<void>;
    /** Whether it has died. */
    isDead(): boolean;
    /** Whether it is frozen now. */
    isFrozen(): boolean;
    /** How many operations are in flight. */
    busy(): number;
    /** Ends it at once. */
    kill(): void;
    /** What an operation has to wait for first: nothing while the process runs, forever once it is dead. */
    gate(): Promise<void> | undefined;
    /** Reaches a crash point, and waits for what happens to the process there. */
    pass(when: CrashPoint['when'], operation: Operation, subject: string): Promise<void> | undefined;
    /** Does something between its two crash points. A synchronous result is returned synchronously. */
    around(operation: Operation, subject: string, work: () => unknown): unknown;
}
/** The number of the process that made an id. */
export declare function processOf(id: string): number;
/** A process that lives until its fate says otherwise. */
export declare function createProcess(options: ProcessOptions): SimulatedProcess;
/** Whether a value can be awaited. */
export declare function isThenable(value: unknown): value is PromiseLike<unknown>;

// crash/storage.d.ts
import type { Journal } from '@loom-agent/kernel';
/** A storage that processes open one after another, or at the same time. */
export interface CrashStorage {
    /** A handle for a new process. */
    open(): Journal | Promise<Journal>;
    /** The process that had this handle is gone: nothing that is not stored by now is stored later. */
    abandon(journal: Journal): void | Promise<void>;
    /** The storage is not needed any more. */
    discard?(): void | Promise<void>;
}
/** Makes an empty storage. */
export type CrashStorageFactory = () => CrashStorage | Promise<CrashStorage>;
/** A storage in memory. The journal keeps encoded records, so every process decodes what it reads. */
export declare function memoryStorage(): CrashStorage;

// double/manual-clock.d.ts
import type { Clock } from '@loom-agent/kernel';
/** A clock that a test controls. */
export interface ManualClock extends Clock {
    /** Moves the clock on and rings the timers that are due, in order, letting each take its effect before the next. */
    advance(ms: number): Promise<void>;
    /** Moves the clock to the next timer and rings it; false when no timer is set. */
    jump(): boolean;
    /** Moves the clock at once, without ringing; timers that are due by then ring with the next jumps. */
    skip(ms: number): void;
    /** How many timers are set. */
    readonly timers: number;
}
/** A clock that shows the given moment. A timer that is due when it is set rings soon, but never inside the caller. */
export declare function manualClock(start?: number): ManualClock;

// double/mortal-journal.d.ts
/** A process that can die: its access to the journal ends in the middle of whatever it does. */
import type { Journal } from '@loom-agent/kernel';
/** When a process dies, counted in its appends: just before one is stored, or just after, before the process receives the result. */
export interface Death {
    /** Which append of the process, from 1. */
    readonly append: number;
    /** Before the append is stored, or after it. */
    readonly when: 'before' | 'after';
}
/** A journal as one process sees it that can die. */
export interface MortalJournal {
    /** The journal to give to the agent of the process. */
    readonly journal: Journal;
    /** How many appends the process has started. */
    appends(): number;
    /** Whether the process has died. */
    isDead(): boolean;
    /** Resolves when the process has died. */
    readonly died: Promise<void>;
    /** Ends the process at once. */
    kill(): void;
}
/** The view that one process has of a journal. From its death on no operation returns any more, as in a killed process. */
export declare function mortalJournal(journal: Journal, death?: Death): MortalJournal;

// double/scripted-model.d.ts
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@loom-agent/agent/language-model';
/** A call that a scripted reply proposes. */
export interface ScriptedCall {
    /** The name of the tool. */
    readonly tool: string;
    /** An object; a text is sent as it is, JSON or not. */
    readonly input?: unknown;
    /** The provider's id; default: made up, unique. */
    readonly id?: string;
    /** The provider's metadata of the call. */
    readonly meta?: Record<string, Record<string, string>>;
}
/** One reply. */
export interface ScriptedReply {
    /** The text of the reply. */
    readonly text?: string;
    /** What the model thought before; sent first. */
    readonly reasoning?: string;
    /** The calls it proposes, after the text. */
    readonly calls?: readonly ScriptedCall[];
    /** The tokens it reports; default 10 of input and 5 of output. */
    readonly usage?: {
        readonly input?: number;
        readonly output?: number;
        readonly cacheRead?: number;
    };
    /** Why the reply ended; default `tool-calls` with calls, else `stop`. */
    readonly finish?: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';
    /** Parts that are sent before the finish, as they are. */
    readonly parts?: readonly LanguageModelV4StreamPart[];
    /** Deltas that the text is cut into; default: one a word. */
    readonly deltas?: readonly string[];
    /** Throws before the first part. */
    readonly throws?: unknown;
    /** Sends an error part after this many parts. */
    readonly errorAfter?: {
        readonly parts: number;
        readonly error: unknown;
    };
    /** The stream is closed after this many parts, without a finish. */
    readonly cutAfter?: number;
    /** The stream fails with this error after its last part, instead of being closed. */
    readonly tornBy?: unknown;
    /** Sends nothing more after this many parts, until aborted. */
    readonly stallAfter?: number;
    /** Waits for this before the first part. */
    readonly until?: Promise<unknown>;
}
/** What a model says: a text alone is a reply too. */
type Said = string | ScriptedReply;
/** A reply, a text, or a function of the request and its number (from 1), which may be asynchronous. */
export type ScriptStep = Said | ((request: LanguageModelV4CallOptions, number: number) => Said | Promise<Said>);
/** A scripted model: a LanguageModelV4, with what it was asked. */
export interface ScriptedModel extends LanguageModelV4 {
    /** Every request, as it was handed over. */
    readonly requests: readonly LanguageModelV4CallOptions[];
    /** Throws unless the whole script was used. */
    assertComplete(): void;
}
/**
 * Makes a model from a script: one step a request. After the last step, a function is called for every further request; anything else is an error.
 *
 * @example
 * const model = scriptedModel([{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
 */
export declare function scriptedModel(script: ScriptStep | readonly ScriptStep[], options?: {
    modelId?: string;
}): ScriptedModel;
export {};

// double/steady-model.d.ts
/** A model whose reply depends on nothing but the prompt: a process that asks again after a crash gets the same reply. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model';
import { type ScriptedModel, type ScriptedReply } from './scripted-model.ts';
/** One line of a script: a reply, or a function of the request. */
export type SteadyLine = string | ScriptedReply | ((request: LanguageModelV4CallOptions) => string | ScriptedReply);
/**
 * Replies with the n-th line of a script to a prompt that holds n replies, and with the last line from then on.
 *
 * @example
 * steadyModel([{ calls: [{ tool: 'pay' }] }, 'It is paid.'])
 */
export declare function steadyModel(script: readonly SteadyLine[], options?: {
    modelId?: string;
}): ScriptedModel;

// given/frames.d.ts
/** Frames one by one, for tests that look at each. */
import { type Frame, type LoomEvent } from '@loom-agent/kernel';
/** The frame after each of the events, in order. */
export declare function frames(thread: string, events: Iterable<LoomEvent>): Generator<Frame, void>;

// given/given.d.ts
import { type Draft, type Effect, type Frame } from '@loom-agent/kernel';
/** A thread on which something has happened. */
export interface Given {
    /** What the facts so far fold to. */
    readonly frame: Frame;
    /** The thread after more has happened. */
    when(...drafts: readonly Draft[]): Given;
    /** Checks what `decide` returns for it: only the expected fields are compared. */
    thenDecides(expected: Expected<Effect>): Given;
    /** Checks what it folds to: only the expected fields are compared. */
    thenHas(expected: Expected<Frame>): Given;
}
/** A part of a value, at any depth. */
export type Expected<T> = T extends readonly unknown[] ? readonly Expected<T[number]>[] : T extends object ? {
    readonly [K in keyof T]?: Expected<T[K]>;
} : T;
/**
 * A thread on which the given has happened, in order, one millisecond apart.
 *
 * @example
 * given(started('Hi')).when(turn(1)).thenDecides({ kind: 'assemble' })
 */
export declare function given(...drafts: readonly Draft[]): Given;
/** Drafts for the facts that most tests begin with. */
export declare const facts: {
    readonly started: (text?: string, limits?: object) => readonly Draft[];
    readonly turn: (turn: number) => Draft;
    readonly assembled: () => Draft;
    readonly requested: (attempt?: number) => Draft;
    readonly replied: (text: string) => Draft;
    readonly called: (...calls: readonly {
        name: string;
        serial?: true;
    }[]) => Draft;
    readonly finished: (call: string, value?: string) => Draft;
};

// given/modes.d.ts
import { type Ports } from '@loom-agent/agent';
import type { Frame, Journal } from '@loom-agent/kernel';
/**
 * Always-replay: after every commit the live frame is dropped and rebuilt from the journal's bytes. Differences throw.
 *
 * @example
 * agent({ model, journal, ports: alwaysReplay(journal) })
 */
export declare function alwaysReplay(journal: Journal): Pick<Ports, 'refold'>;
/** Always-re-enter: every step of a durable body ends the entry, and the body is entered again from its first line. */
export declare function alwaysReenter(): Pick<Ports, 'reenter'>;
/** Throws, naming the places, when two frames are not the same data. */
export declare function assertSameFrame(live: Frame, replayed: Frame): void;
/** Freezes a frame and everything in it: any change throws. */
export declare function deepFreeze<T>(value: T): T;

// history/cache-prefix.d.ts
/** The contract of prompt caches: between two rebases every request begins with the one before, so that what a vendor has cached stays valid. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model';
import type { LoomEvent } from '@loom-agent/kernel';
/** What of a request a vendor caches. */
type Cached = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>;
/**
 * Throws when a request does not begin with the one before it: system text, tools and messages. The message names the first place that differs, and the cause of
 * a rebase that would explain it. Marks for caches are not compared, because vendors do not either.
 *
 * With the events of the thread, requests may differ after a rebase; they must be the requests of that thread, from the first on.
 *
 * @example
 * assertCachePrefix(model.requests) // nothing was rebased
 * assertCachePrefix(model.requests, await Array.fromAsync(readEvents(journal, 't')))
 */
export declare function assertCachePrefix(requests: readonly Cached[], events?: Iterable<LoomEvent>): void;
export {};

// history/check-history.d.ts
import { type LoomEvent } from '@loom-agent/kernel';
import type { Violation } from './rules.ts';
/** Everything that is wrong with the events of one thread, as read from its journal. */
export declare function checkHistory(events: readonly LoomEvent[]): readonly Violation[];
/** Throws when the events of a thread break a rule. */
export declare function assertHistory(events: readonly LoomEvent[]): void;

// history/check-pairing.d.ts
/** The law of pairing: every request that is sent to a provider is valid for it. */
import type { LanguageModelV4Message } from '@loom-agent/agent/language-model';
/**
 * Everything that a provider could refuse about the calls of a prompt: each has exactly one result, in the next message, in the order of the calls;
 * ids are unique; there are no results without calls and no empty messages. What the provider executed itself has its result in the same message.
 */
export declare function checkPairing(prompt: readonly LanguageModelV4Message[]): readonly string[];

// history/rules.d.ts
/** The rules that every correct journal of a thread keeps. They follow from the design, not from the fold: the two can disagree, and then one is wrong. */
/** Each rule, in one sentence. A journal that ends midway is legal: a rule about completeness holds where the journal claims to have moved on. */
export declare const historyRules: {
    readonly 'HIST-1': 'Seqs are gap-free from 1, and all events belong to one thread.';
    readonly 'HIST-2': 'A thread begins once, with its first event.';
    readonly 'HIST-3': 'Every event carries the run and the turn that are in force.';
    readonly 'HIST-4': 'Every driver has a higher epoch than the ones before.';
    readonly 'HIST-5': 'Before the first driver there are only events that contributors may append.';
    readonly 'HIST-6': 'Runs are numbered in the order in which they were asked for.';
    readonly 'HIST-7': 'One run at a time; no run overtakes the queue.';
    readonly 'HIST-8': 'A run ends once, and nothing of it happens before its start or after its end.';
    readonly 'HIST-9': 'Only an active run is suspended, only a suspended or failed one resumed, and a suspended one does no work.';
    readonly 'HIST-10': 'After a stop request no new work begins, and the run ends as stopped.';
    readonly 'HIST-11': 'A run is cancelled only after a stop request.';
    readonly 'HIST-12': 'Turns count up by one, each after the reply of the one before, and no further than the limit.';
    readonly 'HIST-13': 'The model is asked only with a context that was assembled for it; what changes earlier bytes says so.';
    readonly 'HIST-14': 'Attempts are numbered, one is under way at a time, and a failure for good is not tried again.';
    readonly 'HIST-15': 'A reply, a failure or what was streamed is of the attempt under way, and a reply comes from the driver that asked.';
    readonly 'HIST-16': 'An event about a call names a call that the reply of this turn proposed.';
    readonly 'HIST-17': 'No call gets a second result.';
    readonly 'HIST-18': 'Every call has its result before the thread moves on.';
    readonly 'HIST-19': 'A call begins only while it has no result and no driver performs it.';
    readonly 'HIST-20': 'An unsafe effect is never run again without a human who says that it did not happen.';
    readonly 'HIST-21': 'A serial call never overtakes an earlier serial call.';
    readonly 'HIST-22': 'A call does not begin before what was asked about it is settled in its favour.';
    readonly 'HIST-23': 'A success comes from the driver that performed the call, from a human, or from a hook that replaced it; what is performed cannot be denied.';
    readonly 'HIST-24': 'In doubt is only what may have been done by a performer that is gone, and nothing else is asked about as such.';
    readonly 'HIST-25': 'Only a durable call that is being performed is suspended.';
    readonly 'HIST-26': 'A key of a durable call is begun by the driver that performs the call, and recorded once.';
    readonly 'HIST-27': 'A child is started once by a durable call that is performed, and finished once.';
    readonly 'HIST-28': 'No question id is used twice, and nothing is asked about a call that has its result.';
    readonly 'HIST-29': 'An answer fits a question that is open; of racing answers one takes effect.';
    readonly 'HIST-30': 'What comes with a time does not come before it.';
    readonly 'HIST-31': 'Nothing continues past an open question.';
    readonly 'HIST-32': 'A run finishes with an answer of the model that calls nothing and fits its form.';
    readonly 'HIST-33': 'What was steered reaches the model before the run finishes.';
    readonly 'HIST-34': 'A patch names one of the nine points and comes where that point is.';
    readonly 'HIST-35': 'Under one id there is one start.';
    readonly 'HIST-36': 'A wait for a signal ends with the first signal of its name, or as expired when its time has passed; a signal that comes later does not end it.';
    readonly 'HIST-37': 'An agent adopts a thread from the agent that has it.';
    readonly 'HIST-38': 'A run that was asked to pause goes on only when a caller resumes it.';
    readonly 'HIST-39': 'A fork begins with what its edits make, and nothing else happens on it before its first driver.';
    readonly 'HIST-40': 'A fork with instructions sends no others to the model.';
    readonly 'HIST-41': 'What a fork takes from the record of its parent happened there after the cut, is used once, and is used only where the effects of the fork are recorded.';
    readonly 'HIST-42': 'A stop keeps only text that the last attempt had streamed and that no reply and no other attempt came after.';
    readonly 'HIST-43': 'A driver asks a run to stop because its time is used up only while the run is active and nobody else has asked, and the stop says so.';
    readonly 'HIST-44': 'A run starts no more children, and begins no more calls, than its limits allow; those of its children count.';
    readonly 'HIST-45': 'A rebase covers the history in order, says why it leaves something out, and shows only summaries that were made.';
    readonly 'HIST-46': 'What is said about files names each file once, says what became of it, and comes from nothing that only reads; contents are of these files.';
    readonly 'HIST-47': 'Files are put back where a fork begins, and by its driver before it does anything else. What was put back was to be, and everything else is a conflict.';
    readonly 'HIST-48': 'A run is suspended at a breakpoint only where the thread has that breakpoint, and goes on only when a caller resumes it.';
};
/** The id of a rule. */
export type HistoryRule = keyof typeof historyRules;
/** Where a history breaks a rule. */
export interface Violation {
    /** The rule that is broken. */
    readonly rule: HistoryRule;
    /** The seq of the event that breaks it. */
    readonly seq: number;
    /** What is wrong, with values. */
    readonly message: string;
}

// index.d.ts
/** Loom's testing kit. */
export { checkContexts } from './context/check-contexts.ts';
export type { ReceivedRequest } from './context/check-sent.ts';
export { type ContextProblem, type ContextRule, contextRules } from './context/context-rules.ts';
export { type ContractOptions, type ContractRunner, contractCases, journalContract } from './contract/contract.ts';
export { type ContractCase, type ContractRule, contractRules, type Reopen } from './contract/contract-case.ts';
export { assertChaos, type ChaosContext, type ChaosFinding, type ChaosOptions, type ChaosReport, chaos, chaosText } from './crash/chaos.ts';
export type { Finding, FindingKind } from './crash/finding.ts';
export type { InputOptions } from './crash/scenario.ts';
export type { CrashStorage, CrashStorageFactory } from './crash/storage.ts';
export { type ManualClock, manualClock } from './double/manual-clock.ts';
export { type Death, type MortalJournal, mortalJournal } from './double/mortal-journal.ts';
export { type ScriptedCall, type ScriptedModel, type ScriptedReply, type ScriptStep, scriptedModel } from './double/scripted-model.ts';
export { type SteadyLine, steadyModel } from './double/steady-model.ts';
export { frames } from './given/frames.ts';
export { type Expected, facts, type Given, given } from './given/given.ts';
export { alwaysReenter, alwaysReplay, assertSameFrame, deepFreeze } from './given/modes.ts';
export { assertCachePrefix } from './history/cache-prefix.ts';
export { assertHistory, checkHistory } from './history/check-history.ts';
export { checkPairing } from './history/check-pairing.ts';
export { type HistoryRule, historyRules, type Violation } from './history/rules.ts';
export { type ObedientOptions, obedientModel } from './obedient/obedient-model.ts';
export { assertSameRun, type GivenRun, type SameRunOptions } from './regression/assert-same-run.ts';
export { assertStrategy } from './regression/assert-strategy.ts';
export { RunDivergence } from './regression/divergence.ts';
export type { Fixture, FixtureSource } from './regression/fixture.ts';
export { type Redact, redactSecrets } from './regression/redact.ts';
export { assertSameAgent, type SameAgentOptions } from './regression/shared-file.ts';
export { type Regression, type RegressionOptions, writeRegression } from './regression/write-regression.ts';

// obedient/obedient-model.d.ts
import { type ScriptedModel } from '../double/scripted-model.ts';
/** The options of `obedientModel()`. */
export interface ObedientOptions {
    /** Its id; default `obedient`. */
    readonly modelId?: string;
    /** Calls of one reply, at most; default 8. */
    readonly calls?: number;
}
/**
 * Makes a model that carries out every instruction it finds: `DO tool {"argument": "value"}` and `SAY text`, in plain text or encoded.
 *
 * @example
 * const model = obedientModel()
 * await agent({ model, tools }).run('DO read_file {"path":"page.html"}') // and then whatever the page says
 */
export declare function obedientModel(options?: ObedientOptions): ScriptedModel;

// regression/assert-same-run.d.ts
import type { AnyAgent, RunOptions, ToolSet } from '@loom-agent/agent';
import { type FixtureSource } from './fixture.ts';
import { type Redact } from './redact.ts';
/** What every run of a thread was given besides what its agent has. */
export interface GivenRun extends Pick<RunOptions, 'settings' | 'limits'> {
    /** For hooks, rules and durable bodies: no tool uses them. */
    readonly deps?: unknown;
    /** Tools that the runs were given. */
    readonly tools?: ToolSet<never>;
}
/** What a replay needs that no record has. */
export interface SameRunOptions {
    /** What the runs were given besides what the agent has. */
    readonly given?: GivenRun;
    /** The redaction that the fixture was written with, where it was not the default. */
    readonly redact?: Redact;
    /** Tools whose bodies run, with the recorded arguments, and whose results are compared: `true` for all but durable ones. Default: none. */
    readonly execute?: boolean | readonly string[];
    /**
     * Whether the fixture is replaced where the agent does something else than recorded, with the recorded replies of the model; the changes are written to
     * the console. Default: what the environment variable LOOM_ACCEPT says. Never where CI is set.
     */
    readonly accept?: boolean;
    /** Milliseconds of real time that hooks and other code of the agent may take without any progress; default 1,000. */
    readonly patience?: number;
}
/**
 * Runs the agent as the fixture recorded it and throws a `RunDivergence` at the first step that is not the same: what the model is sent, what becomes
 * of each call, results, questions, limits, the end. No model, tool, step or network is used; durable bodies, hooks and rules of the agent run.
 *
 * @example
 * test('the refund is the same', () => assertSameRun(agent, new URL('./refund.journal.json', import.meta.url)))
 */
export declare function assertSameRun(agent: AnyAgent, source: FixtureSource, options?: SameRunOptions): Promise<void>;

// regression/assert-strategy.d.ts
/** The gate for another strategy: what recorded threads would lose, and what their requests would take. */
import { type AnyReplayed, type ReplaySummary, type StrategyRules } from '@loom-agent/agent';
/**
 * Throws when a strategy would break a rule on a thread: when a pinned entry or the last question is not shown, a thread cannot be replayed, or requests
 * have more tokens than they may. The message names every violation. Returns what the replays found.
 *
 * @example
 * await assertStrategy(worker.replayAll({}, { with: { context: window({ turns: 20 }) } }), { tokens: 5, lost: 0 })
 */
export declare function assertStrategy(replays: AsyncIterable<AnyReplayed> | Iterable<AnyReplayed>, rules?: StrategyRules): Promise<ReplaySummary>;

// regression/divergence.d.ts
/** Where a replay leaves the record: the step, both values, and what to do. */
import type { Json, LoomEvent } from '@loom-agent/kernel';
/** What a divergence is made of. */
export interface DivergenceOptions {
    /** Where: `turn 2, call 2.0, tool.started.input.sum`. */
    readonly step: string;
    readonly recorded: unknown;
    readonly replayed: unknown;
    readonly advice: string;
    /** What to do when the change is meant. */
    readonly whenMeant?: string;
}
/** The agent does not do any more what it did when the fixture was recorded. */
export declare class RunDivergence extends Error {
    /** Always `RunDivergence`. */
    readonly name: string;
    /** Where: `turn 2, call 2.0, tool.started.input.sum`. */
    readonly step: string;
    /** What the fixture has there. */
    readonly recorded: unknown;
    /** What the replay has there. */
    readonly replayed: unknown;
    /** What to look at. */
    readonly advice: string;
    constructor({ step, recorded, replayed, advice, whenMeant }: DivergenceOptions);
}
/** The step, both values and what to look at. */
export declare function differenceText({ step, recorded, replayed, advice }: DivergenceOptions): string;
/** A divergence of a test that accepts changes. */
export declare function notAcceptable({ step, recorded, replayed, advice }: RunDivergence): RunDivergence;
/** A value as a message shows it. */
export declare const textOf: (value: unknown) => string;
/** Both texts; of long ones the part where they differ first. */
export declare function shownBoth(recorded: string, replayed: string): readonly string[];
/** Where something is, in words that people use. */
export interface Place {
    /** Whose child the thread is; empty for the thread itself. */
    readonly of: string;
    readonly event: LoomEvent;
    readonly track: string;
}
/** The name of a step; `path` leads into the event. */
export declare function stepOf({ of, event, track }: Place, path: string): string;
/** The recorded event and what came instead, which differ at a path. */
export declare function differs(place: Place, found: {
    readonly path: string;
    readonly recorded: Json | undefined;
    readonly replayed: Json | undefined;
}, advice?: string): RunDivergence;

// regression/fixture.d.ts
import { type Json, type JsonObject, type Limits, type LoomEvent } from '@loom-agent/kernel';
/** The format that this version writes and reads. */
export declare const fixtureFormat = 1;
/** An event without what follows from its place, and without its time where that is the time of the event before. */
export type FixtureEvent = Readonly<{
    type: LoomEvent['type'];
    time?: number;
    data: LoomEvent['data'];
    v?: number;
}>;
/** What the model was sent in a turn, rendered when the fixture was written: what came since the request before, or everything after a rebase. */
export interface FixtureRequest {
    readonly turn: number;
    readonly rebased?: true;
    readonly messages: readonly Json[];
    readonly settings: JsonObject;
}
/** One recorded thread. */
export interface FixtureThread {
    readonly thread: string;
    readonly events: readonly FixtureEvent[];
    readonly requests: readonly FixtureRequest[];
    /** The thread is not replayed: a fork takes results from it. */
    readonly isPast?: true;
}
/** What a run was given besides what its agent has. */
export interface GivenToRun {
    readonly settings?: JsonObject;
    readonly limits?: Limits;
}
/** A recorded thread and its children. */
export interface Fixture {
    /** The version of the format. */
    readonly format: typeof fixtureFormat;
    /** The name of the root thread. */
    readonly thread: string;
    /** The name of its agent. */
    readonly agent: string;
    /** What runs of the root were given, by run. */
    readonly given?: {
        readonly [run: string]: GivenToRun;
    };
    /** The file of the parts that this fixture shares with others of its agent: they are named where they stand. */
    readonly shared?: string;
    /** Blobs in base64, by hash. */
    readonly blobs?: {
        readonly [hash: string]: string;
    };
    /** The recorded threads, the root first. */
    readonly threads: readonly FixtureThread[];
}
/** A fixture, parsed already or where its file is. */
export type FixtureSource = Fixture | URL | {
    readonly [key: string]: unknown;
};
/** Reads a fixture; throws when it is none, or of another format. */
export declare function readFixture(source: FixtureSource): Fixture;
/** The JSON of a file; throws when it is missing or broken. */
export declare function readJson(source: URL): unknown;
/** The events of a recorded thread with their places. */
export declare function eventsIn({ thread, events }: FixtureThread): readonly LoomEvent[];
/** Events as they are kept. */
export declare function keptEvents(events: readonly LoomEvent[]): readonly FixtureEvent[];
/** A fixture as text: an event a line, so that a change of it can be read. */
export declare function fixtureText({ threads, ...rest }: Fixture): string;

// regression/redact.d.ts
import type { Json, LoomEvent } from '@loom-agent/kernel';
/** Replaces what must not be kept. Must return the same for the same text, and leave its own output unchanged. */
export type Redact = (text: string) => string;
/**
 * The redaction that is used unless another is given: the named secrets, keys and tokens of well-known formats, passwords in addresses, private keys,
 * and what stands under the name of a secret.
 *
 * @example
 * writeRegression(journal, thread, { ..., redact: redactSecrets([process.env.API_KEY ?? '']) })
 */
export declare function redactSecrets(secrets?: readonly string[]): Redact;
/** A value with every text in it replaced, names of fields included; the same value where nothing changes. */
export declare function replaceTexts<T extends Json | undefined>(value: T, replace: Redact): T;
/** An event with every text in it redacted, and without digests: from them a short secret could be guessed. */
export declare function redactEvent<E extends LoomEvent>(event: E, redact: Redact): E;
/** Bytes with every secret in them redacted, as far as they are text. */
export declare function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array;

// regression/shared-file.d.ts
import type { AnyAgent } from '@loom-agent/agent';
import { type Redact } from './redact.ts';
import { type SharedParts } from './shared-parts.ts';
/** Whether the parts are the same for every run: neither instructions nor tools nor the context are made for one. */
export declare function hasSharedParts(agent: AnyAgent): boolean;
/** The name of the file for an agent. */
export declare const sharedName: (agent: string) => string;
/** The parts as a file has them. */
export declare const partsText: (parts: SharedParts) => string;
/** Reads the parts of a file. */
export declare function readParts(source: URL): SharedParts;
/** What the comparison of an agent with its shared parts needs. */
export interface SameAgentOptions {
    /** The redaction that the fixtures were written with, where it was not the default. */
    readonly redact?: Redact;
    /** Whether the file is replaced where the agent has changed; see `SameRunOptions`. */
    readonly accept?: boolean;
}
/**
 * Compares the instructions, tools, settings and limits of an agent with those that its recorded runs share, and throws a `RunDivergence` at the first
 * difference. The tests of those runs do not compare them: a change is reported once.
 */
export declare function assertSameAgent(agent: AnyAgent, source: URL, options?: SameAgentOptions): Promise<void>;

// regression/shared-parts.d.ts
/**
 * What every run of an agent has in common: instructions, tools, settings and limits. Fixtures of one agent keep it once, in a file of its own.
 *
 * RECORDED-11. A fixture that shares these parts names them, and its test takes the agent's own: a change of them is reported by one test, not by all.
 */
import { type AnyAgent } from '@loom-agent/agent';
import { type Json } from '@loom-agent/kernel';
import type { Fixture } from './fixture.ts';
import { type Redact } from './redact.ts';
/** The names of the parts. */
declare const partNames: readonly ['instructions', 'tools', 'settings', 'limits'];
type PartName = (typeof partNames)[number];
/** The parts that the runs of an agent have in common. */
export type SharedParts = Readonly<Record<PartName, Json>>;
/** The parts of an agent as it is: those of a run that is stopped when its model is called. */
export declare function partsOf(agent: AnyAgent, redact: Redact): Promise<SharedParts>;
/** The fixture with the name of a part wherever the part itself is. */
export declare function withReferences(fixture: Fixture, parts: SharedParts): Fixture;
/** The fixture with the parts themselves. */
export declare function withParts(fixture: Fixture, parts: SharedParts): Fixture;
export {};

// regression/write-regression.d.ts
import type { AnyAgent } from '@loom-agent/agent';
import { type Journal } from '@loom-agent/kernel';
import { type GivenRun } from './assert-same-run.ts';
import { type Fixture } from './fixture.ts';
import { type Redact } from './redact.ts';
/** Where a regression is written, and which agent it tests. */
export interface RegressionOptions {
    /** The folder of the files; created when it is missing. */
    readonly folder: string;
    /** The files are called `<name>.journal.json` and `<name>.test.ts`. */
    readonly name: string;
    /**
     * How the test gets the agent: `import { <export> } from '<module>'`, as seen from the folder. With the agent itself as `value`, what runs were
     * given besides is separated from what is the agent's own, and a thread that cannot be replayed is refused.
     */
    readonly agent: {
        readonly module: string;
        readonly export: string;
        readonly value?: AnyAgent;
    };
    /** Replaces what must not be kept; default: well-known kinds of keys. */
    readonly redact?: Redact;
    /** Whether files that exist are replaced; default: that is an error. */
    readonly overwrite?: boolean;
    /** What the runs were given besides what the agent has: with the agent as `value`, the fixture is replayed once before it is written. */
    readonly given?: GivenRun;
}
/** What was written. */
export interface Regression {
    /** The path of the fixture. */
    readonly journal: string;
    /** The path of the test. */
    readonly test: string;
    /** The fixture itself. */
    readonly fixture: Fixture;
    /** What is not in the fixture; the head of the test says so. */
    readonly leftOut: readonly string[];
}
/**
 * Writes a thread, with its children and without its secrets, as a fixture and a test of an agent.
 *
 * @example
 * const agent = { module: '../../src/agent.ts', export: 'support' }
 * await writeRegression(journal, 'user-123', { folder: 'test/regressions', name: 'refund', agent })
 */
export declare function writeRegression(journal: Journal, thread: string, options: RegressionOptions): Promise<Regression>;
