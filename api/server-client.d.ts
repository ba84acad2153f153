// client/changing.d.ts
/** The operations that start, control, answer and remove. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Edit, ForkPlan, Input, ModelSettings, Question, ReplayReport } from '@loom-agent/agent';
import type { Failure, FileChange, FileConflict, JsonObject, Limits, Usage } from '@loom-agent/kernel';
import type { Lines } from './lines.ts';
/** The operations that start, control, answer and remove. */
export interface Changing {
    /** Exchanges the token that a browser was opened with for a cookie. */
    readonly openSession: {
        readonly body: {
            readonly token: string;
        };
        readonly reply: undefined;
    };
    /** Ends the session of this browser. */
    readonly endSession: {
        readonly reply: undefined;
    };
    /** Calls a tool by hand, as a run of one turn on a thread of its own: permissions, questions, limits and the record are those of any call. */
    readonly tryTool: {
        readonly params: {
            readonly agent: string;
            readonly tool: string;
        };
        readonly body: {
            readonly input: unknown;
            readonly thread?: string | undefined;
            readonly id?: string | undefined;
        };
        readonly reply: {
            readonly thread: string;
            readonly run: string;
            readonly seq: number;
        };
    };
    /** Starts a run. Returns when the start is durable; the run goes on whether the client stays or not. */
    readonly startRun: {
        readonly params: {
            readonly agent: string;
        };
        readonly body: {
            readonly input: Input;
            readonly thread?: string | undefined;
            readonly id?: string | undefined;
            readonly settings?: ModelSettings | undefined;
            readonly limits?: Limits | undefined;
            readonly metadata?: JsonObject | undefined;
            readonly pin?: boolean | undefined;
            readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined;
        };
        readonly reply: {
            readonly thread: string;
            readonly run: string;
            readonly seq: number;
        };
    };
    /** Starts a run, and returns its result when it ends or waits. */
    readonly runToRest: {
        readonly params: {
            readonly agent: string;
        };
        readonly body: {
            readonly input: Input;
            readonly thread?: string | undefined;
            readonly id?: string | undefined;
            readonly settings?: ModelSettings | undefined;
            readonly limits?: Limits | undefined;
            readonly metadata?: JsonObject | undefined;
            readonly pin?: boolean | undefined;
            readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined;
        };
        readonly reply: {
            readonly thread: string;
            readonly run: string;
            readonly status: 'done' | 'waiting' | 'stopped' | 'failed';
            readonly text: string;
            readonly output?: unknown;
            readonly finish?: string | undefined;
            readonly turns: number;
            readonly usage: Usage;
            readonly cost?: number | undefined;
            readonly questions: readonly Question[];
            readonly reason?: string | undefined;
            readonly kind?: string | undefined;
            readonly until?: number | undefined;
            readonly error?: Failure | undefined;
        };
    };
    /** Removes a thread and its children; not while one of them is driven, or read by a fork. */
    readonly removeThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: undefined;
    };
    /** Sets labels of a thread, and removes those that are null; others stay. */
    readonly labelThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly labels: {
                readonly [name: string]: unknown;
            };
        };
        readonly reply: undefined;
    };
    /** Adds a message for the next turn. */
    readonly steerThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly text: string;
            readonly priority?: number | undefined;
        };
        readonly reply: undefined;
    };
    /** Asks the run under way to pause at its next safe point. */
    readonly pauseThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: undefined;
    };
    /** Goes on with a thread: after a pause, a failure, a raised limit, or a process that is gone. */
    readonly resumeThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: undefined;
    };
    /** Stops the run under way, also one that no process drives. Returns when the request is durable. */
    readonly stopThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly reason?: string | undefined;
        };
        readonly reply: undefined;
    };
    /** Asks for a shorter context before the next model call. */
    readonly compactThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: undefined;
    };
    /** Sends a value to a thread: to the first open wait of this name, or to the next one. */
    readonly signalThread: {
        readonly params: {
            readonly thread: string;
            readonly signal: string;
        };
        readonly body: {
            readonly value?: unknown;
        };
        readonly reply: undefined;
    };
    /** Ends the quarantine of a thread that was imported. */
    readonly adoptThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly agent?: string | undefined;
        };
        readonly reply: undefined;
    };
    /** Forks a thread. The thread itself is only read. */
    readonly forkThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly at: number;
            readonly thread?: string | undefined;
            readonly edits?: readonly Edit[] | undefined;
            readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined;
            readonly limits?: Limits | undefined;
            readonly resume?: boolean | undefined;
        };
        readonly reply: {
            readonly thread: string;
            readonly from: string;
            readonly plan: ForkPlan;
        };
    };
    /** What such a fork would reuse, run and risk; nothing is made. */
    readonly planFork: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly at: number;
            readonly thread?: string | undefined;
            readonly edits?: readonly Edit[] | undefined;
            readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined;
            readonly limits?: Limits | undefined;
        };
        readonly reply: ForkPlan;
    };
    /** Forks a thread, and puts the files of its workspace back as they were then. Sent again with the same id of the fork, it goes on. */
    readonly rewindThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly at: number;
            readonly thread?: string | undefined;
            readonly edits?: readonly Edit[] | undefined;
            readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined;
            readonly limits?: Limits | undefined;
            readonly from?: string | undefined;
        };
        readonly reply: {
            readonly thread: string;
            readonly from: string;
            readonly plan: ForkPlan;
            readonly folder: string;
            readonly files: readonly FileChange[];
            readonly conflicts: readonly FileConflict[];
            readonly unseen: readonly string[];
            readonly shared: readonly string[];
        };
    };
    /** What such a rewind would do to files and to the thread; nothing is made or changed. */
    readonly planRewind: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly at: number;
            readonly thread?: string | undefined;
            readonly edits?: readonly Edit[] | undefined;
            readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined;
            readonly limits?: Limits | undefined;
            readonly from?: string | undefined;
        };
        readonly reply: {
            readonly fork: ForkPlan;
            readonly folder: string;
            readonly files: readonly FileChange[];
            readonly conflicts: readonly FileConflict[];
            readonly unseen: readonly string[];
            readonly shared: readonly string[];
        };
    };
    /** Sets where the runs of a thread stop, in place of the breakpoints before; also of its open children, and of those that it starts. */
    readonly setBreakpoints: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly breakpoints: readonly {
                readonly id?: string | undefined;
                readonly hook?: 'beforeIterationStart' | 'beforeContextAssembly' | 'afterContextAssembly' | 'beforeModelCall' | 'afterModelReply' | 'beforeToolExecution' | 'afterToolExecution' | 'beforeRecursion' | 'afterIterationEnd' | undefined;
                readonly tool?: string | undefined;
                readonly cost?: number | undefined;
                readonly depth?: number | undefined;
                readonly error?: boolean | undefined;
                readonly once?: boolean | undefined;
            }[];
        };
        readonly reply: undefined;
    };
    /** Goes on with a run that has stopped: to the next place, over its children, out of a child, or without another stop by a step. */
    readonly stepThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly how: 'into' | 'over' | 'out' | 'continue';
        };
        readonly reply: undefined;
    };
    /** Answers a question, and lets its thread go on. The author is who sends it. */
    readonly answerQuestion: {
        readonly params: {
            readonly question: string;
        };
        readonly body: {
            readonly kind: 'approve' | 'edit' | 'reject' | 'respond';
            readonly scope?: 'thread' | undefined;
            readonly limits?: Limits | undefined;
            readonly input?: unknown;
            readonly reason?: string | undefined;
            readonly value?: unknown;
            readonly digest?: string | undefined;
        };
        readonly reply: undefined;
    };
    /** What a thread would have sent to the model with other options, turn by turn. Nothing is called and nothing is appended. */
    readonly replayThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly body: {
            readonly mode?: 'stop-at-divergence' | 'continue-recorded' | undefined;
            readonly instructions?: string | undefined;
            readonly model?: string | undefined;
            readonly settings?: ModelSettings | undefined;
            readonly window?: number | undefined;
            readonly context?: {
                readonly strategy?: 'own' | 'everything' | 'window' | 'compress' | undefined;
                readonly turns?: number | undefined;
                readonly tokens?: number | undefined;
                readonly max?: number | undefined;
                readonly trigger?: number | undefined;
                readonly target?: number | undefined;
                readonly keep?: readonly {
                    readonly kind: 'pin' | 'results' | 'tokens' | 'turns';
                    readonly entries?: readonly {
                        readonly origin?: string | undefined;
                        readonly number?: number | undefined;
                        readonly item?: string | undefined;
                    }[] | undefined;
                    readonly tool?: string | undefined;
                    readonly more?: number | undefined;
                }[] | undefined;
            } | undefined;
        };
        readonly reply: ReplayReport;
    };
    /** Stores a thread that was exported as lines. It can be read and removed, and runs nothing until it is adopted. */
    readonly importThread: {
        readonly lines: Lines;
        readonly reply: {
            readonly thread: string;
            readonly row: {
                readonly thread: string;
                readonly incarnation: string;
                readonly status: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial';
                readonly agent?: string | undefined;
                readonly parent?: string | undefined;
                readonly labels?: unknown;
                readonly wakeAt?: number | undefined;
                readonly quarantined?: boolean | undefined;
                readonly seq: number;
                readonly epoch: number;
                readonly holder?: string | undefined;
                readonly forkOf?: string | undefined;
                readonly began: number;
                readonly changed: number;
            };
        };
    };
}

