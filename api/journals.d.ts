// index.d.ts
/** What can be done with a journal, whichever it is. */
export type { Inspected, JournalFinding } from './storage/journal-finding.ts';
export { exportThread } from './transfer/export.ts';
export { importThread } from './transfer/import.ts';
export { type MigrateOptions, type MigrateProgress, type MigrateReport, migrate } from './transfer/migrate.ts';
export { type PruneOptions, prune } from './transfer/prune.ts';
export { verify } from './transfer/verify.ts';

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

// transfer/export.d.ts
/** A thread as lines of text, to be kept, opened or taken to another journal. */
import type { Journal } from '@loom-agent/kernel';
/**
 * The lines of a thread, without line ends, as the file journal writes them. Works over every journal; what is appended meanwhile is left out. The
 * threads that a fork was cut from come before it, as far as the cut, and the last line says that nothing is missing.
 *
 * @example
 * for await (const line of exportThread(journal, 'user-1')) file.write(`${line}\n`)
 */
export declare function exportThread(journal: Journal, thread: string): AsyncGenerator<string, void>;

// transfer/import-parts.d.ts
/** What is read from an exported thread, whatever the format of its lines. */
import { type EventType, type ForkOf, type LoomError, type LoomEvent, type Summary } from '@loom-agent/kernel';
/** A thread begins, brings blobs and events, and is whole. An ancestor is there because a fork reads it. */
export type ImportPart = Readonly<{
    kind: 'thread';
    thread: string;
    incarnation: string;
    forkOf?: ForkOf | undefined;
    isAncestor: boolean;
}> | Readonly<{
    kind: 'events';
    events: readonly LoomEvent[];
    blobs: ReadonlyMap<string, Uint8Array>;
}> | Readonly<{
    kind: 'whole';
    epoch: number;
    summary: Summary;
}>;
/** Lines of text, without line ends. */
export type Lines = AsyncIterable<string> | Iterable<string>;
/** Where an import is in its lines. */
export interface Reading {
    line: number;
}
/** The error that says what is wrong with the line that was read last. */
export declare function broken({ line }: Reading, what: string): LoomError;
/** The version in which this version of Loom writes a type of event; of one that it does not know, the first. */
export declare function versionOf(type: EventType): number;
/** The events of a batch; a hash proves that nothing was changed by accident, not that a program of ours wrote the line. */
export declare function eventsOf(reading: Reading, { thread, seq, line }: {
    thread: string;
    seq: number;
    line: string;
}): readonly LoomEvent[];
/** Whether a value is a count of at least `least`. */
export declare function isCount(value: unknown, least: number): value is number;
/** Whether a value can be the epoch of a thread. */
export declare function isEpoch(value: unknown): value is number;
/** Whether a value can be the moment of a fork. */
export declare function isForkOf(value: unknown): value is ForkOf;

// transfer/import.d.ts
/** A thread out of the lines that `exportThread` or the file journal wrote. */
import type { Head, Journal } from '@loom-agent/kernel';
import type { Lines } from './import-parts.ts';
/**
 * Stores an exported thread, and returns its head. Refuses a damaged one, and one that is there already; whatever was stored of it is removed again.
 * The threads that a fork was cut from are stored with it, unless they are there already and the part that the fork reads is the same.
 *
 * @example
 * await importThread(journal, readline.createInterface({ input: createReadStream('user-1.jsonl') }))
 */
export declare function importThread(journal: Journal, lines: Lines): Promise<Head>;

// transfer/migrate.d.ts
/**
 * Threads from one journal to another, whichever they are.
 *
 * MIGRATE-1. Nothing is believed: what both journals hold is read back and compared by digest, also what an earlier migration has copied.
 * MIGRATE-2. A thread of the target is written to only if it has the incarnation of the source's and is its beginning.
 * MIGRATE-3. A copy is not to be driven before it is whole: its summary comes with its last event.
 * MIGRATE-4. The epoch of a copy is not below the source's: an earlier driver of the thread is fenced in the target.
 */
import { type Head, type Journal } from '@loom-agent/kernel';
/** What is migrated, and how its progress is reported. */
export interface MigrateOptions {
    /** The threads to copy, by id or by a look at their heads; default: all. Their children, and the threads they were forked from, come along. */
    readonly threads?: readonly string[] | ((head: Head) => boolean);
    /** Also copies the end of threads that somebody holds, and fences the holder in the target. Right when the holder is gone and nobody noticed. */
    readonly force?: boolean;
    /** Called after every batch. */
    readonly onProgress?: (progress: MigrateProgress) => void;
    /** Ends the migration after the batch under way; another one goes on from there. */
    readonly signal?: AbortSignal;
}
/** How far a migration is: reported after every batch. */
export interface MigrateProgress extends Tally {
    /** The thread that is being copied. */
    readonly thread: string;
    /** What of the thread is copied, and what there is. */
    readonly seq: number;
    /** The last seq of the thread. */
    readonly of: number;
}
interface Tally {
    /** Threads that were copied, or copied on. */
    readonly threads: number;
    readonly events: number;
    /** Bytes of events and blobs. */
    readonly bytes: number;
    /** Threads that were there already, and are the same. */
    readonly skipped: number;
}
/** What a migration has done. */
export interface MigrateReport extends Tally {
    /** Up to where threads were copied that somebody drives, and forks of their last moment: `thread@seq`. Migrate again when they rest. */
    readonly driven: readonly string[];
}
/**
 * Copies threads with their blobs, epochs, summaries and labels, and verifies the copies. Interrupted anywhere, it is run again and goes on.
 *
 * @example
 * const { threads, driven } = await migrate(file('threads'), sqlite('loom.db'))
 */
export declare function migrate(from: Journal, to: Journal, options?: MigrateOptions): Promise<MigrateReport>;
export {};

// transfer/prune.d.ts
/** Retention: threads that have ended are removed after a time. */
import { type Journal, type Summary } from '@loom-agent/kernel';
/** Which threads are removed. */
export interface PruneOptions {
    /** Threads whose last event is from before this moment, in milliseconds. */
    readonly olderThan: number;
    /** Statuses that count as ended; done, failed and stopped by default. */
    readonly status?: readonly Summary['status'][];
}
/**
 * Removes threads that ended before a moment, and returns which. What somebody drives, what has a child that has not ended, what a fork that stays
 * reads, and what is damaged stays.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export declare function prune(journal: Journal, options: PruneOptions): Promise<readonly string[]>;

// transfer/verify.d.ts
/** Looking at what a journal holds: is it what was appended? */
import { type Journal } from '@loom-agent/kernel';
import type { Inspected, JournalFinding } from '../storage/journal-finding.ts';
/**
 * Reads a thread, or all of them, and returns what is wrong with them; nothing when nothing is. After damage it goes on with the next thread.
 *
 * @example
 * for await (const { thread, seq, problem } of verify(journal)) console.error(thread, seq, problem)
 */
export declare function verify(journal: Journal & Partial<Inspected>, thread?: string): AsyncGenerator<JournalFinding, void>;
