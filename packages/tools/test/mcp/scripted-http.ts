/** A scripted server over HTTP, in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type McpWorld, scriptedServer } from '../../../../test/support/mcp/mcp-world.ts'

/** A server that runs. */
export interface ScriptedHttp {
  readonly port: number
  close(): Promise<void>
}

/** Starts it. */
export async function startScripted({ script, folder }: Pick<McpWorld, 'script' | 'folder'>): Promise<ScriptedHttp> {
  const child = spawn(process.execPath, scriptedServer(script, folder, 'http'), { stdio: ['ignore', 'pipe', 'inherit'] })
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    port: Number(chunk.toString()),
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
