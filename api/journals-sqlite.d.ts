// sqlite/committer.d.ts
import type { Tables } from './tables.ts';
/** A change of the tables. */
export interface Change<T> {
    /** Whether it must survive a power cut once it is acknowledged, also in relaxed mode. */
    readonly flush: boolean;
    /** About how many bytes of values it holds. */
    readonly bytes: number;
    /** Changes the tables, nothing else: it may be called again. An error of Loom must be thrown before anything is changed. */
    apply(): T;
    /** Called once the change is durable, before its caller knows. */
    done?(result: T): void;
}
/** How much was committed. */
export interface CommitCounts {
    /** Transactions. */
    readonly commits: number;
    /** Changes in them: appends, removals, and leases that were acquired or released. */
    readonly changes: number;
    /** How often another connection held the write lock, so that a transaction was tried again. */
    readonly waits: number;
}
/** Commits changes. */
export interface Committer {
    submit<T>(change: Change<T>): Promise<T>;
    /** Resolves when nothing is left to be committed. */
    drained(): Promise<void>;
    counts(): CommitCounts;
}
/** A committer. */
export declare function createCommitter(tables: Tables): Committer;

// sqlite/database.d.ts
import type { DatabaseSync } from './node-sqlite.ts';
/** How much of what was acknowledged a power cut may lose: nothing, or what asking again brings back. */
export type SqliteMode = 'strict' | 'relaxed';
/** A database that is a journal. */
export interface Database {
    readonly path: string;
    readonly db: DatabaseSync;
    /** Undefined for a database in memory. */
    readonly mode: SqliteMode | undefined;
    /** Whether other processes can use it at the same time. */
    readonly shared: boolean;
}
/** Opens a journal, or creates a new one. Throws when there is something else at the path. */
export declare function openDatabase(path: string, mode?: SqliteMode, version?: string): Database;

// sqlite/index.d.ts
/** Loom's journal in a SQLite database. */
export type { CommitCounts } from './committer.ts';
export type { SqliteMode } from './database.ts';
export { type SqliteJournal, type SqliteOptions, type SqlitePorts, sqlite } from './sqlite-journal.ts';

// sqlite/node-sqlite.d.ts
/** A value that a statement is given. */
export type SQLInputValue = null | number | bigint | string | Uint8Array;
/** A value that a statement returns. */
export type SQLOutputValue = null | number | bigint | string | Uint8Array<ArrayBuffer>;
/** A prepared statement. */
export interface StatementSync {
    run(...values: readonly SQLInputValue[]): {
        readonly changes: number | bigint;
    };
    get(...values: readonly SQLInputValue[]): Record<string, SQLOutputValue> | undefined;
    all(...values: readonly SQLInputValue[]): Record<string, SQLOutputValue>[];
    iterate(...values: readonly SQLInputValue[]): Iterable<Record<string, SQLOutputValue>>;
}
/** An open database. */
export interface DatabaseSync {
    readonly isOpen: boolean;
    readonly isTransaction: boolean;
    prepare(sql: string): StatementSync;
    exec(sql: string): void;
    location(): string | null;
    close(): void;
}
/** Opens a database. */
type DatabaseClass = new (path: string, options: {
    readonly timeout: number;
}) => DatabaseSync;
/** The class of databases. Throws where Node has none, or one that lacks what a journal uses. */
export declare function databaseClass(): DatabaseClass;
export {};

// sqlite/sqlite-journal.d.ts
import { type Journal } from '@loom-agent/kernel';
import { type HeartbeatOptions } from '../storage/heartbeat.ts';
import type { Inspected } from '../storage/journal-finding.ts';
import { type CommitCounts } from './committer.ts';
import { type Database, type SqliteMode } from './database.ts';
/** What the journal takes from the platform. Times are in milliseconds. */
export interface SqlitePorts {
    /** The wall clock. It decides whether a heartbeat from another machine is recent. Default: `Date.now`. */
    readonly now: () => number;
    /** The time since the machine's start. It decides whether a heartbeat from this machine is recent. */
    readonly uptime: () => number;
    /** A clock of this process that nothing sets. It decides whether a lease is still valid. Default: `performance.now`. */
    readonly monotonic: () => number;
}
/** How a journal is opened. */
export interface SqliteOptions {
    /**
     * `strict` flushes every batch before it is acknowledged. `relaxed` leaves that to the system, except for what a human has seen or said and for
     * calls that may not be run again: a power cut may lose the rest. Default: the mode that the journal was last opened with; a new one is strict.
     */
    readonly mode?: SqliteMode;
    /**
     * When heartbeats are sent. A lease lasts three times `every` without one, so all processes that share the file need the same. While the event loop
     * stands still, a worker sends them; not when there are `ports`, which it could not use.
     */
    readonly heartbeat?: HeartbeatOptions;
    /** How long a write waits for other processes, in milliseconds, before it fails with `LOOM_JOURNAL_UNAVAILABLE`; 30,000 by default. */
    readonly lockTimeout?: number;
    /** Replaces what the journal takes from the platform, for tests. */
    readonly ports?: Partial<SqlitePorts>;
}
/** A journal in a SQLite database. */
export interface SqliteJournal extends Journal, Inspected {
    /** How much this object has committed. */
    stats(): CommitCounts;
}
/**
 * Opens a journal, or creates a new one. Several processes may use one file at the same time.
 *
 * @example
 * const journal = sqlite('loom.db')
 */
