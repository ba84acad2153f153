// create-journal.d.ts
/**
 * The journal that a store makes: forks are read with the past that they share.
 *
 * FORK-1. The prefix is shared by reference: forking appends to the fork alone, and the parent is never touched.
 * FORK-2. A fork reads as one thread: its seqs continue those of the parent, and every event names the fork.
 */
import { LoomError } from './errors.ts';
import type { ForkOf, Journal, Store } from './journal.ts';
/** Makes a journal of a store. */
export declare function createJournal(store: Store): Journal;
/** The error of a fork that cannot begin: its parent, or the moment it was cut at, is not in the store. */
export declare function missingParent(fork: string, { thread, seq }: ForkOf): LoomError;

// decide-calls.d.ts
/**
 * The part of `decide` that sees to the calls of a turn.
 *
 * DECIDE-4. Every call gets exactly one result, whatever happens.
 * DECIDE-5. A serial call never overtakes an earlier serial call that is not settled.
 * DECIDE-6. An unsafe effect whose performer was lost is never run again silently and never forgotten: it becomes a question.
 */
import type { Effect } from './effect.ts';
import type { ToolOutcome } from './event.ts';
import type { Frame, Run } from './frame.ts';
/** What is to be done about the calls of this turn. */
export declare function decideCalls(frame: Frame, run: Run): Effect;
/** How a call ends when nobody can tell whether it happened. */
export declare function unknownOutcome(why: string): ToolOutcome;
/** After a stop request: aborts what is performed and gives every other call its result. Undefined when all are settled. */
export declare function settleCalls(frame: Frame, run: Run, reason: string): Effect | undefined;

// decide.d.ts
import type { Effect } from './effect.ts';
import type { LoopLimits } from './event.ts';
import { type Frame } from './frame.ts';
export declare const defaultLoop: LoopLimits;
/** The next effect of a thread. */
export declare function decide(frame: Frame): Effect;
/** Whether only others (a human, a time, a child, a new input) can move the thread on. */
export declare function isAtRest(frame: Frame): boolean;

// driver.d.ts
/** A driver at work: what it needs of the world, the frame it has reached, and the outbox of what is not durable yet. */
import type { Draft, Epoch, LoomEvent } from './event.ts';
import type { Frame } from './frame.ts';
import type { Journal } from './journal.ts';
import type { Clock, Outbox, Performer } from './ports.ts';
/** What a driver needs of the world. */
export interface Shell {
    readonly journal: Journal;
    readonly clock: Clock;
    /** Makes the performer of this driver: what it did and is about to do goes into the outbox. */
    readonly performer: (outbox: Outbox) => Performer;
    readonly epoch: Epoch;
    /** What taking the thread puts into the outbox first. */
    readonly opening: readonly Draft[];
    /** Called with every batch of this thread once it is durable, by any writer. */
    readonly committed: (events: readonly LoomEvent[], frame: Frame) => void;
    /** For tests: replaces the live frame after each commit by one folded from the journal. */
    readonly refold?: ((frame: Frame) => Promise<Frame>) | undefined;
}
/** Whether events in the outbox are kept when a contributor was faster, and what is called once that is known. */
type Delivery = {
    readonly happened: boolean;
    readonly notify: ((durable: boolean) => void) | undefined;
};
export type Pending = Delivery & {
    readonly event: LoomEvent;
};
/** A driver at work: the durable frame, and the frame with what is in the outbox. */
export interface Driver {
    readonly shell: Shell;
    durable: Frame;
    frame: Frame;
    pending: Pending[];
    batches: number;
    appending: boolean;
    /** The newest seq that the journal hinted at. */
    hinted: number;
    fenced: boolean;
    /** The driver has released the thread. */
    left: boolean;
    failure: {
        readonly error: unknown;
    } | undefined;
    /** The driver waits for the outbox to be durable, and for nothing else. */
    awaited: boolean;
    woken: boolean;
    resume: (() => void) | undefined;
    /** Ends the timer of what the driver waits for. */
    cancelTimer: (() => void) | undefined;
}
/** The outbox of a driver. */
export declare function createOutbox(driver: Driver): Outbox;
/** Puts events into the outbox and folds them: from here on `decide` sees them, and nobody else. */
export declare function put(driver: Driver, drafts: readonly Draft[], { happened, notify }: Delivery): void;
/** Makes the driver look again. */
export declare function wake(driver: Driver): void;
export {};

// effect.d.ts
/** Effects: what `decide` may ask of the world. */
import type { Draft } from './event.ts';
/**
 * The nine lifecycle points of a turn, in order. A point is passed once a later event is durable; until then its hooks may be called again.
 *
 * EFFECT-1. Replay calls no hooks: the patch that `hook.applied` stores is the fact. A patch holds what changes, never the whole.
 */
export declare const hookPoints: readonly ['beforeIterationStart', 'beforeContextAssembly', 'afterContextAssembly', 'beforeModelCall', 'afterModelReply', 'beforeToolExecution', 'afterToolExecution', 'beforeRecursion', 'afterIterationEnd'];
export type HookPoint = (typeof hookPoints)[number];
/** A moment, and the event to record when it has come. */
export type Until = {
    readonly at: number;
    readonly due: Draft;
};
/** Wait: what is open is being performed by this driver. */
export type Wait = {
    readonly kind: 'wait';
    readonly until?: Until | undefined;
};
/** Suspend: only others (a human, a time, a child) can move the thread on. The driver lets go of it. */
export type Suspend = {
    readonly kind: 'suspend';
    readonly reason: 'question' | 'paused' | 'waiting';
    readonly until?: Until | undefined;
};
/** The points to pass before an effect is performed. */
type Hooked = {
    readonly hooks: readonly HookPoint[];
};
/** The calls that must be seen to. Those already in hand stay as they are; with nothing left to begin, `otherwise` holds. */
export type CallTools = Hooked & {
    readonly kind: 'call-tools';
    /** Calls to take through the stages before execution, in call order. */
    readonly authorize: readonly string[];
    /** Those of them, and of the ones that were cleared, lost or woken, that may execute now. */
    readonly execute: readonly string[];
    readonly otherwise: Wait | Suspend;
};
/** The next thing to do. */
export type Effect = (Hooked & {
    readonly kind: 'record';
    readonly events: readonly Draft[];
}) | (Hooked & {
    readonly kind: 'assemble';
}) | (Hooked & {
    readonly kind: 'call-model';
    readonly attempt: number;
    readonly notBefore?: number | undefined;
}) | CallTools | {
    readonly kind: 'abort';
    readonly reason: string;
} | Wait | Suspend | {
    readonly kind: 'rest';
};
export {};

