// files/file-tools.d.ts
import { type Tool } from '@loom-agent/agent';
/** The options of `fileTools()`. */
export interface FileToolsOptions {
    /** The folder that the tools may use; they cannot reach anything outside of it. */
    readonly root: string;
    /** Names that may not be written, wherever they are, with everything below them; default `protectedNames`. Reading is not restricted. */
    readonly protect?: readonly string[];
    /** Bytes that one read returns at most; default 9,500, so that Loom's limit of 10,000 characters does not cut it again. */
    readonly maxReadBytes?: number;
    /** Lines that one read returns at most; default 2,000. */
    readonly maxLines?: number;
    /** Bytes that one write may have; default 256 KiB. The arguments of a call have at most 262,144 characters. */
    readonly maxWriteBytes?: number;
    /** Entries that one listing returns at most; default 200. */
    readonly maxEntries?: number;
}
/** The tools, by name. */
export interface FileTools {
    /** Reads a text file, or lines of it. */
    readonly read_file: Tool;
    /** Writes a text file whole. */
    readonly write_file: Tool;
    /** Lists a folder. */
    readonly list: Tool;
    readonly [name: string]: Tool;
}
/** Names that are not written by default: they hold history, keys and settings that run as code. */
export declare const protectedNames: readonly string[];
/**
 * Tools that read, write and list files within a root. Writing asks for permission.
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
