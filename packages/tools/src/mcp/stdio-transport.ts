/**
 * A server that is a program: started without a shell, spoken to by lines, ended with all that it has started.
 *
 * MCP-1. A program gets the variables of a list and those that the options name, and no others. When a connection ends, whatever the reason is, no process is
 *     left that the program started (SHELL-1).
 * MCP-2. What a program prints is bounded: a line that is too long, too many lines that are no messages, and too many messages that nobody asked for end it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { environmentOf, marked } from '../shell/environment.ts'
import { endLeftOver, endProcesses, type Traces, tracesOf } from '../shell/processes.ts'
import { newMark } from '../shell/start-program.ts'
import type { ExitList } from './at-exit.ts'
import type { McpProgram } from './options.ts'

/** What a program may print at most. */
const most = { line: 16 * 1024 * 1024, strangeLines: 1_000, unasked: 50_000, stderr: 8 * 1024 }

/** Milliseconds that a program has to end by itself once its input has ended, and when it is asked to. */
const grace = 500

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** A transport to a program. */
export interface ProgramTransport extends Transport {
  /** The id of its process; null before it has started. Its name, and that of `stderr`, are those by which the SDK knows a program. */
  readonly pid: number | null
  /** The end of what it printed as errors. */
  readonly stderr: string
  /** Why the connection was ended by this side; undefined where it was not. */
  readonly broken: string | undefined
}

/** Makes a transport to a program. It is started by `start`. */
export function programTransport(program: McpProgram, atExit: ExitList): ProgramTransport {
  const { command, args = [], cwd = process.cwd(), env } = program
  const mark = newMark()
  let child: Child | undefined
  let traces: Traces | undefined
  let errors = ''
  let broken: string | undefined
  let ending: Promise<void> | undefined
  let forget = (): void => {}
  const end = (why?: string): Promise<void> => {
    broken ??= why
    if (!child || !traces) return Promise.resolve()
    ending ??= endProgram(child, traces, why === undefined).finally(forget)
    return ending
  }
  const transport: { -readonly [K in keyof ProgramTransport]: ProgramTransport[K] } = {
    get pid() {
      return child?.pid ?? null
    },
    get stderr() {
      return errors
    },
    get broken() {
      return broken
    },
    async start() {
      child = spawn(command, args, { cwd, env: marked(environmentOf({ cwd, env }), mark), detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
      const started: Child = child
      await new Promise<void>((resolve, reject) => started.once('spawn', resolve).once('error', reject))
      started.on('error', () => {})
      const { pid = 0 } = started
      traces = tracesOf(pid, mark)
      forget = atExit.add(() => killGroup(pid))
      leaveAlone(started)
      started.stderr.on('data', (chunk: Buffer) => {
        errors = `${errors}${chunk.toString('utf8')}`.slice(-most.stderr)
      })
      for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on('error', () => {})
      readMessages(started.stdout, transport, (why) => void end(why))
      // What it has started may hold its output open: its own end is the end of the connection.
      started.once('exit', () => void end().then(() => transport.onclose?.()))
    },
    async send(message) {
      if (!child?.stdin.writable) throw new Error('the program has ended')
      if (!child.stdin.write(`${JSON.stringify(message)}\n`)) await drained(child)
    },
    close: () => end(),
  }
  return transport
}

/** A program does not keep this process alive: calls that wait for it do. */
function leaveAlone(child: Child): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Waits until the input of a program has room again, or the program has ended. */
function drained(child: Child): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      child.stdin.off('drain', done).off('close', done)
      resolve()
    }
    child.stdin.once('drain', done).once('close', done)
  })
}

/** Ends a program and all that it has started: it is asked first, unless it has broken the rules. */
async function endProgram(child: Child, traces: Traces, isAsked: boolean): Promise<void> {
  const exited = new Promise<void>((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
  )
  child.stdin.end()
  if (isAsked) {
    const timer = Promise.withResolvers<void>()
    const timeout = setTimeout(timer.resolve, grace)
    await Promise.race([exited, timer.promise])
    clearTimeout(timeout)
  }
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  await (hasEnded ? endLeftOver(traces, grace) : endProcesses(traces, isAsked ? grace : 0))
  for (const stream of [child.stdout, child.stderr]) stream.destroy()
  await exited
}

/** Passes messages on. What breaks the rules ends the connection. */
function readMessages(output: Readable, transport: Transport, end: (why: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  let length = 0
  let strange = 0
  let unasked = 0
  const take = (line: string): void => {
    const message = messageIn(line)
    if (message) unasked = 'result' in message || 'error' in message ? 0 : unasked + 1
    if (!message || !passOn(message, transport)) strange += 1
  }
  output.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    pieces.push(first)
    length += first.length
    for (const next of others) {
      const line = pieces.join('')
      if (line.trim() !== '') take(line)
      pieces = [next]
      length = next.length
    }
    if (length > most.line) end(`it printed a line of more than ${most.line} characters`)
    else if (strange > most.strangeLines) end(`it printed more than ${most.strangeLines} lines that are no messages`)
    else if (unasked > most.unasked) end(`it sent more than ${most.unasked} messages that nobody had asked for`)
  })
}

function messageIn(line: string): JSONRPCMessage | undefined {
  try {
    const message = JSON.parse(line) as Partial<JSONRPCMessage> | null
    return typeof message === 'object' && message?.jsonrpc === '2.0' ? (message as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}

/** Whether a message could be passed on: what has the look of one may still be none. */
function passOn(message: JSONRPCMessage, transport: Transport): boolean {
  try {
    transport.onmessage?.(message)
    return true
  } catch {
    return false
  }
}
