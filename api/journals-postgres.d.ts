// postgres/committer.d.ts
/**
 * Group commit without a timer: what is submitted while statements are under way is one statement, and one commit.
 *
 * No batch waits for a group to fill: a group is sent as soon as the writers of the last one have their results. At most two groups are under way, so
 * that one is prepared while the server works on the other. A batch that is refused, or fails, fails alone.
 *
 * PG-6. The batches of a thread are sent in the order in which they came, each after the verdict on the one before.
 * PG-7. A batch whose outcome is not known is sent again, under the same id (JOURNAL-2), until there is a verdict or its deadline has passed. It is
 *       never reported as stored, or as not stored, before the server has said so.
 */
import { type AppendResult } from '@loom-agent/kernel';
import type { StorableBatch } from '../storage/storable-batch.ts';
import { type Database } from './database.ts';
/** How much was committed. */
export interface CommitCounts {
    /** Statements that appended, each one commit. */
    readonly commits: number;
    /** Batches in them. */
    readonly batches: number;
    /** How often something was sent again. */
    readonly retries: number;
    /** Statements of all kinds that were sent. */
    readonly statements: number;
}
/** Commits batches. */
export interface Committer {
    submit(batch: StorableBatch, flush: boolean): Promise<AppendResult>;
    /** Stops waiting for a server that is gone; resolves when nothing is left to be committed. */
    end(): Promise<void>;
    counts(): Omit<CommitCounts, 'statements'>;
}
/** Called with every result, before its writer has it; `hasAudience` says whether other processes are to be notified. */
export type OnResult = (batch: StorableBatch, result: AppendResult, hasAudience: boolean) => void;
/** A committer. */
export declare function createCommitter(database: Database, onResult: OnResult): Committer;

// postgres/database.d.ts
import type { LoomError } from '@loom-agent/kernel';
import { type Instance } from '../storage/liveness.ts';
import { type Result, type Row, type Value } from './driver.ts';
import type { Config } from './options.ts';
/** The open database, for every part of the journal. */
export interface Database {
    readonly config: Config;
    /** The schema, quoted. */
    readonly s: string;
    readonly here: Instance;
    /** Threads found damaged: the number of the row, and the error that says so. */
    readonly damaged: Map<string, {
        readonly number: string;
        readonly error: LoomError;
    }>;
    /** Whether the journal was open once: from then on a server that is gone is waited for. */
    wasReady(): boolean;
    /** Whether the server has replied once. */
    wasReached(): boolean;
    /** Returns the rows of a statement; waits while the server is gone. The server may perform the statement twice. */
    ask(statement: string, values?: readonly Value[]): Promise<readonly Row[]>;
    /** Returns the rows of a statement; does not wait for a server that is gone. */
    run(statement: string, values?: readonly Value[]): Promise<readonly Row[]>;
    /** The same, on the connection for appends. */
    write(statement: string, values: readonly Value[]): Promise<Result>;
    /** Closes all connections: their server is not the right one any more. */
    renew(): void;
    /** Ensures that a connection of its own listens. It stays open, and costs nothing when nothing arrives; `notified` is called with what does. */
    listen(channel: string, notified: (text: string) => void): Promise<void>;
    /** Statements sent so far. */
    sent(): number;
    end(): Promise<void>;
}
/** The database of the options; nothing is connected before it is used. */
export declare function createDatabase(config: Config): Database;
/**
 * Whether trying again may help. A server that was never reached is not waited for, unless it says that it is starting. While the journal is first
 * opened, a connection that breaks is made again; a server in the wrong role is not waited for.
 */
export declare function isWorthRetrying(error: unknown, { wasReady, wasReached }: Pick<Database, 'wasReady' | 'wasReached'>): boolean;
/** How long to wait before the next try, in milliseconds: longer each time, and not the same for two writers. */
export declare function retryDelay(tries: number): number;

