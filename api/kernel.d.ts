// break-facts.d.ts
/** What breakpoints are as facts. */
/**
 * Where a run stops: at these places of a turn (default: all), before calls of this tool, from this cost or depth on, after an error. All that it names must
 * hold. One that stops `once` is gone then. `on` says it as a person has; children get those that are not the thread's `own`.
 */
export type Breakpoint = Readonly<{
    id: string;
    on?: string;
    places?: readonly string[];
    tool?: string;
    cost?: number;
    depth?: number;
}> & Readonly<{
    error?: true;
    once?: true;
    own?: true;
}>;

// context.d.ts
/** What a model is shown: segments over the history, what stands for the rest, and what was added to it. */
import type { ToolSpec, Usage } from './message.ts';
/** Why earlier bytes of the context may change, and what it holds from then on. */
export type Rebase = Readonly<{
    reason: string;
    system: string;
    tools: readonly ToolSpec[];
    segments?: readonly Segment[];
    budget?: ContextBudget;
}> & Readonly<{
    layers?: readonly Layer[];
}>;
/** A part of the system text, from the end of the layer before up to, and without, character `to`; and who gave it. Without layers it is all instructions. */
export type Layer = Readonly<{
    to: number;
    name: string;
    origin: string;
}>;
/**
 * What the model is shown of the entries of the history from the end of the segment before up to, and without, entry `to`. Segments cover the history from
 * its first entry on without a gap, so nothing leaves the context without a segment that says why. What follows the last one is shown whole, and grows.
 */
export type Segment = Readonly<{
    to: number;
}> & Readonly<{
    as: 'kept';
    trims?: readonly Trim[];
} | {
    as: 'dropped';
    rule: string;
    reason: string;
} | {
    as: 'summary';
    summary: number;
} | {
    as: 'summary';
    text: string;
    rule?: string;
}>;
/** Results of these tools (of all, without `tools`) that have more than `over` characters are shown by their first `head` and last `tail` characters. */
export type Trim = Readonly<{
    rule: string;
    tools?: readonly string[];
    over: number;
    head: number;
    tail: number;
}>;
/** Tokens of a rebased context: what it may have, what it would have had, and what it has. */
export type ContextBudget = Readonly<{
    max: number;
    before: number;
    after: number;
    window?: number;
}>;
/** Something that the conversation did not bring: a skill, a memory, a document, a reminder, a to-do list. It becomes an entry of the history. */
export type ContextItem = Readonly<{
    kind: string;
    id: string;
    origin: string;
    text: string;
    trust?: 'untrusted';
    priority?: number;
    pin?: true;
}>;
/**
 * A summary of the events with the seqs `from` to `to`: how it was made, in which turn and to which share of the budget, and what it leaves out of the summary before it.
 */
export type ContextSummary = Readonly<{
    from: number;
    to: number;
    summary: string;
    tokensBefore?: number;
    tokensAfter?: number;
}> & Readonly<{
    turn?: number;
    target?: number;
    by?: 'model' | 'extract';
    model?: string;
    usage?: Usage;
    cost?: number;
    drops?: readonly string[];
}>;
/** What the model was last sent besides the history, and how many entries of the history that covers. */
export type Context = Readonly<{
    rebases: number;
    system: string;
    tools: readonly ToolSpec[];
    segments: readonly Segment[];
    covered: number;
}> & Readonly<{
    layers?: readonly Layer[];
}>;
/** A document that retrieval brought. */
export type RetrievedDocument = Readonly<{
    id: string;
    title?: string;
    score?: number;
    text: string;
}>;

// create-journal.d.ts
/**
 * The journal that a store makes: forks are read with the past that they share.
 *
 * FORK-1. The prefix is shared by reference: forking appends to the fork alone, and the parent is never touched.
 * FORK-2. A fork reads as one thread: its seqs continue those of the parent, and every event names the fork.
 */
import { LoomError } from './errors.ts';
import { type ForkOf, type Journal, type Store } from './journal.ts';
/** Makes a journal of a store. */
export declare function createJournal(store: Store): Journal;
/** The error of a fork that cannot start: its parent, or the moment it was cut at, is not in the store. */
export declare function missingParent(fork: string, { thread, seq }: ForkOf): LoomError;
/** The error of a thread that came from outside and that nobody has adopted (JOURNAL-23). */
export declare function threadQuarantined(thread: string): LoomError;
/** The error of a cursor that the feed cannot continue from (JOURNAL-16). */
export declare function staleCursor(cursor: string): LoomError;

// decide-calls.d.ts
/**
 * The part of `decide` that handles the calls of a turn.
 *
 * DECIDE-4. Every call gets exactly one result.
 * DECIDE-5. A serial call never overtakes an earlier serial call that is not settled.
 * DECIDE-7. A decision looks at the calls of `openCalls` only, so that its cost does not grow with the reply. What has begun is always among
 *     them: the window only moves on.
 * DECIDE-6. An unsafe effect whose performer was lost is never run again silently and never forgotten: it becomes a question.
 */
import type { Effect } from './effect.ts';
import type { Draft, ToolOutcome } from './event.ts';
import type { Call, Frame, Run } from './frame.ts';
/** The next effect for the calls of this turn. */
export declare function decideCalls(frame: Frame, run: Run): Effect;
/** Whether this driver performs a call of the run. */
export declare const hasPerformed: (frame: Frame, run: Run) => boolean;
/** The key of a step in words: its kind, its name if it has one, and which occurrence it is. */
export declare const stepName: (key: string) => string;
/**
 * The facts about a call, or one step of it, that may or may not have happened: it becomes a question (DECIDE-6), or where questions are denied, an
 * outcome that says so. `why` tells a human what is in doubt.
 */
export declare function inDoubt(frame: Frame, call: Call, { why, key }: {
    readonly why: string;
    readonly key?: string | undefined;
}): readonly Draft[];
/** The keys of a durable body in doubt: steps that were lost, children that have not ended, and children that left a call in doubt. */
export declare function keysInDoubt({ open, done }: Call): readonly string[];
/** The steps of a durable body that was interrupted, in words: those that may have happened, and those that have. Empty where there are none. */
export declare function stepsNote(call: Call): string;
/** The outcome of a call of which it is not known whether it happened. */
export declare function unknownOutcome(why: string, steps?: string): ToolOutcome;
/** Where a run is stopped or is left: aborts what is performed and gives every other call its result. Undefined when all are settled. */
export declare function settleCalls(frame: Frame, run: Run, reason?: string): Effect | undefined;
/** The results of the calls that a run leaves open; without a reason, because it has failed. */
export declare function leaveCalls(run: Run, reason?: string): readonly Draft[];
/** The outcome of a call that is left open: unknown where it may have happened, unless a human said that it did not. */
export declare function leftOutcome(call: Call, reason?: string): ToolOutcome;

// decide.d.ts
import type { Effect } from './effect.ts';
import { type Frame } from './frame.ts';
import type { LoopLimits } from './run-request.ts';
/** The default of `limits.loop`: the third repetition is noted, the fourth is shown to the model, the fifth stops the run. */
export declare const defaultLoop: LoopLimits;
/** The next effect of a thread. */
export declare function decide(frame: Frame): Effect;
/** Whether only others (a human, a time, a child, a new input) can move the thread on. */
export declare function isAtRest(frame: Frame): boolean;

// driver.d.ts
/** A driver at work: what it needs of the world, the frame it has reached, and the outbox of what is not durable yet. */
import type { Effect } from './effect.ts';
import type { Blobs, Draft, Epoch, LoomEvent } from './event.ts';
import type { Frame } from './frame.ts';
import type { Journal } from './journal.ts';
import type { Clock, Outbox, Performer } from './ports.ts';
import { type MovingPlace } from './record.ts';
/** What a driver needs of the world. */
export interface Shell {
    /** The journal that batches are appended to. */
    readonly journal: Journal;
    /** The time of events, and timers for what is due later. */
    readonly clock: Clock;
    /** Makes the performer of this driver: what it did and is about to do goes into the outbox. */
    readonly performer: (outbox: Outbox) => Performer;
    /** The epoch under which the thread was acquired. */
    readonly epoch: Epoch;
    /** What acquiring the thread adds to the outbox first. */
    readonly opening: readonly Draft[];
    /** Called with every batch of this thread once it is durable, by any writer. */
    readonly committed: (events: readonly LoomEvent[], frame: Frame) => void;
    /** Whether this driver leaves an effect to the next one: then the thread is released as soon as nothing is in flight. */
    readonly leaves?: ((effect: Effect, frame: Frame) => boolean) | undefined;
    /** For tests: replaces the live frame after each commit by one folded from the journal. */
    readonly refold?: ((frame: Frame) => Promise<Frame>) | undefined;
}
/** Whether events in the outbox are kept when a contributor was faster, and what is notified once that is known. */
type Delivery = {
    readonly happened: boolean;
    readonly notify: ((durable: boolean) => void) | undefined;
};
export type Pending = Delivery & {
    readonly event: LoomEvent;
    readonly blobs: Blobs | undefined;
};
/** A driver at work: the durable frame, and the frame with what is in the outbox. */
export interface Driver {
    readonly shell: Shell;
    durable: Frame;
    frame: Frame;
    pending: Pending[];
    /** Where the next event goes. */
    readonly place: MovingPlace;
    batches: number;
    appending: boolean;
    /** What is only intended was meant for another frame: contributors wrote and `decide` was not asked since, or it has said that nothing is to be done. */
    outdated: boolean;
    /** The newest seq that the journal hinted at. */
    hinted: number;
    fenced: boolean;
    released: boolean;
    failure: {
        readonly error: unknown;
    } | undefined;
    /** The driver waits for the outbox to be durable, and for nothing else. */
    awaited: boolean;
    woken: boolean;
    resume: (() => void) | undefined;
    /** The moment at which the driver decides again at the latest, in milliseconds since 1970; infinite where there is none. */
    until: number;
    /** The timer that is set for such a moment. */
    timer: {
        readonly at: number;
        readonly cancel: () => void;
    } | undefined;
}
/** The outbox of a driver. */
export declare function createOutbox(driver: Driver): Outbox;
/** Adds events to the outbox and folds them: `decide` sees them at once, everything else once they are durable. */
export declare function put(driver: Driver, drafts: readonly Draft[], { happened, notify }: Delivery): void;
/** Makes the driver decide again. */
export declare function wake(driver: Driver): void;
/** Sets the timer for the moment at which the driver decides again. It stays while the moment does: most waits end before it, and the next has the same. */
export declare function setTimer(driver: Driver, at: number): void;
export {};

