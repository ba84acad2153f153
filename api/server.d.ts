// index.d.ts
/** Loom over HTTP, as web functions: routes, streams and access for any server that has `Request` and `Response`. */
export { type DueTimes, dueTimes } from './schedule/due-times.ts';
export type { Missed } from './schedule/plan-due.ts';
export type { ScheduleOptions } from './schedule/schedule-options.ts';
export { getSchedule, listSchedules, pauseSchedule, removeSchedule, resumeSchedule, type Schedule, setSchedule } from './schedule/schedules.ts';
export { type Looked, type ScheduledAgent, type StartDueOptions, startDue } from './schedule/start-due.ts';
export { type Auth, anyAuth, type Identity, type Scope, scopes } from './web/access/identity.ts';
export { createKey, type FindKey, type KeyOptions, type KeyRecord, keyAuth } from './web/access/keys.ts';
export type { Places } from './web/access/origins.ts';
export { createSessions, type Sessions } from './web/access/sessions.ts';
export { type ChatOptions, chatHandler } from './web/door/chat-handler.ts';
export { type CompletionsOptions, completionsHandler } from './web/door/completions-handler.ts';
export { createHandler, type Handler } from './web/handler.ts';
export { type OpenApi, openApi } from './web/openapi.ts';
export type { Problem } from './web/route/problem.ts';
export type { AdmissionLimits } from './web/service/admission.ts';
export type { ServedAgent } from './web/service/served-agent.ts';
export type { HandlerOptions, ServerLimits } from './web/service/service.ts';
export type { Delivery, WebhookKind } from './webhook/delivery.ts';
export type { BelievedDelivery, Hook, HookStart } from './webhook/hook.ts';
export { listWebhooks, type WebhookPosition } from './webhook/list-webhooks.ts';
export { createWebhookSecret, type ReceivedDelivery, type Secrets, type VerifyOptions, verifyDelivery } from './webhook/signature.ts';

// schedule/due-times.d.ts
/**
 * The due times of a schedule: pure functions of its timing. What the time is now is given to them.
 *
 * DUE-1. A due time is an instant. The same timing has the same due times in every process, whatever its clock and its time zone are.
 * DUE-2. A wall-clock time that the zone skips in spring is due at the first instant after the gap; one that it has twice in autumn is due once, at the
 *        first of the two. A pattern for every hour or minute is due in each hour and minute that there is.
 * DUE-3. However many due times lie between two instants, no more are computed than are asked for.
 */
import { LoomError, type Timing } from '@loom-agent/kernel';
/** Finds due times. */
export interface DueTimes {
    /** The first one after an instant. */
    next(after: number): number | undefined;
    /** The latest ones after an instant and not after another, at most so many, the oldest first. */
    latest(range: {
        readonly after: number;
        readonly to: number;
        readonly most: number;
    }): readonly number[];
}
/** The error for a schedule that cannot be. */
export declare function scheduleInvalid(problem: string, context: Readonly<Record<string, string | number>>): LoomError;
/** The due times of a timing. Throws `LOOM_SCHEDULE_INVALID` where there can be none. */
export declare function dueTimes(timing: Timing): DueTimes;

// schedule/plan-due.d.ts
/**
 * What is to be done with the due times that have come: a pure decision.
 *
 * DUE-4. A due time is decided about once: the decision names the due times that start a run, and covers every other one up to now.
 * DUE-5. A due time is missed when it is further back than the grace time. Others are started, whatever is done with those that were missed.
 */
import type { DueTimes } from './due-times.ts';
/** What happens to due times that were missed, because nobody was there to start them: none of them is made up for, the last one, or all. */
export type Missed = 'skip' | 'once' | 'all';
/** How due times are decided about. */
export interface DuePolicy {
    readonly missed: Missed;
    /** With `all`: how many of those that were missed are started at most, the latest ones. */
    readonly most: number;
    /** Milliseconds after which a due time counts as missed. */
    readonly grace: number;
}
/** What was decided. */
export interface DuePlan {
    /** The due times that start a run, the oldest first. */
    readonly starts: readonly number[];
    /** The first and the last of the due times that start none. */
    readonly skipped?: {
        readonly from: number;
        readonly to: number;
    };
    /** The next due time; undefined when there is none any more. */
    readonly next: number | undefined;
}
/** Decides about the due times after the last one that was decided about, up to now. Undefined when none has come. */
export declare function planDue(times: DueTimes, policy: DuePolicy, { after, now }: {
    readonly after: number;
    readonly now: number;
}): DuePlan | undefined;