// errors.d.ts
/** The one error of Loom. Its code says what it is, `retry` what to do about it, its message what happened and what to do next. */
import type { Failure } from './event.ts';
import type { JsonObject } from './json.ts';
/** Every code, and what a caller may do: never try again as it is, try again safely, or try again later. */
export declare const errorCodes: {
    readonly LOOM_OPTION_UNKNOWN: 'never';
    readonly LOOM_OPTION_INVALID: 'never';
    readonly LOOM_INPUT_EMPTY: 'never';
    readonly LOOM_INPUT_INVALID: 'never';
    readonly LOOM_MODEL_MISSING: 'never';
    readonly LOOM_MODEL_INVALID: 'never';
    readonly LOOM_MODEL_UNRESOLVED: 'never';
    readonly LOOM_SCHEMA_UNSUPPORTED: 'never';
    readonly LOOM_TOOL_INVALID: 'never';
    readonly LOOM_TOOL_NAME_INVALID: 'never';
    readonly LOOM_TOOL_DUPLICATE: 'never';
    readonly LOOM_PERMISSION_DENIED: 'never';
    readonly LOOM_STEP_DIVERGED: 'never';
    readonly LOOM_STEP_REJECTED: 'never';
    readonly LOOM_DEPTH_EXCEEDED: 'never';
    readonly LOOM_ABORTED: 'never';
    readonly LOOM_THREAD_INVALID: 'never';
    readonly LOOM_THREAD_NOT_FOUND: 'never';
    readonly LOOM_THREAD_IS_CHILD: 'never';
    readonly LOOM_THREAD_UNREADABLE: 'never';
    readonly LOOM_QUESTION_NOT_FOUND: 'never';
    readonly LOOM_QUESTION_SETTLED: 'never';
    readonly LOOM_ANSWER_INVALID: 'never';
    readonly LOOM_JOURNAL_UNUSABLE: 'never';
    readonly LOOM_JOURNAL_DAMAGED: 'never';
    readonly LOOM_JOURNAL_CLOSED: 'never';
    readonly LOOM_MODEL_FAILED: 'safe';
    readonly LOOM_MODEL_CONTEXT_LENGTH: 'safe';
    readonly LOOM_MODEL_TIMEOUT: 'safe';
    readonly LOOM_MODEL_LOST: 'safe';
    readonly LOOM_OUTPUT_INVALID: 'safe';
    readonly LOOM_TOOL_NOT_FOUND: 'safe';
    readonly LOOM_TOOL_INPUT_INVALID: 'safe';
    readonly LOOM_TOOL_TIMEOUT: 'safe';
    readonly LOOM_TOOL_FAILED: 'safe';
    readonly LOOM_STEP_FAILED: 'safe';
    readonly LOOM_HOOK_FAILED: 'safe';
    readonly LOOM_DEPS_MISSING: 'safe';
    readonly LOOM_MEMORY_FAILED: 'safe';
    readonly LOOM_COMPRESSION_FAILED: 'safe';
    readonly LOOM_RUN_FAILED: 'safe';
    readonly LOOM_MODEL_RATE_LIMITED: 'later';
    readonly LOOM_TOOL_UNAVAILABLE: 'later';
    readonly LOOM_RATE_LIMITED: 'later';
    readonly LOOM_CIRCUIT_OPEN: 'later';
    readonly LOOM_THREAD_BUSY: 'later';
    readonly LOOM_JOURNAL_CONFLICT: 'later';
    readonly LOOM_JOURNAL_UNAVAILABLE: 'later';
};
/** The code of an error of Loom. */
export type LoomErrorCode = keyof typeof errorCodes;
type Retry = (typeof errorCodes)[LoomErrorCode];
/** An error of Loom. Test with `isLoomError`, never by message. */
export declare class LoomError extends Error {
    /** Always `LoomError`. */
    readonly name: string;
    /** What went wrong, for programs. */
    readonly code: LoomErrorCode;
    /** The values that the message names. */
    readonly context: JsonObject;
    /** Whether trying again can help, and when. */
    readonly retry: Retry;
    /** Whether resuming or trying again can help. */
    readonly recoverable: boolean;
    constructor(code: LoomErrorCode, message: string, options?: {
        cause?: unknown;
        context?: JsonObject;
    });
}
/** Whether a value is an error of Loom, also one of another copy of this package. */
export declare function isLoomError(value: unknown): value is LoomError;
/** Whether trying again can help. */
export declare function isRecoverable(code: string): boolean;
/** An error as data, for an event. */
export declare function failureOf({ code, message, context, recoverable }: LoomError): Failure;
export {};

// event.d.ts
/**
 * The closed union of events: everything that can have happened on a thread.
 *
 * EVENT-1. An event is a fact in the past tense. Each fact is stored once; a later event refers to what an earlier one holds.
 * EVENT-2. The shape of a type never changes under one version: a new shape gets a new version and an upcaster.
 */
