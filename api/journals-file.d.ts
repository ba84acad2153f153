// file/damage.d.ts
/** Damage of the files of a journal. It is always reported. */
import type { LoomError, Seq } from '@loom-agent/kernel';
/**
 * `torn`: the end of a file is not whole, as a power failure leaves it; it is cut off and kept beside the file (`copy`).
 * `damaged`: something that was durable is not what was written; the thread can be read up to there and not be written.
 * `unknown`: the file is not one that this version can read. `blob`: a blob of format 1 is missing or not what was written.
 */
export type DamageKind = 'torn' | 'damaged' | 'unknown' | 'blob';
/** One damaged place of a file. */
export type Damage = Readonly<{
    kind: DamageKind;
    /** The name of the file in the folder. */
    file: string;
    thread?: string | undefined;
    /** Where it starts, in bytes. */
    offset: number;
    /** Where it starts, as a line number from 1. */
    line: number;
    /** The first event that is affected. */
    seq: Seq;
    reason: string;
    /** The file that holds what was cut off. */
    copy?: string | undefined;
}>;
/** A damage, in a sentence. */
export declare function describeDamage({ kind, file, thread, offset, line, seq, reason, copy }: Damage): string;
/** The error of an operation that needs what is damaged. */
export declare function damageError(damage: Damage): LoomError;
/** Emits a warning of the process; used when no `onDamage` was given. */
export declare function warnOfDamage(damage: Damage): void;

// file/disk-node.d.ts
import { type Disk } from './disk.ts';
/** Files and folders through node:fs. */
export declare function nodeDisk(): Disk;

// file/disk.d.ts
/**
 * The disk as a port: the file journal uses files only through it, so that tests can plant faults and power failures.
 *
 * DISK-1. A write is visible at once and durable only after `sync` of its file.
 * DISK-2. A new, renamed or removed name is visible at once and durable only after `syncFolder` of its folder.
 * DISK-3. A write may take fewer bytes than it was given, and what fails may have been done in part.
 * DISK-4. After a failed `sync`, what was not durable before is unknown: it is written again or given up.
 */
/** A file that is open. */
export interface DiskFile {
    /** The size in bytes. */
    size(): Promise<number>;
    /** The bytes from `offset` on; fewer than `length` at the end of the file. */
    read(offset: number, length: number): Promise<Uint8Array>;
    /** Returns how many of the bytes were taken. */
    write(offset: number, bytes: Uint8Array): Promise<number>;
    /** Cuts the file off at a size. */
    truncate(size: number): Promise<void>;
    /** Makes what was written durable. */
    sync(): Promise<void>;
    /** Closes the file. */
    close(): Promise<void>;
}
/** A name in a folder. */
export type DiskEntry = Readonly<{
    name: string;
    size: number;
}>;
/** Files and folders. What fails is an error with the `code` of the system: ENOENT, ENOSPC, EIO, ... */
export interface Disk {
    /** `create` makes the file if it is not there, and never empties it. */
    open(path: string, how: 'read' | 'change' | 'create'): Promise<DiskFile>;
    /** The files of a folder, without the folders in it. */
    list(folder: string): Promise<readonly DiskEntry[]>;
    /** Makes a folder and those above it, durably; does nothing if it is there. */
    makeFolder(path: string): Promise<void>;
    /** Gives a file another name, and replaces what had it. */
    rename(from: string, to: string): Promise<void>;
    /** Removes a file. */
    remove(path: string): Promise<void>;
    /** Makes the names in a folder durable. */
    syncFolder(path: string): Promise<void>;
    /** Locks a folder for this process, until the function that it returns is called or the process ends. Fails with an error that names the holder. */
    lock(folder: string): Promise<() => Promise<void>>;
}
/** Whether an error is the system's error of this code. */
export declare function isDiskError(error: unknown, code: string): boolean;
/** Writes all bytes, however few the disk takes at a time. */
export declare function writeAll(file: DiskFile, offset: number, bytes: Uint8Array): Promise<void>;
/**
 * Cuts off what is after a size, durably: otherwise a power failure could mix it with what is written there next. It is cut and synced also if nothing is
 * there, because the sync of an earlier cut may have failed: then that cut never becomes durable.
 */