// schedule/schedule-options.d.ts
/** What a user says about a schedule, checked and made a fact. */
import type { Input, ModelSettings } from '@loom-agent/agent';
import { type Limits, type ScheduleSet } from '@loom-agent/kernel';
import type { Missed } from './plan-due.ts';
/** A schedule: when it is due, and what it starts then. */
export interface ScheduleOptions {
    /** The name of the agent whose runs it starts. */
    readonly agent: string;
    /** What each run is asked. */
    readonly input: Input;
    /** The one moment at which it is due, in milliseconds since 1970; or `every`. */
    readonly at?: number | undefined;
    /** A cron expression such as `0 8 * * 1-5`, or the time between two runs such as `90s`, `15m`, `24h` or `7d`. */
    readonly every?: string | undefined;
    /** The time zone of a cron expression, such as `Europe/Berlin`; default `UTC`. */
    readonly zone?: string | undefined;
    /** The last moment at which `every` may be due, in milliseconds since 1970. */
    readonly until?: number | undefined;
    /** The thread of all its runs; default: each run has a new one, named after the schedule and the due time. */
    readonly thread?: string | undefined;
    /** What happens when that thread is busy; default `queue`. With `reject`, the due time is recorded as one that could not be started. */
    readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined;
    /** Limits of each run. */
    readonly limits?: Limits | undefined;
    /** Settings of the model for each run. */
    readonly settings?: ModelSettings | undefined;
    /** Journaled with each run, beside `schedule` and `due`. */
    readonly metadata?: {
        readonly [key: string]: unknown;
    } | undefined;
    /** What happens to due times that nobody was there to start: none, the last one (default) or all of them are started. */
    readonly missed?: Missed | undefined;
    /** With `missed: 'all'`: how many are started at most, the latest ones; default 10, at most 1,000. */
    readonly most?: number | undefined;
    /** Milliseconds after which a due time counts as missed; default 60,000. */
    readonly grace?: number | undefined;
    /** Whether it is not due until somebody lets it go on. */
    readonly paused?: boolean | undefined;
    /** Who sets it. */
    readonly by?: string | undefined;
}
/** Refuses what cannot name a schedule. */
export declare function checkName(name: string): void;
/** A schedule as a fact, set at a moment. Throws `LOOM_SCHEDULE_INVALID` or `LOOM_OPTION_INVALID`. */
export declare function toSchedule(name: string, options: ScheduleOptions, now: number): ScheduleSet;
/** Whether two facts are the same schedule: set again without a change, it goes on as it is. */
export declare function isSame(one: ScheduleSet, other: ScheduleSet): boolean;

// schedule/schedules.d.ts
/**
 * Setting schedules and looking at them, with the journal alone.
 *
 * SCHEDULE-2. A schedule that is set again without a change goes on as it is: a program may set its schedules whenever it starts.
 * SCHEDULE-3. Due times while a schedule is paused are not made up for.
 */
import { type DueRun, type Journal, type ScheduleSet, type Timing } from '@loom-agent/kernel';
import { type ScheduleOptions } from './schedule-options.ts';
/** A schedule, and when it is due next. */
export interface Schedule {
    readonly name: string;
    /** The agent whose runs it starts. */
    readonly agent: string;
    /** When it is due. */
    readonly timing: Timing;
    /** What its runs are started with. */
    readonly start: ScheduleSet['start'];
    readonly missed: ScheduleSet['missed'];
    readonly most: number;
    readonly grace: number;
    readonly paused: boolean;
    /** The next due times, in milliseconds since 1970; none while it is paused. */
    readonly next: readonly number[];
    /** The due times that came last, with the runs that they started. */
    readonly last: readonly DueRun[];
}
/** Sets a schedule, or changes the one of this name. Due times from now on count. */
export declare function setSchedule(journal: Journal, name: string, options: ScheduleOptions): Promise<Schedule>;
/** Pauses a schedule. */
export declare function pauseSchedule(journal: Journal, name: string, options?: {
    readonly by?: string;
}): Promise<Schedule>;
/** Lets a paused schedule go on: due times from now on count. */
export declare function resumeSchedule(journal: Journal, name: string, options?: {
    readonly by?: string;
}): Promise<Schedule>;
/** Removes a schedule and its record. The runs that it has started stay. */
export declare function removeSchedule(journal: Journal, name: string): Promise<void>;
/** A schedule. Throws `LOOM_THREAD_NOT_FOUND` when there is none of this name. */
export declare function getSchedule(journal: Journal, name: string, options?: {
    readonly count?: number;
}): Promise<Schedule>;
/** All schedules, by name. */
export declare function listSchedules(journal: Journal): AsyncGenerator<Schedule, void>;

