// file/damage.d.ts
/** What was found to be wrong with the files of a journal: reported, never passed over. */
import type { LoomError, Seq } from '@loom-agent/kernel';
/**
 * `torn`: the end of a file is not whole, as a power failure leaves it; it is cut off and kept beside the file (`copy`).
 * `damaged`: something that was durable is not what was written; the thread can be read up to there and not be written.
 * `unknown`: the file is not one that this version can read. `blob`: a blob of format 1 is missing or not what was written.
 */
export type DamageKind = 'torn' | 'damaged' | 'unknown' | 'blob';
/** One thing that is wrong: where it begins, and the first event that is concerned. */
export type Damage = Readonly<{
    kind: DamageKind;
    /** The name of the file in the folder. */
    file: string;
    thread?: string | undefined;
    offset: number;
    line: number;
    seq: Seq;
    reason: string;
    /** The file that holds what was cut off. */
    copy?: string | undefined;
}>;
/** A damage in a sentence. */
export declare function describeDamage({ kind, file, thread, offset, line, seq, reason, copy }: Damage): string;
/** The error of an operation that needs what is damaged. */
export declare function damageError(damage: Damage): LoomError;
/** Emits a warning of the process; used when no `onDamage` was given. */
export declare function warnOfDamage(damage: Damage): void;
/** A file that holds another thread than its name says. */
export declare function misnamed(file: string, thread: string): Damage;

// file/disk-node.d.ts
import { type Disk } from './disk.ts';
/** Files and folders through node:fs. */
export declare function nodeDisk(): Disk;

// file/disk.d.ts
/**
 * The disk as a port: everything that the file journal does to files goes through here, so that faults can be planted and power can fail.
 *
 * DISK-1. A write is visible at once and durable only after `sync` of its file.
 * DISK-2. A new, renamed or removed name is visible at once and durable only after `syncFolder` of its folder.
 * DISK-3. A write may take fewer bytes than it was given, and what fails may have been done in part.
 * DISK-4. After a failed `sync` nothing that was not durable before may be believed: it is written again or given up.
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
    remove(path: string): Promise<void>;
    /** Makes the names in a folder durable. */
    syncFolder(path: string): Promise<void>;
    /** Takes a folder for this process alone, until the function that it returns is called or the process ends. Fails with an error that names the holder. */
    lock(folder: string): Promise<() => Promise<void>>;
}
/** Whether an error is the system's error of this code. */
export declare function isDiskError(error: unknown, code: string): boolean;
/** Writes all bytes, however few the disk takes at a time. */
export declare function writeAll(file: DiskFile, offset: number, bytes: Uint8Array): Promise<void>;
/** Opens a file, uses it and closes it. What is to last is synced before: closing makes no difference to it. */
export declare function withFile<T>(opening: Promise<DiskFile>, use: (file: DiskFile) => Promise<T>): Promise<T>;
/** Puts bytes under a name so that the name shows all of them or nothing, also after a power failure; `syncFolder` makes the name durable. */
export declare function writeWhole(disk: Disk, path: string, bytes: Uint8Array): Promise<void>;
/** The result, or undefined if the file or folder is not there. */
export declare function unlessGone<T>(result: Promise<T>): Promise<T | undefined>;
/** The whole content of a small file, or undefined if it is not there. */
export declare function readWhole(disk: Disk, path: string): Promise<Uint8Array | undefined>;
/** Bytes from `offset` on, however few the disk gives at a time; fewer only at the end of the file. */
export declare function readExactly(file: DiskFile, offset: number, length: number): Promise<Uint8Array>;

