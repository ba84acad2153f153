// arguments/marked-arguments.d.ts
import type { CallMatcher, CallPart, LeastVerdict, ToolTaint, Verdict } from '@loom-agent/agent';
import type { ArgumentKinds } from '@loom-agent/kernel';
import { type ProtectOptions } from '../files/declared-paths.ts';
/** What `markedArguments()` takes. */
export interface MarkedArgumentsOptions {
    /** What each argument names. A list of texts is judged text by text; arguments that are not named here say nothing. */
    readonly kinds: ArgumentKinds;
    /** The folder that paths are relative to; default: the folder of this process. */
    readonly root?: string;
    /** The arguments whose paths are only read; default: all may be written, which protects more. */
    readonly reads?: readonly string[];
    /** The tool's own verdict on calls of which no path is protected; default: none, so that such a call runs where no policy says otherwise. */
    readonly permission?: Verdict;
    /** Paths that need more than a rule. */
    readonly protect?: ProtectOptions;
}
/** What a definition of a tool gets of its marked arguments: `tool({ ...marked, input, run })`. */
export interface MarkedArguments {
    /** How rules such as `copy(to: ./src/**)` name its arguments. */
    readonly matcher: CallMatcher<Given, CallPart>;
    /** Its own verdict, and the least that a call on a protected path meets. */
    readonly permission: (input: Given) => Verdict | LeastVerdict;
    /** What its calls bring and send, by what their arguments name. */
    readonly taint: ToolTaint<Given>;
}
/** The arguments of a call. */
type Given = object;
/**
 * Says of the arguments of a tool which are paths, commands, addresses or hosts: rules can name them, protected paths ask, results are labelled, and
 * people see what each is.
 *
 * @example
 * const copy = tool({ ...markedArguments({ root, kinds: { from: 'path', to: 'path' }, reads: ['from'] }), name: 'copy', input, run })
 */
export declare function markedArguments(options: MarkedArgumentsOptions): MarkedArguments;
export {};

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

// code/code-options.d.ts
import type { GuestLimits } from '../sandbox/run-guest.ts';
/** The options of `codeTools()`. */
export interface CodeToolsOptions {
    /** Milliseconds that code may compute; default 5,000. */
    readonly timeout?: number;
    /** Bytes of memory that code may use; default 64 MiB. */
    readonly memory?: number;
    /** Characters that code may print, and that its result may have; default 4,500, so that both fit into one result. */
    readonly maxOutput?: number;
}
/** The limits, checked. */
export declare function limitsOf(options: CodeToolsOptions): GuestLimits;
/** Characters that code may have. */
export declare const longestCode = 100000;
/** How code is described to models. */
export declare const codeWords = "JavaScript, the body of an async function of input: return gives the result, which must be JSON. It has the language and console, and nothing else: no network, no files, no timers, no imports.";

// code/code-tools.d.ts
/** Code of a model, as tools: it runs, and it makes tools of its own. */
import { type Tool } from '@loom-agent/agent';
import { type CodeToolsOptions } from './code-options.ts';
/** The tools, by name. */
export interface CodeTools {
    /** Runs JavaScript. */
    readonly run_code: Tool;
    /** Makes a tool out of JavaScript; asks. */
    readonly create_tool: Tool;
    /** Uses a tool that was made so. */
    readonly use_tool: Tool;
    /** Lists the tools that were made so. */
    readonly list_tools: Tool;
    readonly [name: string]: Tool;
}
/**
 * Tools for JavaScript that the model writes. Each piece of code runs in a process of its own, in an engine without network, files, clocks to wait for or
 * modules. Needs the package `quickjs-emscripten`.
 *
 * @example
 * const analyst = agent({ name: 'analyst', model, tools: codeTools() })
 */
export declare function codeTools(options?: CodeToolsOptions): CodeTools;

// code/python-tool.d.ts
import { type Tool } from '@loom-agent/agent';
import { type Sandbox } from '../sandbox/sandbox.ts';
/** The options of `pythonTool()`. */
export interface PythonToolOptions {
    /** Where it runs; default: the sandbox of the operating system, with a folder of its own for each call and no network. */
    readonly sandbox?: 'os' | Sandbox;
    /** Milliseconds that code may take; default 60,000. */
    readonly timeout?: number;
    /** Bytes of memory that a process may have for its data; default 1 GiB. */
    readonly memory?: number;
    /** Bytes of output that a result has at most; default 8,000: its beginning and its end. */
    readonly maxOutputBytes?: number;
    /** Paths that the sandbox of the operating system hides besides secrets; default: the working folder of this process. */
    readonly hide?: readonly string[];
}
/**
 * The tool `run_python`: runs Python in the sandbox of the operating system. It asks; the mode `auto` settles that. Models are shown it where python3 is
 * installed.
 *
 * @example
 * const analyst = agent({ name: 'analyst', model, tools: [pythonTool()] })
 */
export declare function pythonTool(options?: PythonToolOptions): Tool;

// code/recorded-tools.d.ts
import { type Entry, type Journal, type List, type Seq } from '@loom-agent/kernel';
import { type WrittenTool } from './tool-definition.ts';
/** The name of the tool that makes tools. */
export declare const createName = "create_tool";
/** The tools that calls of a history have made, by name; a later one of the same name takes the place of an earlier one. */
export declare function toolsIn(history: List<Entry>): ReadonlyMap<string, WrittenTool>;
/**
 * The tools that the model has written on a thread with `create_tool`, the latest last: now, or as they were after the event `upTo`. Needs the journal alone.
 *
 * @example
 * for (const { name, description, code } of await writtenTools(journal, 'user-123')) console.log(name, description, code)
 */
export declare function writtenTools(journal: Journal, thread: string, upTo?: Seq): Promise<readonly WrittenTool[]>;

