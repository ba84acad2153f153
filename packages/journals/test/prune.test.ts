import { memoryJournal } from '@loom-agent/agent'
import { prune, verify } from '@loom-agent/journals'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal, Summary } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { allOf } from './events.ts'
import { testServer } from './postgres-samples.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const pathOf = freshPaths()
const server = testServer({ fsync: false })
/** A time after 2001: what is before is no moment of a journal, but a duration. */
const noon = 1_600_000_000_000
const put = async (journal: Journal, thread: string, at: { time: number; summary: Summary }): Promise<void> => {
  await journal.append(thread, batchAt(0, facts(thread), at))
}
const names = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread)

test.each([
  [{}, 'LOOM_OPTION_INVALID', 'prune: olderThan is undefined. Give a moment in milliseconds since 1970'],
  [{ olderThan: 30 * 24 * 3600_000 }, 'LOOM_OPTION_INVALID', 'prune: olderThan is 2592000000. Give a moment'],
  [{ olderThan: '30d' }, 'LOOM_OPTION_INVALID', 'prune: olderThan is "30d". Give a moment'],
  [{ olderThan: noon, status: ['ended'] }, 'LOOM_OPTION_INVALID', 'prune: status is ["ended"]. Give a list of idle, running, waiting'],
  [{ olderThen: noon }, 'LOOM_OPTION_UNKNOWN', 'prune has no option "olderThen". It has: olderThan, status.'],
  [undefined, 'LOOM_OPTION_INVALID', 'prune takes an object of options, not undefined'],
])('prune(journal, %j) is refused (OPTION-2)', async (options, code, named) => {
  await expect(prune(memoryJournal(), options as never)).rejects.toMatchObject({ code, message: expect.stringContaining(named) as string })
})

describe.each([
  ['memory', memoryJournal],
  ['sqlite', () => sqlite(':memory:')],
  ['postgres', () => server.open(server.fresh())],
])('retention in a journal: %s', (_name, open) => {
  test('threads that ended before a time are removed, and others are not', async () => {
    const journal = open()
    await put(journal, 'old', { time: noon + 10, summary: { status: 'done' } })
    await put(journal, 'older, failed', { time: noon + 5, summary: { status: 'failed' } })
    await put(journal, 'older, stopped', { time: noon + 5, summary: { status: 'stopped' } })
    await put(journal, 'young', { time: noon + 20, summary: { status: 'done' } })
    await put(journal, 'old, waiting', { time: noon + 5, summary: { status: 'waiting' } })
    expect(await prune(journal, { olderThan: noon + 20 })).toEqual(['old', 'older, failed', 'older, stopped'])
    expect(await names(journal)).toEqual(['old, waiting', 'young'])
    expect(await prune(journal, { olderThan: noon + 20, status: ['waiting'] })).toEqual(['old, waiting'])
    await journal.close()
  })

  test('the last event counts, not the first', async () => {
    const journal = open()
    await put(journal, 'thread', { time: noon + 5, summary: { status: 'done' } })
    await journal.append('thread', batchAt(1, facts('again'), { time: noon + 30, summary: { status: 'done' } }))
    expect(await prune(journal, { olderThan: noon + 20 })).toEqual([])
    await journal.close()
  })

  test('a thread stays that has a holder, or a child that has not ended', async () => {
    const journal = open()
    await put(journal, 'driven', { time: noon + 5, summary: { status: 'done' } })
    await journal.acquire('driven', { worker: 'w', incarnation: 'first', seen: 0 })
    await put(journal, 'parent', { time: noon + 5, summary: { status: 'done' } })
    await put(journal, 'child', { time: noon + 5, summary: { status: 'running', parent: 'parent' } })
    await put(journal, 'alone', { time: noon + 5, summary: { status: 'done' } })
    await put(journal, 'child, done', { time: noon + 50, summary: { status: 'done', parent: 'alone' } })
    expect(await prune(journal, { olderThan: noon + 20 })).toEqual(['alone', 'child, done'])
    await journal.close()
  })

  test('a child that has ended stays as long as its parent, which may not have read its end', async () => {
    const journal = open()
    await put(journal, 'parent', { time: noon + 5, summary: { status: 'waiting' } })
    await put(journal, 'child', { time: noon + 5, summary: { status: 'done', parent: 'parent' } })
    await put(journal, 'left behind', { time: noon + 5, summary: { status: 'done', parent: 'gone' } })
    expect(await prune(journal, { olderThan: noon + 20 })).toEqual(['left behind'])
    await journal.close()
  })

  test('a thread stays that a contributor has appended to just before its removal', async () => {
    const journal = open()
    await put(journal, 'thread', { time: noon + 5, summary: { status: 'done' } })
    const remove: Journal['remove'] = async (thread, options) => {
      await journal.append(thread, batchAt(1, facts('a word'), { time: noon + 5, summary: { status: 'done' } }))
      return journal.remove(thread, options)
    }
    expect(await prune({ ...journal, remove }, { olderThan: noon + 20 })).toEqual([])
    const { seq, holder } = (await journal.head('thread')) ?? {}
    expect([seq, holder]).toEqual([2, undefined])
    await journal.close()
  })

  test('a new thread stays that has the name of one that was listed', async () => {
    const journal = open()
    await put(journal, 'thread', { time: noon + 5, summary: { status: 'done' } })
    const remove: Journal['remove'] = async (thread, options) => {
      await journal.remove(thread)
      await journal.append(thread, batchAt(0, facts('new'), { incarnation: 'second', time: noon + 5, summary: { status: 'done' } }))
      return journal.remove(thread, options)
    }
    expect(await prune({ ...journal, remove }, { olderThan: noon + 20 })).toEqual([])
    expect((await journal.head('thread'))?.incarnation).toBe('second')
    await journal.close()
  })

  test('more threads than a page holds', async () => {
    const journal = open()
    await Promise.all(Array.from({ length: 250 }, (_, number) => put(journal, `thread ${number}`, { time: noon + 5, summary: { status: 'done' } })))
    expect((await prune(journal, { olderThan: noon + 20 })).length).toBe(250)
    expect(await names(journal)).toEqual([])
    await journal.close()
  })
})

