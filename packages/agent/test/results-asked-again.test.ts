/** A handle whose run waited: asked again, it has the newest result, however the run was moved on. */
import { type Agent, agent, answer, approve, memoryJournal, type RunHandle, signal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { callsOnce } from '../../../test/support/calling-model.ts'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, typesOf } from './journals.ts'

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const parcel = tool({ name: 'parcel', durable: true, effect: 'idempotent', run: async (_, ctx) => (await ctx.waitFor('sent')).status })

const clerk = (journal: Journal, calls = 'pay') => agent({ name: 'clerk', model: callsOnce(calls), tools: [pay, parcel], journal })

interface Waiting {
  readonly journal: Journal
  readonly own: Agent
  readonly question: string
}

const moves: Record<string, { calls?: string; ends?: string; move(waiting: Waiting): Promise<unknown> }> = {
  'the agent answers': { move: ({ own, question }) => own.answer(question, approve()) },
  'another handle answers': { move: ({ own, question }) => own.resume('t').answer(question, approve()) },
  'another process answers and drives': { move: ({ journal, question }) => clerk({ ...journal }).answer(question, approve()) },
  'the answer is in the journal, and nothing drives': { move: ({ journal, question }) => answer(journal, question, approve()) },
  'recovery drives': {
    async move({ journal, own, question }) {
      await answer(journal, question, approve())
      await own.recover()
    },
  },
  'the agent sends the signal': { calls: 'parcel', move: ({ own }) => own.signal('t', 'sent', 1) },
  'the signal is in the journal': { calls: 'parcel', move: ({ journal }) => signal(journal, 't', 'sent', 1) },
  'the agent stops it': { ends: 'stopped', move: ({ own }) => own.stop('t') },
  'another run follows it': {
    async move({ own, question }) {
      const next = own.start('next', { thread: 't', model: scriptedModel(['Next.']) })
      await own.answer(question, approve())
      await until(async () => (await next.result()).status === 'done')
    },
  },
}

async function waitingRun(calls?: string): Promise<Waiting & { handle: RunHandle }> {
  const journal = memoryJournal()
  const own = clerk(journal, calls)
  const handle = own.start('go', { thread: 't' })
  const { status, questions } = await handle.result()
  expect(status).toBe('waiting')
  return { journal, own, handle, question: questions[0]?.id ?? '' }
}

describe('the result of a run that waited, asked for again', () => {
  test.each(Object.entries(moves))('is the next one when %s', async (_, { calls, ends = 'done', move }) => {
    const { handle, ...waiting } = await waitingRun(calls)
    await move(waiting)
    const results = await Promise.all([handle.result(), handle.result()])
    expect(results).toEqual([expect.objectContaining({ status: ends, run: 'r1', questions: [] }), results[0]])
    expect(await handle.result()).toBe(results[0])
  })

  test('is the next one when a paused run is resumed', async () => {
    const journal = memoryJournal()
    const { promise, resolve } = Promise.withResolvers<string>()
    const look = tool({ name: 'look', effect: 'read', run: () => promise })
    const own = agent({ name: 'clerk', model: callsOnce('look'), tools: [look], journal })
    const handle = own.start('go', { thread: 't' })
    await until(async () => (await typesOf(journal, 't')).includes('tool.started'))
    await handle.pause()
    resolve('seen')
    expect(await handle.result()).toMatchObject({ status: 'waiting' })
    expect(await handle.result()).toMatchObject({ status: 'waiting' })
    await own.resume('t').result()
    expect(await handle.result()).toMatchObject({ status: 'done' })
  })

  test('is the next one when the question of a child is answered', async () => {
    const journal = memoryJournal()
    const boss = agent({ name: 'boss', model: callsOnce('clerk'), tools: [clerk(journal)], journal })
    const handle = boss.start('go', { thread: 't' })
    const { questions } = await handle.result()
    await boss.answer(questions[0]?.id ?? '', approve())
    expect(await handle.result()).toMatchObject({ status: 'done' })
  })

  test('is the same JSON for a run that was stopped while it was queued, before and after its turn has come', async () => {
    const { journal, own, question } = await waitingRun()
    const queued = own.start('next', { thread: 't', id: 'next' })
    await queued.stop('Enough.')
    const stopped = JSON.stringify(await queued.result())
    await own.answer(question, approve())
    await own.resume('t').result()
    expect(await typesOf(journal, 't')).toContain('run.stopped')
    expect(JSON.stringify(await clerk(journal).run('next', { thread: 't', id: 'next' }))).toBe(stopped)
  })

  test('is the same while nothing has changed, and nothing is appended', async () => {
    const { handle, journal } = await waitingRun()
    const [before, events] = [await handle.result(), await eventsOf(journal, 't')]
    for (let time = 0; time < 3; time += 1) expect(await handle.result()).toEqual(before)
    expect(await eventsOf(journal, 't')).toEqual(events)
  })

  test('is an error when the thread was removed, also if another has its name', async () => {
    const { handle, journal, own } = await waitingRun()
    await journal.remove('t')
    await expect(handle.result()).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await own.run('go', { thread: 't' })
    await expect(handle.result()).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  })
})