// client/client.d.ts
/** The typed client: a method for each operation of a server. */
import { type Operations } from './operations.ts';
/** How a server is reached. */
export interface ClientOptions {
    /** Where the routes begin, such as `http://127.0.0.1:8000/api/v1`. */
    readonly url: string;
    /** The key; default: none, and in a browser the cookie of its session. */
    readonly key?: string | undefined;
    /** What sends requests; default: the platform's. */
    readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}
/** How one request is sent. */
export interface CallOptions {
    /** Ends the request, and a stream. */
    readonly signal?: AbortSignal | undefined;
}
type Given<O> = O extends {
    readonly query: infer Q;
} ? Q : O extends {
    readonly body: infer B;
} ? B : O extends {
    readonly lines: infer L;
} ? L : never;
type Params<O> = O extends {
    readonly params: infer P;
} ? [params: P] : [];
type Rest<O> = [Given<O>] extends [never] ? [options?: CallOptions] : object extends Given<O> ? [given?: Given<O>, options?: CallOptions] : [given: Given<O>, options?: CallOptions];
type Reply<O> = O extends {
    readonly reply: infer R;
} ? R : never;
type Streamed<R> = R extends AsyncIterableIterator<unknown> ? R : Promise<R>;
/** A method for each operation: what stands in the path, then the query or the body, then options. */
export type Client = {
    readonly [Name in keyof Operations]: (...given: [...Params<Operations[Name]>, ...Rest<Operations[Name]>]) => Streamed<Reply<Operations[Name]>>;
};
/**
 * Makes a client. What the server refuses is thrown as a `LoomError` with the same code; streams open again by themselves.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8000/api/v1', key })
 * const { thread } = await client.startRun({ agent: 'clerk' }, { input: 'Hi', id: 'click-1' })
 * for await (const { event, data } of client.streamThread({ thread }, { until: 'rest' })) console.log(event, data)
 */