// postgres/driver.d.ts
import type { Config } from './options.ts';
/** A value for the server. Everything is sent as text: the driver may convert other values twice when it sends them again. */
export type Value = string | number | null;
/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>;
/** Whether a value of a row is a row itself: a column of JSON. */
export declare const isRow: (value: unknown) => value is Row;
/** The rows of a result, and how many rows the statement has read or written. */
export type Result = readonly Row[] & {
    readonly count: number;
};
/** Connections to one database. */
export interface Sql {
    unsafe(statement: string, values?: readonly Value[], options?: {
        readonly prepare: boolean;
    }): Promise<Result>;
    end(options: {
        readonly timeout: number;
    }): Promise<unknown>;
}
/** Makes connections, at their first use. */
export type Driver = (address: unknown, options: object) => Sql;
/** Loads the driver. */
export declare function loadDriver({ driver }: Config): Promise<Driver>;

// postgres/index.d.ts
/** Loom's journal in a PostgreSQL database. */
export type { CommitCounts } from './committer.ts';
export type { PostgresAddress, PostgresMode, PostgresOptions, PostgresPool, PostgresPorts } from './options.ts';
export { type PostgresJournal, postgres } from './postgres-journal.ts';

// postgres/options.d.ts
import { type HeartbeatOptions } from '../storage/heartbeat.ts';
/** How much of what was acknowledged a crash of the server may lose: nothing, or what asking again brings back. */
export type PostgresMode = 'strict' | 'relaxed';
/** Where the database is, as an object instead of an address in one line. */
export interface PostgresAddress {
    /** The host of the server; default: `PGHOST`, else localhost. */
    readonly host?: string;
    /** The port of the server; default: `PGPORT`, else 5432. */
    readonly port?: number;
    /** A socket of the file system instead of host and port. */
    readonly path?: string;
    /** The name of the database. */
    readonly database?: string;
    /** The user who connects. */
    readonly user?: string;
    /** The password, or a function that returns it for each connection. */
    readonly password?: string | (() => string | Promise<string>);
    /** As the driver and `tls.connect` take it. */
    readonly ssl?: boolean | 'require' | 'prefer' | 'verify-full' | object;
    /** False for a pooler that knows no prepared statements. */
    readonly prepare?: boolean;
}
/** How connections are used. Times are in milliseconds. */
export interface PostgresPool {
    /** Connections at most, 4 by default: one appends, the others do the rest. A journal that watches has one more. */
    readonly size?: number;
    /** How long a connection may take to be made, 5,000 by default. */
    readonly connectTimeout?: number;
    /** How long a reply may take before the connection counts as lost, 10,000 by default, and a second more for each megabyte that is sent. */
    readonly answerTimeout?: number;
    /** How long statements are tried again while a server is gone that was there before, 30,000 by default. */
    readonly retryTimeout?: number;
}
/** What the journal takes from the platform. */
export interface PostgresPorts {
    /** Loads the driver: the package `postgres`, which is an optional peer. */
    readonly driver: () => Promise<{
        readonly default: unknown;
    }>;
}
/** How a journal is opened. */
export interface PostgresOptions {
    /**
     * `strict`, the default, has every batch flushed before it is acknowledged. `relaxed` leaves that to the server for a moment, except for what a
     * human has seen or said and for calls that may not be run again: a crash of the server may lose the rest.
     */
    readonly mode?: PostgresMode;
    /** The schema that the tables are in, `loom` by default: several journals may share a database. */
    readonly schema?: string;
    /** How many connections there are, and how long they are waited for. */
    readonly pool?: PostgresPool;
    /**
     * When heartbeats are sent. A lease lasts 30 seconds without one, so `every` is at most 10,000. While the event loop stands still, a worker sends
     * them over a connection of its own; not when the address has functions or there are `ports`, which it could not use.
     */
    readonly heartbeat?: HeartbeatOptions;
    /** Replaces what the journal takes from the platform, for tests. */
    readonly ports?: Partial<PostgresPorts>;
}
/** Options with their defaults filled in. */
export interface Config extends PostgresPorts, Required<PostgresPool> {
    readonly address: string | PostgresAddress;
    /** The address without its secrets, for messages. */
    readonly name: string;
    readonly mode: PostgresMode;
    readonly schema: string;
    readonly heartbeat: HeartbeatOptions;
    /** Whether the driver is the package `postgres`, which a worker can load too. */
    readonly isOwnDriver: boolean;
}
/** Fills in the defaults, and refuses invalid options. */
export declare function configOf(address: string | PostgresAddress, options?: PostgresOptions): Config;
/** Refuses a text that PostgreSQL cannot hold: with a NUL or half a surrogate pair. */
export declare function checkText(what: string, text: string): void;
/** Refuses the id of a thread that cannot be stored. */
export declare function checkThread(thread: string): void;
/** Whether PostgreSQL can hold a text: one without a NUL and without half a surrogate pair. */
export declare const isStorable: (text: string) => boolean;