// schedule/start-due.d.ts
/**
 * Starting what schedules ask for.
 *
 * DUE-6. What is started is decided first: the decision is durable before the first start, and what became of the starts after the last. A process that is
 *        lost in between leaves a decision that another one carries out.
 * DUE-7. The id of a run follows from its schedule and its due time: started twice, by whomever, it is one run (START-1).
 * DUE-8. The time is that of the store: processes whose clocks differ decide alike. Where it goes back, nothing is decided again.
 */
import type { Input, RunHandle } from '@loom-agent/agent';
import { type Journal, type ScheduledStart } from '@loom-agent/kernel';
/** An agent whose runs schedules may start. */
export interface ScheduledAgent {
    readonly name: string;
    readonly journal: Journal;
    start(input: Input, options: Omit<ScheduledStart, 'input'> & {
        readonly id: string;
    }): RunHandle<unknown>;
}
/** What a look at the schedules needs. */
export interface StartDueOptions {
    /** Notified of what could not be started for now; it is tried again with the next look. */
    readonly onError?: ((error: unknown) => void) | undefined;
}
/** When to look again, in milliseconds from now; undefined when no schedule is due for as long as was asked about. */
export interface Looked {
    readonly in: number | undefined;
}
/**
 * Starts all runs of these agents that are due, once. Call it again and again, as `serve` does; or give it to `recover`.
 *
 * @example
 * await clerk.recover({ every: 10_000, alongside: () => startDue([clerk]) })
 */
export declare function startDue(agents: readonly ScheduledAgent[], options?: StartDueOptions & {
    readonly ahead?: number;
}): Promise<Looked>;

// web/access/identity.d.ts
/** Who sends a request, and what they may do. */
/** What a route needs: to look, to start and control runs, to answer questions, or to change what others depend on. */
export declare const scopes: readonly ['read', 'run', 'answer', 'admin'];
/** One of the scopes. `admin` includes the others. */
export type Scope = (typeof scopes)[number];
/** Who sends a request. */
export interface Identity {
    /** The person or program; recorded as the author of answers and requests. */
    readonly name: string;
    /** What they may do. */
    readonly scopes: readonly Scope[];
    /** Whether they may use a thread, by the id of the root of its tree; default: all. What they may not use is not found. */
    readonly threads?: ((thread: string) => boolean) | undefined;
}
/** Finds out who sends a request; `undefined`: nobody who is known. */
export type Auth = (request: Request) => Identity | undefined | Promise<Identity | undefined>;
/** Whether an identity has a scope. */
export declare const hasScope: ({ scopes: held }: Identity, scope: Scope) => boolean;
/** The first of several ways that knows the sender. */
export declare function anyAuth(...ways: readonly Auth[]): Auth;

// web/access/keys.d.ts
import { type Auth, type Identity, type Scope } from './identity.ts';
/** What is kept of a key. */
export interface KeyRecord extends Identity {
    /** The part of the key by which its record is found. */
    readonly id: string;
    /** The SHA-256 of the rest. */
    readonly digest: string;
    /** When it ends, in milliseconds since 1970; default: never. */
    readonly expires?: number | undefined;
}
/** What a key is made for. */
export interface KeyOptions {
    /** Who uses it; recorded as the author of answers and requests. */
    readonly name: string;
    /** What it allows. */
    readonly scopes: readonly Scope[];
    /** When it ends, in milliseconds since 1970; default: never. */
    readonly expires?: number | undefined;
}
/** Finds the record of a key by its id. */
export type FindKey = (id: string) => KeyRecord | undefined | Promise<KeyRecord | undefined>;
/**
 * Makes a key. Give the key to who uses it, and keep the record.
 *
 * @example
 * const { key, record } = await createKey({ name: 'dashboard', scopes: ['read'] })
 */
export declare function createKey(options: KeyOptions): Promise<{
    readonly key: string;
    readonly record: KeyRecord;
}>;
/** What follows `Bearer` in the header of a request. */
export declare const bearerOf: (request: Request) => string | undefined;
/**
 * Accepts keys that are sent as `Authorization: Bearer <key>`. `keys` are the records, or a function that finds one.
 *
 * @example
 * createHandler({ agents, auth: keyAuth(records) })
 */
export declare function keyAuth(keys: readonly KeyRecord[] | FindKey): Auth;

// web/access/origins.d.ts
/** Names and pages that are accepted. */
export interface Places {
    /** Values of `Host`, with a port or for every port; default: any. */
    readonly hosts?: readonly string[] | undefined;
    /** Origins of pages besides those of the server itself, such as `https://app.example.com`. */
    readonly origins?: readonly string[] | undefined;
}
/** Whether the page that sends a request is one of the allowed other origins. */
export declare function isAllowedOrigin(request: Request, { origins }: Places): boolean;
/** Refuses a request for another host, or from a page of another origin. */
export declare function requirePlace(request: Request, places: Places): void;
/** The headers that let an allowed page of another origin read a response. */
export declare function originHeaders(request: Request, places: Places): Record<string, string>;

