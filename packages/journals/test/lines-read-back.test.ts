/** Lines of threads that are kept in files and read back with what Node offers (LINE-3). */
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { memoryJournal } from '@loom-agent/agent'
import { exportThread, importThread } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { afterAll, describe, expect, test } from 'vitest'
import { chainLink, chainStart } from '../src/storage/chain.ts'
import { batchAt, facts } from './batches.ts'
import { allOf, valuesOf } from './events.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let paths = 0
const fresh = (): string => join(folder, String(paths++))

/** Every character that some reader takes for the end of a line, beside others that need care in JSON. */
const texts = ['a\u2028b', 'a\u2029b', 'a\u0085b', 'a\rb', 'a\nb', 'a\r\nb', 'a\vb\fc', '\\u2028', '"\\\u2028"', 'long\u2028'.repeat(20_000)]
const labels = { place: 'a\u2028b' }
const thread = 'order'
const written = async (journal = memoryJournal()) => {
  await journal.append(thread, batchAt(0, facts(...texts), { summary: { status: 'done', labels } }))
  return journal
}

const readers = {
  'node:readline': (path: string) => createInterface({ input: createReadStream(path) }),
  'node:readline with crlfDelay': (path: string) => createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }),
  'readLines of a file': async (path: string) => (await open(path)).readLines(),
  'a split text': (path: string) => readFileSync(path, 'utf8').split('\n'),
}

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test('reads back an export, whatever its texts hold, with either line end', async () => {
    const lines = await allOf(exportThread(await written(), thread))
    for (const end of ['\n', '\r\n']) {
      const path = fresh()
      writeFileSync(path, lines.map((line) => `${line}${end}`).join(''))
      const to = memoryJournal()
      expect(await importThread(to, await read(path))).toMatchObject({ seq: texts.length, summary: { labels } })
      expect(await valuesOf(to, thread)).toEqual(texts)
    }
  })

  test('reads back the file of a thread', async () => {
    const path = fresh()
    const journal = await written(file(path))
    await journal.close()
    const to = memoryJournal()
    await importThread(to, await read(join(path, `${thread}.jsonl`)))
    expect(await valuesOf(to, thread)).toEqual(texts)
    const again = file(path)
    expect(await valuesOf(again, thread)).toEqual(texts)
    await again.close()
  })
})

test.each(['\n', '\r', '\r\n'])('lines that end in %j are imported', async (end) => {
  const lines = await allOf(exportThread(await written(), thread))
  const to = memoryJournal()
  await importThread(
    to,
    lines.flatMap((line) => [`${line}${end}`, end]),
  )
  expect(await valuesOf(to, thread)).toEqual(texts)
})

test('an export of an earlier version, which holds these characters as they are, is imported where its lines are whole', async () => {
  const lines = await allOf(exportThread(await written(), thread))
  let chain = chainStart(thread)
  const earlier = lines.map((line) => {
    const text = line.replace(/,"hash":"[0-9a-f]{64}"\}$/, '').replaceAll('a\\u2028b', 'a\u2028b')
    chain = chainLink(chain, text)
    return `${text},"hash":"${chain}"}`
  })
  expect(earlier.join('')).toContain('a\u2028b')
  const to = memoryJournal()
  await importThread(to, earlier)
  expect(await valuesOf(to, thread)).toEqual(texts)
})
