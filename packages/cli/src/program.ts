/**
 * The commands, their arguments and their help. What a command does is loaded when it is called, so that help is there at once.
 *
 * CLI-1. Answers go to the standard output, all else to the standard error: a pipe gets the answer alone, and with `--json` one JSON value.
 * CLI-2. No command approves anything by itself, and no command that looks creates, drives or changes a journal.
 */
import { Command, CommanderError, Option } from 'commander'
import { addChat } from './chat-program.ts'
import type { Control } from './command/control.ts'
import { addEval } from './eval-command.ts'
import type { Terminal } from './platform/terminal.ts'
import { addSchedules } from './schedule-commands.ts'

/** Whether commander has ended the command: for a mistake in it, or because help was asked for. */
export function isUsageError(error: unknown): error is CommanderError {
  return error instanceof CommanderError
}

/** Notified of an exit code other than 0 that is an answer and no error. */
type SetExitCode = (code: number) => void

/** What a command adds to the program. */
type Adding = (program: Command, terminal: Terminal, setExitCode: SetExitCode) => void

/** Creates the program. */
export function createProgram(terminal: Terminal, setExitCode: SetExitCode): Command {
  const program = new Command('loom')
  program
    .description('Run agents, look at their threads, answer them, and go back in time.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text), getOutHelpWidth: () => terminal.columns })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nA journal is found by --journal, by LOOM_JOURNAL, or as loom.db in this folder.\nExit codes: 0 done, 1 failed, 2 usage, 3 configuration, 4 waiting, 5 limit, 6 check failed, 7 not found, 8 conflict, 75 try later.',
    )
  for (const add of [addChat, addDriving, addEval, addLooking, addExplaining, addPeople, addTransfer, addFacts, addSchedules])
    add(program, terminal, setExitCode)
  return program
}

/** A command that drives a thread with the agents of this project. */
function driving(program: Command, usage: string, ...[description, example]: readonly [string, string]): Command {
  return program
    .command(usage)
    .description(description)
    .option('-c, --config <file>', 'the module that exports the agents; default: loom.config.ts')
    .option('--json', 'print one JSON value')
    .option('--jsonl', 'print every event as a line of JSON')
    .option('-q, --quiet', 'say nothing beside the answer')
    .addHelpText('after', `\nExample:\n  $ ${example}`)
}

/** A command that drives a thread that is there: also one of the built-in coder. */
function drivingOn(program: Command, usage: string, ...about: readonly [string, string]): Command {
  return driving(program, usage, ...about).option('-j, --journal <where>', 'the journal of the built-in coder, where there is no configuration')
}

const addDriving: Adding = (program, terminal, setExitCode) => {
  driving(program, 'run [input]', 'run an agent; the input may come from a pipe', "loom run --agent support 'Where is my order?'")
    .option('-a, --agent <name>', 'which agent, where there are several')
    .option('-t, --thread <id>', 'the thread; a new one has a name of its own')
    .option('--id <id>', 'names the start: said twice, it is one run')
    .option('-m, --model <id>', 'another model, such as anthropic/claude-opus-5')
    .action(async (input, options) => setExitCode(await (await import('./command/run.ts')).run(terminal, input, options)))
  drivingOn(program, 'resume <thread>', 'go on with a thread: after a crash, an answer, a pause or a failure', 'loom resume user-123').action(
    async (thread, options) => setExitCode(await (await import('./command/run.ts')).resume(terminal, thread, options)),
  )
  drivingOn(
    program,
    'fork <thread>',
    'go another way from thread@seq; the thread itself is only read',
    "loom fork user-123@42 --input 'In French, please.'",
  )
    .option('--input <text>', 'another input from there on')
    .option('--instructions <text>', 'other instructions from there on')
    .option('-m, --model <id>', 'another model from there on')
    .option('--effects <how>', 'what calls do after the cut: live, recorded, stub or ask', 'ask')
    .option('--plan', 'say what the fork would come to, and make none')
    .action(async (at, options) => setExitCode(await (await import('./command/fork.ts')).fork(terminal, at, options)))
  drivingOn(
    program,
    'rewind <thread>',
    'go back to thread@seq with the files as they were then; the thread itself is only read',
    'loom rewind user-123@42 --plan',
  )
    .option('--thread <id>', 'the name of the fork; default: made up')
    .option('--from <thread>', 'the thread whose files the folder has, where it is a fork of this one')
    .option('--plan', 'say what would be put back, and change nothing')
    .action(async (at, options) => setExitCode(await (await import('./command/rewind.ts')).rewind(terminal, at, options)))
  drivingOn(
    program,
    'replay <thread>',
    'say what a thread would send to the model under the code of today; no model is asked',
    'loom replay user-123',
  )
    .option('--markdown', 'as Markdown')
    .action(async (thread, options) => setExitCode(await (await import('./command/fork.ts')).replay(terminal, thread, options)))
  program
    .command('serve')
    .description('serve the agents over HTTP, and go on with the threads that nobody drives')
    .option('-c, --config <file>', 'the module that exports the agents; default: loom.config.ts')
    .option('--host <address>', 'where to listen; another address than that of this machine needs --keys', '127.0.0.1')
    .option('-p, --port <n>', 'which port; 0 is any that is free', '8000')
    .option('--keys <file>', 'records of keys, as loom key prints them; without them a token of this start is printed')
    .option('--json', 'print the address as one line of JSON')
    .addHelpText('after', '\nExample:\n  $ loom serve --port 0')
    .action(async (options) => setExitCode(await (await import('./command/serve.ts')).serveAgents(terminal, options)))
  program
    .command('key <name>')
    .description('make a key for loom serve; what is kept of it opens nothing')
    .option('--scopes <list>', 'what it allows, of read, run, answer and admin', 'read')
    .addHelpText('after', '\nExample:\n  $ loom key dashboard --scopes read,run')
    .action(async (name, options) => (await import('./command/serve.ts')).makeKey(terminal, name, options))
}

