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
// calculator/calculator.d.ts
/** Arithmetic, as a tool. */
import { type Tool } from '@loom-agent/agent';
/**
 * The tool `calculator`: evaluates an expression of numbers, operators and a fixed list of functions. Sums, products, quotients and whole powers are
 * exact; nothing is run as code.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: [calculator()] })
 */
export declare function calculator(): Tool;

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
export { calculator } from './calculator/calculator.ts';
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
export type { HttpOptions } from './net/http-options.ts';
export { type HttpMethod, type HttpToolOptions, httpTool } from './net/http-tool.ts';
export type { ReachOptions, ResolveHost } from './net/reach.ts';
export { canonicalUrl, hostOfUrl, matchesHost, type Target } from './net/target.ts';
export { doneTool } from './task/done-tool.ts';
export { type TaskToolOptions, taskPermissions, taskTool } from './task/task-tool.ts';
export { type Toolkit, type ToolkitOptions, toolkit } from './toolkit/toolkit.ts';
export { withBreaker } from './toolkit/with-breaker.ts';
export { type CacheOptions, withCache } from './toolkit/with-cache.ts';
export type { SearchResult, SearchWeb } from './web/search.ts';
export { type FetchedPage, type FetchPage, type WebTools, type WebToolsOptions, webTools } from './web/web-tools.ts';

// net/http-options.d.ts
/** The options of requests. */
import type { ReachOptions } from './reach.ts';
/** The options of requests. */
export interface HttpOptions extends ReachOptions {
    /**
     * Headers that the program adds for an origin, such as credentials: `{ 'https://api.example.com': { authorization: '...' } }`. The model neither sees
     * nor sets them, and their values are masked in what it reads.
     */
    readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** Which redirects are followed: to the same host alone, or to any host that may be reached; default `same-host`, and others are reported. */
    readonly redirects?: 'same-host' | 'any';
    /** Milliseconds for a request with all its redirects and its body; default 30,000. */
    readonly timeout?: number;
    /** Bytes of an uncompressed body that are read; default 2 MiB. */
    readonly maxBytes?: number;
    /** Bytes that the headers of a reply may have; default 16 KiB. */
    readonly maxHeaderBytes?: number;
    /** Certificates of the authorities that are trusted, in PEM form; default: those that come with Node. */
    readonly ca?: readonly string[];
}

// net/http-tool.d.ts
/** Requests over HTTP, as a tool. */
import { type Tool } from '@loom-agent/agent';
import type { HttpOptions } from './http-options.ts';
/** The options of `httpTool()`. */
export interface HttpToolOptions extends HttpOptions {
    /** Methods that may be used; default: GET, HEAD, POST, PUT, PATCH and DELETE. */
    readonly methods?: readonly HttpMethod[];
    /** Origins that know the header `Idempotency-Key`: calls to them are `idempotent` and carry the key of the call. Default: none. */
    readonly idempotent?: readonly string[];
    /** Characters of a body that the model reads; default 9,000, so that Loom's limit of 10,000 does not cut the result again. */
    readonly maxText?: number;
}
/** A method of HTTP. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/**
 * The tool `http_request`: sends a request to a public address. GET and HEAD are `read` and run; other methods change something and ask for permission.
 * This machine and its networks cannot be reached, except for the hosts in `allow`.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: [httpTool({ hosts: ['**.example.com'] })] })
 */
export declare function httpTool(options?: HttpToolOptions): Tool;

// net/reach.d.ts
import { type Target } from './target.ts';
/** Looks up the addresses of a host. */
export type ResolveHost = (host: string, options: {
    readonly signal: AbortSignal;
}) => readonly string[] | Promise<readonly string[]>;
/** Where requests may go. */
export interface ReachOptions {
    /** Hosts of this machine or its networks that may be reached, as `host` or `host:port`; without a port, 80 and 443. Default: none. */
    readonly allow?: readonly string[];
    /** The only hosts that may be reached, as patterns (`example.com`, `*.example.com`, `**.example.com`); default: all public ones. */
    readonly hosts?: readonly string[];
    /** Ports that may be used; default 80 and 443. A port in `allow` may be used for its host. */
    readonly ports?: readonly number[];
    /** Ports of this program's own servers: they are refused on all addresses of this machine. A function is called for each request. */
    readonly ownPorts?: readonly number[] | (() => readonly number[]);
    /** Looks up hosts; default: as the operating system does. */
    readonly resolve?: ResolveHost;
}
/** A host that is allowed by its name, and its ports. */
export interface AllowedHost {
    readonly host: string;
    readonly ports: readonly number[];
}
/** What a request may reach, ready to be asked. */
export interface Reach {
    /** The addresses of a target that may be connected to. Throws where it may not be reached. */
    addressesOf(target: Target, signal: AbortSignal): Promise<readonly string[]>;
}
/** Makes the rules ready. */
export declare function createReach({ allow, hosts, ports, ownPorts, resolve }: ReachOptions): Reach;
/** The host that an entry of `allow` names; undefined where it names none. */
export declare function allowedHost(entry: string): AllowedHost | undefined;

