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

// crash/enumerate.d.ts
import { type CrashPoint } from './crash-point.ts';
import { type Finding } from './finding.ts';
import { type VerdictKind } from './judge.ts';
import type { CrashScenario } from './scenario.ts';
import { type CrashStorageFactory } from './storage.ts';
import { type TrialOptions } from './trial.ts';
/** How crashes are enumerated. */
export interface EnumerateOptions extends Pick<TrialOptions, 'patience' | 'recover'> {
    /** Where the journal of each trial is kept; default: in memory. */
    readonly journal?: CrashStorageFactory;
    /** How many pairs of crashes are tried as well, the second while the next process recovers from the first; default: none. */
    readonly pairs?: number;
    /** Chooses the pairs; default 1. */
    readonly seed?: number;
    /** Skips crash points that the next process cannot distinguish from the one before; default: every crash point is tried. */
    readonly distinct?: boolean;
    /** Only these crash points. */
    readonly only?: readonly number[];
}
/** A trial with crashes, and its verdict. */
export interface CrashOutcome {
    /** Where processes died. */
    readonly crashes: readonly CrashPoint[];
    /** The verdict. */
    readonly kind: VerdictKind;
    /** What is wrong; empty unless the verdict is `wrong`. */
    readonly found: readonly Finding[];
}
/** What the enumerator found. */
export interface CrashReport {
    /** The name of the scenario. */
    readonly scenario: string;
    /** The number of crash points of the uninterrupted run. */
    readonly crashPoints: number;
    /** One outcome for each trial with crashes. */
    readonly outcomes: readonly CrashOutcome[];
    /** What is wrong without any crash. */
    readonly uninterrupted: readonly Finding[];
}
/** Runs a scenario once uninterrupted, then once for every crash point with a crash there. */
export declare function enumerateCrashes<W extends object>(scenario: CrashScenario<W>, options?: EnumerateOptions): Promise<CrashReport>;
/** Whether nothing is wrong. */
export declare function isClean({ outcomes, uninterrupted }: CrashReport): boolean;
/** What is wrong, as text; empty when nothing is. */
export declare function crashText({ scenario, outcomes, uninterrupted }: CrashReport): string;
/** Throws when something is wrong, and says what. */
export declare function assertCrashes(report: CrashReport): void;

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

// crash/index.d.ts
/** The machinery below `chaos`: crash any scenario at any crash point, on any journal, and judge what is left. */
export { randomOf } from '../double/random.ts';
export type { RebuiltAgent } from '../double/rebuild-agent.ts';
export { type CrashPoint, crashPointText, type Operation } from './crash-point.ts';
export { answerByTruth, createEffectLog, type EffectLog, type EffectPlace, type Execution, placeText, type Truth, textOf, truthOf, type WorldCall, } from './effect-log.ts';
export { assertCrashes, type CrashOutcome, type CrashReport, crashText, type EnumerateOptions, enumerateCrashes, isClean } from './enumerate.ts';
export { type ExternalWorld, externalWorld, worldView } from './external-world.ts';
export { type Finding, type FindingKind, findingKinds, findingText } from './finding.ts';
export { instrument } from './instrument.ts';
export { judge, judgeAlone, type Verdict, type VerdictKind } from './judge.ts';
export { createObserver, observedRecord, type TrialObserver } from './observer.ts';
export { processJournal } from './process-journal.ts';
export { type Acknowledged, createRecord, type Evidence, eventsOf, type TrialRecord, threadsOf } from './record.ts';
export type { CrashScenario, InputOptions, Interruption, ProcessContext, SimulatedUser } from './scenario.ts';
export { createProcess, type Fate, processOf, type SimulatedProcess } from './simulated-process.ts';
export { type CrashStorage, type CrashStorageFactory, memoryStorage } from './storage.ts';
export type { Transcript } from './transcript.ts';
export { runTrial, type Trial, type TrialOptions } from './trial.ts';

// crash/instrument.d.ts
/** An instrumented agent: the same agent, whose every effect is an operation that its process may die at, and is recorded in the effect log. */
import type { AnyAgent } from '@loom-agent/agent';
import type { Journal } from '@loom-agent/kernel';
import { type RebuiltAgent } from '../double/rebuild-agent.ts';
import type { TrialObserver } from './observer.ts';
import type { SimulatedProcess } from './simulated-process.ts';
/** The same agent in a simulated process. Its fingerprint is the same, and so is everything that a model or a human sees. */
export declare function instrument(agent: AnyAgent, observer: TrialObserver, { process, journal }: {
    process: SimulatedProcess;
    journal: Journal;
}): RebuiltAgent;