// effect.d.ts
/** Effects: what `decide` may ask of the world. */
import type { Draft } from './event.ts';
/** A moment in milliseconds since 1970, and the event to record when it has come. */
export type Until = {
    readonly at: number;
    readonly due: Draft;
};
/** Wait: what is open is being performed by this driver. */
export type Wait = {
    readonly kind: 'wait';
    readonly until?: Until | undefined;
};
/** Suspend: only a human, a time or a child can move the thread on. The driver releases it. */
export type Suspend = {
    readonly kind: 'suspend';
    readonly reason: 'question' | 'paused' | 'waiting';
    readonly until?: Until | undefined;
};
/** What a run has used of a limit that it has reached. */
export type Reached = Readonly<{
    limit: 'turns' | 'calls' | 'tokens' | 'cost' | 'time';
    used: number;
    max: number;
}>;
/** Why a run stops that nobody asked to stop: a limit, a call that repeats, or a last reply that is not whole. */
export type StopCause = (Reached & {
    readonly kind: 'limit' | 'budget';
}) | Readonly<{
    kind: 'loop';
    used: number;
} | {
    kind: 'length' | 'filtered';
}>;
/** The calls that need work. Those in flight stay as they are. */
export type CallTools = {
    readonly kind: 'call-tools';
    /** Calls to take through the stages before execution, in call order. */
    readonly authorize: readonly string[];
    /** Those of them, and of the ones that were cleared, lost or woken, that may execute now. */
    readonly execute: readonly string[];
    /** The effect when none of the calls can be started. */
    readonly otherwise: Wait | Suspend;
};
/**
 * The next thing to do. Attempts are counted from 1 in a turn; `notBefore` is in milliseconds since 1970. What is asked, and
 * why the run stops, the performer records in words.
 */
export type Effect = {
    readonly kind: 'record';
    readonly events: readonly Draft[];
} | {
    readonly kind: 'assemble';
} | {
    readonly kind: 'call-model';
    readonly attempt: number;
    readonly notBefore?: number | undefined;
} | CallTools | {
    readonly kind: 'ask';
    readonly about: Reached | 'parked';
} | {
    readonly kind: 'stop';
    readonly cause: StopCause;
} | {
    readonly kind: 'abort';
    readonly reason: string;
} | Wait | Suspend | {
    readonly kind: 'rest';
};

// entry.d.ts
/** The history of a thread is a list of entries. */
import type { ContextItem } from './context.ts';
import type { ModelReply, Seq, ToolOutcome, ToolStart } from './event.ts';
import type { Json } from './json.ts';
import type { Message } from './message.ts';
import type { Taint } from './run-request.ts';
/**
 * One message of the history, and its origin; with what is known of the reply, of the calls whose results it holds, or of the item that it is. `rebases` is
 * how often the context had been rebased when the model was asked for a reply, `taint` what was read before an input was written.
 */
export type Entry = Readonly<{
    seq: Seq;
    origin: Origin;
    turn: number;
    message: Message;
    pin?: true;
}> & Readonly<{
    reply?: Omit<ModelReply, 'parts'>;
    rebases?: number;
    calls?: readonly EndedCall[];
    item?: ContextItem;
    taint?: Taint;
}>;
/** The arguments that counted, the outcome, and the intent where it was started. */
export type EndedCall = Readonly<{
    input: Json;
    outcome: ToolOutcome;
    start: ToolStart | undefined;
}>;
type Origin = 'input' | 'reply' | 'results' | 'steered' | 'note' | 'retrieved' | 'hook' | 'item';
export {};

// errors.d.ts
/** The one error of Loom. Its code says what it is, `retry` what to do about it, its message what happened and what to do next. */
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
    readonly LOOM_PRICE_UNKNOWN: 'never';
    readonly LOOM_SCHEMA_UNSUPPORTED: 'never';
    readonly LOOM_PACKAGE_MISSING: 'never';
    readonly LOOM_TOOL_INVALID: 'never';
    readonly LOOM_TOOL_NAME_INVALID: 'never';
    readonly LOOM_TOOL_DUPLICATE: 'never';
    readonly LOOM_PERMISSION_DENIED: 'never';
    readonly LOOM_STEP_DIVERGED: 'never';
    readonly LOOM_STEP_REJECTED: 'never';
    readonly LOOM_DEPTH_EXCEEDED: 'never';
    readonly LOOM_CHILDREN_EXCEEDED: 'never';
    readonly LOOM_REPLY_LIMIT: 'never';
    readonly LOOM_ABORTED: 'never';
    readonly LOOM_THREAD_INVALID: 'never';
    readonly LOOM_THREAD_NOT_FOUND: 'never';
    readonly LOOM_THREAD_DROPPED: 'never';
    readonly LOOM_THREAD_IS_CHILD: 'never';
    readonly LOOM_AGENT_OTHER: 'never';
    readonly LOOM_THREAD_UNREADABLE: 'never';
    readonly LOOM_THREAD_PARTIAL: 'never';
    readonly LOOM_THREAD_QUARANTINED: 'never';
    readonly LOOM_THREAD_NOT_REPLAYABLE: 'never';
    readonly LOOM_RUN_EXISTS: 'never';
    readonly LOOM_RUN_NOT_DONE: 'never';
    readonly LOOM_SIGNAL_INVALID: 'never';
    readonly LOOM_QUESTION_NOT_FOUND: 'never';
    readonly LOOM_QUESTION_SETTLED: 'never';
    readonly LOOM_ANSWER_INVALID: 'never';
    readonly LOOM_JOURNAL_UNUSABLE: 'never';
    readonly LOOM_JOURNAL_DAMAGED: 'never';
    readonly LOOM_JOURNAL_CLOSED: 'never';
    readonly LOOM_CURSOR_STALE: 'never';
    readonly LOOM_REQUEST_INVALID: 'never';
    readonly LOOM_ROUTE_NOT_FOUND: 'never';
    readonly LOOM_ACCESS_DENIED: 'never';
    readonly LOOM_SCHEDULE_INVALID: 'never';
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
    readonly LOOM_WORKSPACE_MISSING: 'safe';
    readonly LOOM_MEMORY_FAILED: 'safe';
    readonly LOOM_COMPRESSION_FAILED: 'safe';
    readonly LOOM_RUN_FAILED: 'safe';
    readonly LOOM_MODEL_RATE_LIMITED: 'later';
    readonly LOOM_TOOL_UNAVAILABLE: 'later';
    readonly LOOM_SANDBOX_UNAVAILABLE: 'later';
    readonly LOOM_RATE_LIMITED: 'later';
    readonly LOOM_CIRCUIT_OPEN: 'later';
    readonly LOOM_THREAD_BUSY: 'later';
    readonly LOOM_DRAINING: 'later';
    readonly LOOM_SERVER_BUSY: 'later';
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
/** Whether a value is an error of Loom, also one of another copy of this package. A value that cannot be looked at is none. */
export declare function isLoomError(value: unknown): value is LoomError;
export {};

// event.d.ts
/**
 * The closed union of events: everything that can have happened on a thread.
 *
 * EVENT-1. An event is a fact in the past tense. Each fact is stored once; a later event refers to what an earlier one holds.
 * EVENT-2. The shape of a type never changes under one version: a new shape gets a new version and an upcaster.
 */
