// coder.d.ts
/** The built-in coder, for configurations. An entry of its own: the command line loads it only where it is needed. */
export { type CoderOptions, coder } from './coder/coder.ts';

// coder/coder.d.ts
/** The agent of `loom chat` where a project has none: it reads and changes the files of a folder, and runs commands there. */
import { type Agent, type Mode, type Model } from '@loom-agent/agent';
import type { Journal } from '@loom-agent/kernel';
/** The options of `coder()`. */
export interface CoderOptions {
    /** The folder in which it works; its tools reach no file outside of it. */
    readonly root: string;
    /** Where the facts are kept. */
    readonly journal: Journal;
    /** The model; default: what the environment names. */
    readonly model?: Model;
    /** How it is called in journals; default `coder`. */
    readonly name?: string;
    /** The most that the mode of a run may be; default `auto`. A run is given less by its `permissions`, as `loom chat` does. */
    readonly mostMode?: Mode;
}
/**
 * Makes an agent that works on the files of a folder: it reads `AGENTS.md` there as instructions, asks before it changes files or runs commands, runs
 * commands in a sandbox where there is one, and keeps what it changes, so that a rewind can put it back.
 *
 * @example
 * export default { agents: () => [coder({ root: '.', journal: sqlite('.loom/loom.db'), model: 'anthropic/claude-opus-5' })] }
 */
export declare function coder({ root, journal, model, name, mostMode }: CoderOptions): Agent;