// crash/journal-audit.d.ts
/** An audit beside the journal: it records what the journal acknowledged, also to processes that did not live to receive it. */
import type { AcquireResult, AppendResult, Batch, Journal } from '@loom-agent/kernel';
import type { Finding } from './finding.ts';
import type { Acknowledged } from './record.ts';
/** What the journal has acknowledged, and what was wrong with it at once. */
export interface JournalAudit {
    readonly found: readonly Finding[];
    readonly acknowledged: readonly Acknowledged[];
    appended(thread: string, batch: Batch, result: AppendResult): void;
    acquired(thread: string, result: AcquireResult): void;
    /** Whether the intent of a call, or of a step of it, is durable. */
    isIntended(thread: string, intent: string): boolean;
}
/** An audit of a journal that has acknowledged nothing yet. */
export declare function createJournalAudit(): JournalAudit;
/** The same journal under audit. */
export declare function auditedJournal(journal: Journal, audit: JournalAudit): Journal;

// crash/judge.d.ts
/**
 * The judge of a trial: is it what the uninterrupted run would have been, as far as the effect classes promise?
 *
 * It compares what was acknowledged, what the journal holds and what happened in the world, and knows nothing of how the processes died.
 */
import { type LoomEvent } from '@loom-agent/kernel';
import type { Finding } from './finding.ts';
import type { TrialRecord } from './record.ts';
/** `same` as the uninterrupted run; the same, but a human was `asked` about calls in doubt; or something is `wrong`. */
export type VerdictKind = 'same' | 'asked' | 'wrong';
/** What the judge says of a trial. */
export interface Verdict {
    /** The verdict. */
    readonly kind: VerdictKind;
    /** Its reasons; empty unless something is wrong. */
    readonly found: readonly Finding[];
}
/** Judges a trial by the uninterrupted run. */
export declare function judge(reference: TrialRecord, record: TrialRecord): Verdict;
/** What holds for every trial, interrupted or not. */
export declare function judgeAlone(record: TrialRecord): readonly Finding[];
/** Where a journal breaks a rule. */
export declare function historyFindings(thread: string, events: readonly LoomEvent[]): readonly Finding[];
/** What was acknowledged is in the journal, unchanged. */
export declare function acknowledgedFindings({ threads, acknowledged }: Pick<TrialRecord, 'threads' | 'acknowledged'>): readonly Finding[];
/** Where a model was sent something else, or a run ended differently. */
export declare function transcriptFindings(reference: TrialRecord, record: TrialRecord, unresolved: ReadonlySet<string>): readonly Finding[];

// crash/observer.d.ts
/** What observes simulated processes: one virtual time, one effect log, one audit of the journal. A crash does not erase what it has seen. */
import { type EffectLog } from './effect-log.ts';
import type { Finding } from './finding.ts';
import { type JournalAudit } from './journal-audit.ts';
import { type Evidence, type TrialRecord } from './record.ts';
import type { CrashStorage } from './storage.ts';
import { type VirtualTime } from './virtual-time.ts';
/** How processes are observed. */
export interface ObserverOptions {
    /** Milliseconds of real time that tools may need; default 0. */
    readonly patience?: number;
    /** After every commit the live frame is compared with the fold of the journal, and replaced by it. */
    readonly replay?: boolean;
}
/** An observer. */
export interface TrialObserver {
    /** The clock of all processes. */
    readonly time: VirtualTime;
    /** What bodies and the external world did. */
    readonly log: EffectLog;
    /** What the journal acknowledged. */
    readonly audit: JournalAudit;
    /** What was found while processes ran. */
    readonly found: Finding[];
    /** Whether the live frame is compared with the fold of the journal after every commit. */
    readonly replay: boolean;
}
/** An observer of processes that have not started. */
export declare function createObserver({ patience, replay }: ObserverOptions): TrialObserver;
/** The record of what was observed, and of what the storage holds. */
export declare function observedRecord({ log, audit, found }: TrialObserver, storage: CrashStorage, left: Pick<Evidence, 'resolved' | 'asked' | 'isConcurrent'> & {
    readonly world: unknown;
}): Promise<TrialRecord>;

// crash/process-journal.d.ts
/** The journal as one process of a trial has it. */
import type { Journal } from '@loom-agent/kernel';
import type { TrialObserver } from './observer.ts';
import { type SimulatedProcess } from './simulated-process.ts';
/** What surrounds the journal of a process. */
export interface JournalSetup {
    readonly process: SimulatedProcess;
    readonly observer: TrialObserver;
    /** Whether the process of this number is gone, so that its threads count as released. */
    readonly isGone: (process: number) => boolean;
    /** A connection that may fail, between the process and the storage. */
    readonly connection?: (journal: Journal) => Journal;
}
/** Appends, acquisitions and releases are operations with two crash points; reads only stop when the process does. */
export declare function processJournal(opened: Journal, { process, observer, isGone, connection }: JournalSetup): Journal;