export declare function createClient(options: ClientOptions): Client;
export {};

// client/index.d.ts
/** The typed client of a server of Loom, for browsers and programs. */
export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
export type { Lines } from './lines.ts';
export type { Operation, Operations } from './operations.ts';
export type { PlainCall, PlainFrame, PlainRun } from './plain-frame.ts';
export type { ServerMessage, Stream } from './stream.ts';

// client/lines.d.ts
/** Lines that are sent: an exported thread. */
/** The text of the lines, their bytes, or a file that has them. */
export type Lines = string | Uint8Array<ArrayBuffer> | Blob;

// client/operations.d.ts
/** How operations are sent. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Changing } from './changing.ts';
import type { Reading } from './reading.ts';
import type { Scheduling } from './scheduling.ts';
import type { ThreadReading } from './thread-reading.ts';
/** What each operation takes and returns. */
export interface Operations extends Reading, ThreadReading, Changing, Scheduling {
}
/** How an operation is sent, and what comes back. */
export interface Operation {
    /** The method. */
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /** The path, with names in braces. */
    readonly path: string;
    /** What comes back. */
    readonly kind: 'json' | 'text' | 'bytes' | 'stream';
    /** Where the second argument goes. */
    readonly given: 'query' | 'body' | 'lines' | undefined;
}
/** How each operation is sent. */
export declare const operations: {
    readonly [Name in keyof Operations]: Operation;
};

