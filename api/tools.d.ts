// files/file-change.d.ts
import type { FileHandle } from 'node:fs/promises';
/** What a call did to one file. */
export interface FileChange {
    /** The path, relative to the root, with / between names. */
    readonly path: string;
    /** The SHA-256 of its content before, in hex; null when there was no file. */
    readonly before: string | null;
    /** The SHA-256 of its content after, in hex; null when there is no file any more. */
    readonly after: string | null;
}
/** A result that says which files were changed. */
export interface WithFiles {
    /** The files that the call changed. */
    readonly files: readonly FileChange[];
}
/** The result, with the changes as facts (CHANGE-1). A file whose content is the same is not changed. */
export declare function withChanges<T extends object>(result: T, changes: readonly FileChange[]): T & WithFiles;
/** What a result of a tool of Loom says it has changed; nothing for other values. */
export declare function fileChangesOf(result: unknown): readonly FileChange[];
/** The hash of a content. */
export declare const hashOf: (content: Uint8Array) => string;
/** The hash of an open file, read from its start. */
export declare function hashOfFile(handle: FileHandle, signal: AbortSignal): Promise<string>;

// files/file-tools.d.ts
import { type Tool } from '@loom-agent/agent';
import { type FileToolsOptions } from './options.ts';
/** The tools, by name. */
export interface FileTools {
    /** Reads a text file, lines of it, or an image. */
    readonly read_file: Tool;
    /** Writes a text file whole. */
    readonly write_file: Tool;
    /** Replaces passages of a text file. */
    readonly edit: Tool;
    /** Deletes a file. */
    readonly delete_file: Tool;
    /** Lists a folder. */
    readonly list: Tool;
    /** Finds files by a pattern of their path. */
    readonly glob: Tool;
    /** Searches the content of files. */
    readonly grep: Tool;
    /** Finds files by their name. */
    readonly file_search: Tool;
    readonly [name: string]: Tool;
}
/**
 * Tools that read, write, edit, delete, list and search files within a root. What changes a file asks for permission.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: fileTools({ root: './workspace' }) })
 */
export declare function fileTools(options: FileToolsOptions): FileTools;

// grants/grant-folder.d.ts
/** An approval that holds for later calls. */
export interface Grant {
    /** Names the grant, for `revoke`. */
    readonly id: string;
    /** What it holds for: usually the path of a project. */
    readonly project: string;
    /** The name of the tool. */
    readonly tool: string;
    /** What the approval was bound to: the tool and the deciding rules, and the arguments where it holds for those alone. */
    readonly bound: string;
    /** Whether it holds for the same arguments alone, or for all calls of the tool under the same rules. */
    readonly covers: 'arguments' | 'tool';
    /** Who gave it. */
    readonly by: string;
    /** When it was given, in milliseconds since 1970. */
    readonly at: number;
    /** When it ends, in milliseconds since 1970. */
    readonly expires: number;
}
/** All grants of a folder. A folder that is not there has none. */
export declare function readGrants(folder: string): Promise<readonly Grant[]>;
/** Adds a grant. Only the owner can read the folder and its files. */
export declare function writeGrant(folder: string, grant: Grant): Promise<void>;
/** Removes a grant; false when it is not there. */
export declare function removeGrant(folder: string, id: string): Promise<boolean>;

