import type { PostgresMode } from '@loom-agent/journals/postgres'
import type { Journal } from '@loom-agent/kernel'
import { journalContract } from '@loom-agent/testing'
import { describe, test } from 'vitest'
import { testServer } from './postgres-samples.ts'

const { open, sql } = testServer({ settings: { wal_writer_delay: '10s' } })

for (const mode of ['strict', 'relaxed'] as const satisfies readonly PostgresMode[]) {
  const reopen = (): Journal => open(mode, { mode, pool: { size: 2 } })
  let isMade = false
  journalContract(
    {
      name: `postgres, ${mode}`,
      async open() {
        // Emptying the tables is faster than creating new ones.
        const tables = ['threads', 'batches', 'blobs', 'thread_blobs', 'instances', 'removals']
        if (isMade) await sql().unsafe(tables.map((table) => `delete from ${mode}.${table}`).join(';'))
        isMade = true
        return reopen()
      },
      async reopen(journal) {
        await journal.close()
        return reopen()
      },
    },
    { describe, test },
  )
}