// code/tool-definition.d.ts
import { type Json, type JsonObject, LoomError, type Seq } from '@loom-agent/kernel';
/** The definition of a tool that a model writes. */
export interface ToolDefinition {
    /** Its name. */
    readonly name: string;
    /** What it does. */
    readonly description: string;
    /** The JSON Schema of its input. */
    readonly input: JsonObject;
    /** Its code: the body of an async function of `input`. */
    readonly code: string;
}
/** A tool that a model has written. */
export interface WrittenTool extends ToolDefinition {
    /** The seq of the results that hold the call that made it. */
    readonly seq: Seq;
}
/** Why a definition is refused; undefined when it is well formed, as far as that is known without its code. */
export declare function definitionProblem({ name, description, input, code }: ToolDefinition): string | undefined;
/** A definition that was recorded, where it still is one. */
export declare function writtenTool(value: Json | undefined): ToolDefinition | undefined;
/** How a tool is shown to the model: it stands at the end of the context, in the result of the call that made it. */
export declare function describeTool({ name, description, input }: ToolDefinition): string;
/** A refusal of a definition or of an input. */
export declare const refused: (message: string) => LoomError;

// command/judge.d.ts
/**
 * Judging a command by patterns and by a rule for paths.
 *
 * COMMAND-7. `allow` needs everything allowed: every command, every wrapper that gives other rights, every redirection. One denied part denies all of it,
 *     and what is unknown is at best asked about.
 */
import type { PathRequest } from './parse.ts';
import { type CommandPattern } from './pattern.ts';
import { type CommandRequest } from './requests.ts';
/** Which commands are allowed and denied. */
export interface CommandRules {
    /** Patterns of commands that may run. */
    readonly allow?: readonly string[];
    /** Patterns of commands that may not. */
    readonly deny?: readonly string[];
    /** The verdict on a file of a redirection; default: `ask`. */
    readonly path?: (request: PathRequest) => 'allow' | 'ask' | 'deny';
}
/** The verdict on a command, and why. */
export interface CommandJudgement {
    /** Whether the command may run. */
    readonly verdict: 'allow' | 'ask' | 'deny';
    /** The part of the command that decided, and why. */
    readonly reason: string;
}
/**
 * Judges a command: the strictest verdict on any part of it.
 *
 * @example
 * judgeCommand('git log && git push', { allow: ['git log *'], deny: ['git push *'] })
 */
export declare function judgeCommand(command: string, { allow, deny, path }: CommandRules): CommandJudgement;
/** The first command that no pattern allows. */
export declare function notAllowed(commands: readonly CommandRequest[], patterns: readonly CommandPattern[]): CommandRequest | undefined;
/** Whether a pattern allows a command: it names the command itself, or names it as a part of one that runs it. */
export declare function covers(pattern: CommandPattern, command: CommandRequest, commands: readonly CommandRequest[]): boolean;

// command/only-reads.d.ts
/**
 * Whether a command only reads, by its words: a suggestion, no boundary. Settings of the program may make it do more.
 *
 * @example
 * onlyReads(['git', 'log', '--oneline'])
 */
export declare function onlyReads(argv: readonly string[]): boolean;
/**
 * The pattern that a person may be offered for a command. With `*` only for programs of which no option runs or writes anything.
 *
 * @example
 * suggestedPattern(['grep', '-n', 'todo', 'src/a.ts'])
 */
export declare function suggestedPattern(argv: readonly string[]): string;

// command/parse.d.ts
/** Simple commands, joined by `&&`, `||`, `;`, `|` and line breaks. Everything else that a shell knows is unknown here (COMMAND-1). */
import { type Unknown } from './tokens.ts';
/** A file that a command would read or write. */
export interface PathRequest {
    /** What is done with it. */
    readonly access: 'read' | 'write';
    /** The path as the command has it. */
    readonly path: string;
}
/** One command with its words, as a shell would run it. */
export interface SimpleCommand {
    readonly argv: readonly string[];
    readonly redirections: readonly PathRequest[];
    /** Whether it reads what the command before it prints, or a file. */
    readonly isFed: boolean;
    /** What stands before it; `;` before the first one. */
    readonly after: '&&' | '||' | ';' | '|' | '\n';
}
/** The commands of a text, in the order in which they are written; or why they are not known. */
export type Parsed = {
    readonly commands: readonly SimpleCommand[];
} | Unknown;
/** The longest text, and the most commands, that are looked at. */
export declare const bounds: {
    readonly characters: 10000;
    readonly commands: 50;
};
/** Parses a command. */
export declare function parseCommand(text: string): Parsed;
/** Why a word cannot be the name of a command, whether or not it was in quotes. */
export declare function objectionTo(name: string): string | undefined;

// command/pattern.d.ts
import type { CommandRequest } from './requests.ts';
/** A pattern that was read. */
export interface CommandPattern {
    /** The words that have to be there. */
    readonly words: readonly string[];
    /** Whether any words may follow: the pattern ends with `*`. */
    readonly isOpen: boolean;
}
/** Reads a pattern. One that can never match is refused. */
export declare function commandPattern(text: string): CommandPattern;
/**
 * Whether a pattern names a command: the same words, and any further ones where it ends with `*`.
 *
 * @example
 * matchesCommand('git log *', ['git', 'log', '-3'])
 */
export declare function matchesCommand(pattern: string | CommandPattern, argv: readonly string[]): boolean;
/** Whether a pattern allows a command, all its words included (COMMAND-5). */
export declare function allowsCommand(pattern: CommandPattern, { argv, isOpen }: CommandRequest): boolean;
/** Whether a rule that denies may be meant by a command (COMMAND-6). */
export declare function mayBeCommand({ words, isOpen: isOpenPattern }: CommandPattern, { argv, isOpen }: CommandRequest): boolean;
/** Whether a rule that denies may be meant by the words of a text that is not understood. */
export declare function mayBeInWords({ words }: CommandPattern, given: readonly string[]): boolean;
/** What a person should know before a pattern allows commands; undefined: nothing. */
export declare function warningFor(text: string): string | undefined;

