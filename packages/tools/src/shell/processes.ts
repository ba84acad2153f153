/**
 * Finding and ending the processes of a command, however they were started.
 *
 * SHELL-1. A process belongs to a command when it has the command's mark in its environment, is in the session of its shell, holds one of its outputs, or
 *     was started by one that does. On Linux all processes are looked at, so that those of another session and those whose parent has ended are found,
 *     too. A process that clears its environment, leaves the session, closes the outputs and loses its parent is not found. Other systems know only the
 *     process group.
 * SHELL-2. A process is never known by its number alone: numbers are used again. It is known by its number and the time at which it was started.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The variable that marks the processes of a command. */
export const markVariable = 'LOOM_SHELL'

/** What the processes of a command are found by. */
export interface Traces {
  /** The value of the variable in their environment. */
  readonly mark: string
  /** The session of the shell, which is its own process group; undefined where it is not known. */
  readonly session?: number
  /** The outputs of the command, as the system names them. */
  readonly outputs: readonly string[]
}

/** A process: its number, and when it was started, in the words of the system. */
export interface ProcessId {
  readonly pid: number
  readonly start: string
}

const canLook = process.platform === 'linux' && existsSync('/proc/self/environ')

interface Status {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly session: number
  readonly start: string
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    // It has ended, or belongs to somebody else.
    return undefined
  }
}

/** The status of a process; undefined when there is none. */
function statusOf(pid: number): Status | undefined {
  const text = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The name of the program is in parentheses and may have any character.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (!fields) return undefined
  const [state = '', parent = '', , session = ''] = fields
  return { pid, state, parent: Number(parent), session: Number(session), start: fields[19] ?? '' }
}

/** The identity of a running process; undefined when there is none. */
export function processId(pid: number): ProcessId | undefined {
  if (canLook) {
    const status = statusOf(pid)
    return status && !isOver(status) ? { pid, start: status.start } : undefined
  }
  const { stdout, status } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== '' ? { pid, start: stdout.trim() } : undefined
}

/** Whether this very process is running. */
export const isRunning = ({ pid, start }: ProcessId): boolean => processId(pid)?.start === start

const isOver = ({ state }: Status): boolean => state === 'Z' || state === 'X'

/** Notes what the processes of a command can be found by, as soon as its shell has started. */
export function tracesOf(pid: number, mark: string): Traces {
  const outputs = [1, 2].flatMap((descriptor) => orNothing(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? [])
  return { mark, ...(pid > 0 && { session: pid }), outputs: outputs.filter((name) => /^(?:pipe|socket):/.test(name)) }
}

/** The processes of a command that are running. Nothing is found where the system does not show processes. */
export function findProcesses({ mark, session, outputs }: Traces): readonly ProcessId[] {
  if (!canLook) return []
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => statusOf(Number(name)) ?? [])
    .filter((status) => !isOver(status))
  const marked = `${markVariable}=${mark}\0`
  const isMarked = (pid: number): boolean => orNothing(() => readFileSync(`/proc/${pid}/environ`, 'latin1'))?.includes(marked) ?? false
  const holds = (pid: number): boolean =>
    outputs.length > 0 && [0, 1, 2].some((descriptor) => outputs.includes(orNothing(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? ''))
  const found = new Set(all.filter((one) => one.session === session || isMarked(one.pid) || holds(one.pid)).map(({ pid }) => pid))
  // A child has a higher number than its parent, except when the numbers begin anew: a second pass finds the rest.
  for (let pass = 0; pass < 2; pass += 1) for (const one of all) if (found.has(one.parent)) found.add(one.pid)
  return all.filter(({ pid }) => found.has(pid)).map(({ pid, start }) => ({ pid, start }))
}

function signalAll(traces: Traces, signal: 'SIGTERM' | 'SIGKILL'): number {
  if (!canLook && traces.session !== undefined) {
    const group = -traces.session
    return orNothing(() => process.kill(group, signal)) ? 1 : 0
  }
  const found = findProcesses(traces)
  for (const one of found) if (isRunning(one)) orNothing(() => process.kill(one.pid, signal))
  return found.length
}

const pause = 20
/** How long processes are killed that do not end: one in a system call cannot. */
const longest = 5_000

/** How long processes may take that are about to end when their shell has ended. */
const settling = 100

/** Waits a moment for processes that are about to end, and ends the others. Resolves with how many there were. */
export async function endLeftOver(traces: Traces, grace: number): Promise<number> {
  for (let waited = 0; waited < settling && findProcesses(traces).length > 0; waited += pause) await sleep(pause)
  return endProcesses(traces, grace)
}

/** Asks the processes of a command to end, and kills those that do not. Resolves when none is left, with how many there were. */
export async function endProcesses(traces: Traces, grace: number): Promise<number> {
  const count = signalAll(traces, 'SIGTERM')
  let left = count
  for (let waited = 0; left > 0 && waited < grace; waited += pause) {
    await sleep(pause)
    left = canLook ? findProcesses(traces).length : left
  }
  for (let waited = 0; left > 0 && waited < longest; waited += pause) {
    left = signalAll(traces, 'SIGKILL')
    if (left > 0) await sleep(pause)
  }
  return count
}