import type { Json, JsonObject } from './json.ts';
import type { Message, Output, Part, ProviderMetadata, ToolSpec, Usage } from './message.ts';
/** Numbers the events of a thread from 1. */
export type Seq = number;
/** Counts the drivers a thread has had; 0 before the first. */
export type Epoch = number;
/** What may happen to an effect whose performer was lost: pure and read run again, unsafe is never re-run silently. */
export type EffectClass = 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe';
/** How often the same call with the same result may repeat before something is done about it. */
export type LoopLimits = {
    readonly [K in 'warn' | 'nudge' | 'stop']: number;
};
/** What a run may spend: cost in integer micro-units, time in milliseconds of driving. `onReached` is for tokens and cost; turns and time stop. */
export type Limits = {
    /** Turns of the run; default 50, or 10 for a child. Reached: the run stops. */
    readonly turns?: number;
    /** Input and output tokens together; default: no limit. Reached: see `onReached`. */
    readonly tokens?: number;
    /** Integer micro-units; default: no limit. Counts only where the price is known. Reached: see `onReached`. */
    readonly cost?: number;
    /** Milliseconds of driving, without waiting; default 24 hours. Reached: the run stops. */
    readonly time?: number;
    /** How deep agents may be nested; default 5. */
    readonly depth?: number;
    /** For tokens and cost: asks whether to go on (default), or stops. */
    readonly onReached?: 'ask' | 'stop';
    /** The same call with the same result so many times: note it, tell the model, stop; default 3, 4, 5. `false` turns it off. */
    readonly loop?: LoopLimits | false;
};
/** What went wrong, as data. */
export type Failure = {
    /** The code of the error. */
    readonly code: string;
    /** What happened, and what to do. */
    readonly message: string;
    /** Whether resuming can help. */
    readonly recoverable: boolean;
    /** The values that the message names. */
    readonly context?: JsonObject;
};
/** An answer to a question. */
export type Answer = {
    readonly kind: 'approve';
    /** Also for the same tool on the rest of the thread. */
    readonly scope?: 'thread';
    /** How far a limit that was reached is raised. */
    readonly limits?: Limits;
} | {
    readonly kind: 'edit';
    /** The arguments to use instead. */
    readonly input: Json;
} | {
    readonly kind: 'reject';
    /** Shown to the model. */
    readonly reason?: string;
} | {
    readonly kind: 'respond';
    /** Stands for the result; nothing is run. */
    readonly value: Json;
};
/** A question as it is asked; its id is (place, ordinal), the place being a call, a hook point or the run. */
export type QuestionData = Readonly<{
    id: string;
    kind: QuestionKind;
    prompt: string;
    show?: Json;
    schema?: Json;
    expires?: number;
    approvers?: number;
}> & {
    readonly call?: string;
    /** The key inside a durable call, or the limit that was reached. */
    readonly key?: string;
    /** What an approval is bound to: tool definition, canonical arguments, deciding rules. */
    readonly digest?: string;
    /** What approving for the whole thread would cover: the same without the arguments. */
    readonly grant?: string;
};
type QuestionKind = 'approval' | 'choice' | 'in-doubt' | 'limit' | 'hook' | 'incompatible' | 'parked';
/** What a run is asked to do, and every fact about it that `decide` looks at. */
export type RunRequest = Readonly<{
    input: readonly Message[];
    model: string;
    settings?: JsonObject;
    limits: Limits;
    metadata?: JsonObject;
}> & {
    readonly agent: {
        readonly name: string;
        readonly fingerprint: string;
    };
    /** Dependencies were given with the run; whoever resumes it must give them again. */
    readonly needsDeps?: true;
    /** Nobody will answer: questions are settled as denied. */
    readonly unattended?: 'deny';
    /** The run ends only through the tool of this name; one reminder is given. */
    readonly done?: string;
    /** How often a reply that does not fit the output schema is sent back. */
    readonly repairs?: number;
};
/** Why earlier bytes of the context may change, and what it holds from then on: `lead` stands in for what is left out before entry `keepFrom`. */
export type Rebase = Readonly<{
    reason: string;
    system: string;
    tools: readonly ToolSpec[];
    lead?: string;
    keepFrom?: number;
}>;
/** A note of the framework to the model: visible, and part of the history. */
export type Note = {
    readonly kind: 'loop' | 'repair' | 'done';
    readonly text: string;
};
/** A document that retrieval brought. */
export type RetrievedDocument = Readonly<{
    id: string;
    title?: string;
    score?: number;
    text: string;
}>;
/** A complete reply of the model; `output` is the verdict of the output schema. */
export type ModelReply = Readonly<{
    parts: readonly Part[];
    usage: Usage;
    cost?: number;
    finish: string;
    model?: string;
    ms?: number;
}> & {
    readonly meta?: ProviderMetadata;
    readonly output?: {
        readonly value: Json;
    } | {
        readonly error: string;
    };
};
/** The intent of a call: every fact that recovery needs to judge it. `input` is there when it is not what the model proposed. */
export type ToolStart = Readonly<{
    call: string;
    effect: EffectClass;
    durable?: true;
    key?: string;
    digest?: string;
    input?: Json;
    allowedBy?: string;
}>;
/** How a call ended, as the model sees it and as people read it. */
export type ToolOutcome = Readonly<{
    status: 'success' | 'error' | 'warning';
    output: Output;
    errorType?: string;
}> & Readonly<{
    ms?: number;
    stages?: JsonObject;
    meta?: JsonObject;
}>;
/** What becomes of effects after the cut of a fork: they happen, are taken from the parent's record, are left out, or are asked about. */
export type ForkEffects = 'live' | 'recorded' | 'stub' | 'ask';
/** What each type of event carries. */
export interface EventData {
    /** `incarnation` names this life of the thread's name; version 1 had none. */
    'thread.started': {
        agent: string;
        incarnation?: string;
        labels?: JsonObject;
        parent?: {
            thread: string;
            call: string;
            depth: number;
        };
    };
    'thread.forked': {
        from: string;
        incarnation?: string;
        edits?: Json;
        effects?: ForkEffects;
        limits?: Limits;
    };
    'driver.acquired': {
        epoch: Epoch;
        worker: string;
    };
    'run.queued': {
        run: string;
        request: RunRequest;
    };
    'run.started': {
        run: string;
        request: RunRequest;
    } | {
        run: string;
        queued: Seq;
    };
    'run.suspended': {
        reason: 'question' | 'paused' | 'waiting';
        until?: number;
    };
    'run.resumed': {
        cause: string;
    };
    'run.stop-requested': {
        reason: string;
        by?: string;
    };
    'run.pause-requested': {
        by?: string;
    };
    'run.finished': {
        output?: Json;
    };
    'run.failed': {
        error: Failure;
    };
    'run.stopped': {
        kind: 'cancelled' | 'limit' | 'budget' | 'loop';
        reason: string;
        limit?: string;
        used?: number;
        max?: number;
    };
    'turn.entered': {
        turn: number;
        notes?: readonly Note[];
        loop?: {
            level: 'warn' | 'nudge';
            tool: string;
            count: number;
        };
    };
    'message.steered': {
        message: Message;
        priority?: number;
        by?: string;
    };
    'context.assembled': {
        rebase?: Rebase;
    };
    'context.compressed': {
        from: Seq;
        to: Seq;
        summary: string;
        tokensBefore?: number;
        tokensAfter?: number;
    };
    'context.compression-failed': {
        error: Failure;
    };
    'retrieval.finished': {
        query: string;
        documents: readonly RetrievedDocument[];
    };
    'model.requested': {
        attempt: number;
        model?: string;
        digest?: string;
        reserved?: {
            tokens: number;
            cost?: number;
        };
    };
    'model.replied': ModelReply;
    'model.failed': {
        attempt: number;
        error: Failure;
        retryAt?: number;
        partial?: string;
        usage?: Usage;
        cost?: number;
    };
    'tool.denied': {
        call: string;
        reason: string;
        errorType: string;
    };
    'tool.started': ToolStart;
    'tool.step-started': {
        call: string;
        key: string;
        effect: EffectClass;
        until?: number;
    };
    'tool.step-finished': {
        call: string;
        key: string;
        value?: Json;
        error?: Failure;
    };
    'tool.suspended': {
        call: string;
    };
    'tool.finished': ToolOutcome & {
        call: string;
    };
    'tool.in-doubt': {
        call: string;
        key?: string;
    };
    'question.asked': QuestionData;
    'question.answered': {
        id: string;
        answer: Answer;
        by?: string;
    };
    'question.expired': {
        id: string;
    };
    'child.started': {
        call: string;
        key: string;
        child: string;
        agent: string;
    };
    'child.finished': {
        call: string;
        key: string;
        child: string;
        value?: Json;
        error?: Failure;
        usage?: Usage;
        cost?: number;
    };
    'hook.applied': {
        point: string;
        hook?: string;
        call?: string;
        patch: JsonObject;
    };
    'limit.raised': {
        limits: Limits;
        by?: string;
    };
    'memory.recorded': {
        key: string;
        value: Json;
    };
    'agent.upgraded': {
        from: string;
        to: string;
    };
}
/** The name of a type of event, such as `tool.started`. */
export type EventType = keyof EventData;
/** A durable fact of one type. */
export interface EventOf<T extends EventType> {
    /** The version of the shape of `data`. */
    readonly v: number;
    /** What has happened, as `noun.verbed`. */
    readonly type: T;
    /** The id of the thread. */
    readonly thread: string;
    /** Its number on the thread, from 1. */
    readonly seq: Seq;
    /** When it was stored, in milliseconds since 1970. */
    readonly time: number;
    /** The run it belongs to. */
    readonly run?: string | undefined;
    /** The turn it belongs to. */
    readonly turn?: number | undefined;
    /** What is known about it. */
    readonly data: Readonly<EventData[T]>;
}
/** Any durable fact. */
export type LoomEvent = {
    [T in EventType]: EventOf<T>;
}[EventType];
/** An event before it has a place: what `decide` and performers produce. */
export type Draft = {
    [T in EventType]: {
        readonly type: T;
        readonly data: Readonly<EventData[T]>;
    };
}[EventType];
/** The version in which a type is written, where it is not 1. */
export declare const eventVersions: Readonly<Partial<Record<EventType, number>>>;
export {};

