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

// index.d.ts
/** Loom's own tools. */
export { type FileTools, type FileToolsOptions, fileTools, protectedNames } from './files/file-tools.ts';
