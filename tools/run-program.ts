/** Runs a program to its end and collects what it prints. */
import { spawn } from 'node:child_process'

/** How a program is run. */
export interface ProgramOptions {
  readonly cwd: string
  /** Milliseconds after which a program that does not end is ended. */
  readonly timeout: number
  /** The whole environment; default: that of this process. */
  readonly env?: NodeJS.ProcessEnv
  /** What it reads from standard input; default: nothing. */
  readonly input?: string
}

/** How a program ended, and what it printed. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

/** Runs a program. Rejects only when it cannot be started. */
export function runProgram(command: string, args: readonly string[], { cwd, timeout, env, input = '' }: ProgramOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, timeout, ...(env && { env }) })
    let output = ''
    const take = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, output: output.trim() }))
    child.stdin.end(input)
  })
}