// postgres/postgres-journal.d.ts
import { type Journal } from '@loom-agent/kernel';
import type { Inspected } from '../storage/journal-finding.ts';
import { type CommitCounts } from './committer.ts';
import { type PostgresAddress, type PostgresOptions } from './options.ts';
/** A journal in a PostgreSQL database. */
export interface PostgresJournal extends Journal, Inspected {
    /** How much this object has committed. */
    stats(): CommitCounts;
}
/**
 * Opens a journal. The first use connects, and creates the tables in their own schema.
 *
 * @example
 * const journal = postgres('postgres://user@host/database')
 */
export declare function postgres(address: string | PostgresAddress, options?: PostgresOptions): PostgresJournal;

// storage/heartbeat.d.ts
import { type Expected } from './options.ts';
import { type StandbyWork } from './standby-heartbeat.ts';
/** When heartbeats are sent. Times are in milliseconds. */
export interface HeartbeatOptions {
    /** The time between two heartbeats, 10,000 by default and at most. In SQLite a process is gone after three of them: give all processes the same. */
    readonly every?: number;
    /**
     * A worker sends the heartbeats while the event loop stands still, such as in a tool that computes without a pause. After this time, 300,000 by
     * default, it stops: the process counts as gone, and another one may take its threads.
     */
    readonly stall?: number;
}
/** What the options of heartbeats must be. */
export declare const heartbeatTable: Readonly<Record<keyof HeartbeatOptions, Expected>>;
/** The heartbeats of a journal object. */
export interface Heartbeat {
    /** Threads are held from now on: heartbeats are sent, and `also` is called with each. */
    start(also: () => void): void;
    /** No thread is held any more. */
    stop(): void;
    /** Sends one now. */
    beat(): Promise<void>;
    /** One that was sent at this moment of `now` was acknowledged. */
    acknowledged(sent: number): void;
    /** Whether a lease is certainly valid (LIVE-8). Code that may block follows: from now on the worker is ready. */
    isValid(): boolean;
    /** Whether the next one should have been sent by now. */
    isOverdue(): boolean;
    /** The monotonic clock. */
    now(): number;
    end(): Promise<void>;
}
/** What heartbeats of one kind of store are. */
export interface HeartbeatWork extends HeartbeatOptions {
    /** Sends one; resolves when it is acknowledged. */
    readonly send: () => Promise<unknown>;
    /** How a worker sends one; undefined where the main thread alone can. */
    readonly standby?: StandbyWork | undefined;
    /** How long a lease lasts without a heartbeat; 30,000 by default. */
    readonly timeout?: number;
    /** A monotonic clock; by default that of the process. */
    readonly now?: (() => number) | undefined;
}
/** Makes heartbeats that are not sent yet. */
export declare function createHeartbeat(work: HeartbeatWork): Heartbeat;