// client/plain-frame.d.ts
/** A frame as a server sends it. */
import type { Call, Entry, Frame, Run, StepRecord } from '@loom-agent/kernel';
/** A list in place of a tree. */
type Lists<T, K extends keyof T> = {
    readonly [Name in K]: T[Name] extends {
        readonly root: infer Node;
    } ? readonly ItemOf<Node>[] : never;
};
type ItemOf<Node> = Node extends readonly (infer Item)[] ? Exclude<Item, readonly unknown[]> : never;
/** A call as a server sends it. */
export type PlainCall = Omit<Call, 'done'> & {
    /** The records of its steps. */
    readonly done: readonly StepRecord[];
};
/** A run as a server sends it. */
export type PlainRun = Omit<Run, 'calls'> & {
    /** The calls of the run. */
    readonly calls: readonly PlainCall[];
};
/** The state of a thread after an event, with lists as JSON has them. */
export type PlainFrame = Omit<Frame, 'run' | 'history' | 'starts' | 'summaries' | 'answered'> & {
    /** The run that is under way, or was the last. */
    readonly run?: PlainRun;
    /** The entries of the conversation. */
    readonly history: readonly Entry[];
} & Lists<Frame, 'starts' | 'summaries' | 'answered'>;
export {};

// client/reading.d.ts
/** The operations that look at more than one thread. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Question } from '@loom-agent/agent';
import type { JournalTraits, Limits } from '@loom-agent/kernel';
import type { Advice, ComparedStep, MetricsSeries, MetricsSummary, ProjectorCounts, ResourceSample, Step, StepTotals } from '@loom-agent/telemetry';
import type { Stream } from './stream.ts';
/** The operations that look at more than one thread. */
export interface Reading {
    /** Whether the server can be reached, and can reach its journal. */
    readonly getHealth: {
        readonly reply: {
            readonly ok: boolean;
        };
    };
    /** What is served, to whom, and how much of it is under way. */
    readonly getInfo: {
        readonly reply: {
            readonly agents: readonly string[];
            readonly journal: unknown;
            readonly identity: {
                readonly name: string;
                readonly scopes: readonly string[];
            };
            readonly runs: number;
            readonly streams: number;
            readonly events: unknown;
        };
    };
    /** What this server is and does: versions, journal, workers, what it holds, what its process uses. */
    readonly getSystem: {
        readonly reply: {
            readonly about: {
                readonly [name: string]: string;
            };
            readonly started: number;
            readonly now: number;
            readonly agents: readonly string[];
            readonly features: readonly string[];
            readonly journal: JournalTraits;
            readonly events: unknown;
            readonly threads: {
                readonly [name: string]: {
                    readonly threads: number;
                    readonly isMore: boolean;
                };
            };
            readonly workers: readonly {
                readonly worker: string;
                readonly threads: number;
            }[];
            readonly load: {
                readonly runs: number;
                readonly streams: number;
            };
            readonly limits: {
                readonly body: number;
                readonly upload: number;
            };
            readonly views: ProjectorCounts;
            readonly resources?: readonly ResourceSample[] | undefined;
        };
    };
    /** The agents that are served. */
    readonly listAgents: {
        readonly reply: {
            readonly items: readonly {
                readonly name: string;
                readonly description: string;
                readonly model?: string | undefined;
                readonly fingerprint: string;
                readonly tools?: readonly {
                    readonly name: string;
                    readonly description?: string | undefined;
                    readonly effect: 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe';
                    readonly input: unknown;
                    readonly permission: 'allow' | 'ask' | 'deny' | 'by call';
                    readonly ruleName?: string | undefined;
                    readonly isDurable: boolean;
                    readonly isSerial: boolean;
                    readonly timeout?: number | undefined;
                }[] | undefined;
                readonly instructions?: string | undefined;
                readonly output?: unknown;
                readonly permissions?: {
                    readonly mode: 'plan' | 'default' | 'accept-edits' | 'auto' | 'bypass';
                    readonly isShadow: boolean;
                    readonly rules: readonly {
                        readonly id: string;
                        readonly tool: string;
                        readonly verdict: 'allow' | 'ask' | 'deny';
                        readonly effects?: readonly ('pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe')[] | undefined;
                        readonly input?: unknown;
                        readonly isConditional: boolean;
                        readonly reason?: string | undefined;
                        readonly approvers?: number | undefined;
                        readonly expires?: number | undefined;
                    }[];
                    readonly defaults: readonly {
                        readonly id: string;
                        readonly verdict: 'allow' | 'ask' | 'deny';
                    }[];
                } | undefined;
                readonly limits: Limits;
                readonly settings?: unknown;
                readonly context: string;
                readonly window?: number | undefined;
                readonly hooks: readonly {
                    readonly name?: string | undefined;
                    readonly points: readonly ('beforeIterationStart' | 'beforeContextAssembly' | 'afterContextAssembly' | 'beforeModelCall' | 'afterModelReply' | 'beforeToolExecution' | 'afterToolExecution' | 'beforeRecursion' | 'afterIterationEnd')[];
                }[];
                readonly guards: readonly string[];
                readonly workspace?: string | undefined;
                readonly functions: readonly ('instructions' | 'tools' | 'deps')[];
            }[];
        };
    };
    /** An agent, with its tools, its rules and its limits. */
    readonly getAgent: {
        readonly params: {
            readonly agent: string;
        };
        readonly reply: {
            readonly name: string;
            readonly description: string;
            readonly model?: string | undefined;
            readonly fingerprint: string;
            readonly tools?: readonly {
                readonly name: string;
                readonly description?: string | undefined;
                readonly effect: 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe';
                readonly input: unknown;
                readonly permission: 'allow' | 'ask' | 'deny' | 'by call';
                readonly ruleName?: string | undefined;
                readonly isDurable: boolean;
                readonly isSerial: boolean;
                readonly timeout?: number | undefined;
            }[] | undefined;
            readonly instructions?: string | undefined;
            readonly output?: unknown;
            readonly permissions?: {
                readonly mode: 'plan' | 'default' | 'accept-edits' | 'auto' | 'bypass';
                readonly isShadow: boolean;
                readonly rules: readonly {
                    readonly id: string;
                    readonly tool: string;
                    readonly verdict: 'allow' | 'ask' | 'deny';
                    readonly effects?: readonly ('pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe')[] | undefined;
                    readonly input?: unknown;
                    readonly isConditional: boolean;
                    readonly reason?: string | undefined;
                    readonly approvers?: number | undefined;
                    readonly expires?: number | undefined;
                }[];
                readonly defaults: readonly {
                    readonly id: string;
                    readonly verdict: 'allow' | 'ask' | 'deny';
                }[];
            } | undefined;
            readonly limits: Limits;
            readonly settings?: unknown;
            readonly context: string;
            readonly window?: number | undefined;
            readonly hooks: readonly {
                readonly name?: string | undefined;
                readonly points: readonly ('beforeIterationStart' | 'beforeContextAssembly' | 'afterContextAssembly' | 'beforeModelCall' | 'afterModelReply' | 'beforeToolExecution' | 'afterToolExecution' | 'beforeRecursion' | 'afterIterationEnd')[];
            }[];
            readonly guards: readonly string[];
            readonly workspace?: string | undefined;
            readonly functions: readonly ('instructions' | 'tools' | 'deps')[];
        };
    };
    /** Threads, page by page; those that changed last first. */
    readonly listThreads: {
        readonly query: {
            readonly agent?: string | undefined;
            readonly status?: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial' | undefined;
            readonly parent?: string | undefined;
            readonly labels?: string | undefined;
            readonly sort?: 'id' | 'changed' | 'latest' | undefined;
            readonly since?: number | undefined;
            readonly before?: number | undefined;
            readonly after?: string | undefined;
            readonly limit?: number | undefined;
        };
        readonly reply: {
            readonly items: readonly {
                readonly thread: string;
                readonly incarnation: string;
                readonly status: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial';
                readonly agent?: string | undefined;
                readonly parent?: string | undefined;
                readonly labels?: unknown;
                readonly wakeAt?: number | undefined;
                readonly quarantined?: boolean | undefined;
                readonly seq: number;
                readonly epoch: number;
                readonly holder?: string | undefined;
                readonly forkOf?: string | undefined;
                readonly began: number;
                readonly changed: number;
            }[];
            readonly next?: string | undefined;
        };
    };
    /** The open questions: of a thread and its children, of an agent, or of all. */
    readonly listQuestions: {
        readonly query: {
            readonly thread?: string | undefined;
            readonly agent?: string | undefined;
        };
        readonly reply: {
            readonly items: readonly Question[];
        };
    };
    /** Two threads, or two moments, step by step: what they begin with, and then aligned by what each step is. */
    readonly compareThreads: {
        readonly query: {
            readonly a: string;
            readonly b: string;
            readonly from?: number | undefined;
            readonly limit?: number | undefined;
        };
        readonly reply: {
            readonly a: string;
            readonly b: string;
            readonly common: number;
            readonly last?: {
                readonly a: Step;
                readonly b: Step;
            } | undefined;
            readonly counts: {
                readonly same: number;
                readonly changed: number;
                readonly removed: number;
                readonly added: number;
            };
            readonly totals: {
                readonly a: StepTotals;
                readonly b: StepTotals;
            };
            readonly isBest: boolean;
            readonly items: readonly ComparedStep[];
            readonly next?: number | undefined;
        };
    };
    /** Figures of the runs of all threads, and what they suggest. */
    readonly getMetrics: {
        readonly query: {
            readonly agent?: string | undefined;
            readonly since?: number | undefined;
            readonly before?: number | undefined;
        };
        readonly reply: {
            readonly summary: MetricsSummary;
            readonly advice: readonly Advice[];
        };
    };
    /** The same figures as Prometheus reads them. */
    readonly getPrometheus: {
        readonly query: {
            readonly agent?: string | undefined;
            readonly since?: number | undefined;
            readonly before?: number | undefined;
        };
        readonly reply: string;
    };
    /** Figures of runs over time, in equal steps, by when the runs started. */
    readonly getMetricsSeries: {
        readonly query: {
            readonly agent?: string | undefined;
            readonly from?: number | undefined;
            readonly to?: number | undefined;
            readonly step?: number | undefined;
            readonly by?: 'all' | 'agent' | 'model' | 'status' | undefined;
        };
        readonly reply: MetricsSeries;
    };
    /** Several topics as one stream of server-sent events: `threads` (what changes in all of them), `thread:<id>`, `tree:<id>`. */
    readonly streamTopics: {
        readonly query: {
            readonly topics: string;
            readonly after?: string | undefined;
        };
        readonly reply: Stream;
    };
}

