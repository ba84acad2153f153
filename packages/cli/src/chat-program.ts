/** The command `loom chat`: its options and its help. */
import type { Command } from 'commander'
import type { Terminal } from './platform/terminal.ts'

/** Adds the command. */
export function addChat(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('chat [agent]')
    .description('chat with an agent; in a folder without a configuration with one that works on its files')
    .option('-c, --continue', 'go on with the latest thread')
    .option('-r, --resume [thread]', 'go on with a thread; without a name, choose it from a list')
    .option('-m, --model <id>', 'another model, such as anthropic/claude-opus-5')
    .option('--mode <mode>', 'what runs without a question: default, accept-edits, auto, plan or bypass', 'default')
    .option('--config <file>', 'the module that exports the agents; default: loom.config.ts')
    .option('-j, --journal <where>', 'the journal of the built-in coder, where there is no configuration')
    .option('--json', 'run what the input says, and print one JSON value')
    .option('--jsonl', 'run what the input says, and print every event as a line of JSON')
    .option('-q, --quiet', 'in a pipe: say nothing beside the answer')
    .addHelpText('after', '\nIn a pipe it is a run: echo hi | loom chat.\n\nExample:\n  $ loom chat --continue')
    .action(async (name, options) => setExitCode(await (await import('./command/chat.ts')).chat(terminal, name, options)))
}
