/** A journal of each kind, for tests that hold for all of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryJournal } from '@loom-agent/agent'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { afterAll, afterEach } from 'vitest'
import { testServer } from './postgres-samples.ts'

/** The kinds of journals, each with a function that opens a new one; it is closed after the test. */
export function eachJournal(): readonly (readonly [kind: string, open: () => Journal])[] {
  const folder = mkdtempSync(join(tmpdir(), 'loom-each-'))
  const server = testServer({ fsync: false })
  const opened: Journal[] = []
  let paths = 0
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const kept = (open: () => Journal) => (): Journal => {
    const journal = open()
    opened.push(journal)
    return journal
  }
  const path = (): string => join(folder, String(paths++))
  return [
    ['memory', kept(memoryJournal)],
    ['file', kept(() => file(path()))],
    ['sqlite', kept(() => sqlite(path()))],
    ['postgres', kept(() => server.open(server.fresh()))],
  ]
}
