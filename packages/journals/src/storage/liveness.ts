/**
 * The holder of a thread, and whether it is alive.
 *
 * LIVE-1. A holder is alive while its row exists and its last heartbeat is not older than `heartbeatTimeout`, by the store's clock. A change of a
 *     process's wall clock does not end a lease.
 * LIVE-2. A holder on the same machine whose process is gone is not alive, whatever its row says. Two processes with the
 *     same number differ in their start time.
 */
import { hostname } from 'node:os'
import { randomUUID } from './node-crypto.ts'
import { fs } from './node-fs.ts'

/** The time between two heartbeats of a holder, in milliseconds. */
export const heartbeatInterval = 10_000
/** How long a holder may be without a heartbeat before it counts as gone, in milliseconds. */
export const heartbeatTimeout = 30_000

/** A journal object in a process. It holds threads. */
export interface Instance {
  readonly id: string
  /** Names the machine since its start, and its namespace of process numbers. Instances with equal hosts can see each other's processes. */
  readonly host: string
  readonly pid: number
  /** When the process started, in the words of its system; empty where the system does not say. */
  readonly started: string
}

/** This process, as a new instance. */
export function thisInstance(): Instance {
  const host = [hostname(), read('/proc/sys/kernel/random/boot_id'), orEmpty(() => fs().readlinkSync('/proc/self/ns/pid'))].join(' ')
  return { id: randomUUID(), host, pid: process.pid, started: startOf(process.pid) ?? '' }
}

/** How long it is since the last heartbeat of a holder, and how long that may be, in milliseconds. */
export interface Silence {
  readonly ms: number
  readonly timeout: number
}

/** Whether a holder is alive, as this instance sees it (LIVE-1, LIVE-2). */
export function isAlive(holder: Instance, here: Instance, { ms, timeout }: Silence): boolean {
  return ms < timeout && !isGone(holder, here)
}

/** Whether the process of an instance is known to be gone. Nothing is known of processes on another machine. */
export function isGone(instance: Omit<Instance, 'id'>, here: Omit<Instance, 'id'>): boolean {
  if (instance.host !== here.host) return false
  const started = startOf(instance.pid)
  return started === undefined ? isFree(instance.pid) : started !== instance.started
}

/** Whether no process has this number. A process of another user may not be signalled, and exists. */
function isFree(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Whether a process was stopped, by a signal or a debugger, and does not run. False where the system does not say. */
export function isStopped(pid: number): boolean {
  return /^[Tt]/.test(statusOf(pid)[0] ?? '')
}

/** The start time of a process, in ticks since the machine's start; undefined where the system does not say. */
function startOf(pid: number): string | undefined {
  const [state, ...fields] = statusOf(pid)
  // A process that has ended and whose parent has not waited for it yet.
  return state === 'Z' || state === 'X' ? 'ended' : fields[18]
}

/** What the system says of a process, from its state on; nothing where it does not say. */
function statusOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)
  // The second field is the name in brackets, which may hold anything; what follows its last bracket does not.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(file: string): string {
  return orEmpty(() => fs().readFileSync(file, 'utf8')).trim()
}

/** The result, or an empty text where the system does not have it. */
function orEmpty(ask: () => string): string {
  try {
    return ask()
  } catch {
    return ''
  }
}
