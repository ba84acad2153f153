/**
 * Who holds a thread, and whether it lives.
 *
 * LIVE-1. A holder lives while its row is there and its last sign of life is not older than `expiry`.
 * LIVE-2. A holder of the same machine whose process is gone does not live, whatever its row says. A process number that was given again to another
 *     process is told apart by the start time.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { randomUUID } from './node-crypto.ts'

/** How often a holder gives a sign of life, in milliseconds. */
export const beat = 10_000
/** After how long without one it counts as gone, in milliseconds. */
export const expiry = 30_000

/** A journal object in a process: what holds threads. */
export interface Instance {
  readonly id: string
  /** Names the machine since its start, and the space of its process numbers. Instances with equal hosts can look at each other's processes. */
  readonly host: string
  readonly pid: number
  /** When the process began, as its system tells it; empty where it does not. */
  readonly started: string
}

/** This process, as a new instance. */
export function thisInstance(): Instance {
  const host = [hostname(), read('/proc/sys/kernel/random/boot_id'), told(() => readlinkSync('/proc/self/ns/pid'))].join(' ')
  return { id: randomUUID(), host, pid: process.pid, started: startOf(process.pid) ?? '' }
}

/** Whether a holder lives, seen from an instance that does (LIVE-1, LIVE-2). */
export function isAlive(holder: Instance & { readonly beat: number }, here: Instance, now: number): boolean {
  return now - holder.beat < expiry && !isGone(holder, here)
}

/** Whether the process of an instance is known to be gone; of another machine nothing is known. */
export function isGone(instance: Omit<Instance, 'id'>, here: Omit<Instance, 'id'>): boolean {
  if (instance.host !== here.host) return false
  const started = startOf(instance.pid)
  return started === undefined ? isFree(instance.pid) : started !== instance.started
}

/** Whether no process has this number. One of another user may not be signalled, and is there. */
function isFree(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** The start time of a process, in ticks since the machine's start; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  // The second field is the name in brackets, which may hold anything; what follows its last bracket does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A process that has ended and that nobody has waited for yet.
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19]
}

function read(file: string): string {
  return told(() => readFileSync(file, 'utf8')).trim()
}

/** What the system tells, where it does. */
function told(ask: () => string): string {
  try {
    return ask()
  } catch {
    return ''
  }
}
