// index.d.ts
/** What works on every journal: export, import, migration, retention and verification. */
export type { Inspected, JournalFinding } from './storage/journal-finding.ts';
export { exportThread } from './transfer/export.ts';
export { importThread } from './transfer/import.ts';
export { type MigrateOptions, type MigrateProgress, type MigrateReport, migrate } from './transfer/migrate.ts';
export { type PruneOptions, prune } from './transfer/prune.ts';
export { verify } from './transfer/verify.ts';

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

// transfer/export.d.ts
/** Exports a thread, with what it needs to continue, as lines of text. */
import { type Journal, type Summary } from '@loom-agent/kernel';
/**
 * Returns the lines of a thread, without line breaks, as the file journal writes them. Works on every journal; what is appended meanwhile is left out.
 * The threads that a fork was cut from come before it, up to the cut, and so do its children, whole. The last line says that nothing is missing.
 *
 * @example
 * for await (const line of exportThread(journal, 'user-1')) file.write(`${line}\n`)
 */
export declare function exportThread(journal: Journal, thread: string): AsyncGenerator<string, void>;
/** The summary of a copy that is not whole (JOURNAL-22). */
export declare const asPartial: ({ wakeAt: _wakeAt, ...summary }: Summary) => Summary;

// transfer/import-parts.d.ts
/** The parts of an exported thread, in every format of its lines. */
import { type EventType, type ForkOf, type LoomError, type LoomEvent, type Summary } from '@loom-agent/kernel';
/** A thread starts, has events and blobs, and is whole. `isNeeded`: it is there because the exported thread needs it. `line` is where it was read. */
export type ImportPart = Readonly<{
    line?: number;
}> & (Readonly<{
    kind: 'thread';
    thread: string;
    incarnation: string;
    forkOf?: ForkOf | undefined;
    isNeeded: boolean;
}> | Readonly<{
    kind: 'events';
    events: readonly LoomEvent[];
    blobs: ReadonlyMap<string, Uint8Array>;
}> | Readonly<{
    kind: 'whole';
    epoch: number;
    summary: Summary;
}>);
/** A part of one kind. */
export type PartOf<K extends ImportPart['kind']> = Extract<ImportPart, {
    readonly kind: K;
}>;
/** Lines of text, with or without line ends. */
export type Lines = AsyncIterable<string> | Iterable<string>;
/** How many lines an import has read. */
export interface Reading {
    line: number;
}
/** The error for the line that was read last. */
export declare function broken({ line }: Reading, what: string): LoomError;
/** The version in which this version of Loom writes a type of event; of an unknown type, the first. */
export declare function versionOf(type: EventType): number;
/** Does work on a line; what it throws that is no error of Loom is about the line. */
export declare function orBroken<T>(reading: Reading, work: () => T): T;
/** The events of a batch. The hash proves that nothing was changed by accident, not that Loom wrote the line (IMPORT-9). */
export declare function eventsOf(reading: Reading, { thread, seq, line }: {
    thread: string;
    seq: number;
    line: string;
}): readonly LoomEvent[];
/** Whether a value is a count of at least `least`. */
export declare function isCount(value: unknown, least: number): value is number;
/** Whether a value can be the epoch of a thread. */
export declare function isEpoch(value: unknown): value is number;
/** Whether a value can be the cut of a fork. */
export declare function isForkOf(value: unknown): value is ForkOf;

// transfer/import.d.ts
/**
 * Imports a thread from the lines that `exportThread` or the file journal wrote. They come from outside, and so they are only believed to be a record.
 *
 * IMPORT-3. Nothing is stored before all lines were read and checked, and all threads compared that the journal has already: a failed import could not
 *           take back what it has added to one.
 * IMPORT-4. A thread is partial until it is whole (JOURNAL-22): it can be read, and neither driven nor changed. One that was there before keeps the rest
 *           of its summary meanwhile: if the process ends, it is found by its agent and labels, and importing again makes it whole.
 * IMPORT-5. A partial thread that has all events already, because a fork was cut at the end of the thread, is made whole by an acquisition: a summary
 *           changes with an event alone.
 * IMPORT-6. A thread that is there already and has all events is imported again when a thread that comes with it has news: a child may move on alone.
 * IMPORT-12. Every thread that an import writes is quarantined with its first event and stays so (JOURNAL-23): the exported one, those that it was forked
 *            from, and its children.
 */
import { type Head, type Journal } from '@loom-agent/kernel';
import type { Lines } from './import-parts.ts';
/**
 * Stores an exported thread, and returns its head. Refuses a damaged one, one that Loom could not have written, and one that exists already with all that was
 * exported; nothing of it is kept then. The threads that a fork was cut from and the thread's children are stored with it, unless they exist already and are
 * the same. What is imported is quarantined: it can be read, exported and removed, and runs nothing until it is adopted. `migrate` copies between journals of
 * your own without that.
 *
 * @example
 * await importThread(journal, readline.createInterface({ input: createReadStream('user-1.jsonl') }))
 */
