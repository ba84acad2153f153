import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, approve, memoryJournal, questions, searchThreads, tool } from '@loom-agent/agent'
import { exportThread, importThread, migrate, verify } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { allOf, eventsOf, quarantined, withoutTimes } from './events.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-damaged-copies-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pathOf = freshPaths()

const damaged = { code: 'LOOM_JOURNAL_DAMAGED' }

/** A thread of three batches whose last one is not what was stored, in a journal of each kind that keeps bytes. */
const losses: Readonly<Record<string, () => Promise<Journal>>> = {
  'a file with a changed byte in its last line': () => changedFile('changed', []),
  'a file with a changed byte in its last line, and no anchors': () => changedFile('unanchored', ['anchors']),
  async 'a database without its last batch'() {
    const path = pathOf()
    await fill(sqlite(path))
    meddle(path, (db) => db.exec('delete from batches where last = 6'))
    return sqlite(path)
  },
}

/** A folder whose only thread has a changed byte in its last line; some of its files are lost. */
async function changedFile(name: string, lost: readonly string[]): Promise<Journal> {
  const path = join(folder, name)
  await fill(file(path))
  const bytes = readFileSync(join(path, 'thread.jsonl'))
  const at = bytes.length - 300
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(join(path, 'thread.jsonl'), bytes)
  for (const each of lost) rmSync(join(path, each))
  return file(path, { onDamage: () => {} })
}

async function fill(journal: Journal): Promise<void> {
  for (const [index, value] of ['a', 'b', 'c'].entries()) await journal.append('thread', batchAt(index * 2, facts(value, 'x'.repeat(400))))
  await journal.close()
}

describe.each(Object.entries(losses))('%s', (_name, open) => {
  test('REPAIR-5: is not exported, migrated or listed as if its good part were the whole', async () => {
    const journal = await open()
    expect((await journal.head('thread'))?.seq).toBeGreaterThan(4)
    await expect(allOf(exportThread(journal, 'thread'))).rejects.toMatchObject(damaged)
    const to = memoryJournal()
    await expect(migrate(journal, to)).rejects.toMatchObject(damaged)
    expect(await to.head('thread')).toBeUndefined()
    await journal.close()
  })
})

test('MIGRATE-5: damage in the source leaves an older copy in the target as it was', async () => {
  const path = pathOf()
  const from = sqlite(path)
  const to = memoryJournal()
  await from.append('thread', batchAt(0, facts('a'), { summary: { status: 'waiting', agent: 'a' } }))
  await migrate(from, to)
  for (const seq of [1, 2, 3]) await from.append('thread', batchAt(seq, facts(seq), { summary: { status: 'waiting', agent: 'a' } }))
  await from.close()
  const before = withoutTimes(await to.head('thread'))
  meddle(path, (db) => db.exec("update batches set hash = x'00' where last = 3"))
  const again = sqlite(path)
  await expect(migrate(again, to)).rejects.toMatchObject(damaged)
  expect(withoutTimes(await to.head('thread'))).toBe(before)
  await again.close()
})

/** An agent that asks before each of three calls. */
function asking(journal: Journal): ReturnType<typeof agent> {
  const ask = tool({ name: 'ask', permission: 'ask', run: () => 'done' })
  const model = scriptedModel(({ prompt }) => (prompt.filter(({ role }) => role === 'tool').length > 2 ? 'ok' : { calls: [{ tool: 'ask' }] }))
  return agent({ name: 'a', journal, tools: [ask], model })
}

test('IMPORT-3: a failed import of a newer copy leaves the older one as it was, with its question, and a good one makes it whole', async () => {
  const source = memoryJournal()
  await asking(source).run('hi', { thread: 't' })
  const old = await allOf(exportThread(source, 't'))
  const [question] = await questions(source)
  await asking(source).answer(question?.id ?? '', approve())
  await asking(source).resume('t').result()
  const newer = await allOf(exportThread(source, 't'))
  const target = memoryJournal()
  await importThread(target, old)
  const before = withoutTimes([await target.head('t'), await eventsOf(target, 't')])
  for (let line = 0; line < newer.length; line += 1) {
    const spoiled = newer.with(line, (newer[line] ?? '').replace(/.$/, 'x'))
    await expect(importThread(target, spoiled)).rejects.toMatchObject(damaged)
    await expect(importThread(target, newer.slice(0, line))).rejects.toMatchObject(damaged)
  }
  expect(withoutTimes([await target.head('t'), await eventsOf(target, 't')])).toBe(before)
  expect(await questions(target, { thread: 't' })).toHaveLength(1)
  await importThread(target, newer)
  expect(withoutTimes(await target.head('t'))).toBe(withoutTimes(quarantined(await source.head('t'))))
})

