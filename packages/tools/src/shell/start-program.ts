/** Starting a program, confined where it must be, and marked, so that all its processes are found. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Program, Sandbox, SandboxLimits } from '../sandbox/sandbox.ts'
import { marked } from './environment.ts'
import { type Traces, tracesOf } from './processes.ts'
import { refusal } from './refusal.ts'

/** What confines a program. */
export interface Confinement {
  readonly sandbox: Sandbox
  readonly limits: SandboxLimits
}

/** Where and how a program is started. */
interface Starting {
  readonly cwd: string
  readonly signal: AbortSignal
  readonly confine?: Confinement
}

/** A program that was started. */
export interface StartedProgram {
  readonly child: ChildProcess
  readonly traces: Traces
  /** Has to be called when it has ended. */
  end(): Promise<void>
}

/** The mark of one command. */
export const newMark = (): string => randomBytes(16).toString('hex')

/** A program as it is started: confined, where something confines it. */
export async function confined(program: Program, { cwd, signal, confine }: Starting): Promise<Program & { end(): Promise<void> }> {
  if (!confine) return { ...program, end: async () => {} }
  const wrapped = await confine.sandbox.wrap({ ...program, cwd, signal }, confine.limits)
  return { ...wrapped, end: async () => wrapped.end() }
}

/** Starts a program; throws when there is none. */
export async function startProgram(program: Program, starting: Starting, stdio: readonly ('ignore' | 'pipe')[]): Promise<StartedProgram> {
  const { file, args, env, end } = await confined(program, starting)
  const mark = newMark()
  const child = spawn(file, args, { cwd: starting.cwd, env: marked(env, mark), detached: true, stdio: [...stdio] })
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', () =>
        reject(refusal('LOOM_TOOL_UNAVAILABLE', `${program.file} could not be started. Tell the user that this machine has no such program.`)),
      )
    })
  } catch (error) {
    await end()
    throw error
  }
  return { child, traces: tracesOf(child.pid ?? 0, mark), end }
}
