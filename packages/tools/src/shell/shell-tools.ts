/** A shell, as tools. */
import { mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { jsonSchema, type Tool, type ToolContext, type ToolTaint, tool, type Verdict } from '@loom-agent/agent'
import { checkOptions } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { leadsOut } from '../command/command-folder.ts'
import { commandMatcher } from '../command/command-matcher.ts'
import { declaredIn, maySend, printedBy } from '../command/command-taint.ts'
import { type CommandRules, judgeCommand } from '../command/judge.ts'
import type { PathRequest } from '../command/parse.ts'
import { commandPattern } from '../command/pattern.ts'
import type { DeclaredPaths } from '../files/declared-paths.ts'
import { type Chosen, chooseSandbox } from '../sandbox/choose-sandbox.ts'
import { type OsSandboxOptions, osSandbox } from '../sandbox/os-sandbox.ts'
import { withoutPlanted } from '../sandbox/planted-code.ts'
import { type SandboxLimits, usualLimits } from '../sandbox/sandbox.ts'
import { openSecrets } from '../sandbox/secrets.ts'
import { environmentOf } from './environment.ts'
import { listJobs, requireJob } from './job-files.ts'
import { endJob, foundJob, type JobsOptions, readOutput, startJob } from './jobs.ts'
import { openShell, type PersistentShell } from './persistent-shell.ts'
import { orRefusal, refusal } from './refusal.ts'
import { bashFor, type CommandResult, type Running, runProgram } from './run-command.ts'
import { type ShellToolsOptions, shellShape } from './shell-options.ts'

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
  readonly secrets?: readonly string[]
}

/** The input of `job`. */
interface JobInput {
  readonly action: 'list' | 'read' | 'kill'
  readonly id?: string
  readonly offset?: number
}

/** A longer command does not fit into one argument of a program. */
const longestCommand = 100_000