// net/target.d.ts
/** An address in its one form. */
export interface Target {
    /** The whole address without the fragment. */
    readonly url: string;
    /** `http:` or `https:`. */
    readonly protocol: 'http:' | 'https:';
    /** The host in lower case: a name, an IPv4 address, or an IPv6 address without brackets. */
    readonly host: string;
    /** The port, also where it is the default of the protocol. */
    readonly port: number;
    /** Protocol, host and port as the web names them, such as `https://example.com`. */
    readonly origin: string;
    /** The path and the query. */
    readonly path: string;
}
/**
 * Reads an address. Throws a refusal that says how to write it.
 *
 * @example
 * canonicalUrl('HTTPS://Example.com:443/a?b#c').url   // 'https://example.com/a?b'
 */
export declare function canonicalUrl(text: string): Target;
/** Whether a host is an address, not a name. */
export declare const isAddress: (host: string) => boolean;
/** The host of an address in its one form, for rules of permissions; undefined where the address would be refused. */
export declare function hostOfUrl(text: string): string | undefined;
/**
 * Whether a host matches a pattern: `example.com` is that host alone, `*.example.com` the hosts one label below it, `**.example.com` all hosts below it.
 *
 * @example
 * matchesHost('**.example.com', 'api.example.com')      // true
 * matchesHost('**.example.com', 'example.com.evil.net') // false
 */
export declare function matchesHost(pattern: string, host: string): boolean;

// task/done-tool.d.ts
/** The end of a run, as a tool. */
import { type Tool } from '@loom-agent/agent';
/**
 * The tool `done`, through which alone a run ends with `behaviour: { requireDone: 'done' }`: a reply without calls is then answered by one reminder.
 *
 * @example
 * agent({ name: 'worker', model, tools: [doneTool()], behaviour: { requireDone: 'done' } })
 */
export declare function doneTool(): Tool;

// task/task-tool.d.ts
/**
 * Handing a part of the work to a child, as a tool.
 *
 * TASK-1. A task is a child of its call: its thread, its budget, its stop and its rights follow from that of the parent, and after a crash the same child is
 *         found again by the record of the call. The body has no effects of its own.
 * TASK-2. A child never gets tools that the program did not list, whatever the model asks for.
 */
import { type Agent, type Policy, type Tool } from '@loom-agent/agent';
/** The options of `taskTool()`. */
export interface TaskToolOptions {
    /** The agent that does the tasks: its model, instructions, settings and limits. Its tools are replaced for each task. */
    readonly agent: Agent;
    /** The tools that a task may be given, by name; default: none. */
    readonly tools?: Readonly<Record<string, Tool>> | Iterable<Tool>;
    /** The names of the tools that a task has when none are asked for; default: `read_file`, `glob` and `grep`, where they are among `tools`. */
    readonly defaults?: readonly string[];
    /** What the child may do, and never more than its parent; default: the permissions of `agent`, or `taskPermissions` where it has none. */
    readonly permissions?: Policy;
    /** Turns that a task may take; default: those of `agent`, or 10. */
    readonly turns?: number;
}
/**
 * What a task may do by default: use tools that only read, as far as these allow it themselves, ask before it runs a command, and nothing else.
 */
export declare const taskPermissions: Policy;
/**
 * The tool `task`: hands a part of the work to a child agent with a thread of its own, and returns its answer. Tasks of one reply run side by side.
 *
 * @example
 * const task = taskTool({ agent: agent({ name: 'explorer', model }), tools: fileTools({ root: '.' }) })
 */
export declare function taskTool(options: TaskToolOptions): Tool;

// toolkit/toolkit.d.ts
/**
 * Tools that belong together, under a name and a version.
 *
 * KIT-1. A name stands once in a toolkit, and so it does when toolkits are put together: a second tool of a name is an error, never a silent replacement.
 */
import type { Tool } from '@loom-agent/agent';
/** What `toolkit()` takes. */
export interface ToolkitOptions<Deps = unknown> {
    /** The name of the toolkit. */
    readonly name: string;
    /** Its version, such as `1.2.0`. */
    readonly version: string;
    /** Tools by name, or a list of tools and toolkits. */
    readonly tools: Readonly<Record<string, Tool<Deps>>> | Iterable<Tool<Deps> | Toolkit<Deps>>;
    /** Put before the name of each tool; default: nothing. */
    readonly prefix?: string;
}
/** Tools that belong together. Its iteration yields them: `tools: [...kit, ...other]`. */
export interface Toolkit<Deps = unknown> extends Iterable<Tool<Deps>> {
    readonly kind: 'toolkit';
    /** The name of the toolkit. */
    readonly name: string;
    /** Its version. */
    readonly version: string;
    /** The tools by name. */
    readonly tools: Readonly<Record<string, Tool<Deps>>>;
    /** The toolkit that each tool came from, as `name@version`, by the name of the tool. */
    readonly sources: Readonly<Record<string, string>>;
}
/**
 * Puts tools together under a name and a version. Two tools of one name are refused (`LOOM_TOOL_DUPLICATE`), with the toolkits that they came from; a
 * `prefix` tells them apart.
 *
 * @example
 * const web = toolkit({ name: 'web', version: '1.0.0', tools: webTools() })
 * const all = toolkit({ name: 'all', version: '1.0.0', tools: [web, calculator()] })
 * agent({ name: 'helper', model, tools: [...all] })
 */
