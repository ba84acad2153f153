// postgres/appending.d.ts
/** A batch on its way to the database: its values, and the verdict that comes back. */
import type { AppendResult, Batch, ForkOf } from '@loom-agent/kernel';
import type { Row, Value } from './driver.ts';
/** The end of a thread: its number in the database, its seq, and the hash of its last batch in hex. */
export type Tail = Readonly<{
    number: string;
    seq: number;
    hash: string;
}>;
/** A batch as it will be stored: whatever its writer does with its objects from now on changes nothing. */
export interface StorableBatch {
    readonly thread: string;
    /** As JSON escapes it: half a surrogate pair would not survive as text. */
    readonly id: string;
    readonly incarnation: string;
    readonly expected: number;
    readonly epoch: number | null;
    readonly count: number;
    /** The line without the id that it begins with. */
    readonly line: string;
    readonly blobs: ReadonlyMap<string, Uint8Array>;
    /** Status, agent, parent, wakeAt, labels. */
    readonly summary: readonly [string, string | null, string | null, number | null, string | null];
    readonly forkOf: ForkOf | undefined;
    readonly bytes: number;
}
/** Makes a batch ready to be stored. */
export declare function storable(thread: string, batch: Batch): StorableBatch;
/** The statement that appends batches, and its values. */
export interface AppendStatement {
    readonly statement: string;
    readonly values: readonly Value[];
}
/** The schema and the instance; whether a crash may take the batches for a moment; whether to ask for watchers. */
export type AppendOptions = Readonly<{
    s: string;
    here: string;
    lazy: boolean;
    ask: boolean;
}>;
/** One statement for batches of different threads, which are in one order for every writer (PG-1). */
export declare function appendStatement(batches: readonly StorableBatch[], options: AppendOptions): AppendStatement;
/**
 * How an append went. Without a result it is tried again, because the head has moved to and fro, or it is a fork whose parent is not there. A batch
 * that was stored now comes with its audience and, from some statements, with the tail that the next batch is appended to.
 */
export interface Verdict {
    readonly result: AppendResult | undefined;
    readonly hasNoParent?: boolean;
    readonly audience?: number | undefined;
    readonly tail?: Tail | undefined;
}
/** The verdicts in a result, in the order of the batches. */
export declare function verdictsIn([row]: readonly Row[]): readonly Verdict[];

// postgres/committer.d.ts
/**
 * Group commit without a timer: what is submitted while statements are under way is one statement, and one commit.
 *
 * No batch waits for a group to fill: a group is sent as soon as the writers of the last one had a turn. Two groups are under way at most, so that one
 * is made ready while the server works on the other. A batch that is refused, or fails, fails alone.
 *
 * PG-6. The batches of a thread are sent in the order in which they came, each after the verdict on the one before.
 * PG-7. A batch whose outcome is not known is sent again, under the same id (JOURNAL-2), until there is a verdict or the time for that is over. It is
 *       never reported as stored, or as not stored, before the server has said so.
 */
import { type AppendResult } from '@loom-agent/kernel';
import { type StorableBatch } from './appending.ts';
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
/** Takes batches and commits them. */
export interface Committer {
    submit(batch: StorableBatch, flush: boolean): Promise<AppendResult>;
    /** Waits for no server any more; resolves when nothing is left to be committed. */
    end(): Promise<void>;
    counts(): Omit<CommitCounts, 'statements'>;
}
/** Called with every result, before its writer has it; `hasAudience` says whether other processes want to know. */
export type OnResult = (batch: StorableBatch, result: AppendResult, hasAudience: boolean) => void;
/** A committer. */
export declare function createCommitter(database: Database, onResult: OnResult): Committer;

// postgres/connection-pool.d.ts
import type { Driver, Result, Value } from './driver.ts';
import type { Config } from './options.ts';
/** Connections that are used together. */
export interface ConnectionPool {
    /** Has the server perform a statement. */
    run(statement: string, values?: readonly Value[]): Promise<Result>;
    /** Gives up all connections, and whatever is under way on them. */
    drop(): void;
    end(): Promise<void>;
    /** Statements that were sent. */
    sent(): number;
}
/** What a pool is for. */
export interface ConnectionPoolOptions {
    readonly size: number;
    /** Called with what arrives on the channels that were listened to. */
    readonly onnotify?: (channel: string, text: string) => void;
    /** Called when a connection is no longer there. */
    readonly onclose?: () => void;
}
/** Connections to the database of the options. */
export declare function createConnectionPool(driver: Driver, config: Config, options: ConnectionPoolOptions): ConnectionPool;

