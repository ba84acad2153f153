/** A folder for commands, and the shell tools in it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { endShells, type ShellTools, type ShellToolsOptions, shellTools } from '@loom-agent/tools'

/** What `bash` returns. */
export interface Ran {
  readonly exitCode: number | null
  readonly signal?: string
  readonly output: string
  readonly milliseconds: number
  readonly cwd: string
  readonly note?: string
}

/** How a tool is called. */
export interface Called {
  readonly signal?: AbortSignal
  readonly thread?: string
  readonly key?: string
  readonly progress?: (data: unknown) => void
}

/** A folder, and the tools in it. */
export interface ShellWorld {
  readonly cwd: string
  readonly tools: ShellTools
  /** Calls a tool as a run would: what it returns, or the error that it returns or throws. */
  call(tool: 'bash' | 'job', input: object, called?: Called): Promise<unknown>
  /** Runs a command. */
  bash(command: string, called?: Called): Promise<Ran>
  inFolder(...names: string[]): string
  remove(): Promise<void>
}

/** Makes the folder and the tools. */
export function makeShellWorld(options: Partial<ShellToolsOptions> = {}): ShellWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-shell-')))
  const cwd = join(base, 'work')
  mkdirSync(cwd)
  const tools = shellTools({ cwd, grace: 100, sandbox: 'none', ...options })
  const call: ShellWorld['call'] = async (name, input, called = {}) => {
    const { signal = new AbortController().signal, thread = 't', key = 'key', progress = () => {} } = called
    try {
      return await toolDefinitionOf(tools[name]).run(input, { thread, call: '1.0', key, signal, deps: undefined, progress } as never)
    } catch (error) {
      return error
    }
  }
  return {
    cwd,
    tools,
    call,
    bash: async (command, called) => (await call('bash', { command }, called)) as Ran,
    inFolder: (...names) => join(cwd, ...names),
    async remove() {
      await endShells(tools)
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** The processes whose environment or words have a text: what a command has left behind. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        const isOver = / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/, ''))
        return !isOver && ['environ', 'cmdline'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text))
      } catch {
        return false
      }
    })
}