/** A command that looks at a journal. */
function looking(program: Command, name: string, ...[description, example]: readonly [string, string]): Command {
  return program
    .command(name)
    .description(description)
    .option('-j, --journal <where>', 'a SQLite file, a folder of a file journal, or postgres://...')
    .option('--json', 'print one JSON value')
    .addHelpText('after', `\nExample:\n  $ ${example}`)
}

const addLooking: Adding = (program, terminal) => {
  looking(program, 'runs', 'list threads, the latest first', 'loom runs --status waiting --since 24h')
    .alias('ls')
    .option('--agent <name>', 'of this agent')
    .option('--status <status>', 'idle, running, waiting, done, failed, stopped or partial')
    .option('--label <name=value...>', 'with this label')
    .option('--since <time>', 'changed in the last 90s, 15m, 24h or 7d')
    .option('--limit <n>', 'how many at most', '20')
    .option('--children', 'also threads that calls of other threads have started')
    .option('--usage', 'with turns, tokens and cost, which reads each thread')
    .action(async (options) => (await import('./command/runs.ts')).runs(terminal, options))
  looking(program, 'show <thread>', 'show what was said on a thread, at its end or at thread@seq', 'loom show user-123@42')
    .option('--events', 'the events, one a line')
    .option('--from <seq>', 'events from this one on')
    .option('--limit <n>', 'how many events at most', '100')
    .option('-f, --follow', 'write events as they are stored')
    .action(async (thread, options) => (await import('./command/show.ts')).show(terminal, thread, options))
  looking(program, 'tree <thread>', 'show runs, turns, calls and children, with what they have cost', 'loom tree user-123 --depth 3')
    .option('--depth <n>', 'how many levels', '8')
    .action(async (thread, options) => (await import('./command/tree.ts')).tree(terminal, thread, options))
  looking(program, 'flame <thread>', 'show when what happened, as bars over time', 'loom flame user-123')
    .option('--rows <n>', 'how many rows at most', '200')
    .action(async (thread, options) => (await import('./command/flame.ts')).flame(terminal, thread, options))
  looking(program, 'tools <thread>', 'show the tools that the model has written on a thread, at its end or at thread@seq', 'loom tools user-123')
    .option('--code', 'with their code')
    .action(async (at, options) => (await import('./command/tools.ts')).tools(terminal, at, options))
}

const addExplaining: Adding = (program, terminal) => {
  looking(
    program,
    'explain <thread> [what]',
    'say what the model was shown at thread@seq, what it was not shown, and why',
    "loom explain user-123@42 'order number'",
  )
    .option('--turns', 'over all turns')
    .action(async (at, what, options) => (await import('./command/explain.ts')).explainMoment(terminal, at, what, options))
  looking(program, 'request <thread>', 'show exactly what the model was sent at thread@seq', 'loom request user-123@42 --json').action(
    async (at, options) => (await import('./command/explain.ts')).request(terminal, at, options),
  )
  looking(program, 'diff <before> <after>', 'show where two moments differ', 'loom diff user-123@42 user-123')
    .option('--limit <n>', 'how many differences at most', '100')
    .action(async (before, after, options) => (await import('./command/explain.ts')).diff(terminal, before, after, options))
}