// postgres/database.d.ts
import type { LoomError } from '@loom-agent/kernel';
import { type Instance } from '../storage/liveness.ts';
import { type ConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts';
import { type Result, type Row, type Value } from './driver.ts';
import type { Config } from './options.ts';
/** What every part of the journal works with. */
export interface Database {
    readonly config: Config;
    /** The schema, quoted. */
    readonly s: string;
    readonly here: Instance;
    /** Threads found damaged, and the error that says so. */
    readonly damaged: Map<string, LoomError>;
    /** Whether the journal was open once: from then on a server that is gone is waited for. */
    wasReady(): boolean;
    /** The statement's rows; waits while the server is gone. The statement may be performed twice. */
    ask(statement: string, values?: readonly Value[]): Promise<readonly Row[]>;
    /** The statement's rows; waits for nothing. */
    run(statement: string, values?: readonly Value[]): Promise<readonly Row[]>;
    /** The same, on the connection for appends. */
    write(statement: string, values: readonly Value[]): Promise<Result>;
    /** Gives up all connections: the server that they lead to is not the right one any more. */
    renew(): void;
    /** One more pool, which ends with the database. */
    extraPool(options: ConnectionPoolOptions): Promise<ConnectionPool>;
    /** Statements sent so far. */
    sent(): number;
    end(): Promise<void>;
}
/** The database of the options; nothing is connected before it is used. */
export declare function createDatabase(config: Config): Database;
/** Whether an error passes by itself. A server that was never there is not waited for, unless it says itself that it will be. */
export declare function isWorthATry(error: unknown, wasReady: boolean): boolean;

// postgres/driver.d.ts
import type { Config } from './options.ts';
/** What goes to the server. Everything travels as text: what the driver itself turns into text, it may turn twice when it has to send it again. */
export type Value = string | number | null;
/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>;
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
/** Makes connections, when they are used. */
export type Driver = (address: unknown, options: object) => Sql;
/** Loads the driver. */
export declare function loadDriver({ driver }: Config): Promise<Driver>;

// postgres/index.d.ts
/** Loom's journal in a PostgreSQL database. */
export type { CommitCounts } from './committer.ts';
export type { PostgresAddress, PostgresMode, PostgresOptions, PostgresPool, PostgresPorts } from './options.ts';
export { type PostgresJournal, postgres } from './postgres-journal.ts';

// postgres/options.d.ts
/** How much of what was acknowledged a crash of the server may take: nothing, or what can be had again by asking again. */
export type PostgresMode = 'strict' | 'relaxed';
/** Where the database is, as an object instead of an address in one line. */
export interface PostgresAddress {
    /** The host of the server. */
    readonly host?: string;
    /** The port of the server. */
    readonly port?: number;
    /** A socket of the file system instead of host and port. */
    readonly path?: string;
    /** The name of the database. */
    readonly database?: string;
    /** Who connects. */
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
/** What the journal needs of the world. */
export interface PostgresPorts {
    /** Loads the driver: the package `postgres`, which is an optional peer. */
    readonly driver: () => Promise<{
        readonly default: unknown;
    }>;
}
/** How a journal is opened. */
export interface PostgresOptions {
    /**
     * `strict`, the default, has every batch flushed before it is acknowledged. `relaxed` leaves that to the server for a moment, but for what a human
     * has seen or said and for calls that may not be run again: a crash of the server may take the rest.
     */
    readonly mode?: PostgresMode;
    /** The schema that the tables are in, `loom` by default: several journals may share a database. */
    readonly schema?: string;
    /** How many connections there are, and how long they are waited for. */
    readonly pool?: PostgresPool;
    /** Replaces what the journal takes from the platform, for tests. */
    readonly ports?: Partial<PostgresPorts>;
}
/** Options with everything that was left out. */
export interface Config extends PostgresPorts, Required<PostgresPool> {
    readonly address: string | PostgresAddress;
    /** The address without its secrets, for messages. */
    readonly name: string;
    readonly mode: PostgresMode;
    readonly schema: string;
}
/** Completes options, and refuses what cannot be meant. */
export declare function configOf(address: string | PostgresAddress, options?: PostgresOptions): Config;
/** Sees that PostgreSQL can hold a text: it knows neither NUL nor half a character. */
export declare function checkText(what: string, text: string): void;
/** Sees that the id of a thread can be stored. */
export declare function checkThread(thread: string): void;

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
 * Opens a journal; the tables are made at the first use, in a schema of their own. Nothing is connected before that.
 *
 * @example
 * const journal = postgres('postgres://user@host/database')
 */
export declare function postgres(address: string | PostgresAddress, options?: PostgresOptions): PostgresJournal;

// storage/journal-finding.d.ts
/** What is found wrong with a journal. */
/** Something that is not as it was stored. */
export interface JournalFinding {
    /** The thread, when the damage is in one. */
    readonly thread?: string;
    /** The first event that cannot be trusted. */
    readonly seq?: number;
    /** What is wrong, in words. */
    readonly problem: string;
    /** It has been put right: what was cut off had never been acknowledged. */
    readonly repaired?: true;
}
/** A journal that can say more of itself than its threads show. */
export interface Inspected {
    /** Damage that is in no thread, or in the structure that holds them all. */
    inspect(): Promise<readonly JournalFinding[]>;
}

// storage/liveness.d.ts
/** How often a holder gives a sign of life, in milliseconds. */
export declare const beat = 10000;
/** After how long without one it counts as gone, in milliseconds. */
export declare const expiry = 30000;
/** A journal object in a process: what holds threads. */
export interface Instance {
    readonly id: string;
    /** Names the machine since its start, and the space of its process numbers. Instances with equal hosts can look at each other's processes. */
    readonly host: string;
    readonly pid: number;
    /** When the process began, as its system tells it; empty where it does not. */
    readonly started: string;
}
/** This process, as a new instance. */
export declare function thisInstance(): Instance;
/** Whether a holder lives, seen from an instance that does (LIVE-1, LIVE-2). */
export declare function isAlive(holder: Instance & {
    readonly beat: number;
}, here: Instance, now: number): boolean;
/** Whether the process of an instance is known to be gone; of another machine nothing is known. */
export declare function isGone(instance: Omit<Instance, 'id'>, here: Omit<Instance, 'id'>): boolean;