// web/access/sessions.d.ts
/**
 * Sessions of browsers: a token is exchanged for a cookie.
 *
 * SESSION-1. The token is in the fragment of the address that is opened, which browsers send to no server; the page sends it once, in a body. The cookie is
 *     HttpOnly and SameSite=Strict: no script reads it, and no other site sends it.
 */
import type { Auth, Identity } from './identity.ts';
/** The sessions of one server. */
export interface Sessions {
    /** Accepts the cookie of a session, and the token itself as `Authorization: Bearer`. */
    readonly auth: Auth;
    /** The `Set-Cookie` of a new session; `undefined` when the token is another. */
    open(token: string, isSecure: boolean): Promise<string | undefined>;
    /** Ends the session of a request. Returns the `Set-Cookie` that removes its cookie. */
    end(request: Request): Promise<string>;
}
/** Sessions that a token opens, all of one identity. */
export declare function createSessions(token: string, identity: Identity): Sessions;

// web/door/chat-handler.d.ts
import { type Auth, type Identity } from '../access/identity.ts';
import { type Places } from '../access/origins.ts';
import { type AdmissionLimits } from '../service/admission.ts';
import type { ServedAgent } from '../service/served-agent.ts';
/** Who may chat, and on which threads. */
export interface ChatOptions extends Places {
    /** Finds out who sends a request. A chat needs the scope `read`, speaking and stopping `run`, and approving `answer`. */
    readonly auth: Auth;
    /** The thread of a chat; default: the id of the chat. Users whose chats must not be guessed get threads of their own here. */
    readonly thread?: ((chat: string, identity: Identity) => string) | undefined;
    /** How many runs there may be at once, of all and of each; default as for `createHandler`. */
    readonly limits?: Pick<AdmissionLimits, 'runs' | 'runsEach'> | undefined;
    /** Bytes of a request; default 4 MiB: clients send the whole conversation. */
    readonly longestBody?: number | undefined;
    /** Notified of errors that no client is told about; default: the console. */
    readonly onError?: ((error: unknown) => void) | undefined;
}
/**
 * Serves the chats of an agent: `POST` to speak and to approve, `GET .../{chat}/messages` for what was
 * said, `GET .../{chat}/stream` to come back to a run under way, `POST .../{chat}/stop` to stop it.
 *
 * @example
 * const handler = chatHandler(clerk, { auth: (request) => userOf(request) })
 */
export declare function chatHandler(agent: ServedAgent, options: ChatOptions): (request: Request) => Promise<Response>;

// web/door/completions-handler.d.ts
import { type Auth } from '../access/identity.ts';
import { type Places } from '../access/origins.ts';
import { type AdmissionLimits } from '../service/admission.ts';
import type { ServedAgent } from '../service/served-agent.ts';
/** Which agents are models, and for whom. */
export interface CompletionsOptions extends Places {
    /** The agents; their names are the names of models. */
    readonly agents: readonly ServedAgent[];
    /** Finds out who sends a request. It needs the scope `run`, to answer questions `answer`, and to list models `read`. */
    readonly auth: Auth;
    /** How many runs there may be at once, of all and of each; default as for `createHandler`. */
    readonly limits?: Pick<AdmissionLimits, 'runs' | 'runsEach'> | undefined;
    /** Bytes of a request; default 4 MiB. */
    readonly longestBody?: number | undefined;
    /** Notified of errors that no client is told about; default: the console. */
    readonly onError?: ((error: unknown) => void) | undefined;
}
/** Serves agents as models: `POST .../chat/completions`, `GET .../models`. */
export declare function completionsHandler(options: CompletionsOptions): (request: Request) => Promise<Response>;

// web/handler.d.ts
import { type Identity, type Scope } from './access/identity.ts';
import { type HandlerOptions, type Service } from './service/service.ts';
/** Answers requests. */
export type Handler = (request: Request) => Promise<Response>;
/** A handler with what it stands on, for servers that are more than a handler. */
export interface ServedHandler {
    readonly handle: Handler;
    readonly service: Service;
    /** Answers a request of a sender who is known already. */
    handleAs(request: Request, identity: Identity): Promise<Response>;
    /** Who sends a request, after the checks of its place. Throws when nobody who is known does, or without the scope; without a scope there is no route. */
    identify(request: Request, scope: Scope | undefined): Promise<Identity>;
}
/** Makes a handler that can be looked into. */
export declare function serveHandler(options: HandlerOptions): ServedHandler;
/**
 * Makes the web function that serves agents and their journal: `(Request) => Promise<Response>`, for any server that has those. It drives what its clients
 * start; a server that also drives what others have left calls `recover` of its agents, as `serve` of `@loom-agent/server/node` does.
 *
 * @example
 * const handler = createHandler({ agents: [clerk], auth: keyAuth(keys), base: '/api/loom' })
 * export { handler as GET, handler as POST, handler as PUT, handler as DELETE }
 */
