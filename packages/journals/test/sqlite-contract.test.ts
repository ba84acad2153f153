import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqliteMode } from '@loom-agent/journals/sqlite'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { journalContract } from '@loom-agent/testing'
import { afterAll, describe, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'loom-sqlite-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

for (const mode of ['strict', 'relaxed'] as const satisfies readonly SqliteMode[]) {
  const paths = new Map<Journal, string>()
  const open = (path: string): Journal => {
    const journal = sqlite(path, { mode })
    paths.set(journal, path)
    return journal
  }
  journalContract(
    {
      name: `sqlite, ${mode}`,
      open: async () => open(join(folder, `${files++}.db`)),
      async reopen(journal) {
        await journal.close()
        return open(paths.get(journal) ?? '')
      },
    },
    { describe, test },
  )
}

journalContract({ name: 'sqlite in memory', open: async () => sqlite(':memory:') }, { describe, test })