export declare function toolkit<Deps = unknown>(options: ToolkitOptions<Deps>): Toolkit<Deps>;

// toolkit/with-breaker.d.ts
/** A circuit breaker around a tool: what keeps failing is not called for a while. */
import type { BreakerOptions, Tool } from '@loom-agent/agent';
/**
 * A tool that is not called while it keeps failing: the model reads that, and when it can try again. The result's `meta.circuit` says `open` or
 * `half-open` where the circuit was not closed. The circuit lives in this process; what it did is recorded with each call.
 *
 * @example
 * const search = withBreaker(webTools({ search: findPages }).web_search, { minimum: 3, openFor: 30_000 })
 */
export declare function withBreaker<Deps>(tool: Tool<Deps>, options?: BreakerOptions): Tool<Deps>;

// toolkit/with-cache.d.ts
/**
 * A cache around a tool that changes nothing.
 *
 * CACHED-1. Only results of `pure` and `read` tools are kept, never errors, and never longer than `ttl`.
 * CACHED-2. Runs with different dependencies share nothing, unless the program gives the key: a result may depend on who asks.
 */
import { type Tool, type ToolContext } from '@loom-agent/agent';
import { type Clock } from '@loom-agent/kernel';
/** The options of `withCache()`. */
export interface CacheOptions {
    /** Milliseconds for which a result is returned again; default 300,000. */
    readonly ttl?: number;
    /** Results that are kept; the one that was used longest ago is dropped first. Default 100. */
    readonly size?: number;
    /** The key of a call: equal keys have equal results, whoever asks. Default: the arguments, for each value of `deps` by itself. */
    readonly key?: (input: unknown, context: Pick<ToolContext, 'thread' | 'deps'>) => string;
    /** Replaces the platform's clock. */
    readonly clock?: Pick<Clock, 'now'>;
}
/**
 * A tool that returns the same result again for the same arguments. The result's `meta.cache` says `hit`, with its `age` in milliseconds, or `miss`.
 * The cache lives in this process; what a call returned is recorded, so a resumed run or a replay does not depend on it.
 *
 * @example
 * const fetch = withCache(webTools().fetch, { ttl: 60_000 })
 */
export declare function withCache<Deps>(tool: Tool<Deps>, options?: CacheOptions): Tool<Deps>;

// web/search.d.ts
/** One result of a search. */
export interface SearchResult {
    /** The title of the page. */
    readonly title: string;
    /** Its address; results without a valid one are left out. */
    readonly url: string;
    /** An excerpt or a summary. */
    readonly snippet?: string;
}
/** Searches the web: a service, an index, anything that finds pages. */
export type SearchWeb = (query: string, options: {
    readonly signal: AbortSignal;
    readonly limit: number;
}) => readonly SearchResult[] | Promise<readonly SearchResult[]>;
/** The arguments of `web_search`. */
export interface SearchInput {
    readonly query: string;
    readonly limit?: number;
}
/** The results of a search as the model reads them. */
export declare function searchText(search: SearchWeb, { query, limit }: SearchInput, signal: AbortSignal): Promise<string>;

// web/web-tools.d.ts
/** The web, as tools: pages as text, and a search that the program brings. */
import { type Tool } from '@loom-agent/agent';
import type { HttpOptions } from '../net/http-options.ts';
import { type SearchWeb } from './search.ts';
/** A page, as a fetcher of the program returns it. */
export interface FetchedPage {
    /** The body as text: HTML, or any other text. */
    readonly text: string;
    /** Such as `text/html`; default: HTML where the text begins with a tag. */
    readonly contentType?: string;
    /** The address that replied; default: the one that was asked for. */
    readonly url?: string;
}
/** Fetches a page in place of Loom's own client. */
export type FetchPage = (url: string, options: {
    readonly signal: AbortSignal;
}) => FetchedPage | Promise<FetchedPage>;
/** The options of `webTools()`; those of requests hold for Loom's own client. */
export interface WebToolsOptions extends HttpOptions {
    /** Searches the web; without it there is no `web_search`. */
    readonly search?: SearchWeb;
    /** Fetches pages, such as through a browser or a service; default: Loom's own client, which reaches public addresses alone. */
    readonly fetch?: FetchPage;
    /** Characters of a page that one call returns; default 9,000, so that Loom's limit of 10,000 does not cut the result again. */
    readonly maxText?: number;
}
/** The tools, by name. */
export interface WebTools {
    /** Fetches a page as text. */
    readonly fetch: Tool;
    readonly [name: string]: Tool;
}
/**
 * Tools that read the web: `fetch` returns a page as text, and `web_search` what the given function finds. What they return is marked as untrusted.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: webTools({ search: (query, { limit }) => mySearch(query, limit) }) })
 */
export declare function webTools(options?: WebToolsOptions): WebTools;
