/**
 * The skeleton of a long thread, in a server that was started anew: what it then reads of the journal.
 * LOOM_SKELETON_EVENTS=100000 is the long form.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, memoryJournal } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Draft, Journal } from '@loom-agent/kernel'
import { skeleton, type ViewCache, viewOf } from '@loom-agent/telemetry'
import { scriptedModel } from '@loom-agent/testing'
import { afterAll, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { clerkOf, jsonOf, sender } from './world.ts'

const most = Number(process.env['LOOM_SKELETON_EVENTS'] ?? 10_000)
const added = 1000
const folder = mkdtempSync(join(tmpdir(), 'loom-skeleton-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The facts of a run, as often as somebody asks, each time under the name of another run. */
async function* runsOf(): AsyncGenerator<Draft, void> {
  const journal = memoryJournal()
  const clerk = clerkOf([{ text: 'Let me look.', calls: [{ tool: 'look' }, { tool: 'look' }] }, 'I have seen it.'], journal)
  await clerk.run('Look.', { thread: 't' })
  const events = await eventsOf(journal, 't')
  for (let run = 1; ; run += 1) {
    for (const { type, data } of events) {
      if (type === 'thread.started' && run > 1) continue
      yield { type, data: 'run' in data ? { ...data, run: `r${run}` } : data } as Draft
    }
  }
}

/** Appends facts until the thread has so many. */
async function growTo(journal: Journal, facts: AsyncGenerator<Draft, void>, seq: number): Promise<void> {
  for (let expected = (await journal.head('t'))?.seq ?? 0; expected < seq; ) {
    const events: Draft[] = []
    while (events.length < Math.min(500, seq - expected)) events.push((await facts.next()).value as Draft)
    const summary = { status: 'done', agent: 'clerk' } as const
    await journal.append('t', { id: `b${expected}`, incarnation: 'i', expected, time: expected, events, summary })
    expected += events.length
  }
}

/** The numbers of the events that are read of a journal. Counted where they come from: nothing that looks can say otherwise. */
function counted(journal: Journal): { readonly journal: Journal; readonly read: number[] } {
  const read: number[] = []
  const counting = async (...given: Parameters<Journal['read']>) => {
    const page = await journal.read(...given)
    read.push(...page.map(({ seq }) => seq))
    return page
  }
  return { read, journal: { ...journal, read: counting } }
}

const cache: ViewCache = {
  read: async (key) => readFileSync(join(folder, encodeURIComponent(key)), 'utf8'),
  write: async (key, text) => writeFileSync(join(folder, encodeURIComponent(key)), text),
}

/** What a server of its own shows of the thread, and what it has read for that. */
async function lookOnce(): Promise<{ readonly view: unknown; readonly read: readonly number[] }> {
  const stored = sqlite(join(folder, 'loom.db'))
  const { journal, read } = counted(stored)
  const clerk = agent({ name: 'clerk', model: scriptedModel([]), journal })
  const view = await jsonOf(sender({ agents: [clerk], cache }).send('GET /threads/t/skeleton'))
  await stored.close()
  return { view, read }
}

test('after a restart and 1,000 new events it reads exactly those, and shows what all of them come to', async () => {
  const facts = runsOf()
  const writer = sqlite(join(folder, 'loom.db'))
  await growTo(writer, facts, most)
  const first = await lookOnce()
  expect(first.read).toHaveLength(most)
  await growTo(writer, facts, most + added)
  const second = await lookOnce()
  expect(second.read).toEqual(Array.from({ length: added }, (_, index) => most + 1 + index))
  expect(second.view).toEqual(JSON.parse(JSON.stringify(viewOf(skeleton, await eventsOf(writer, 't')))))
  expect(second.view).not.toEqual(first.view)
  const third = await lookOnce()
  expect([third.read, third.view]).toEqual([[], second.view])
  await writer.close()
}, 120_000)
