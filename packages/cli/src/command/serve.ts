/** loom serve, loom key: the agents of this project over HTTP, and the keys of those who may use them. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { exportThread, importThread } from '@loom-agent/journals'
import { LoomError } from '@loom-agent/kernel'
import { createKey, type KeyRecord, type Scope } from '@loom-agent/server'
import { serve } from '@loom-agent/server/node'
import { studioHandler } from '@loom-agent/server/studio'
import { visibleLine } from '../output/visible.ts'
import { parseJson, parsePort } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { loadConfig } from '../project/config.ts'
import { writeJson } from './look.ts'

/** The options of `loom serve`. */
export interface ServeOptions {
  readonly config?: string
  readonly host: string
  readonly port: string
  readonly keys?: string
  readonly json?: true
}

/** Serves the agents until the process is asked to end; returns the exit code. What they drive is handed on then. */
export async function serveAgents(terminal: Terminal, options: ServeOptions): Promise<number> {
  const port = parsePort('--port', options.port)
  const keys = options.keys === undefined ? undefined : readKeys(resolve(terminal.cwd, options.keys))
  const agents = await loadConfig(options.config, terminal)
  const onError = (error: unknown): void => terminal.err(`${visibleLine(error instanceof Error ? error.message : String(error))}\n`)
  const transfer = { exportThread, importThread }
  const server = await serve({ agents, host: options.host, port, onError, transfer, otherwise: studioHandler(), ...(keys && { keys }) })
  if (options.json) terminal.out(`${JSON.stringify({ url: server.url, startUrl: server.startUrl })}\n`)
  else terminal.out(`${server.startUrl ?? server.url}\n`)
  terminal.err(`Serves ${agents.map(({ name }) => visibleLine(name)).join(', ')}. Ctrl-C ends it.\n`)
  const code = await new Promise<number>((ended) => {
    process.once('SIGINT', () => ended(130))
    process.once('SIGTERM', () => ended(143))
  })
  await server.close()
  await Promise.all([...new Set(agents.map(({ journal }) => journal))].map((journal) => journal.close()))
  return code
}

function readKeys(path: string): readonly KeyRecord[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new LoomError('LOOM_OPTION_INVALID', `The keys in ${path} cannot be read. loom key makes a record for that file.`, {
      cause,
      context: { path },
    })
  }
  const records = parseJson(path, text, 'Put into it what loom key prints as record, in a list.')
  if (Array.isArray(records) && records.length > 0 && records.every(isRecord)) return records
  throw new LoomError('LOOM_OPTION_INVALID', `${path} holds no list of records. Write [record, ...], each as loom key prints it.`, {
    context: { path },
  })
}

function isRecord(value: unknown): value is KeyRecord {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, digest, scopes } = value as Partial<Record<keyof KeyRecord, unknown>>
  return typeof id === 'string' && typeof name === 'string' && /^[0-9a-f]{64}$/.test(String(digest)) && Array.isArray(scopes)
}

/** The options of `loom key`. */
export interface KeyOptions {
  readonly scopes: string
}

/** Makes a key, and prints it with the record to keep. The key is shown this once. */
export async function makeKey(terminal: Terminal, name: string, options: KeyOptions): Promise<void> {
  writeJson(terminal, await createKey({ name, scopes: options.scopes.split(',') as Scope[] }))
  terminal.err('Give the key to who uses it, and put the record into the file that loom serve --keys reads. The key is not shown again.\n')
}