// storage/journal-finding.d.ts
/** Damage that was found in a journal. */
/** Something that is not what was stored. */
export interface JournalFinding {
    /** The thread, when the damage is in one. */
    readonly thread?: string;
    /** The first event that cannot be trusted. */
    readonly seq?: number;
    /** What is wrong, in words. */
    readonly problem: string;
    /** The journal has repaired it: what was cut off had never been acknowledged. */
    readonly repaired?: true;
}
/** A journal that can check more than its threads show. */
export interface Inspected {
    /** Returns damage that is in no thread, or in the structure that holds them all. */
    inspect(): Promise<readonly JournalFinding[]>;
}

// storage/liveness.d.ts
/** The time between two heartbeats of a holder, in milliseconds. */
export declare const heartbeatInterval = 10000;
/** How long a holder may be without a heartbeat before it counts as gone, in milliseconds. */
export declare const heartbeatTimeout = 30000;
/** A journal object in a process. It holds threads. */
export interface Instance {
    readonly id: string;
    /** Names the machine since its start, and its namespace of process numbers. Instances with equal hosts can see each other's processes. */
    readonly host: string;
    readonly pid: number;
    /** When the process started, in the words of its system; empty where the system does not say. */
    readonly started: string;
}
/** This process, as a new instance. */
export declare function thisInstance(): Instance;
/** How long it is since the last heartbeat of a holder, and how long that may be, in milliseconds. */
export interface Silence {
    readonly ms: number;
    readonly timeout: number;
}
/** Whether a holder is alive, as this instance sees it (LIVE-1, LIVE-2). */
export declare function isAlive(holder: Instance, here: Instance, { ms, timeout }: Silence): boolean;
/** Whether the process of an instance is known to be gone. Nothing is known of processes on another machine. */
export declare function isGone(instance: Omit<Instance, 'id'>, here: Omit<Instance, 'id'>): boolean;
/** Whether a process was stopped, by a signal or a debugger, and does not run. False where the system does not say. */
export declare function isStopped(pid: number): boolean;

// storage/options.d.ts
/**
 * What is given to a journal is checked when it is given, against a table of what each option must be.
 *
 * OPTION-2. An unknown name is refused with the names there are; a value that does not fit is refused with what it is and what is expected.
 */
import { type Summary } from '@loom-agent/kernel';
/** What the value of an option must be. */
export interface Expected {
    /** Its description, as it follows "Give". */
    readonly words: string;
    /** Whether a value is one. */
    readonly fits: (value: unknown) => boolean;
    /** Set when the option may not be left out. */
    readonly required?: boolean;
}
/** One of some words. */
export declare const oneOf: (...words: readonly string[]) => Expected;
/** A text that is not blank and may not be left out. */
export declare const requiredText: (words: string) => Expected;
/** A number from a smallest one on. */
export declare const numberFrom: (min: number) => Expected;
/** Options inside of options, or an object of functions. */
export declare const anObject: Expected;
/** A callback. */
export declare const aFunction: Expected;
/** The journal that a function works on. */
export declare const aJournal: Expected;
/** Throws unless it is a journal, such as when an agent is given; `what` names the function in the message. */
export declare function requireJournal(what: string, journal: unknown): void;
/** Throws unless the given options are those of the table; `what` names them in the message. */
export declare function checkOptions(what: string, given: unknown, table: Readonly<Record<string, Expected>>): void;
/** Refuses what is no path of the file system. An address would become the name of a file; it may hold a password, and is not repeated. */
export declare function checkPath(what: string, path: string, words: string): void;
/** The statuses that a thread can have. */
export declare const statuses: readonly Summary['status'][];

