/**
 * A shell that stays: its folder and variables persist from call to call.
 *
 * SHELL-7. A shell belongs to one thread and to this process. When it ends, for whatever reason, its processes end with it, and the next call says that it
 *     has a new one.
 */
import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { keepOutput } from './output.ts'
import { endProcesses, type Traces } from './processes.ts'
import { type CommandResult, firstEnd, listen, mostPrinted, type Running, shellArguments } from './run-command.ts'
import { startProgram } from './start-program.ts'

/**
 * Reads commands that end with NUL from descriptor 3, runs each in this shell, and writes its code and the folder to descriptor 4. The script is the same
 * for all commands: no text of a model is ever a part of it.
 */
const script = 'while IFS= read -r -d "" -u 3 LOOM_COMMAND; do eval "$LOOM_COMMAND" </dev/null 3<&- 4>&-; printf "%s\\0%s\\0" "$?" "$PWD" >&4; done'

/** A shell that is running. */
export interface PersistentShell {
  readonly isOpen: () => boolean
  /** Runs one command. Calls do not overlap. */
  run(command: string, running: Running): Promise<CommandResult>
  end(grace: number): Promise<void>
}

interface Open {
  readonly child: ChildProcess
  readonly traces: Traces
  readonly exited: Promise<{ code: number | null; by: string | null }>
  isOver: boolean
  isNew: boolean
  cwd: string
  /** Ends the sandbox around it. */
  readonly endSandbox: () => Promise<void>
}

/** Starts a shell. It does not keep the process running. */
export async function openShell(running: Running): Promise<PersistentShell> {
  const { shell, env } = running
  const program = { file: shell, args: [...shellArguments, '-c', script, 'bash'], env }
  const { child, traces, end: endSandbox } = await startProgram(program, running, ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'])
  const exited = new Promise<{ code: number | null; by: string | null }>((resolve) => child.once('exit', (code, by) => resolve({ code, by })))
  const open: Open = { child, traces, exited, isOver: false, isNew: true, cwd: running.cwd, endSandbox }
  void exited.then(() => {
    open.isOver = true
  })
  // A shell that has just ended refuses what is written to it; its exit says so.
  commandsOf(open).on('error', () => {})
  setHold(open, false)
  return {
    isOpen: () => !open.isOver,
    run: (command, how) => runIn(open, command, how),
    end: (grace) => endShell(open, grace),
  }
}

/** A parent keeps its own ends of the pipes as sockets, which have `ref` and `unref`. */
type Held = { ref?: () => void; unref?: () => void } | null | undefined

/** Says whether the shell keeps the process running: it does while a command runs. */
function setHold({ child }: Open, isHeld: boolean): void {
  if (isHeld) child.ref()
  else child.unref()
  for (const stream of child.stdio as readonly Held[]) (isHeld ? stream?.ref : stream?.unref)?.call(stream)
}

const commandsOf = ({ child }: Open): Writable => child.stdio[3] as Writable
const statusOf = ({ child }: Open): Readable => child.stdio[4] as Readable
const outputsOf = ({ child }: Open): readonly Readable[] => [child.stdio[1] as Readable, child.stdio[2] as Readable]

async function endShell(open: Open, grace: number): Promise<void> {
  // Who waits for its end waits for nothing else, perhaps: the process must not end before.
  if (!open.isOver) open.child.ref()
  await endProcesses(open.traces, grace)
  if (!open.isOver) open.child.kill('SIGKILL')
  await open.exited
  for (const stream of open.child.stdio) stream?.destroy()
  await open.endSandbox()
}

interface Status {
  readonly code: number
  readonly cwd: string
}

/** The code and the folder that the shell writes when a command has ended. */
function nextStatus(open: Open): Promise<Status> {
  return new Promise((resolve) => {
    let text = ''
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('utf8')
      const [code, cwd, rest] = text.split('\0')
      if (rest === undefined || cwd === undefined) return
      statusOf(open).off('data', onData)
      resolve({ code: Number(code), cwd })
    }
    statusOf(open).on('data', onData)
  })
}

/** Lets everything arrive that was printed before the status: it is in the pipes already. */
async function drained(bytes: () => number): Promise<void> {
  for (let quiet = 0, seen = bytes(); quiet < 3; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (bytes() !== seen) quiet = 0
    seen = bytes()
  }
}

/** Why a command was ended. */
const endWords = {
  timeout: ({ timeout }: Running) => `It was ended after ${timeout} milliseconds.`,
  flood: () => `It printed more than ${mostPrinted} bytes.`,
  crowd: ({ confine }: Running) => `It had more than ${confine?.limits.processes} processes.`,
} as const

async function runIn(open: Open, command: string, running: Running): Promise<CommandResult> {
  const { signal, grace } = running
  signal.throwIfAborted()
  const since = performance.now()
  const keeper = keepOutput(running.maxOutputBytes)
  const wasNew = open.isNew
  open.isNew = false
  setHold(open, true)
  listen(outputsOf(open), keeper, running)
  const status = nextStatus(open)
  commandsOf(open).write(`${command}\0`)
  const over = Promise.race([status, open.exited])
  const end = await firstEnd({ ended: over, keeper, traces: open.traces }, running)
  if (end !== 'exit') await endShell(open, end === 'crowd' ? 0 : grace)
  else await drained(() => keeper.bytes)
  const isOver = open.isOver || end !== 'exit'
  if (isOver) await endShell(open, grace)
  for (const stream of [...outputsOf(open), statusOf(open)]) stream.removeAllListeners('data')
  setHold(open, false)
  signal.throwIfAborted()
  const settled = isOver ? await open.exited : await status
  if ('cwd' in settled) open.cwd = settled.cwd
  const notes = [
    wasNew ? 'This call started a new shell: variables and the folder of earlier calls, if there were any, are gone.' : '',
    end === 'exit' || end === 'abort' ? '' : endWords[end](running),
    isOver ? 'The shell has ended, and its variables and folder are gone.' : '',
  ].filter((note) => note !== '')
  return {
    exitCode: settled.code,
    ...('by' in settled && settled.by !== null && { signal: settled.by }),
    output: keeper.text(),
    milliseconds: Math.round(performance.now() - since),
    cwd: open.cwd,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}