import type { Breakpoint } from './break-facts.ts';
import type { ContextItem, ContextSummary, Rebase, RetrievedDocument } from './context.ts';
import type { FileChange, FileChanges, FileConflict, FileFacts } from './file-facts.ts';
import type { Json, JsonObject } from './json.ts';
import type { ArgumentKinds, BlobRef, Message, Output, Part, ProviderMetadata, StreamedDelta, Usage } from './message.ts';
import type { Limits, RunRequest, StartId, Taint } from './run-request.ts';
import type { ScheduleData } from './schedule-facts.ts';
/** Numbers the events of a thread from 1. */
export type Seq = number;
/** Counts the drivers a thread has had; 0 before the first. */
export type Epoch = number;
/** What may happen to an effect whose performer was lost: pure and read run again, unsafe is never re-run silently. */
export type EffectClass = 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe';
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
    /** How many threads above this one the rule is that asks; absent where it is this one's own. */
    readonly above?: number;
};
type QuestionKind = 'approval' | 'choice' | 'in-doubt' | 'limit' | 'hook' | 'incompatible' | 'parked';
/** A note of the framework to the model: visible, and part of the history. */
export type Note = {
    readonly kind: 'loop' | 'repair' | 'done';
    readonly text: string;
};
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
    /** What the provider warned of, such as a setting that it does not know. */
    readonly warnings?: readonly Readonly<{
        type: string;
        feature?: string;
        message: string;
    }>[];
};
/** The intent of a call: every fact that recovery needs to judge it. */
export type ToolStart = Readonly<{
    call: string;
    effect: EffectClass;
    durable?: true;
    key?: string;
    digest?: string;
    /** The arguments, where they are not what the model proposed. */
    input?: Json;
    /** What rules judged, where they look at the calls of the run and the schema made something else of it. */
    judged?: Json;
    allowedBy?: string;
    /** Of a call that sends something out: what others wrote before it. */
    taint?: Taint;
    /** Which arguments are paths, commands, addresses or hosts. */
    kinds?: ArgumentKinds;
}>;
/** The whole text of a result that the output has in part: where it is, how many characters it has, and how many more were not kept. */
export type WholeResult = Readonly<{
    text: BlobRef;
    characters: number;
    lost?: number;
}>;
/** How a call ended, as the model sees it and as people read it; `taint` says what others wrote, or what is private, in its result. */
export type ToolOutcome = Readonly<{
    status: 'success' | 'error' | 'warning';
    output: Output;
    errorType?: string;
}> & Readonly<{
    ms?: number;
    stages?: JsonObject;
    meta?: JsonObject;
    whole?: WholeResult | undefined;
    taint?: Taint;
}>;
/** What stopped a run. */
export type StopKind = 'cancelled' | 'limit' | 'budget' | 'loop' | 'length' | 'filtered';
/** What happens to effects after the cut of a fork: they run, are taken from the parent's record, are left out, or are asked about. */
export type ForkEffects = 'live' | 'recorded' | 'stub' | 'ask';
/** The call of another thread that started a child. Before version 3 of `thread.started` it had neither an incarnation nor a key. */
export type ParentLink = Readonly<{
    thread: string;
    incarnation?: string;
    call: string;
    key?: string;
    depth: number;
}>;
/** What a child and its own children have used. */
type Used = {
    usage?: Usage;
    cost?: number;
    calls?: number;
    children?: number;
};
/** What each type of event carries. */
export interface EventData extends ScheduleData {
    /** A thread was started. `incarnation` distinguishes it from a removed thread of the same id; version 1 had none. `labels` has no writer any more: `labels.changed` sets them. */
    'thread.started': {
        agent: string;
        incarnation?: string;
        labels?: JsonObject;
        parent?: ParentLink;
    };
    /** An agent of another name goes on with the thread: from now on it belongs to that one. */
    'thread.adopted': {
        agent: string;
        from: string;
    };
    /** The thread was forked from the moment `from` of another one. `instructions` and `model` (an id) are those of all its runs from here on. */
    'thread.forked': {
        from: string;
        incarnation?: string;
        edits?: Json;
        effects?: ForkEffects;
        limits?: Limits;
        instructions?: string;
        model?: string;
    };
    /** Labels of the thread were set; one that is null was removed. */
    'labels.changed': {
        labels: JsonObject;
    };
    /** The breakpoints of the thread are these, in place of those before. */
    'breakpoints.changed': {
        breakpoints: readonly Breakpoint[];
        by?: string;
    };
    /** A worker acquired the thread and drives it under this epoch. */
    'driver.acquired': {
        epoch: Epoch;
        worker: string;
    };
    /** A run was asked for while another one was under way. */
    'run.queued': {
        run: string;
        request: RunRequest;
    };
    /** A run started: one that was asked for just now, or one from the queue. */
    'run.started': {
        run: string;
        request: RunRequest;
    } | {
        run: string;
        queued: Seq;
    };
    /** The run waits, until a time (milliseconds since 1970) where `until` is given. At a breakpoint it is paused. */
    'run.suspended': {
        reason: 'question' | 'paused' | 'waiting' | 'breakpoint';
        until?: number;
        stop?: {
            at: string;
            hit: readonly string[];
        };
    };
    /** The run goes on. */
    'run.resumed': {
        cause: string;
    };
    /** The run under way was asked to stop, or the queued one that `run` names. With `limit`, its driver asks: the run has used its time, which is `max`. */
    'run.stop-requested': {
        reason: string;
        by?: string;
        run?: string;
        limit?: 'time';
        max?: number;
    };
    /** The run under way was asked to pause at its next safe point, or the queued one that `run` names before its first turn. */
    'run.pause-requested': {
        by?: string;
        run?: string;
    };
    /** The run is done; `output` is there when the agent has an output schema. */
    'run.finished': {
        output?: Json;
    };
    /** The run failed; it may be resumed. */
    'run.failed': {
        error: Failure;
    };
    /** The run was stopped: by a request, a limit, a budget, a loop, or a last reply that was cut or filtered. With `partial`, its streamed text is in the history. */
    'run.stopped': {
        kind: StopKind;
        reason: string;
        limit?: string;
        used?: number;
        max?: number;
        partial?: true;
    };
    /** A turn of the thread was entered, with notes to the model and a repetition that was noticed. */
    'turn.entered': {
        turn: number;
        notes?: readonly Note[];
        loop?: {
            level: 'warn' | 'nudge';
            tool: string;
            count: number;
        };
    };
    /** A message came for the run under way; the highest priority is read first. `start` is there when a start with an id became this message. */
    'message.steered': {
        message: Message;
        priority?: number;
        by?: string;
        start?: StartId;
        pin?: true;
        taint?: Taint;
    };
    /** A value came for the thread: for the first open wait of this name, or for the next one. */
    'signal.received': {
        name: string;
        value: Json;
        by?: string;
        keep?: true;
        taint?: Taint;
    };
    /** The context of the next model call is complete: a rebase changes earlier parts of it, and items are added at its end. */
    'context.assembled': {
        rebase?: Rebase;
        items?: readonly ContextItem[];
    };
    /** Somebody asks for a rebase that makes the context shorter, before the next model call. */
    'context.compact-requested': {
        by?: string;
    };
    /** A summary of events was made; segments of a rebase refer to it by its number among those of the thread, from 0. */
    'context.compressed': ContextSummary;
    /** A summary could not be made; the run goes on without it. */
    'context.compression-failed': {
        error: Failure;
    };
    /** Documents were looked up for the context. */
    'retrieval.finished': {
        query: string;
        documents: readonly RetrievedDocument[];
    };
    /** The intent of a model call, with what it may take of the budget. */
    'model.requested': {
        attempt: number;
        model?: string;
        digest?: string;
        reserved?: {
            tokens: number;
            cost?: number;
        };
    };
    /** The model replied in full. */
    'model.replied': ModelReply;
    /** A model call failed; `retryAt` (milliseconds since 1970) is there when another attempt follows. */
    'model.failed': {
        attempt: number;
        error: Failure;
        retryAt?: number;
        partial?: string;
        usage?: Usage;
        cost?: number;
    };
    /** How an attempt at the model was streamed, where the agent records it; its reply or its failure follows. The fold ignores it. */
    'model.streamed': {
        attempt: number;
        deltas: readonly StreamedDelta[];
        dropped?: number;
    };
    /** A call was not permitted, and this is its result. */
    'tool.denied': {
        call: string;
        reason: string;
        errorType: string;
    };
    /** The intent of a call. */
    'tool.started': ToolStart;
    /** The intent of a step of a durable body, with the files that it is to change, a sleep until a time (milliseconds since 1970), or a wait for a signal of this name. */
    'tool.step-started': {
        call: string;
        key: string;
        effect: EffectClass;
        until?: number;
        signal?: string;
    } & FileChanges;
    /** A step of a durable body has ended, with a value or an error. */
    'tool.step-finished': {
        call: string;
        key: string;
        value?: Json;
        error?: Failure;
    };
    /** A durable body waits, and no process is needed for it. */
    'tool.suspended': {
        call: string;
    };
    /** A call has its result, and has changed files. */
    'tool.finished': ToolOutcome & FileFacts & {
        call: string;
    };
    /** The performer of a call, or of one step of it, was lost: it may or may not have happened. */
    'tool.in-doubt': {
        call: string;
        key?: string;
    };
    /** A question was asked. */
    'question.asked': QuestionData;
    /** A question was answered, or one of several approvers approved. `recorded` names the moment of the parent from which a fork has taken the answer. */
    'question.answered': {
        id: string;
        answer: Answer;
        by?: string;
        recorded?: string;
    };
    /** A question was not answered in time, which counts as a rejection. */
    'question.expired': {
        id: string;
    };
    /** A call started a child thread. `input` is a digest of what the child was given, and `hasResolver` says whether its agent has an `onQuestion`. */
    'child.started': {
        call: string;
        key: string;
        child: string;
        agent: string;
        input?: string;
        hasResolver?: boolean;
    };
    /** A child thread has ended, and its result is recorded for the call, with what the child has read. */
    'child.finished': {
        call: string;
        key: string;
        child: string;
        value?: Json;
        error?: Failure;
        taint?: Taint;
    } & Used;
    /** A hook changed something; the patch holds what. */
    'hook.applied': {
        point: string;
        hook?: string;
        call?: string;
        patch: JsonObject;
    };
    /** Limits of the run were raised. */
    'limit.raised': {
        limits: Limits;
        by?: string;
    };
    /** A value was recorded under a key; the fold ignores it. */
    'memory.recorded': {
        key: string;
        value: Json;
    };
    /** Files were changed after a call had its result, or by one whose performer was lost; the fold ignores it. */
    'workspace.changed': FileFacts & {
        call?: string;
        by?: string;
    };
    /** The intent of a fork to put files back as they were at the moment `at`. The folder had those of the moment `from`. */
    'workspace.restore-started': FileChanges & {
        at: string;
        from: string;
        workspace?: string;
        conflicts?: readonly FileConflict[];
    };
    /** Files were put back. What was left as it was is a conflict. */
    'workspace.restored': {
        files: readonly FileChange[];
        conflicts?: readonly FileConflict[];
    };
    /** The agent's code has changed since the run was started: other fingerprints. */
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
/** Bytes that are stored beside events, by the names that their data has for them. */
export type Blobs = ReadonlyMap<string, Uint8Array>;
/** An event before it has a place: what `decide` and performers produce, with the blobs that it brings. */
export type Draft = {
    [T in EventType]: {
        readonly type: T;
        readonly data: Readonly<EventData[T]>;
        readonly blobs?: Blobs | undefined;
    };
}[EventType];
export {};

// evolve.d.ts
/**
 * evolve: the fold. One handler per event type.
 *
 * EVOLVE-1. `evolve` is pure and total: handlers change fresh copies only, never throw whatever order events come in, and an event that does not fit
 *     moves the position and nothing else. What is open where a thread is forked is decided anew, and without a budget unless one is granted.
 * REPLAY-1. Folding the same events gives the same frame, at every seq, live or read back (law 1).
 * EVOLVE-2. An unknown type or a newer version makes the frame readable but not drivable.
 */
import type { LoomEvent } from './event.ts';
import { type Frame } from './frame.ts';
/** The frame after an event: the only way in which frames are made. */
export declare function evolve(frame: Frame, event: LoomEvent): Frame;
/** The frame after the given events. One fresh copy takes them all: nobody sees the frames in between. */
export declare function fold(thread: string, events: Iterable<LoomEvent>, start?: Frame): Frame;

// file-facts.d.ts
/** What became of the files of a workspace, as facts. A workspace is a folder, under a name. */
import type { BlobRef } from './message.ts';
/** How a file is stored: its permission bits, or that it is a link; null where there is none. */
export type FileMode = number | 'link' | null;
/**
 * What became of one file, by its path below the folder of its workspace: the SHA-256 of its content before and after, null where there was no file. The
 * content of a link is the path that it leads to. `workspace` names one that is not called `workspace`; `modes` are there where they were looked at.
 */
export type FileChange = Readonly<{
    path: string;
    before: string | null;
    after: string | null;
    workspace?: string;
    modes?: FileModes;
}>;
/** How a file was stored before and after. */
export type FileModes = readonly [before: FileMode, after: FileMode];
/** Files that are changed, and those of their contents that the batch brings. */
export type FileChanges = Readonly<{
    files?: readonly FileChange[];
    contents?: readonly BlobRef[];
}>;
/** Files that were changed, and why there may be more changes than these. */
export type FileFacts = FileChanges & {
    readonly unseen?: string;
};
/** Contents of a file, as far as they are known: the one that it was to have, the one that it was expected to have, and the one that it had. */
type Contents = Readonly<{
    wanted?: string | null;
    expected?: string | null;
    found?: string | null;
}>;
/** A file that was not put back, and why: others changed it since, or in between; its content was not kept; it could not be written. */
export type FileConflict = Readonly<{
    path: string;
    reason: 'edited' | 'mixed' | 'not-kept' | 'refused';
    detail?: string;
}> & Contents;
export {};

// frame.d.ts
/**
 * The frame: the immutable state of a thread after an event.
 *
 * FRAME-1. A frame is plain read-only data and nothing but the fold of events. No function, class instance, date or object identity has a meaning in it.
 * FRAME-2. A frame's link to another thread is the pair `thread@seq`, never an object reference.
 *
 * All fields are there from the start: copies of one shape are cheap.
 */
import type { Context, ContextSummary } from './context.ts';
import type { Entry } from './entry.ts';
import type { Answer, EffectClass, Epoch, EventData, Failure, ParentLink, QuestionData, Seq, ToolOutcome, ToolStart } from './event.ts';
import type { Json, JsonObject } from './json.ts';
import { type List } from './list.ts';
import type { CallPart, Message, Usage } from './message.ts';
import type { Limits, RunRequest, StartId, Taint } from './run-request.ts';
/** A key of a durable body, and what it stands for: the prompt of a question, the digest of a child's input. */
type Keyed = Readonly<{
    key: string;
    about?: string;
}>;
/** A part of a durable body that has started and not ended: a step, a question, a child, a sleep, a wait for a signal. */
export type OpenStep = Keyed & Readonly<{
    epoch: Epoch;
    effect?: EffectClass;
    until?: number;
    question?: string;
    signal?: string;
}> & OpenChild;
/** The child that is open. `hasResolver` says whether its agent has an `onQuestion`; older records do not say it. */
type OpenChild = Readonly<{
    child?: string;
    hasResolver?: boolean;
}>;
/** A recorded key of a durable body; of a child with what it has read. */
export type StepRecord = Keyed & Readonly<{
    value?: Json;
    error?: Failure;
    taint?: Taint;
}>;
/**
 * A call on its way to exactly one result.
 *
 * proposed -> (asking -> cleared | rejected | responded) -> running -> (suspended -> running) -> settled; a running call whose performer was
 * lost may become in-doubt, which is a question like any other.
 */
export interface Call {
    /** Loom's own id: `turn.index`. */
    readonly id: string;
    /** The call as the model proposed it. */
    readonly part: CallPart;
    /** The arguments that count: as proposed, or as a hook or a human changed them. */
    readonly input: Json;
    /** How far it has come. */
    readonly state: 'proposed' | 'asking' | 'cleared' | 'rejected' | 'responded' | 'running' | 'suspended' | 'in-doubt' | 'settled';
    /** The epoch under which it was last started or suspended. */
    readonly epoch: Epoch;
    /** Its intent; undefined before it was started. */
    readonly start: ToolStart | undefined;
    /** The answer that cleared, rejected or settled it, and what it was bound to. */
    readonly answer: Readonly<{
        answer: Answer;
        kind: QuestionData['kind'];
        digest?: string | undefined;
    }> | undefined;
    /** What its durable body waits for or performs. */
    readonly open: readonly OpenStep[];
    /** What its durable body has recorded, in order. */
    readonly done: List<StepRecord>;
    /** Something that the suspended body waits for has happened. */
    readonly woken: boolean;
    /** Signals that its waits have taken since the body was last entered: if it is not entered again, the thread keeps them. */
    readonly unread: Frame['signals'];
    /** The hook points that it has passed with a patch. */
    readonly hooks: readonly string[];
    /** Its result; undefined until it is settled. */
    readonly outcome: ToolOutcome | undefined;
}
/** A question that is open. */
export type OpenQuestion = QuestionData & {
    /** The seq of the event that asked it. */
    readonly seq: Seq;
    /** The people who have approved, where several must. */
    readonly votes: readonly string[];
};
/** One run of the thread. */
export interface Run {
    /** Its id on the thread: `r1`, `r2`, and so on. */
    readonly id: string;
    /** Whether it goes on, waits or has ended, and how. */
    readonly status: 'active' | 'suspended' | 'finished' | 'failed' | 'stopped';
    /** The part of a turn that comes next. */
    readonly phase: 'enter' | 'context' | 'model' | 'tools' | 'answer';
    /** What it was asked to do. */
    readonly request: RunRequest;
    /** The limits in force, with those that were raised since. */
    readonly limits: Limits;
    /** What a fork that was made without limits may spend once a budget is granted; until then it spends nothing. */
    readonly ungranted: Limits | undefined;
    /** The model settings in force. */
    readonly settings: JsonObject;
    /** The number of its first turn on the thread. */
    readonly firstTurn: number;
    /** Model attempts of this turn. */
    readonly attempt: number;
    /** When the first attempt of this turn was made, in milliseconds since 1970. */
    readonly tried: number | undefined;
    /** The attempt that is open, and what it reserved of the budget. */
    readonly sent: Readonly<{
        attempt: number;
        epoch: Epoch;
        tokens: number;
        cost: number;
    }> | undefined;
    /** When to try again after a failed attempt, in milliseconds since 1970. */
    readonly retryAt: number | undefined;
    /** The text that a failed attempt had streamed. */
    readonly partial: string | undefined;
    /** What the output schema made of the last reply. */
    readonly verdict: {
        readonly value: Json;
    } | {
        readonly error: string;
    } | undefined;
    /** The calls of this turn. */
    readonly calls: List<Call>;
    /** How many of them have no result yet. */
    readonly unsettled: number;
    /** How many of the first calls of this turn all have their result. */
    readonly settledTo: number;
    /** Calls that were proposed in the whole run, with those of children that have ended. */
    readonly called: number;
    /** Children that were started in the whole run, with those of children that have ended. */
    readonly children: number;
    /** Tokens of all model calls, those of children included. */
    readonly usage: Usage;
    /** Integer micro-units spent, as far as prices are known. */
    readonly cost: number;
    /** How many replies have no known price. */
    readonly unpriced: number;
    /** What attempts had reserved that failed without a count. */
    readonly lost: {
        readonly tokens: number;
        readonly cost: number;
    };
    /** Milliseconds of driving before `since`. */
    readonly driven: number;
    /** Since when it is driven, in milliseconds since 1970; undefined while it waits. */
    readonly since: number | undefined;
    /** When a suspended run wakes by itself, in milliseconds since 1970. */
    readonly until: number | undefined;
    /** A stop that was asked for and is not carried out yet. */
    readonly stop: Readonly<{
        reason: string;
        kind: 'cancelled' | 'budget';
    } | {
        reason: string;
        kind: 'limit';
        max: number;
        at: number;
    }> | undefined;
    /** Whether it was asked to pause. */
    readonly pause: boolean;
    /** The last place at which a breakpoint has stopped it: it goes past that when it is resumed. */
    readonly passed: string | undefined;
    /** How often a reply that does not fit the output schema was sent back. */
    readonly repairs: number;
    /** The reminder to end with the required tool was given, or is not needed any more. */
    readonly reminded: boolean;
    /** Digests of the latest calls with their results. */
    readonly recent: readonly number[];
    /** The call that repeats, and how often. */
    readonly repeated: {
        readonly tool: string;
        readonly count: number;
    } | undefined;
    /** What hooks changed about the next request. */
    readonly patch: JsonObject | undefined;
    /** The rebase that hooks asked for. */
    readonly rebase: JsonObject | undefined;
    /** Why it was stopped. */
    readonly end: Readonly<EventData['run.stopped']> | undefined;
    /** Why it failed, or why its last attempt did. */
    readonly error: Failure | undefined;
    /** Its answer, where the agent has an output schema. */
    readonly output: Json | undefined;
}
/** A run that is to start, and what it was asked while it was queued. */
export type RunStart = Readonly<{
    run: string;
    request: RunRequest;
}> & Partial<Pick<Run, 'stop' | 'pause'>>;
/** A thread at one moment. */
export interface Frame {
    /** The id of the thread. */
    readonly thread: string;
    /** Distinguishes the thread from a removed one of the same id; in format 1 the id itself. */
    readonly incarnation: string;
    /** The seq of the last event. */
    readonly seq: Seq;
    /** When that event was stored, in milliseconds since 1970. */
    readonly time: number;
    /** The epoch of the current driver; 0 before the first. */
    readonly epoch: Epoch;
    /** Drivers in a row that left no new fact, with those that stored nothing. */
    readonly takeovers: number;
    /** The name of the agent that the thread belongs to. */
    readonly agent: string | undefined;
    /** The labels that the thread has now. */
    readonly labels: JsonObject | undefined;
    /** The call of another thread that started this one. */
    readonly parent: ParentLink | undefined;
    /** Where this thread was forked from. */
    readonly fork: Readonly<EventData['thread.forked']> | undefined;
    /** The number of the last turn. */
    readonly turn: number;
    /** How many runs were asked for. */
    readonly runs: number;
    /** The active or last run. */
    readonly run: Run | undefined;
    /** Runs that wait for the active one, with what they were asked meanwhile. */
    readonly queue: readonly (RunStart & {
        readonly seq: Seq;
    })[];
    /** The starts that had an id, and the run that each of them started or joined. */
    readonly starts: List<StartId & {
        readonly run: string;
    }>;
    /** Signals that no wait has taken yet, in order. */
    readonly signals: readonly Readonly<EventData['signal.received']>[];
    /** All messages so far, as a model may be sent them. */
    readonly history: List<Entry>;
    /** The first of what others wrote, and of what is private, that was read here; undefined where nothing was. */
    readonly taint: Taint | undefined;
    /** What the model is sent of the history. */
    readonly context: Context;
    /** The summaries that were made, by number. */
    readonly summaries: List<ContextSummary>;
    /** A rebase that makes the context shorter was asked for, and has not been made. */
    readonly compact: boolean;
    /** Messages for the run that the model has not been sent yet. */
    readonly steering: readonly Readonly<{
        seq: Seq;
        priority: number;
        message: Message;
        pin?: true;
        taint?: Taint;
    }>[];
    /** How many questions were asked; the ordinal of the next id. */
    readonly asked: number;
    /** The open questions, by id. */
    readonly questions: {
        readonly [id: string]: OpenQuestion;
    };
    /** The questions that are settled, with the answers that settled them. */
    readonly answered: List<{
        readonly id: string;
        readonly answer: Answer;
    }>;
    /** Answers for hooks that suspended the run, by place. */
    readonly hookAnswers: {
        readonly [place: string]: Answer;
    };
    /** Hook points of the run that this turn has passed with a patch. */
    readonly hooked: readonly string[];
    /** Digests of what a human approved for the whole thread. */
    readonly grants: readonly string[];
    /** Where runs of the thread stop. */
    readonly breakpoints: EventData['breakpoints.changed']['breakpoints'];
    /** Files are being put back: until that has ended, nothing else is done here. */
    readonly restoring: boolean;
    /** Of a schedule: when it is looked at next, in milliseconds since 1970. */
    readonly wakeAt: number | undefined;
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
export declare function freshRun({ run: id, request, stop, pause }: RunStart, at: {
    turn: number;
    time: number;
}): Run;
/** Whether a run has ended (it may still be resumed when it failed or reached a limit). */
export declare function isOver({ status }: Run): boolean;
export {};

// fresh.d.ts
import type { Entry } from './entry.ts';
import type { EventOf, EventType, LoomEvent } from './event.ts';
import type { Call, Frame, Run } from './frame.ts';
import { type Part, type Usage } from './message.ts';
/** A fresh copy that a handler may change before it is shared. */
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
/** Appends an entry to the history. Those of every turn are made in one piece: an object that grows takes a second one for what is added. */
export declare function addEntry(frame: Fresh<Frame>, entry: Entry): void;
/** Appends a message to the history. */
export declare function addMessage(frame: Fresh<Frame>, event: LoomEvent, entry: Omit<Entry, 'seq' | 'turn'>): void;
/** Changes fields of a run. */
export declare function change(run: Fresh<Run>, fields: Partial<Run>): void;
/** Adds what a reply, a child or a summary has used; where its price is not known, that is counted. */
export declare function pay(run: Fresh<Run>, usage: Usage | undefined, cost: number | undefined): void;
/** A call that is decided anew: without what hooks and humans made of its arguments, unless its durable body has done something with them. */
export declare function proposedAgain(call: Call): Call;
/** Replaces the calls of the run by those that a reply proposes, under Loom's own ids. */
export declare function propose({ frame, run }: Folding, parts: readonly Part[]): void;
/** Moves the calls of a turn into the history as one tool message: results stay next to their calls, in call order. */
export declare function closeTurn({ frame, run }: Folding, { seq, turn }: LoomEvent): void;
/** The place of a call among those of its turn. */
export declare const indexOf: (id: string) => number;
/** The call of the current turn with this id. */
export declare function callOf(run: Run, id: string): Call | undefined;
/** Changes one call that is not settled, and keeps count of those; the questions of a settled call are dropped. */
export declare function changeCall({ frame, run }: Folding, id: string, change: (call: Fresh<Call>) => void): void;
/** A record without one of its keys. */
export declare function without<T>(record: {
    readonly [key: string]: T;
}, key: string): {
    readonly [key: string]: T;
};

// index.d.ts
/** Loom's kernel: facts, frames, the pure step, and the journal contract. */
export type { Breakpoint } from './break-facts.ts';
export type { Context, ContextBudget, ContextItem, ContextSummary, Layer, Rebase, RetrievedDocument, Segment, Trim } from './context.ts';
export { createJournal, missingParent, staleCursor, threadQuarantined } from './create-journal.ts';
export { decide, defaultLoop, isAtRest } from './decide.ts';
export { inDoubt, keysInDoubt, leaveCalls, stepName, stepsNote, unknownOutcome } from './decide-calls.ts';
export type { Shell } from './driver.ts';
export type { CallTools, Effect, Reached, StopCause, Suspend, Until, Wait } from './effect.ts';
export type { Entry } from './entry.ts';
export { errorCodes, isLoomError, LoomError, type LoomErrorCode } from './errors.ts';
export type { Answer, Blobs, Draft, EffectClass, Epoch, EventData, EventOf, EventType, Failure, ForkEffects, LoomEvent } from './event.ts';
export type { ModelReply, Note, ParentLink, QuestionData, Seq, StopKind } from './event.ts';
export type { ToolOutcome, ToolStart, WholeResult } from './event.ts';
export { evolve, fold } from './evolve.ts';
export type { FileChange, FileChanges, FileConflict, FileFacts, FileMode, FileModes } from './file-facts.ts';
export type { Call, Frame, OpenQuestion, OpenStep, Run, StepRecord } from './frame.ts';
export { emptyFrame, isOver } from './frame.ts';
export { callOf, indexOf } from './fresh.ts';
export type { AcquireResult, AppendResult, Batch, Claim, ForkOf, Head, Incarnation, Journal, JournalTraits, LeaseId, OwnEvents } from './journal.ts';
export type { FeedEntry, FeedPage, FeedQuery, FeedRange, HeadTimes, ReadRange, RemoveOptions, RemoveResult, Store, Summary } from './journal.ts';
export { compareHeads, isDescribed, matches, mayGoOn, readEvents, type ThreadQuery } from './journal.ts';
export { canonicalJson, freshDigest, type Json, type JsonObject, own, rollDigest, rollJson } from './json.ts';
export { append, at, emptyList, items, type List, replaceAt } from './list.ts';
export type { ArgumentKind, ArgumentKinds, BlobRef, CallPart, CallResult, FilePart, Message } from './message.ts';
export type { Output, Part, ProviderMetadata, StreamedDelta, ToolSpec, Usage } from './message.ts';
export { addUsage } from './message.ts';
export { callWindow, openCalls } from './open-calls.ts';
export type { Clock, Outbox, Performer } from './ports.ts';
export { decodeBatch, encodeBatch, nextPlace, type Place, place } from './record.ts';
export { type Guarded, type Limits, type LoopLimits, leastGrant, type RunRequest, type StartId, type Taint, type TaintedBy } from './run-request.ts';
export type { DroppedDelivery, DueRun, MissedRule, ScheduleData, ScheduledStart, ScheduleSet, Timing } from './schedule-facts.ts';
export { tt } from './step.ts';
export { summarize } from './summary.ts';
export { addTaint } from './taint.ts';
export { eventVersions, type Stored, type Upcasters, upcast, upcasters } from './upcast.ts';

// journal.d.ts
/**
 * The journal contract. Adapters implement `Store`; everything above them uses the `Journal` that `createJournal` makes of it.
 *
 * JOURNAL-1. Compare-and-append: a batch is stored whole, and only when `expected` is the head; otherwise it conflicts and nothing changes.
 * JOURNAL-2. A batch that is stored already (its id, after the seq it expects) returns `appended`, whatever has happened since: after a lost reply
 *            the writer appends the same batch again.
 * JOURNAL-3. A batch with an epoch that is not the current one is fenced, even at the right seq. A batch without one is a contributor's.
 * JOURNAL-4. `acquire` raises the epoch, by compare-and-set on the epoch that the claimant has seen; it returns `held` while the holder is alive, and
 *            `held` without a holder when the epoch has moved on.
 * JOURNAL-5. What is read was appended: gap-free, in order, and never the writer's own objects.
 * JOURNAL-6. A batch or a claim that names another incarnation than the thread's is fenced. A batch that begins a thread conflicts instead: its
 *            writer has not seen the thread that is there.
 * JOURNAL-7. A thread is not removed while a fork reads it, and a fork does not start without its parent: the store decides both in one step.
 * JOURNAL-13. A read that names an incarnation returns events of that one only; when it is gone, the read says so. A thread without events has none:
 *             a claim that came after a removal does not bring the thread back.
 * JOURNAL-14. A removal that names a head removes the thread only where that is still its head; the store decides it in one step.
 * JOURNAL-15. The feed has one entry for every commit and every removal, each after those that were visible before it. What a reader continues from
 *             never skips an entry that becomes visible later. A removal stands for the commits of its thread, which are gone.
 * JOURNAL-16. A cursor whose entry is not in the store, and was not removed since, throws `LOOM_CURSOR_STALE`: an older copy was restored.
 * JOURNAL-17. A thread is removed with its children, theirs, and so on; a store that cannot do it in one step removes the thread first. It is not removed
 *             while one of them is driven (it is running and has a living holder), or read by a fork outside of them. The holder of a thread at rest is
 *             about to release it, and is fenced.
 * JOURNAL-19. A page begins at a whole number from 1 on and has room for at least one: any other `from` or `limit` is refused. A page of nothing would
 *             look like the end.
 * JOURNAL-20. A release ends the lease that it names, and no other: not one of a later epoch, and not one on another thread of the same id.
 * JOURNAL-21. `leaseValid` returns true only while no other process can have acquired the thread: it is held under this lease, and less time has
 *             passed on the monotonic clock of this process since the last acknowledged heartbeat than a lease lasts without one.
 * JOURNAL-22. A thread with the status `partial` is a copy that is not whole. A contributor's batch is fenced there: what is appended is the rest of the
 *             copy, which names the epoch.
 * JOURNAL-23. A thread whose summary says `quarantined` came from outside, and nobody has adopted it. A claim and a batch throw
 *             `LOOM_THREAD_QUARANTINED` there, unless they are of a copy, or the batch has a `thread.adopted`; that one's summary ends the quarantine. A
 *             fork of such a thread begins only as quarantined, unless it is a copy. Reading, listing and removing are not affected.
 * JOURNAL-24. The claim of a copy raises the epoch to the one that it names, in one step.
 * JOURNAL-25. A thread has the blobs that its batches brought, and no others: what looks like the name of a blob in an event is data.
 *
 * In which order a batch is checked: whether it is stored already (JOURNAL-2), the quarantine (JOURNAL-23), its epoch (JOURNAL-3, JOURNAL-22), its
 * incarnation (JOURNAL-6), the seq it expects (JOURNAL-1), the parent of a fork (JOURNAL-7). A batch without events is checked like any other, and stores nothing.
 */
import type { Blobs, Draft, Epoch, LoomEvent, Seq } from './event.ts';
import { type JsonObject } from './json.ts';
/** Fields that may be left out, or be undefined. */
type Optional<T> = {
    readonly [K in keyof T]?: T[K] | undefined;
};
type Status = 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial';
/** What the thread table knows of a thread: enough to list it, to wake it and to refuse it (JOURNAL-23). Absent fields are undefined. */
export type Summary = Readonly<{
    status: Status;
}> & Optional<{
    agent: string;
    parent: string;
    wakeAt: number;
    labels: JsonObject;
    quarantined: true;
}>;
/** Distinguishes a thread from a removed one of the same id. A thread of format 1 has none of its own: there it is the id. */
export type Incarnation = string;
/** The moment of another thread at which a fork was cut. The fork's own events follow from `seq + 1` on. */
export type ForkOf = Readonly<{
    thread: string;
    incarnation: Incarnation;
    seq: Seq;
}>;
/**
 * What one append stores. `run` and `turn` are those in force before the first event; only the batch that begins a fork has `forkOf`. `isAnonymous` begins a
 * thread whose name the caller did not give: it is not stored, and a journal that keeps only some of those goes by it. `isCopy` is not stored either: the
 * batch is part of a copy, which a quarantined thread takes too.
 */
export type Batch = Readonly<{
    id: string;
    incarnation: Incarnation;
    expected: Seq;
    time: number;
    summary: Summary;
    events: readonly Draft[];
}> & Optional<{
    epoch: Epoch;
    run: string;
    turn: number;
    blobs: Blobs;
    forkOf: ForkOf;
    isAnonymous: true;
    isCopy: true;
}>;
/**
 * The store's clock, in milliseconds since 1970: when the head was read, when the thread began, and when its summary changed last; 0 if that was before
 * times were stored.
 */
export type HeadTimes = Readonly<{
    now: number;
    began: number;
    changed: number;
}>;
/** The end of a thread, and the worker that drives it. */
export type Head = Readonly<{
    thread: string;
    incarnation: Incarnation;
    seq: Seq;
    epoch: Epoch;
    summary: Summary;
    times: HeadTimes;
}> & Readonly<{
    holder?: string | undefined;
    forkOf?: ForkOf | undefined;
}>;
/** Names a lease on a thread. */
export type LeaseId = Pick<Head, 'incarnation' | 'epoch'>;
/**
 * A claim to drive a thread: by which worker, and after which epoch. `force` takes the thread from a holder that is alive; `copied` is the epoch of the
 * thread of which this one is made a copy (JOURNAL-24).
 */
export type Claim = Readonly<{
    worker: string;
    incarnation: Incarnation;
    seen: Epoch;
    force?: boolean;
    copied?: Epoch | undefined;
}>;
/** How an append ended: with the last seq of the batch, in a conflict with that of the thread, or fenced with the current epoch. */
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
/** Removes only the thread whose head this is. */
export type RemoveOptions = Readonly<{
    expected?: Pick<Head, 'incarnation' | 'seq'> | undefined;
}>;
/**
 * How a removal ended. A thread stays when its head is another than expected, when its parent may go on with it, or when it or a child of it is read by a
 * fork or driven.
 */
export type RemoveResult = {
    readonly kind: 'removed' | 'changed';
} | {
    readonly kind: 'awaited';
    readonly parent: string;
} | {
    readonly kind: 'forked';
    readonly fork: string;
} | {
    readonly kind: 'held';
    readonly thread: string;
    readonly holder: string;
};
/**
 * A page of a thread's own events; a range that begins before the first of them returns the moment at which the thread was forked. `undefined` when the
 * range names an incarnation, and the store has no thread of this id and that incarnation.
 */
export type OwnEvents = readonly LoomEvent[] | {
    readonly forkOf: ForkOf;
} | undefined;
/** Where a page of events begins, how many it holds at most, and which thread of this id to read; without an incarnation, the one that is there. */
export type ReadRange = Readonly<{
    from?: Seq | undefined;
    limit?: number | undefined;
    incarnation?: Incarnation | undefined;
}>;
/** Whether the run of a thread may go on, and then with its children: one that has failed can be resumed. */
export declare const mayGoOn: (summary: Summary | undefined) => boolean;
/** Threads of an agent, or with these labels; a label that is null is one that the thread does not have. */
type Described = Readonly<{
    agent?: string | undefined;
    labels?: JsonObject | undefined;
}>;
/**
 * Which threads to list. `dueBy` are those that sleep until this moment or earlier; `since` and `before` are about when the summary changed. Sorted by id,
 * or by that time: `changed` from the oldest on, `latest` from the newest on. `after` is the last head of the page before, or its id if sorted by id.
 */
export type ThreadQuery = Described & Optional<{
    status: Status;
    parent: string;
    dueBy: number;
    since: number;
    before: number;
    limit: number;
}> & Optional<{
    sort: 'id' | 'changed' | 'latest';
    after: string | Pick<Head, 'thread' | 'times'>;
}>;
/** Where a page of the feed begins: after a cursor, or at the first entry. `limit` is how many entries are looked at. */
export type FeedRange = Readonly<{
    from?: string | undefined;
    limit?: number | undefined;
}>;
/** A page of the feed, of all threads or some. Removals are in every page: what a removed thread was is not known any more. */
export type FeedQuery = FeedRange & Described;
/**
 * A commit, whose last event is `seq`, with the summary that the thread has when the feed is read; or a removal of a thread that ended at `seq`.
 * `position` is a cursor: the feed continues after it.
 */
export type FeedEntry = Readonly<{
    position: string;
    thread: string;
    incarnation: Incarnation;
    seq: Seq;
}> & ((Summary & {
    readonly kind: 'changed';
}) | ({
    readonly [K in keyof Summary]?: undefined;
} & {
    readonly kind: 'removed';
}));
/** A page of the feed, the cursor to continue from, and whether nothing more can be read for now. */
export type FeedPage = Readonly<{
    entries: readonly FeedEntry[];
    cursor: string;
    isEnd: boolean;
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
    /** What the adapter promises. */
    readonly traits: JournalTraits;
    /** Claims a thread for a worker (JOURNAL-4). */
    acquire(thread: string, claim: Claim): Promise<AcquireResult>;
    /** Ends a lease, if it is the current one (JOURNAL-20); returns the head. */
    release(thread: string, lease: LeaseId): Promise<Head | undefined>;
    /** Whether this object certainly has the lease, at this moment (JOURNAL-21). It asks no one. */
    leaseValid(thread: string, lease: LeaseId): boolean;
    /** Appends a batch, whole or not at all (JOURNAL-1). */
    append(thread: string, batch: Batch): Promise<AppendResult>;
    /** The head of a thread; `undefined` when there is no such thread. */
    head(thread: string): Promise<Head | undefined>;
    /**
     * Calls back with the head's seq after appends, and with 0 when the thread was removed or is not there: a hint, never the data; it may be missed or
     * late. What the function throws is an uncaught error of the process, and no writer gets it.
     */
    watch(thread: string, hint: (seq: Seq) => void): () => void;
    /** The heads of threads, page by page. */
    threads(query?: ThreadQuery): Promise<readonly Head[]>;
    /** The bytes that have this digest. */
    blob(hash: string): Promise<Uint8Array | undefined>;
    /** The names of the blobs that batches of a thread brought, in any order: no other value of its events refers to a blob (JOURNAL-23). */
    blobNames(thread: string): Promise<readonly string[]>;
    /** Frees what the adapter uses. */
    close(): Promise<void>;
}
/** What an adapter implements: threads with their own events. A store knows where a fork was cut, and reads no other thread for it. */
export interface Store extends Threads {
    /** A page of the feed (JOURNAL-15). */
    feed(range?: FeedRange): Promise<FeedPage>;
    /** A page of own events from `from` on; an empty page is the end. */
    read(thread: string, range?: ReadRange): Promise<OwnEvents>;
    /** Removes a thread and its children (JOURNAL-17), unless its head is another than expected (JOURNAL-14) or a fork reads it (JOURNAL-7). */
    remove(thread: string, options?: RemoveOptions): Promise<RemoveResult>;
}
/** Where events live. A fork is read like any other thread, with the past that it shares. */
export interface Journal extends Threads {
    /** A page of all commits and removals, in an order that every reader sees (JOURNAL-15). */
    feed(query?: FeedQuery): Promise<FeedPage>;
    /** A page of events from `from` on; an empty page is the end. Throws `LOOM_THREAD_NOT_FOUND` when the named incarnation is gone (JOURNAL-13). */
    read(thread: string, range?: ReadRange): Promise<readonly LoomEvent[]>;
    /**
     * Removes a thread and its children, or returns `changed` when its head is another than expected. Throws `LOOM_THREAD_BUSY` while one of them is driven
     * or read by a fork.
     */
    remove(thread: string, options?: RemoveOptions): Promise<'removed' | 'changed'>;
}
/**
 * Every event of a thread from `from` on, in pages of at most `limit`. All are of one incarnation: when that is removed meanwhile, the next page throws
 * `LOOM_THREAD_NOT_FOUND`.
 */
export declare function readEvents(journal: Pick<Journal, 'head' | 'read'>, thread: string, range?: ReadRange): AsyncGenerator<LoomEvent, void>;
/** Whether a summary is of this agent and has these labels. */
export declare function isDescribed({ agent, labels }: Partial<Summary>, wanted: Described): boolean;
/** What the place of a head in an order follows from. */
type Placed = Pick<Head, 'thread'> & {
    readonly times: Pick<HeadTimes, 'changed'>;
};
/** Whether a thread is one that the query asks for. */
export declare function matches(head: Placed & Pick<Head, 'summary'>, query: ThreadQuery): boolean;
/** Compares the places of two heads in the order of a query. */
export declare function compareHeads(one: Placed, other: Placed, { sort }: ThreadQuery): number;
export {};

// json.d.ts
/**
 * JSON values: the only values an event may hold.
 *
 * JSON-1. A value is JSON before it enters an event, so that a frame folded live equals the frame folded from bytes.
 */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
    readonly [key: string]: Json | undefined;
}
/** The record's own value under a key that comes from outside; inherited properties do not count. */
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
/** A persistent, append-mostly list of plain data: a tree with `height` levels above its leaves. Read it with `at` and `items`. */
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

// message.d.ts
/** The messages between people, models and tools, as plain data. */
import type { Json, JsonObject } from './json.ts';
/** What a provider attached to a part; stored and sent back unchanged. */
export type ProviderMetadata = JsonObject;
type Meta = {
    readonly meta?: ProviderMetadata;
};
/** A value kept beside the event because it is big: the digest by which `journal.blob` finds it, and its size in bytes. */
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
    /** The name of the tool. */
    readonly name: string;
    /** The arguments; `null` when they are not JSON. */
    readonly input: Json;
    /** The argument text when it is not JSON. */
    readonly malformed?: string;
    /** A fact from the moment of the reply, so that a redeploy does not reorder open calls. */
    readonly serial?: true;
};
/** A piece of a message; `provider` keeps verbatim what Loom does not interpret (sources, provider-executed calls). */
export type Part = (Meta & {
    readonly type: 'text' | 'reasoning';
    /** The words. */
    readonly text: string;
}) | {
    readonly type: 'data';
    readonly data: Json;
} | {
    readonly type: 'provider';
    readonly part: Json;
} | FilePart | CallPart;
/** The output of a call, as the model reads it. */
export type Output = {
    readonly type: 'text' | 'error' | 'denied';
    /** What the model reads: words, JSON or parts. */
    readonly value: string;
} | {
    readonly type: 'json';
    readonly value: Json;
} | {
    readonly type: 'parts';
    readonly value: readonly Part[];
};
/** The result of one call inside a tool message. */
export type CallResult = {
    /** Loom's id of the call, `turn.index`; empty in messages that came from outside. */
    readonly call: string;
    /** The provider's id of the call. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** What the model reads. */
    readonly output: Output;
};
/** A message of the conversation. */
export type Message = {
    /** The author of the message. */
    readonly role: 'system' | 'user' | 'assistant';
    /** What the message holds, in order. */
    readonly parts: readonly Part[];
} | {
    readonly role: 'tool';
    /** The results of all calls of the reply before, in call order. */
    readonly results: readonly CallResult[];
};
/** A tool as the model is shown it. */
export type ToolSpec = {
    /** The name that the model calls it by. */
    readonly name: string;
    /** What the model reads about it. */
    readonly description?: string;
    /** The JSON Schema of its arguments. */
    readonly schema: JsonObject;
    /** The provider shows it to the model when a result refers to it, and not before. */
    readonly deferred?: true;
};
/** What an argument of a tool names: a path of a file, a command of a shell, an address of the web, or a host. */
export type ArgumentKind = 'path' | 'command' | 'url' | 'host';
/** What arguments of a tool name, by the names of the arguments. */
export type ArgumentKinds = {
    readonly [argument: string]: ArgumentKind;
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
/** A piece of a reply as it was streamed, `ms` milliseconds after the model was called; `id` is the provider's id of the call whose arguments it is of. */
export type StreamedDelta = Readonly<{
    type: 'text-delta' | 'reasoning-delta' | 'input-delta';
    text: string;
    ms: number;
    id?: string;
}>;
export {};

// open-calls.d.ts
/** The calls of a turn that have no result yet. */
import type { Call, Run } from './frame.ts';
/** The calls without a result that are decided about at a time: the next ones come when these have theirs. */
export declare const callWindow = 256;
/** The first calls without a result, at most `callWindow`. What has begun and not ended is among them: the window only moves on. */
export declare function openCalls({ calls, settledTo, unsettled }: Run): readonly Call[];

// ports.d.ts
/** Ports: everything impure that the kernel needs, as interfaces. */
import type { Effect } from './effect.ts';
import type { Draft } from './event.ts';
import type { Frame } from './frame.ts';
/** Time. */
export interface Clock {
    /** Milliseconds since 1970. Within a process it does not go back. */
    now(): number;
    /** Calls back at or after a moment; the returned function cancels it. */
    at(time: number, callback: () => void): () => void;
}
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
    /** The same without a promise: `notify` is called with the outcome, and must not throw. */
    put(drafts: readonly Draft[], how: 'happened' | 'intended', notify?: (durable: boolean) => void): void;
    /** Whether nothing can be added any more: the driver was fenced, has failed or has released the thread. */
    isClosed(): boolean;
    /** Ends the driver as if it had been fenced: its lease may have expired, and another driver may have the thread. */
    fence(): void;
    /** Ends the driver: something it depends on has failed, and no event can record it. */
    fail(error: unknown): void;
    /** Makes the driver ask `decide` and the performer again, though there is no new event. */
    wake(): void;
}
/**
 * Performs effects. Must not throw: what goes wrong is an event. Must not start an effect that waits for its intent before `append` resolved true.
 */
