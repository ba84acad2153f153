/**
 * What confines commands: the port. An operating system, a container or a machine far away can stand behind it.
 *
 * SANDBOX-1. A command that was to run in a sandbox never runs outside of one: where it cannot be used, the call is refused.
 */
import { LoomError } from '@loom-agent/kernel'

/** A program, and how it is started. */
export interface Program {
  /** The program. */
  readonly file: string
  /** Its arguments. */
  readonly args: readonly string[]
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A program that is to be confined. */
export interface ProgramToConfine extends Program {
  /** The folder in which it begins. */
  readonly cwd: string
  /** Aborts when the call is to end. */
  readonly signal: AbortSignal
}

/** What the processes of one command may use. */
export interface SandboxLimits {
  /** How many processes and threads there may be at once. */
  readonly processes: number
  /** Bytes of memory that each process may have for its data. */
  readonly memory: number
}

/** A program that runs confined when it is started so. Descriptors 0 to 4 are passed on to it. */
export interface ConfinedProgram extends Program {
  /** Has to be called when it has ended, or was not started. */
  end(): void | Promise<void>
}

/** Confines commands. */
export interface Sandbox {
  /** What it is, for people. */
  readonly name: string
  /** Why it cannot be used now, and what to do about that; undefined when it can. Once it can be used it stays so. */
  problem(): Promise<string | undefined>
  /** Says how to start a program so that it is confined. */
  wrap(program: ProgramToConfine, limits: SandboxLimits): Promise<ConfinedProgram>
}

/** The limits, unless others are given. */
export const usualLimits: SandboxLimits = { processes: 1_024, memory: 4 * 1024 ** 3 }

/** A sandbox that cannot be used. */
export const noSandbox = (problem: string): LoomError => new LoomError('LOOM_SANDBOX_UNAVAILABLE', problem, { context: { problem } })