// evolve.d.ts
/**
 * evolve: the fold. One handler per event type.
 *
 * EVOLVE-1. `evolve` is pure and total: handlers change fresh copies only, never throw whatever order events come in, and an event that does not fit
 *     moves the position and nothing else.
 *     Calls, questions and intents that are open where a thread is forked are decided anew, and without a budget unless one is granted.
 * EVOLVE-2. An unknown type or a newer version makes the frame readable but not drivable.
 */
import { type LoomEvent } from './event.ts';
import { type Frame } from './frame.ts';
/** The frame after an event: the only way a frame comes to be. */
export declare function evolve(frame: Frame, event: LoomEvent): Frame;

// frame.d.ts
/**
 * The frame: the immutable state of a thread after an event.
 *
 * FRAME-1. A frame is plain read-only data and nothing but the fold of events. No function, class instance, date or object identity has a meaning in it.
 * FRAME-2. A frame's link to another thread is the pair `thread@seq`, never an object reference.
 *
 * All fields are there from the start: copies of one shape are cheap.
 */
import type { Answer, EffectClass, Epoch, EventData, Failure, Limits, QuestionData, RunRequest, Seq, ToolOutcome, ToolStart } from './event.ts';
import type { Json, JsonObject } from './json.ts';
import { type List } from './list.ts';
import type { CallPart, Message, ToolSpec, Usage } from './message.ts';
/** One message of the history, with where it came from. */
export type Entry = Readonly<{
    seq: Seq;
    origin: Origin;
    turn: number;
    message: Message;
}>;
type Origin = 'input' | 'reply' | 'results' | 'steered' | 'note' | 'retrieved' | 'hook';
/** What of a durable body has begun and not ended: a step, a question, a child, a sleep. */
export type OpenStep = Readonly<{
    key: string;
    epoch: Epoch;
    effect?: EffectClass;
    until?: number;
    child?: string;
    question?: string;
}>;
/** A recorded key of a durable body. */
export type StepRecord = Readonly<{
    key: string;
    value?: Json;
    error?: Failure;
}>;
/**
 * A call on its way to exactly one result.
 *
 * proposed -> (asking -> cleared | rejected | responded) -> running -> (suspended -> running) -> settled; a running call whose performer was
 * lost may become in-doubt, which is a question like any other.
 */
