import { copyFileSync } from 'node:fs'
import { sqlite } from '@loom-agent/journals/sqlite'
import { expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { feedReader, readDuring, seqsOf } from './feed-reader.ts'
import { startProcess } from './processes.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const pathOf = freshPaths()

test('a reader sees every commit of two other processes once, and each thread in order', async () => {
  const path = pathOf()
  const journal = sqlite(path)
  const writers = ['a', 'b'].map((name) => startProcess('sqlite-process.ts', 'append', path, name, name, '150').ended)
  const reader = await readDuring(journal, Promise.all(writers))
  const all = Array.from({ length: 150 }, (_, index) => 2 * (index + 1))
  expect([seqsOf(reader, 'a'), seqsOf(reader, 'b')]).toEqual([all, all])
  const again = feedReader()
  await again.read(journal)
  expect(again.seen.map(({ position }) => position)).toEqual(reader.seen.map(({ position }) => position))
  await journal.close()
})

test('a commit that another connection holds back is read when it is there, and what came after it too', async () => {
  const path = pathOf()
  const journal = sqlite(path)
  await journal.append('a', batchAt(0, facts(1)))
  const reader = feedReader()
  expect(await reader.read(journal)).toEqual(['a@1'])
  let appended: Promise<unknown> = Promise.resolve()
  meddle(path, (db) => {
    db.exec(`begin immediate; insert into batches (thread, last, id, hash, line) select id, 2, 'x', x'01', '' from threads`)
    appended = journal.append('b', batchAt(0, facts(1)))
    db.exec('commit')
  })
  await appended
  expect(await reader.read(journal)).toEqual(['a@2', 'b@1'])
  await journal.close()
})

test('after an older copy was restored, a cursor from later is stale, also when as much was written again', async () => {
  const path = pathOf()
  const copy = pathOf()
  const before = sqlite(path)
  await before.append('a', batchAt(0, facts(1)))
  const old = feedReader()
  await old.read(before)
  await before.close()
  copyFileSync(path, copy)
  const journal = sqlite(path)
  for (const seq of [1, 2, 3]) await journal.append('a', batchAt(seq, facts(seq)))
  const reader = feedReader()
  await reader.read(journal)
  await journal.close()
  const restored = sqlite(copy)
  await expect(restored.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE', context: { cursor: reader.cursor } })
  for (const seq of [1, 2, 3, 4]) await restored.append('a', batchAt(seq, facts(`other ${seq}`)))
  await expect(restored.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  expect(await old.read(restored)).toEqual(['a@2', 'a@3', 'a@4', 'a@5'])
  await restored.close()
})

test('JOURNAL-16: a cursor of a lost timeline stays stale when another thread is removed', async () => {
  const path = pathOf()
  const copy = pathOf()
  const before = sqlite(path)
  await before.append('base', batchAt(0, facts(1)))
  await before.close()
  copyFileSync(path, copy)
  const journal = sqlite(path)
  for (const seq of [0, 1, 2]) await journal.append('lost', batchAt(seq, facts(seq)))
  const reader = feedReader()
  await reader.read(journal)
  await journal.close()
  const restored = sqlite(copy)
  await restored.append('kept', batchAt(0, facts(1)))
  for (const seq of [0, 1, 2]) await restored.append('other', batchAt(seq, facts(seq)))
  await restored.remove('other')
  await expect(restored.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  // Also a thread of the same name, if it was shorter or has another incarnation.
  await restored.append('lost', batchAt(0, facts(1)))
  await restored.remove('lost')
  await restored.append('lost', batchAt(0, facts(1, 2, 3), { incarnation: 'second' }))
  await restored.remove('lost')
  await expect(restored.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  await restored.close()
})
