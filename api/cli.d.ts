// index.d.ts
/** Loom's command line. The command `loom` of the package `loom-agent` calls `runLoom`. */
export { exitCodes } from './platform/exit-codes.ts';
export type { Terminal } from './platform/terminal.ts';
export type { LoomConfig } from './project/config.ts';
export { runLoom } from './run-loom.ts';

// platform/exit-codes.d.ts
/** The exit codes. They are part of what scripts rely on: a number never changes its meaning. */
export declare const exitCodes: {
    readonly done: 0;
    readonly failed: 1;
    readonly usage: 2;
    readonly config: 3;
    readonly waiting: 4;
    readonly limit: 5;
    readonly checkFailed: 6;
    readonly notFound: 7;
    readonly conflict: 8;
    readonly unavailable: 75;
};
/** The exit code of what a command has thrown. */
export declare function exitCodeOf(error: unknown): number;

// platform/terminal.d.ts
/** What commands read from and write to. */
/** The place where a command runs: its output, its surroundings and the clock. Tests give one of their own. */
export interface Terminal {
    /** Writes the answer of a command: what a pipe or a file gets. */
    out(text: string): void;
    /** Writes what people read beside the answer: progress, notes, errors. */
    err(text: string): void;
    /** Whether answers go to a person, and not into a pipe or a file. */
    readonly isInteractive: boolean;
    /** How many characters a line has. */
    readonly columns: number;
    /** Whether answers may have colours. */
    readonly hasColour: boolean;
    /** The environment variables. */
    readonly env: Readonly<Record<string, string | undefined>>;
    /** The folder in which the command was started. */
    readonly cwd: string;
    /** The time in milliseconds since 1970. */
    now(): number;
}
/** The terminal of this process. A reader that goes away, such as `head`, ends the process without an error. */
export declare function processTerminal(): Terminal;

// project/config.d.ts
import type { Agent } from '@loom-agent/agent';
import type { Terminal } from '../platform/terminal.ts';
/** What a configuration exports as its default. */
export interface LoomConfig {
    /** The agents that commands can run, each found by its name; or a function that makes them when a command needs them. */
    readonly agents: readonly Agent[] | (() => readonly Agent[]);
}
/** The configuration that is named, or the one of this folder; `undefined` where there is none. */
export declare function findConfig(named: string | undefined, { cwd }: Pick<Terminal, 'cwd'>): string | undefined;
/** Loads the configuration that `--config` names, or that of this folder. It is a module, and is run by this Node. */
export declare function loadConfig(named: string | undefined, terminal: Pick<Terminal, 'cwd'>): Promise<readonly Agent[]>;
/** The agent of a name; without a name, the only one that there is. */
export declare function agentOf(agents: readonly Agent[], name: string | undefined): Agent;

// run-loom.d.ts
import { type Terminal } from './platform/terminal.ts';
/**
 * Runs the command that the arguments name, and returns the exit code.
 *
 * @example
 * process.exitCode = await runLoom(['runs', '--json'])
 */
export declare function runLoom(args: readonly string[], terminal?: Terminal): Promise<number>;