export declare function createHandler(options: HandlerOptions): Handler;

// web/openapi.d.ts
/** The description of all routes in OpenAPI 3.1, made from their table. */
import type { JsonObject } from '@loom-agent/kernel';
/** A description in OpenAPI 3.1. */
export type OpenApi = JsonObject;
/**
 * Describes all routes.
 *
 * @example
 * writeFileSync('openapi.json', JSON.stringify(openApi({ base: '/api/loom' })))
 */
export declare function openApi({ base, version }?: {
    readonly base?: string;
    readonly version?: string;
}): OpenApi;

// web/route/problem.d.ts
/** Errors as responses: problems as RFC 9457 has them, with the code of the error and a hint. */
import { type JsonObject, type LoomErrorCode } from '@loom-agent/kernel';
/** What is sent of an error. */
export interface Problem {
    /** Names the kind of error. */
    readonly type: string;
    /** The code in words. */
    readonly title: string;
    /** The HTTP status. */
    readonly status: number;
    /** What happened, and what to do. */
    readonly detail: string;
    /** The code of the error, which [errors](docs/reference/errors.md) explains. */
    readonly code: LoomErrorCode;
    /** Whether sending it again can help. */
    readonly hint: string;
    /** The values that the detail names. */
    readonly context?: JsonObject;
}
/** An error as it is sent. One that is not of Loom is not described. */
export declare function problemOf(error: unknown): Problem;
/** The response for an error. */
export declare function problemResponse(error: unknown): Response;

// web/service/admission.d.ts
/** How much there may be at once. */
export interface AdmissionLimits {
    /** Runs under way that clients of this server have started; default 200. A run that waits does not count. */
    readonly runs?: number | undefined;
    /** Those of one identity; default: as many as all. */
    readonly runsEach?: number | undefined;
    /** Streams that are open, each WebSocket counting for one; default 2,000. */
    readonly streams?: number | undefined;
}
/** What is under way. */
export interface Admission {
    /** Takes on a run of an identity. Throws `LOOM_SERVER_BUSY` when there is no room. Call what it returns when the run rests. */
    enterRun(name: string): () => void;
    /** Takes on a stream, which `end` ends when the server closes. Call what it returns when it has ended. */
    enterStream(end: () => void): () => void;
    /** Takes on nothing more, and ends the streams. */
    close(): void;
    /** How much there is now. */
    counts(): {
        readonly runs: number;
        readonly streams: number;
    };
}
/** Counts what is under way. */
export declare function createAdmission({ runs, runsEach, streams }?: AdmissionLimits): Admission;

// web/service/feed-hub.d.ts
import type { FeedEntry, Journal } from '@loom-agent/kernel';
/** Gives the entries of a feed. */
export interface FeedHub {
    /** The cursor of now: what comes after it is new. */
    now(): Promise<string | undefined>;
    /** Entries after a cursor, then those to come, until the signal is aborted. */
    follow(from: string | undefined, signal: AbortSignal): AsyncIterableIterator<FeedEntry>;
}
/** A hub over the feed of a journal. */
export declare function createFeedHub(journal: Pick<Journal, 'feed'>): FeedHub;

