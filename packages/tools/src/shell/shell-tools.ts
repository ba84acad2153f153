/** A shell, as tools. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { jsonSchema, type Tool, type ToolContext, type ToolTaint, tool, type Verdict } from '@loom-agent/agent'
import { checkOptions, type Expected, expected } from '@loom-agent/agent/kit'
import { commandMatcher } from '../command/command-matcher.ts'
import { maySend, printedBy } from '../command/command-taint.ts'
import { type CommandRules, judgeCommand } from '../command/judge.ts'
import type { PathRequest } from '../command/parse.ts'
import { commandPattern } from '../command/pattern.ts'
import { createGuard } from '../files/guard.ts'
import { secretPaths } from '../files/protected-paths.ts'
import { watcherOf } from '../workspace/watcher.ts'
import type { FolderWorkspace } from '../workspace/workspace.ts'
import { environmentOf } from './environment.ts'
import { listJobs, requireJob } from './job-files.ts'
import { endJob, foundJob, type JobsOptions, readOutput, startJob } from './jobs.ts'
import { openShell, type PersistentShell } from './persistent-shell.ts'
import { orRefusal, refusal } from './refusal.ts'
import { type CommandResult, type Running, runCommand } from './run-command.ts'

/** The options of `shellTools()`. */
export interface ShellToolsOptions {
  /** The folder in which commands run. It is where they begin, no boundary: a command can use any file that this process can. */
  readonly cwd: string
  /** The shell; default `bash`. It has to be a bash. */
  readonly shell?: string
  /** The value of PATH; default: that of this process without relative folders and those inside `cwd`. */
  readonly path?: string
  /** Variables for commands, besides a few that are harmless. Nothing else of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds that a command may take when the model does not say; default 120,000. */
  readonly timeout?: number
  /** The longest time that the model may ask for, in milliseconds; default 600,000. */
  readonly maxTimeout?: number
  /** Milliseconds between SIGTERM and SIGKILL; default 1,000. */
  readonly grace?: number
  /** Bytes of output that a result has at most; default 8,000: its beginning and its end. */
  readonly maxOutputBytes?: number
  /** Whether each thread has one shell whose folder and variables persist while this process runs; default: each command has a shell of its own. */
  readonly persistent?: boolean
  /**
   * Rules by which commands are judged instead of being asked about. They see absolute paths. With `persistent` nothing is allowed by them: what earlier
   * commands left in the shell gives words another meaning.
   */
  readonly rules?: CommandRules
  /** Where background jobs are kept; default: there are none. */
  readonly jobs?: JobsOptions
  /** The workspace in which commands change files: what each has changed is recorded with its result, or when its job has ended. Default: nobody looks. */
  readonly workspace?: FolderWorkspace
}

/** The tools, by name. */
export interface ShellTools {
  /** Runs a command. */
  readonly bash: Tool
  /** Lists, reads and ends background jobs; models are shown it only with `jobs`. */
  readonly job: Tool
  readonly [name: string]: Tool
}

/** The input of `bash`. */
interface BashInput {
  readonly command: string
  readonly cwd?: string
  readonly timeout?: number
  readonly background?: boolean
}

/** The input of `job`. */
interface JobInput {
  readonly action: 'list' | 'read' | 'kill'
  readonly id?: string
  readonly offset?: number
}

const patterns = expected.list(expected.text, 'a list of command patterns')
const aFolder: Expected = {
  words: 'a workspace, as workspace() returns it',
  fits: (value) => expected.object.fits(value) && watcherOf(value as object) !== undefined,
}

const shellShape: Readonly<Record<keyof ShellToolsOptions, Expected>> = {
  cwd: expected.required({ ...expected.name, words: 'the path of a folder' }),
  shell: expected.name,
  path: expected.name,
  env: expected.object,
  timeout: expected.whole(1),
  maxTimeout: expected.whole(1),
  grace: expected.whole(0),
  maxOutputBytes: expected.whole(2),
  persistent: expected.flag,
  rules: expected.options({ allow: patterns, deny: patterns, path: expected.function }),
  jobs: expected.options({
    folder: expected.required({ ...expected.name, words: 'the path of a folder' }),
    journal: expected.journal,
    workspace: aFolder,
    maxJobBytes: expected.whole(1),
  }),
  workspace: aFolder,
}

