/** The golden databases: how a copy of each is opened. The fixtures themselves are only read. */
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type PostgresServer, startPostgresServer } from '@loom-agent/harness/servers'
import { importThread } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { postgres } from '@loom-agent/journals/postgres'
import { sqlite } from '@loom-agent/journals/sqlite'
import { type Journal, type LoomEvent, type Stored, upcast } from '@loom-agent/kernel'
import driver from 'postgres'
import type { Projection } from './projection.ts'

const fixtures = join(import.meta.dirname, 'fixtures')

/** The text of a fixture; one that ends in `.gz` is unpacked. */
const textOf = (name: string): string => {
  const bytes = readFileSync(join(fixtures, name))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** What every thread comes to. */
export const expected: Readonly<Record<string, Projection>> = JSON.parse(textOf('expected.json')) as Record<string, Projection>
/** The names of all threads. */
export const threads: readonly string[] = Object.keys(expected)

/** The events of a thread as the version that made the databases read them, upcast to what this version reads. */
export function storedEventsOf(thread: string): readonly LoomEvent[] {
  return storedEvents.filter((event) => event.thread === thread).map((event) => ({ ...event, ...upcast(event) }) as LoomEvent)
}

const storedEvents = textOf('events.jsonl.gz')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Stored & { readonly thread: string })

/** The SHA-256 of every fixture as it was made. */
export const storedHashes: Readonly<Record<string, string>> = JSON.parse(textOf('hashes.json')) as Record<string, string>

/** The SHA-256 of every fixture as it is. */
export function currentHashes(): Readonly<Record<string, string>> {
  const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(fixtures, name)).isFile())
  const hashOf = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(fixtures, name)))
      .digest('hex')
  return Object.fromEntries(files.filter((name) => name !== 'hashes.json').map((name) => [name, hashOf(name)]))
}

/** A copy of a database, which can be opened again and again. */
export interface GoldenCopy {
  open(): Journal
  remove(): Promise<void>
}

/** The kinds of databases, with how a copy is made. An export is imported into a new SQLite database. */
export const goldenKinds: Readonly<Record<string, () => Promise<GoldenCopy>>> = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'loom-golden-'))
    const path = join(folder, 'loom.db')
    writeFileSync(path, gunzipSync(readFileSync(join(fixtures, 'sqlite.db.gz'))))
    return { open: () => sqlite(path), remove: async () => rmSync(folder, { recursive: true }) }
  },
  async file() {
    const folder = mkdtempSync(join(tmpdir(), 'loom-golden-'))
    cpSync(join(fixtures, 'file'), folder, { recursive: true })
    return { open: () => file(folder), remove: async () => rmSync(folder, { recursive: true }) }
  },
  async postgres() {
    const server = await serverOf()
    const database = `golden_${databases++}`
    await execute(server.url, `create database ${database} template golden`)
    const url = urlOf(server, database)
    return { open: () => postgres(url), remove: () => execute(server.url, `drop database ${database} with (force)`) }
  },
  async export() {
    const folder = mkdtempSync(join(tmpdir(), 'loom-golden-'))
    const path = join(folder, 'loom.db')
    const journal = sqlite(path)
    for (const thread of threads) await importThread(journal, textOf(`exports/${thread}.jsonl.gz`).split('\n'))
    await journal.close()
    return { open: () => sqlite(path), remove: async () => rmSync(folder, { recursive: true }) }
  },
}

let databases = 0
let starting: Promise<PostgresServer> | undefined

function serverOf(): Promise<PostgresServer> {
  starting ??= startRestored()
  return starting
}

/** A server whose database `golden` is the restored dump; Loom opens only copies of it. */
async function startRestored(): Promise<PostgresServer> {
  const server = await startPostgresServer({ fsync: false })
  await execute(server.url, 'create database golden')
  await execute(urlOf(server, 'golden'), textOf('postgres.sql.gz'))
  return server
}

const urlOf = ({ url }: PostgresServer, database: string): string => url.replace(/postgres$/, database)

/** Ends the PostgreSQL server, if one was started. */
export async function closeGoldenServer(): Promise<void> {
  await (await starting)?.close()
}

async function execute(url: string, statements: string): Promise<void> {
  const sql = driver(url, { max: 1, fetch_types: false, onnotice: () => {} })
  await sql.unsafe(statements).simple()
  await sql.end()
}