export interface Call {
    readonly id: string;
    readonly part: CallPart;
    readonly input: Json;
    readonly state: 'proposed' | 'asking' | 'cleared' | 'rejected' | 'responded' | 'running' | 'suspended' | 'in-doubt' | 'settled';
    /** The epoch under which it was last begun or suspended. */
    readonly epoch: Epoch;
    readonly start: ToolStart | undefined;
    /** The answer that cleared, rejected or settled it, and what it was bound to. */
    readonly answer: Readonly<{
        answer: Answer;
        kind: QuestionData['kind'];
        digest?: string | undefined;
    }> | undefined;
    readonly open: readonly OpenStep[];
    readonly done: List<StepRecord>;
    /** Something the suspended body waits for has come. */
    readonly woken: boolean;
    readonly outcome: ToolOutcome | undefined;
}
/** A question that is open. */
export type OpenQuestion = QuestionData & {
    readonly seq: Seq;
    readonly votes: readonly string[];
};
/** One run of the thread. */
export interface Run {
    readonly id: string;
    readonly status: 'active' | 'suspended' | 'finished' | 'failed' | 'stopped';
    readonly phase: 'enter' | 'context' | 'model' | 'tools' | 'answer';
    readonly request: RunRequest;
    readonly limits: Limits;
    readonly settings: JsonObject;
    readonly firstTurn: number;
    /** Model attempts of this turn, when the first was made, the one that is open, when to try again, and what a failed one had said. */
    readonly attempt: number;
    readonly tried: number | undefined;
    readonly sent: Readonly<{
        attempt: number;
        epoch: Epoch;
        tokens: number;
        cost: number;
    }> | undefined;
    readonly retryAt: number | undefined;
    readonly partial: string | undefined;
    /** What the output schema said of the last reply. */
    readonly verdict: {
        readonly value: Json;
    } | {
        readonly error: string;
    } | undefined;
    readonly calls: List<Call>;
    readonly unsettled: number;
    readonly usage: Usage;
    /** Micro-units spent; `unpriced` counts replies whose price is unknown, `lost` what attempts reserved that never ended. */
    readonly cost: number;
    readonly unpriced: number;
    readonly lost: {
        readonly tokens: number;
        readonly cost: number;
    };
    /** Milliseconds of driving, since when it is driven, and when a suspended run wakes by itself. */
    readonly driven: number;
    readonly since: number | undefined;
    readonly until: number | undefined;
    readonly stop: {
        readonly reason: string;
        readonly kind: 'cancelled' | 'budget';
    } | undefined;
    readonly pause: boolean;
    readonly repairs: number;
    /** The reminder to end with the required tool was given, or is not needed any more. */
    readonly reminded: boolean;
    /** Digests of the latest calls with their results, and the one that repeats. */
    readonly recent: readonly number[];
    readonly repeated: {
        readonly tool: string;
        readonly count: number;
    } | undefined;
    /** What hooks changed about the next request, and the rebase they asked for. */
    readonly patch: JsonObject | undefined;
    readonly rebase: JsonObject | undefined;
    readonly end: Readonly<EventData['run.stopped']> | undefined;
    readonly error: Failure | undefined;
    readonly output: Json | undefined;
}
/** What the model was last told besides the history, and how many entries of the history are in. */
export type Context = Readonly<{
    rebases: number;
    system: string;
    tools: readonly ToolSpec[];
}> & Readonly<{
    lead: string | undefined;
    keepFrom: number;
    covered: number;
}>;
/** A thread at one moment. */
export interface Frame {
    /** The id of the thread. */
    readonly thread: string;
    /** Which life of the thread's name this is; in format 1 the name itself. */
    readonly incarnation: string;
    readonly seq: Seq;
    /** When that event was stored, in milliseconds since 1970. */
    readonly time: number;
    /** The epoch of the current driver; 0 when nobody has driven. */
    readonly epoch: Epoch;
    /** Drivers in a row that left no new fact. */
    readonly takeovers: number;
    /** The name of the agent that the thread belongs to. */
    readonly agent: string | undefined;
    /** Labels that the thread was started with. */
    readonly labels: JsonObject | undefined;
    /** The call of another thread that started this one. */
    readonly parent: EventData['thread.started']['parent'];
    /** Where this thread was forked from. */
    readonly fork: Readonly<EventData['thread.forked']> | undefined;
    /** The number of the last turn. */
    readonly turn: number;
    /** How many runs were asked for. */
    readonly runs: number;
    /** The active or last run. */
    readonly run: Run | undefined;
    /** Runs that wait for the active one. */
    readonly queue: readonly Readonly<{
        run: string;
        seq: Seq;
        request: RunRequest;
    }>[];
    /** What was said, call by call, as the model may be sent it. */
    readonly history: List<Entry>;
    /** What the model is sent of the history. */
    readonly context: Context;
    /** Words that the model has not been told yet. */
    readonly steering: readonly Readonly<{
        seq: Seq;
        priority: number;
        message: Message;
    }>[];
    /** How many questions were asked; the ordinal of the next id. */
    readonly asked: number;
    readonly questions: {
        readonly [id: string]: OpenQuestion;
    };
    readonly answered: List<{
        readonly id: string;
        readonly answer: Answer;
    }>;
    /** Answers for hooks that suspended the run, by place. */
    readonly hookAnswers: {
        readonly [place: string]: Answer;
    };
    /** Hook points that this turn has passed with a patch: point@call. */
    readonly hooked: readonly string[];
    /** Digests of what a human approved for the whole thread. */
    readonly grants: readonly string[];
    /** The first event this version cannot read: the thread is readable, not drivable. */
    readonly unknown: {
        readonly type: string;
        readonly v: number;
        readonly seq: Seq;
    } | undefined;
}
/** The frame of a thread before its first event. */
export declare function emptyFrame(thread: string): Frame;
/** A run before its first turn. */
export declare function freshRun(id: string, request: RunRequest, at: {
    turn: number;
    time: number;
}): Run;
/** Whether a run has come to its end (it may still be resumed when it failed or reached a limit). */
export declare function isOver({ status }: Run): boolean;
export {};

// fresh.d.ts
/** What the handlers of the fold share: fresh copies, and the few ways in which they change. */
import type { EventOf, EventType, LoomEvent } from './event.ts';
import type { Call, Entry, Frame, Run } from './frame.ts';
import type { Part } from './message.ts';
/** A fresh copy that a handler may change before anybody sees it. */
export type Fresh<T> = {
    -readonly [K in keyof T]: T[K];
};
/** A frame and its run, both fresh. */
export type Folding = {
    readonly frame: Fresh<Frame>;
    readonly run: Fresh<Run>;
};
/** Handlers of the given types; they are called only when the thread has a run. */
export type Handlers<T extends EventType> = {
    readonly [K in T]: (folding: Folding, event: EventOf<K>) => void;
};
/** Appends a message to the history. */
export declare function tell(frame: Fresh<Frame>, event: LoomEvent, entry: Pick<Entry, 'origin' | 'message'>): void;
/** A call of which nothing has become yet. */
export declare const untouched: {
    readonly state: 'proposed';
    readonly epoch: 0;
    readonly start: undefined;
    readonly answer: undefined;
    readonly open: readonly [];
    readonly woken: false;
    readonly outcome: undefined;
};
/** Takes the calls that a reply proposes, under Loom's own ids. */
export declare function propose({ frame, run }: Folding, parts: readonly Part[]): void;
/** The call of the current turn with this id. */
export declare function callOf(run: Run, id: string): Call | undefined;
/** Changes one call and keeps count of the unsettled ones; a settled call's questions are nobody's any more. */
export declare function changeCall({ frame, run }: Folding, id: string, change: (call: Fresh<Call>) => void): void;
/** A record without one of its keys. */
export declare function without<T>(record: {
    readonly [key: string]: T;
}, key: string): {
    readonly [key: string]: T;
};

