/** The file journal keeps the contract, in both modes, on the disk of this machine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Journal } from '@loom-agent/kernel'
import { journalContract } from '@loom-agent/testing'
import { afterAll, describe, test } from 'vitest'
import { type FileMode, file } from '../src/file/index.ts'

const root = mkdtempSync(join(tmpdir(), 'loom-file-contract-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

for (const mode of ['strict', 'relaxed'] satisfies FileMode[]) {
  const folders = new Map<Journal, string>()
  const openAt = (folder: string): Journal => {
    const journal = file(folder, { mode })
    folders.set(journal, folder)
    return journal
  }
  const options = {
    name: `file, ${mode}`,
    open: async () => openAt(mkdtempSync(join(root, `${mode}-`))),
    reopen: async (journal: Journal) => {
      await journal.close()
      return openAt(folders.get(journal) ?? '')
    },
  }
  journalContract(options, { describe, test })
}
