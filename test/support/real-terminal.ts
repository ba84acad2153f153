/** A program in a real terminal: it runs in a pseudo-terminal, and an emulator shows what it writes. */
import { createRequire } from 'node:module'
import { type IPty, spawn } from '@lydell/node-pty'
import type { Terminal } from '@xterm/headless'

/** The emulator is CommonJS, of a kind whose names Node does not find by itself. */
const headless = createRequire(import.meta.url)('@xterm/headless') as typeof import('@xterm/headless')

/** What is run, and where. */
export interface TerminalOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

/** A program in a terminal. */
export interface RealTerminal {
  /** The process id of the program. */
  readonly pid: number
  /** The emulator. */
  readonly emulator: Terminal
  /** What people see now, row by row. */
  screen(): readonly string[]
  /** The same with what has scrolled away. */
  everything(): readonly string[]
  /** What the program has written so far, in characters. */
  written(): number
  /** What the program has written since a place, as it was. */
  raw(from?: number): string
  /** Types. */
  type(text: string): void
  /** Resolves when the terminal shows it; what it shows is in the error of a test that waits in vain. */
  shows(what: string | RegExp): Promise<void>
  /** Resolves when it is so, looking again whenever something was written. */
  until(isSo: () => boolean): Promise<void>
  /** Gives the terminal another size. */
  resize(columns: number, rows: number): void
  /** Ends the program at once. */
  kill(signal?: string): void
  /** How the program has ended. */
  readonly ended: Promise<{ readonly exitCode: number; readonly signal?: number | undefined }>
}

/** Starts a program in a terminal. */
export function openTerminal(command: string, args: readonly string[], options: TerminalOptions): RealTerminal {
  const { cwd, env, columns = 80, rows = 24 } = options
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 20_000 })
  const program: IPty = spawn(command, [...args], { cwd, env: { ...env }, cols: columns, rows, name: 'xterm-256color' })
  const pieces: string[] = []
  let size = 0
  let waiting: (() => void)[] = []
  const look = (): void => {
    const all = waiting
    waiting = []
    for (const one of all) one()
  }
  program.onData((text) => {
    pieces.push(text)
    size += text.length
    emulator.write(text, look)
  })
  // The emulator answers questions of programs, as terminals do.
  emulator.onData((text) => program.write(text))
  const ended = new Promise<{ readonly exitCode: number; readonly signal?: number | undefined }>((settle) =>
    program.onExit((end) => emulator.write('', () => settle(end))),
  )
  void ended.then(look)

  const rowsFrom = (from: number): readonly string[] => {
    const { active } = emulator.buffer
    return Array.from(
      { length: active.length - from },
      (_, at) =>
        active
          .getLine(from + at)
          ?.translateToString(true)
          .trimEnd() ?? '',
    )
  }
  const terminal: RealTerminal = {
    pid: program.pid,
    emulator,
    screen: () => rowsFrom(emulator.buffer.active.baseY),
    everything: () => rowsFrom(0),
    written: () => size,
    raw: (from = 0) => pieces.join('').slice(from),
    type: (text) => program.write(text),
    until: async (isSo) => {
      while (!isSo()) await new Promise<void>((settle) => waiting.push(settle))
    },
    shows: (what) => terminal.until(() => isIn(terminal.everything().join('\n'), what)),
    resize: (newColumns, newRows) => {
      emulator.resize(newColumns, newRows)
      program.resize(newColumns, newRows)
    },
    kill: (signal = 'SIGKILL') => program.kill(signal),
    ended,
  }
  return terminal
}

const isIn = (text: string, what: string | RegExp): boolean => (typeof what === 'string' ? text.includes(what) : what.test(text))
