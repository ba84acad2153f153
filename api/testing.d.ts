// contract/contract.d.ts
/**
 * The journal contract as a suite: every adapter runs it, and whoever writes one can.
 *
 * The cases are plain functions that throw, so that any test runner can register them and nothing here needs one.
 */
import type { Journal } from '@loom-agent/kernel';
/** What a journal promises: JOURNAL-1 to JOURNAL-5 as the kernel states them, and what its other methods say of themselves. */
export declare const contractRules: {
    readonly 'JOURNAL-1': 'Compare-and-append: a batch is stored whole, and only at the head it expects; otherwise nothing changes.';
    readonly 'JOURNAL-2': 'A batch that is stored already answers appended, whatever has happened since.';
    readonly 'JOURNAL-3': 'A batch with an epoch that is not the current one is fenced, even at the right seq; a batch without one is a visitor.';
    readonly 'JOURNAL-4': 'Acquiring raises the epoch, by compare-and-set on the epoch the claimant has seen, and not while the holder lives.';
    readonly 'JOURNAL-5': 'What is read was appended: gap-free, in order, and never the writer’s own objects.';
    readonly 'JOURNAL-6': 'Whoever watches a thread is told its head after appends, and nothing after unwatching.';
    readonly 'JOURNAL-7': 'The thread table changes with the append, and is listed without gaps and repetitions.';
    readonly 'JOURNAL-8': 'Blobs are stored with their batch, and only with it.';
    readonly 'JOURNAL-9': 'What is removed is gone, and nothing else.';
    readonly 'JOURNAL-10': 'What was acknowledged is there when a durable journal is opened again.';
};
/** The id of a rule of the contract. */
export type ContractRule = keyof typeof contractRules;
/** Closes a journal and opens it again from what it keeps. */
export type Reopen = (journal: Journal) => Promise<Journal>;
/** One case of the contract. It is given an empty journal and throws when the journal breaks the rule. */
export interface ContractCase {
    readonly name: string;
    readonly rule: ContractRule;
    run(journal: Journal, reopen: Reopen): Promise<void>;
}
/** The cases that hold for a journal with these traits. */
export declare function contractCases(traits: Pick<Journal['traits'], 'durable'>): readonly ContractCase[];
/** A journal to be tested: each case gets an empty one. */
export interface ContractOptions {
    readonly name: string;
    /** Opens a journal that holds nothing. */
    open(): Promise<Journal>;
    /** Closes a journal and opens it again; only a durable journal has it. */
    reopen?(journal: Journal): Promise<Journal>;
}
/** What the suite needs of a test runner. */
export interface ContractRunner {
    describe(name: string, body: () => void): unknown;
    test(name: string, body: () => Promise<void>): unknown;
}
/**
 * Registers the contract with a test runner.
 *
 * @example
 * journalContract({ name: 'memory', open: async () => memoryJournal() }, { describe, test })
 */
export declare function journalContract(options: ContractOptions, { describe, test }: ContractRunner): void;

// crash/boundary.d.ts
/** Boundaries: the moments at which a process may die and somebody could tell the difference. */
/** What a process does to the journal or to the world. */
export type Deed = 'append' | 'acquire' | 'release' | 'model' | 'tool' | 'step' | 'check' | 'hook' | 'outside';
/** One side of a deed: nothing of it has happened, or all of it has and nobody in the process has heard of it. */
export interface Boundary {
    /** Counted from 1 in the life of the process. */
    readonly number: number;
    readonly when: 'before' | 'after';
    readonly deed: Deed;
    /** What was done: a thread and its seq, a tool and its call, a point. */
    readonly what: string;
}
/** A boundary as people read it. */
export declare function boundaryText({ number, when, deed, what }: Boundary): string;
/**
 * Whether whoever comes after could tell a death here from one at the boundary before: something outside has changed since.
 *
 * Nothing of a dead process is left but the journal and what it did outside. Before a deed both are as after the one before it.
 */
export declare function isDistinct({ number, when, deed }: Boundary): boolean;

// crash/chaos.d.ts
/** Chaos for users: their own agent dies at every boundary there is, and a report says what that would have cost them. */
import type { AnyAgent, Question, SignedAnswer } from '@loom-agent/agent';
import type { Journal } from '@loom-agent/kernel';
import { type Finding } from './finding.ts';
import type { StageOptions } from './scenario.ts';
import type { CrashStorageFactory } from './storage.ts';
/** What the agent is made with, in each process anew. */
export interface ChaosScene<W extends object> {
    readonly journal: Journal;
    /** The outside, as this process reaches it: what a dead process still calls never arrives. */
    readonly outside: W;
}
/** How the agent is tried. */
export interface ChaosOptions<W extends object> {
    /** Given one after another, each when the run before has ended. */
    readonly inputs: readonly string[];
    /**
     * The world that tools reach: an object whose methods have effects and whose fields tell what was done. Made anew for each life.
     * Whatever is not reached through it is not seen.
     */
    readonly outside?: () => W;
    /** What of the outside must be as if nothing had happened; default: its data. */
    readonly observe?: (outside: W) => unknown;
    /** How people answer; default: approve. A call in doubt is answered by what really happened. */
    readonly answer?: (question: Question) => SignedAnswer | undefined;
    /** What each input comes with. */
    readonly run?: StageOptions;
    /** How many pairs of crashes are tried besides, the second while the next process recovers from the first; default 20. */
    readonly pairs?: number;
    readonly seed?: number;
    /** Milliseconds of real time that tools may need before the clock is moved on; default 0, for tools that wait for nothing real. */
    readonly patience?: number;
    readonly journal?: CrashStorageFactory;
}
/** What chaos found, each finding once, with the first crash that showed it and how many did. */
export interface ChaosFinding extends Finding {
    readonly crash: string;
    readonly times: number;
}
/** What became of an agent under chaos. */
export interface ChaosReport {
    /** Boundaries of the undisturbed life, and lives that were lived with crashes. */
    readonly boundaries: number;
    readonly lives: number;
    /** Lives in which people had to be asked about a call in doubt: what unsafe tools cost. */
    readonly asked: number;
    readonly found: readonly ChaosFinding[];
}
/**
 * Runs an agent under every crash there is.
 *
 * @example
 * await assertChaos(({ journal, outside }) => agent({ model, tools: [chargeWith(outside)], journal }), { inputs: ['Charge 5.'], outside: fakeBank })
 */