// crash/record.d.ts
/** The record of a trial: what is left when all of its processes are gone, in a form that two trials can be compared in. */
import type { Question } from '@loom-agent/agent';
import { type Journal, type LoomEvent } from '@loom-agent/kernel';
import { type Execution, type WorldCall } from './effect-log.ts';
import type { Finding } from './finding.ts';
import { type Transcript } from './transcript.ts';
/** An event that the journal, or Loom, has acknowledged to a process or a client. */
export interface Acknowledged {
    /** The thread of the event. */
    readonly thread: string;
    /** Its place in the thread, from 1. */
    readonly seq: number;
    /** Its type. */
    readonly type: LoomEvent['type'];
    /** Its data, as it was acknowledged. */
    readonly data: unknown;
    /** Its time in milliseconds, where it was acknowledged as well. */
    readonly time?: number;
}
/** What a trial has left behind. */
export interface Evidence {
    /** The events of every thread that the journal holds. */
    readonly threads: ReadonlyMap<string, readonly LoomEvent[]>;
    /** Every execution of a body. */
    readonly executions: readonly Execution[];
    /** Every call of the external world. */
    readonly worldCalls: readonly WorldCall[];
    /** What of the external world is compared, as text. */
    readonly world: string;
    /** Every event that was acknowledged. */
    readonly acknowledged: readonly Acknowledged[];
    /** Whether processes ran at the same time: a frozen one may complete what another has repeated, and numbers say nothing about the order. */
    readonly isConcurrent?: boolean;
    /** Places in doubt whose outcome was known and reported. */
    readonly resolved: ReadonlySet<string>;
    /** The questions that were asked, by id. */
    readonly asked: ReadonlyMap<string, Question>;
    /** What was found on the way; the judge adds to it. */
    readonly found: readonly Finding[];
}
/** The evidence with its transcripts. */
export interface TrialRecord extends Evidence {
    /** A transcript for each thread. */
    readonly transcripts: readonly Transcript[];
}
/**
 * The record of a trial.
 *
 * Ids of children and idempotency keys may differ from trial to trial. In what is compared they are replaced by where they come from.
 */
export declare function createRecord(evidence: Evidence): TrialRecord;
/** All events of a thread. */
export declare function eventsOf(journal: Journal, thread: string): Promise<readonly LoomEvent[]>;
/** The events of all threads of a journal. */
export declare function threadsOf(journal: Journal): Promise<ReadonlyMap<string, readonly LoomEvent[]>>;
/** Resolves when a thread has come so far. */
export declare function untilThread(journal: Journal, thread: string, isThere: () => Promise<boolean>): Promise<void>;

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

// crash/transcript.d.ts
/** What a model was sent and how its runs ended, in a form that two trials can be compared in. */
import { type LoomEvent } from '@loom-agent/kernel';
/** One message of a thread's history. */
export interface TranscriptLine {
    readonly origin: string;
    readonly text: string;
    /** For a message of results: each by its call. */
    readonly results?: ReadonlyMap<string, string>;
}
/** A thread as it was in the end. */
export interface Transcript {
    /** The thread. */
    readonly thread: string;
    /** Where the thread comes from: the same in every trial. */
    readonly path: string;
    /** The messages of its history, in order. */
    readonly lines: readonly TranscriptLine[];
    /** How each run ended. */
    readonly endings: readonly string[];
    /** Calls and steps that were in doubt, and calls whose outcome is unknown. */
    readonly doubts: ReadonlySet<string>;
    /** Calls that were open when a stop came: their result depends on the moment. */
    readonly overtaken: ReadonlySet<string>;
}
/** The transcript of a thread. Ids of providers are replaced by the order in which they appear. */
export declare function transcriptOf({ thread, path, events }: {
    thread: string;
    path: string;
    events: readonly LoomEvent[];
}): Transcript;
/** The first place where two transcripts differ. */
export interface TranscriptDifference {
    readonly kind: 'transcript' | 'ending';
    readonly message: string;
    /** Whether a call with an unresolved outcome came before: what follows may be different. */
    readonly excused: boolean;
}
/** The first difference to the transcript of the uninterrupted run; `unresolved` are the calls whose outcome is unknown. */
export declare function differenceOf(expected: Transcript, actual: Transcript, unresolved: ReadonlySet<string>): TranscriptDifference | undefined;

