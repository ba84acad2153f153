/** Whatever can go on, goes on: results that settle, and stops that need no driver. */
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, manualClock, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { callsOnce } from '../../../test/support/calling-model.ts'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

/** At which of so many microtasks another user of the process folds what is new. */
const moments = Array.from({ length: 40 }, (_, moment) => moment)

test.each(moments)('a result settles although its run ends, and the next begins, between the look and the follow (moment %d)', async (moment) => {
  const journal = memoryJournal()
  const clock = manualClock()
  const gates: (() => void)[] = []
  const gate = tool({ name: 'gate', effect: 'read', run: () => new Promise<string>((resolve) => gates.push(() => resolve('open'))) })
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'gate' }] }))
  const driver = agent({ name: 'worker', model, tools: [gate], journal })
  driver.start('one', { thread: 't' })
  driver.start('two', { thread: 't' })
  await until(() => gates.length === 1)
  let isFirst = true
  const interleaving: Journal = {
    ...journal,
    async acquire(thread, claim) {
      const held = await journal.acquire(thread, claim)
      if (!isFirst) return held
      isFirst = false
      gates[0]?.()
      await until(() => gates.length === 2)
      void foldAt(moment)
      return held
    },
  }
  const follower = agent({ name: 'worker', model, tools: [gate], journal: interleaving, ports: { clock } })
  const foldAt = async (passes: number): Promise<void> => {
    for (let pass = 0; pass < passes; pass += 1) await Promise.resolve()
    await follower.messages('t')
  }
  expect(await follower.resume('t').result()).toMatchObject({ status: 'done', run: 'r1' })
  expect(clock.timers).toBe(0)
})

/** A process that dies in the middle of the calls of a turn: one that may run again, and one that may not. */
async function lost() {
  const journal = memoryJournal()
  const ran: string[] = []
  const model = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'again' }, { tool: 'once' }] }))
  let hangs = true
  const acts = (name: string, effect: 'idempotent' | 'unsafe') =>
    tool({
      name,
      effect,
      schedule: { parallel: true },
      run: () => {
        ran.push(name)
        return hangs ? new Promise<string>(() => {}) : 'acted'
      },
    })
  const tools = [acts('again', 'idempotent'), acts('once', 'unsafe')]
  const mortal = mortalJournal(journal)
  agent({ name: 'worker', model: model(), tools, journal: mortal.journal }).start('go', { thread: 't' })
  await until(() => ran.length === 2)
  mortal.kill()
  hangs = false
  const next = agent({ name: 'worker', model: model(), tools, journal: mortalJournal(journal).journal })
  return { journal, next, ran }
}

describe('a stop of a run that nobody drives', () => {
  test('agent.stop ends it, and runs nothing that was lost', async () => {
    const { journal, next, ran } = await lost()
    expect(await next.stop('t', 'enough')).toMatchObject({ status: 'stopped', kind: 'cancelled', reason: 'enough' })
    expect(ran).toEqual(['again', 'once'])
    const outcomes = (await factsOf({ journal }, 't', 'tool.finished')).map(({ data }) => [data.call, data.errorType])
    expect(outcomes).toEqual([
      ['1.0', 'outcome-unknown'],
      ['1.1', 'outcome-unknown'],
    ])
    assertHistory(await eventsOf({ journal }, 't'))
  })

  test('resume(thread).stop() ends it before a lost call runs again', async () => {
    const { journal, next, ran } = await lost()
    const run = next.resume('t')
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped', reason: 'enough' })
    expect(ran).toEqual(['again', 'once'])
    expect(await factsOf({ journal }, 't', 'run.stop-requested')).toHaveLength(1)
  })

  test('agent.stop ends its children too, and runs nothing that was lost in them', async () => {
    const journal = memoryJournal()
    let ran = 0
    const act = tool({
      name: 'act',
      effect: 'idempotent',
      run: () => {
        ran += 1
        return ran === 1 ? new Promise<string>(() => {}) : 'acted'
      },
    })
    const child = agent({ name: 'child', model: callsOnce('act'), tools: [act] })
    const mortal = mortalJournal(journal)
    agent({ name: 'worker', model: callsOnce('child'), tools: [child], journal: mortal.journal }).start('go', { thread: 't' })
    await until(() => ran === 1)
    mortal.kill()
    const next = agent({ name: 'worker', model: callsOnce('child'), tools: [child], journal: mortalJournal(journal).journal })
    expect(await next.stop('t', 'enough')).toMatchObject({ status: 'stopped', reason: 'enough' })
    expect(ran).toBe(1)
    expect((await journal.threads({ parent: 't' })).map(({ summary }) => summary.status)).toEqual(['stopped'])
  })

  test('agent.stop ends one that waits for an answer, and one that was paused', async () => {
    const ask = tool({ name: 'ask', permission: 'ask', run: () => 'yes' })
    const asker = agent({ model: scriptedModel(() => ({ calls: [{ tool: 'ask' }] })), tools: [ask] })
    await asker.run('go', { thread: 'asks' })
    expect(await asker.stop('asks')).toMatchObject({ status: 'stopped', reason: 'Stopped by the caller.' })
    const run = asker.start('go', { thread: 'paused' })
    await run.pause()
    await run.result()
    expect(await asker.stop('paused', 'enough', { by: 'ann' })).toMatchObject({ status: 'stopped', reason: 'enough' })
    expect((await factsOf(asker, 'paused', 'run.stop-requested'))[0]?.data).toMatchObject({ by: 'ann' })
  })

  test('agent.stop of a run that has ended changes nothing and returns how it ended', async () => {
    const talker = agent({ model: scriptedModel('Hello.') })
    await talker.run('go', { thread: 't' })
    const before = await typesOf(talker, 't')
    expect(await talker.stop('t')).toMatchObject({ status: 'done', text: 'Hello.' })
    expect(await typesOf(talker, 't')).toEqual(before)
    await expect(talker.stop('nowhere')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  })
})

test('a thread whose release failed is released when the journal can be reached again, and another process drives it', async () => {
  const stored = memoryJournal()
  let isAway = false
  const unsteady: Journal = {
    ...stored,
    release: async (thread, lease) => {
      if (isAway) throw new Error('The journal cannot be reached.')
      return stored.release(thread, lease)
    },
  }
  const ask = tool({ name: 'ask', permission: 'ask', run: () => 'yes' })
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'ask' }] }))
  const first = agent({ name: 'worker', model, tools: [ask], journal: unsteady })
  isAway = true
  const { questions } = await first.run('go', { thread: 't' })
  expect((await stored.head('t'))?.holder).toBeDefined()
  isAway = false
  await first.recover()
  expect((await stored.head('t'))?.holder).toBeUndefined()
  const second = agent({ name: 'worker', model, tools: [ask], journal: stored })
  await second.answer(questions[0]?.id ?? '', approve())
  expect(await second.resume('t').result()).toMatchObject({ status: 'done' })
})
