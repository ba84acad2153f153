// studio/index.d.ts
/** The studio: the web app that looks at the threads of a server. */
export type { StudioFile, StudioFiles } from './studio-files.ts';
export { studioHandler } from './studio-handler.ts';

// studio/studio-files.d.ts
/** The files of the studio, wherever they come from. */
/** A file of the studio. */
export interface StudioFile {
    /** Its bytes. */
    readonly bytes: Uint8Array<ArrayBuffer>;
    /** Its media type. */
    readonly type: string;
}
/** Finds a file by its path, such as `/index.html`; `undefined` when there is none. */
export type StudioFiles = (path: string) => Promise<StudioFile | undefined>;

// studio/studio-handler.d.ts
import type { Handler } from '../web/handler.ts';
import type { StudioFiles } from './studio-files.ts';
/**
 * Makes the web function that serves the studio. It serves files only: what they show, they ask the routes of the same server for.
 *
 * @example
 * const server = await serve({ agents: [clerk], otherwise: studioHandler() })
 * console.log(server.startUrl)
 */
export declare function studioHandler(files?: StudioFiles): Handler;

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