export interface Performer {
    /** Performs an effect: `begun` (something is new), `busy` (it is in flight already), `settled` (there is nothing to do). */
    perform(effect: Effect): 'begun' | 'busy' | 'settled';
    /** Aborts what is in flight; its results must still be added to the outbox. */
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
import type { Draft, LoomEvent, Seq } from './event.ts';
import type { Frame } from './frame.ts';
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
/** The place of the next event of a frame. */
export declare const nextPlace: ({ thread, seq, run, turn }: Frame, time: number) => MovingPlace;
/** Moves a place to where the next event of a frame goes. */
export declare function moveTo(place: MovingPlace, { seq, run, turn }: Frame, time: number): void;
/** Gives drafts their places, in order. */
export declare function place(start: Place, drafts: readonly Draft[]): readonly LoomEvent[];
/** Gives a draft the next place, and moves the place on. */
export declare function placeNext(next: MovingPlace, { type, data }: Draft, v?: number): LoomEvent;
/** A batch as one line of JSON. The id and the version come first, so that a long line need not be parsed for them. */
export declare function encodeBatch(batch: Batch): string;
/** The events of an encoded batch whose first event is `seq`. */
export declare function decodeBatch(thread: string, seq: Seq, line: string): readonly LoomEvent[];

// run-request.d.ts
/** What a run is asked to do, and what it may spend. */
import type { JsonObject } from './json.ts';
import type { Message } from './message.ts';
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
    /** Integer micro-units; default: no limit. A model without a known price: see `unpriced`. Reached: see `onReached`. */
    readonly cost?: number;
    /** A model whose price is not known, where there is a limit of cost: is refused before it is called (default), or allowed and counts nothing. */
    readonly unpriced?: 'refuse' | 'allow';
    /** Milliseconds of driving, without waiting; default 24 hours. Reached: the run stops, whatever is in flight. */
    readonly time?: number;
    /** Calls that models propose, in the run and in all children below it; default 10,000. Reached: further calls are refused, then the run stops. */
    readonly calls?: number;
    /** Children, with those that they start in turn; default 100. Reached: no further one is started, and its caller gets an error. */
    readonly children?: number;
    /** How deep agents may be nested; default 5. */
    readonly depth?: number;
    /** For tokens and cost: asks whether to go on (default), or stops. */
    readonly onReached?: 'ask' | 'stop';
    /** The same call with the same result so many times: note it, warn the model, stop; default 3, 4, 5. `false` turns it off. */
    readonly loop?: LoopLimits | false;
};
/** The caller's id of a start, and a digest of the input that was given with it. */
export type StartId = {
    readonly id: string;
    readonly digest: string;
};
/** Something that was read: a call, or an event by its seq, with its thread where that is another one, and what it is in words: `fetch(https://...)`. */
export type TaintedBy = Readonly<{
    what: string;
    thread?: string;
    call?: string;
    seq?: number;
}>;
/** What was read before a call was proposed or an input was written: the first of what others wrote, and the first of what is private. */
export type Taint = Readonly<{
    untrusted?: TaintedBy;
    private?: TaintedBy;
}>;
/** What a guard said of an input before it was stored; `digest` is of the input as it was given. */
export type Guarded = Readonly<{
    guard: string;
    verdict: 'rewrite' | 'block' | 'ask' | 'warn';
    digest: string;
    reason?: string;
}>;
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
    /** There when the caller gave the start an id: the same id starts no second run. */
    readonly start?: StartId;
    /** The input stays in the context, whatever is left out. */
    readonly pin?: true;
    /** What was read before the input was written: a child's by the agent that starts it. */
    readonly taint?: Taint;
    /** What guards said of the input. */
    readonly guarded?: readonly Guarded[];
    /** Dependencies were given with the run; a caller that resumes it must give them again. */
    readonly needsDeps?: true;
    /** Questions are settled as denied: nobody is there to answer. */
    readonly unattended?: 'deny';
    /** The run ends only through the tool of this name; one reminder is given. */
    readonly done?: string;
    /** How often a reply that does not fit the output schema is sent back. */
    readonly repairs?: number;
    /** A layer of permissions for this run, which only tightens. */
    readonly permissions?: JsonObject;
    /** The JSON Schema that the answer must fit. */
    readonly output?: JsonObject;
};
/** What the approval of a limit of nothing adds: a child gets such a limit when its parent has nothing left. */
export declare const leastGrant = 10000;

