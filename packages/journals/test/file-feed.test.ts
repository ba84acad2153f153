import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { file } from '@loom-agent/journals/file'
import { afterAll, expect, test } from 'vitest'
import { feedReader, readDuring, seqsOf } from './feed-reader.ts'
import { accepted, batchAt, fact } from './file-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-file-feed-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('FILEFEED-4: threads that are flushed out of order are read without a gap', async () => {
  const journal = file(join(folder, 'busy'))
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`)
  const write = async (name: string): Promise<void> => {
    for (let seq = 0; seq < 25; seq += 1) await accepted(journal, name, batchAt(seq, [fact('x'.repeat(name.length * seq * 20))]))
  }
  const reader = await readDuring(journal, Promise.all(names.map(write)))
  for (const name of names) expect(seqsOf(reader, name)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
  await journal.close()
})

test('FILEFEED-5: the feed of a journal that was written before anybody read it is whole', async () => {
  const path = join(folder, 'old')
  const journal = file(path)
  await accepted(journal, 'b', batchAt(0, [fact(1), fact(2)]))
  await accepted(journal, 'a', batchAt(0, [fact(1)]))
  await accepted(journal, 'gone', batchAt(0, [fact(1)]))
  await journal.remove('gone')
  await accepted(journal, 'b', batchAt(2, [fact(3)]))
  await journal.close()
  const again = file(path)
  const during = accepted(again, 'c', batchAt(0, [fact(1)]))
  const reader = feedReader()
  await reader.read(again)
  await during
  await reader.read(again)
  expect(reader.seen.map(({ thread, seq, kind }) => `${kind} ${thread}@${seq}`)).toEqual([
    'changed b@2',
    'changed a@1',
    'removed gone@1',
    'changed b@3',
    'changed c@1',
  ])
  await again.close()
})

test('after an older copy was restored, a cursor from later is stale', async () => {
  const [path, copy] = [join(folder, 'now'), join(folder, 'copy')]
  const before = file(path)
  await accepted(before, 'a', batchAt(0, [fact(1)]))
  await before.close()
  await cp(path, copy, { recursive: true })
  const journal = file(path)
  await accepted(journal, 'a', batchAt(1, [fact(2)]))
  const reader = feedReader()
  await reader.read(journal)
  await journal.close()
  const restored = file(copy)
  await expect(restored.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  await restored.close()
})

/** A journal whose later part is lost: its reader has read that part, and the copy was made before it. */
async function restoredCopy(name: string): Promise<{ readonly restored: ReturnType<typeof file>; readonly cursor: string | undefined }> {
  const [path, copy] = [join(folder, name), join(folder, `${name}-copy`)]
  const before = file(path)
  await accepted(before, 'a', batchAt(0, [fact(1)]))
  await before.close()
  await cp(path, copy, { recursive: true })
  const journal = file(path)
  await accepted(journal, 'a', batchAt(1, [fact('lost')]))
  const reader = feedReader()
  await reader.read(journal)
  await journal.close()
  return { restored: file(copy), cursor: reader.cursor }
}

test('JOURNAL-16: a cursor of a lost timeline is stale when the same thread has as many other events', async () => {
  const { restored, cursor } = await restoredCopy('rewritten')
  await accepted(restored, 'a', batchAt(1, [fact('other')]))
  await expect(restored.feed({ from: cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  await restored.close()
})

test('JOURNAL-16: a cursor of a lost timeline stays stale when another thread is removed', async () => {
  const { restored, cursor } = await restoredCopy('removed')
  await accepted(restored, 'b', batchAt(0, [fact(1)]))
  await restored.remove('b')
  await expect(restored.feed({ from: cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  await restored.close()
})