// web/service/served-agent.d.ts
/** An agent as the server uses it: of any output, with what it depends on. */
import type { ContextStrategy, Edit, ForkPlan, Input, InputTaint, ModelObject, ModelSettings, Recovered, RecoverOptions, ReplayMode, ReplayReport, ReportLimits, Result, RewindPlan, RunEvent, RunHandle, SignedAnswer, WatchOptions } from '@loom-agent/agent';
import type { ForkEffects, Journal, Limits } from '@loom-agent/kernel';
/** What a client may say about a run. */
export interface ServedStart {
    /** The thread; default: a new one. */
    readonly thread?: string | undefined;
    /** The client's id of the start. */
    readonly id?: string | undefined;
    /** Settings that differ for this run. */
    readonly settings?: ModelSettings | undefined;
    /** Limits that differ for this run. */
    readonly limits?: Limits | undefined;
    /** Journaled with the run. */
    readonly metadata?: {
        readonly [key: string]: unknown;
    } | undefined;
    /** Keeps the input in the context for good. */
    readonly pin?: boolean | undefined;
    /** What the input holds that others wrote, or that is private. */
    readonly taint?: InputTaint | undefined;
    /** What happens when the thread is busy. */
    readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined;
    /** Another model for this run; no client can give one. */
    readonly model?: ModelObject | undefined;
}
/** How a client forks a thread. */
export interface ServedForkOptions {
    /** The id of the fork; default: made up. */
    readonly thread?: string;
    /** What is different from the cut on. */
    readonly edit?: Edit | readonly Edit[];
    /** What happens to effects after the cut. */
    readonly effects?: ForkEffects;
    /** What the run that goes on may spend. */
    readonly limits?: Limits;
}
/** A fork that was made. */
export interface ServedFork {
    /** The id of the fork. */
    readonly thread: string;
    /** Where it was cut. */
    readonly from: string;
    /** What it reuses, runs and risks. */
    readonly plan: ForkPlan;
    /** Goes on from the cut. */
    resume(): RunHandle<unknown>;
}
/** How a client rewinds a thread. */
export interface ServedRewindOptions extends ServedForkOptions {
    /** The thread whose files the folder has. */
    readonly from?: string;
}
/** A fork whose files were put back. */
export interface ServedRewound extends ServedFork, Omit<RewindPlan, 'fork'> {
}
/** What a client may change for a replay. */
export interface ServedReplayOptions {
    /** When it ends. */
    readonly mode?: ReplayMode;
    /** How much the report holds. */
    readonly report?: ReportLimits;
    /** What is different. */
    readonly with?: {
        readonly instructions?: string;
        readonly model?: string;
        readonly settings?: ModelSettings;
        readonly window?: number;
        readonly context?: ContextStrategy;
    };
}
/** An agent that is served: any agent whose dependencies are its own. */
export interface ServedAgent {
    readonly kind: 'agent';
    /** How it is called in journals and in paths. */
    readonly name: string;
    /** What it is for. */
    readonly description: string;
    /** Where the facts of its threads are kept. */
    readonly journal: Journal;
    /** Only a type: an agent that a caller must give dependencies cannot be served. Give it `deps`. */
    readonly needs?: (deps: unknown) => void;
    start(input: Input, options?: ServedStart): RunHandle<unknown>;
    resume(thread: string): RunHandle<unknown>;
    watch(thread: string, options?: WatchOptions): AsyncIterableIterator<RunEvent>;
    answer(questionId: string, answer: SignedAnswer): Promise<void>;
    signal(thread: string, name: string, value?: unknown, options?: {
        readonly by?: string;
    }): Promise<void>;
    stop(thread: string, reason?: string, options?: {
        by?: string;
    }): Promise<Result<unknown>>;
    recover(options?: RecoverOptions): Promise<readonly Recovered[]>;
    drain(options?: {
        grace?: number | undefined;
    }): Promise<void>;
    fork(at: string, options?: ServedForkOptions): Promise<ServedFork>;
    planFork(at: string, options?: ServedForkOptions): Promise<ForkPlan>;
    rewind(at: string, options?: ServedRewindOptions): Promise<ServedRewound>;
    planRewind(at: string, options?: ServedRewindOptions): Promise<RewindPlan>;
    replay(thread: string, options?: ServedReplayOptions): Promise<ReplayReport>;
}

