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
export { type CommandJudgement, type CommandRules, judgeCommand } from './command/judge.ts';
export { onlyReads, suggestedPattern } from './command/only-reads.ts';
export type { PathRequest } from './command/parse.ts';
export { type CommandPattern, commandPattern, matchesCommand, warningFor } from './command/pattern.ts';
export { type CommandRequest, type CommandRequests, requestsOf } from './command/requests.ts';
export { type FileTools, type FileToolsOptions, fileTools, protectedNames } from './files/file-tools.ts';
export type { JobStatus } from './shell/job-files.ts';
export { type FoundJob, type JobsOptions, recoverJobs } from './shell/jobs.ts';
export { type ShellTools, type ShellToolsOptions, shellTools } from './shell/shell-tools.ts';

// shell/job-files.d.ts
import { type ProcessId } from './processes.ts';
/** What is recorded of a job. */
export interface JobRecord {
    /** Its id. */
    readonly id: string;
    /** The thread whose model started it. */
    readonly thread: string;
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
    readonly status: 'lost';
};
/** The id of the job of a call. */
export declare const jobIdOf: (key: string) => string;
/** A file of a job. */
export declare const jobFile: (folder: string, id: string, name: 'job.json' | 'output' | 'exit' | 'told') => string;
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
import { type JobRecord, type JobStatus } from './job-files.ts';
import { type Running } from './run-command.ts';
/** Where jobs are kept, and where their ends are told. */
export interface JobsOptions {
    /** The folder of the jobs' files; only the owner may read it. */
    readonly folder: string;
    /** The journal of the threads: the end of a job is steered to its thread. Default: nobody is told. */
    readonly journal?: Journal | undefined;
    /** Bytes of output that a job may have; default 16 MiB. A job that prints more is ended by the closed pipe. */
    readonly maxJobBytes?: number | undefined;
}
/** Starts the job of a call, or returns the one that the call has started already. */
export declare function startJob(command: string, running: Running & {
    readonly key: string;
    readonly thread: string;
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
/** Ends a job and its processes. */
export declare function endJob({ folder }: JobsOptions, record: JobRecord, grace: number): Promise<JobStatus>;
/** Tells the thread of a job how it ended, once (JOB-3). Returns whether this call did. */
export declare function tellEnd({ folder, journal }: JobsOptions, record: JobRecord): Promise<boolean>;
/** A job, and how it is. */
export interface FoundJob {
    /** Its id. */
    readonly id: string;
    /** The thread whose model started it. */
    readonly thread: string;
    /** Its command. */
    readonly command: string;
    /** Whether it runs, has ended, or is lost. */
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
    take(chunk: Buffer): void;
    /** How many bytes were printed. */
    readonly bytes: number;
    /** The text, with a line that says what is left out. */
    text(): string;
}
/** Keeps at most so many bytes: one half from the beginning, one half from the end. */
export declare function keepOutput(most: number): OutputKeeper;
/** How many bytes are whole characters: the last one may be cut. */
export declare function wholeLength(bytes: Buffer): number;
/** The text without a character at its beginning of which bytes are missing. */
export declare function withoutStart(bytes: Buffer): string;

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
import type { Readable } from 'node:stream';
import { type OutputKeeper } from './output.ts';
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
}
/** A command that prints more than this is ended. */
export declare const mostPrinted: number;
/** The mark of one command. */
export declare const newMark: () => string;
/** Passes output on to viewers and to the keeper. */
export declare function listen(outputs: readonly Readable[], keeper: OutputKeeper, { progress }: Pick<Running, 'progress'>): void;
/** The first of these ends a command. */
type End = 'exit' | 'timeout' | 'abort' | 'flood';
/** Waits until a command ends, is aborted, has used its time, or has printed too much. */
export declare function firstEnd(ended: Promise<unknown>, keeper: OutputKeeper, { timeout, signal }: Pick<Running, 'timeout' | 'signal'>): Promise<End>;
/** Runs a command to its end. An abort ends its processes and is thrown. */
export declare function runCommand(command: string, running: Running): Promise<CommandResult>;
export {};

// shell/shell-tools.d.ts
import { type Tool } from '@loom-agent/agent';
import { type CommandRules } from '../command/judge.ts';
import { type JobsOptions } from './jobs.ts';
/** The options of `shellTools()`. */
export interface ShellToolsOptions {
    /** The folder in which commands run. It is where they begin, no boundary: a command can use any file that this process can. */
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
}
/** The tools, by name. */
export interface ShellTools {
    /** Runs a command. */
    readonly bash: Tool;
    /** Lists, reads and ends background jobs; models are shown it only with `jobs`. */
    readonly job: Tool;
    readonly [name: string]: Tool;
    /** Ends the shells that persist. */
    readonly [Symbol.asyncDispose]: () => Promise<void>;
}
/**
 * Tools that run commands in bash. Every command asks for permission. The rules for commands are a convenience, and a command has all rights of this
 * process: use a sandbox where that is too much.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: shellTools({ cwd: './workspace' }) })
 */
export declare function shellTools(options: ShellToolsOptions): ShellTools;