/** A longer command does not fit into one argument of a program. */
const longestCommand = 100_000

const bashSchema = (hasJobs: boolean) =>
  jsonSchema<BashInput>({
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1, maxLength: longestCommand, description: 'The command, for bash. It has no standard input.' },
      cwd: { type: 'string', minLength: 1, description: 'The folder to run it in, relative to the working folder.' },
      timeout: { type: 'integer', minimum: 1, description: 'Milliseconds after which it is ended.' },
      ...(hasJobs && { background: { type: 'boolean', description: 'Whether it runs in the background: the result is the id of a job.' } }),
    },
    required: ['command'],
    additionalProperties: false,
  })

const jobSchema = jsonSchema<JobInput>({
  type: 'object',
  properties: {
    action: { enum: ['list', 'read', 'kill'], description: 'What to do.' },
    id: { type: 'string', description: 'The id of the job, for read and kill.' },
    offset: { type: 'integer', description: 'The first byte of its output to read; a negative one counts from the end.' },
  },
  required: ['action'],
  additionalProperties: false,
})

/** The most shells that persist at once: the one that was used longest ago is ended. */
const mostShells = 16

type Settings = Required<Omit<ShellToolsOptions, 'path' | 'env' | 'jobs' | 'rules' | 'workspace'>> & {
  readonly commandEnv: Readonly<Record<string, string>>
}

/**
 * Tools that run commands in bash. Every command asks for permission. The rules for commands are a convenience, and a command has all rights of this
 * process: use a sandbox where that is too much.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: shellTools({ cwd: './workspace' }) })
 */
export function shellTools(options: ShellToolsOptions): ShellTools {
  checkOptions('shellTools', options, shellShape)
  const { shell = 'bash', timeout = 120_000, maxTimeout = 600_000, grace = 1_000, maxOutputBytes = 8_000, persistent = false } = options
  const { workspace } = options
  const jobs = options.jobs && { workspace, ...options.jobs, folder: resolve(options.jobs.folder) }
  const cwd = resolve(options.cwd)
  const commandEnv = environmentOf({ cwd, path: options.path, env: options.env })
  const settings: Settings = { cwd, shell, timeout, maxTimeout, grace, maxOutputBytes, persistent, commandEnv }
  const shells = new Map<string, PersistentShell>()
  const bash = tool({
    name: 'bash',
    description: `Runs a command in bash and returns what it printed.${persistent ? ' The folder and variables stay for the next command.' : ''}`,
    input: bashSchema(jobs !== undefined),
    effect: 'unsafe',
    permission: options.rules ? permissionBy(options.rules, settings) : 'ask',
    matcher: commandMatcher({ persistent }),
    taint: taintIn(settings),
    schedule: { timeout: maxTimeout + grace + 10_000 },
    run: (input, context) => orRefusal(context.signal, () => runBash(input, context, { settings, shells, jobs })),
  })
  const tools = {
    bash: workspace ? workspace.watching(bash) : bash,
    job: tool({
      name: 'job',
      description: 'Lists the background jobs of this conversation, reads what one has printed, or ends one.',
      input: jobSchema,
      effect: 'idempotent',
      available: jobs !== undefined,
      run: (input, context) => orRefusal(context.signal, () => useJob(input, context.thread, { jobs, settings })),
    }),
  }
  const end = async (): Promise<void> => {
    const open = [...shells.values()]
    shells.clear()
    await Promise.all(open.map((one) => one.end(grace)))
  }
  ends.set(tools, end)
  return tools
}

/** How the shells of tools are ended. */
const ends = new WeakMap<object, () => Promise<void>>()

/** Ends the shells that stay of these tools, with whatever runs in them. The tools can be used again: then a new shell is started. */
export async function endShells(tools: ShellTools): Promise<void> {
  await ends.get(tools)?.()
}

/** The verdict of rules on the input of `bash`. */
function permissionBy({ allow = [], deny = [], path = () => 'ask' }: CommandRules, { cwd, persistent }: Settings): (input: BashInput) => Verdict {
  // A pattern that can never match is refused when the tools are made.
  for (const pattern of [...allow, ...deny]) commandPattern(pattern)
  return ({ command, cwd: below = '.' }) => {
    const absolute = (request: PathRequest): Verdict => path({ ...request, path: resolve(cwd, below, request.path) })
    const { verdict } = judgeCommand(command, { allow, deny, path: absolute })
    return persistent && verdict === 'allow' ? 'ask' : verdict
  }
}