export declare function chaos<W extends object>(agent: (scene: ChaosScene<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport>;
/** A report as people read it. */
export declare function chaosText({ boundaries, lives, asked, found }: ChaosReport): string;
/** Runs an agent under every crash there is, and throws the report when something is wrong. */
export declare function assertChaos<W extends object>(agent: (scene: ChaosScene<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport>;

// crash/effect-book.d.ts
import { type EffectClass, type Json } from '@loom-agent/kernel';
/** Where an effect has its place: a call, or a step of one. */
export interface EffectPlace {
    readonly thread: string;
    readonly call: string;
    /** The key of the step. */
    readonly step?: string;
}
/** One time that a body was run. */
export interface Execution extends EffectPlace {
    readonly tool: string;
    readonly effect: EffectClass;
    /** The arguments, in canonical form. */
    readonly input: string;
    /** The key that outsiders can recognise it by. */
    readonly key: string;
    /** The number of the process that ran it. */
    readonly process: number;
    end: 'none' | 'returned' | 'threw';
    value: unknown;
    /** How often it reached the outside. */
    reached: number;
}
/** One time that somebody reached the outside. */
export interface Reach {
    readonly what: string;
    readonly by: Execution | undefined;
}
/** The book. */
export interface EffectBook {
    readonly executions: readonly Execution[];
    readonly reaches: readonly Reach[];
    /** Runs a body, and takes down how it ends. */
    perform(begun: Omit<Execution, 'end' | 'value' | 'reached'>, work: () => unknown): unknown;
    /** Takes down that the outside was reached, by whatever runs now. */
    reach(name: string, args: readonly unknown[]): void;
}
/** A book with nothing in it. */
export declare function createEffectBook(): EffectBook;
/** A value as text, in canonical form where it is JSON. */
export declare function textOf(value: unknown): string;
/** What names a place. */
export declare function placeText({ thread, call, step }: EffectPlace): string;
/** What is known of an effect whose performer was lost: done with this value, not done at all, or nobody can say. */
export type Truth = {
    readonly kind: 'done';
    readonly value: Json;
} | {
    readonly kind: 'not-done';
} | {
    readonly kind: 'unknown';
};
/** What really became of the effect at a place; `seesOutside` when everything that bodies do outside is in the book. */
export declare function truthOf({ executions }: EffectBook, place: EffectPlace, seesOutside: boolean): Truth;

// crash/enumerate.d.ts
import { type Boundary } from './boundary.ts';
import { type Finding } from './finding.ts';
import type { CrashScenario } from './scenario.ts';
import { type CrashStorageFactory } from './storage.ts';
import { type VerdictKind } from './verdict.ts';
/** How crashes are enumerated. */
export interface EnumerateOptions {
    /** Where the journal of each life lies; default: in memory. */
    readonly journal?: CrashStorageFactory;
    /** How many pairs of crashes are tried besides, the second while the next process recovers from the first; default: none. */
    readonly pairs?: number;
    /** Chooses the pairs. */
    readonly seed?: number;
    /** Leaves out boundaries that whoever comes after could not tell from the one before; default: every boundary is lived. */
    readonly distinct?: boolean;
    /** Only these boundaries. */
    readonly only?: readonly number[];
    readonly patience?: number;
    readonly recover?: boolean;
}
/** A life with deaths, and what was said of it. */
export interface CrashPoint {
    readonly deaths: readonly Boundary[];
    readonly kind: VerdictKind;
    readonly found: readonly Finding[];
}
/** What the enumerator found. */
export interface CrashReport {
    readonly scenario: string;
    /** The boundaries of the undisturbed life. */
    readonly boundaries: number;
    readonly points: readonly CrashPoint[];
    /** What is wrong without any crash. */
    readonly calm: readonly Finding[];
}
/** Runs a scenario once undisturbed, then once for every boundary with a crash there. */
export declare function enumerateCrashes<W extends object>(scenario: CrashScenario<W>, options?: EnumerateOptions): Promise<CrashReport>;
/** Whether everything is as it should be. */
export declare function isClean({ points, calm }: CrashReport): boolean;
/** What is wrong, as people read it; empty when nothing is. */
export declare function crashText({ scenario, points, calm }: CrashReport): string;
/** Throws when something is wrong, and says what. */
export declare function assertCrashes(report: CrashReport): void;

// crash/finding.d.ts
/** What a judge of crashes reports. */
/**
 * What is wrong: an effect happened more often or less often than its class promises; the model was told something else; a run ended otherwise;
 * a journal breaks a rule, or a request is not valid; the journal lost or altered what it had acknowledged, or let a fenced driver write; an effect
 * began before its intent was durable; nothing moved any more; the life could not be lived at all; two undisturbed lives differ; of two winners one was told a lie.
 */
export type FindingKind = 'duplicate' | 'lost' | 'transcript' | 'ending' | 'history' | 'pairing' | 'journal' | 'intent' | 'stuck' | 'failed' | 'unsteady' | 'winner';
/** One thing that is wrong, and where: `thread@seq`, as far as it has a place. */
export interface Finding {
    readonly kind: FindingKind;
    readonly message: string;
    readonly at?: string;
}
/** A finding as people read it. */
export declare function findingText({ kind, message, at }: Finding): string;

// crash/life.d.ts
/** A life: one storage, one outside, and processes that come one after another until everything has come to its end. */
import type { Question } from '@loom-agent/agent';
import type { LoomEvent } from '@loom-agent/kernel';
import { type Boundary } from './boundary.ts';
import { type EffectBook } from './effect-book.ts';
import type { Finding } from './finding.ts';
import type { CrashScenario } from './scenario.ts';
import { type CrashStorage } from './storage.ts';
import { type Transcript } from './transcript.ts';
/** How a life goes. */
export interface LifeOptions {
    readonly storage: CrashStorage;
    /** The boundary at which each process dies; the one after the last lives to the end. */
    readonly deaths?: readonly number[];
    /** Milliseconds of real time that tools may need. */
    readonly patience?: number;
    /** After every commit the live frame is compared with the fold of the journal, and replaced by it. */
    readonly replay?: boolean;
    /** New processes look for unfinished threads by themselves before anybody asks. */
    readonly recover?: boolean;
}
/** What a life has left behind. */
export interface Story {
    /** Where processes died. */
    readonly deaths: readonly Boundary[];
    /** The boundaries that the last process has passed. */
    readonly passed: readonly Boundary[];
    readonly threads: ReadonlyMap<string, readonly LoomEvent[]>;
    readonly transcripts: readonly Transcript[];
    readonly book: EffectBook;
    /** What of the outside is compared. */
    readonly outside: string;
    /** Places in doubt whose fate people have told truly. */
    readonly told: ReadonlySet<string>;
    readonly asked: ReadonlyMap<string, Question>;
    /** What was found on the way; the verdict adds to it. */
    readonly found: readonly Finding[];
}
/** The thread on which scenarios are played. */
export declare const lifeThread = "t";
/** Lives a scenario to its end. Never rejects: what goes wrong is found. */
export declare function live<W extends object>(scenario: CrashScenario<W>, options: LifeOptions): Promise<Story>;

// crash/matrix.d.ts
/** The crash matrix: every scenario, every boundary, on any journal. */
import { type CrashReport, type EnumerateOptions } from './enumerate.ts';
import type { CrashScenario } from './scenario.ts';
import { type CrashStorageFactory } from './storage.ts';
/** How much of the matrix is lived. */
export interface MatrixOptions extends Pick<EnumerateOptions, 'pairs' | 'seed' | 'distinct' | 'patience' | 'recover'> {
    /** Default: all there are. */
    readonly scenarios?: readonly CrashScenario[];
    /** Told of each scenario as soon as it was judged. */
    readonly reported?: (report: CrashReport) => void;
}
/**
 * Lives all scenarios on a journal, with a crash at each of their boundaries.
 *
 * @example
 * const reports = await crashMatrix(() => ({ open: () => openMine(path), abandon: (journal) => closeWithoutFlushing(journal) }))
 * console.log(matrixText(reports))
 */
export declare function crashMatrix(journal?: CrashStorageFactory, options?: MatrixOptions): Promise<readonly CrashReport[]>;
/** The matrix as a table: scenarios, boundaries, verdicts. */
export declare function matrixText(reports: readonly CrashReport[]): string;

// crash/mortal-process.d.ts
/** A process that can die, or stand still for a while, in the middle of whatever it does. */
import type { Clock, Ids } from '@loom-agent/kernel';
import type { Boundary, Deed } from './boundary.ts';
/** What becomes of a process at a boundary: it goes on, it dies there, or it stands still until the promise is settled. */
export type Fate = 'live' | 'die' | Promise<void>;
/** How a process is set up. */
export interface ProcessOptions {
    /** Its number among the processes of a life, from 0. */
    readonly number: number;
    /** Time, as all processes share it. */
    readonly clock: Clock;
    /** How far its own clock is ahead. */
    readonly skew?: number;
    readonly fate: (boundary: Boundary) => Fate;
    /** Told of every sign of life. */
    readonly stirred: () => void;
}
/** A process. From its death on nothing that it began comes back to it, and nothing that it still tries has an effect. */
export interface MortalProcess {
    readonly number: number;
    readonly clock: Clock;
    readonly ids: Ids;
    /** The boundaries it has passed or died at. */
    readonly passed: readonly Boundary[];
    readonly died: Promise<void>;
    isDead(): boolean;
    isFrozen(): boolean;
    /** How many deeds are under way. */
    busy(): number;
    kill(): void;
    /** What whoever wants to do something has to wait for; nothing as a rule, for ever in a dead process. */
    gate(): Promise<void> | undefined;
    /** Comes to a boundary, and waits for what happens to the process there. */
    pass(when: Boundary['when'], deed: Deed, what: string): Promise<void> | undefined;
    /** Does something between its two boundaries. What is done at once is answered at once. */
    around(deed: Deed, what: string, work: () => unknown): unknown;
}
/** A process that lives until its fate says otherwise. */
export declare function createProcess(options: ProcessOptions): MortalProcess;
/** Whether a value is something to wait for. */
export declare function isThenable(value: unknown): value is PromiseLike<unknown>;

// crash/outside.d.ts
/** The world outside, as one process reaches it. */
import type { EffectBook } from './effect-book.ts';
import type { MortalProcess } from './mortal-process.ts';
/** A view of the outside in which every method is a deed of the process: what a dead process still calls never arrives. */
export declare function outsideView<W extends object>(outside: W, process: MortalProcess, book: EffectBook): W;
/** An outside that counts: enough for most scenarios. A process that stands still hears of what it did later. */
export interface CountingOutside {
    /** How often each thing was done. */
    readonly done: Record<string, number>;
    /** What was done under each key. */
    readonly keys: Record<string, string>;
    /** Does something, each time anew; answers that it is done. */
    act(what: string): string | Promise<string>;
    /** Does something once for each key. */
    put(what: string, key: string): string | Promise<string>;
    /** Whether something was done under the key. */
    has(key: string): boolean | Promise<boolean>;
    /** Counts something that nobody minds: how often a model was asked, how often somebody looked. */
    tick(what: string): number;
}
/** An outside in which nothing was done yet. */
export declare function countingOutside(): CountingOutside;

// crash/plan.d.ts
/** Plans: agents, tools and answers of any kind, made from plain data, so that a generator can make them up and shrink them. */
import { type Agent, type Question, type SignedAnswer, type Tool } from '@loom-agent/agent';
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import type { Journal } from '@loom-agent/kernel';
import { type ScriptedModel } from '../scripted-model.ts';
/** What a call of a plan does. */
export type CallKind = (typeof callKinds)[number];
/** All kinds of calls. */
export declare const callKinds: readonly ['pure', 'read', 'idempotent', 'reconcilable', 'unsafe', 'ask', 'durable', 'child', 'fails', 'unknown', 'misused'];
/** What the agent of a plan does: the calls of each turn, and what its hooks are for. */
export interface Plan {
    readonly turns: readonly (readonly {
        readonly kind: CallKind;
        readonly ticks: number;
    }[])[];
    readonly hooks: 'none' | 'look' | 'change';
}
/** What the tools of a plan do to the world. */
export interface PlanWorld {
    /** Something happens: each time anew, or once for its key. */
    happen(what: string, key?: string): unknown;
    /** Whether it has happened. */
    has(what: string, key: string): boolean | Promise<boolean>;
    /** A moment in which anything may happen. */
    tick(ticks: number): Promise<void>;
}
/** How the agent of a plan is made. */
export interface PlanScene {
    readonly world: PlanWorld;
    readonly journal: Journal;
    /** Told every model. */
    readonly spoken?: (model: ScriptedModel) => void;
    /** What the agents get as their model; default: the model itself. */
    readonly dress?: (model: ScriptedModel) => LanguageModelV4;
    readonly ports?: object;
}
/** The tools of a plan. */
export declare function planTools(world: PlanWorld): readonly Tool[];
/** The model of a plan: what it says follows from how often it has spoken, so it says the same again after a death. */
export declare function planModel(turns: Plan['turns'], last: string): ScriptedModel;
/** The agent of a plan, with a child that asks. */
export declare function planAgent(plan: Plan, { world, journal, spoken, dress, ports }: PlanScene): Agent;
/** What people may answer. */
export type AnswerKind = 'approve' | 'reject' | 'respond' | 'edit';
/** An answer of a kind, or the nearest that fits the question. */
export declare function planAnswer(kind: AnswerKind, question: Pick<Question, 'kind'>): SignedAnswer;

// crash/scenario.d.ts
/** Scenarios: who plays, what people do, and how they answer. */
import type { AnyAgent, Question, Result, RunHandle, RunOptions, SignedAnswer } from '@loom-agent/agent';
import type { EventType, Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel';
import type { CountingOutside } from './outside.ts';
/** What an agent is made with, in each process anew. */
export interface Scene<W extends object = CountingOutside> {
    readonly journal: Journal;
    /** The outside, as this process reaches it. */
    readonly outside: W;
    /** The number of the process in its life, from 0. */
    readonly process: number;
    /** Resolves when the thread has an event of this type. */
    seen(type: EventType): Promise<void>;
    /** Says a word that people may wait for. */
    say(word: string): void;
}
/** What people do while a run is under way: once, after something has happened, unless it shows in the journal already. */
export interface Meddling {
    /** An event of the thread, or a word that somebody says in this process. */
    readonly after: EventType | {
        readonly word: string;
    };
    /** What shows that it was done. */
    readonly unless: EventType;
    readonly act: (run: RunHandle<unknown>) => Promise<void>;
}
/** What people can do in a process. Everything is done once in a life: what the journal shows is not done again by the next process. */
export interface Stage {
    readonly thread: string;
    /** Gives the next input and sees the run to its rest, answering what is asked. */
    input(text: string, options?: StageOptions): Promise<Result<unknown> | undefined>;
    /** Gives inputs one after another without waiting, then sees all of their runs to their rest. */
    inputs(...texts: readonly string[]): Promise<void>;
    /** Says what people will do meanwhile. */
    meanwhile(meddling: Meddling): void;
    /** Raises limits, and sees the run to its rest. */
    raise(limits: Limits): Promise<void>;
    /** Goes on with a run that has failed, and sees it to its rest. */
    again(): Promise<void>;
    events(): Promise<readonly LoomEvent[]>;
    frame(): Promise<Frame>;
}
/** What an input may come with. */
export type StageOptions = Pick<RunOptions, 'deps' | 'limits' | 'metadata' | 'settings'>;
/** A way for a thread to go. */
export interface CrashScenario<W extends object = CountingOutside> {
    readonly name: string;
    /** The world outside, before anything has happened in it. */
    readonly outside: () => W;
    /** The agent, in each process anew. */
    readonly agent: (scene: Scene<W>) => AnyAgent;
    /** What people do. Played by every process of a life from its beginning. */
    readonly play: (stage: Stage) => Promise<unknown>;
    /** How people answer; calls in doubt are answered by what really happened. Undefined leaves a question open. Default: approve. */
    readonly answer?: (question: Question) => SignedAnswer | undefined;
    /** How people answer about a call in doubt, where it is not the truth. */
    readonly doubt?: (question: Question) => SignedAnswer;
    /** What of the outside must be as in an undisturbed life; default: its data. */
    readonly observe?: (outside: W) => unknown;
}

// crash/scenarios/scenarios.d.ts
/** Every scenario of the crash matrix. */
import type { CrashScenario } from '../scenario.ts';
/** Scenarios of every kind, small enough to be lived at every boundary. */
export declare const crashScenarios: readonly CrashScenario[];

// crash/sim-faults.d.ts
/** The faults of a simulated world, and how often each may come. */
import type { Journal } from '@loom-agent/kernel';
import type { VirtualClock } from './virtual-clock.ts';
/**
 * Each kind of fault: a worker dies at a boundary, or stands still there for a while; the journal cannot be reached, or stores and its reply is lost,
 * or its reply is lost and the batch is sent again, or it takes its time; the clock jumps.
 */
export declare const simFaults: readonly ['crash', 'freeze', 'fail', 'lose', 'resend', 'delay', 'jump'];
/** A kind of fault. */
export type SimFault = (typeof simFaults)[number];
/** How likely each fault is wherever it is possible; 0 turns it off. */
export type SimOdds = Readonly<Record<SimFault, number>>;
/** What most worlds are like. */
export declare const defaultOdds: SimOdds;
/** A world in which nothing goes wrong. */
export declare const noOdds: SimOdds;
/** Chance, from a seed. */
export interface Dice {
    /** A number in [0, 1). */
    readonly random: () => number;
    /** An integer from `low` to `high`. */
    between(low: number, high: number): number;
    pick<T>(choices: readonly T[]): T;
    /** Whether a fault comes now; counted when it does. */
    strikes(fault: SimFault): boolean;
    readonly struck: Readonly<Record<SimFault, number>>;
    /** No more faults. */
    calm(): void;
}
/** Dice for a world. */
export declare function createDice(random: () => number, odds: SimOdds): Dice;
/** What an operation on a journal that cannot be reached ends with. */
export declare class SimulatedFailure extends Error {
    readonly name: string;
}
/** What a bad line needs to know. */
export interface Line {
    readonly dice: Dice;
    readonly clock: VirtualClock;
    /** Told when an operation fails. */
    readonly failed: () => void;
}
/** A journal at the other end of a bad line. */
export declare function badLine(journal: Journal, { dice, clock, failed }: Line): Journal;

// crash/simulate.d.ts
import { type Finding } from './finding.ts';
import { type SimFault, type SimOdds } from './sim-faults.ts';
import { type CrashStorageFactory } from './storage.ts';
/** How a world is simulated. */
export interface SimulateOptions {
    readonly seed: number;
    /** Workers at the beginning; default: two or three, by the seed. */
    readonly workers?: number;
    /** How likely faults are. */
    readonly odds?: Partial<SimOdds>;
    /** A worker whose journal fails ends, and another one comes; default: it goes on. */
    readonly exits?: boolean;
    /** Where the journal lies; default: in memory. It must be shared by all that open it. */
    readonly journal?: CrashStorageFactory;
}
/** What became of a simulated world. */
export interface Simulation {
    readonly seed: number;
    readonly found: readonly Finding[];
    /** Faults that came. */
    readonly struck: Readonly<Record<SimFault, number>>;
    readonly events: number;
    /** What happened at boundaries, in order, and a digest of it: the same for the same seed. */
    readonly trail: readonly string[];
    readonly digest: number;
}
/** Simulates the world of a seed. */
export declare function simulate({ seed, workers, odds, exits, journal }: SimulateOptions): Promise<Simulation>;
/** Throws when a law is broken, and says how to see it again. */
export declare function assertSimulation({ seed, found, trail }: Simulation): void;

// crash/steady-model.d.ts
/** A model whose words depend on nothing but what it is told: a process that asks again after a crash hears the same. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model';
import { type ScriptedModel, type ScriptedReply } from '../scripted-model.ts';
/** One line of a script: a reply, or a function of the request. */
export type SteadyLine = string | ScriptedReply | ((request: LanguageModelV4CallOptions) => string | ScriptedReply);
/**
 * Says the n-th line of a script to a prompt that holds n replies, and the last line from then on.
 *
 * @example
 * steadyModel([{ calls: [{ tool: 'pay' }] }, 'It is paid.'])
 */
export declare function steadyModel(script: readonly SteadyLine[], options?: {
    modelId?: string;
}): ScriptedModel;

// crash/storage.d.ts
/** Where the journal of a life lies: what stays when a process is gone. */
import { type Journal } from '@loom-agent/kernel';
/** A storage that processes open one after another, or side by side. */
export interface CrashStorage {
    /** A handle, as a new process gets it. */
    open(): Journal | Promise<Journal>;
    /** The process that had this handle is gone: nothing it has not stored is stored any more. */
    abandon(journal: Journal): void | Promise<void>;
    /** Nobody needs it any more. */
    discard?(): void | Promise<void>;
}
/** Makes a storage with nothing in it. */
export type CrashStorageFactory = () => CrashStorage | Promise<CrashStorage>;
/** A storage in memory. The journal keeps encoded records, so that whoever opens it reads bytes. */
export declare function memoryStorage(): CrashStorage;
/** The same journal; `asked` is told of every operation, and what it answers is called when the operation has come back; without an answer it never does. */
export declare function trackedJournal(journal: Journal, asked: () => (() => void) | undefined): Journal;

// crash/transcript.d.ts
/** What the models of a life were told and how its runs ended, in a form that two lives can be compared in. */
import { type LoomEvent } from '@loom-agent/kernel';
/** One message of a thread's history. */
export interface Line {
    readonly origin: string;
    readonly text: string;
    /** For a message of results: each by its call. */
    readonly results?: ReadonlyMap<string, string>;
}
/** A thread as it was in the end. */
export interface Transcript {
    readonly thread: string;
    readonly lines: readonly Line[];
    /** How each run ended. */
    readonly endings: readonly string[];
    /** Calls and steps that were in doubt, and calls whose outcome is unknown. */
    readonly doubts: ReadonlySet<string>;
    /** Calls that a stop has overtaken: when it came decides what became of them. */
    readonly overtaken: ReadonlySet<string>;
}
/** The transcript of a thread. Ids of providers are data of the day: they are told apart by their order. */
export declare function transcriptOf(thread: string, events: readonly LoomEvent[]): Transcript;
/** Where two transcripts part. */
export interface Parting {
    readonly message: string;
    readonly thread: string;
    /** Whether people had been unable to tell the fate of a call before: what comes after may be different. */
    readonly excused: boolean;
}
/** The first place where a transcript differs from the one of an undisturbed life; `untold` are the calls whose fate nobody could tell. */
export declare function partingOf(calm: Transcript, other: Transcript, untold: ReadonlySet<string>): Parting | undefined;

// crash/verdict.d.ts
/** The verdict on a life with deaths: is it what an undisturbed life would have been, as far as the classes of effects promise? */
import type { LoomEvent } from '@loom-agent/kernel';
import type { Finding } from './finding.ts';
import type { Story } from './life.ts';
/** `same` as undisturbed; the same, but people were `asked` about calls in doubt; or something is `wrong`. */
export type VerdictKind = 'same' | 'asked' | 'wrong';
/** A verdict and its reasons. */
export interface Verdict {
    readonly kind: VerdictKind;
    readonly found: readonly Finding[];
}
/** Judges a life by the undisturbed one. */
export declare function judgeLife(calm: Story, story: Story): Verdict;
/** What holds for every life, undisturbed or not. */
export declare function judgeAlone(story: Story): readonly Finding[];
/** Where a journal breaks a rule. */
export declare function historyFindings(thread: string, events: readonly LoomEvent[]): readonly Finding[];

// crash/virtual-clock.d.ts
/** Time that passes when nobody has anything else to do. */
import type { Clock } from '@loom-agent/kernel';
/** A clock that jumps to the next timer when it is told to. */
export interface VirtualClock extends Clock {
    /** Goes to the next timer and rings it; false when none is set. */
    jump(): boolean;
    /** Lets this much time pass at once; timers that have become due ring one by one with the next jumps. */
    skip(ms: number): void;
}
/** A clock that stands at the given moment. A timer that is due when it is set rings soon, but never inside the caller. */
export declare function virtualClock(start?: number): VirtualClock;

// effect-server.d.ts
/** A server in a process of its own that counts effects by key. */
export interface EffectServer {
    readonly url: string;
    /** How often an effect with each key happened. */
    counts(): Promise<Readonly<Record<string, number>>>;
    close(): Promise<void>;
}
/** Starts the counting server. */
export declare function startEffectServer(): Promise<EffectServer>;
/** Performs an effect: counted when the server has answered, and perhaps when it has not. */
export declare function performEffect(url: string, key: string): Promise<number>;

// given.d.ts
import { type Draft, type Effect, type Frame } from '@loom-agent/kernel';
/** A thread that has come so far. */
export interface Given {
    readonly frame: Frame;
    /** The thread after more has happened. */
    when(...drafts: readonly Draft[]): Given;
    /** What `decide` says of it, checked field by field: only what is expected is looked at. */
    thenDecides(expected: Expected<Effect>): Given;
    /** What the fold made of it, checked likewise. */
    thenHas(expected: Expected<Frame>): Given;
}
/** A part of a value, as deep as one likes. */
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

// history/check-history.d.ts
/**
 * The history checker: a pure judge of what a journal says happened.
 *
 * It looks at each event once, in order, and knows nothing but what the events before have said. It asserts the laws of pairing, of the one winner
 * and of no silent loss as far as one journal can show them, that epochs fence, and that no work begins after a stop request.
 */
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
 * ids are unique; there are no results without calls and no empty messages. What the provider executed itself is answered in place.
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
    readonly 'HIST-5': 'Only what visitors may say comes before the first driver.';
    readonly 'HIST-6': 'Runs are numbered in the order in which they were asked for.';
    readonly 'HIST-7': 'One run at a time; nobody overtakes the queue.';
    readonly 'HIST-8': 'A run ends once, and nothing of it happens before its start or after its end.';
    readonly 'HIST-9': 'Only an active run is suspended, only a suspended or failed one resumed, and a suspended one does no work.';
    readonly 'HIST-10': 'After a stop request no new work begins, and the run ends as stopped.';
    readonly 'HIST-11': 'A run is cancelled only when somebody asked for it.';
    readonly 'HIST-12': 'Turns count up by one, each after the reply of the one before, and no further than the limit.';
    readonly 'HIST-13': 'The model is asked only with a context that was assembled for it; what changes earlier bytes says so.';
    readonly 'HIST-14': 'Attempts are numbered, one is under way at a time, and a failure for good is not tried again.';
    readonly 'HIST-15': 'A reply or a failure answers the attempt under way, and a reply comes from the driver that asked.';
    readonly 'HIST-16': 'What is said of a call is said of one that the reply of this turn proposed.';
    readonly 'HIST-17': 'No call gets a second result.';
    readonly 'HIST-18': 'Every call has its result before the thread moves on.';
    readonly 'HIST-19': 'A call is begun only while it has no result and nobody performs it.';
    readonly 'HIST-20': 'An unsafe effect is never run again without a human who says that it did not happen.';
    readonly 'HIST-21': 'A serial call never overtakes an earlier serial call.';
    readonly 'HIST-22': 'A call does not begin before what was asked about it is settled in its favour.';
    readonly 'HIST-23': 'A success comes from the driver that performed the call, from a human, or from a hook that stood in for it; what is performed cannot be denied.';
    readonly 'HIST-24': 'In doubt is only what may have been done by a performer that is gone, and nothing else is asked about as such.';
    readonly 'HIST-25': 'Only a durable call that is being performed is suspended.';
    readonly 'HIST-26': 'A key of a durable call is begun by whoever performs the call, and recorded once.';
    readonly 'HIST-27': 'A child is started once by a durable call that is performed, and finished once.';
    readonly 'HIST-28': 'No question id is used twice, and nothing is asked about a call that has its result.';
    readonly 'HIST-29': 'An answer fits a question that is open; of racing answers one takes effect.';
    readonly 'HIST-30': 'What comes with a time does not come before it.';
    readonly 'HIST-31': 'Nothing goes on past an open question.';
    readonly 'HIST-32': 'A run finishes with an answer of the model that calls nothing and fits its form.';
    readonly 'HIST-33': 'What was steered reaches the model before the run finishes.';
    readonly 'HIST-34': 'A patch names one of the nine points and comes where that point is.';
};
/** The id of a rule. */
export type HistoryRule = keyof typeof historyRules;
/** Where a history breaks a rule. */
export interface Violation {
    readonly rule: HistoryRule;
    readonly seq: number;
    readonly message: string;
}

// index.d.ts
/** Loom's testing kit. */
export { type ContractCase, type ContractOptions, type ContractRule, type ContractRunner, contractCases, contractRules, journalContract, type Reopen, } from './contract/contract.ts';
export type { Boundary, Deed } from './crash/boundary.ts';
export { assertChaos, type ChaosFinding, type ChaosOptions, type ChaosReport, type ChaosScene, chaos, chaosText } from './crash/chaos.ts';
export { assertCrashes, type CrashPoint, type CrashReport, crashText, type EnumerateOptions, enumerateCrashes, isClean } from './crash/enumerate.ts';
export { type Finding, type FindingKind, findingText } from './crash/finding.ts';
export { crashMatrix, type MatrixOptions, matrixText } from './crash/matrix.ts';
export { type CountingOutside, countingOutside } from './crash/outside.ts';
export { type AnswerKind, type CallKind, callKinds, type Plan, type PlanScene, type PlanWorld, planAgent, planAnswer } from './crash/plan.ts';
export type { CrashScenario, Meddling, Scene, Stage, StageOptions } from './crash/scenario.ts';
export { crashScenarios } from './crash/scenarios/scenarios.ts';
export { type SimFault, type SimOdds, simFaults } from './crash/sim-faults.ts';
export { assertSimulation, type SimulateOptions, type Simulation, simulate } from './crash/simulate.ts';
export { type SteadyLine, steadyModel } from './crash/steady-model.ts';
export { type CrashStorage, type CrashStorageFactory, memoryStorage } from './crash/storage.ts';
export type { VerdictKind } from './crash/verdict.ts';
export { type EffectServer, performEffect, startEffectServer } from './effect-server.ts';
export { type Expected, facts, type Given, given } from './given.ts';
export { assertHistory, checkHistory } from './history/check-history.ts';
export { checkPairing } from './history/check-pairing.ts';
export { type HistoryRule, historyRules, type Violation } from './history/rules.ts';
export { type ManualClock, manualClock } from './manual-clock.ts';
export { alwaysReenter, alwaysReplay, assertSameFrame, deepFreeze } from './modes.ts';
export { type Death, type MortalJournal, mortalJournal } from './mortal-journal.ts';
export { assertSameRun, type GivenRun, type SameRunOptions } from './regression/assert-same-run.ts';
export { RunDivergence } from './regression/divergence.ts';
export type { Fixture, FixtureSource } from './regression/fixture.ts';
export { type Redact, redactSecrets } from './regression/redact.ts';
export { type Regression, type RegressionOptions, writeRegression } from './regression/write-regression.ts';
export { type ScriptedCall, type ScriptedModel, type ScriptedReply, type ScriptStep, scriptedModel } from './scripted-model.ts';
export type { WireArrival, WireBill, WirePrice } from './wire/arrival.ts';
export type { WireCall, WireFault, WireFinish, WireReply, WireUsage } from './wire/reply.ts';
export { type WireServer, type WireServerOptions, type WireStep, wireServer } from './wire/server.ts';
export { validateWire, wireRules } from './wire/validate.ts';
export { type Complaint, type Wire, type WireProblem, type WireRequest, type WireRule, wires } from './wire/wire.ts';

// manual-clock.d.ts
/** A clock that stands still until it is told to move. */
import type { Clock } from '@loom-agent/kernel';
/** A clock in the hands of a test. */
export interface ManualClock extends Clock {
    /** Moves the clock on and rings what is due, in order, letting each ring take its effect before the next. */
    advance(ms: number): Promise<void>;
    /** How many timers are set. */
    readonly timers: number;
}
/** A clock that stands at the given moment. A timer that is due when it is set rings at once, but never inside the caller. */
export declare function manualClock(start?: number): ManualClock;

// modes.d.ts
import type { Ports } from '@loom-agent/agent';
import { type Frame, type Journal } from '@loom-agent/kernel';
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
/** Freezes a frame and everything in it: whoever changes it throws. */
export declare function deepFreeze<T>(value: T): T;

// mortal-journal.d.ts
/** A process that can die: its hold on the journal ends in the middle of whatever it does. */
import type { Journal } from '@loom-agent/kernel';
/** When a process dies, counted in its appends: just before one is stored, or just after, before anybody hears of it. */
export interface Death {
    readonly append: number;
    readonly when: 'before' | 'after';
}
/** A journal as one mortal process sees it. */
export interface MortalJournal {
    readonly journal: Journal;
    /** How many appends the process has begun. */
    appends(): number;
    isDead(): boolean;
    /** Resolves when the process has died. */
    readonly died: Promise<void>;
    kill(): void;
}
/** The view that one process has of a journal. From its death on nothing answers any more, as nothing would in a killed process. */
export declare function mortalJournal(journal: Journal, death?: Death): MortalJournal;

// regression/assert-same-run.d.ts
/** Runs an agent through a record: offline, deterministic, and with an error at the first difference that means something. */
import type { AnyAgent, RunOptions, ToolSet } from '@loom-agent/agent';
import { type FixtureSource } from './fixture.ts';
import { type Redact } from './redact.ts';
/** What every run of a thread was given besides what its agent has. */
export interface GivenRun extends Pick<RunOptions, 'settings' | 'limits'> {
    /** For hooks, rules and durable bodies: no tool uses them. */
    readonly deps?: unknown;
    readonly tools?: ToolSet<never>;
}
/** What a replay needs that no record has. */
export interface SameRunOptions {
    readonly given?: GivenRun;
    /** The redaction that the fixture was written with, where it was not the default. */
    readonly redact?: Redact;
    /** Milliseconds of real time that hooks and other code of the agent may take without a word; default 1,000. */
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
}
/** The agent does not do any more what it did when the fixture was recorded. */
export declare class RunDivergence extends Error {
    readonly name: string;
    readonly step: string;
    readonly recorded: unknown;
    readonly replayed: unknown;
    readonly advice: string;
    constructor({ step, recorded, replayed, advice }: DivergenceOptions);
}
/** Where something is, in words that people use. */
export interface Place {
    /** Whose child the thread is; empty for the thread itself. */
    readonly of: string;
    readonly event: LoomEvent;
    readonly lane: string;
}
/** The name of a step; `path` leads into the event. */
export declare function stepOf({ of, event, lane }: Place, path: string): string;
/** The recorded event and what came instead, which differ at a path. */
export declare function differs(place: Place, found: {
    readonly path: string;
    readonly recorded: Json | undefined;
    readonly replayed: Json | undefined;
}): RunDivergence;

// regression/fixture.d.ts
import { type Json, type JsonObject, type Limits, type LoomEvent } from '@loom-agent/kernel';
/** The format that this version writes and reads. */
export declare const fixtureFormat = 1;
/** An event without what follows from its place. */
export type FixtureEvent = Readonly<{
    type: LoomEvent['type'];
    time: number;
    data: LoomEvent['data'];
    v?: number;
}>;
/** What the model was sent in a turn, rendered when the fixture was written: what came since the request before, or everything after a rebase. */
export interface FixtureRequest {
    readonly turn: number;
    readonly rebased?: true;
    readonly messages: readonly Json[];
    readonly settings: JsonObject;
    /** Over all messages of the request, one after another. */
    readonly digest: string;
}
/** One recorded thread. */
export interface FixtureThread {
    readonly thread: string;
    readonly events: readonly FixtureEvent[];
    readonly requests: readonly FixtureRequest[];
}
/** What a run was given besides what its agent has. */
export interface GivenToRun {
    readonly settings?: JsonObject;
    readonly limits?: Limits;
}
/** A thread and its children. The first one is the root. */
export interface Fixture {
    readonly format: typeof fixtureFormat;
    readonly thread: string;
    readonly agent: string;
    /** By run of the root. */
    readonly given?: {
        readonly [run: string]: GivenToRun;
    };
    readonly blobs?: {
        readonly [hash: string]: string;
    };
    readonly threads: readonly FixtureThread[];
}
/** A fixture, parsed already or where its file is. */
export type FixtureSource = Fixture | URL | {
    readonly [key: string]: unknown;
};
/** Reads a fixture. Refuses what is none. */
export declare function readFixture(source: FixtureSource): Fixture;
/** The events of a recorded thread with their places. */
export declare function eventsIn({ thread, events }: FixtureThread): readonly LoomEvent[];
/** An event as it is kept. */
export declare function keptEvent({ type, v, time, data }: LoomEvent): FixtureEvent;
/** A fixture as text: an event a line, so that a change of it can be read. */
export declare function fixtureText({ threads, ...rest }: Fixture): string;

// regression/redact.d.ts
import type { Json, LoomEvent } from '@loom-agent/kernel';
/** Replaces what must not be kept. Must answer the same for the same text, and leave alone what it has answered. */
export type Redact = (text: string) => string;
/**
 * The redaction that is used unless another is given: the named secrets, and what looks like a key of a well-known kind.
 *
 * @example
 * writeRegression(journal, thread, { ..., redact: redactSecrets([process.env.API_KEY ?? '']) })
 */
export declare function redactSecrets(secrets?: readonly string[]): Redact;
/** A value with every text in it redacted, names of fields included; the same value when there was nothing to redact. */
export declare function redactValue<T extends Json | undefined>(value: T, redact: Redact): T;
/** An event with every text in it redacted, and without digests: of a short secret they would tell too much. */
export declare function redactEvent<E extends LoomEvent>(event: E, redact: Redact): E;
/** Bytes with every secret in them redacted, as far as they are text. */
export declare function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array;

// regression/write-regression.d.ts
/** From a thread that ran to a test that sees whether it would run so again. */
import type { AnyAgent } from '@loom-agent/agent';
import { type Journal } from '@loom-agent/kernel';
import { type Fixture } from './fixture.ts';
import { type Redact } from './redact.ts';
/** Where a regression goes, and whom it is about. */
export interface RegressionOptions {
    readonly folder: string;
    /** The files are called `<name>.journal.json` and `<name>.test.ts`. */
    readonly name: string;
    /**
     * How the test gets the agent: `import { <export> } from '<module>'`, as seen from the folder. With the agent itself as `value`, what runs were
     * given besides is told from what is the agent's own.
     */
    readonly agent: {
        readonly module: string;
        readonly export: string;
        readonly value?: AnyAgent;
    };
    /** Replaces what must not be kept; default: well-known kinds of keys. */
    readonly redact?: Redact;
    /** Replaces files that are there. */
    readonly overwrite?: boolean;
}
/** What was written. */
export interface Regression {
    readonly journal: string;
    readonly test: string;
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

// scripted-model.d.ts
/** A model that says what it is told to say: the same words, calls, stalls and failures every time. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@loom-agent/agent/language-model';
/** A call that a scripted reply proposes. */
export interface ScriptedCall {
    readonly tool: string;
    /** An object; a text is sent as it is, JSON or not. */
    readonly input?: unknown;
    /** The provider's id; default: made up, unique. */
    readonly id?: string;
    readonly meta?: Record<string, Record<string, string>>;
}
/** One reply. */
export interface ScriptedReply {
    readonly text?: string;
    readonly reasoning?: string;
    readonly calls?: readonly ScriptedCall[];
    readonly usage?: {
        readonly input?: number;
        readonly output?: number;
        readonly cacheRead?: number;
    };
    readonly finish?: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';
    /** Parts that go out before the finish, as they are. */
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
    /** The stream breaks after this many parts: closed without a finish, or torn by an error. */
    readonly cutAfter?: number;
    readonly tornBy?: unknown;
    /** Says nothing more after this many parts, until aborted. */
    readonly stallAfter?: number;
    /** Waits for this before the first part. */
    readonly until?: Promise<unknown>;
}
/** A reply, a text, or a function of the request and its number (from 1). */
export type ScriptStep = string | ScriptedReply | ((request: LanguageModelV4CallOptions, number: number) => string | ScriptedReply);
/** A scripted model: a LanguageModelV4, with what it was asked. */
export interface ScriptedModel extends LanguageModelV4 {
    /** Every request, as it was handed over. */
    readonly requests: readonly LanguageModelV4CallOptions[];
    /** Throws unless the whole script was used. */
    assertComplete(): void;
}
/**
 * Makes a model from a script: one step a request. After the last step a function goes on; anything else is an error.
 *
 * @example
 * const model = scriptedModel([{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
 */
export declare function scriptedModel(script: ScriptStep | readonly ScriptStep[], options?: {
    modelId?: string;
}): ScriptedModel;

// wire/arrival.d.ts
/** The ledger of a wire server: what arrived, what became of it, and what it cost. */
import type { Loose } from './loose.ts';
import type { WireUsage } from './reply.ts';
import type { Wire, WireProblem } from './wire.ts';
/** Prices in integer micro-units for a million tokens. What is read from a cache or written to one costs as input unless it is said. */
export interface WirePrice {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
}
/** What a reply is billed with. */
export interface WireBill extends Required<WireUsage> {
    /** Integer micro-units; 0 for a model without a price. */
    readonly cost: number;
}
/** A request that arrived. */
export interface WireArrival {
    /** Counted from 1. */
    readonly number: number;
    readonly wire: Wire;
    readonly path: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: Loose;
    readonly model: string;
    readonly streams: boolean;
    /** Milliseconds of the wall clock. */
    readonly time: number;
    /** The rules that it broke. */
    readonly problems: readonly WireProblem[];
    /** The status of the answer, once there is one. */
    readonly status: number | undefined;
    /** A reply that was made is billed, whether or not it arrived. Refusals and error answers are not. */
    readonly bill: WireBill | undefined;
    /** When the socket was closed or the answer complete. */
    readonly closedAt: number | undefined;
    /** Whether the client went away before the answer was complete. */
    readonly isAborted: boolean;
    /** Comes when `closedAt` is known. */
    readonly over: Promise<void>;
}
/** An arrival while the server works on it. */
export type OpenArrival = {
    -readonly [K in keyof WireArrival]: WireArrival[K];
};
/** The bill of a reply. */
export declare function billOf(usage: Required<WireUsage>, price?: WirePrice): WireBill;

// wire/loose.d.ts
/** Reading JSON that may be anything: a judge does not stumble over what it judges. */
/** An object of which nothing is known. */
export type Loose = Readonly<Record<string, unknown>>;
/** Whether it is an object, and neither a list nor null. */
export declare const isLoose: (value: unknown) => value is Loose;
/** The value if it is an object, else an empty one. */
export declare const loose: (value: unknown) => Loose;
/** The objects of a list; anything in it that is none counts as an empty one. */
export declare const looseList: (value: unknown) => readonly Loose[];
/** The value as JSON if it is a text that can be read so. */
export declare function parsed(text: string): unknown;

// wire/reply.d.ts
/** What a wire server is told to answer, in no vendor's words. */
/** Tokens of a reply. */
export interface WireUsage {
    /** Tokens that were neither read from a cache nor written to one. */
    readonly input?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
    /** All tokens of the answer, with those of the reasoning. */
    readonly output?: number;
    readonly reasoning?: number;
}
/** A call that a reply makes. */
export interface WireCall {
    readonly tool: string;
    /** An object; a text is sent as it is, JSON or not. */
    readonly input?: unknown;
    /** Default: made up, as the vendor's ids look. */
    readonly id?: string;
    /** The pieces that the arguments come in; default: a few characters each. Google sends arguments whole. */
    readonly pieces?: readonly string[];
}
/**
 * A failure. `after` counts the events of the stream that go out before it; without it not even headers do.
 * `status`, `overflow`, `html` and `empty` answer at once.
 */
export type WireFault = {
    readonly kind: 'status';
    readonly status: number;
    readonly message?: string;
    /** Seconds, or a date. */
    readonly retryAfter?: number | string;
    readonly retryAfterMs?: number;
}
/** The request is longer than the model can read, in the words of the vendor. */
 | {
    readonly kind: 'overflow';
} | {
    readonly kind: 'html';
    readonly status?: number;
} | {
    readonly kind: 'empty';
    readonly status?: number;
}
/** The vendor's error event in the middle of a stream. */
 | {
    readonly kind: 'error';
    readonly after: number;
    readonly status?: number;
    readonly message?: string;
}
/** Says nothing more, and keeps the socket open. */
 | {
    readonly kind: 'stall';
    readonly after?: number;
}
/** The socket is torn. */
 | {
    readonly kind: 'cut';
    readonly after?: number;
}
/** The stream ends as streams do, but has not said that it is finished. */
 | {
    readonly kind: 'end';
    readonly after: number;
}
/** Bytes that are neither JSON nor text. */
 | {
    readonly kind: 'junk';
    readonly after: number;
};
/** How a reply ends. */
export type WireFinish = 'stop' | 'length' | 'tool-calls' | 'content-filter';
/** One reply. Reasoning comes first, then text, then calls. */
export interface WireReply {
    /** A text, or the pieces that it comes in; default: a word each. */
    readonly text?: string | readonly string[];
    /** OpenAI's own chat completions do not show it. */
    readonly reasoning?: string | readonly string[];
    /** Reasoning that only the vendor can read. Anthropic only. */
    readonly hidden?: string;
    readonly calls?: readonly WireCall[];
    readonly usage?: WireUsage;
    readonly finish?: WireFinish;
    /** Writes at most so many bytes at a time, wherever characters and events end. */
    readonly bytes?: number;
    readonly fault?: WireFault;
}
/** A call, ready to be sent. */
export interface ReadyCall {
    readonly id: string;
    readonly tool: string;
    /** The arguments as text. */
    readonly json: string;
    readonly pieces: readonly string[];
}
/** A reply, ready to be sent: nothing is left open. */
export interface Ready {
    /** Tells the ids of this reply from those of others. */
    readonly number: number;
    readonly model: string;
    /** Seconds. */
    readonly created: number;
    readonly request: Readonly<Record<string, unknown>>;
    readonly reasoning: readonly string[];
    readonly hidden: string | undefined;
    readonly text: readonly string[];
    readonly calls: readonly ReadyCall[];
    readonly usage: Required<WireUsage>;
    readonly finish: WireFinish;
}
/** An event of a stream. A text is sent as it is. */
export interface StreamEvent {
    readonly event?: string;
    readonly data: unknown;
}
/** How a wire says a reply: as the events of a stream, and in one piece. */
export interface Voice {
    events(ready: Ready): readonly StreamEvent[];
    whole(ready: Ready): unknown;
}
/** What a reply is completed with. */
export interface Occasion extends Pick<Ready, 'number' | 'model' | 'created' | 'request'> {
    /** What the ids of calls begin with. */
    readonly idPrefix: string;
    /** Whether the vendor counts what is written to a cache apart; if not, it is input like any other. */
    readonly countsWrites: boolean;
}
/** Completes a reply. */
export declare function makeReady(reply: WireReply, occasion: Occasion): Ready;

// wire/server.d.ts
import { type WireArrival, type WirePrice } from './arrival.ts';
import { type Loose } from './loose.ts';
import { type WireReply } from './reply.ts';
import type { Wire } from './wire.ts';
/** A reply, a text, or a function of the request and its arrival. */
export type WireStep = string | WireReply | ((body: Loose, arrival: WireArrival) => string | WireReply | Promise<string | WireReply>);
/** What a wire server is started with. */
export interface WireServerOptions {
    /** One step a request. After the last step a function goes on; anything else is an error. */
    readonly reply: WireStep | readonly WireStep[];
    /** By model. */
    readonly prices?: Readonly<Record<string, WirePrice>>;
    /** Whether requests are judged; default: yes. */
    readonly judges?: boolean;
}
/** A running wire server. */
export interface WireServer {
    readonly url: string;
    /** What a provider is given as its base URL. */
    readonly baseURLs: Readonly<Record<Wire, string>>;
    /** Everything that arrived, in order. */
    readonly requests: readonly WireArrival[];
    /** What all replies were billed with, in micro-units. */
    cost(): number;
    close(): Promise<void>;
}
/**
 * Starts a wire server on a free loopback port.
 *
 * @example
 * const server = await wireServer({ reply: [{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'] })
 * const model = createAnthropic({ baseURL: server.baseURLs.anthropic, apiKey: 'key' })('claude-sonnet-4-5')
 */
export declare function wireServer(options: WireServerOptions): Promise<WireServer>;

// wire/validate.d.ts
import type { Wire, WireProblem, WireRequest, WireRule } from './wire.ts';
/** Every rule of every vendor, each with the public page that states it. */
export declare const wireRules: readonly WireRule[];
/**
 * The rules of a wire that a request breaks, with the vendor's answer to each; none for a request that the vendor takes.
 *
 * @example
 * expect(validateWire('anthropic', { path: '/v1/messages', headers, body })).toEqual([])
 */
export declare function validateWire(wire: Wire, request: WireRequest): readonly WireProblem[];

// wire/wire.d.ts
/** The words of the wire servers: which wires there are, what arrives on them, and what a rule says about it. */
import type { Loose } from './loose.ts';
/** Every wire, by the name that rules and servers use. */
export declare const wires: readonly ['openai-chat', 'openai-compatible', 'openai-responses', 'anthropic', 'google'];
/** A wire format. `openai-compatible` is chat completions as other vendors speak it, with `reasoning_content`. */
export type Wire = (typeof wires)[number];
/** A request as a vendor gets it. */
export interface WireRequest {
    readonly path: string;
    /** By lower-case names. */
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: unknown;
    /** Items that the vendor keeps, by id. Without it, references to items are not judged. */
    readonly kept?: ReadonlyMap<string, Loose>;
}
/** What is wrong with a request, in the words of the vendor. */
export interface Complaint {
    readonly message: string;
    /** OpenAI names the parameter and a code. */
    readonly param?: string;
    readonly code?: string;
}
/** A rule of a vendor, as a row of a table. */
export interface WireRule {
    readonly id: string;
    readonly wire: Wire;
    /** The rule in one sentence. */
    readonly says: string;
    /** A public page that states it, or on which the vendor's refusal is quoted. */
    readonly source: string;
    /** The status of the refusal; default: 400. */
    readonly status?: number;
    /** What is wrong with the request, if the rule is broken. Must be pure, and must not throw whatever the body is. */
    check(request: WireRequest): Complaint | undefined;
}
/** A broken rule, with the vendor's answer to it. */
export interface WireProblem {
    readonly rule: string;
    readonly message: string;
    readonly status: number;
    readonly body: Loose;
}
/** The first complaint about a list of things. */
export declare function firstComplaint<T>(items: readonly T[], check: (item: T, index: number) => Complaint | undefined): Complaint | undefined;
/** A row of one wire's table. */
export type RuleRow = Omit<WireRule, 'wire'>;
/** The rows of a wire's table, as rules. */
export declare const rulesOf: (wire: Wire, rows: readonly RuleRow[]) => readonly WireRule[];