/** Three threads in a database, the second of which is damaged. */
async function secondDamaged(put: (journal: Journal, thread: string) => Promise<unknown>): Promise<Journal> {
  const path = pathOf()
  const journal = sqlite(path)
  for (const thread of ['t1', 't2', 't3']) await put(journal, thread)
  await journal.close()
  meddle(path, (db) => db.exec("update batches set hash = x'00' where thread = 2"))
  return sqlite(path)
}

test('one damaged thread is left out of a search and reported, and the others are found', async () => {
  const again = await secondDamaged((journal, thread) => journal.append(thread, batchAt(0, facts('order 4711'))))
  const errors: unknown[] = []
  const found = await allOf(searchThreads(again, 'order', { onError: (error) => errors.push(error) }))
  expect(found.map(({ at }) => at)).toEqual(['t1@1', 't3@1'])
  expect(errors).toMatchObject([{ ...damaged, context: { thread: 't2' } }])
  await again.close()
})

test('one damaged thread is reported by a replay of all, and the others are replayed', async () => {
  const again = await secondDamaged((journal, thread) => agent({ model: scriptedModel('Hello.'), journal }).run('hi', { thread }))
  const found = await allOf(agent({ model: scriptedModel('Hello.'), journal: again }).replayAll({}))
  expect(
    found
      .filter(({ status }) => status === 'replayed')
      .map(({ thread }) => thread)
      .toSorted(),
  ).toEqual(['t1', 't3'])
  expect(found.filter(({ status }) => status === 'failed')).toMatchObject([{ thread: 't2', error: { ...damaged, context: { thread: 't2' } } }])
  await again.close()
})

describe('the row of a thread', () => {
  /** A thread that waits for an answer, and a fork of it with a batch of one event. */
  async function sample(): Promise<string> {
    const path = pathOf()
    const journal = sqlite(path)
    await asking(journal).run('hi', { thread: 't' })
    const incarnation = (await journal.head('t'))?.incarnation ?? ''
    await journal.append(
      'fork',
      batchAt(3, [{ type: 'thread.forked', data: { from: 't@3', incarnation: 'first' } }], { forkOf: { thread: 't', incarnation, seq: 3 } }),
    )
    await journal.append('fork', batchAt(4, facts('next')))
    expect(await allOf(verify(journal))).toEqual([])
    await journal.close()
    return path
  }

  test.each([
    ['status', "'running'", 'its status is "running"'],
    ['status', "'awake'", 'its status is "awake"'],
    ['agent', "'b'", 'its agent is "b"'],
    ['parent', "'p'", 'its parent is "p"'],
    ['wake_at', '5', 'its wakeAt is 5'],
    ['labels', `'{"l":1}'`, 'its labels is {"l":1}'],
    ['epoch', '0', 'its epoch is 0'],
  ])('VERIFY-1: is not %s %s where its events say otherwise', async (column, value, problem) => {
    const path = await sample()
    meddle(path, (db) => db.exec(`update threads set ${column} = ${value} where name = 't'`))
    const journal = sqlite(path)
    expect((await allOf(verify(journal))).map((finding) => finding.problem).join()).toContain(problem)
    await journal.close()
  })

  test.each([-2, -1, 1, 2])('a fork whose cut has moved by %i is damaged: it is not read, not run, and found', async (delta) => {
    const path = await sample()
    meddle(path, (db) => db.exec(`update threads set fork_seq = fork_seq + ${delta} where name = 'fork'`))
    const journal = sqlite(path)
    await expect(eventsOf(journal, 'fork')).rejects.toMatchObject(damaged)
    await expect(asking(journal).run('more', { thread: 'fork' })).rejects.toMatchObject(damaged)
    expect((await allOf(verify(journal))).filter(({ thread }) => thread === 'fork')).not.toEqual([])
    await journal.close()
  })
})