// command/requests.d.ts
/**
 * What a command would do, for rules to judge: every command that it runs, however it is wrapped, and every file that it redirects to or from.
 *
 * COMMAND-3. Every command is there: those inside wrappers and scripts, to a depth of 8, beside those that run them. What is deeper makes it unknown.
 * COMMAND-4. What is unknown never becomes known later: `unknown` is set as soon as one part is not understood, and what was understood is still there,
 *     so that rules that deny can look at it.
 */
import { type PathRequest } from './parse.ts';
/** A command that would be run. */
export interface CommandRequest {
    /** Its words, the name of the program first. */
    readonly argv: readonly string[];
    /** Set when more words follow, which are not known: `xargs` adds them. */
    readonly isOpen?: true;
    /** Set when a `cd` comes before it: relative paths are not what they were. */
    readonly isMoved?: true;
    /** Set when it runs other commands of the list. */
    readonly wraps?: 'plain' | 'strong';
    /** The number of the command in the list that runs it. */
    readonly within?: number;
    /** Where it begins in the words of the one that runs it; not set for a script. */
    readonly at?: number;
}
/** What a command would do. */
export interface CommandRequests {
    /** Every command, outer ones before those that they run. */
    readonly commands: readonly CommandRequest[];
    /** The files of redirections. */
    readonly paths: readonly PathRequest[];
    /** Why it is not known what the command does; then it must not be allowed. */
    readonly unknown?: string;
    /** The words in the text as far as they can be told, for rules that deny, when the rest is unknown. */
    readonly words: readonly string[];
}
/**
 * What a command would do. Pure and total: a command that is not plain has `unknown`.
 *
 * @example
 * requestsOf('timeout 5 npm test > log.txt')
 */
export declare function requestsOf(command: string): CommandRequests;

// command/tokens.d.ts
/**
 * The tokens of a command, as far as it is plain: words without any expansion, `&&`, `||`, `;`, `|`, line breaks and redirections.
 *
 * COMMAND-1. What is not known to mean the same in bash and in dash is not plain. Every character outside quotes is in the list of plain ones, or the
 *     whole command is unknown.
 * COMMAND-2. Reading is total and linear: each character is looked at once, and no text makes it throw.
 */
/** A part of a plain command. */
export type Token = {
    readonly kind: 'word';
    readonly text: string;
    /** Whether a part of it was in quotes. */
    readonly isQuoted: boolean;
} | {
    readonly kind: 'operator';
    readonly text: '&&' | '||' | ';' | '|' | '\n';
} | {
    readonly kind: 'redirection';
    readonly text: '<' | '>' | '>>' | '>|' | '<&' | '>&';
    readonly descriptor: string;
};
/** Why a command is not plain. */
export interface Unknown {
    /** The reason, as it follows "The command has". */
    readonly unknown: string;
}
/** The tokens of a command, or why it is not plain. */
export declare function tokensOf(text: string): readonly Token[] | Unknown;

// files/declared-paths.d.ts
/**
 * What a program declares about the files of a folder: the same words for all tools that work in it, so that they agree.
 *
 * DECLARED-1. The file tools, the shell and its sandbox judge a path by one guard, made of one declaration.
 */
import { type Expected } from '@loom-agent/agent/kit';
import { type Guard } from './guard.ts';
/** Paths that need more than a rule. A pattern such as `.env.*` or `.config/gh` stands for names anywhere in a path, and for everything below them. */
export interface ProtectOptions {
    /** Files that may hold secrets: reading and writing them asks, searches leave them out, and sandboxes hide them; default `secretPaths`. */
    readonly secrets?: readonly string[];
    /** Files that may run as code later: writing them asks, and sandboxes keep most of them as they are; default `codePaths`. */
    readonly code?: readonly string[];
    /** What a call of a file tool on them meets at least, whatever the rules say; default `ask`. */
    readonly verdict?: 'ask' | 'deny';
}
/** What is said about files. Tools that work in the same folder are given the same. */
export interface DeclaredPaths {
    /** Paths that need more than a rule. */
    readonly protect?: ProtectOptions;
    /** Files whose content is private, as patterns like those of `protect`: what shows it is labelled so, as it is for secrets. Default: none besides those. */
    readonly private?: readonly string[];
    /**
     * Files that others wrote, as patterns like those of `protect`; `*` is every file: what shows or lists them is labelled so. Default: none, because the
     * files of the folder are the agent's own.
     */
    readonly untrusted?: readonly string[];
}
/** What each path that needs more than a rule must be. */
export declare const protectShape: Readonly<Record<keyof ProtectOptions, Expected>>;
/** What each declaration must be. */
export declare const declaredShape: Readonly<Record<keyof DeclaredPaths, Expected>>;
/** The guard of a declaration. */
export declare function guardOf({ protect, private: hidden, untrusted: foreign }: DeclaredPaths): Guard;

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

// files/guard.d.ts
/**
 * Protected paths: what a call on them meets, whatever the rules say.
 *
 * GUARD-1. A path is judged by its text, in a form in which all spellings are equal that some file system treats as equal: case, Unicode forms, trailing
 *          dots and spaces, streams, short names.
 * GUARD-2. A protected place is reached by its own path alone: a link that leads to one is refused when it is followed, so what was judged and approved is
 *          what is opened, whatever is exchanged in between.
 */
import type { LeastVerdict } from '@loom-agent/agent';
/** Which paths are protected, and what a call on them meets. */
export interface GuardedPaths {
    readonly secrets: readonly string[];
    readonly code: readonly string[];
    readonly hidden?: readonly string[];
    readonly foreign?: readonly string[];
    readonly verdict: 'ask' | 'deny';
}
/** What a call does to a file. A search comes to private files by itself, and its result says that it may hold them. */
export type Access = 'read' | 'write' | 'search';
/** Judges paths. */
export interface Guard {
    /** Why the names along a path are protected against an access; undefined when they are not. */
    reason(access: Access, segments: readonly string[]): string | undefined;
    /** The verdict on a path as it was given: the least that a call on it meets. */
    verdict(access: Access, path: string): LeastVerdict;
    /** Whether the names along a path stand for something private: a secret, or a file that the program has named. */
    isPrivate(segments: readonly string[]): boolean;
    /** Whether the names along a path stand for something that others wrote, as the program has said. */
    isForeign(segments: readonly string[]): boolean;
    /** Throws when a walk to the given names has come to a protected place that they do not name themselves (GUARD-2). */
    check(access: Access, given: readonly string[], path: string): (reached: readonly string[]) => void;
}
/** Makes a guard. */
export declare function createGuard({ secrets, code, hidden, foreign, verdict }: GuardedPaths): Guard;
/** The names along a path; undefined when the path is refused anyway. */
export declare function namesOf(path: string): readonly string[] | undefined;
/** Equal for all names that some file system treats as one (GUARD-1). Upper case first: it has one form of letters that have several lower ones. */
export declare function folded(name: string): string;

