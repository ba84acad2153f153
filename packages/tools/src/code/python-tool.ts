/**
 * Python of a model, as a tool.
 *
 * PYTHON-1. Python runs in a sandbox or not at all, in a folder of its own that ends with the call. So nothing of it lasts, and a call may run again.
 * PYTHON-2. It does not see the folder in which this process works: what is there is read by tools that say what they read. What it finds elsewhere may
 *     be what others wrote.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CallMatcher, type CallPart, jsonSchema, type Tool, type ToolContext, tool } from '@loom-agent/agent'
import { checkOptions, type Expected, expected } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { sandboxOption } from '../sandbox/choose-sandbox.ts'
import { osSandbox } from '../sandbox/os-sandbox.ts'
import { noSandbox, type Sandbox, usualLimits } from '../sandbox/sandbox.ts'
import { environmentOf } from '../shell/environment.ts'
import { orRefusal } from '../shell/refusal.ts'
import { type CommandResult, runProgram } from '../shell/run-command.ts'
import { longestCode } from './code-options.ts'

/** The options of `pythonTool()`. */
export interface PythonToolOptions {
  /** Where it runs; default: the sandbox of the operating system, with a folder of its own for each call and no network. */
  readonly sandbox?: 'os' | Sandbox
  /** Milliseconds that code may take; default 60,000. */
  readonly timeout?: number
  /** Bytes of memory that a process may have for its data; default 1 GiB. */
  readonly memory?: number
  /** Bytes of output that a result has at most; default 8,000: its beginning and its end. */
  readonly maxOutputBytes?: number
  /** Paths that the sandbox of the operating system hides besides secrets; default: the working folder of this process. */
  readonly hide?: readonly string[]
}

const pythonShape: Readonly<Record<keyof PythonToolOptions, Expected>> = {
  sandbox: { words: 'os, or a sandbox', fits: (value) => value !== 'auto' && value !== 'none' && sandboxOption.fits(value) },
  timeout: expected.whole(1),
  memory: expected.whole(2 ** 24),
  maxOutputBytes: expected.whole(2),
  hide: expected.list(expected.name, 'a list of paths'),
}

interface PythonInput {
  readonly code: string
}

const pythonSchema = jsonSchema<PythonInput>({
  type: 'object',
  properties: { code: { type: 'string', minLength: 1, maxLength: longestCode, description: 'The program. What it prints is the result.' } },
  required: ['code'],
  additionalProperties: false,
})

/** The folder of programs that has python3. */
const pythonIn = (path: string): string | undefined => path.split(':').find((folder) => existsSync(join(folder, 'python3')))

/** What Python needs of the folder that it is installed in, such as that of a virtual environment. */
const pythonHome = (path: string): string => dirname(pythonIn(path) ?? '/usr/bin')

/**
 * The tool `run_python`: runs Python in the sandbox of the operating system. It asks; the mode `auto` settles that. Models are shown it where python3 is
 * installed.
 *
 * @example
 * const analyst = agent({ name: 'analyst', model, tools: [pythonTool()] })
 */
export function pythonTool(options: PythonToolOptions = {}): Tool {
  checkOptions('pythonTool', options, pythonShape)
  const { sandbox = 'os' } = options
  const env = environmentOf({ cwd: tmpdir() })
  const problem = async (): Promise<string | undefined> => (sandbox === 'os' ? osSandbox({ folder: tmpdir() }) : sandbox).problem()
  return tool({
    name: 'run_python',
    description:
      'Runs Python 3 and returns what it prints. It has the standard library, a folder of its own that ends with the call, and no network.',
    input: pythonSchema,
    // Another sandbox may let it change something that lasts.
    effect: sandbox === 'os' ? 'read' : 'unsafe',
    permission: 'ask',
    available: pythonIn(env['PATH'] ?? '') !== undefined,
    matcher: confinedMatcher(problem),
    taint: { brings: 'untrusted', sends: sandbox !== 'os' },
    schedule: { timeout: (options.timeout ?? 60_000) + 30_000 },
    run: (input, context) =>
      orRefusal(context.signal, async () => {
        const missing = await problem()
        if (missing !== undefined) throw noSandbox(missing)
        return runPython(input, context, { ...options, sandbox, env })
      }),
  })
}

interface Place extends PythonToolOptions {
  readonly sandbox: 'os' | Sandbox
  readonly env: Readonly<Record<string, string>>
}

async function runPython({ code }: PythonInput, { signal, progress }: ToolContext, place: Place): Promise<CommandResult> {
  const { timeout = 60_000, memory = 2 ** 30, maxOutputBytes = 8_000, env, hide = [process.cwd()] } = place
  if (code.includes('\0') || !code.isWellFormed()) {
    throw new LoomError('LOOM_TOOL_INPUT_INVALID', 'The program has a NUL, or half of a character. Give it in whole characters, without NUL.')
  }
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'loom-python-')))
  const sandbox =
    place.sandbox === 'os'
      ? osSandbox({ folder: cwd, hide: hide.filter((path) => path !== '/'), show: [cwd, pythonHome(env['PATH'] ?? '')] })
      : place.sandbox
  const confine = { sandbox, limits: { ...usualLimits, memory } }
  try {
    const program = { file: 'python3', args: ['-I', '-B', '-c', code], env: { ...env, HOME: cwd } }
    return await runProgram(program, { shell: 'bash', cwd, env: program.env, timeout, grace: 1_000, maxOutputBytes, signal, progress, confine })
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** Says that calls run in a sandbox, where there is one. No pattern of a rule names a program. */
function confinedMatcher(problem: () => Promise<string | undefined>): CallMatcher<PythonInput, CallPart> {
  return {
    parts: async ({ code }) => [{ text: code, ...((await problem()) === undefined && { isSandboxed: true as const }) }],
    compile(pattern) {
      throw new LoomError('LOOM_OPTION_INVALID', `${JSON.stringify(pattern.slice(0, 80))} names no program: rules for run_python have no pattern.`, {
        context: { pattern: pattern.slice(0, 80) },
      })
    },
  }
}