// index.d.ts
/** Loom's kernel: facts, frames, the pure step, and the journal contract. */
export { createJournal, missingParent } from './create-journal.ts';
export { decide, defaultLoop, isAtRest } from './decide.ts';
export type { Shell } from './driver.ts';
export { unknownOutcome } from './decide-calls.ts';
export { type CallTools, type Effect, type HookPoint, hookPoints, type Suspend, type Until, type Wait } from './effect.ts';
export { errorCodes, failureOf, isLoomError, isRecoverable, LoomError, type LoomErrorCode } from './errors.ts';
export type { Answer, Draft, EffectClass, Epoch, EventData, EventOf, EventType, Failure, ForkEffects, Limits, LoomEvent, LoopLimits, } from './event.ts';
export type { ModelReply, Note, QuestionData, Rebase, RetrievedDocument, RunRequest, Seq, ToolOutcome, ToolStart } from './event.ts';
export { eventVersions } from './event.ts';
export { evolve } from './evolve.ts';
export type { Call, Context, Entry, Frame, OpenQuestion, OpenStep, Run, StepRecord } from './frame.ts';
export { emptyFrame, isOver } from './frame.ts';
export { callOf } from './fresh.ts';
export type { AcquireResult, AppendResult, Batch, Claim, ForkOf, Head, Incarnation, Journal, JournalTraits, OwnEvents } from './journal.ts';
export type { ReadRange, RemoveResult, Store, Summary, ThreadQuery } from './journal.ts';
export { readEvents } from './journal.ts';
export { canonicalJson, freshDigest, type Json, type JsonObject, own, rollDigest, rollJson } from './json.ts';
export { append, at, emptyList, items, type List, replaceAt } from './list.ts';
export { matches, memoryJournal } from './memory-journal.ts';
export type { BlobRef, CallPart, CallResult, FilePart, Message, Output, Part, ProviderMetadata, ToolSpec, Usage } from './message.ts';
export { addUsage, textOf } from './message.ts';
export type { Clock, Hash, Ids, Outbox, Performer, Random } from './ports.ts';
export { decodeBatch, encodeBatch, type Place, place } from './record.ts';
export { type Difference, diffFrames, fold, frameAt, frames } from './replay.ts';
export { tt } from './step.ts';
export { summarize } from './summary.ts';
export { type Stored, type Upcasters, upcast, upcasters } from './upcast.ts';

// journal.d.ts
/**
 * The journal contract. Adapters implement `Store`; everything above them uses the `Journal` that `createJournal` makes of it.
 *
 * JOURNAL-1. Compare-and-append: a batch is stored whole, and only when `expected` is the head; otherwise it conflicts and nothing changes.
 * JOURNAL-2. A batch that is stored already (its id, after the seq it expects) returns `appended`, whatever has happened since: after a lost reply
 *            the writer appends the same batch again.
 * JOURNAL-3. A batch with an epoch that is not the current one is fenced, even at the right seq. A batch without one is a contributor's.
 * JOURNAL-4. `acquire` raises the epoch, by compare-and-set on the epoch that the claimant has seen; it returns `held` while the holder lives, and
 *            `held` without a holder when the epoch has moved on.
 * JOURNAL-5. What is read was appended: gap-free, in order, and never the writer's own objects.
 * JOURNAL-6. A batch or a claim that names another incarnation than the thread's is fenced. A batch that begins a thread conflicts instead: its
 *            writer has not seen the thread that is there.
 * JOURNAL-7. A thread is not removed while a fork reads it, and a fork does not begin without its parent: the store decides both in one step.
 */
import type { Draft, Epoch, LoomEvent, Seq } from './event.ts';
import type { JsonObject } from './json.ts';
type Status = 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped';
/** What the thread table knows of a thread: enough to list it and to wake it. Absent fields are undefined. */
export type Summary = Readonly<{
    status: Status;
    agent?: string | undefined;
    parent?: string | undefined;
}> & Readonly<{
    wakeAt?: number | undefined;
    labels?: JsonObject | undefined;
}>;
/** Names one life of a thread's name. A thread of format 1 has none of its own: there it is the name. */
export type Incarnation = string;
/** The moment of another thread at which a fork was cut. The fork's own events follow from `seq + 1` on. */
export type ForkOf = Readonly<{
    thread: string;
    incarnation: Incarnation;
    seq: Seq;
}>;
/** What one append stores. `run` and `turn` are those in force before the first event; only the batch that begins a fork has `forkOf`. */
export type Batch = Readonly<{
    id: string;
    incarnation: Incarnation;
    expected: Seq;
    time: number;
    epoch?: Epoch | undefined;
    summary: Summary;
}> & Readonly<{
    events: readonly Draft[];
    run?: string | undefined;
    turn?: number | undefined;
}> & Readonly<{
    blobs?: ReadonlyMap<string, Uint8Array> | undefined;
    forkOf?: ForkOf | undefined;
}>;
/** The end of a thread, and who drives it. */
export type Head = Readonly<{
    thread: string;
    incarnation: Incarnation;
    seq: Seq;
    epoch: Epoch;
    summary: Summary;
}> & Readonly<{
    holder?: string | undefined;
    forkOf?: ForkOf | undefined;
}>;
/** Who wants to drive a thread, and what it has seen of it. `force` takes the thread from a holder that lives. */
export type Claim = Readonly<{
    worker: string;
    incarnation: Incarnation;
    seen: Epoch;
    force?: boolean;
}>;
/** How an append ended; a conflict names the head's seq, a fence the current epoch. */
export type AppendResult = {
    readonly kind: 'appended' | 'conflict';
    readonly seq: Seq;
} | {
    readonly kind: 'fenced';
    readonly epoch: Epoch;
};
/** How a claim ended. The head shows whether anything was appended since the claimant looked. */
export type AcquireResult = {
    readonly kind: 'acquired';
    readonly epoch: Epoch;
    readonly head: Head;
} | {
    readonly kind: 'held';
    readonly epoch: Epoch;
    readonly holder?: string | undefined;
} | {
    readonly kind: 'fenced';
    readonly epoch: Epoch;
};
/** How a removal ended: a thread that a fork reads stays. */
export type RemoveResult = {
    readonly kind: 'removed';
} | {
    readonly kind: 'forked';
    readonly fork: string;
};
/** A page of a thread's own events; a range that begins before the first of them returns the moment at which the thread was forked. */
export type OwnEvents = readonly LoomEvent[] | {
    readonly forkOf: ForkOf;
};
/** Where a page of events begins, and how many it holds at most. */
export type ReadRange = Readonly<{
    from?: Seq;
    limit?: number;
}>;
/** Which threads to list, in the order of their ids; `dueBy` are those that sleep until this moment or earlier. */
export type ThreadQuery = Readonly<{
    status?: Status;
    parent?: string;
    dueBy?: number;
    after?: string;
    limit?: number;
}>;
/** What an adapter promises: several processes may use it; what is acknowledged survives; it notices when its own bytes are damaged. */
export type JournalTraits = Readonly<{
    name: string;
    shared: boolean;
    durable: boolean;
    bytes: boolean;
    mode: 'strict' | 'relaxed' | 'memory';
}>;
/** What journals and stores have in common. */
interface Threads {
    readonly traits: JournalTraits;
    acquire(thread: string, claim: Claim): Promise<AcquireResult>;
    /** Ends the hold of this epoch, if it is the current one; returns the head. */
    release(thread: string, epoch: Epoch): Promise<Head | undefined>;
    append(thread: string, batch: Batch): Promise<AppendResult>;
    /** The head of a thread; `undefined` when there is no such thread. */
    head(thread: string): Promise<Head | undefined>;
    /** Calls back with the head's seq after appends: a hint, never the data, and it may be missed or late. */
    watch(thread: string, hint: (seq: Seq) => void): () => void;
    /** The heads of threads, page by page. */
    threads(query?: ThreadQuery): Promise<readonly Head[]>;
    /** The bytes that have this digest. */
    blob(hash: string): Promise<Uint8Array | undefined>;
    close(): Promise<void>;
}
/** What an adapter implements: threads with their own events. A store knows where a fork was cut, and reads no other thread for it. */
export interface Store extends Threads {
    /** A page of own events from `from` on; an empty page is the end. */
    read(thread: string, range?: ReadRange): Promise<OwnEvents>;
    remove(thread: string): Promise<RemoveResult>;
}
/** Where events live. A fork is read like any other thread, with the past that it shares. */
export interface Journal extends Threads {
    /** A page of events from `from` on; an empty page is the end. */
    read(thread: string, range?: ReadRange): Promise<readonly LoomEvent[]>;
    /** Removes a thread; throws `LOOM_THREAD_BUSY` while a fork reads it. */
    remove(thread: string): Promise<void>;
}
/** Every event of a thread from `from` on, page by page. */
export declare function readEvents(journal: Pick<Journal, 'read'>, thread: string, from?: Seq): AsyncGenerator<LoomEvent, void>;
export {};

