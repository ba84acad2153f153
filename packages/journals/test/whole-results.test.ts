/** The whole text of a long result goes where its thread goes, and with it. */
import { agent, compress, tool } from '@loom-agent/agent'
import { exportThread, importThread, migrate, prune, verify } from '@loom-agent/journals'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eachJournal } from './each-journal.ts'
import { allOf, eventsOf } from './events.ts'

/** A long text with characters of several bytes. */
const long = Array.from({ length: 6000 }, (_, line) => `Zeile ${line} → ${(line * 7919) % 9973} 🙂`).join('\n')
const page = tool({ name: 'page', effect: 'read', run: () => long })
const place = long.indexOf('Zeile 3000')
const reading = { calls: [{ tool: 'read_more', input: { call: '1.0', offset: place, limit: 10 } }] }
const reader = (journal: Journal, script: Parameters<typeof scriptedModel>[0]) =>
  agent({ name: 'reader', model: scriptedModel(script), tools: { page }, context: compress({ max: 100_000 }), journal })

const released = (journal: Journal, thread: string): Promise<void> => until(async () => (await journal.head(thread))?.holder === undefined)

/** Makes a thread with a long result; its driver has released it. */
async function readPage(journal: Journal, thread: string): Promise<void> {
  await reader(journal, [{ calls: [{ tool: 'page' }] }, 'ok']).run('Read.', { thread })
  await released(journal, thread)
}

/** A thread with a long result, and the name of its text. */
async function recorded(journal: Journal): Promise<string> {
  await readPage(journal, 't')
  const [name = ''] = await journal.blobNames('t')
  return name
}

/** What the model reads of the middle of the result, in another run. */
async function readAgain(journal: Journal, thread = 't'): Promise<string> {
  await reader(journal, [reading, 'ok']).run('And the middle?', { thread, adopt: true })
  await released(journal, thread)
  const last = (await eventsOf(journal, thread)).findLast((event) => event.type === 'tool.finished')
  return String(last?.data.output.value)
}

/** What is wrong with threads; the server of the tests does not flush. */
const problems = async (journal: Journal): Promise<readonly unknown[]> => (await allOf(verify(journal))).filter(({ thread }) => thread !== undefined)

describe.each(eachJournal())('in %s', (_, open) => {
  test('it is stored once, beside the line, and read back by another run', async () => {
    const journal = open()
    const name = await recorded(journal)
    expect(new TextDecoder().decode(await journal.blob(name))).toBe(long)
    expect(JSON.stringify(await eventsOf(journal, 't'))).not.toContain('Zeile 3000')
    expect(await readAgain(journal)).toContain('\nZeile 3000\n')
    expect(await journal.blobNames('t')).toEqual([name])
    expect(await problems(journal)).toEqual([])
  })

  test('it is missed where it is lost', async () => {
    const journal = open()
    const name = await recorded(journal)
    const lossy: Journal = { ...journal, blob: async (hash) => (hash === name ? undefined : journal.blob(hash)) }
    expect(await problems(lossy)).toMatchObject([{ thread: 't', problem: `the blob ${name} is missing` }])
    // What the model was shown is there still.
    expect(await readAgain(lossy)).toContain('is outside of it')
  })

  test('it is exported and imported with its thread, and migrated', async () => {
    const [journal, copy, other] = [open(), open(), open()]
    const name = await recorded(journal)
    await importThread(copy, exportThread(journal, 't'))
    await migrate(journal, other)
    for (const one of [copy, other]) {
      expect(await one.blobNames('t')).toEqual([name])
      expect(await readAgain(one)).toContain('\nZeile 3000\n')
      expect(await problems(one)).toEqual([])
    }
  })

  test('it is there for a fork, also where the fork is taken to another journal', async () => {
    const [journal, copy] = [open(), open()]
    await recorded(journal)
    const { seq = 0 } = (await journal.head('t')) ?? {}
    const fork = await reader(journal, []).fork(`t@${seq}`, { thread: 'f', edit: { kind: 'input', input: 'Go on.' }, limits: { turns: 9 } })
    await importThread(copy, exportThread(journal, fork.thread))
    expect(await readAgain(journal, 'f')).toContain('\nZeile 3000\n')
    expect(await readAgain(copy, 'f')).toContain('\nZeile 3000\n')
  })

  test('it is gone with the last thread that has it', async () => {
    const journal = open()
    const name = await recorded(journal)
    await readPage(journal, 'second')
    await journal.remove('t')
    expect(await journal.blob(name)).toBeDefined()
    await prune(journal, { olderThan: Date.now() + 60_000 })
    expect(await journal.blob(name)).toBeUndefined()
  })
})