const bashSchema = (hasJobs: boolean, secrets: readonly string[]) =>
  jsonSchema<BashInput>({
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1, maxLength: longestCommand, description: 'The command, for bash. It has no standard input.' },
      cwd: { type: 'string', minLength: 1, description: 'The folder to run it in, relative to the working folder.' },
      timeout: { type: 'integer', minimum: 1, description: 'Milliseconds after which it is ended.' },
      ...(hasJobs && { background: { type: 'boolean', description: 'Whether it runs in the background: the result is the id of a job.' } }),
      ...(secrets.length > 0 && {
        secrets: { type: 'array', items: { enum: [...secrets] }, description: 'Variables with secrets that the command needs; it is asked about.' },
      }),
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

type Settings = Required<Omit<ShellToolsOptions, 'path' | 'env' | 'jobs' | 'rules' | 'sandbox' | 'workspace' | keyof DeclaredPaths>> & {
  readonly commandEnv: Readonly<Record<string, string>>
  readonly chosen: Chosen
  /** Which names are secrets, and which run as code. */
  readonly protection: NonNullable<OsSandboxOptions['protect']>
}

/**
 * Tools that run commands in bash, in a sandbox of the operating system where there is one. Every command asks for permission, which the mode `auto`
 * settles for those in the sandbox. Outside of it a command has all rights of this process, and the rules for commands are a convenience.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: shellTools({ cwd: './workspace' }) })
 */
export function shellTools(options: ShellToolsOptions): ShellTools {
  checkOptions('shellTools', options, shellShape)
  const { workspace } = options
  const jobs = options.jobs && { workspace, ...options.jobs, folder: resolve(options.jobs.folder) }
  const settings = settingsOf(options, jobs)
  const { maxTimeout, grace, persistent, chosen } = settings
  const shells = new Map<string, PersistentShell>()
  const bash = tool({
    name: 'bash',
    description: `Runs a command in bash and returns what it printed.${persistent ? ' The folder and variables stay for the next command.' : ''}`,
    input: bashSchema(jobs !== undefined, Object.keys(settings.secrets)),
    effect: 'unsafe',
    permission: options.rules ? permissionBy(options.rules, settings) : 'ask',
    matcher: commandMatcher({ persistent, root: settings.cwd, isSandboxed: async () => (await chosen.use()) !== undefined }),
    taint: taintIn(settings, options),
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

/** The options with their defaults. */
function settingsOf(options: ShellToolsOptions, jobs: JobsOptions | undefined): Settings {
  const { shell = 'bash', timeout = 120_000, maxTimeout = 600_000, grace = 1_000, maxOutputBytes = 8_000, persistent = false } = options
  const { sandbox = 'auto', confine = {}, secrets = {} } = options
  if (persistent && Object.keys(secrets).length > 0) {
    throw new LoomError(
      'LOOM_OPTION_INVALID',
      'shellTools: a shell that stays keeps its variables, so it is given no secrets. Leave out persistent or secrets.',
    )
  }
  const cwd = resolve(options.cwd)
  const commandEnv = environmentOf({ cwd, path: options.path, env: options.env })
  const { processes: _, memory: __, hide = [], ...rules } = confine
  const { verdict: ___, ...protection } = options.protect ?? {}
  const chosen = chooseSandbox(sandbox, () =>
    osSandbox({ ...rules, folder: cwd, hide: [...hide, ...(jobs ? [jobs.folder] : [])], protect: protection }),
  )
  return { cwd, shell, timeout, maxTimeout, grace, maxOutputBytes, persistent, commandEnv, confine, secrets, chosen, protection }
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
  return ({ command, cwd: below = '.', secrets = [] }) => {
    const absolute = (request: PathRequest): Verdict => path({ ...request, path: resolve(cwd, below, request.path) })
    const { verdict } = judgeCommand(command, { allow, deny, path: absolute })
    return (persistent || secrets.length > 0 || leadsOut(cwd, below)) && verdict === 'allow' ? 'ask' : verdict
  }
}

/** A shell that stays may have given words another meaning: then any command may send, and print what others wrote. One with a secret may print it in a form that is not known. */
function taintIn({ cwd: root, persistent }: Settings, declared: DeclaredPaths): ToolTaint<BashInput> {
  const files = declaredIn(declared)
  return {
    brings: ({ command, cwd = '.', secrets = [] }) => [
      ...printedBy(command, { root, cwd: resolve(root, cwd), files }),
      ...(persistent ? (['untrusted'] as const) : []),
      ...(secrets.length > 0 ? (['private'] as const) : []),
    ],
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
  // A folder that is not there cannot be hidden.
  if (jobs) mkdirSync(jobs.folder, { recursive: true, mode: 0o700 })
  const running = await runningOf(input, context, settings)
  if (background && jobs) {
    if (running.secrets) throw refusal('LOOM_TOOL_INPUT_INVALID', 'A job is given no secrets: its output stays in a file. Run it in the foreground.')
    const { id } = await startJob(command, { ...running, key: context.key, thread: context.thread, call: context.call }, jobs)
    return { job: id, note: 'It runs in the background. Use the tool job to read what it prints; a message says when it has ended.' }
  }
  if (!settings.persistent) return runConfined(command, running, settings)
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

/** Runs a command to its end. What it has made in a sandbox that would run outside of it gets another name (PLANTED-1). */
async function runConfined(command: string, running: Running, { cwd, confine, protection }: Settings): Promise<CommandResult> {
  const run = (): Promise<CommandResult> => runProgram(bashFor(command, running), running)
  if (!running.confine) return run()
  const { write = [] } = confine
  const folders = [cwd, ...write].map((path) => resolve(path))
  const told: string[] = []
  const result = await withoutPlanted({ folders, protection }, run, (words) => told.push(words))
  const notes = [result.note, ...told].filter((note) => note !== undefined)
  return { ...result, ...(notes.length > 0 && { note: notes.join(' ') }) }
}

async function runningOf(input: BashInput, { signal, progress }: ToolContext, settings: Settings): Promise<Running> {
  const { shell, grace, maxOutputBytes, maxTimeout, commandEnv, confine, chosen } = settings
  const { command, cwd = '.', timeout, secrets: names = [] } = input
  checkCommand(command)
  if (timeout !== undefined && timeout > maxTimeout) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', `The timeout is ${timeout} milliseconds; at most ${maxTimeout} are allowed. Give a shorter one.`)
  }
  const folder = resolve(settings.cwd, cwd)
  if (folder.includes('\0') || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', `There is no folder ${JSON.stringify(cwd.slice(0, 200))}. Give one that exists, or leave out cwd.`)
  }
  const sandbox = await chosen.use()
  const secrets = await openSecrets(settings.secrets, names)
  const env = { ...commandEnv, ...Object.fromEntries(secrets.map(({ name, value }) => [name, value])) }
  return {
    shell,
    cwd: folder,
    env,
    timeout: timeout ?? Math.min(settings.timeout, maxTimeout),
    grace,
    maxOutputBytes,
    signal,
    progress,
    ...(sandbox && { confine: { sandbox, limits: { ...usualLimits, ...limitsIn(confine) } } }),
    ...(secrets.length > 0 && { secrets }),
  }
}

/** The limits among the options. */
const limitsIn = ({ processes, memory }: NonNullable<ShellToolsOptions['confine']>): Partial<SandboxLimits> => ({
  ...(processes !== undefined && { processes }),
  ...(memory !== undefined && { memory }),
})

/** Throws for a command that bash would not get as it is. */
function checkCommand(command: string): void {
  if (command.trim() === '') throw refusal('LOOM_TOOL_INPUT_INVALID', 'The command is blank. Give a command.')
  if (command.includes('\0') || !command.isWellFormed()) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', 'The command has a NUL, or half of a character. Give it in whole characters, without NUL.')
  }
  if (Buffer.byteLength(command) > longestCommand) {
    throw refusal('LOOM_TOOL_INPUT_INVALID', `The command has more than ${longestCommand} bytes. Write it to a file, and run the file.`)
  }
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