// grants/grants.d.ts
import { type Question, type Resolver } from '@loom-agent/agent';
import { type Grant } from './grant-folder.ts';
/** The options of `grants()`. */
export interface GrantsOptions {
    /** The folder that keeps them. It must be outside of the project: what tools can write there would approve itself. */
    readonly folder: string;
    /** The folder of the project that they hold for. */
    readonly project: string;
    /** Milliseconds that a grant holds; default 30 days. */
    readonly lasts?: number;
    /** Tools that can be granted call by call only; default `bash`: what it does is in its arguments. */
    readonly never?: readonly string[];
    /** Milliseconds since 1970; default: the clock of the system. */
    readonly now?: () => number;
}
/** What a grant is to cover. */
export interface RememberOptions {
    /** Who gives it. */
    readonly by: string;
    /** The same arguments alone, or all calls of the tool under the same rules; default `arguments`. */
    readonly covers?: Grant['covers'];
    /** Milliseconds that it holds; default: as the options of `grants()` say. */
    readonly lasts?: number;
}
/** The grants of a project. */
export interface Grants {
    /** Remembers that calls such as the one that this question asks about may run. */
    remember(question: Question, options: RememberOptions): Promise<Grant>;
    /** The grants of the project that have not ended, the oldest first. */
    list(): Promise<readonly Grant[]>;
    /** Ends a grant; false when there is none of this id. */
    revoke(id: string): Promise<boolean>;
    /** A resolver for `onQuestion`: it approves what a grant covers, and leaves the rest to `next`. */
    resolver(next?: Resolver): Resolver;
}
/**
 * The grants of a project, kept in a folder of files.
 *
 * @example
 * const remembered = grants({ folder: join(homedir(), '.config/loom/grants'), project: process.cwd() })
 * agent({ model, tools, onQuestion: remembered.resolver(askTheUser) })
 */
export declare function grants(options: GrantsOptions): Grants;

// index.d.ts
/** Loom's own tools. */
export { type FileTools, type FileToolsOptions, fileTools, protectedNames } from './files/file-tools.ts';
export type { Grant } from './grants/grant-folder.ts';
export { type Grants, type GrantsOptions, grants, type RememberOptions } from './grants/grants.ts';
// files/options.d.ts
/** The options of the file tools. */
import { type Expected } from '@loom-agent/agent/kit';
/** Paths that need more than a rule. A pattern such as `.env.*` or `.config/gh` stands for names anywhere in a path, and for everything below them. */
export interface ProtectOptions {
    /** Files that may hold secrets: reading and writing them asks, and searches leave them out; default `secretPaths`. */
    readonly secrets?: readonly string[];
    /** Files that may run as code later: writing them asks; default `codePaths`. */
    readonly code?: readonly string[];
    /** What a call on them meets at least, whatever the rules say; default `ask`. */
    readonly verdict?: 'ask' | 'deny';
}
/** The options of `fileTools()`. */
export interface FileToolsOptions {
    /** The folder that the tools may use; they cannot reach anything outside of it. */
    readonly root: string;
    /** Paths that need more than a rule. */
    readonly protect?: ProtectOptions;
    /** The files and folders of journals, which no tool reads or changes; databases and journals that are recognised need not be named. */
    readonly journals?: readonly string[];
    /** Bytes that one read or search returns at most; default 9,500, so that Loom's limit of 10,000 characters does not cut it again. */
    readonly maxReadBytes?: number;
    /** Lines that one read returns at most; default 2,000. */
    readonly maxLines?: number;
    /** Bytes that an image may have; default 1.5 MiB, so that Loom's limit for media does not leave it out. */
    readonly maxMediaBytes?: number;
    /** Bytes that one write may have; default 256 KiB. The arguments of a call have at most 262,144 characters. */
    readonly maxWriteBytes?: number;
    /** Bytes that a file may have that is edited, before and after; default 4 MiB. */
    readonly maxEditBytes?: number;
    /** Entries that one listing or glob returns at most; default 200. */
    readonly maxEntries?: number;
    /** Entries that one search looks at, at most; default 100,000. */
    readonly maxVisited?: number;
}
/** What each option must be. */
export declare const fileShape: Readonly<Record<keyof FileToolsOptions, Expected>>;

// files/protected-paths.d.ts
/** Which paths are protected by default. A pattern stands for names that follow each other anywhere in a path, and for everything below them. */
/** Files that hold secrets: reading and writing them asks, whatever the rules say, and searches leave them out. */
export declare const secretPaths: readonly string[];
/** Files that run as code later, without another question: writing them asks, whatever the rules say. */
export declare const codePaths: readonly string[];

// index.d.ts
/** Loom's own tools. */
export { type FileChange, fileChangesOf } from './files/file-change.ts';
export { type FileTools, fileTools } from './files/file-tools.ts';
export type { FileToolsOptions, ProtectOptions } from './files/options.ts';
export { codePaths, secretPaths } from './files/protected-paths.ts';
