// contract/contract.d.ts
/**
 * The journal contract as a suite: every adapter runs it, and whoever writes one can.
 *
 * The cases are plain functions that throw, so that any test runner can register them and nothing here needs one.
 */
import type { Journal } from '@loom-agent/kernel';
/** What a journal promises: J1 to J5 as the kernel states them, and what its other methods say of themselves. */
export declare const contractRules: {
    readonly J1: 'Compare-and-append: a batch is stored whole, and only at the head it expects; otherwise nothing changes.';
    readonly J2: 'A batch id that is stored already answers appended, whatever has happened since.';
    readonly J3: 'A batch with an epoch that is not the current one is fenced, even at the right seq; a batch without one is a visitor.';
    readonly J4: 'Acquiring raises the epoch, by compare-and-set on the epoch the claimant has seen, and not while the holder lives.';
    readonly J5: 'What is read was appended: gap-free, in order, and never the writer’s own objects.';
    readonly J6: 'Whoever watches a thread is told its head after appends, and nothing after unwatching.';
    readonly J7: 'The thread table changes with the append, and is listed without gaps and repetitions.';
    readonly J8: 'Blobs are stored with their batch, and only with it.';
    readonly J9: 'What is removed is gone, and nothing else.';
    readonly J10: 'What was acknowledged is there when a durable journal is opened again.';
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
import type { LanguageModelV4Message } from '@ai-sdk/provider';
/**
 * Everything that a provider could refuse about the calls of a prompt: each has exactly one result, in the next message, in the order of the calls;
 * ids are unique; there are no results without calls and no empty messages. What the provider executed itself is answered in place.
 */
export declare function checkPairing(prompt: readonly LanguageModelV4Message[]): readonly string[];

// history/rules.d.ts
/** The rules that every correct journal of a thread keeps. They follow from the design, not from the fold: the two can disagree, and then one is wrong. */
/** Each rule, in one sentence. A journal that ends midway is legal: a rule about completeness holds where the journal claims to have moved on. */
export declare const historyRules: {
    readonly H1: 'Seqs are gap-free from 1, and all events belong to one thread.';
    readonly H2: 'A thread begins once, with its first event.';
    readonly H3: 'Every event carries the run and the turn that are in force.';
    readonly H4: 'Every driver has a higher epoch than the ones before.';
    readonly H5: 'Only what visitors may say comes before the first driver.';
    readonly H6: 'Runs are numbered in the order in which they were asked for.';
    readonly H7: 'One run at a time; nobody overtakes the queue.';
    readonly H8: 'A run ends once, and nothing of it happens before its start or after its end.';
    readonly H9: 'Only an active run is suspended, only a suspended or failed one resumed, and a suspended one does no work.';
    readonly H10: 'After a stop request no new work begins, and the run ends as stopped.';
    readonly H11: 'A run is cancelled only when somebody asked for it.';
    readonly H12: 'Turns count up by one, each after the reply of the one before, and no further than the limit.';
    readonly H13: 'The model is asked only with a context that was assembled for it; what changes earlier bytes says so.';
    readonly H14: 'Attempts are numbered, one is under way at a time, and a failure for good is not tried again.';
    readonly H15: 'A reply or a failure answers the attempt under way, and a reply comes from the driver that asked.';
    readonly H16: 'What is said of a call is said of one that the reply of this turn proposed.';
    readonly H17: 'No call gets a second result.';
    readonly H18: 'Every call has its result before the thread moves on.';
    readonly H19: 'A call is begun only while it has no result and nobody performs it.';
    readonly H20: 'An unsafe effect is never run again without a human who says that it did not happen.';
    readonly H21: 'A serial call never overtakes an earlier serial call.';
    readonly H22: 'A call does not begin before what was asked about it is settled in its favour.';
    readonly H23: 'A success comes from the driver that performed the call, from a human, or from a hook that stood in for it; what is performed cannot be denied.';
    readonly H24: 'In doubt is only what may have been done by a performer that is gone, and nothing else is asked about as such.';
    readonly H25: 'Only a durable call that is being performed is suspended.';
    readonly H26: 'A key of a durable call is begun by whoever performs the call, and recorded once.';
    readonly H27: 'A child is started once by a durable call that is performed, and finished once.';
    readonly H28: 'No question id is used twice, and nothing is asked about a call that has its result.';
    readonly H29: 'An answer fits a question that is open; of racing answers one takes effect.';
    readonly H30: 'What comes with a time does not come before it.';
    readonly H31: 'Nothing goes on past an open question.';
    readonly H32: 'A run finishes with an answer of the model that calls nothing and fits its form.';
    readonly H33: 'What was steered reaches the model before the run finishes.';
    readonly H34: 'A patch names one of the nine points and comes where that point is.';
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
export { type EffectServer, performEffect, startEffectServer } from './effect-server.ts';
export { type Expected, facts, type Given, given } from './given.ts';
export { assertHistory, checkHistory } from './history/check-history.ts';
export { checkPairing } from './history/check-pairing.ts';
export { type HistoryRule, historyRules, type Violation } from './history/rules.ts';
export { type ManualClock, manualClock } from './manual-clock.ts';
export { alwaysReenter, alwaysReplay, assertSameFrame, deepFreeze } from './modes.ts';
export { type Death, type MortalJournal, mortalJournal } from './mortal-journal.ts';
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

// scripted-model.d.ts
/** A model that says what it is told to say: the same words, calls, stalls and failures every time. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
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
 * `status`, `html` and `empty` answer at once.
 */
export type WireFault = {
    readonly kind: 'status';
    readonly status: number;
    readonly message?: string;
    readonly retryAfter?: number | string;
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
