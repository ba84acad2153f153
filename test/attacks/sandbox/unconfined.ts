/** Runs attacks without any sandbox, in a process of their own that is killed: an attack that does nothing there proves nothing. */
import { type ChildProcess, spawn } from 'node:child_process'

/** What an attack came to. */
export interface Unconfined {
  readonly output: string
  readonly code: number | null
}

/** Starts a program in a process group of its own. */
export function start(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { PATH = '' } = process.env
  return spawn(file, args, { env: { PATH, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Kills a program and its group. */
export function kill(child: ChildProcess): void {
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Collects what a program prints until it has ended, or until `isEnough` says so; then it is killed. */
export async function collect(child: ChildProcess, isEnough: (output: string) => boolean = () => false): Promise<Unconfined> {
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
      if (isEnough(output)) kill(child)
    })
  }
  const code = await ended
  kill(child)
  return { output, code }
}

const program = `
const Code = (async () => {}).constructor
const [code, input] = process.argv.slice(1)
const result = await new Code('input', code)(JSON.parse(input))
console.log(JSON.stringify({ result, polluted: {}.polluted }))
`

/** Runs JavaScript as a program runs it that has no sandbox for it. */
export const startCode = (code: string, input: unknown, env: Readonly<Record<string, string>> = {}): ChildProcess =>
  start(process.execPath, ['--input-type=module', '--eval', program, '--', code, JSON.stringify(input)], env)
