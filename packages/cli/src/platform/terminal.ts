/** What commands read from and write to. */

/** The place where a command runs: its output, its surroundings and the clock. Tests give one of their own. */
export interface Terminal {
  /** Writes the answer of a command: what a pipe or a file gets. */
  out(text: string): void
  /** Writes what people read beside the answer: progress, notes, errors. */
  err(text: string): void
  /** Whether answers go to a person, and not into a pipe or a file. */
  readonly isInteractive: boolean
  /** How many characters a line has. */
  readonly columns: number
  /** Whether answers may have colours. */
  readonly hasColour: boolean
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder in which the command was started. */
  readonly cwd: string
  /** The time in milliseconds since 1970. */
  now(): number
}

/** Lines of a pipe have no width of their own. */
const defaultColumns = 100

/** Whether answers may have colours: `NO_COLOR` forbids them anywhere, `FORCE_COLOR` allows them in a pipe too. */
function allowsColour(env: Terminal['env'], isInteractive: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return isInteractive && env['TERM'] !== 'dumb'
}

/** The terminal of this process. A reader that goes away, such as `head`, ends the process without an error. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  const isInteractive = stdout.isTTY === true
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isInteractive,
    columns: Math.max(40, stdout.columns ?? defaultColumns),
    hasColour: allowsColour(env, isInteractive),
    env,
    cwd: process.cwd(),
    now: () => Date.now(),
  }
}