const addPeople: Adding = (program, terminal) => {
  looking(program, 'questions', 'list what waits for a person', 'loom questions --agent clerk')
    .alias('inbox')
    .option('--thread <id>', 'of this thread and its children')
    .option('--agent <name>', 'of the threads of this agent')
    .action(async (options) => (await import('./command/questions.ts')).listQuestions(terminal, options))
  looking(program, 'answer <question>', 'answer a question', "loom answer QUESTION --reject 'Ask the customer first.'")
    .option('--approve', 'the call may run')
    .option('--reject [reason]', 'it may not; the model reads the reason')
    .option('--edit <json>', 'it may run with these arguments')
    .option('--respond <json>', 'this is the result; nothing is run')
    .option('--thread', 'approve the tool for the whole thread')
    .option('--by <name>', 'who answers; default: the user of this machine')
    .action(async (id, options) => (await import('./command/questions.ts')).answerQuestion(terminal, id, options))
  const controls: readonly (readonly [Control, string, string, string])[] = [
    ['stop', 'stop <thread> [reason]', 'ask the run of a thread to stop', "loom stop user-123 'The customer has called.'"],
    ['pause', 'pause <thread>', 'ask the run of a thread to pause at its next safe point', 'loom pause user-123'],
    ['steer', 'steer <thread> <message>', 'add a message for the next turn', "loom steer user-123 'Answer in French.'"],
    ['compact', 'compact <thread>', 'ask for a shorter context', 'loom compact user-123'],
    ['adopt', 'adopt <thread>', 'trust a thread that was imported', 'loom adopt user-123'],
  ]
  for (const [what, usage, description, example] of controls) {
    looking(program, usage, description, example)
      .option('--by <name>', 'who asks; default: the user of this machine')
      .action(async (thread, ...rest) => {
        // Commander passes the arguments, then the options, then the command.
        const text = rest.find((one) => typeof one === 'string')
        const command = rest.at(-1) as Command
        const { control } = await import('./command/control.ts')
        await control(terminal, { what, thread, ...(text !== undefined && { text }) }, command.opts())
      })
  }
}

const addTransfer: Adding = (program, terminal, setExitCode) => {
  looking(program, 'export <thread>', 'write a thread for another tool', 'loom export user-123 --format speedscope -o run.json')
    .addOption(new Option('--format <format>', 'journal, markdown, speedscope, chrome or otlp').default('journal'))
    .option('-o, --output <file>', 'a new file; default: the output')
    .action(async (thread, options) => (await import('./command/export.ts')).exportTo(terminal, thread, options))
  looking(program, 'import <file>', 'read a thread that was exported; it runs nothing until it is adopted', 'loom import user-123.jsonl').action(
    async (file, options) => (await import('./command/export.ts')).importFrom(terminal, file, options),
  )
  looking(program, 'verify [thread]', 'check that a journal holds what was appended', 'loom verify --journal loom.db').action(
    async (thread, options) => setExitCode(await (await import('./command/verify.ts')).verifyJournal(terminal, thread, options)),
  )
}

const addFacts: Adding = (program, terminal, setExitCode) => {
  program
    .command('models [filter]')
    .description('list known models with their size and price')
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  $ loom models opus')
    .action(async (filter, options) => (await import('./command/models.ts')).models(terminal, filter, options))
  looking(program, 'doctor', 'report what is here and what is missing; no key is printed', 'loom doctor').action(async (options) =>
    setExitCode(await (await import('./command/doctor.ts')).doctor(terminal, options)),
  )
  const policy = program.command('policy').description('try a policy without a run')
  policy
    .command('explain <tool> [arguments]')
    .description('say which rules decide about a call')
    .requiredOption('--policy <file>', 'a policy as JSON')
    .option('--effect <class>', 'the effect class of the tool')
    .option('--json', 'print one JSON value')
    .addHelpText('after', `\nExample:\n  $ loom policy explain delete_file '{"path": "a"}' --policy policy.json`)
    .action(async (tool, input, options) => (await import('./command/policy.ts')).explainPolicy(terminal, { tool, input }, options))
  policy
    .command('test <cases>')
    .description('check the verdicts of a file of cases')
    .requiredOption('--policy <file>', 'a policy as JSON')
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  $ loom policy test cases.json --policy policy.json')
    .action(async (cases, options) => setExitCode(await (await import('./command/policy.ts')).testPolicyCases(terminal, cases, options)))
}