export declare function importThread(journal: Journal, lines: Lines): Promise<Head>;

// transfer/migrate.d.ts
/**
 * Migrates threads from one journal to another, of any kind.
 *
 * MIGRATE-1. Every copy is verified: what both journals hold is read back and compared by digest, also what an earlier migration has copied.
 * MIGRATE-2. A thread of the target is written only if it has the incarnation of the source's and is a prefix of it.
 * MIGRATE-3. A copy is partial until it is whole and its children are (JOURNAL-22): its summary comes with its last event, which comes after theirs. A
 *            driver of a parent starts over the children that it does not find.
 * MIGRATE-4. The epoch of a copy is not below the source's: an earlier driver of the thread is fenced in the target.
 * MIGRATE-5. What is missing in the target is read once before any of it is copied: damage in the source leaves the target as it was.
 * MIGRATE-6. A partial thread of the target that has all events, because a fork was cut at the end of the thread, is made whole by an acquisition, as
 *            in IMPORT-5. It then has one event more than the source, and still counts as the same thread.
 * MIGRATE-7. What is copied is quarantined where the source is, and nowhere else: a migration is between journals of one owner.
 */
import { type Head, type Journal } from '@loom-agent/kernel';
/** What is migrated, and how its progress is reported. */
export interface MigrateOptions {
    /** The threads to copy, by id or by a function of their heads; default: all. Their children and the threads they were forked from are copied too. */
    readonly threads?: readonly string[] | ((head: Head) => boolean) | undefined;
    /** Also copies the end of threads that have a holder, and fences the holder in the target; default: false. For holders that are known to be gone. */
    readonly force?: boolean | undefined;
    /** Called after every batch; what it throws is ignored. */
    readonly onProgress?: ((progress: MigrateProgress) => void) | undefined;
    /** Ends the migration after the current batch; another one continues from there. */
    readonly signal?: AbortSignal | undefined;
}
/** How far a migration is: reported after every batch. */
export interface MigrateProgress extends Tally {
    /** The thread that is being copied. */
    readonly thread: string;
    /** The last seq of the thread that is copied. */
    readonly seq: number;
    /** The last seq of the thread. */
    readonly of: number;
}
interface Tally {
    /** Threads that were copied, whole or in part. */
    readonly threads: number;
    /** Events that were copied. */
    readonly events: number;
    /** Bytes of events and blobs. */
    readonly bytes: number;
    /** Threads that the target had already, and that are the same. */
    readonly skipped: number;
}
/** The result of a migration. */
export interface MigrateReport extends Tally {
    /** Threads that have a holder, their parents, and forks of their last event, as `thread@seq`: copied up to that seq. Migrate again when they are released. */
    readonly driven: readonly string[];
}
/**
 * Copies threads with their blobs, epochs, summaries and labels, and verifies the copies. After an interruption it can be run again, and continues.
 *
 * @example
 * const { threads, driven } = await migrate(file('threads'), sqlite('loom.db'))
 */
export declare function migrate(from: Journal, to: Journal, options?: MigrateOptions): Promise<MigrateReport>;
export {};

// transfer/prune.d.ts
/** Retention: removes threads that ended, and to which nothing was appended for some time. */
import { type Journal, type Summary } from '@loom-agent/kernel';
/** Which threads are removed. */
export interface PruneOptions {
    /** Threads whose last event, a label included, is from before this time, in milliseconds since 1970. */
    readonly olderThan: number;
    /** Statuses that count as ended; default: done, failed and stopped. */
    readonly status?: readonly Summary['status'][] | undefined;
}
/**
 * Removes threads that ended, and whose last event is from before a time, with their children, and returns their ids. A thread stays when it or a child has a holder or a fork that
 * stays, when a child has not ended, when it is damaged, or when it was appended to meanwhile. A child stays as long as its parent.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export declare function prune(journal: Journal, options: PruneOptions): Promise<readonly string[]>;

// transfer/verify.d.ts
/** Verifies that a journal holds what was appended. */
import { type Journal } from '@loom-agent/kernel';
import type { Inspected, JournalFinding } from '../storage/journal-finding.ts';
/**
 * Reads a thread with its children, or all threads, and returns the damage that it finds. After damage it continues with the next thread.
 * Throws `LOOM_THREAD_NOT_FOUND` for a thread that the journal does not have.
 *
 * @example
 * for await (const { thread, seq, problem } of verify(journal)) console.error(thread, seq, problem)
 */
export declare function verify(journal: Journal & Partial<Inspected>, thread?: string): AsyncGenerator<JournalFinding, void>;