export declare function sqlite(path: string, options?: SqliteOptions): SqliteJournal;
/** The journal in an open database. */
export declare function journalIn(database: Database, { heartbeat, lockTimeout, ports }?: SqliteOptions): SqliteJournal;

// sqlite/tables.d.ts
/**
 * The open tables of a journal: prepared statements, transactions, and a cache of heads.
 *
 * SQLITE-1. A head in the cache is the one in the table: a commit of another connection empties the cache before it is used (`data_version`, read
 *           inside the transaction), and so does a transaction that was rolled back.
 * SQLITE-2. No statement stays open when a function returns.
 */
import type { ForkOf, LoomError } from '@loom-agent/kernel';
import type { Link } from '../storage/chain.ts';
import type { Instance } from '../storage/liveness.ts';
import type { SummaryColumns } from '../storage/thread-columns.ts';
import type { Database } from './database.ts';
import type { SQLInputValue, SQLOutputValue } from './node-sqlite.ts';
/** What is known of a thread: its row, and the end of its batches. */
export interface HeadRow {
    readonly id: number;
    readonly name: string;
    /** When the row was made; 0 in format 1. */
    readonly began: number;
    /** When the summary changed last; 0 in format 1. */
    changed: number;
    incarnation: string;
    /** Where a fork was cut. */
    forkOf: ForkOf | undefined;
    /** The end of the last batch. */
    end: Link;
    /** Whether this object has appended since the row was written. */
    grown: boolean;
    /** What the row says: the thread was at least that long. */
    anchor: Link;
    epoch: number;
    worker: string | null;
    instance: string | null;
    summary: SummaryColumns;
}
/**
 * Names a row, so that damage of one is not taken for damage of another: a thread that was removed and imported again has the same incarnation.
 */
export declare function damageKey({ name, incarnation, began }: HeadRow): string;
/** A row of a result. */
export type Row = Record<string, SQLOutputValue>;
/** The clocks of a journal, in milliseconds. */
export interface Clocks {
    /** The wall clock. */
    readonly now: () => number;
    /** The time since the machine's start. */
    readonly uptime: () => number;
}
/** What a journal object brings to its tables. */
export interface TableOptions extends Clocks {
    readonly here: Instance;
    /** How long a holder may be without a heartbeat, in milliseconds. */
    readonly leaseTimeout: number;
    /** How long a change waits for other connections before it fails, in milliseconds. */
    readonly lockTimeout: number;
}
/** The open tables, for every part of the journal. */
export interface Tables extends Database, TableOptions {
    /** The cache of heads, by name. */
    readonly heads: Map<string, HeadRow>;
    /** Rows found damaged, by their `damageKey`, and the error that says so. */
    readonly damaged: Map<string, LoomError>;
    /** The first row of a result. */
    get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
    /** All rows of a result. */
    all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
    /** The rows of a result, one by one; the caller iterates over all of them before it returns (SQLITE-2). */
    each(sql: string, ...values: readonly SQLInputValue[]): Iterable<Row>;
    /** Runs a statement; returns how many rows it changed. */
    run(sql: string, ...values: readonly SQLInputValue[]): number;
    /** A number that changes with every commit of another connection. */
    version(): number;
    /** Does the work on one snapshot of the database. */
    reading<T>(work: () => T): T;
    /** Begins a transaction that writes; once it is committed and `flush` was asked for, it survives a power cut. */
    begin(flush: boolean): void;
    commit(): void;
    /** Undoes everything since `begin`. */
    rollback(): void;
}
/** The tables of a database. */
export declare function createTables(database: Database, options: TableOptions): Tables;

// storage/chain.d.ts
/** The end of a chain after some batch: the seq of the last event, and the hash in hex. */
export interface Link {
    readonly seq: number;
    readonly hash: string;
}
/** The hash that the first batch of a thread is linked to, in hex. Format 1 used the name alone; there the incarnation is the name. */
export declare function chainStart(thread: string, incarnation?: string): string;
/** The hash of a batch, in hex. */
export declare function chainLink(previous: string, line: string): string;
/** SHA-256 of bytes, in hex: the name of a blob. */
export declare function blobHash(bytes: Uint8Array): string;
/** The batch id inside a stored line; undefined when the line is no batch. */
export declare function idOf(line: string): string | undefined;

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
