/**
 * Running a command to its end in a shell of its own.
 *
 * SHELL-5. bash gets the command as one argument. Loom never builds a text that a shell reads.
 * SHELL-6. When a call ends, whatever the reason is, no process is left that its command started (SHELL-1).
 */
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Program } from '../sandbox/sandbox.ts'
import { createSecretFilter, type GivenSecret } from '../sandbox/secrets.ts'
import { keepOutput, type OutputKeeper } from './output.ts'
import { endLeftOver, endProcesses, findProcesses, type Traces } from './processes.ts'
import { type Confinement, startProgram } from './start-program.ts'

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
  /** What confines it; absent: nothing. */
  readonly confine?: Confinement
  /** What it was given and must not be shown. */
  readonly secrets?: readonly GivenSecret[]
}

/** A command that prints more than this is ended. */
export const mostPrinted: number = 64 * 1024 * 1024
/** Viewers are shown so many bytes of one command. */
const mostShown = 256 * 1024

/** What prints: a stream of bytes. */
interface Printing {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
}

/** Passes output on to viewers and to the keeper, without secrets. Returns what passes on the rest, once all has arrived. */
export function listen(
  outputs: readonly Printing[],
  keeper: OutputKeeper,
  { progress, secrets = [] }: Pick<Running, 'progress' | 'secrets'>,
): () => void {
  const ends = outputs.map((output) => {
    const filter = secrets.length > 0 ? createSecretFilter(secrets) : undefined
    const decoder = new StringDecoder('utf8')
    const take = (chunk: Uint8Array): void => {
      keeper.take(chunk)
      if (chunk.length > 0 && keeper.bytes <= mostShown) progress({ output: decoder.write(chunk) })
    }
    output.on('data', (chunk) => take(filter ? filter.push(chunk) : chunk))
    return () => {
      if (filter) take(filter.end())
    }
  })
  return () => {
    for (const end of ends) end()
  }
}

/** The first of these ends a command. */
type End = 'exit' | 'timeout' | 'abort' | 'flood' | 'crowd'

/** A command under way. */
export interface UnderWay {
  readonly ended: Promise<unknown>
  readonly keeper: OutputKeeper
  readonly traces: Traces
}

/** Whether the system does not hold the number of processes: it does not for its administrator. */
const isUnheld = process.getuid?.() === 0

/** Waits until a command ends, is aborted, has used its time, has printed too much, or has too many processes. */
export async function firstEnd({ ended, keeper, traces }: UnderWay, { timeout, signal, confine }: Running): Promise<End> {
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
        else if (confine && isUnheld && findProcesses(traces).length > confine.limits.processes) resolve('crowd')
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

/** The program that runs a command. */
export const bashFor = (command: string, { shell, env }: Running): Program => ({ file: shell, args: [...shellArguments, '-c', '--', command], env })

/** Runs a program to its end. An abort ends its processes and is thrown. */
export async function runProgram(program: Program, running: Running): Promise<CommandResult> {
  const { cwd, grace, signal } = running
  signal.throwIfAborted()
  const since = performance.now()
  const { child, traces, end: endSandbox } = await startProgram(program, running, ['ignore', 'pipe', 'pipe'])
  const outputs = [child.stdout, child.stderr] as readonly Readable[]
  const keeper = keepOutput(running.maxOutputBytes)
  const flush = listen(outputs, keeper, running)
  const exited = new Promise<{ code: number | null; by: string | null }>((resolve) => child.once('exit', (code, by) => resolve({ code, by })))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    const end = await firstEnd({ ended: exited, keeper, traces }, running)
    const left = await (end === 'exit' ? endLeftOver : endProcesses)(traces, end === 'crowd' ? 0 : grace)
    const { code, by } = await exited
    // What was not found may hold the outputs open.
    const giveUp = setTimeout(() => outputs.map((output) => output.destroy()), grace)
    await closed
    clearTimeout(giveUp)
    signal.throwIfAborted()
    flush()
    const note = noteOf(end, left, running)
    return {
      exitCode: code,
      ...(by !== null && { signal: by }),
      output: keeper.text(),
      milliseconds: Math.round(performance.now() - since),
      cwd,
      ...(note !== undefined && { note }),
    }
  } finally {
    await endSandbox()
  }
}

/** What is said about the end of a command. */
function noteOf(end: End, left: number, { timeout, confine }: Running): string | undefined {
  switch (end) {
    case 'exit':
      return left > 0 ? `It left ${left} ${left === 1 ? 'process' : 'processes'} running, which were ended.` : undefined
    case 'timeout':
      return `It was ended after ${timeout} milliseconds. Give a longer timeout, or run it in the background.`
    case 'flood':
      return `It was ended because it printed more than ${mostPrinted} bytes. Redirect its output to a file.`
    case 'crowd':
      return `It was ended because it had more than ${confine?.limits.processes} processes. Run fewer at a time.`
    case 'abort':
      return undefined
  }
}
