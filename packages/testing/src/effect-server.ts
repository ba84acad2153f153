/** Effects that are counted outside the process under test: what a killed process did stays counted. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own that counts effects by key. */
export interface EffectServer {
  readonly url: string
  /** How often an effect with each key happened. */
  counts(): Promise<Readonly<Record<string, number>>>
  close(): Promise<void>
}

/** Starts the counting server. */
export async function startEffectServer(): Promise<EffectServer> {
  const script = fileURLToPath(import.meta.url.replace(/effect-server\.(ts|js)$/, 'effect-server-process.$1'))
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await firstLine(child)
  return {
    url,
    counts: async () => (await (await fetch(`${url}/counts`)).json()) as Record<string, number>,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

/** Performs an effect: counted when the server has answered, and perhaps when it has not. */
export async function performEffect(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/effect`, { method: 'POST', body: key })
  return Number(await response.text())
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('exit', (code) => reject(new Error(`The effect server ended with ${code}.`)))
  })
}
