/** Processes that work on the journals of tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process, what it has said, and its end. */
export type Program = ChildProcess & { readonly said: (text: string) => Promise<void>; readonly ended: Promise<string> }

/** Starts a program of this folder that works on a journal; its file says which commands it takes. */
export function startProcess(name: 'sqlite-process.ts' | 'postgres-process.ts' | 'heartbeat-process.ts', ...args: readonly string[]): Program {
  return startProgram(fileURLToPath(new URL(name, import.meta.url)), ...args)
}

/** Starts the program in a file. */
export function startProgram(file: string, ...args: readonly string[]): Program {
  const child = spawn(process.execPath, ['--conditions=loom-source', file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  const listeners = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    for (const listener of listeners) listener()
  })
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(output)))
  const said = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (output.includes(text) && resolve())
      listeners.add(look)
      look()
      void ended.then(() => reject(new Error(`the process ended without saying ${text}: ${output}`)))
    })
  return Object.assign(child, { said, ended })
}
