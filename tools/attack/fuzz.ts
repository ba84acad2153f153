/** Imports mutated exports into every kind of journal. The server is started by the command itself. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryJournal } from '@loom-agent/agent'
import { startPostgresServer } from '@loom-agent/harness/servers'
import { file } from '@loom-agent/journals/file'
import { postgres } from '@loom-agent/journals/postgres'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { type FuzzReport, fuzzImports } from '../../test/attacks/fuzz/fuzz-imports.ts'
import { printResult, progressOf, seconds } from '../crash/print.ts'

/** How many mutated exports are imported, from which seed on, and into which journal; default: every kind. */
export interface Fuzz {
  readonly count: number
  readonly seed: number
  readonly only: string | undefined
}

/** What came of the imports into one journal. */
export interface JournalFuzz extends FuzzReport {
  readonly journal: string
}

/** Imports mutated exports into each journal. */
export async function fuzzJournals({ count, seed, only }: Fuzz): Promise<readonly JournalFuzz[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loom-fuzz-'))
  const server = await startPostgresServer({ fsync: false })
  const journals: Readonly<Record<string, () => Journal>> = {
    memory: () => memoryJournal(),
    file: () => file(join(folder, 'files'), { mode: 'relaxed' }),
    sqlite: () => sqlite(join(folder, 'loom.db'), { mode: 'relaxed' }),
    postgres: () => postgres(server.url),
  }
  const reports: JournalFuzz[] = []
  try {
    for (const [name, open] of Object.entries(journals)) {
      if (only !== undefined && only !== name) continue
      const since = performance.now()
      const journal = open()
      const report = progressOf(`fuzz of imports (${name})`)
      const fuzzed = await fuzzImports(journal, { count, seed, onProgress: (done) => report(`${done} of ${count}`) })
      await journal.close()
      const { imported, refused, findings } = fuzzed
      const codes = [...refused].map(([code, times]) => `${code} ${times}`).join(', ')
      printResult(`fuzz of imports (${name})`, `${count} in ${seconds(since)}: ${imported} imported, ${codes}; ${findings.length} findings`)
      for (const finding of findings) console.log(`  ${finding}`)
      reports.push({ journal: name, ...fuzzed })
    }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return reports
}
