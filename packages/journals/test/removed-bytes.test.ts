/** When the bytes of a removed thread leave the disk. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent } from '@loom-agent/agent'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { afterAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'loom-removed-'))
afterAll(() => rmSync(root, { recursive: true }))

const secret = 'the customer lives in Lisbon'

/** A journal in a new folder that has held a secret, and the files of the folder that hold it still. */
async function removedFrom(open: (folder: string) => Journal): Promise<{ journal: Journal; holding(): Promise<readonly string[]> }> {
  const folder = mkdtempSync(join(root, 'journal-'))
  const journal = open(folder)
  const worker = agent({ journal, model: scriptedModel(() => `Noted: ${secret}.`) })
  await worker.run(secret, { thread: 'removed' })
  await journal.remove('removed')
  const holding = async (): Promise<readonly string[]> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const texts = await Promise.all(files.map((path) => readFile(path, 'latin1')))
    return files.filter((_, index) => texts[index]?.includes(secret))
  }
  return { journal, holding }
}

test('in a file journal they are gone when the thread is removed', async () => {
  const { journal, holding } = await removedFrom((folder) => file(join(folder, 'threads')))
  expect(await holding()).toEqual([])
  await journal.close()
})

test('in SQLite they are gone when the last process has closed the journal', async () => {
  const { journal, holding } = await removedFrom((folder) => sqlite(join(folder, 'loom.db')))
  expect(await holding()).toEqual([expect.stringMatching(/loom\.db-wal$/)])
  await journal.close()
  expect(await holding()).toEqual([])
})
