/** Forks that are taken elsewhere, kept and removed: none is ever without the past it shares. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, agent, compareMoments, forkable, searchThread, tool, turnsOf } from '@loom-agent/agent'
import { exportThread, importThread, migrate, prune } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import { type Journal, memoryJournal } from '@loom-agent/kernel'
import { assertHistory, type Death, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createSeal } from '../src/transfer-line.ts'
import { allOf, eventsOf } from './events.ts'
import { testServer } from './postgres-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-forks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let paths = 0
const opened: Journal[] = []
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close()
})
const keep = (journal: Journal): Journal => {
  opened.push(journal)
  return journal
}
const memory = (): Journal => keep(memoryJournal())
const inFolder = (): Journal => keep(file(join(folder, String(paths++))))
const inDatabase = (): Journal => keep(sqlite(join(folder, String(paths++))))
const server = testServer({ fsync: false })
const onServer = (): Journal => keep(server.open(server.fresh()))

const grant = { effects: 'live', limits: { tokens: 1_000_000 } } as const
const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const model = () =>
  scriptedModel(({ prompt }) => {
    const said = prompt.findLastIndex(({ role }) => role === 'user')
    return prompt.length - said < 4 ? { calls: [{ tool: 'look' }] } : `Answer ${said}.`
  })
const workerOn = (journal: Journal): Agent => agent({ name: 'worker', model: model(), tools: [look], journal })

/** A thread `t`, its fork `f`, and a fork `g` of that one; `b` is another fork of `t`, and sorts before it. */
async function branched(journal: Journal): Promise<Journal> {
  const worker = workerOn(journal)
  await worker.run('One.', { thread: 't' })
  const edit = (input: string) => ({ edit: { kind: 'input', input } as const, ...grant })
  await (await worker.fork('t@8', { thread: 'f', ...edit('Two.') })).resume().result()
  const end = (await worker.journal.head('f'))?.seq ?? 0
  await (await worker.fork(`f@${end - 1}`, { thread: 'g', ...edit('Three.') })).resume().result()
  await worker.fork('t@5', { thread: 'b', ...grant })
  return journal
}

const linesOf = (journal: Journal, thread: string): Promise<string[]> => allOf(exportThread(journal, thread))
const namesIn = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread).toSorted()
/** A thread as its readers see it, forks with the past they share. */
const seenIn = async (journal: Journal, thread: string): Promise<string> => JSON.stringify(await eventsOf(forkable(journal), thread))