// schedule-facts.d.ts
/** Facts about schedules and webhooks, which have threads of their own. */
import type { Json, JsonObject } from './json.ts';
import type { Limits } from './run-request.ts';
/** The last due time, in milliseconds since 1970. */
type Until = Readonly<{
    until?: number;
}>;
/** When a schedule is due: once, at the times of a cron expression in a time zone, or again and again after so many milliseconds. */
export type Timing = Readonly<{
    at: number;
}> | (Readonly<{
    cron: string;
    zone: string;
} | {
    interval: number;
    from: number;
}> & Until);
/** What each run of a schedule is started with: an input as users give it. Without a thread, each has a new one. */
export type ScheduledStart = Readonly<{
    input: Json;
    thread?: string;
    whenBusy?: 'queue' | 'steer' | 'reject';
}> & Readonly<{
    limits?: Limits;
    settings?: JsonObject;
    metadata?: JsonObject;
}>;
/** What happens to due times that are further back than `grace` milliseconds: none, the last or the last `most` of them are started. */
export type MissedRule = Readonly<{
    missed: 'skip' | 'once' | 'all';
    most: number;
    grace: number;
}>;
/** A schedule: due times after `from` are decided about. */
export type ScheduleSet = MissedRule & Readonly<{
    name: string;
    agent: string;
    timing: Timing;
    start: ScheduledStart;
    from: number;
    paused?: true;
    by?: string;
}>;
/** What became of a due time. */
export type DueRun = Readonly<{
    time: number;
} & ({
    thread: string;
    run: string;
} | {
    error: {
        code: string;
        message: string;
    };
})>;
/** A delivery that was given up. */
export type DroppedDelivery = Readonly<{
    id: string;
    thread: string;
    seq: number;
    attempts: number;
    problem: string;
}>;
/** When a schedule is looked at next, in milliseconds since 1970. */
type Wake = {
    wakeAt?: number;
};
/** What each type of these events carries. */
export interface ScheduleData {
    /** A schedule was set, changed, paused or let go on: the latest counts. */
    'schedule.set': ScheduleSet & Wake;
    /** All due times up to `to` were decided about, by the schedule that was set at `set`: the intent to start some of them, and those that start nothing. */
    'schedule.due': {
        set: number;
        to: number;
        starts: readonly number[];
        skipped?: {
            from: number;
            to: number;
        };
    } & Wake;
    /** What the last decision asked for was started. */
    'schedule.started': {
        runs: readonly DueRun[];
    } & Wake;
    /** A webhook has delivered or given up all up to a position of the feed. `stale`: the position before is not in this journal. The fold ignores it. */
    'webhook.moved': {
        cursor: string;
        delivered: number;
        dropped?: readonly DroppedDelivery[];
        stale?: true;
    };
}
export {};

