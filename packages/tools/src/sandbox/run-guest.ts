/**
 * Running model-written JavaScript: each time in a process of its own.
 *
 * GUEST-4. A process serves one request and ends: no other call can have its result written by it, or see anything of it. What it writes is read up to a
 *     bound, and is believed only where it has the form of a reply.
 * GUEST-5. The process has no variable of this one's environment, no open file besides its input and output, and Node's permissions allow it neither
 *     files outside of its packages, nor writing, nor processes, nor workers: a worker that is started with other arguments has all permissions. That is
 *     a second wall, behind the engine (GUEST-1).
 * GUEST-6. It is killed with its group when the call ends, when its time is used up, and when it writes too much.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Json, type JsonObject, LoomError } from '@loom-agent/kernel'
import { guestProcess } from './guest-code.ts'
import { packageUrl } from './load-package.ts'

/** What one piece of guest code may use. */
export interface GuestLimits {
  /** Milliseconds that it may compute. */
  readonly time: number
  /** Bytes of memory beyond what an empty engine has. */
  readonly memory: number
  /** Characters that it may print, and that its result may have. */
  readonly room: number
  /** Where the engine is, as a URL; default: the installed package. */
  readonly engine?: string
}

/** What is to be done with a piece of code: the body of an async function of `input`. */
export interface GuestTask {
  /** To run it, or only to see whether it is well formed. */
  readonly task: 'run' | 'check'
  /** The code. */
  readonly code: string
  /** Its input, as JSON. */
  readonly input: Json
}

/** What came of it. */
export type GuestEnd = GuestOutcome & {
  /** What it printed. */
  readonly printed: string
  /** Characters that it printed beyond the bound. */
  readonly dropped: number
}

type GuestOutcome =
  | { readonly status: 'done'; readonly result?: Json }
  | { readonly status: 'threw'; readonly name: string; readonly message: string; readonly line?: number }
  | { readonly status: 'long'; readonly length: number }
  | { readonly status: 'late' | 'waits' }
  | { readonly status: 'broke'; readonly problem: string }

/** Far below what overflows the stack of the host: from 512 KiB on an endless recursion of the guest is an error of the host. */
const stack = 256 * 1024
/** Milliseconds for a process to start and to end, besides the time of the code. */
const around = 10_000

type Guest = ChildProcessByStdio<Writable, Readable, null>

/** Runs a piece of code to its end. An abort kills it and is thrown. */
export async function runGuest(task: GuestTask, limits: GuestLimits, signal: AbortSignal): Promise<GuestEnd> {
  signal.throwIfAborted()
  const { engine = packageUrl('quickjs-emscripten', 'Running JavaScript of a model') } = limits
  const child = startGuest(engine)
  let isLate = false
  const stop = (): void => killGroup(child)
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, limits.time + around)
  signal.addEventListener('abort', stop)
  try {
    const { code, input } = task
    child.stdin.end(JSON.stringify({ ...limits, engine, stack, task: task.task, code, input: JSON.stringify(input) }))
    const text = await outputOf(child, 6 * (2 * limits.room + 20_000))
    signal.throwIfAborted()
    return isLate ? { status: 'late', printed: '', dropped: 0 } : endOf(text)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Starts the process. */
function startGuest(engine: string): Guest {
  const path = fileURLToPath(engine)
  const folder = `${sep}node_modules${sep}`
  // Where it is installed in another way, its folder is not known to be all that it needs.
  const readable = path.includes(folder) ? `${path.slice(0, path.indexOf(folder) + folder.length)}*` : '*'
  const { SYSTEMROOT } = process.env
  const confined = ['--permission', `--allow-fs-read=${readable}`]
  const child = spawn(process.execPath, [...confined, '--max-old-space-size=64', '--input-type=module', '--eval', guestProcess], {
    cwd: sep,
    env: SYSTEMROOT === undefined ? {} : { SYSTEMROOT },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // A process that has just ended refuses what is written to it; its output says so.
  child.stdin.on('error', () => {})
  return child
}

/** Kills the process and its group. */
function killGroup(child: Guest): void {
  child.kill('SIGKILL')
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** What the process writes until it ends; one that writes more than a bound is killed. */
function outputOf(child: Guest, most: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > most) killGroup(child)
      else chunks.push(chunk)
    })
    child.once('error', (cause) =>
      reject(new LoomError('LOOM_SANDBOX_UNAVAILABLE', 'No process could be started for the code. Tell the user.', { cause })),
    )
    child.once('close', () => resolve(bytes > most ? '' : Buffer.concat(chunks).toString('utf8')))
  })
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'

/** The reply of a process, where it has the form of one (GUEST-4). */
function endOf(text: string): GuestEnd {
  const { status, printed, dropped, ...given } = fieldsOf(parsed(text))
  const around = { printed: isText(printed) ? printed : '', dropped: isNumber(dropped) ? dropped : 0 }
  const { result, name, message, stack: trace, length, problem } = given
  if (status === 'done' && result === undefined) return { status, ...around }
  const json = status === 'done' && isText(result) ? parsed(result) : undefined
  if (status === 'done' && json !== undefined) return { status, result: json, ...around }
  if (status === 'threw' && isText(name) && isText(message)) return { status, name, message, ...lineOf(trace), ...around }
  if (status === 'long' && isNumber(length)) return { status, length, ...around }
  if (status === 'late' || status === 'waits') return { status, ...around }
  return { status: 'broke', problem: isText(problem) ? problem : 'its process was ended', ...around }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const fieldsOf = (value: Json | undefined): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {})

/** The line of the code that threw: the engine puts two lines before the body of a function. */
function lineOf(trace: unknown): { readonly line?: number } {
  const [, line] = (isText(trace) ? /<input>:(\d+)/.exec(trace) : null) ?? []
  return line === undefined ? {} : { line: Math.max(1, Number(line) - 2) }
}
