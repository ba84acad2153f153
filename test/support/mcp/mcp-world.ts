/** A folder with a script, a ledger and the servers that read and write them. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mcp, McpNotice, McpOptions, McpProgram } from '@loom-agent/tools/mcp'
import { mcp } from '@loom-agent/tools/mcp'
import { type Script, writeScript } from './script.ts'

const serverFile = fileURLToPath(import.meta.resolve('./scripted-server.ts'))

/** A world with scripted servers. */
export interface McpWorld {
  readonly folder: string
  readonly script: string
  /** The program of the server, for `servers`. */
  readonly program: McpProgram
  /** Writes the script. */
  set(script: Script): void
  /** The lines of the ledger that are not about lists. */
  ledger(): readonly string[]
  /** What the server is asked to do is done. */
  finish(task: string, result: object): void
  /** Servers; they are closed with the world. */
  servers(options?: Partial<McpOptions>): Mcp
  readonly notices: McpNotice[]
  close(): Promise<void>
}

/** The arguments of a scripted server. */
export const scriptedServer = (script: string, folder: string, ...mode: readonly string[]): readonly string[] => [
  '--disable-warning=ExperimentalWarning',
  serverFile,
  script,
  folder,
  ...mode,
]

/** Makes a world. */
export function mcpWorld(script: Script = {}): McpWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-mcp-')))
  const file = join(folder, 'script.json')
  writeFileSync(join(folder, 'ledger'), '')
  writeScript(file, script)
  const opened: Mcp[] = []
  const notices: McpNotice[] = []
  const program: McpProgram = { command: process.execPath, args: scriptedServer(file, folder) }
  return {
    folder,
    script: file,
    program,
    notices,
    set: (next) => writeScript(file, next),
    ledger: () =>
      readFileSync(join(folder, 'ledger'), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && line !== 'tools/list'),
    finish: (task, result) => writeFileSync(join(folder, `${task}.task.result`), JSON.stringify(result)),
    servers(options = {}) {
      const made = mcp({ servers: { box: program }, onNotice: (one) => notices.push(one), ...options })
      opened.push(made)
      return made
    },
    async close() {
      await Promise.all(opened.map((one) => one.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