// files/options.d.ts
/** The options of the file tools. */
import { type Expected } from '@loom-agent/agent/kit';
import { type DeclaredPaths } from './declared-paths.ts';
/** The options of `fileTools()`. */
export interface FileToolsOptions extends DeclaredPaths {
    /** The folder that the tools may use; they cannot reach anything outside of it. */
    readonly root: string;
    /** The files and folders of journals, which no tool reads or changes; databases and journals that are recognised need not be named. */
    readonly journals?: readonly string[];
    /**
     * What is recorded of each change: the hashes of the content before and after (default), or with `snapshots` also these contents, in the journal, so that
     * a rewind can put them back. Contents of more than 4 MiB are not kept, and neither are those of files that may hold secrets.
     */
    readonly workspace?: 'hashes' | 'snapshots';
    /** The name under which changes are recorded; default `workspace`. Tools that use the same folder have the same name, others have another. */
    readonly name?: string;
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
/** The name of a workspace that has no other. */
export declare const defaultWorkspace = "workspace";
/** What each option must be. */
export declare const fileShape: Readonly<Record<keyof FileToolsOptions, Expected>>;

// files/protected-paths.d.ts
/** Which paths are protected by default. A pattern stands for names that follow each other anywhere in a path, and for everything below them. */
/** Files that hold secrets: reading and writing them asks, whatever the rules say, and searches leave them out. */
export declare const secretPaths: readonly string[];
/** Files that run as code later, without another question: writing them asks, whatever the rules say. */
export declare const codePaths: readonly string[];

// grants/grant-folder.d.ts
import type { ScriptVersion } from './scripts.ts';
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
    /** The files that the command runs, and the hashes of their content; absent where there are none. */
    readonly scripts?: readonly ScriptVersion[];
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
    /** The folder in which commands run; default: `project`. */
    readonly cwd?: string;
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

// grants/scripts.d.ts
/** A file that a command may run, and its content. */
export interface ScriptVersion {
    /** Its absolute path. */
    readonly path: string;
    /** The SHA-256 of its content; null where there is none. */
    readonly hash: string | null;
}
/** The scripts of a command that runs in a folder, by their paths; undefined where there are too many, or one is too large. */
export declare function scriptsOf(command: string, cwd: string): Promise<readonly ScriptVersion[] | undefined>;

// index.d.ts
/** Loom's own tools. */
export { type MarkedArguments, type MarkedArgumentsOptions, markedArguments } from './arguments/marked-arguments.ts';
export { calculator } from './calculator/calculator.ts';
export type { CodeToolsOptions } from './code/code-options.ts';
export { type CodeTools, codeTools } from './code/code-tools.ts';
export { type PythonToolOptions, pythonTool } from './code/python-tool.ts';
export { writtenTools } from './code/recorded-tools.ts';
export type { ToolDefinition, WrittenTool } from './code/tool-definition.ts';
export { type CommandJudgement, type CommandRules, judgeCommand } from './command/judge.ts';
export { onlyReads, suggestedPattern } from './command/only-reads.ts';
export type { PathRequest } from './command/parse.ts';
export { type CommandPattern, commandPattern, matchesCommand, warningFor } from './command/pattern.ts';
export { type CommandRequest, type CommandRequests, requestsOf } from './command/requests.ts';
export type { DeclaredPaths, ProtectOptions } from './files/declared-paths.ts';
export { type FileTools, fileTools } from './files/file-tools.ts';
export type { FileToolsOptions } from './files/options.ts';
export { codePaths, secretPaths } from './files/protected-paths.ts';
export type { Grant } from './grants/grant-folder.ts';
export { type Grants, type GrantsOptions, grants, type RememberOptions } from './grants/grants.ts';
export type { ScriptVersion } from './grants/scripts.ts';
export type { HttpOptions } from './net/http-options.ts';
export { type HttpMethod, type HttpToolOptions, httpTool } from './net/http-tool.ts';
export type { ReachOptions, ResolveHost } from './net/reach.ts';
export { canonicalUrl, hostOfUrl, matchesHost, type Target } from './net/target.ts';
export type { SandboxOption } from './sandbox/choose-sandbox.ts';
export { type OsSandboxOptions, osSandbox } from './sandbox/os-sandbox.ts';
export type { ConfinedProgram, Program, ProgramToConfine, Sandbox, SandboxLimits } from './sandbox/sandbox.ts';
export type { Secrets } from './sandbox/secrets.ts';
export type { JobStatus } from './shell/job-files.ts';
export { type FoundJob, type JobsOptions, recoverJobs } from './shell/jobs.ts';
export type { ShellToolsOptions } from './shell/shell-options.ts';
export { endShells, type ShellTools, shellTools } from './shell/shell-tools.ts';
export { doneTool } from './task/done-tool.ts';
export { type TaskToolOptions, taskPermissions, taskTool } from './task/task-tool.ts';
export { type ToolSearchOptions, toolSearch } from './toolkit/tool-search.ts';
export { type Toolkit, type ToolkitOptions, toolkit } from './toolkit/toolkit.ts';
export { withBreaker } from './toolkit/with-breaker.ts';
export { type CacheOptions, withCache } from './toolkit/with-cache.ts';
export type { SearchResult, SearchWeb } from './web/search.ts';
export { type FetchedPage, type FetchPage, type WebTools, type WebToolsOptions, webTools } from './web/web-tools.ts';
export { type FolderWorkspace, type WorkspaceOptions, workspace } from './workspace/workspace.ts';

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

// sandbox/choose-sandbox.d.ts
/** Which sandbox commands run in, by the option `sandbox`. */
import { type Expected } from '@loom-agent/agent/kit';
import { type Sandbox } from './sandbox.ts';
/** Where commands run: in a sandbox of the operating system where there is one, always in it, never in one, or in another one. */
export type SandboxOption = 'auto' | 'os' | 'none' | Sandbox;
/** A sandbox that commands run in. */
export interface Chosen {
    /** The sandbox to use now; undefined where commands run outside of one. One that cannot be used is an error, unless the choice was left open. */
    use(): Promise<Sandbox | undefined>;
}
/** What the option must be. */
export declare const sandboxOption: Expected;
/** The sandbox that the option names; `make` makes that of the operating system. */
export declare function chooseSandbox(option: SandboxOption, make: () => Sandbox): Chosen;

// sandbox/os-sandbox.d.ts
import { type Expected } from '@loom-agent/agent/kit';
import { type ProtectOptions } from '../files/declared-paths.ts';
import type { Sandbox } from './sandbox.ts';
/** The options of `osSandbox()`. */
export interface OsSandboxOptions {
    /** The folder that commands may change. */
    readonly folder: string;
    /** Further paths that commands may change; default: none. */
    readonly write?: readonly string[];
    /** Further paths that commands may neither read nor change, besides secrets; default: none. */
    readonly hide?: readonly string[];
    /** Paths inside of hidden ones that commands may read all the same; default: none. */
    readonly show?: readonly string[];
    /** Hosts that commands may reach, such as `registry.npmjs.org` or `*.example.com`; default: none. */
    readonly hosts?: readonly string[];
    /** Other patterns of secrets, and of what runs as code later, which no command changes; default `secretPaths` and `codePaths`, as for the file tools. */
    readonly protect?: Omit<ProtectOptions, 'verdict'>;
}
/** What each option must be. */
export declare const osSandboxShape: Readonly<Record<keyof OsSandboxOptions, Expected>>;
/**
 * The sandbox of the operating system, for commands in a folder. On Linux, with `bubblewrap`, `socat` and `ripgrep` of the system.
 *
 * @example
 * const tools = shellTools({ cwd: './workspace', sandbox: osSandbox({ folder: './workspace', hosts: ['registry.npmjs.org'] }) })
 */
export declare function osSandbox(options: OsSandboxOptions): Sandbox;

// sandbox/run-guest.d.ts
import { type Json } from '@loom-agent/kernel';
/** What one piece of guest code may use. */
export interface GuestLimits {
    /** Milliseconds that it may compute. */
    readonly time: number;
    /** Bytes of memory beyond what an empty engine has. */
    readonly memory: number;
    /** Characters that it may print, and that its result may have. */
    readonly room: number;
    /** Where the engine is, as a URL; default: the installed package. */
    readonly engine?: string;
}
/** What is to be done with a piece of code: the body of an async function of `input`. */
export interface GuestTask {
    /** To run it, or only to see whether it is well formed. */
    readonly task: 'run' | 'check';
    /** The code. */
    readonly code: string;
    /** Its input, as JSON. */
    readonly input: Json;
}
/** What came of it. */
export type GuestEnd = GuestOutcome & {
    /** What it printed. */
    readonly printed: string;
    /** Characters that it printed beyond the bound. */
    readonly dropped: number;
};
type GuestOutcome = {
    readonly status: 'done';
    readonly result?: Json;
} | {
    readonly status: 'threw';
    readonly name: string;
    readonly message: string;
    readonly line?: number;
} | {
    readonly status: 'long';
    readonly length: number;
} | {
    readonly status: 'late' | 'waits';
} | {
    readonly status: 'broke';
    readonly problem: string;
};
/** Runs a piece of code to its end. An abort kills it and is thrown. */
export declare function runGuest(task: GuestTask, limits: GuestLimits, signal: AbortSignal): Promise<GuestEnd>;
export {};

// sandbox/sandbox.d.ts
/**
 * What confines commands: the port. An operating system, a container or a machine far away can stand behind it.
 *
 * SANDBOX-1. A command that was to run in a sandbox never runs outside of one: where it cannot be used, the call is refused.
 */
import { LoomError } from '@loom-agent/kernel';
/** A program, and how it is started. */
export interface Program {
    /** The program. */
    readonly file: string;
    /** Its arguments. */
    readonly args: readonly string[];
    /** All of its environment. */
    readonly env: Readonly<Record<string, string>>;
}
/** A program that is to be confined. */
export interface ProgramToConfine extends Program {
    /** The folder in which it begins. */
    readonly cwd: string;
    /** Aborts when the call is to end. */
    readonly signal: AbortSignal;
}
/** What the processes of one command may use. */
export interface SandboxLimits {
    /** How many processes and threads there may be at once. */
    readonly processes: number;
    /** Bytes of memory that each process may have for its data. */
    readonly memory: number;
}
/** A program that runs confined when it is started so. Descriptors 0 to 4 are passed on to it. */
export interface ConfinedProgram extends Program {
    /** Has to be called when it has ended, or was not started. */
    end(): void | Promise<void>;
}
/** Confines commands. */
export interface Sandbox {
    /** What it is, for people. */
    readonly name: string;
    /** Why it cannot be used now, and what to do about that; undefined when it can. Once it can be used it stays so. */
    problem(): Promise<string | undefined>;
    /** Says how to start a program so that it is confined. */
    wrap(program: ProgramToConfine, limits: SandboxLimits): Promise<ConfinedProgram>;
}
/** What confines a program. */
export interface Confinement {
    readonly sandbox: Sandbox;
    readonly limits: SandboxLimits;
}
/** The limits, unless others are given. */
export declare const usualLimits: SandboxLimits;
/** A sandbox that cannot be used. */
export declare const noSandbox: (problem: string) => LoomError;

// sandbox/secrets.d.ts
/** Secrets by the names of the variables that hold them. */
export type Secrets = Readonly<Record<string, () => string | Promise<string>>>;
/** A secret that a call was given. */
export interface GivenSecret {
    readonly name: string;
    readonly value: string;
}
/** The values of secrets. */
export declare function openSecrets(secrets: Secrets, names: readonly string[]): Promise<readonly GivenSecret[]>;
/** Takes output in pieces, and returns it without secrets. */
export interface SecretFilter {
    /** Takes a piece; returns what can be shown now. */
    push(piece: Uint8Array): Uint8Array;
    /** The output has ended; returns the rest. */
    end(): Uint8Array;
}
/** A filter for the output of one command. */
export declare function createSecretFilter(secrets: readonly GivenSecret[]): SecretFilter;

// shell/job-files.d.ts
import { type ProcessId } from './processes.ts';
/** What is recorded of a job. */
export interface JobRecord {
    /** Its id. */
    readonly id: string;
    /** The thread whose model started it. */
    readonly thread: string;
    /** The call that started it. */
    readonly call?: string;
    /** The command. */
    readonly command: string;
    /** Where it runs. */
    readonly cwd: string;
    /** The mark of its processes. */
    readonly mark: string;
    /** Its shell, once it was started. */
    readonly process?: ProcessId;
}
/** How a job is. */
export type JobStatus = {
    readonly status: 'running';
} | {
    readonly status: 'ended';
    /** The code that it ended with. */
    readonly exitCode: number;
} | {
    /** `killed`: it was ended because the model asked for that. `lost`: it no longer runs, and nobody knows why. */
    readonly status: 'killed' | 'lost';
};
/** The id of the job of a call. */
export declare const jobIdOf: (key: string) => string;
/** A file of a job. */
export declare const jobFile: (folder: string, id: string, name: 'job.json' | 'output' | 'exit' | 'killed' | 'told' | 'files') => string;
/** Makes the folder of a job; returns false when it is there already (JOB-1). */
export declare function claimJob(folder: string, record: JobRecord): boolean;
/** Writes the record of a job, whole. */
export declare function writeRecord(folder: string, record: JobRecord): void;
/** The record of a job; undefined when there is none. */
export declare function readRecord(folder: string, id: string): JobRecord | undefined;
/** All jobs, or those of one thread. */
export declare function listJobs(folder: string, thread?: string): readonly JobRecord[];
/** The job of this id in the thread; refuses another one. */
export declare function requireJob(folder: string, id: string, thread: string): JobRecord;
/** How a job is now (JOB-2). */
export declare function statusOf(folder: string, record: JobRecord): JobStatus;

// shell/jobs.d.ts
import type { Journal } from '@loom-agent/kernel';
import type { FolderWorkspace } from '../workspace/workspace.ts';
import { type JobRecord, type JobStatus } from './job-files.ts';
import { type Running } from './run-command.ts';
/** Where jobs are kept, and where their ends are told. */
export interface JobsOptions {
    /** The folder of the jobs' files; only the owner may read it. */
    readonly folder: string;
    /** The journal of the threads: the end of a job is steered to its thread. Default: nobody is told. */
    readonly journal?: Journal | undefined;
    /** The workspace that jobs change: what one has changed is recorded on its thread when it has ended. Default: nobody looks. */
    readonly workspace?: FolderWorkspace | undefined;
    /** Bytes of output that a job may have; default 16 MiB. A job that prints more is ended by the closed pipe. */
    readonly maxJobBytes?: number | undefined;
}
/** Starts the job of a call, or returns the one that the call has started already. */
export declare function startJob(command: string, running: Running & {
    readonly key: string;
    readonly thread: string;
    readonly call: string;
}, jobs: JobsOptions): Promise<JobRecord>;
/** A part of what a job has printed. */
export interface JobOutput {
    readonly text: string;
    /** Where the next part begins. */
    readonly next: number;
    readonly bytes: number;
}
/** Reads output from an offset on; a negative one counts from the end. */
export declare function readOutput(folder: string, id: string, { offset, most }: {
    readonly offset: number;
    readonly most: number;
}): JobOutput;
/** Ends a job and its processes, because the model has asked for that. */
export declare function endJob({ folder }: JobsOptions, record: JobRecord, grace: number): Promise<JobStatus>;
/** Tells the thread of a job how it ended, once (JOB-3). Returns whether this call did. */
export declare function tellEnd(jobs: JobsOptions, record: JobRecord): Promise<boolean>;
/** A job, and how it is. */
export interface FoundJob {
    /** Its id. */
    readonly id: string;
    /** The thread whose model started it. */
    readonly thread: string;
    /** Its command. */
    readonly command: string;
    /** Whether it runs, has ended, was killed, or is lost. */
    readonly status: JobStatus['status'];
    /** The code that it ended with. */
    readonly exitCode?: number;
}
/** A job as it is shown. */
export declare const foundJob: (folder: string, record: JobRecord) => FoundJob;
/**
 * Finds the jobs of earlier processes again: tells the threads of those that have ended or are lost, and follows the others. Call it when a program starts.
 *
 * @example
 * const jobs = await recoverJobs({ folder: './.jobs', journal })
 */
export declare function recoverJobs(options: JobsOptions): Promise<readonly FoundJob[]>;

// shell/output.d.ts
/**
 * The output of a command, within a bound: its beginning, its end, and how much is left out.
 *
 * SHELL-4. However much a command prints, no more than the bound is kept, and no character is cut.
 */
/** Collects output. */
export interface OutputKeeper {
    take(chunk: Uint8Array): void;
    /** How many bytes were printed. */
    readonly bytes: number;
    /** The text, with a line that says what is left out. */
    text(): string;
}
/** Keeps at most so many bytes: one half from the beginning, one half from the end. */
export declare function keepOutput(most: number): OutputKeeper;
/** How many bytes are whole characters: the last one may be cut. */
export declare function wholeLength(bytes: Uint8Array): number;
/** The text without a character at its beginning of which bytes are missing. */
export declare function withoutStart(bytes: Uint8Array): string;

// shell/processes.d.ts
/** The variable that marks the processes of a command. */
export declare const markVariable = "LOOM_SHELL";
/** What the processes of a command are found by. */
export interface Traces {
    /** The value of the variable in their environment. */
    readonly mark: string;
    /** The session of the shell, which is its own process group; undefined where it is not known. */
    readonly session?: number;
    /** The outputs of the command, as the system names them. */
    readonly outputs: readonly string[];
}
/** A process: its number, and when it was started, in the words of the system. */
export interface ProcessId {
    readonly pid: number;
    readonly start: string;
}
/** The identity of a running process; undefined when there is none. */
export declare function processId(pid: number): ProcessId | undefined;
/** Whether this very process is running. */
export declare const isRunning: ({ pid, start }: ProcessId) => boolean;
/** Notes what the processes of a command can be found by, as soon as its shell has started. */
export declare function tracesOf(pid: number, mark: string): Traces;
/** The processes of a command that are running. Nothing is found where the system does not show processes. */
export declare function findProcesses({ mark, session, outputs }: Traces): readonly ProcessId[];
/** Waits a moment for processes that are about to end, and ends the others. Resolves with how many there were. */
export declare function endLeftOver(traces: Traces, grace: number): Promise<number>;
/** Asks the processes of a command to end, and kills those that do not. Resolves when none is left, with how many there were. */
export declare function endProcesses(traces: Traces, grace: number): Promise<number>;

// shell/run-command.d.ts
import type { Confinement, Program } from '../sandbox/sandbox.ts';
import { type GivenSecret } from '../sandbox/secrets.ts';
import { type OutputKeeper } from './output.ts';
import { type Traces } from './processes.ts';
/** The shell, and how it is started: without any file of the user's. */
export declare const shellArguments: readonly string[];
/** What a command did. */
export interface CommandResult {
    /** The code that it ended with; null when a signal ended it. */
    readonly exitCode: number | null;
    /** The signal that ended it. */
    readonly signal?: string;
    /** What it printed, to both outputs, in the order of arrival. */
    readonly output: string;
    /** How long it took. */
    readonly milliseconds: number;
    /** Where it ran. */
    readonly cwd: string;
    /** What else there is to know: a time limit, processes that were ended, a new shell. */
    readonly note?: string;
}
/** How a command is run. */
export interface Running {
    readonly shell: string;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly timeout: number;
    readonly grace: number;
    readonly maxOutputBytes: number;
    readonly signal: AbortSignal;
    readonly progress: (data: unknown) => void;
    /** What confines it; absent: nothing. */
    readonly confine?: Confinement;
    /** What it was given and must not be shown. */
    readonly secrets?: readonly GivenSecret[];
}
/** A command that prints more than this is ended. */
export declare const mostPrinted: number;
/** What prints: a stream of bytes. */
interface Printing {
    on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
}
/** Passes output on to viewers and to the keeper, without secrets. Returns what passes on the rest, once all has arrived. */
export declare function listen(outputs: readonly Printing[], keeper: OutputKeeper, { progress, secrets }: Pick<Running, 'progress' | 'secrets'>): () => void;
/** The first of these ends a command. */
type End = 'exit' | 'timeout' | 'abort' | 'flood' | 'crowd';
/** A command under way. */
export interface UnderWay {
    readonly ended: Promise<unknown>;
    readonly keeper: OutputKeeper;
    readonly traces: Traces;
}
/** Waits until a command ends, is aborted, has used its time, has printed too much, or has too many processes. */
export declare function firstEnd({ ended, keeper, traces }: UnderWay, { timeout, signal, confine }: Running): Promise<End>;
/** The program that runs a command. */
export declare const bashFor: (command: string, { shell, env }: Running) => Program;
/** Runs a program to its end. An abort ends its processes and is thrown. */
export declare function runProgram(program: Program, running: Running): Promise<CommandResult>;
export {};

// shell/shell-options.d.ts
/** The options of the shell. */
import { type Expected } from '@loom-agent/agent/kit';
import type { CommandRules } from '../command/judge.ts';
import { type DeclaredPaths } from '../files/declared-paths.ts';
import { type SandboxOption } from '../sandbox/choose-sandbox.ts';
import { type OsSandboxOptions } from '../sandbox/os-sandbox.ts';
import type { SandboxLimits } from '../sandbox/sandbox.ts';
import type { Secrets } from '../sandbox/secrets.ts';
import type { FolderWorkspace } from '../workspace/workspace.ts';
import type { JobsOptions } from './jobs.ts';
/** The options of `shellTools()`. */
export interface ShellToolsOptions extends DeclaredPaths {
    /** The folder in which commands run, and, in a sandbox, the only one that they change. Outside of one it is no boundary. */
    readonly cwd: string;
    /** The shell; default `bash`. It has to be a bash. */
    readonly shell?: string;
    /** The value of PATH; default: that of this process without relative folders and those inside `cwd`. */
    readonly path?: string;
    /** Variables for commands, besides a few that are harmless. Nothing else of this process's environment is passed on. */
    readonly env?: Readonly<Record<string, string>>;
    /** Milliseconds that a command may take when the model does not say; default 120,000. */
    readonly timeout?: number;
    /** The longest time that the model may ask for, in milliseconds; default 600,000. */
    readonly maxTimeout?: number;
    /** Milliseconds between SIGTERM and SIGKILL; default 1,000. */
    readonly grace?: number;
    /** Bytes of output that a result has at most; default 8,000: its beginning and its end. */
    readonly maxOutputBytes?: number;
    /** Whether each thread has one shell whose folder and variables persist while this process runs; default: each command has a shell of its own. */
    readonly persistent?: boolean;
    /**
     * Rules by which commands are judged instead of being asked about. They see absolute paths. With `persistent` nothing is allowed by them: what earlier
     * commands left in the shell gives words another meaning.
     */
    readonly rules?: CommandRules;
    /** Where background jobs are kept; default: there are none. */
    readonly jobs?: JobsOptions;
    /** The workspace in which commands change files: what each has changed is recorded with its result, or when its job has ended. Default: nobody looks. */
    readonly workspace?: FolderWorkspace;
    /**
     * What confines commands: `auto` (default), the sandbox of the operating system where there is one; `os`, always that one, and without it no command
     * runs; `none`; or another sandbox.
     */
    readonly sandbox?: SandboxOption;
    /** What commands may do in the sandbox of the operating system; default: change `cwd`, and reach no host. */
    readonly confine?: Omit<OsSandboxOptions, 'folder' | 'protect'> & Partial<SandboxLimits>;
    /** Secrets by the names of the variables that hold them. A call that names one asks, gets it in its environment, and is shown without its value. */
    readonly secrets?: Secrets;
}
/** What each option must be. */
export declare const shellShape: Readonly<Record<keyof ShellToolsOptions, Expected>>;

// shell/shell-tools.d.ts
import { type Tool } from '@loom-agent/agent';
import { type ShellToolsOptions } from './shell-options.ts';
/** The tools, by name. */
export interface ShellTools {
    /** Runs a command. */
    readonly bash: Tool;
    /** Lists, reads and ends background jobs; models are shown it only with `jobs`. */
    readonly job: Tool;
    readonly [name: string]: Tool;
}
/**
 * Tools that run commands in bash, in a sandbox of the operating system where there is one. Every command asks for permission, which the mode `auto`
 * settles for those in the sandbox. Outside of it a command has all rights of this process, and the rules for commands are a convenience.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: shellTools({ cwd: './workspace' }) })
 */
export declare function shellTools(options: ShellToolsOptions): ShellTools;
/** Ends the shells that stay of these tools, with whatever runs in them. The tools can be used again: then a new shell is started. */
export declare function endShells(tools: ShellTools): Promise<void>;

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

// toolkit/tool-search.d.ts
/**
 * Searching for tools: with many tools the model is shown few, and finds the others when it needs them.
 *
 * SEARCH-1. What a search finds follows from the tools and the query alone, and is bounded.
 * SEARCH-2. A tool that was found is added at the end of the list by one rebase, and stays there. Where the provider has deferred tools, the list never
 *     changes: it has all tools, and the result of a search refers to what was found.
 */
import { type Tool } from '@loom-agent/agent';
/** When tools are searched for. */
export interface ToolSearchOptions {
    /** Up to so many tools are all shown, and there is no search; default 30. */
    readonly above?: number;
    /** The names of tools that are shown from the start; default: none. */
    readonly shown?: readonly string[];
    /** Tools that one search finds at most, 1 to 20; default 5. */
    readonly most?: number;
}
/** What a search tells about a tool. */
interface FoundTool {
    readonly name: string;
    readonly description: string;
}
/**
 * The tools, of which the model is shown `shown` and the tool `tool_search` where there are more than `above`. It finds the others by words of their
 * names and descriptions, and can call them from its next turn on.
 *
 * @example
 * agent({ model, tools: toolSearch(manyTools, { shown: ['read_file'] }) })
 */
export declare function toolSearch<Deps = unknown>(tools: Iterable<Tool<Deps>> | Readonly<Record<string, Tool<Deps>>>, options?: ToolSearchOptions): readonly Tool<Deps>[];
/** The tools that a query may mean: the one that it names, or the best first; those that match as well in the order in which they were given. */
export declare function findTools<T extends FoundTool>(catalogue: readonly T[], query: string): readonly T[];
export {};

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
    /** The key of a call: equal keys have equal results for every caller. Default: the arguments, for each value of `deps` by itself. */
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

// workspace/workspace.d.ts
import type { Tool, Workspace } from '@loom-agent/agent';
import { type ProtectOptions } from '../files/declared-paths.ts';
/** The options of `workspace()`. */
export interface WorkspaceOptions {
    /** The folder: that of the file tools. */
    readonly root: string;
    /** The name under which changes are recorded; default `workspace`. */
    readonly name?: string;
    /** What is recorded of each file that a watched tool has changed: the hashes of its content (default), or with `snapshots` the contents as well. */
    readonly contents?: 'hashes' | 'snapshots';
    /** Paths that are never put back, and of which those that may hold secrets are never kept. */
    readonly protect?: Omit<ProtectOptions, 'verdict'>;
    /** The files and folders of journals; databases and journals that are recognised need not be named. */
    readonly journals?: readonly string[];
    /** Names of files and folders that are no part of the workspace, wherever they are; default `.git` and `node_modules`. */
    readonly leaveOut?: readonly string[];
    /** Files that are looked at around a call, at most; default 10,000. */
    readonly maxFiles?: number;
    /** Bytes that these files may have together; default 64 MiB. With `snapshots` they stay in memory. */
    readonly maxBytes?: number;
    /** Milliseconds that a look may take, before a call and after it; default 5,000. */
    readonly maxTime?: number;
}
/** A workspace that is a folder. */
export interface FolderWorkspace extends Workspace {
    /**
     * The tool, with a look at the files before each of its calls and after it: what it has changed is recorded with its result. Beyond the bounds of the
     * workspace the record says so, and so does the question whether the call may run. Tools that only read are returned as they are; durable ones cannot be
     * watched.
     */
    watching<Deps>(tool: Tool<Deps>): Tool<Deps>;
}
/**
 * The workspace of an agent: `rewind` puts its files back, and `watching` finds what commands and other tools change in it.
 *
 * @example
 * const files = workspace({ root: './repo', contents: 'snapshots' })
 * const coder = agent({ name: 'coder', model, workspace: files, tools: { ...fileTools({ root: './repo', workspace: 'snapshots' }) } })
 */
export declare function workspace(options: WorkspaceOptions): FolderWorkspace;