// json.d.ts
/**
 * JSON values: the only values an event may hold.
 *
 * JSON-1. Whatever enters an event is JSON before it enters, so that a frame folded live equals the frame folded from bytes.
 */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
    readonly [key: string]: Json | undefined;
}
/** The record's own value under a key that somebody else chose: what every object inherits is nobody's. */
export declare function own<T extends object, K extends keyof T>(record: T, key: K): T[K] | undefined;
/** Renders a value with its keys sorted, so that equal values have equal text whatever order they were written in. */
export declare function canonicalJson(value: Json): string;
/**
 * Takes a text into a rolling digest (FNV-1a), for telling repeated things apart.
 *
 * It resists accidents, not attackers: what a human approves or a store verifies goes through the hash port.
 */
export declare function rollDigest(digest: number, text: string): number;
/** Takes a value into a rolling digest, whatever order its keys were written in. */
export declare function rollJson(digest: number, value: Json | undefined): number;
/** Where a rolling digest begins. */
export declare const freshDigest = 2166136261;

// list.d.ts
type Node<T> = readonly (T | Node<T>)[];
/** A persistent, append-mostly list of plain data. */
export type List<T> = {
    readonly length: number;
    readonly height: number;
    readonly root: Node<T>;
};
/** The list without items. */
export declare function emptyList<T>(): List<T>;
/** The list with one more item at its end. */
export declare function append<T>(list: List<T>, item: T): List<T>;
/** The list with the item at `index` replaced; an index outside the list leaves it as it is. */
export declare function replaceAt<T>(list: List<T>, index: number, item: T): List<T>;
/** The item at `index`, counted from 0. */
export declare function at<T>(list: List<T>, index: number): T | undefined;
/** The items from `start` on, in order. */
export declare function items<T>(list: List<T>, start?: number): Generator<T, void>;
export {};

// memory-journal.d.ts
import type { Head, Journal, ThreadQuery } from './journal.ts';
/** A journal that lives as long as the object: the default of every agent. */
export declare function memoryJournal(): Journal;
/** Whether a thread is one that the query asks for. */
export declare function matches({ thread, summary }: Head, { status, parent, dueBy, after }: ThreadQuery): boolean;

// message.d.ts
/** What people, models and tools say to each other, as plain data. */
import type { Json, JsonObject } from './json.ts';
/** What a provider attached to a part; stored and sent back unchanged. */
export type ProviderMetadata = JsonObject;
type Meta = {
    readonly meta?: ProviderMetadata;
};
/** A value kept beside the event because it is big. */
export type BlobRef = {
    readonly $blob: string;
    readonly bytes: number;
};
/** A file by value (base64), by blob or by address; an image is a file whose media type says so. */
export type FilePart = Meta & Readonly<{
    type: 'file';
    mediaType: string;
    data: string | BlobRef | {
        readonly url: string;
    };
    name?: string;
}>;
/** A tool call as the model proposed it. */
export type CallPart = Meta & {
    readonly type: 'call';
    /** The provider's id: data, never Loom's name for the call. */
    readonly id: string;
    readonly name: string;
    readonly input: Json;
    /** The argument text when it is not JSON. */
    readonly malformed?: string;
    /** A fact from the moment of the reply, so that a redeploy does not reorder open calls. */
    readonly serial?: true;
};
/** A piece of a message; `provider` keeps verbatim what Loom does not interpret (sources, provider-executed calls). */
export type Part = (Meta & {
    readonly type: 'text' | 'reasoning';
    readonly text: string;
}) | {
    readonly type: 'data';
    readonly data: Json;
} | {
    readonly type: 'provider';
    readonly part: Json;
} | FilePart | CallPart;
/** What a call gave the model. */
export type Output = {
    readonly type: 'text' | 'error' | 'denied';
    readonly value: string;
} | {
    readonly type: 'json';
    readonly value: Json;
} | {
    readonly type: 'parts';
    readonly value: readonly Part[];
};
/** One answered call inside a tool message; `id` is the provider's. */
export type CallResult = {
    readonly call: string;
    readonly id: string;
    readonly name: string;
    readonly output: Output;
};
/** A message of the conversation. */
export type Message = {
    readonly role: 'system' | 'user' | 'assistant';
    readonly parts: readonly Part[];
} | {
    readonly role: 'tool';
    readonly results: readonly CallResult[];
};
/** A tool as the model is told of it. */
export type ToolSpec = {
    readonly name: string;
    readonly description?: string;
    readonly schema: JsonObject;
};
/** Tokens of one or many model calls; what a provider does not say counts 0. */
export type Usage = {
    /** All tokens that were sent, cached ones included. */
    readonly input: number;
    /** All tokens that came back, those of reasoning included. */
    readonly output: number;
    /** Tokens of the input that were read from a cache. */
    readonly cacheRead?: number;
    /** Tokens of the input that were written to a cache. */
    readonly cacheWrite?: number;
    /** Tokens of the output that were reasoning. */
    readonly reasoning?: number;
};
/** The sum of two usages. */
export declare function addUsage(a: Usage, b: Usage): Usage;
/** The text of a message's parts, without reasoning. */
export declare function textOf(parts: readonly Part[]): string;
export {};

