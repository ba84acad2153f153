/** What the tests of the SQLite journal append, and where. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll } from 'vitest'

/** Paths in a temporary folder that is removed after the tests of a file. */
export function freshPaths(): (name?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'loom-sqlite-'))
  let count = 0
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (name = `${count++}.db`) => join(folder, name)
}

/** Changes the database without the journal. */
export function meddle(path: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(path, { timeout: 5000 })
  try {
    work(db)
  } finally {
    db.close()
  }
}