test('a damaged thread stays, and every other error is thrown', async () => {
  const path = pathOf()
  const journal = sqlite(path)
  await put(journal, 'damaged', { time: noon + 5, summary: { status: 'done' } })
  await put(journal, 'sound', { time: noon + 5, summary: { status: 'done' } })
  meddle(path, (db) => db.exec("update batches set line = replace(line, 'damaged', 'DAMAGED')"))
  expect(await prune(journal, { olderThan: noon + 20 })).toEqual(['sound'])
  expect(await names(journal)).toEqual(['damaged'])
  const failing: Journal = { ...journal, read: () => Promise.reject(new TypeError('out of order')) }
  await expect(prune(failing, { olderThan: noon + 20 })).rejects.toThrow('out of order')
  await journal.close()
})

describe('verifying any journal', () => {
  test('an undamaged one has no findings, also without its own inspection', async () => {
    const journal = memoryJournal()
    await put(journal, 'thread', { time: 1, summary: { status: 'idle' } })
    expect(await allOf(verify(journal))).toEqual([])
  })

  test('events at the wrong seq are found', async () => {
    const memory = memoryJournal()
    await memory.append('thread', batchAt(0, facts('a', 'b')))
    const odd: Journal = { ...memory, read: async (...args) => (await memory.read(...args)).map((event) => ({ ...event, seq: 7 })) }
    expect(await allOf(verify(odd, 'thread'))).toEqual([{ thread: 'thread', seq: 1, problem: 'the event 7 is in its place' }])
  })

  test('a table that cannot be read is a finding, and an error of the program is thrown', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    await put(journal, 'thread', { time: 1, summary: { status: 'idle', labels: { a: 1 } } })
    meddle(path, (db) => db.exec("update threads set labels = '['"))
    expect(await allOf(verify(journal))).toEqual([{ problem: expect.stringContaining('its labels are broken') as string }])
    await journal.close()
    const failing: Journal = { ...memoryJournal(), threads: () => Promise.reject(new TypeError('out of order')) }
    await expect(allOf(verify(failing))).rejects.toThrow('out of order')
  })
})