// storage/standby-heartbeat.d.ts
/** What a worker of one kind of store does. */
export interface StandbyWork {
    /** Defines `beat()`, which sends one heartbeat, and `rest()`, which closes the connection. Both may be asynchronous; `require` and `data` are there. */
    readonly source: string;
    /** What the source needs. It is copied. */
    readonly data: unknown;
}
/** How often the main thread sends heartbeats, and for how long the worker stands in for it, in milliseconds. */
export interface StandbyTimes {
    readonly every: number;
    readonly stall: number;
}
/** Sends heartbeats while the main thread cannot. */
export interface Standby {
    /** Threads are held: a worker is started if there is none. */
    hold(): void;
    /** No thread is held. */
    rest(): void;
    /** The main thread turns. */
    pulse(): void;
    /** When the last heartbeat of the worker was sent that was acknowledged, by the clock that was given. */
    acknowledged(): number;
    end(): Promise<void>;
}
/** No worker yet. Undefined where there can be none. */
export declare function createStandby({ source, data }: StandbyWork, { every, stall }: StandbyTimes, now: () => number): Standby | undefined;

// storage/storable-batch.d.ts
/** A batch as databases store it: its writer may change its own objects from now on. */
import type { Batch } from '@loom-agent/kernel';
import { type SummaryColumns } from './thread-columns.ts';
/** A batch that is ready to be stored. */
export interface StorableBatch extends Pick<Batch, 'incarnation' | 'expected' | 'forkOf'> {
    readonly thread: string;
    /** Escaped as in JSON: half a surrogate pair would not survive as text. */
    readonly id: string;
    readonly epoch: number | null;
    /** What lets it into a thread that is quarantined. */
    readonly pass: 1 | 2 | null;
    readonly count: number;
    /** The line that the hash covers. */
    readonly whole: string;
    /** The line without its id, which has a column of its own. */
    readonly line: string;
    readonly blobs: ReadonlyMap<string, Uint8Array>;
    readonly summary: SummaryColumns;
    /** About how many bytes of values it has. */
    readonly bytes: number;
}
/** Prepares a batch for storing. */
export declare function storable(thread: string, batch: Batch): StorableBatch;

// storage/thread-columns.d.ts
/** The columns of the thread table that the databases have in common. */
import type { ForkOf, Summary, ThreadQuery } from '@loom-agent/kernel';
/** A row of a result. */
type Row = Readonly<Record<string, unknown>>;
/** Status, agent, parent, time to wake, labels, and whether the thread is quarantined, in this order. */
export type SummaryColumns = readonly [string, string | null, string | null, number | null, string | null, 1 | null];
/** A summary as columns. */
export declare function summaryColumns({ status, agent, parent, wakeAt, labels, quarantined }: Summary): SummaryColumns;
/** The columns of a summary in a row. */
export declare function summaryColumnsIn({ status, agent, parent, wake_at, labels, quarantined }: Row): SummaryColumns;
/** Whether two summaries are the same. */
export declare function isSameSummary(one: SummaryColumns, other: SummaryColumns): boolean;
/** The summary that columns hold. Throws when the labels are damaged. */
export declare function summaryOf([status, agent, parent, wakeAt, labels, quarantined]: SummaryColumns, thread: string): Summary;
/** Where the thread of a row was cut, if it is a fork. */
export declare function forkIn({ fork_thread, fork_incarnation, fork_seq }: Row): ForkOf | undefined;
/** A text of a row; null when there is none. */
export declare const textOf: (value: unknown) => string | null;
/** A hash of a row, in hex; empty for any other value. */
export declare function hexOf(value: unknown): string;
/** How a database writes a query: the parameter of a number, and when the summary of a thread changed last, in milliseconds. */
export type QueryDialect = Readonly<{
    parameter: (number: number) => string;
    changed: string;
}>;
/** The conditions of a query but for its labels, their values, and the order of the rows. */
export declare function conditionsOf({ status, agent, parent, dueBy, since, before, sort, after }: ThreadQuery, { parameter, changed }: QueryDialect): {
    readonly where: string;
    readonly values: readonly (string | number)[];
    readonly order: string;
};
export {};
