/** An agent with the offline model and the file tools: no key and no network. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type Agent, agent, approve, edit, memoryJournal, reject } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { offlineModel } from '@loom-agent/models/offline'
import { assertHistory } from '@loom-agent/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { makeWorld, type World } from './world.ts'

const notes = 'Loom keeps every fact in a journal. Lunch was late. A journal is append-only. It rained. The journal survives a crash.\n'

let world: World
let journal: Journal
beforeEach(() => {
  world = makeWorld()
  journal = memoryJournal()
  writeFileSync(world.inRoot('notes.txt'), notes)
})
afterEach(() => world.remove())

/** A new agent each time, as a new process would have. */
const helper = (): Agent => agent({ name: 'helper', model: offlineModel(), tools: world.tools, journal })

async function checkedEvents(thread: string): Promise<readonly LoomEvent[]> {
  const events = await eventsOf(journal, thread)
  assertHistory(events)
  return events
}

const startsOf = (events: readonly LoomEvent[]): readonly unknown[] => events.filter(({ type }) => type === 'tool.started').map(({ data }) => data)

test('it reads, asks before it writes, and writes once after the answer, in another process', async () => {
  const waiting = await helper().start('Read notes.txt, then write "A journal is append-only." to summary.md', { thread: 't' }).result()
  expect(waiting.status).toBe('waiting')
  expect(waiting.questions).toMatchObject([
    { kind: 'approval', call: { tool: 'write_file', input: { path: 'summary.md', content: 'A journal is append-only.' } } },
  ])
  expect(existsSync(world.inRoot('summary.md'))).toBe(false)

  const run = helper().resume('t')
  await run.answer(waiting.questions[0]?.id ?? '', approve())
  const done = await run.result()
  expect(done).toMatchObject({ status: 'done', text: expect.stringContaining('write_file returned: {"path":"summary.md"') })
  expect(done.text).toContain('not a language model')
  expect(readFileSync(world.inRoot('summary.md'), 'utf8')).toBe('A journal is append-only.')

  const written = statSync(world.inRoot('summary.md')).mtimeMs
  expect(await helper().resume('t').result()).toMatchObject({ status: 'done' })
  expect(statSync(world.inRoot('summary.md')).mtimeMs).toBe(written)
  expect(startsOf(await checkedEvents('t')).filter((data) => JSON.stringify(data).includes('idempotent'))).toHaveLength(1)
})

test('a rejected call writes nothing, and the answer says that it did not succeed, and why', async () => {
  const waiting = await helper().start('把“你好”写入 hello.txt', { thread: 't' }).result()
  const run = helper().resume('t')
  await run.answer(waiting.questions[0]?.id ?? '', reject('今天不行'))
  const done = await run.result()
  expect(done).toMatchObject({ status: 'done', questions: [] })
  expect(done.text).toContain('write_file did not succeed')
  expect(done.text).toContain('今天不行')
  expect(existsSync(world.inRoot('hello.txt'))).toBe(false)
})

test('an approval with other arguments writes those', async () => {
  const waiting = await helper().start('Write "hello" to a.txt', { thread: 't' }).result()
  const run = helper().resume('t')
  await run.answer(waiting.questions[0]?.id ?? '', edit({ path: 'b.txt', content: 'hallo' }))
  const done = await run.result()
  expect(done).toMatchObject({ status: 'done', text: expect.stringContaining('b.txt') })
  expect(done.text).not.toContain('a.txt')
  expect(existsSync(world.inRoot('a.txt'))).toBe(false)
  expect(readFileSync(world.inRoot('b.txt'), 'utf8')).toBe('hallo')
})

test('what the tool refuses is reported in the words of the tool', async () => {
  const { text } = await helper().run('Read ../outside/secret.txt')
  expect(text).toContain('read_file did not succeed')
  expect(text).toContain('leads out of the root')
})

test('a protected file is asked about, although a rule allows writing', async () => {
  const asked: string[] = []
  const permissive = agent({ name: 'helper', model: offlineModel(), tools: world.tools, journal, permissions: { '*': 'allow' } })
  const { text } = await permissive.run('Write "x" to .env', {
    onQuestion: ({ prompt }) => {
      asked.push(prompt)
      return reject('not that one')
    },
  })
  expect(asked).toEqual(['May write_file run with these arguments? (.env is protected: it may hold secrets)'])
  expect(text).toContain('not that one')
  expect(existsSync(world.inRoot('.env'))).toBe(false)
})

test('a thread continues with another request after a refusal', async () => {
  const refused = await helper().run('Read a file', { thread: 't' })
  expect(refused.text).toContain('I still need path to call read_file. Nothing was done.')
  const read = await helper().run('Read notes.txt', { thread: 't' })
  expect(read.text).toContain('Loom keeps every fact')
  const listed = await helper().run('List the files', { thread: 't' })
  expect(listed.text).toBe('list returned: notes.txt')
})
