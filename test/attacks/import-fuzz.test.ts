/** Mutated exports: a few hundred here, with seeds that stay the same; `npm run attack -- --only imports` takes more, on every journal. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryJournal } from '@loom-agent/agent'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { fuzzImports } from './fuzz/fuzz-imports.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('of 200 mutated exports', () => {
  it.each([
    ['memory', () => memoryJournal()],
    ['files', () => file(join(folder, 'files'), { mode: 'relaxed' })],
    ['SQLite', () => sqlite(join(folder, 'loom.db'), { mode: 'relaxed' })],
  ])('none runs anything, changes another thread or ends in an error that is not one of Loom (%s)', { timeout: 60_000 }, async (_name, open) => {
    const journal = open()
    const { findings, imported, refused } = await fuzzImports(journal, { count: 200, seed: 1 })
    await journal.close()
    expect(findings).toEqual([])
    expect([imported > 5, [...refused.keys()].every((code) => code.startsWith('LOOM_'))]).toEqual([true, true])
  })
})