// file/file-journal.d.ts
/** The journal in a folder: a file of lines for each thread, for one process at a time. */
import { type Journal } from '@loom-agent/kernel';
import type { Inspected } from '../storage/journal-finding.ts';
import { type Damage } from './damage.ts';
import type { Disk } from './disk.ts';
import type { FileMode } from './line.ts';
/** How a file journal works. */
export interface FileOptions {
    /** `strict` (the default): flushed before acknowledged. `relaxed`: acknowledged first, except for what may not be lost. */
    readonly mode?: FileMode;
    /** Called with everything that is found to be wrong with a file; by default it becomes a warning of the process. */
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
/** Looking at a folder from outside: reads everything, changes nothing, needs no lock. */
import type { Epoch, Seq } from '@loom-agent/kernel';
import type { JournalFinding } from '../storage/journal-finding.ts';
import { type Damage } from './damage.ts';
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
/** What a folder holds, what is wrong with it, and which files hold what was cut off earlier. */
export type FolderReport = Readonly<{
    threads: readonly FoundThread[];
    damage: readonly Damage[];
    cut: readonly string[];
}>;
/** Reads every thread of a journal's folder and reports what is wrong. While a process writes to it, the ends of files may look torn. */
export declare function inspectFolder(path: string, options?: {
    readonly disk?: Disk;
}): Promise<FolderReport>;
/** What is wrong with a folder beyond what reading its threads shows. Threads in use may be in the middle of a write, and only look torn. */
export declare function findingsIn(path: string, disk: Disk, inUse: ReadonlySet<string>): Promise<readonly JournalFinding[]>;

// file/line.d.ts
/**
 * The lines of a thread, in the folder of a journal and in an export. Each is JSON on its own, and each ends with the head of the thread (seq and
 * epoch) and the hash that links it to the line before.
 *
 *     {"loom":"thread","format":2,"thread":"user-123","incarnation":"k3","mode":"strict","time":1,"head":[0,0],"hash":"..."}
 *     {"acquired":{"epoch":1,"worker":"w","time":2},"summary":{...},"head":[0,1],"hash":"..."}
 *     {"blob":"<name>","base64":"...","summary":{...},"head":[0,1],"hash":"..."}
 *     {"id":"1.1","v":2,"time":3,"epoch":1,"events":[["thread.started",{...}],...],"feed":7,"summary":{...},"head":[4,1],"hash":"..."}
 *     {"mode":"relaxed","time":4,"summary":{...},"head":[4,1],"hash":"..."}
 *
 * A blob stands before the batch that is the first to name it. The header of a fork has `forkOf`, and its batches begin behind that moment. A thread
 * that was acquired before its first batch may get a second header with that batch: the last header counts.
 *
 * LINE-1. The hash is over the hash before it and every byte of the line up to itself: no byte of a file can change unnoticed.
 * LINE-2. A line whose predecessor was not known to be durable when it was written says so: `"joined":true`. So a line without it proves that
 *         everything before it was durable once, and whatever is broken before it was broken later.
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
/** What the end of a line says. */
export type LineEnd = Readonly<{
    seq: Seq;
    epoch: Epoch;
    joined: boolean;
    hash: string;
}>;
/** How far back the end of a line can begin. */
export declare const longestEnd = 160;
/** The bytes at the end of a line, from its hash on, with the line break. */
export declare const linkLength = 67;
/** Closes a line: `body` is a JSON object, and the line has no line break. */
export declare function sealLine(previous: string, body: string, { seq, epoch, joined }: Omit<LineEnd, 'hash'>): {
    line: string;
    hash: string;
};
/** The body of a line with one more field. */
export declare function withField(body: string, name: 'summary' | 'feed', json: string): string;
/** The body of a line that holds a blob. */
export declare function blobBody(name: string, base64: string): string;
/** What the end of a line says, whether or not it is true. */
export declare function endOf(line: string): LineEnd | undefined;
/** What the end of a line says, if the line is what was written behind a line with the hash `previous` (LINE-1). */
export declare function checkLine(previous: string, line: string): LineEnd | undefined;
/** Lines with what their ends say, if each is what was written behind the one before it, and the first behind a line with the hash `previous`. */
export declare function checkLines(previous: string, lines: readonly Uint8Array[]): readonly {
    readonly line: string;
    readonly end: LineEnd;
}[] | undefined;
/** Whether a line, after something that is broken, proves that the broken part was durable once (LINE-2). */
export declare function provesDamage(line: string, isBroken: boolean): boolean;
/** The header in a line, whatever its format; undefined if the line is none. In format 1 the incarnation of a thread is its name. */
export declare function headerOf(line: string): Header | undefined;
/** Whether a line stands before the first event of a thread: a header, or a claim. */
export declare function isPreamble(line: string): boolean;
/** The name of the blob that a line holds, if it holds one. */
export declare function blobNameOf(line: string): string | undefined;
/** The bytes of the blob that a line holds. */
export declare function blobBytesOf(line: string): Uint8Array;
/** The summary that a line carries; a header has none. */
export declare function summaryOf(line: string): Summary;
/** The mode that is in force after a line, if the line changes it. */
export declare function modeOf(line: string): FileMode | undefined;
/** The text of a line's bytes; undefined if it is no text, which nothing that was written is. */
export declare function textOfLine(bytes: Uint8Array): string | undefined;

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
