/** Runs programs; an error contains what a program printed. */
import { runProgram } from '../run-program.ts'

/** How a program is run. */
export interface Execution {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** How long a program may take, in milliseconds. */
const timeout = 300_000
/** How much of what a failed program printed is shown. */
const shown = 4_000

/** Runs a program and returns what it printed; throws when it fails. */
export async function execute(command: string, args: readonly string[], { cwd, env }: Execution): Promise<string> {
  const ended = await runProgram(command, args, { cwd, env: { ...cleanEnvironment(), ...env }, timeout })
  if (ended.code === 0) return ended.output
  throw new Error(`${[command, ...args].join(' ')} ended with ${ended.code ?? ended.signal}:\n${ended.output.slice(-shown)}`)
}

/** Runs a program with Node. */
export const node = (args: readonly string[], execution: Execution): Promise<string> => execute(process.execPath, args, execution)

/** Runs npm. Its warnings are left out. */
export const npm = (args: readonly string[], cwd: string): Promise<string> =>
  execute('npm', [...args, '--no-fund', '--no-audit', '--loglevel=error'], { cwd })

/** The environment without what npm and test runners add: a user has none of it. */
function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS|NODE_ENV|VITEST|LOOM_|.*_API_KEY)/.test(name))
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