// crash/trial.d.ts
import { type CrashPoint } from './crash-point.ts';
import { type ObserverOptions } from './observer.ts';
import { type TrialRecord } from './record.ts';
import type { CrashScenario } from './scenario.ts';
import type { CrashStorage } from './storage.ts';
/** How a trial is run. */
export interface TrialOptions extends ObserverOptions {
    /** Where the journal is kept. */
    readonly storage: CrashStorage;
    /** The crash point at which each process dies; the one after the last lives to the end. */
    readonly crashes?: readonly number[];
    /** The thread on which the scenario is played; default `t`. */
    readonly thread?: string;
    /** New processes recover unfinished threads by themselves before anything is asked of them. */
    readonly recover?: boolean;
}
/** The record of a trial in simulated processes. */
export interface Trial extends TrialRecord {
    /** Where processes died. */
    readonly crashes: readonly CrashPoint[];
    /** The crash points that the last process has passed. */
    readonly passed: readonly CrashPoint[];
}
/** Runs a scenario to its end. Never rejects: what goes wrong is a finding. */
export declare function runTrial<W extends object>(scenario: CrashScenario<W>, options: TrialOptions): Promise<Trial>;

// crash/virtual-time.d.ts
/** Virtual time: everything that can happen now happens, and the clock moves only when nothing else can. */
import { type ManualClock } from '../double/manual-clock.ts';
import type { SimulatedProcess } from './simulated-process.ts';
/** A clock that moves when nothing else does. */
export interface VirtualTime {
    readonly clock: ManualClock;
    /** Something has happened. */
    readonly progressed: () => void;
    /** An operation of a journal starts; returns what to call when it has finished. Undefined: its caller spins without end and gets no result. */
    readonly operationStarted: () => (() => void) | undefined;
    /** Lets time pass until `isOver`; false when nothing makes progress any more, or something spins without end. */
    until(isOver: () => boolean, how?: {
        readonly process?: SimulatedProcess;
        readonly jumps?: number;
    }): Promise<boolean>;
    /** Waits, without moving the clock, until nothing happens any more. */
    quiet(process?: SimulatedProcess): Promise<void>;
}
/** Virtual time that leaves tools the given milliseconds of real time. */
export declare function createVirtualTime(patience: number): VirtualTime;

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

// double/random.d.ts
/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export declare function randomOf(seed: number): () => number;

// double/rebuild-agent.d.ts
/** An agent made again from its own options, with replaced tools, steps, hooks and models: what tests that look inside an agent are made of. */
import { type AnyAgent, createAgentFactory, type Hook, type HookPoint, type ToolSet } from '@loom-agent/agent';
import { type ErasedDefinition } from '@loom-agent/agent/kit';
import type { EffectClass } from '@loom-agent/kernel';
/** An agent of any dependencies and output. */
export type RebuiltAgent = ReturnType<ReturnType<typeof createAgentFactory>>;
/** The body of a tool. */
export type ToolBody = ErasedDefinition['run'];
/** The check of a reconcilable tool. */
export type ToolCheck = NonNullable<ErasedDefinition['check']>;
/** The body of a step. */
export type StepBody = (given: {
    readonly key: string;
}) => unknown;
/** A tool under the name that its agent has for it. */
export interface NamedTool extends Pick<ErasedDefinition, 'durable' | 'schedule'> {
    readonly name: string;
    readonly effect: EffectClass;
}
/** A step of a durable body. */
export interface StepPlace {
    readonly thread: string;
    readonly call: string;
    /** The key of the step within its call. */
    readonly key: string;
    readonly tool: string;
    readonly effect: EffectClass;
}
/** What takes the place of an agent's own parts. */
export interface Replacements {
    /** Options instead of the agent's own. */
    options(agent: AnyAgent): object;
    hook(hook: Hook<never>): Hook<never>;
    /** Instead of the body of a tool; the steps of a durable one are replaced already. */
    body(tool: NamedTool, run: ToolBody): ToolBody;
    step(place: StepPlace, run: StepBody): StepBody;
    /** What a step waits for before it is taken. */
    beforeStep?(place: StepPlace): Promise<void> | undefined;
    /** When a wait for a signal ends at the latest, instead of the moment that the body names. */
    deadline?(place: Omit<StepPlace, 'tool' | 'effect'>): number | undefined;
    check(tool: NamedTool, check: ToolCheck): ToolCheck;
}
/** Makes agents and tools again; an agent that tools run, too. */
export interface AgentRebuilder {
    agent(agent: AnyAgent): RebuiltAgent;
    tools(set: ToolSet<never>): ToolSet<never>;
}
/** A rebuilder that makes each agent once. */
export declare function createRebuilder(replacements: Replacements): AgentRebuilder;
type Method = (...given: unknown[]) => unknown;
/** A hook with each of its points replaced, and without its observer. */
export declare function replacePoints(hook: Hook<never>, replace: (point: HookPoint, method: Method) => Method): Hook<never>;
export {};
