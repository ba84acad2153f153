// node/index.d.ts
/** A server of Loom for Node. */
export type { RetryPolicy } from '../webhook/attempt.ts';
export type { Webhook } from '../webhook/drive-webhooks.ts';
export type { SendOptions } from './send-webhook.ts';
export { type LoomServer, type ServeOptions, serve } from './serve.ts';

// node/send-webhook.d.ts
import type { SendWebhook } from '../webhook/deliver.ts';
/** Where deliveries may go. */
export interface SendOptions {
    /** Hosts of this machine or its networks that may be reached, as `host` or `host:port`; default: none. */
    readonly allow?: readonly string[] | undefined;
    /** Ports of public hosts that may be used; default 80 and 443. */
    readonly ports?: readonly number[] | undefined;
    /** Milliseconds for one attempt; default 10,000. */
    readonly timeout?: number | undefined;
    /** Certificates of the authorities that are trusted, in PEM form; default: those that come with Node. */
    readonly ca?: readonly string[] | undefined;
}
/** Loads what sends, and makes it ready. Throws `LOOM_PACKAGE_MISSING`. */
export declare function createSender({ allow, ports, timeout, ca }?: SendOptions): Promise<SendWebhook>;

// node/serve.d.ts
import type { Recovered } from '@loom-agent/agent';
import { type Auth } from '../web/access/identity.ts';
import { type FindKey, type KeyRecord } from '../web/access/keys.ts';
import type { HandlerOptions } from '../web/service/service.ts';
import { type Webhook } from '../webhook/drive-webhooks.ts';
import { type SendOptions } from './send-webhook.ts';
/** What is served, where, and to whom. */
export interface ServeOptions extends Omit<HandlerOptions, 'auth' | 'sessions'> {
    /** The address to listen on; default 127.0.0.1. Another one than a loopback address needs `keys` or `auth`. */
    readonly host?: string | undefined;
    /** The port; default 8000. 0 is any that is free. */
    readonly port?: number | undefined;
    /** The records of keys, or a function that finds one. */
    readonly keys?: readonly KeyRecord[] | FindKey | undefined;
    /** Another way to find out who sends a request. */
    readonly auth?: Auth | undefined;
    /** Milliseconds between two looks for threads that nobody drives, and for schedules that others have set; default 10,000. `false`: nothing is looked for. */
    readonly recover?: number | false | undefined;
    /** Notified of each thread that was driven on, or could not be. */
    readonly onRecovered?: ((recovered: Recovered) => void) | undefined;
    /** Receivers that are told what becomes of runs. Needs the package `@loom-agent/tools`. */
    readonly webhooks?: readonly Webhook[] | undefined;
    /** Where deliveries to webhooks may go; default: to public addresses. */
    readonly webhookReach?: SendOptions | undefined;
    /** Milliseconds that a client has for its whole request; default 60,000. One that is slower gets the status 408. For its headers it has 10,000 at most. */
    readonly slowest?: number | undefined;
    /** Answers what is not below `base`, such as the pages of a web app; default: not found. */
    readonly otherwise?: ((request: Request) => Promise<Response>) | undefined;
}
/** A server that listens. */
export interface LoomServer {
    /** Where it listens, such as `http://127.0.0.1:8000`. */
    readonly url: string;
    /** The same with the token of this start in its fragment, for a browser; undefined where keys or `auth` are given. */
    readonly startUrl: string | undefined;
    /** Takes on nothing more, hands on what is driven within `grace` milliseconds (default 20,000), and ends. */
    close(options?: {
        readonly grace?: number | undefined;
    }): Promise<void>;
}
/**
 * Serves agents over HTTP.
 *
 * @example
 * const server = await serve({ agents: [clerk], keys: [record], host: '0.0.0.0' })
 * process.once('SIGTERM', () => server.close())
 */
export declare function serve(options: ServeOptions): Promise<LoomServer>;

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