// web/service/service.d.ts
import { type Head, type Journal } from '@loom-agent/kernel';
import { type JournalMetrics, type Projector, type ResourceMonitor, type ViewCache } from '@loom-agent/telemetry';
import { type Hook } from '../../webhook/hook.ts';
import type { Auth } from '../access/identity.ts';
import type { Places } from '../access/origins.ts';
import type { Sessions } from '../access/sessions.ts';
import { type Admission, type AdmissionLimits } from './admission.ts';
import { type FeedHub } from './feed-hub.ts';
import type { ServedAgent } from './served-agent.ts';
/** How much a request may hold, and how much may be under way at once. */
export interface ServerLimits extends AdmissionLimits {
    /** Bytes of a body; default 1 MiB. */
    readonly body?: number | undefined;
    /** Bytes of an import; default 256 MiB. */
    readonly upload?: number | undefined;
}
/** How threads leave a journal and come in: the functions of these names of `@loom-agent/journals`. */
export interface Transfer {
    /** The lines of a thread, with all that it needs. */
    exportThread(journal: Journal, thread: string): AsyncIterable<string>;
    /** Stores an exported thread, quarantined, and returns its head. */
    importThread(journal: Journal, lines: AsyncIterable<string>): Promise<Head>;
}
/** What is served, to whom. */
export interface HandlerOptions extends Places {
    /** The agents, each with a name of its own, and all with the same journal. */
    readonly agents: readonly ServedAgent[];
    /** The journal; default: that of the agents. */
    readonly journal?: Journal | undefined;
    /** Finds out who sends a request. There is no default: a request of nobody is refused. */
    readonly auth: Auth;
    /** Where the routes begin; default `/api/v1`. */
    readonly base?: string | undefined;
    /** The bounds; each has a default. */
    readonly limits?: ServerLimits | undefined;
    /** Where folded views are stored between processes; default: nowhere. */
    readonly cache?: ViewCache | undefined;
    /** How threads are exported whole and imported: `{ exportThread, importThread }` of `@loom-agent/journals`; default: not at all. */
    readonly transfer?: Transfer | undefined;
    /** What the system page says of this server besides, such as versions; default: nothing. */
    readonly about?: {
        readonly [name: string]: string;
    } | undefined;
    /** Watches what the process uses; default: nothing does. */
    readonly resources?: ResourceMonitor | undefined;
    /** Sessions of browsers; default: none. */
    readonly sessions?: Sessions | undefined;
    /** Milliseconds between two comments on a stream that has nothing new; default 15,000. */
    readonly heartbeat?: number | undefined;
    /** Where deliveries of other programs come in: `POST /hooks/{name}`; default: nowhere. */
    readonly hooks?: readonly Hook[] | undefined;
    /** Notified when a client has set schedules, so that who starts what is due looks at once; default: nobody. */
    readonly onSchedules?: (() => void) | undefined;
    /** Notified of errors that no client is told about; default: the console. */
    readonly onError?: ((error: unknown) => void) | undefined;
}
/** What routes work with. */
export interface Service {
    readonly agents: ReadonlyMap<string, ServedAgent>;
    readonly journal: Journal;
    readonly projector: Projector;
    readonly metrics: JournalMetrics;
    readonly feed: FeedHub;
    readonly admission: Admission;
    readonly sessions: Sessions | undefined;
    readonly transfer: Transfer | undefined;
    /** Whether views are stored between processes. */
    readonly cache: boolean;
    readonly about: {
        readonly [name: string]: string;
    };
    /** When this was made, in milliseconds since 1970. */
    readonly started: number;
    readonly resources: ResourceMonitor | undefined;
    /** Bytes of a body. */
    readonly longestBody: number;
    /** Bytes of an import. */
    readonly longestUpload: number;
    /** Milliseconds between two comments on a quiet stream. */
    readonly heartbeat: number;
    readonly onError: (error: unknown) => void;
    readonly hooks: ReadonlyMap<string, Hook>;
    /** Called when schedules were set: who starts what is due looks at them at once. */
    readonly schedulesChanged: () => void;
}
/** Checks the options, and makes what the routes share. */
export declare function createService(options: HandlerOptions): Service;

// webhook/delivery.d.ts
/**
 * What webhooks receive: a delivery for each run that is done, waits, fails or is stopped, and for each question.
 *
 * DELIVERY-1. The id of a delivery follows from the webhook, the thread and the event: it is the same however often it is sent, and by whichever process.
 * DELIVERY-2. A delivery has what a receiver needs to know where to look. What was said is read with a key.
 */
import type { JsonObject, LoomEvent } from '@loom-agent/kernel';
/** What a webhook can be told about. */
export type WebhookKind = 'done' | 'waiting' | 'asked' | 'failed' | 'stopped';
/** What is sent. */
export interface Delivery {
    /** The same whenever it is sent again. */
    readonly id: string;
    readonly kind: WebhookKind;
    readonly thread: string;
    readonly incarnation: string;
    /** The event that it is about. */
    readonly seq: number;
    /** When that was stored, in milliseconds since 1970. */
    readonly time: number;
    readonly run?: string | undefined;
    readonly agent?: string | undefined;
    /** The thread that has started this one. */
    readonly parent?: string | undefined;
    /** What kind of rest it is: the question, what it waits for, why it failed or was stopped. */
    readonly data: JsonObject;
}
/** The thread of the events. */
export interface Origin {
    readonly thread: string;
    readonly incarnation: string;
    readonly agent?: string | undefined;
    readonly parent?: string | undefined;
}
/** Which deliveries there are, and for which webhook. */
export interface Wanted {
    readonly webhook: string;
    readonly on: ReadonlySet<WebhookKind>;
}
/** The deliveries of events, in their order. Of children only questions are told: their runs are parts of another. */
export declare function deliveriesOf(events: readonly LoomEvent[], origin: Origin, { webhook, on }: Wanted): Promise<readonly Delivery[]>;