export declare function cutAfter(file: DiskFile, size: number): Promise<void>;
/** Uses a file and closes it. What must be durable is synced before: closing guarantees nothing. */
export declare function withFile<T>(opening: Promise<DiskFile>, use: (file: DiskFile) => Promise<T>): Promise<T>;
/** Writes a file so that its name shows all bytes or none, also after a power failure; `syncFolder` makes the name durable. */
export declare function writeWhole(disk: Disk, path: string, bytes: Uint8Array): Promise<void>;
/** The result, or undefined if the file or folder is not there. */
export declare function unlessGone<T>(result: Promise<T>): Promise<T | undefined>;
/** The whole content of a small file, or undefined if it is not there. */
export declare function readWhole(disk: Disk, path: string): Promise<Uint8Array | undefined>;
/** Bytes from `offset` on, however few the disk gives at a time; fewer only at the end of the file. */
export declare function readExactly(file: DiskFile, offset: number, length: number): Promise<Uint8Array>;
/** Passes a part of a file to `write` piece by piece, each with its offset in that part. */
export declare function copyBytes(file: DiskFile, { from, to }: {
    from: number;
    to: number;
}, write: (offset: number, bytes: Uint8Array) => Promise<void>): Promise<void>;

// file/file-journal.d.ts
/** The journal in a folder: a file of lines for each thread, for one process at a time. */
import { type Journal } from '@loom-agent/kernel';
import type { Inspected } from '../storage/journal-finding.ts';
import { type Damage } from './damage.ts';
import type { Disk } from './disk.ts';
import type { FileMode } from './line.ts';
/** The options of a file journal. */
export interface FileOptions {
    /** `strict` (the default): flushed before acknowledged. `relaxed`: acknowledged first, except for what may not be lost. */
    readonly mode?: FileMode;
    /** Called with all damage that is found; what it throws is ignored. Default: a warning of the process. */
    readonly onDamage?: (damage: Damage) => void;
    /** The clock and the disk; by default those of this machine. */
    readonly ports?: {
        readonly now?: () => number;
        readonly disk?: Disk;
    };
}
/**
 * A journal that keeps each thread as a file of JSON lines in a folder. One process may use it at a time.
 *
 * @example
 * const journal = file('threads')
 */
export declare function file(path: string, options?: FileOptions): Journal & Inspected;

// file/index.d.ts
/** The journal in a folder: JSON lines, a file for each thread. */
export type { Damage, DamageKind } from './damage.ts';
export type { Disk, DiskEntry, DiskFile } from './disk.ts';
export { nodeDisk } from './disk-node.ts';
export { type FileOptions, file } from './file-journal.ts';
export { type FolderReport, type FoundThread, inspectFolder } from './inspect.ts';
export type { FileMode } from './line.ts';

// file/inspect.d.ts
/** Inspects a folder from outside: reads everything, changes nothing, needs no lock. */
import type { Epoch, Seq } from '@loom-agent/kernel';
import type { Damage } from './damage.ts';
import { type Disk } from './disk.ts';
import type { FileMode } from './line.ts';
/** A thread as its file has it, up to the first damage. */
export type FoundThread = Readonly<{
    thread: string;
    file: string;
    bytes: number;
    lines: number;
    seq: Seq;
    epoch: Epoch;
    mode: FileMode;
}>;
/** The threads of a folder, its damage, and the files that hold what was cut off or damaged earlier. */
export type FolderReport = Readonly<{
    threads: readonly FoundThread[];
    damage: readonly Damage[];
    cut: readonly string[];
}>;
/** Reads every thread of a journal's folder and reports the damage. While a process writes to it, the ends of files may look torn. */
export declare function inspectFolder(path: string, options?: {
    readonly disk?: Disk;
}): Promise<FolderReport>;