/** A shell that stays may have given words another meaning: then any command may send, and print what others wrote. */
function taintIn({ cwd: root, persistent }: Settings): ToolTaint<BashInput> {
  const { isPrivate } = createGuard({ secrets: secretPaths, code: [], verdict: 'ask' })
  return {
    brings: ({ command, cwd = '.' }) => {
      const labels = printedBy(command, { root, cwd: resolve(root, cwd), isPrivate })
      return persistent ? ['untrusted', ...labels] : labels
    },
    sends: ({ command }) => persistent || maySend(command),
  }
}

interface Place {
  readonly settings: Settings
  readonly shells: Map<string, PersistentShell>
  readonly jobs: JobsOptions | undefined
}

async function runBash(
  input: BashInput,
  context: ToolContext,
  { settings, shells, jobs }: Place,
): Promise<CommandResult | { job: string; note: string }> {
  const { command, background = false } = input
  const running = runningOf(input, context, settings)
  if (background && jobs) {
    const { id } = await startJob(command, { ...running, key: context.key, thread: context.thread, call: context.call }, jobs)
    return { job: id, note: 'It runs in the background. Use the tool job to read what it prints; a message says when it has ended.' }
  }
  if (!settings.persistent) return runCommand(command, running)
  if (input.cwd !== undefined) throw refusal('LOOM_TOOL_INPUT_INVALID', 'The shell keeps its own folder. Leave out cwd, and use cd in the command.')
  const known = shells.get(context.thread)
  const shell = known?.isOpen() ? known : await openShell(running)
  shells.delete(context.thread)
  shells.set(context.thread, shell)
  const [oldest] = shells
  if (oldest && shells.size > mostShells) {
    shells.delete(oldest[0])
    await oldest[1].end(settings.grace)
  }
  return shell.run(command, running)
}

function runningOf({ command, cwd = '.', timeout }: BashInput, { signal, progress }: ToolContext, settings: Settings): Running {
  const { shell, grace, maxOutputBytes, maxTimeout, commandEnv } = settings
  if (command.trim() === '') throw refusal('LOOM_TOOL_INPUT_INVALID', 'The command is blank. Give a command.')
  if (command.includes('\0') || !command.isWellFormed()) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', 'The command has a NUL, or half of a character. Give it in whole characters, without NUL.')
  }
  if (Buffer.byteLength(command) > longestCommand) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', `The command has more than ${longestCommand} bytes. Write it to a file, and run the file.`)
  }
  if (timeout !== undefined && timeout > maxTimeout) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', `The timeout is ${timeout} milliseconds; at most ${maxTimeout} are allowed. Give a shorter one.`)
  }
  const folder = resolve(settings.cwd, cwd)
  if (folder.includes('\0') || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', `There is no folder ${JSON.stringify(cwd.slice(0, 200))}. Give one that exists, or leave out cwd.`)
  }
  const time = timeout ?? Math.min(settings.timeout, maxTimeout)
  return { shell, cwd: folder, env: commandEnv, timeout: time, grace, maxOutputBytes, signal, progress }
}

async function useJob(input: JobInput, thread: string, { jobs, settings }: Pick<Place, 'jobs' | 'settings'>): Promise<unknown> {
  const { action, id, offset = 0 } = input
  if (!jobs) throw refusal('LOOM_TOOL_UNAVAILABLE', 'There are no background jobs here. Run commands in the foreground.')
  const { folder } = jobs
  if (action === 'list') return listJobs(folder, thread).map((record) => foundJob(folder, record))
  if (id === undefined) throw refusal('LOOM_TOOL_INPUT_INVALID', `Give the id of the job to ${action}.`)
  const record = requireJob(folder, id, thread)
  if (action === 'kill') await endJob(jobs, record, settings.grace)
  const { text, next, bytes } = readOutput(folder, id, {
    offset: action === 'kill' ? -settings.maxOutputBytes : offset,
    most: settings.maxOutputBytes,
  })
  return {
    ...foundJob(folder, record),
    output: text,
    ...(next < bytes && { note: `${bytes - next} bytes follow: read on with offset ${next}.` }),
  }
}