// ports.d.ts
/** Ports: everything impure that the kernel needs, as interfaces. */
import type { Effect } from './effect.ts';
import type { Draft } from './event.ts';
import type { Frame } from './frame.ts';
/** Time. */
export interface Clock {
    now(): number;
    /** Calls back at or after a moment; the returned function cancels it. */
    at(time: number, callback: () => void): () => void;
}
/** Makes ids that are never made twice. */
export type Ids = () => string;
/** A number in [0, 1). */
export type Random = () => number;
/** A digest of a text that nobody can forge. */
export type Hash = (text: string) => string;
/** What performers did and are about to do, until it is durable. */
export interface Outbox {
    /** The frame with everything in the outbox, durable or not. */
    readonly frame: Frame;
    /**
     * Adds events. Resolves true when they are durable, false when they were dropped.
     *
     * What has happened is kept when a contributor wrote in between; what was only intended is dropped, because `decide` may now return something else.
     */
    append(drafts: readonly Draft[], how: 'happened' | 'intended'): Promise<boolean>;
    /** The same without a promise: calls back, if anybody wants to know. The callback must not throw. */
    put(drafts: readonly Draft[], how: 'happened' | 'intended', notify?: (durable: boolean) => void): void;
    /** Whether nothing can be added any more: the driver was fenced, has failed or has released the thread. */
    isClosed(): boolean;
    /** Ends the driver: something it depends on has failed, and no event can record it. */
    fail(error: unknown): void;
    /** Makes the driver ask `decide` and the performer again, though there is no new event. */
    wake(): void;
}
/**
 * Performs effects. Must not throw: what goes wrong is an event. Must not begin an effect that waits for its intent before `append` resolved true.
 */
export interface Performer {
    /** Performs an effect: `begun` (something is new), `busy` (it is in flight already), `settled` (there is nothing to do about it). */
    perform(effect: Effect): 'begun' | 'busy' | 'settled';
    /** Aborts what is in flight; what it did must still be put into the outbox. */
    abort(reason: string): void;
    /** Resolves when nothing is in flight. */
    idle(): Promise<void>;
}

// record.d.ts
/**
 * The record: a batch as bytes, and events as they are placed in it.
 *
 * RECORD-1. Seq, run and turn are derived in one place, here, so that an event has the same place live and read back.
 */
import { type Draft, type LoomEvent, type Seq } from './event.ts';
import type { Batch } from './journal.ts';
/** Where the next event goes. */
export type Place = Readonly<{
    thread: string;
    seq: Seq;
    time: number;
    run?: string | undefined;
    turn?: number | undefined;
}>;
/** A place that moves on with every event. */
export type MovingPlace = {
    -readonly [K in keyof Place]: Place[K];
};
/** Gives drafts their places, in order. */
export declare function place(start: Place, drafts: readonly Draft[]): readonly LoomEvent[];
/** Gives a draft the next place, and moves the place on. */
export declare function placeNext(next: MovingPlace, { type, data }: Draft): LoomEvent;
/** A batch as one line of JSON. The id and the version come first, so that a long line need not be parsed for them. */
export declare function encodeBatch(batch: Batch): string;
/** The events of an encoded batch whose first event is `seq`. */
export declare function decodeBatch(thread: string, seq: Seq, line: string): readonly LoomEvent[];

// replay.d.ts
/**
 * Replay: everything that is a read of a journal. No model, tool or hook is called.
 *
 * REPLAY-1. Folding the same events gives the same frame, at every seq, live or read back (law 1).
 */
import type { LoomEvent, Seq } from './event.ts';
import { type Frame } from './frame.ts';
import { type Journal } from './journal.ts';
/** The frame after the given events. */
export declare function fold(thread: string, events: Iterable<LoomEvent>, start?: Frame): Frame;
/** The frame of a stored thread, now or at an earlier seq. */
export declare function frameAt(journal: Journal, thread: string, upTo?: Seq): Promise<Frame>;
/** The frame after each of the events, in order. */
export declare function frames(thread: string, events: Iterable<LoomEvent>): Generator<Frame, void>;
/** One place where two frames differ. */
export type Difference = Readonly<{
    path: string;
    before: unknown;
    after: unknown;
}>;
/** Where two frames differ, path by path. What they share by reference is not looked at. */
export declare function diffFrames(before: unknown, after: unknown, path?: string): readonly Difference[];

// step.d.ts
import { type Shell } from './driver.ts';
import { type Frame } from './frame.ts';
/** Drives a thread until only others can move it on; returns the frame it left. A fenced driver stops at once. */
export declare function tt(start: Frame, shell: Shell): Promise<Frame>;

// summary.d.ts
import type { Frame } from './frame.ts';
import type { Summary } from './journal.ts';
/** The summary of a frame. A thread that somebody must drive counts as running: one with queued runs, or with an answer nobody has acted on. */
export declare function summarize(frame: Frame): Summary;

// upcast.d.ts
/**
 * Upcasters: how an old event is read today. Stored histories are never rewritten.
 *
 * UPCAST-1. An upcaster is pure and takes a type from one version to the next.
 */
import type { EventType } from './event.ts';
import { type Json } from './json.ts';
/** An event as stored: its version may be older, or newer, than this code. */
export type Stored = Readonly<{
    type: string;
    v: number;
    data: Json;
}>;
/** For each type, what takes version 1 to 2, 2 to 3, and so on. */
export type Upcasters = {
    readonly [T in EventType]?: readonly ((data: Json) => Json)[];
};
/** Version 2 of how a thread begins names its incarnation. An older one has none, and the fold takes the thread's name. */
export declare const upcasters: Upcasters;
/** The stored event in the newest version that the upcasters reach. */
export declare function upcast(stored: Stored, steps?: Upcasters): Stored;