// client/scheduling.d.ts
/** The operations of schedules and webhooks. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Input, ModelSettings } from '@loom-agent/agent';
import type { DroppedDelivery, DueRun, JsonObject, Limits, ScheduledStart, Timing } from '@loom-agent/kernel';
/** The operations of schedules and webhooks. */
export interface Scheduling {
    /** The schedules, by name, each with its next due times. */
    readonly listSchedules: {
        readonly reply: {
            readonly items: readonly {
                readonly name: string;
                readonly agent: string;
                readonly timing: Timing;
                readonly start: ScheduledStart;
                readonly missed: 'skip' | 'once' | 'all';
                readonly most: number;
                readonly grace: number;
                readonly paused: boolean;
                readonly next: readonly number[];
                readonly last: readonly DueRun[];
            }[];
        };
    };
    /** A schedule with its next due times. */
    readonly getSchedule: {
        readonly params: {
            readonly schedule: string;
        };
        readonly query: {
            readonly count?: number | undefined;
        };
        readonly reply: {
            readonly name: string;
            readonly agent: string;
            readonly timing: Timing;
            readonly start: ScheduledStart;
            readonly missed: 'skip' | 'once' | 'all';
            readonly most: number;
            readonly grace: number;
            readonly paused: boolean;
            readonly next: readonly number[];
            readonly last: readonly DueRun[];
        };
    };
    /** Sets a schedule, or changes the one of this name. Due times from now on count. */
    readonly setSchedule: {
        readonly params: {
            readonly schedule: string;
        };
        readonly body: {
            readonly agent: string;
            readonly input: Input;
            readonly at?: number | undefined;
            readonly every?: string | undefined;
            readonly zone?: string | undefined;
            readonly until?: number | undefined;
            readonly thread?: string | undefined;
            readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined;
            readonly limits?: Limits | undefined;
            readonly settings?: ModelSettings | undefined;
            readonly metadata?: JsonObject | undefined;
            readonly missed?: 'skip' | 'once' | 'all' | undefined;
            readonly most?: number | undefined;
            readonly grace?: number | undefined;
            readonly paused?: boolean | undefined;
        };
        readonly reply: {
            readonly name: string;
            readonly agent: string;
            readonly timing: Timing;
            readonly start: ScheduledStart;
            readonly missed: 'skip' | 'once' | 'all';
            readonly most: number;
            readonly grace: number;
            readonly paused: boolean;
            readonly next: readonly number[];
            readonly last: readonly DueRun[];
        };
    };
    /** Removes a schedule and its record. The runs that it has started stay. */
    readonly removeSchedule: {
        readonly params: {
            readonly schedule: string;
        };
        readonly reply: undefined;
    };
    /** Pauses a schedule: it starts nothing until it is let go on. */
    readonly pauseSchedule: {
        readonly params: {
            readonly schedule: string;
        };
        readonly reply: {
            readonly name: string;
            readonly agent: string;
            readonly timing: Timing;
            readonly start: ScheduledStart;
            readonly missed: 'skip' | 'once' | 'all';
            readonly most: number;
            readonly grace: number;
            readonly paused: boolean;
            readonly next: readonly number[];
            readonly last: readonly DueRun[];
        };
    };
    /** Lets a paused schedule go on. Due times from now on count. */
    readonly resumeSchedule: {
        readonly params: {
            readonly schedule: string;
        };
        readonly reply: {
            readonly name: string;
            readonly agent: string;
            readonly timing: Timing;
            readonly start: ScheduledStart;
            readonly missed: 'skip' | 'once' | 'all';
            readonly most: number;
            readonly grace: number;
            readonly paused: boolean;
            readonly next: readonly number[];
            readonly last: readonly DueRun[];
        };
    };
    /** Takes a delivery of another program, which its signature names: starts or steers a run, or does nothing. Sent twice, it is one run. */
    readonly takeDelivery: {
        readonly params: {
            readonly hook: string;
        };
        readonly reply: {
            readonly thread: string;
            readonly run: string;
            readonly seq: number;
        };
    };
    /** The webhooks of which the journal knows how far they are. */
    readonly listWebhooks: {
        readonly reply: {
            readonly items: readonly {
                readonly name: string;
                readonly cursor: string;
                readonly moved: number;
                readonly holder?: string | undefined;
                readonly dropped: readonly DroppedDelivery[];
            }[];
        };
    };
}