// step.d.ts
import { type Shell } from './driver.ts';
import { type Frame } from './frame.ts';
/** Drives a thread until only a human, a time, a child or a new input can move it on; returns the last durable frame. A fenced driver stops at once. */
export declare function tt(start: Frame, shell: Shell): Promise<Frame>;

// summary.d.ts
import type { Frame } from './frame.ts';
import type { Summary } from './journal.ts';
/** The summary of a frame. A thread that needs a driver counts as running: one with queued runs, an answer that has not taken effect, or files that are to be put back. */
export declare function summarize(frame: Frame): Summary;

// taint.d.ts
/**
 * What was read that others wrote, or that is private.
 *
 * TAINT-1. A thread that has read something has read it for good: of each label the first item stays, whatever leaves the context, and a fork has what the
 *     past that it shares has read. So do the summaries that are made of it.
 */
import type { Taint, TaintedBy } from './run-request.ts';
/** What was read before, and what was read now in the given place; the first item of each label stays. */
export declare function addTaint(earlier: Taint | undefined, later: Taint | undefined, place?: Omit<TaintedBy, 'what'>): Taint | undefined;

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
/**
 * The version in which a type is written, where it is not 1. Version 2 of how a thread starts names its incarnation: an older one has none, and the fold
 * takes the thread's name. Version 3 names the incarnation and the key of the parent. Version 2 of how a run starts may have the caller's id and the schema
 * of its answer, that of a step may wait for a signal, and that of a request to stop or to pause may name a queued run. Version 2 of a reply may have
 * warnings, that of a stop may say that the last reply was cut or filtered, or that the text streamed so far is in the history, that of an answer may name
 * the record that it was taken from, that of a question may say that the rule of a thread above asks it, that of the start of a call may have its arguments
 * as the schema made them, a signal of version 2 is kept until a body reads it, the start of a child may have a digest of its input, and its end may say how
 * many calls and children its tree had. Version 3 of a fork may name its instructions and its model, that of the start of a child says whether its agent
 * answers questions, and that of a request to stop may be the driver's own, because the run has used its time. Version 2 of a context
 * has segments and items, version 3 of it may have layers, version 2 of a summary says how it was made, that of a result may say where its whole text is, and
 * version 3 of how a run starts may pin its input, that of a result may have the files that were changed, and that of a step those that it is to change.
 * Version 4 of how a run starts may have a layer of permissions, and that of a context tools that are deferred. Version 4 of how a run starts, version 3 of
 * the start of a call and of the end of a child, and version 4 of a result, may have a taint. Version 3 of a steered message may pin it. Version 5 of how a
 * run starts may have what guards said of its input. Version 4 of a steered message and version 3 of a signal may have a taint, version 4 of the start of a
 * call what its arguments name, and version 2 of how a run is suspended says at which
 * breakpoint.
 */
export declare const eventVersions: Readonly<Partial<Record<EventType, number>>>;
/** Versions have only added fields that may be absent, except where it says otherwise. */
export declare const upcasters: Upcasters;
/** The stored event in the newest version that the upcasters reach. */
export declare function upcast(stored: Stored, steps?: Upcasters): Stored;