// file/line.d.ts
/**
 * The lines of a thread, in the folder of a journal and in an export. Each is JSON on its own, and each ends with the head of the thread (seq and
 * epoch) and the hash that links it to the line before.
 *
 *     {"loom":"thread","format":2,"thread":"user-123","incarnation":"k3","mode":"strict","time":1,"head":[0,0],"hash":"..."}
 *     {"acquired":{"epoch":1,"worker":"w","time":2},"changed":1,"summary":{...},"head":[0,1],"hash":"..."}
 *     {"blob":"<name>","base64":"...","changed":1,"summary":{...},"head":[0,1],"hash":"..."}
 *     {"id":"1.1","v":2,"time":3,"epoch":1,"events":[["thread.started",{...}],...],"feed":7,"changed":3,"summary":{...},"head":[4,1],"hash":"..."}
 *     {"mode":"relaxed","time":4,"changed":3,"summary":{...},"head":[4,1],"hash":"..."}
 *
 * A blob comes before the batch that is the first to name it. The header of a fork has `forkOf`, and its batches start after that seq. A thread that
 * was acquired before its first batch may get a second header with that batch: the last header counts.
 *
 * LINE-1. The hash covers the hash before it and every byte of the line up to itself: no byte of a file can change unnoticed.
 * LINE-2. A line whose predecessor was not known to be durable when it was written says so: `"joined":true`. So a line without it proves that
 *         everything before it was durable once, and whatever is broken before it was broken later.
 * LINE-3. A line holds nothing that readers of lines may take for its end: JSON escapes control characters, and the three other line breaks of Unicode
 *         are escaped here. Lines of earlier versions may hold those.
 */
import type { Epoch, ForkOf, Seq, Summary } from '@loom-agent/kernel';
/** How a journal acknowledges: after the flush, or before it. */
export type FileMode = 'strict' | 'relaxed';
/** The version of the format of files that this code writes. */
export declare const format = 2;
/** The first line of a thread. An export has no mode and no time; it names the thread that was exported, also in the sections of its ancestors. */
export type Header = Readonly<{
    loom: 'thread';
    format: number;
    thread: string;
    incarnation: string;
    forkOf?: ForkOf | undefined;
}> & Readonly<{
    mode?: FileMode;
    time?: number;
    exported?: string;
}>;
/** The end of a line. */
export type LineEnd = Readonly<{
    seq: Seq;
    epoch: Epoch;
    joined: boolean;
    hash: string;
}>;
/** The greatest length of the end of a line. */
export declare const longestEnd = 160;
/** The bytes at the end of a line, from its hash on, with the line break. */
export declare const linkLength = 67;
/** How a line can start. */
export declare const lineStarts: readonly ['{"loom":"thread"', '{"acquired":', '{"blob":', '{"id":', '{"mode":'];
/** Closes a line: `body` is a JSON object, and the line has no line break. */
export declare function sealLine(previous: string, body: string, { seq, epoch, joined }: Omit<LineEnd, 'hash'>): {
    line: string;
    hash: string;
};
/** The body of a line with one more field. */
export declare function withField(body: string, name: 'summary' | 'changed' | 'feed', json: string): string;
/** The body of a line that holds a blob. */
export declare function blobBody(name: string, bytes: Uint8Array): string;
/** The end of a line, not checked. */
export declare function endOf(line: string): LineEnd | undefined;
/** The end of a line, if the line was written after a line with the hash `previous` (LINE-1). */
export declare function checkLine(previous: string, line: string): LineEnd | undefined;
/** Lines with their ends, if each was written after the one before it, and the first after a line with the hash `previous`. */
export declare function checkLines(previous: string, lines: readonly Uint8Array[]): readonly {
    readonly line: string;
    readonly end: LineEnd;
}[] | undefined;
/** The header in a line, whatever its format, not checked; undefined if the line is no header. In format 1 the incarnation of a thread is its name. */
export declare function headerOf(line: string): Header | undefined;
/** The name of the blob that a line holds, if it holds one. */
export declare function blobNameOf(line: string): string | undefined;
/** The bytes of the blob that a line holds; undefined if it holds none. */
export declare function blobBytesOf(line: string): Uint8Array | undefined;
/** The summary that a line carries; a header has none. */
export declare function summaryOf(line: string): Summary;
/**
 * When the summary that a line carries changed, by the clock of the journal. A line of an earlier version does not say it: of such a line it is the time
 * of the line, which may be later, and 0 if it has none.
 */
export declare function changedOf(line: string): number;
/** The position in the feed that a batch has; undefined if it has none, or is no JSON any more. */
export declare function positionOf(line: string): number | undefined;
/** The text of a line; undefined if the bytes are no UTF-8. */
export declare function textOfLine(bytes: Uint8Array): string | undefined;

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