// client/stream.d.ts
/**
 * Reading streams of a server, again and again.
 *
 * CLIENT-1. A stream that is cut off is opened again behind the last message that has a cursor: no event is missed, and none comes twice. What was only
 *     live in between is not repeated: events replace it.
 */
import { LoomError } from '@loom-agent/kernel';
/** A message of a stream. */
export interface ServerMessage {
    /** `event`, `signal`, `thread`, `removed`, `end`, or `problem` of one topic. */
    readonly event: string;
    /** What it carries. */
    readonly data: unknown;
    /** What the stream continues behind; signals have none. */
    readonly cursor?: string;
}
/** The messages of a stream, until it ends or is left. */
export type Stream = AsyncIterableIterator<ServerMessage, void>;
/** Opens the stream behind a cursor. Throws a `LoomError` for a problem that trying again does not solve. */
export type OpenStream = (after: string | undefined) => Promise<Response>;
/** The error of a problem as it was sent. */
export declare function errorOf(problem: unknown): LoomError;
/** Reads a stream, and opens it again when it was cut off, until it ends or the signal is aborted. */
export declare function readStream(open: OpenStream, after: string | undefined, signal: AbortSignal | undefined): AsyncGenerator<ServerMessage, void>;

// client/thread-reading.d.ts
/** The operations that look at one thread. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Difference, Explanation, Presence, RequestAt, TurnSummary } from '@loom-agent/agent';
import type { Breakpoint, LoomEvent } from '@loom-agent/kernel';
import type { ChainedCall, ChatItem, Columns, ContextMatrix, CostNode, EventHeader, Overview, RunMetrics, TurnChanges } from '@loom-agent/telemetry';
import type { PlainFrame } from './plain-frame.ts';
import type { Stream } from './stream.ts';
/** The operations that look at one thread. */
export interface ThreadReading {
    /** A thread as it is now. */
    readonly getThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: {
            readonly thread: string;
            readonly incarnation: string;
            readonly status: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial';
            readonly agent?: string | undefined;
            readonly parent?: string | undefined;
            readonly labels?: unknown;
            readonly wakeAt?: number | undefined;
            readonly quarantined?: boolean | undefined;
            readonly seq: number;
            readonly epoch: number;
            readonly holder?: string | undefined;
            readonly forkOf?: string | undefined;
            readonly began: number;
            readonly changed: number;
        };
    };
    /** Where the runs of a thread stop, and where the run under way has stopped. */
    readonly getBreakpoints: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: {
            readonly items: readonly Breakpoint[];
            readonly isPaused: boolean;
            readonly at?: string | undefined;
        };
    };
    /** Events of a thread, as they are stored. */
    readonly listEvents: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly from?: number | undefined;
            readonly limit?: number | undefined;
            readonly types?: string | undefined;
        };
        readonly reply: {
            readonly items: readonly LoomEvent[];
            readonly next?: number | undefined;
        };
    };
    /** Events of a thread in one line each, without their data. */
    readonly listEventHeaders: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly from?: number | undefined;
            readonly limit?: number | undefined;
            readonly types?: string | undefined;
        };
        readonly reply: {
            readonly items: readonly EventHeader[];
            readonly next?: number | undefined;
        };
    };
    /** One event with its data. */
    readonly getEvent: {
        readonly params: {
            readonly thread: string;
            readonly seq: string;
        };
        readonly reply: LoomEvent;
    };
    /** Bytes that an event of the thread refers to. */
    readonly getBlob: {
        readonly params: {
            readonly thread: string;
            readonly hash: string;
        };
        readonly reply: Uint8Array;
    };
    /** A part of the data of an event, as text: the value at a path, from one character to another. */
    readonly getPayload: {
        readonly params: {
            readonly thread: string;
            readonly seq: string;
        };
        readonly query: {
            readonly path?: string | undefined;
            readonly from?: number | undefined;
            readonly length?: number | undefined;
        };
        readonly reply: {
            readonly text: string;
            readonly isText: boolean;
            readonly length: number;
            readonly next?: number | undefined;
        };
    };
    /** The spans of a thread, in columns. */
    readonly getSkeleton: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: Columns;
    };
    /** Costs, tokens, errors and parallel calls of a thread over time, in buckets. */
    readonly getOverview: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
            readonly buckets?: number | undefined;
        };
        readonly reply: Overview;
    };
    /** What a thread has cost, as a tree. */
    readonly getCosts: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: CostNode;
    };
    /** A thread as a conversation. */
    readonly getChat: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: readonly ChatItem[];
    };
    /** The calls of a thread, in order. */
    readonly getToolChain: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: readonly ChainedCall[];
    };
    /** Which request has shown which entry of the history how. */
    readonly getContextMatrix: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: ContextMatrix;
    };
    /** Figures of the runs of a thread. */
    readonly getRunMetrics: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: readonly RunMetrics[];
    };
    /** What became of the files of workspaces, turn by turn. */
    readonly getFileChanges: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: readonly TurnChanges[];
    };
    /** A thread for another tool: speedscope, Perfetto, a receiver of OpenTelemetry, or a reader of Markdown. */
    readonly exportThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly format: 'speedscope' | 'chrome' | 'otlp' | 'markdown';
            readonly at?: number | undefined;
        };
        readonly reply: unknown;
    };
    /** The state of a thread after an event, folded from its events. */
    readonly getFrame: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: PlainFrame;
    };
    /** Where two moments differ, of one thread or of two. */
    readonly getDifference: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly from: number;
            readonly to: number;
            readonly with?: string | undefined;
        };
        readonly reply: {
            readonly items: readonly Difference[];
        };
    };
    /** The turns of a thread, in order. */
    readonly listTurns: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: {
            readonly items: readonly TurnSummary[];
        };
    };
    /** What the model was sent at a moment, rendered again from the record, with marks in place of secrets. */
    readonly getRequest: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
        };
        readonly reply: RequestAt;
    };
    /** What a request held, what it did not hold, and why. */
    readonly getExplanation: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly at?: number | undefined;
            readonly turn?: number | undefined;
            readonly text?: string | undefined;
            readonly seq?: number | undefined;
            readonly call?: string | undefined;
            readonly item?: string | undefined;
        };
        readonly reply: Explanation;
    };
    /** Which entries of a thread were in the requests of which turns. */
    readonly getPresence: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly text?: string | undefined;
            readonly seq?: number | undefined;
            readonly call?: string | undefined;
            readonly item?: string | undefined;
        };
        readonly reply: Presence;
    };
    /** The events whose data holds some words, in any letter case. */
    readonly searchThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly words: string;
        };
        readonly reply: {
            readonly items: readonly unknown[];
        };
    };
    /** A thread with all that it needs, as lines that can be imported: its children, and the past of a fork. */
    readonly exportWholeThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly reply: Uint8Array;
    };
    /** The events of a thread as they are stored, and its signals where this server drives it, as server-sent events. */
    readonly streamThread: {
        readonly params: {
            readonly thread: string;
        };
        readonly query: {
            readonly after?: string | undefined;
            readonly nested?: boolean | undefined;
            readonly until?: 'rest' | undefined;
        };
        readonly reply: Stream;
    };
}
