/** The command of evals, with its arguments and its help. */
import type { Command } from 'commander'
import type { Terminal } from './platform/terminal.ts'

/** Adds `loom eval`. */
export function addEval(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('eval [cases]')
    .description('judge agents by cases: a file with one JSON object a line, or a module that exports an eval')
    .option('-c, --config <file>', 'the module that exports the agents; default: loom.config.ts')
    .option('-a, --agent <name...>', 'which agents are compared')
    .option('-m, --model <id...>', 'each of them with these models')
    .option('--score <name...>', 'contains, equals, ended or unchanged; default: contains, of a replay unchanged')
    .option('--threads <id...>', 'threads of the journal as cases')
    .option('--replay', 'compare what the threads would have been sent; no model is asked')
    .option('-t, --thread <id>', 'the thread of the eval; one that is there is gone on with')
    .option('--parallel <n>', 'how many cases at once; default 4')
    .option('--tokens <n>', 'what the whole eval may spend')
    .option('--cost <amount>', 'what the whole eval may spend, in dollars')
    .option('--threshold <share>', 'which share of its cases each candidate has to pass, from 0 to 1; else the exit code is 6')
    .option('--junit <file>', 'write the verdicts as JUnit too')
    .option('--json', 'print one JSON value')
    .option('-q, --quiet', 'say nothing beside the table')
    .addHelpText('after', '\nExample:\n  $ loom eval cases.jsonl --agent support --threshold 0.9')
    .action(async (cases, options) => setExitCode(await (await import('./command/eval.ts')).evaluate(terminal, cases, options)))
}
