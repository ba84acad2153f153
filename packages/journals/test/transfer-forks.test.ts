/** Forks that are exported, migrated, kept and removed: none is ever without the past that it shares. */
import { type Agent, agent, compareMoments, memoryJournal, searchThread, tool, turnsOf } from '@loom-agent/agent'
import { exportThread, importThread, migrate, prune } from '@loom-agent/journals'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, type Death, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eachJournal } from './each-journal.ts'
import { allOf, eventsOf } from './events.ts'
import { sealFormat2 } from './transfer-seals.ts'

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
  // A result is there before its thread is released.
  await until(async () => (await journal.threads()).every(({ holder }) => holder === undefined))
  return journal
}

const linesOf = (journal: Journal, thread: string): Promise<string[]> => allOf(exportThread(journal, thread))
const namesIn = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread).toSorted()
/** A thread as its readers see it, forks with the past they share. */
const seenIn = async (journal: Journal, thread: string): Promise<string> => JSON.stringify(await eventsOf(journal, thread))

describe.each(eachJournal())('in a journal: %s', (_name, open) => {
  test('a fork of a fork is exported with everything that it was cut from, and is the same after the import', async () => {
    const from = await branched(open())
    const to = open()
    const head = await importThread(to, exportThread(from, 'g'))
    expect(head.thread).toBe('g')
    expect(await namesIn(to)).toEqual(['f', 'g', 't'])
    expect(await seenIn(to, 'g')).toBe(await seenIn(from, 'g'))
    // Ancestors are exported up to the cut, and cannot be driven.
    expect(await to.threads()).toMatchObject([{ thread: 'f' }, { thread: 'g' }, { thread: 't', seq: 8, summary: { status: 'partial' } }])
    expect(await linesOf(to, 'g')).toEqual(await linesOf(from, 'g'))
    expect((await workerOn(to).run('And now?', { thread: 'g', adopt: true })).status).toBe('done')
    assertHistory(await eventsOf(to, 'g'))
  })

  test('a past that exists already is shared, and missing events are added to it', async () => {
    const from = await branched(open())
    const to = open()
    await importThread(to, exportThread(from, 'b'))
    expect(await to.head('t')).toMatchObject({ seq: 5 })
    await importThread(to, exportThread(from, 'g'))
    expect(await to.head('t')).toMatchObject({ seq: 8 })
    expect(await namesIn(to)).toEqual(['b', 'f', 'g', 't'])
    await importThread(to, exportThread(from, 't'))
    for (const thread of ['t', 'g', 'b']) expect(await seenIn(to, thread)).toBe(await seenIn(from, thread))
    expect((await workerOn(to).run('And then?', { thread: 't', adopt: true })).status).toBe('done')
    // A past that has grown since is shared too.
    await to.remove('g')
    await importThread(to, exportThread(from, 'g'))
    expect(await seenIn(to, 'g')).toBe(await seenIn(from, 'g'))
  })

  test('a fork of a thread that waits for a child brings that thread as its past: where only the fork was imported, the child does not start over', async () => {
    const from = open()
    let mails = 0
    const send = tool({ name: 'send', run: () => `mail ${++mails}` })
    const confirm = tool({ name: 'confirm', permission: 'ask', run: () => 'confirmed' })
    const writes = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'user' ? { calls: [{ tool: 'send' }, { tool: 'confirm' }] } : 'Sent.'))
    const asks = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'user' ? { calls: [{ tool: 'clerk', input: { prompt: 'Go.' } }] } : 'Done.'))
    const clerk = agent({ name: 'clerk', model: writes, tools: [send, confirm] })
    const bossOn = (journal: Journal): Agent => agent({ name: 'boss', model: asks, tools: [clerk], journal })
    await bossOn(from).run('Write.', { thread: 't' })
    await bossOn(from).fork(`t@${(await from.head('t'))?.seq}`, { thread: 'f' })
    const to = open()
    await importThread(to, exportThread(from, 'f'))
    expect((await to.head('t'))?.summary.status).toBe('partial')
    expect((await bossOn(to).recover()).map(({ thread }) => thread)).not.toContain('t')
    expect(mails).toBe(1)
  })

  test('a thread that a fork reads cannot be removed', async () => {
    const journal = await branched(open())
    await expect(journal.remove('t')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
    await expect(journal.remove('f')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY', context: { fork: 'g' } })
    for (const thread of ['g', 'f', 'b', 't']) await journal.remove(thread)
    expect(await namesIn(journal)).toEqual([])
  })

  test('retention keeps what a fork reads that stays, and removes whole branches', async () => {
    const journal = await branched(open())
    const prunes = { olderThan: Date.now() + 1000 }
    expect(await prune(journal, prunes)).toEqual(['g', 'f'])
    expect(await seenIn(journal, 'b')).toContain('One.')
    expect(await prune(journal, { ...prunes, status: ['done', 'running'] })).toEqual(['b', 't'])
    expect(await namesIn(journal)).toEqual([])
  })

  test('a migration copies forks of forks, and they can be continued', async () => {
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
    const from = await branched(memoryJournal())
    const to = memoryJournal()
    await workerOn(to).run('Not the same.', { thread: 't' })
    const before = await seenIn(to, 't')
    await expect(importThread(to, exportThread(from, 'g'))).rejects.toMatchObject({ context: { failure: 'unusable', thread: 't' } })
    expect([await namesIn(to), await seenIn(to, 't')]).toEqual([['t'], before])
  })

  test('missing cannot be imported, unless the journal has it', async () => {
    const from = await branched(memoryJournal())
    const lines = await linesOf(from, 'b')
    const start = lines.findLastIndex((line) => line.startsWith('{"loom":'))
    const seal = sealFormat2('b')
    const alone = lines.slice(start).map((line) => {
      const { head, hash: _hash, ...body } = JSON.parse(line) as { head: [number, number]; hash: string; end?: unknown }
      return seal(JSON.stringify('end' in body ? { ...body, end: [] } : body), head)
    })
    const to = memoryJournal()
    await expect(importThread(to, alone)).rejects.toThrow(
      'b is a fork of t@5, and that part of t is not in this journal. Import or migrate it first.',
    )
    expect(await namesIn(to)).toEqual([])
    await importThread(to, exportThread(from, 't'))
    expect((await importThread(to, alone)).thread).toBe('b')
    expect(await seenIn(to, 'b')).toBe(await seenIn(from, 'b'))
  })

  test('missing cannot be exported', async () => {
    const from = await branched(memoryJournal())
    const lost: Journal = { ...from, head: async (thread) => (thread === 't' ? undefined : from.head(thread)) }
    await expect(linesOf(lost, 'b')).rejects.toThrow('b is a fork of t@5, and that part of t is not in this journal')
  })

  test('cut off at any line leaves nothing behind, and so does one that was changed', async () => {
    const lines = await linesOf(await branched(memoryJournal()), 'g')
    const changed = lines.map((line, index) => lines.toSpliced(index, 1, line.replace(/.$/, ' }')))
    for (const given of [...lines.map((_, index) => lines.slice(0, index)), ...changed]) {
      const to = memoryJournal()
      await expect(importThread(to, given)).rejects.toMatchObject({ context: { failure: 'damaged' } })
      expect(await namesIn(to)).toEqual([])
    }
  })
})

describe('a migration that dies', () => {
  const deaths = Array.from({ length: 12 }, (_, index): Death => ({ append: index + 1, when: 'after' }))
  test.each(deaths)('after append $append leaves no fork without its past', async (death) => {
    const from = await branched(memoryJournal())
    const to = memoryJournal()
    const { journal, died } = mortalJournal(to, death)
    await Promise.race([migrate(from, journal), died])
    for (const thread of await namesIn(to)) expect((await seenIn(to, thread)).length).toBeGreaterThan(0)
    await migrate(from, to)
    for (const thread of ['t', 'f', 'g', 'b']) expect(await seenIn(to, thread)).toBe(await seenIn(from, thread))
  })
})
