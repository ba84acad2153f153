/** What the tests of the SQLite journal append, and where. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type Journal, type Json, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { afterAll } from 'vitest'

/** Paths in a folder of its own that is gone after the tests of a file. */
export function freshPaths(): (name?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'loom-sqlite-'))
  let count = 0
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (name = `${count++}.db`) => join(folder, name)
}

/** Everything that comes. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** All events of a thread. */
export function eventsOf(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  return allOf(readEvents(journal, thread))
}

/** The values of the facts of a thread. */
export async function valuesOf(journal: Journal, thread: string): Promise<readonly Json[]> {
  return (await eventsOf(journal, thread)).map((event) => (event.type === 'memory.recorded' ? event.data.value : event.type))
}

/** Does something to the database behind the journal's back. */
export function meddle(path: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(path, { timeout: 5000 })
  try {
    work(db)
  } finally {
    db.close()
  }
}

/** A process that works on a journal; see `sqlite-process.ts` for what it can be told. */
export function startProcess(
  ...args: readonly string[]
): ChildProcess & { readonly said: (text: string) => Promise<void>; readonly ended: Promise<string> } {
  const file = fileURLToPath(new URL('sqlite-process.ts', import.meta.url))
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
