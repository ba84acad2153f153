/** A thread is taken to another journal with its children: what a child has done is not done again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adopt, agent, answer, approve, memoryJournal, tool } from '@loom-agent/agent'
import { exportThread, importThread, migrate, verify } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { allOf, eventsOf } from './events.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-transfer-children-'))
afterAll(() => rmSync(folder, { recursive: true }))
let opened = 0
const journals: readonly (readonly [name: string, open: () => Journal])[] = [
  ['memory', memoryJournal],
  ['sqlite', () => sqlite(':memory:')],
  ['file', () => file(join(folder, String(++opened)))],
]

/** An agent whose child sends a mail and then asks: `sent` is what was sent in all processes. */
function office(journal: Journal, sent: string[]) {
  const mail = tool({ name: 'mail', effect: 'unsafe', run: () => sent.push('mail') })
  const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
  const clerk = agent({
    name: 'clerk',
    model: scriptedModel(({ prompt }) => {
      const results = prompt.filter(({ role }) => role === 'tool').length
      return results === 2 ? 'Sent and paid.' : { calls: [{ tool: results === 0 ? 'mail' : 'pay', input: {} }] }
    }),
    tools: [mail, pay],
  })
  const model = scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'All done.' : { calls: [{ tool: 'clerk', input: { prompt: 'go' } }] },
  )
  return agent({ name: 'boss', model, tools: [clerk], journal })
}

const moves: readonly (readonly [name: string, move: (from: Journal, to: Journal) => Promise<unknown>])[] = [
  ['exported and imported', (from, to) => importThread(to, exportThread(from, 't'))],
  ['migrated', (from, to) => migrate(from, to, { threads: ['t'] })],
]

describe.each(journals)('to a journal: %s', (_name, open) => {
  test.each(moves)('a parent that is %s continues its open child: the mail is sent once', async (_how, move) => {
    const [from, to] = [memoryJournal(), open()]
    const sent: string[] = []
    const { questions } = await office(from, sent).run('go', { thread: 't' })
    await move(from, to)
    await from.remove('t')
    expect(await from.threads()).toEqual([])
    expect(await allOf(verify(to, 't'))).toEqual([])
    const boss = office(to, sent)
    const run = boss.resume('t', { adopt: true })
    expect((await run.result()).questions.map(({ id }) => id)).toEqual(questions.map(({ id }) => id))
    await run.answer(questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done', text: 'All done.' })
    expect(sent).toEqual(['mail'])
    for (const { thread } of await to.threads()) assertHistory(await eventsOf(to, thread))
    await to.close()
  })

  test('a thread that is removed and imported again is the same, line by line, and so are its children', async () => {
    const journal = open()
    const sent: string[] = []
    await office(journal, sent).run('go', { thread: 't' })
    const lines = await allOf(exportThread(journal, 't'))
    await journal.remove('t')
    expect(await journal.threads()).toEqual([])
    await importThread(journal, lines)
    expect(await allOf(exportThread(journal, 't'))).toEqual(lines)
    expect((await journal.threads()).length).toBe(2)
    await journal.close()
  })
})

test('an export in which only a child has moved on is imported over the older one, and what neither has is refused (IMPORT-6)', async () => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  const sent: string[] = []
  const { questions } = await office(from, sent).run('go', { thread: 't' })
  const early = await allOf(exportThread(from, 't'))
  await importThread(to, early)
  await answer(from, questions[0]?.id ?? '', approve())
  const late = await allOf(exportThread(from, 't'))
  expect(await importThread(to, late)).toMatchObject({ thread: 't', seq: (await from.head('t'))?.seq })
  expect(await allOf(exportThread(to, 't'))).toEqual(late)
  await expect(importThread(to, late)).rejects.toMatchObject({
    code: 'LOOM_JOURNAL_UNUSABLE',
    message: expect.stringContaining('in this journal already'),
  })
  await expect(importThread(to, early)).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNUSABLE' })
  const boss = office(to, sent)
  expect(await boss.recover()).toEqual([])
  await adopt(to, 't')
  expect(await boss.recover()).toMatchObject([{ thread: 't', status: 'done' }])
  expect(sent).toEqual(['mail'])
  // What has gone on here is not mixed with what went on there.
  await expect(importThread(to, late)).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNUSABLE' })
})

test('an export that is cut off after its children leaves nothing behind', async () => {
  const from = memoryJournal()
  await office(from, []).run('go', { thread: 't' })
  const lines = await allOf(exportThread(from, 't'))
  for (let kept = 1; kept < lines.length; kept += 1) {
    const to = memoryJournal()
    await expect(importThread(to, lines.slice(0, kept))).rejects.toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
    expect(await to.threads()).toEqual([])
  }
})

test('what an earlier thread of the same name has left behind is not exported', async () => {
  const journal = memoryJournal()
  await office(journal, []).run('go', { thread: 't' })
  const child = (await journal.threads({ parent: 't' }))[0]?.thread ?? ''
  const orphan = await allOf(exportThread(journal, child))
  await journal.remove('t')
  await importThread(journal, orphan)
  await agent({ name: 'boss', model: scriptedModel('hello'), journal }).run('go', { thread: 't' })
  const lines = await allOf(exportThread(journal, 't'))
  expect(lines.some((line) => line.includes(child))).toBe(false)
  await journal.remove('t')
  expect(await journal.threads()).toEqual([])
})