describe.each([
  ['memory', memory],
  ['file', inFolder],
  ['sqlite', inDatabase],
  ['postgres', onServer],
])('in a journal: %s', (_name, open) => {
  test('a fork of a fork is exported with all that it was cut from, and is the same elsewhere', async () => {
    const from = await branched(open())
    const to = open()
    const head = await importThread(to, exportThread(from, 'g'))
    expect(head.thread).toBe('g')
    expect(await namesIn(to)).toEqual(['f', 'g', 't'])
    for (const thread of ['t', 'f', 'g']) expect(await seenIn(to, thread)).toBe(await seenIn(from, thread))
    expect(await linesOf(to, 'g')).toEqual(await linesOf(from, 'g'))
    expect((await workerOn(to).run('And now?', { thread: 'g' })).status).toBe('done')
    assertHistory(await eventsOf(forkable(to), 'g'))
  })

  test('a past that is there already is shared, also when it has gone on', async () => {
    const from = await branched(open())
    const to = open()
    await importThread(to, exportThread(from, 'b'))
    await workerOn(to).run('Something else.', { thread: 't' })
    const before = await seenIn(to, 't')
    await importThread(to, exportThread(from, 'g'))
    expect(await namesIn(to)).toEqual(['b', 'f', 'g', 't'])
    expect(await seenIn(to, 't')).toBe(before)
    expect(await seenIn(to, 'g')).toBe(await seenIn(from, 'g'))
  })

  test('a thread that a fork reads cannot be removed, whichever process asks', async () => {
    const journal = await branched(open())
    const other = workerOn({ ...journal }).journal
    await expect(other.remove('t')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
    await expect(other.remove('f')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY', context: { fork: 'g' } })
    for (const thread of ['g', 'f', 'b', 't']) await other.remove(thread)
    expect(await namesIn(journal)).toEqual([])
  })

  test('retention keeps what a fork reads that stays, and removes whole branches', async () => {
    for (const shown of [(journal: Journal) => journal, forkable]) {
      const journal = await branched(open())
      const prunes = { olderThan: Date.now() + 1000 }
      expect(await prune(shown(journal), prunes)).toEqual(['g', 'f'])
      expect(await seenIn(journal, 'b')).toContain('One.')
      expect(await prune(shown(journal), { ...prunes, status: ['done', 'running'] })).toEqual(['b', 't'])
      expect(await namesIn(journal)).toEqual([])
    }
  })

  test('a migration takes forks of forks along, and they can be gone on with', async () => {
    const from = await branched(open())
    const [to, part] = [open(), open()]
    expect(await migrate(from, to)).toMatchObject({ threads: 4, skipped: 0 })
    for (const thread of ['t', 'f', 'g', 'b']) expect(await seenIn(to, thread)).toBe(await seenIn(from, thread))
    expect((await workerOn(to).resume('b').result()).status).toBe('done')
    await migrate(from, part, { threads: ['g'] })
    expect(await namesIn(part)).toEqual(['f', 'g', 't'])
  })

  test('two threads are compared, and a fork is searched with its past', async () => {
    const { journal } = workerOn(await branched(open()))
    expect((await searchThread(journal, 'g', 'one.')).map(({ at, type }) => [at, type])).toEqual([['g@2', 'run.started']])
    expect((await searchThread(journal, 'g', 'three.')).length).toBeGreaterThan(0)
    expect(await searchThread(journal, 't', 'three.')).toEqual([])
    expect((await compareMoments(journal, 't@8', 'f@8')).map(({ path }) => path)).toEqual(['thread'])
    expect((await compareMoments(journal, 't@9', 'f@9')).map(({ path }) => path)).toContain('fork')
    expect((await turnsOf(journal, 'g')).length).toBeGreaterThan((await turnsOf(journal, 't')).length)
  })
})

describe('a fork whose past is', () => {
  test('another one is refused, and nothing of it is kept', async () => {
    const from = await branched(memory())
    const to = memory()
    await workerOn(to).run('Not the same.', { thread: 't' })
    const before = await seenIn(to, 't')
    await expect(importThread(to, exportThread(from, 'g'))).rejects.toMatchObject({ context: { failure: 'unusable', thread: 't' } })
    expect([await namesIn(to), await seenIn(to, 't')]).toEqual([['t'], before])
  })

  test('shorter than what it reads is refused', async () => {
    const from = await branched(memory())
    const to = memory()
    const [first] = await from.read('t', { limit: 1 })
    await to.append('t', { id: 'x', expected: 0, time: first?.time ?? 0, events: first ? [first] : [], summary: { status: 'idle' } })
    await expect(importThread(to, exportThread(from, 'b'))).rejects.toThrow('is in this journal already')
  })

  test('missing can neither be exported nor imported', async () => {
    const from = await branched(memory())
    const lines = await linesOf(from, 'b')
    await from.remove('t')
    await expect(linesOf(from, 'b')).rejects.toThrow('b is a fork of t@5, and that part of t is not in this journal')
    const start = lines.findLastIndex((line) => line.includes('"header"'))
    const seal = createSeal()
    const alone = lines.slice(start).map((line) => seal(`{${line.slice(line.indexOf(',') + 1)}`))
    const to = memory()
    await expect(importThread(to, alone)).rejects.toThrow('Bring it here first')
    expect(await namesIn(to)).toEqual([])
  })

  test('cut off leaves nothing behind, wherever it is cut, and so does one that was changed', async () => {
    const lines = await linesOf(await branched(memory()), 'g')
    const changed = lines.map((line, index) => lines.toSpliced(index, 1, line.replace(/.$/, ' }')))
    for (const given of [...lines.map((_, index) => lines.slice(0, index)), ...changed]) {
      const to = memory()
      await expect(importThread(to, given)).rejects.toMatchObject({ context: { failure: 'damaged' } })
      expect(await namesIn(to)).toEqual([])
    }
  })

  test('said to be something else than a past is refused', async () => {
    for (const past of [null, {}, { of: 'f', events: 0 }, { of: 'f', events: 2 }, { events: 1 }]) {
      const line = createSeal()(JSON.stringify({ header: { format: 1, thread: 't', seq: 1, epoch: 0, summary: { status: 'idle' }, past } }))
      await expect(importThread(memory(), [line])).rejects.toThrow('does not begin with a header')
    }
  })

  test('no past of its own, by its label, is damage', async () => {
    const journal = memory()
    const batch = { id: 'x', expected: 0, time: 1, events: [{ type: 'memory.recorded', data: { key: 'k', value: 1 } }] } as const
    await journal.append('a', { ...batch, summary: { status: 'idle', labels: { $fork: 'b@3' } } })
    await journal.append('b', { ...batch, summary: { status: 'idle', labels: { $fork: 'a@3' } } })
    await expect(linesOf(journal, 'a')).rejects.toMatchObject({ context: { failure: 'damaged' } })
  })
})

describe('the journal of an agent', () => {
  test('shows forks with their past, and is refused for them on either side', async () => {
    const from = await branched(memory())
    await expect(linesOf(workerOn(from).journal, 'f')).rejects.toThrow('Give the journal itself')
    const to = memory()
    await expect(importThread(workerOn(to).journal, exportThread(from, 'f'))).rejects.toThrow('Give the journal itself')
    expect(await namesIn(to)).toEqual([])
    expect((await importThread(workerOn(to).journal, exportThread(workerOn(from).journal, 't'))).thread).toBe('t')
  })
})

describe('a migration that dies', () => {
  const deaths = Array.from({ length: 12 }, (_, index): Death => ({ append: index + 1, when: 'after' }))
  test.each(deaths)('after append $append leaves no fork without its past', async (death) => {
    const from = await branched(memory())
    const to = memory()
    const { journal, died } = mortalJournal(to, death)
    await Promise.race([migrate(from, journal), died])
    for (const thread of await namesIn(to)) expect((await seenIn(to, thread)).length).toBeGreaterThan(0)
    await migrate(from, to)
    for (const thread of ['t', 'f', 'g', 'b']) expect(await seenIn(to, thread)).toBe(await seenIn(from, thread))
  })
})
