/**
 * Running a command to its end in a shell of its own.
 *
 * SHELL-5. bash gets the command as one argument. Loom never builds a text that a shell reads.
 * SHELL-6. When a call ends, whatever the reason is, no process is left that its command started (SHELL-1).
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { marked } from './environment.ts'
import { keepOutput, type OutputKeeper } from './output.ts'
import { endLeftOver, endProcesses, type Traces, tracesOf } from './processes.ts'
import { refusal } from './refusal.ts'

/** The shell, and how it is started: without any file of the user's. */
export const shellArguments: readonly string[] = ['--noprofile', '--norc']

/** What a command did. */
export interface CommandResult {
  /** The code that it ended with; null when a signal ended it. */
  readonly exitCode: number | null
  /** The signal that ended it. */
  readonly signal?: string
  /** What it printed, to both outputs, in the order of arrival. */
  readonly output: string
  /** How long it took. */
  readonly milliseconds: number
  /** Where it ran. */
  readonly cwd: string
  /** What else there is to know: a time limit, processes that were ended, a new shell. */
  readonly note?: string
}

/** How a command is run. */
export interface Running {
  readonly shell: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeout: number
  readonly grace: number
  readonly maxOutputBytes: number
  readonly signal: AbortSignal
  readonly progress: (data: unknown) => void
}

/** A command that prints more than this is ended. */
export const mostPrinted: number = 64 * 1024 * 1024
/** Viewers are shown so many bytes of one command. */
const mostShown = 256 * 1024

/** The mark of one command. */
export const newMark = (): string => randomBytes(16).toString('hex')

/** What prints: a stream of bytes. */
interface Printing {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
}

/** Passes output on to viewers and to the keeper. */
export function listen(outputs: readonly Printing[], keeper: OutputKeeper, { progress }: Pick<Running, 'progress'>): void {
  for (const output of outputs) {
    const decoder = new StringDecoder('utf8')
    output.on('data', (chunk) => {
      keeper.take(chunk)
      if (keeper.bytes <= mostShown) progress({ output: decoder.write(chunk) })
    })
  }
}

/** The first of these ends a command. */
type End = 'exit' | 'timeout' | 'abort' | 'flood'

/** Waits until a command ends, is aborted, has used its time, or has printed too much. */
export async function firstEnd(
  ended: Promise<unknown>,
  keeper: OutputKeeper,
  { timeout, signal }: Pick<Running, 'timeout' | 'signal'>,
): Promise<End> {
  const started = Date.now()
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => {}
  const cut = new Promise<End>((resolve) => {
    onAbort = () => resolve('abort')
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    timer = setInterval(
      () => {
        if (keeper.bytes > mostPrinted) resolve('flood')
        else if (Date.now() - started >= timeout) resolve('timeout')
      },
      Math.min(timeout, 100),
    )
  })
  try {
    return await Promise.race([ended.then(() => 'exit' as const), cut])
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

type Shell = ChildProcessByStdio<null, Readable, Readable>

/** Starts a shell; throws when there is none. */
async function start(command: string, mark: string, { shell, cwd, env }: Running): Promise<Shell> {
  const child = spawn(shell, [...shellArguments, '-c', '--', command], {
    cwd,
    env: marked(env, mark),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', () =>
      reject(refusal('LOOM_TOOL_UNAVAILABLE', `${shell} could not be started. Tell the user that this machine has no such shell.`)),
    )
  })
  return child
}

/** Runs a command to its end. An abort ends its processes and is thrown. */
export async function runCommand(command: string, running: Running): Promise<CommandResult> {
  const { cwd, grace, signal, timeout } = running
  signal.throwIfAborted()
  const since = performance.now()
  const mark = newMark()
  const child = await start(command, mark, running)
  const traces: Traces = tracesOf(child.pid ?? 0, mark)
  const keeper = keepOutput(running.maxOutputBytes)
  listen([child.stdout, child.stderr], keeper, running)
  const exited = new Promise<{ code: number | null; by: string | null }>((resolve) => child.once('exit', (code, by) => resolve({ code, by })))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const end = await firstEnd(exited, keeper, running)
  const left = await (end === 'exit' ? endLeftOver : endProcesses)(traces, grace)
  const { code, by } = await exited
  // What was not found may hold the outputs open.
  const giveUp = setTimeout(() => [child.stdout, child.stderr].map((output) => output.destroy()), grace)
  await closed
  clearTimeout(giveUp)
  signal.throwIfAborted()
  const notes: Readonly<Record<End, string | undefined>> = {
    exit: left > 0 ? `It left ${left} ${left === 1 ? 'process' : 'processes'} running, which were ended.` : undefined,
    timeout: `It was ended after ${timeout} milliseconds. Give a longer timeout, or run it in the background.`,
    flood: `It was ended because it printed more than ${mostPrinted} bytes. Redirect its output to a file.`,
    abort: undefined,
  }
  const note = notes[end]
  return {
    exitCode: code,
    ...(by !== null && { signal: by }),
    output: keeper.text(),
    milliseconds: Math.round(performance.now() - since),
    cwd,
    ...(note !== undefined && { note }),
  }
}