// webhook/attempt.d.ts
/** What becomes of a delivery after an attempt: a pure decision. */
/** How an attempt ended: with a status, or without a response. */
export type Attempt = {
    readonly status: number;
    readonly retryAfter?: number | undefined;
} | {
    readonly problem: string;
    readonly isFinal?: boolean;
};
/** How often and for how long a delivery is tried. */
export interface RetryPolicy {
    /** Milliseconds before the second attempt; each further wait is twice as long. Default 1,000. */
    readonly first?: number | undefined;
    /** Milliseconds between two attempts at most; default 300,000. */
    readonly longest?: number | undefined;
    /** Attempts that a delivery has at least, if its receiver does not refuse it for good; default 3. */
    readonly least?: number | undefined;
    /** Milliseconds after its event for which a delivery is tried again; default 24 hours. */
    readonly until?: number | undefined;
}
/** What comes next. */
export type Next = {
    readonly kind: 'delivered';
} | {
    readonly kind: 'again';
    readonly in: number;
} | {
    readonly kind: 'dropped';
    readonly problem: string;
};
/** Decides about the attempt of a number, for an event of an age in milliseconds. */
export declare function nextAfter(attempt: Attempt, tried: {
    readonly attempts: number;
    readonly age: number;
    readonly random: number;
}, policy?: RetryPolicy): Next;

// webhook/deliver.d.ts
import type { DroppedDelivery } from '@loom-agent/kernel';
import { type Attempt, type RetryPolicy } from './attempt.ts';
import type { Delivery } from './delivery.ts';
import { type Secrets } from './signature.ts';
/** What is sent to a receiver. */
export interface OutgoingDelivery {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
}
/** Sends a delivery once. */
export type SendWebhook = (delivery: OutgoingDelivery, signal: AbortSignal) => Promise<Attempt>;
/** A receiver, and how it is reached. */
export interface Receiver {
    readonly url: string;
    readonly secrets: Secrets;
    readonly retry?: RetryPolicy | undefined;
    readonly send: SendWebhook;
    readonly signal: AbortSignal;
}
/** What came of a page. */
export interface Delivered {
    readonly delivered: number;
    readonly dropped: readonly DroppedDelivery[];
}
/** Sends all deliveries, those of different threads side by side. Rejects when the signal is aborted. */
export declare function deliverAll(byThread: readonly (readonly Delivery[])[], receiver: Receiver): Promise<Delivered>;
/** Waits so many milliseconds, or rejects when the signal is aborted. */
export declare function sleep(ms: number, signal: AbortSignal): Promise<void>;

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

// webhook/drive-webhooks.d.ts
/**
 * Delivering to webhooks: what happens in the journal is sent to their receivers, in order per thread, at least once.
 *
 * WEBHOOK-2. The position in the feed is stored when everything up to it was received or given up: what a killed process has sent since is sent again, under
 *            the same ids.
 * WEBHOOK-3. Each webhook is delivered for by itself: a receiver that is dead delays no other.
 * WEBHOOK-4. Secrets are used and never stored.
 */
import { type Journal } from '@loom-agent/kernel';
import type { RetryPolicy } from './attempt.ts';
import { type SendWebhook } from './deliver.ts';
import type { WebhookKind } from './delivery.ts';
import { type Secrets } from './signature.ts';
/** A receiver, and what it is told. */
export interface Webhook {
    /** Its name: under it the journal knows how far it is. */
    readonly name: string;
    /** Where deliveries are sent. */
    readonly url: string;
    /** What deliveries are signed with: all of them sign, so that a receiver may know the old one or the new one. */
    readonly secrets: Secrets;
    /** What it is told: that a run is `done`, `waiting`, `failed` or `stopped`, that a question is `asked`; default: all of it. */
    readonly on?: readonly WebhookKind[] | undefined;
    /** Only about threads of these agents; default: of all. */
    readonly agents?: readonly string[] | undefined;
    /** Only about threads for which it returns true; default: about all. */
    readonly threads?: ((thread: string) => boolean) | undefined;
    /** How often and for how long a delivery is tried. */
    readonly retry?: RetryPolicy | undefined;
}
/** How webhooks are driven. */
export interface DriveWebhooksOptions {
    /** Sends a delivery once. */
    readonly send: SendWebhook;
    /** Ends the delivering. */
    readonly signal: AbortSignal;
    /** Milliseconds between two looks at a feed that has nothing new; default 500. */
    readonly every?: number | undefined;
    /** Notified of deliveries that were given up, and of what went wrong here. */
    readonly onError?: ((error: unknown) => void) | undefined;
}
/** Refuses webhooks that cannot be. */
export declare function checkWebhooks(webhooks: readonly Webhook[]): Promise<void>;
/** Delivers for webhooks until the signal is aborted. Resolves when what was under way has ended. */
export declare function driveWebhooks(journal: Journal, webhooks: readonly Webhook[], options: DriveWebhooksOptions): Promise<void>;

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