// webhook/hook.d.ts
/** Hooks: places at which deliveries of other programs come in. */
import type { Input, ModelSettings } from '@loom-agent/agent';
import { type Limits, LoomError } from '@loom-agent/kernel';
import { type ReceivedDelivery, type Secrets } from './signature.ts';
/** What a delivery starts. */
export interface HookStart {
    /** What the run is asked. */
    readonly input: Input;
    /** The thread; default: a new one for each delivery. */
    readonly thread?: string | undefined;
    /** What happens when the thread is busy; with `steer` the input becomes a message of the run under way. */
    readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined;
    /** Limits of the run. */
    readonly limits?: Limits | undefined;
    /** Settings of the model. */
    readonly settings?: ModelSettings | undefined;
    /** Journaled with the run, beside `hook` and `delivery`. */
    readonly metadata?: {
        readonly [key: string]: unknown;
    } | undefined;
}
/** A delivery that is believed. */
export interface BelievedDelivery {
    readonly id: string;
    readonly headers: Headers;
}
/** A place at which deliveries come in: `POST /hooks/{name}`. */
export interface Hook {
    /** Its name, in the path. */
    readonly name: string;
    /** The agent whose runs it starts. */
    readonly agent: string;
    /** What deliveries are signed with, as Standard Webhooks says; or `verify`. */
    readonly secrets?: Secrets | undefined;
    /** Seconds that the time of a delivery may differ from that of the server; default 300. */
    readonly window?: number | undefined;
    /** Another way to believe a delivery: returns its id, or undefined when it is not to be believed. */
    readonly verify?: ((delivery: ReceivedDelivery) => string | undefined | Promise<string | undefined>) | undefined;
    /** Bytes of a body; default: as many as any body may have. */
    readonly longest?: number | undefined;
    /** What the body of a delivery asks for; undefined: nothing. It must return the same whenever it is given the same. */
    readonly start: (body: unknown, delivery: BelievedDelivery) => Input | HookStart | undefined | Promise<Input | HookStart | undefined>;
    /** Whether what it says is the sender's own word, and not that of strangers; default false. */
    readonly trusted?: boolean | undefined;
}
/** Checks hooks, and finds them by name. */
export declare function hooksByName(hooks: readonly Hook[], agents: ReadonlyMap<string, unknown>): ReadonlyMap<string, Hook>;
/** The error for a hook that cannot be. */
export declare function hookInvalid(name: string, problem: string): LoomError;

// webhook/list-webhooks.d.ts
/** The webhooks of a journal: what it knows of them. */
import type { DroppedDelivery, Journal } from '@loom-agent/kernel';
/** How far a webhook is. */
export interface WebhookPosition {
    readonly name: string;
    /** Its position in the feed. */
    readonly cursor: string;
    /** When it moved last, in milliseconds since 1970. */
    readonly moved: number;
    /** The worker that delivers. */
    readonly holder?: string | undefined;
    /** What it gave up when it moved last. */
    readonly dropped: readonly DroppedDelivery[];
}
/** All webhooks that a journal knows, by name. */
export declare function listWebhooks(journal: Pick<Journal, 'threads' | 'head' | 'read'>): Promise<readonly WebhookPosition[]>;

// webhook/signature.d.ts
/** Secrets, or a function that returns them whenever they are needed. The first is the newest. */
export type Secrets = readonly string[] | (() => readonly string[] | Promise<readonly string[]>);
/** What is signed. */
export interface Signed {
    /** The id of the delivery: the same whenever it is sent again. */
    readonly id: string;
    /** When it is sent, in seconds since 1970. */
    readonly timestamp: number;
    readonly body: string;
}
/** Makes a secret of 256 bits. */
export declare const createWebhookSecret: () => string;
/** Throws `LOOM_OPTION_INVALID` when there are no secrets, or one that is too short. */
export declare function checkSecrets(secrets: readonly string[]): void;
/** The secrets of now. Throws `LOOM_OPTION_INVALID` when there are none, or one that is too short. */
export declare function secretsOf(secrets: Secrets): Promise<readonly string[]>;
/** The headers of a delivery, signed with all secrets. */
export declare function signatureHeaders(secrets: readonly string[], signed: Signed): Promise<Readonly<Record<string, string>>>;
/** What a receiver has of a delivery: its headers and the text of its body. */
export interface ReceivedDelivery {
    readonly headers: {
        get(name: string): string | null;
    };
    readonly body: string;
}
/** When and how a delivery is believed. */
export interface VerifyOptions {
    readonly secrets: Secrets;
    /** Seconds that its time may differ from that of the receiver; default 300. */
    readonly window?: number | undefined;
    /** The time of the receiver in milliseconds since 1970; default: now. */
    readonly now?: number | undefined;
}
/**
 * Checks that a delivery was signed with one of the secrets, and when. Returns its id; throws `LOOM_ACCESS_DENIED`.
 *
 * @example
 * const id = await verifyDelivery({ headers: request.headers, body: await request.text() }, { secrets: [secret] })
 */
export declare function verifyDelivery({ headers, body }: ReceivedDelivery, options: VerifyOptions): Promise<string>;
